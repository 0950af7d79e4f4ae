import {
  at,
  DomainError,
  inTransaction,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import type { Due } from '../../jobs/index.ts';
import { BUDGET_MS, restAccount } from '../connection/index.ts';
import { runAsOf } from '../../secrets/import/replication/index.ts';
import { secretSyncImported, secretSyncRemoved } from './event.ts';
import { importSecrets } from './import-secrets.ts';
import { removeAll } from './remove-all.ts';
import { requireMayRemoveAsRequester } from './requester.ts';
import type { Run } from './run.ts';
import type { ImportBehavior } from './sync.ts';
import { syncWork } from './work.ts';

/**
 * Imports and removals that somebody has requested. A run carries them out before it syncs, perhaps much later: what they do
 * takes the rights of the actor that it runs as and those that the requester has then, to each element (`requester.ts`).
 */

/** Not before the remote allows it; a sync that is due stays so. */
const DUE = 'due_at = greatest(least(due_at, $3::timestamptz), rests_until)';
const RETURNING = `where organization_id = $1 and id = $2
   returning id, organization_id as "organizationId", due_at as "dueAt"`;
const REQUEST_IMPORT = statement(
  'secret_sync.request_import',
  `update secret_syncs set import_requested = $4, import_requester = $5, skips_sync = skips_sync or due_at is null, ${DUE} ${RETURNING}`,
);
/** A sync that is due would write again what is removed. */
const REQUEST_REMOVAL = statement(
  'secret_sync.request_removal',
  `update secret_syncs set remove_requested = true, remove_requester = $4, skips_sync = true, ${DUE} ${RETURNING}`,
);

interface Place {
  readonly id: string;
  readonly organizationId: string;
}

/** Requests an import into the folder, after the commit of this transaction. */
export async function requestImport(tx: Transaction, { id, organizationId }: Place, behavior: ImportBehavior) {
  const rows = await tx.sql<Due & { dueAt: string }>(REQUEST_IMPORT, [
    organizationId,
    id,
    tx.now(),
    behavior,
    callerOf(tx),
  ]);
  enqueueAll(tx, rows);
}

/** Requests the removal of all that the sync has written at its target, after the commit of this transaction. */
export async function requestRemoval(tx: Transaction, { id, organizationId }: Place) {
  enqueueAll(tx, await tx.sql<Due & { dueAt: string }>(REQUEST_REMOVAL, [organizationId, id, tx.now(), callerOf(tx)]));
}

const callerOf = (tx: Transaction): string | null => JSON.stringify(runAsOf(tx)) ?? null;

function enqueueAll(tx: Transaction, rows: readonly (Due & { dueAt: string })[]): void {
  for (const row of rows) syncWork.enqueue(tx, { ...row, dueAt: at(row.dueAt) });
}

const FAULT = 'Coffer failed at this; the log of the server says why';
const NOTE_IMPORT = statement(
  'secret_sync.note_import',
  `update secret_syncs set import_requested = null, import_requester = null, is_imported = $3, import_message = $4, last_imported_at = $5
   where id = $1 and claim_id = $2 returning id`,
);
const NOTE_REMOVAL = statement(
  'secret_sync.note_removal',
  `update secret_syncs set remove_requested = $6, is_removed = $3, remove_message = $4, last_removed_at = $5,
     source_hash = null where id = $1 and claim_id = $2 returning id`,
);

interface Carried {
  /** Whether the items at the target were removed. */
  readonly isRemoved: boolean;
  /** Whether a removal only ran out of time, and made progress; or the rest waits because the app throttles. */
  readonly isHalfway: boolean;
}

/** Carries out what was requested of a sync, and stores the outcome of each. */
export async function carryOutRequests(ctx: Context, run: Run): Promise<Carried> {
  const isThrottled = run.importRequested !== null && (await carryOutImport(ctx, run, run.importRequested));
  if (isThrottled) return { isRemoved: false, isHalfway: true };
  if (!run.removeRequested) return { isRemoved: false, isHalfway: false };
  return { isRemoved: true, isHalfway: await carryOutRemoval(ctx, run) };
}

/** @returns Whether the app throttles. */
async function carryOutImport(ctx: Context, run: Run, behavior: ImportBehavior): Promise<boolean> {
  const note = (imported: number, failure: string | null, retryAfter?: number) =>
    inTransaction(ctx, async (tx) => {
      await restAccount(tx, run.connectionId, retryAfter);
      const isImported = failure === null;
      const noted = await tx.sql(NOTE_IMPORT, [run.id, run.claimId, isImported, failure, tx.now()]);
      if (noted.length > 0) record(tx, secretSyncImported, { ...named(run), isImported, imported }, ofProject(run));
    });
  try {
    const { imported, failure = null, retryAfter } = await importSecrets(ctx, run, behavior);
    await note(imported, failure, retryAfter);
    return retryAfter !== undefined;
  } catch (error) {
    await note(0, FAULT);
    throw error;
  }
}

async function carryOutRemoval(ctx: Context, run: Run): Promise<boolean> {
  const note = (removed: number, failure: string | null, isHalfway = false, retryAfter?: number) =>
    inTransaction(ctx, async (tx) => {
      await restAccount(tx, run.connectionId, retryAfter);
      const isRemoved = failure === null;
      const noted = await tx.sql(NOTE_REMOVAL, [run.id, run.claimId, isRemoved, failure, tx.now(), isHalfway]);
      if (noted.length > 0) record(tx, secretSyncRemoved, { ...named(run), isRemoved, removed }, ofProject(run));
    });
  try {
    const refused = await refusalOfRemoval(ctx, run);
    if (refused !== undefined) {
      await note(0, refused);
      return false;
    }
    const { removed, failure = null, isHalfway = false, retryAfter } = await removeAll(ctx, run, BUDGET_MS);
    await note(removed, failure, isHalfway, retryAfter);
    return isHalfway;
  } catch (error) {
    await note(0, FAULT);
    throw error;
  }
}

async function refusalOfRemoval(ctx: Context, run: Run): Promise<string | undefined> {
  try {
    await requireMayRemoveAsRequester(ctx, run);
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.message;
  }
}

const named = ({ id: syncId, destination }: Run) => ({ syncId, destination });
const ofProject = ({ projectId }: Run) => ({ projectId });
