import {
  at,
  badRequest,
  inTransaction,
  parseDuration,
  record,
  requireStillPermitted,
  statement,
  type Context,
} from '../../../kernel/index.ts';
import { callProvider } from '../call.ts';
import { dynamicSecretPermissions, TEN_YEARS } from '../dynamic-secret.ts';
import { providers } from '../registry.ts';
import { openInputs } from '../stored.ts';
import { calledFor } from './end.ts';
import { leaseRenewed, type Lease, type RenewLease } from './lease.ts';
import { findLease, LEASE_COLUMNS, leaseData, leaseOf, toLease, type FoundLease, type LeaseRow } from './row.ts';
import { claimLease, claimOf, isBusy, leases } from './work.ts';

const RENEW = statement(
  'lease.renew',
  `update dynamic_secret_leases t set expire_at = $2, version = version + 1, updated_at = $3
   where t.id = $1 and t.phase = 'standing' returning ${LEASE_COLUMNS}`,
);

/** Renewed forever, its time would be none that can be written down. */
const CENTURY = 10 * TEN_YEARS;

/**
 * Renews a lease: from its present expiry, within the maxTTL from its creation. Without `ttl`, the default is limited
 * to what the maxTTL leaves.
 *
 * @throws DomainError 404; 403, also for a lease of another actor without the right to edit the root credential; 400
 * for a `ttl` beyond the maxTTL, for an ended lease, or with the error of the external system: the lease then keeps its
 * expiry.
 */
export async function renewLease(ctx: Context, input: RenewLease): Promise<Lease> {
  const find = () => findLease(ctx, input, dynamicSecretPermissions['edit-root-credential']);
  const found = await claimLease(ctx, find);
  const { lease: held, of } = found;
  try {
    const expireAt = laterEnd(ctx, found, input.ttl);
    const provider = providers.require(of.type);
    if (provider.renew) {
      const inputs = await openInputs(ctx, provider, of);
      await callProvider(ctx, calledFor(of, provider, inputs), (given, io) =>
        provider.renew!(given, { ...leaseOf(held), expireAt }, io),
      );
      await requireStillPermitted(ctx);
      // The dynamic secret may have got another place or other metadata.
      await find();
    }
    return await inTransaction(ctx, async (tx) => {
      const isHeld = await leases.settle(tx, claimOf(held), { failures: held.attempts, dueAt: expireAt });
      const [row] = isHeld ? await tx.sql<LeaseRow>(RENEW, [held.id, expireAt, tx.now()]) : [];
      if (!row) throw isBusy();
      record(tx, leaseRenewed, { ...leaseData(found), expireAt: expireAt.toISOString() }, { projectId: of.projectId });
      return toLease(row);
    });
  } catch (error) {
    await leases.release(ctx, claimOf(held));
    throw error;
  }
}

function laterEnd(ctx: Context, { lease, of }: FoundLease, ttl?: string): Date {
  const end = at(lease.expireAt);
  if (lease.phase !== 'standing' || end <= ctx.now())
    throw badRequest('lease.ended', 'The lease has ended: create a new one');
  const later = new Date(end.getTime() + parseDuration(ttl ?? of.defaultTtl)!);
  if (later.getTime() - ctx.now().getTime() > CENTURY)
    throw badRequest('lease.ttl', 'The expiry of a lease is limited to 100 years');
  const last = of.maxTtl === null ? Infinity : at(lease.createdAt).getTime() + parseDuration(of.maxTtl)!;
  if (later.getTime() > last && ttl === undefined) return new Date(Math.max(last, end.getTime()));
  if (later.getTime() > last)
    throw badRequest('lease.ttl', `The lease would exceed the maximum TTL of its dynamic secret (${of.maxTtl})`);
  return later;
}
