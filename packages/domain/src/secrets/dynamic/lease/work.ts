import { WorkTable, type Claim } from '../../../jobs/index.ts';
import { badRequest, type Context } from '../../../kernel/index.ts';
import { LEASE_COLUMNS, type LeaseRow } from './row.ts';

/**
 * Longer than a call and one that takes it back take with all their waiting (15 and 10 seconds each), in milliseconds:
 * then whoever held a lease is gone.
 */
export const CLAIM_MS = 60_000;

/** Leases, as work that is due when they are revoked, or found never to have been confirmed. */
export const leases = new WorkTable<LeaseRow>({
  table: 'dynamic_secret_leases',
  columns: { failures: 'attempts', claimedUntil: 'held_until' },
  returning: LEASE_COLUMNS,
  claimMs: CLAIM_MS,
  orphanedAfterMs: 120_000,
  job: { name: 'dynamic_secret.lease', idName: 'leaseId', key: 'lease', priority: 1, maxAttempts: 5 },
});

/** The claim of whoever claimed a lease, or made it. */
export const claimOf = ({ id, organization_id: organizationId, claim_id: claimId, attempts }: LeaseRow): Claim => ({
  id,
  organizationId,
  claimId,
  failures: attempts,
});

/**
 * Claims a lease for a change that a user asked for, due or not.
 *
 * @throws DomainError 400 where another call is at it.
 */
export async function claimLease(ctx: Context, { id, organization_id: organizationId }: LeaseRow): Promise<LeaseRow> {
  const claimed = await leases.claim(ctx, { id, organizationId }, { isAlways: true });
  if (!claimed) throw isBusy();
  return claimed.row;
}

export const isBusy = () => badRequest('lease.busy', 'The lease is being changed by another process: try again');
