import {
  at,
  badRequest,
  inTransaction,
  parseDuration,
  record,
  statement,
  type Context,
} from '../../../kernel/index.ts';
import { callProvider } from '../call.ts';
import { dynamicSecretPermissions, TEN_YEARS } from '../dynamic-secret.ts';
import { providers } from '../registry.ts';
import { openInputs } from '../stored.ts';
import { calledFor } from './end.ts';
import { hold, isBusy, release } from './hold.ts';
import { leaseRenewed, type Lease, type RenewLease } from './lease.ts';
import { findLease, LEASE_COLUMNS, leaseData, leaseOf, toLease, type FoundLease, type LeaseRow } from './row.ts';
import { scheduleReap } from './schedule.ts';

const RENEW = statement(
  'lease.renew',
  `update dynamic_secret_leases l set expire_at = $3, due_at = $3, version = version + 1, held_until = null, updated_at = $4
   where l.id = $1 and l.phase = 'standing' and l.held_until = $2 returning ${LEASE_COLUMNS}`,
);

/** Renewed forever, its time would be none that can be written down. */
const CENTURY = 10 * TEN_YEARS;

/**
 * Lets a lease live longer: from when it would have expired, and within the maxTTL from when it was made. Where no `ttl` is
 * named, the default is cut to what the maxTTL leaves.
 *
 * @throws DomainError 404; 403, also for a lease of somebody else without the right to edit the root credential; 400 for a
 * `ttl` beyond the maxTTL, for a lease whose time is over, or what the other system said: then
 * it expires as it would have.
 */
export async function renewLease(ctx: Context, input: RenewLease): Promise<Lease> {
  const { of, lease: asked } = await findLease(ctx, input, dynamicSecretPermissions['edit-root-credential']);
  const held = await hold(ctx, asked.id);
  if (!held) throw isBusy();
  try {
    const found = { lease: held, of };
    const expireAt = laterEnd(ctx, found, input.ttl);
    const provider = providers.require(of.type);
    if (provider.renew) {
      const inputs = await openInputs(ctx, provider, of);
      await callProvider(ctx, calledFor(of, provider, inputs), (given, io) =>
        provider.renew!(given, { ...leaseOf(held), expireAt }, io),
      );
    }
    return await inTransaction(ctx, async (tx) => {
      const [row] = await tx.sql<LeaseRow>(RENEW, [held.id, at(held.held_until!), expireAt, tx.now()]);
      if (!row) throw isBusy();
      scheduleReap(tx, row, expireAt);
      record(tx, leaseRenewed, { ...leaseData(found), expireAt: expireAt.toISOString() }, { projectId: of.project_id });
      return toLease(row);
    });
  } catch (error) {
    await release(ctx, held);
    throw error;
  }
}

function laterEnd(ctx: Context, { lease, of }: FoundLease, ttl?: string): Date {
  const end = at(lease.expire_at);
  if (lease.phase !== 'standing' || end <= ctx.now())
    throw badRequest('lease.ended', 'The lease has ended: ask for a new one');
  const later = new Date(end.getTime() + parseDuration(ttl ?? of.default_ttl)!);
  if (later.getTime() - ctx.now().getTime() > CENTURY) throw badRequest('lease.ttl', 'Nothing is leased for a century');
  const last = of.max_ttl === null ? Infinity : at(lease.created_at).getTime() + parseDuration(of.max_ttl)!;
  if (later.getTime() > last && ttl === undefined) return new Date(Math.max(last, end.getTime()));
  if (later.getTime() > last)
    throw badRequest('lease.ttl', `The lease would live longer than the maxTTL of its dynamic secret (${of.max_ttl})`);
  return later;
}
