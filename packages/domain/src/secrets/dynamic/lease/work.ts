import { lanes, WorkTable, type Claim } from '../../../jobs/index.ts';
import { badRequest, type Context } from '../../../kernel/index.ts';
import { LEASE_COLUMNS, type LeaseRow } from './row.ts';

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
 * Claims a lease for a user's change, due or not.
 *
 * @throws DomainError 400 if another call holds the claim.
 */
export async function claimLease(ctx: Context, { id, organizationId }: LeaseRow): Promise<LeaseRow> {
  const claimed = await leases.claim(ctx, { id, organizationId }, { isAlways: true });
  if (!claimed) throw isBusy();
  return claimed.row;
}

export const isBusy = () => badRequest('lease.busy', 'The lease is being changed by another process: try again');
