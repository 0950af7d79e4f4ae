import { delayAskedFor, type RemoteSession } from '../../family/index.ts';
import { DomainError, type Context, type Transaction } from '../../kernel/index.ts';
import { beginWork } from '../connection/index.ts';
import { untilUnchanged } from './changed-meanwhile.ts';
import { importable, importInto } from './initial.ts';
import { listTarget, locationOf, nameAfterImport, readForRun } from './reading.ts';
import { rightsToImport } from './requester.ts';
import type { Run } from './run.ts';
import { rightsIn } from './source.ts';
import type { ImportBehavior } from './sync.ts';
import { requireMayRun } from './target-rights.ts';

/** The outcome of an import. */
export interface Imported {
  /** The reason of a failure for users; absent after success. */
  readonly failure?: string;
  /** The delay in seconds that the remote asked for, if any. */
  readonly retryAfter?: number | undefined;
  readonly imported: number;
}

/** Writes items of the target into the folder of a sync, as the actor that it runs as may, and the requester. */
export async function importSecrets(ctx: Context, run: Run, behavior: ImportBehavior): Promise<Imported> {
  using remote = beginWork(ctx);
  try {
    return { imported: await untilUnchanged(() => importBy(ctx, run, behavior, remote)) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { imported: 0, failure: await remote.redact(error.message), retryAfter: delayAskedFor(error) };
  }
}

async function importBy(ctx: Context, run: Run, behavior: ImportBehavior, remote: RemoteSession): Promise<number> {
  const reading = await readForRun(ctx, run, remote);
  const { configured, naming, source } = reading;
  const { present: there } = await listTarget(ctx, run, reading, { names: [], isImporting: true, remote });
  const taken = importable(there, source.values, naming, behavior);
  await requireMayRun(ctx, run, configured, { isImporting: true });
  await rightsToImport(ctx, run);
  await nameAfterImport(taken, reading);
  const present = async (tx: Transaction) => ({
    runAs: await rightsIn(tx, run),
    requester: await rightsToImport(tx, run),
  });
  if (taken.length > 0) await importInto(ctx, locationOf(run), present, taken, behavior);
  return taken.length;
}
