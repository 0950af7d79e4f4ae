import { eventOf, statement, type Context } from '../../../kernel/index.ts';
import { dynamicSecretPermissions, type DynamicSecretRef } from '../dynamic-secret.ts';
import { eventData, findDynamicSecret, toDynamicSecret } from '../find.ts';
import { leaseRead, leasesListed, type Lease, type LeaseRef, type LeaseWithSecret } from './lease.ts';
import { findLease, LEASE_COLUMNS, leaseData, toLease, type LeaseRow } from './row.ts';

const LIST = statement(
  'lease.list',
  `select ${LEASE_COLUMNS} from dynamic_secret_leases l where l.dynamic_secret_id = $1 order by l.created_at, l.id`,
);

/** The leases of a dynamic secret, the oldest first. */
export async function listLeases(ctx: Context, input: DynamicSecretRef): Promise<Lease[]> {
  const of = await findDynamicSecret(ctx, input, dynamicSecretPermissions.lease);
  const rows = await ctx.sql<LeaseRow>(LIST, [of.id]);
  const data = { ...eventData(of), numberOfLeases: rows.length };
  await ctx.commitRead(eventOf(leasesListed, data, { projectId: of.project_id }), ctx);
  return rows.map(toLease);
}

/** A lease with the dynamic secret that it is of. */
export async function getLease(ctx: Context, input: LeaseRef): Promise<LeaseWithSecret> {
  const found = await findLease(ctx, input, dynamicSecretPermissions.lease);
  await ctx.commitRead(eventOf(leaseRead, leaseData(found), { projectId: found.of.project_id }), ctx);
  return { ...toLease(found.lease), dynamicSecret: toDynamicSecret(found.of) };
}
