import { passByRows } from '../../../access/index.ts';
import { eventOf, RightsChanged, statement, type Context } from '../../../kernel/index.ts';
import { dynamicSecretPermissions, type DynamicSecretRef } from '../dynamic-secret.ts';
import { eventData, findForEither, toDynamicSecret } from '../find.ts';
import { leaseRead, leasesListed, type Lease, type LeaseRef, type LeaseWithSecret } from './lease.ts';
import { findLease, isOwn, LEASE_COLUMNS, leaseData, toLease, type LeaseRow } from './row.ts';

const LIST = statement(
  'lease.list',
  `select ${LEASE_COLUMNS} from dynamic_secret_leases t where t.dynamic_secret_id = $1 order by t.created_at, t.id`,
);

const { 'read-root-credential': mayRead, lease: mayLease } = dynamicSecretPermissions;

/**
 * The leases of a dynamic secret, oldest first: all for callers who may read the root credential, otherwise the
 * caller's own.
 */
export async function listLeases(ctx: Context, input: DynamicSecretRef): Promise<Lease[]> {
  const find = (by: Context) => findForEither(by, input, [mayRead, mayLease]);
  const { row: of, may: seesAll } = await find(ctx);
  // It may wait for the leases, and have another place or other metadata then.
  passByRows(ctx, async (again) => {
    const present = await find(again);
    if (present.row.id !== of.id || present.may !== seesAll) throw new RightsChanged();
  });
  const rows = (await ctx.sql<LeaseRow>(LIST, [of.id])).filter((row) => seesAll || isOwn(ctx, row));
  const data = { ...eventData(of), numberOfLeases: rows.length };
  await ctx.commitRead(eventOf(leasesListed, data, { projectId: of.projectId }), ctx);
  return rows.map(toLease);
}

/** A lease with its dynamic secret. @throws DomainError 403 for a lease of another actor, as in lists. */
export async function getLease(ctx: Context, input: LeaseRef): Promise<LeaseWithSecret> {
  const found = await findLease(ctx, input, mayRead);
  await ctx.commitRead(eventOf(leaseRead, leaseData(found), { projectId: found.of.projectId }), ctx);
  return { ...toLease(found.lease), dynamicSecret: toDynamicSecret(found.of) };
}
