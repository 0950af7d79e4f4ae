import type { State } from './detail.tsx';
import { texts } from './texts.ts';
import { words } from './words.texts.ts';

type Result = 'pending' | 'running' | 'succeeded' | 'failed' | null;

/** How the runs of a sync went, as the API has it. */
interface Runs {
  readonly syncStatus: Result;
  readonly lastSyncedAt: string | null;
  readonly lastSyncMessage: string | null;
  readonly importStatus: Result;
  readonly lastImportedAt: string | null;
  readonly lastImportMessage: string | null;
  readonly removeStatus: Result;
  readonly lastRemovedAt: string | null;
  readonly lastRemoveMessage: string | null;
}

const TEXTS: Readonly<Record<NonNullable<Result>, Pick<State, 'kind' | 'text'>>> = {
  pending: { kind: 'warn', text: texts.waiting },
  running: { kind: 'warn', text: texts.running },
  succeeded: { kind: 'good', text: texts.succeeded },
  failed: { kind: 'bad', text: words.failed },
};

/** `undefined`: it never ran. */
export const stateOf = (result: Result, at: string | null, why: string | null): State | undefined =>
  result === null ? undefined : { ...TEXTS[result], at, why: result === 'failed' ? why : null };

export const syncState = (sync: Runs): State =>
  stateOf(sync.syncStatus, sync.lastSyncedAt, sync.lastSyncMessage) ?? { text: texts.notSyncedYet };
export const importState = (sync: Runs): State | undefined =>
  stateOf(sync.importStatus, sync.lastImportedAt, sync.lastImportMessage);
export const removalState = (sync: Runs): State | undefined =>
  stateOf(sync.removeStatus, sync.lastRemovedAt, sync.lastRemoveMessage);

/** Whether something runs: then it is looked at again soon. */
export const isRunning = ({ syncStatus, importStatus, removeStatus }: Runs): boolean =>
  [syncStatus, importStatus, removeStatus].some((status) => status === 'pending' || status === 'running');

/** Milliseconds between looks at what runs. */
export const WHILE_RUNNING = 1_500;
