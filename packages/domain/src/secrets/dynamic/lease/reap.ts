import { orphanJob, reconcile, reconcileJob, type Reconciler } from '../../../jobs/index.ts';
import type { Context } from '../../../kernel/index.ts';
import { dynamicSecretOf } from '../find.ts';
import { closeLease, retryLater, revokeThere } from './end.ts';
import type { LeaseRow } from './row.ts';
import { leases } from './work.ts';

/** Revokes an expired lease, one that is to end, and one that was never confirmed because its requester was lost. */
const reaper: Reconciler<LeaseRow> = {
  patienceMs: 2_000,
  attempt: async (ctx, { row: lease }) => {
    const found = { lease, of: await dynamicSecretOf(ctx, lease.organizationId, lease.dynamicSecretId) };
    const ending = await revokeThere(ctx, found, { waitMs: 0 });
    if (ending.error === undefined) await closeLease(ctx, found, { isForced: false, isRevoked: true });
    else await retryLater(ctx, found, ending);
  },
};

/** Reaps a due lease. One that is not due yet, or is claimed, is reaped later. */
export const reapLease = (ctx: Context, organizationId: string, leaseId: string): Promise<void> =>
  reconcile(ctx, leases, { id: leaseId, organizationId }, reaper);

export const leaseJob = reconcileJob(leases, reaper);
export const orphanedLeases = orphanJob(leases, { name: 'dynamic_secret.forgotten_leases', schedule: '* * * * *' });

/** Requeues leases that have lost their jobs: rows have the work, jobs only the time. */
export const requeueOrphanedLeases = (ctx: Context): Promise<number> => leases.requeueOrphaned(ctx);
