import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import type { State } from '../../ui/detail.tsx';

export type SecretSync = Outputs['secretSyncs']['listAll']['secretSyncs'][number];
export type Destination = SecretSync['destination'];

export const useDestinations = () =>
  useQuery({ ...ask('secretSyncs', 'options', {}), select: ({ secretSyncOptions }) => secretSyncOptions });

export const refOf = ({ id, destination }: SecretSync) => ({ syncId: id, destination });

type Result = SecretSync['syncStatus'];

const TEXTS: Readonly<Record<NonNullable<Result>, Pick<State, 'kind' | 'text'>>> = {
  pending: { kind: 'warn', text: 'Waiting' },
  running: { kind: 'warn', text: 'Running' },
  succeeded: { kind: 'good', text: 'Succeeded' },
  failed: { kind: 'bad', text: 'Failed' },
};

const stateOf = (result: Result, at: string | null, why: string | null): State | undefined =>
  result === null ? undefined : { ...TEXTS[result], at, why: result === 'failed' ? why : null };

export const syncState = (sync: SecretSync): State =>
  stateOf(sync.syncStatus, sync.lastSyncedAt, sync.lastSyncMessage) ?? { text: 'Not synced yet' };
export const importState = (sync: SecretSync): State | undefined =>
  stateOf(sync.importStatus, sync.lastImportedAt, sync.lastImportMessage);
export const removalState = (sync: SecretSync): State | undefined =>
  stateOf(sync.removeStatus, sync.lastRemovedAt, sync.lastRemoveMessage);

/** Whether something runs: then it is looked at again soon. */
export const isRunning = ({ syncStatus, importStatus, removeStatus }: SecretSync): boolean =>
  [syncStatus, importStatus, removeStatus].some((status) => status === 'pending' || status === 'running');

/** Milliseconds between looks at what runs. */
export const WHILE_RUNNING = 1_500;
