import { lanes, WorkTable, type Claim } from '../../../jobs/index.ts';
import { badRequest, type Context } from '../../../kernel/index.ts';
import { LEASE_COLUMNS, type FoundLease, type LeaseRow } from './row.ts';

/**
 * Longer than a call and its revocation with all waiting (15 and 10 seconds each), in milliseconds: after that the
 * holder of a claim is dead.
 */
export const CLAIM_MS = 60_000;

/** Leases, as work that is due when they are revoked, or found never to have been confirmed. */
export const leases = new WorkTable<LeaseRow>({
  table: 'dynamic_secret_leases',
  columns: { failures: 'attempts', claimedUntil: 'held_until' },
  returning: LEASE_COLUMNS,
  claimMs: CLAIM_MS,
  orphanedAfterMs: 120_000,
  job: {
    name: 'dynamic_secret.lease',
    idName: 'leaseId',
    key: 'lease',
    // Logins end in time: before all other work, whatever else the organization does, but in turns of the organizations.
    priority: 1,
    isUrgent: true,
    maxAttempts: 5,
    queueOf: lanes('leases'),
  },
});

/** The claim of the worker or creator of a lease. */
export const claimOf = ({ id, organizationId, claimId, attempts }: LeaseRow): Claim => ({
  id,
  organizationId,
  claimId,
  failures: attempts,
});

/**
 * A lease that the caller may change, claimed for that, due or not. `find` looks for it and requires the right: before and after it
 * is claimed.
 *
 * @throws DomainError 400 if another call holds the claim; what `find` throws.
 */
export async function claimLease(ctx: Context, find: () => Promise<FoundLease>): Promise<FoundLease> {
  const claimed = await leases.claimAsCaller(ctx, (await find()).lease, find);
  if (!claimed) throw isBusy();
  return { lease: claimed.row, of: claimed.granted.of };
}

export const isBusy = () => badRequest('lease.busy', 'The lease is being changed by another process: try again');
