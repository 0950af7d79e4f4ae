import { z } from 'zod';
import { backoff, BACKOFF, defineJob, enqueue } from '../../jobs/index.ts';
import { at, inTransaction, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import type { SecretsChange } from '../../secrets/commit/index.ts';
import { claim, type Run } from './claim.ts';
import { integrationSynced } from './integration.ts';
import { synchronize, type Synced } from './sync.ts';

/** Then it waits for a change, or for somebody who asks for it: that is after about half a day. */
const RETRIES = 20;
/** Behind what people wait for. */
const PRIORITY = 10;

/** Syncs one integration, if that is due. */
export const syncIntegration = defineJob({
  name: 'integration.sync',
  payload: z.object({ organizationId: z.string(), integrationId: z.string() }),
  run: async (ctx, { organizationId, integrationId }) => {
    const run = await claim(ctx, organizationId, integrationId);
    if (run) await perform(ctx, run, () => synchronize(ctx, run));
  },
});

/** Takes up what is due and was lost with a process. */
export const overdueIntegrations = defineJob({
  name: 'integration.overdue',
  payload: z.object({}),
  schedule: '*/5 * * * *',
  run: async (ctx) => {
    const rows = await ctx.sql<Due>(OVERDUE, [ctx.now()]);
    await inTransaction(ctx, async (tx) => rows.forEach((row) => enqueueSync(tx, row)));
  },
});

interface Due {
  id: string;
  organization_id: string;
}
const OVERDUE = statement(
  'integration.overdue',
  `select id, organization_id from integrations
   where is_active and (due_at <= $1::timestamptz - interval '1 minute' or claimed_until <= $1)
   order by coalesce(due_at, claimed_until) limit 1000`,
);

/** An organization's syncs take no more than two at a time of what runs the jobs of all: a target may be slow. */
const laneOf = ({ id, organization_id: organizationId }: Due): string =>
  `integrations:${organizationId.slice(-2)}${Number.parseInt(id.slice(-1), 16) % 2}`;

function enqueueSync(tx: Transaction, due: Due, runAt?: Date): void {
  const { id, organization_id: organizationId } = due;
  const how = { key: `integration:${id}`, queue: laneOf(due), priority: PRIORITY, maxAttempts: 3 };
  enqueue(tx, syncIntegration, { organizationId, integrationId: id }, { ...how, ...(runAt && { runAt }) });
}

const REQUEST = statement(
  'integration.request',
  `update integrations set due_at = $3, failures = 0, source_hash = null
   where organization_id = $1 and id = $2 and is_active returning id, organization_id`,
);

/** Asks for a sync of an active integration as soon as this transaction is committed, whatever was before. */
export async function requestSync(tx: Transaction, organizationId: string, integrationId: string): Promise<void> {
  for (const row of await tx.sql<Due>(REQUEST, [organizationId, integrationId, tx.now()])) enqueueSync(tx, row);
}

/** Where a retry is waited for, it comes soon, unless the other side has asked to be left alone. */
const REQUEST_ALL = statement(
  'integration.request_all',
  `update integrations set due_at = greatest(case when due_at is null then $3::timestamptz else $4 end, rests_until)
   where organization_id = $1 and project_id = $2 and is_active
     and (due_at is null or due_at > greatest($4::timestamptz, rests_until))
   returning id, organization_id, due_at`,
);

/** Follows the secrets of projects: asks for a sync of each of their integrations. Many changes become one sync. */
export async function syncIntegrations(ctx: Context, { organizationId, projectId }: SecretsChange): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const soon = new Date(tx.now().getTime() + BACKOFF.firstMs);
    const rows = await tx.sql<Due & { due_at: string }>(REQUEST_ALL, [organizationId, projectId, tx.now(), soon]);
    for (const row of rows) enqueueSync(tx, row, at(row.due_at));
  });
}

const FAULT = 'Coffer failed at this sync; the log of the server says why';

/**
 * Does what was claimed for, writes what came of it, and gives the claim back.
 *
 * @throws what the work throws: that is Coffer's own fault. What the other side does wrong is in the answer.
 */
export async function perform(ctx: Context, run: Run, work: () => Promise<Synced>): Promise<Synced> {
  try {
    const synced = await work();
    await settle(ctx, run, synced);
    return synced;
  } catch (error) {
    await settle(ctx, run, { failure: FAULT, written: 0, removed: 0 });
    throw error;
  }
}

const SETTLE = statement(
  'integration.settle',
  `update integrations set claim_id = null, claimed_until = null, failures = $3, source_hash = $4,
     is_initialized = is_initialized or $5, is_synced = $6, sync_message = $7,
     last_used = case when $8 then last_used else $9 end, rests_until = $11,
     due_at = case when $10::timestamptz is null then due_at else $10 end
   where id = $1 and claim_id = $2 returning id, organization_id, due_at`,
);
/** Who waited for this one to be done at the same place. */
const WAITING = statement(
  'integration.waiting',
  `select id, organization_id from integrations
   where organization_id = $1 and target = $2 and id <> $3 and is_active and due_at <= $4`,
);

async function settle(ctx: Context, run: Run, synced: Synced): Promise<void> {
  const { failure, sourceHash, written, removed, isIdle = false, isInitialized = false } = synced;
  const isSynced = failure === undefined;
  const failures = isSynced || synced.isHalfway || synced.isFinal ? 0 : run.failures + 1;
  await inTransaction(ctx, async (tx) => {
    const now = tx.now();
    const [settled] = await tx.sql<Due & { due_at: string | null }>(SETTLE, [
      run.id,
      run.claimId,
      failures,
      sourceHash ?? null,
      isInitialized,
      isSynced,
      failure ?? null,
      isIdle,
      now,
      isSynced ? null : retryAtOf(now, failures, synced),
      synced.retryAfter === undefined ? null : new Date(now.getTime() + synced.retryAfter * 1000),
    ]);
    for (const row of await tx.sql<Due>(WAITING, [run.organizationId, run.target, run.id, now])) enqueueSync(tx, row);
    if (!settled) return;
    if (settled.due_at !== null) enqueueSync(tx, settled, at(settled.due_at));
    if (isIdle) return;
    const { id: integrationId, integration, projectId } = run;
    record(tx, integrationSynced, { integrationId, integration, isSynced, written, removed }, { projectId });
  });
  if (!isSynced)
    ctx.log.warn({ integrationId: run.id, integration: run.integration, failures, reason: failure }, 'A sync failed');
}

/** When a sync that failed is tried again; `null` where it is not. */
function retryAtOf(now: Date, failures: number, { isHalfway, isFinal, retryAfter }: Synced): Date | null {
  if (isHalfway) return now;
  if (isFinal || failures > RETRIES) return null;
  return new Date(now.getTime() + Math.max((retryAfter ?? 0) * 1000, backoff(failures)));
}
