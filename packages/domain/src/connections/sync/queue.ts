import { BACKOFF, DONE, orphanJob, reconcileJob, retry, type Claim, type Due, type Next } from '../../jobs/index.ts';
import { at, inTransaction, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import type { SecretsChange } from '../../secrets/commit/index.ts';
import { syncs } from '../registry.ts';
import { integrationSynced } from './event.ts';
import { beginRun, type Run } from './run.ts';
import { synchronize, type Synced } from './synchronize.ts';
import { syncWork } from './work.ts';

/** Then it waits for a change, or for somebody who asks for it: that is after about half a day. */
const MAX_RETRIES = 20;

/** Syncs, if that is due. */
export const runSync = reconcileJob(syncWork, {
  attempt: async (ctx, { claim }) => void (await perform(ctx, claim, (run) => synchronize(ctx, run))),
});

/** Takes up what is due and was lost with a process. */
export const orphanedSyncs = orphanJob(syncWork, { name: 'integration.overdue', schedule: '*/5 * * * *' });

const REQUEST = statement(
  'secret_sync.request',
  `update secret_syncs set due_at = $3, failures = 0, source_hash = null
   where organization_id = $1 and id = $2 and is_active returning id, organization_id as "organizationId"`,
);

/** Asks for an active sync to run as soon as this transaction is committed, whatever was before. */
export async function requestSync(tx: Transaction, organizationId: string, syncId: string): Promise<void> {
  for (const due of await tx.sql<Due>(REQUEST, [organizationId, syncId, tx.now()])) syncWork.enqueue(tx, due);
}

/** Where a retry is waited for, it comes soon, unless the other side has asked to be left alone. */
const REQUEST_ALL = statement(
  'secret_sync.request_all',
  `update secret_syncs set due_at = greatest(case when due_at is null then $3::timestamptz else $4 end, rests_until)
   where organization_id = $1 and project_id = $2 and is_active
     and (due_at is null or due_at > greatest($4::timestamptz, rests_until))
   returning id, organization_id as "organizationId", due_at as "dueAt"`,
);

/** Follows the secrets of projects: asks for each of their syncs. Many changes become one. */
export async function followChanges(ctx: Context, { organizationId, projectId }: SecretsChange): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const soon = new Date(tx.now().getTime() + BACKOFF.firstMs);
    const rows = await tx.sql<Due & { dueAt: string }>(REQUEST_ALL, [organizationId, projectId, tx.now(), soon]);
    for (const row of rows) syncWork.enqueue(tx, { ...row, dueAt: at(row.dueAt) });
  });
}

const FAULT = 'Coffer failed at this sync; the log of the server says why';

/**
 * Does what a sync was claimed for, writes what came of it, and gives the claim back. Nothing where the connection or the
 * environment is gone.
 *
 * @throws what the work throws: that is Coffer's own fault. What the other side does wrong is in the answer.
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

const NOTE = statement(
  'secret_sync.note',
  `update secret_syncs set source_hash = $3, is_initialized = is_initialized or $4, is_synced = $5, sync_message = $6,
     last_used = case when $7 then last_used else $8 end, rests_until = $9
   where id = $1 and claim_id = $2`,
);

async function settle(ctx: Context, claim: Claim, run: Run, synced: Synced): Promise<void> {
  const { failure, sourceHash, written, removed, isIdle = false, isInitialized = false, retryAfter } = synced;
  const isSynced = failure === undefined;
  const next = nextOf(ctx.now(), claim, synced);
  const named = { integrationId: run.id, integration: syncs.require(run.destination).integration.name };
  await inTransaction(ctx, async (tx) => {
    const now = tx.now();
    const restsUntil = retryAfter === undefined ? null : new Date(now.getTime() + retryAfter * 1000);
    const found = [sourceHash ?? null, isInitialized, isSynced, failure ?? null, isIdle, now, restsUntil];
    await tx.sql(NOTE, [claim.id, claim.claimId, ...found]);
    const isHeld = await syncWork.settle(tx, claim, next);
    if (isHeld && !isIdle)
      record(tx, integrationSynced, { ...named, isSynced, written, removed }, { projectId: run.projectId });
  });
  if (!isSynced) ctx.log.warn({ ...named, failures: next.failures, reason: failure }, 'A sync failed');
}

/** When it is tried again. */
function nextOf(now: Date, { failures }: Claim, { failure, isHalfway, isFinal, retryAfter = 0 }: Synced): Next {
  if (isHalfway) return { failures: 0, dueAt: now };
  if (failure === undefined || isFinal) return DONE;
  return retry(failures, now, { retryAfterMs: retryAfter * 1000, maxRetries: MAX_RETRIES });
}
