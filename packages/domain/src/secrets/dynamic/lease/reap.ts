import { orphanJob, reconcile, reconcileJob, type Reconciler } from '../../../jobs/index.ts';
import type { Context } from '../../../kernel/index.ts';
import { dynamicSecretOf } from '../find.ts';
import { closeLease, retryLater, revokeThere } from './end.ts';
import type { LeaseRow } from './row.ts';
import { leases } from './work.ts';

/** Revokes a lease whose time is over, one that is to end, and one that was never confirmed: whoever asked for it is gone. */
const reaper: Reconciler<LeaseRow> = {
  patienceMs: 2_000,
  attempt: async (ctx, { row: lease }) => {
    const found = { lease, of: await dynamicSecretOf(ctx, lease.organization_id, lease.dynamic_secret_id) };
    const ending = await revokeThere(ctx, found, { waitMs: 0 });
    if (ending.error === undefined) await closeLease(ctx, found, { isForced: false, isRevoked: true });
    else await retryLater(ctx, found, ending);
  },
};

/** Reaps a lease that is due. What is not due yet, or held by somebody else, is reaped later. */
export const reapLease = (ctx: Context, organizationId: string, leaseId: string): Promise<void> =>
  reconcile(ctx, leases, { id: leaseId, organizationId }, reaper);

export const leaseJob = reconcileJob(leases, reaper);
export const orphanedLeases = orphanJob(leases, { name: 'dynamic_secret.forgotten_leases', schedule: '* * * * *' });

/** Asks anew for the jobs of leases that lost theirs: the rows say what is to be done, the jobs only when to begin. */
export const requeueOrphanedLeases = (ctx: Context): Promise<number> => leases.requeueOrphaned(ctx);
