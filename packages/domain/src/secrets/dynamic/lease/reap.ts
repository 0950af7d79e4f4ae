import { at, inTransaction, statement, type Context } from '../../../kernel/index.ts';
import { dynamicSecretOf } from '../find.ts';
import { closeLease, retryLater, revokeThere } from './end.ts';
import { hold, release } from './hold.ts';
import { leaseById, type LeaseRow } from './row.ts';
import { ASK_WHEN_DUE, scheduleReap } from './schedule.ts';

/**
 * Revokes a lease whose time is over, one that is to end, and one that was never confirmed: whoever asked for it is gone.
 * What is not due yet, or held by somebody else, is reaped later.
 */
export async function reapLease(ctx: Context, organizationId: string, leaseId: string): Promise<void> {
  const lease = await hold(ctx, leaseId);
  if (!lease) return comeBack(ctx, await leaseById(ctx, organizationId, leaseId));
  if (at(lease.due_at) > ctx.now()) {
    await release(ctx, lease);
    return comeBack(ctx, { ...lease, held_until: null });
  }
  const found = { lease, of: await dynamicSecretOf(ctx, organizationId, lease.dynamic_secret_id) };
  const ending = await revokeThere(ctx, found, { waitMs: 0 });
  if (ending.error === undefined) await closeLease(ctx, found, { isForced: false, isRevoked: true });
  else await retryLater(ctx, found, ending);
}

async function comeBack(ctx: Context, lease: LeaseRow | undefined): Promise<void> {
  if (!lease) return;
  const when = Math.max(at(lease.due_at).getTime(), lease.held_until ? at(lease.held_until).getTime() : 0);
  await inTransaction(ctx, async (tx) => scheduleReap(tx, lease, new Date(when)));
}

/** Leases that are taken up at once. */
const BATCH = 1_000;
/** Milliseconds after which a lease that nobody reaped when it was due has no job any more. */
const OVERDUE = 120_000;

const REQUEUE_ORPHANED = statement(
  'lease.take_up_forgotten',
  `with l as (
     select id, organization_id, due_at from dynamic_secret_leases
     where due_at <= $1 and (held_until is null or held_until <= $1) order by due_at limit ${BATCH})
   select ${ASK_WHEN_DUE} from l`,
);

/** Asks anew for a look at leases whose jobs are lost: the rows say what is to be done, the jobs only when to begin. */
export async function requeueOrphanedLeases(ctx: Context): Promise<number> {
  const before = new Date(ctx.now().getTime() - OVERDUE);
  return (await ctx.sql(REQUEUE_ORPHANED, [before])).length;
}
