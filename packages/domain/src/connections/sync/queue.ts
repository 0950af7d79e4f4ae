import { BACKOFF, DONE, orphanJob, reconcileJob, type Claim, type Due } from '../../jobs/index.ts';
import { at, inTransaction, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import type { SecretsChange } from '../../secrets/commit/index.ts';
import { restAccount } from '../connection/index.ts';
import { syncs } from '../registry.ts';
import { integrationSynced, secretSyncSynced } from './event.ts';
import { nextRun } from './next.ts';
import { carryOutRequests } from './requests.ts';
import { beginRun, type Run } from './run.ts';
import { synchronize, type Synced } from './synchronize.ts';
import { syncWork } from './work.ts';

/** Does what is due: requested imports and removals, and the sync. */
export const runSync = reconcileJob(syncWork, {
  attempt: async (ctx, { claim }) => void (await perform(ctx, claim, (run) => carryOutDue(ctx, run))),
});

async function carryOutDue(ctx: Context, run: Run): Promise<Synced> {
  const { isRemoved, isHalfway } = await carryOutRequests(ctx, run);
  if (run.skipsSync || isHalfway) return { isSkipped: true, isHalfway, written: 0, removed: 0 };
  return synchronize(ctx, isRemoved ? { ...run, sourceHash: null } : run);
}

/** Requeues due syncs that were lost with a process. */
export const orphanedSyncs = orphanJob(syncWork, { name: 'integration.overdue', schedule: '*/5 * * * *' });

const REQUEST = statement(
  'secret_sync.request',
  `update secret_syncs set due_at = $3, failures = 0, source_hash = null, last_sync_job_id = null,
     skips_sync = false
   where organization_id = $1 and id = $2 and is_active returning id, organization_id as "organizationId"`,
);

/** Requests a run of an active sync after the commit of this transaction, whatever its state. */
export async function requestSync(tx: Transaction, organizationId: string, syncId: string): Promise<void> {
  for (const due of await tx.sql<Due>(REQUEST, [organizationId, syncId, tx.now()])) syncWork.enqueue(tx, due);
}

const REQUEST_BY = statement(
  'secret_sync.request_by',
  `update secret_syncs set due_at = $3, failures = 0, source_hash = null, last_sync_job_id = null,
     skips_sync = false
   where organization_id = $1 and connection_id = $2 and is_active and is_auto_sync_enabled
   returning id, organization_id as "organizationId"`,
);

/** Requests a run of the syncs by a connection that follow changes: it has other credentials. */
export async function requestAllBy(
  tx: Transaction,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
): Promise<void> {
  for (const due of await tx.sql<Due>(REQUEST_BY, [organizationId, id, tx.now()])) syncWork.enqueue(tx, due);
}

/** A pending retry is moved forward, unless the remote has asked for a delay. */
const REQUEST_ALL = statement(
  'secret_sync.request_all',
  `update secret_syncs set skips_sync = false,
     due_at = greatest(case when due_at is null then $3::timestamptz else least(due_at, $4) end, rests_until)
   where organization_id = $1 and project_id = $2 and is_active and is_auto_sync_enabled
     and (due_at is null or due_at > greatest($4::timestamptz, rests_until) or skips_sync)
   returning id, organization_id as "organizationId", due_at as "dueAt"`,
);

/** Follows the secrets of projects: requests a run of each of their syncs. Many changes become one run. */
export async function followChanges(ctx: Context, { organizationId, projectId }: SecretsChange): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const soon = new Date(tx.now().getTime() + BACKOFF.firstMs);
    const rows = await tx.sql<Due & { dueAt: string }>(REQUEST_ALL, [organizationId, projectId, tx.now(), soon]);
    for (const row of rows) syncWork.enqueue(tx, { ...row, dueAt: at(row.dueAt) });
  });
}

const FAULT = 'Coffer failed at this sync; the log of the server says why';

/**
 * Runs a claimed sync, stores the outcome, and releases the claim. Does nothing if the connection or the environment
 * was deleted.
 *
 * @throws what the work throws: an internal error. Errors of the remote are in the outcome.
 */
export async function perform(
  ctx: Context,
  claim: Claim,
  work: (run: Run) => Promise<Synced>,
): Promise<Synced | undefined> {
  const run = await beginRun(ctx, claim);
  if (!run) {
    await syncWork.settle(ctx, claim, DONE);
    return undefined;
  }
  try {
    const synced = await work(run);
    await settle(ctx, claim, run, synced);
    return synced;
  } catch (error) {
    await settle(ctx, claim, run, { failure: FAULT, written: 0, removed: 0 });
    throw error;
  }
}

/** What was requested while it ran is compared again: the target may have been read before. */
const NOTE = statement(
  'secret_sync.note',
  `update secret_syncs set source_hash = case when last_sync_job_id is not null then $2::bytea end,
     is_initialized = is_initialized or $3, is_synced = $4, sync_message = $5,
     last_used = case when $6 then last_used else $7 end, rests_until = $8,
     skips_sync = skips_sync and ($4 or remove_requested), named_places = coalesce($9::jsonb, named_places)
   where id = $1`,
);

async function settle(ctx: Context, claim: Claim, run: Run, synced: Synced): Promise<void> {
  const next = nextRun(ctx.now(), claim, synced);
  if (synced.isSkipped) return void (await syncWork.settle(ctx, claim, next));
  const { failure, sourceHash, isIdle = false, isInitialized = false, retryAfter, places } = synced;
  const isSynced = failure === undefined;
  await inTransaction(ctx, async (tx) => {
    const now = tx.now();
    const restsUntil = retryAfter === undefined ? null : new Date(now.getTime() + retryAfter * 1000);
    const found = [sourceHash ?? null, isInitialized, isSynced, failure ?? null, isIdle, now, restsUntil];
    const known = places ? JSON.stringify(places) : null;
    await restAccount(tx, run.connectionId, retryAfter);
    if (!(await syncWork.settle(tx, claim, next))) return;
    await tx.sql(NOTE, [claim.id, ...found, known]);
    if (!isIdle) recordOutcome(tx, run, synced);
  });
  const { id: syncId, destination } = run;
  if (!isSynced) ctx.log.warn({ syncId, destination, failures: next.failures, reason: failure }, 'A sync failed');
}

function recordOutcome(
  tx: Transaction,
  { id, name, destination, projectId }: Run,
  { failure, written, removed }: Synced,
) {
  const counts = { isSynced: failure === undefined, written, removed };
  if (name !== null) return record(tx, secretSyncSynced, { syncId: id, destination, ...counts }, { projectId });
  const { integration } = syncs.require(destination);
  const integrationName = integration?.name ?? destination;
  record(tx, integrationSynced, { integrationId: id, integration: integrationName, ...counts }, { projectId });
}
