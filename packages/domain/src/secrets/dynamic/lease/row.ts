import { authorize, organizationOf } from '../../../access/index.ts';
import {
  at,
  isForbiddenError,
  isId,
  isPermitted,
  notFound,
  statement,
  type Context,
  type Permission,
  type Transaction,
} from '../../../kernel/index.ts';
import { dynamicSecretPermissions } from '../dynamic-secret.ts';
import {
  authorizeOn,
  dynamicSecretOf,
  eventData,
  lockDynamicSecret,
  locationOf,
  type DynamicSecretRow,
} from '../find.ts';
import type { LeaseOf } from '../provider.ts';
import type { Lease, LeaseRef } from './lease.ts';

/** A stored lease. */
export interface LeaseRow {
  id: string;
  organizationId: string;
  projectId: string;
  dynamicSecretId: string;
  version: number;
  externalEntityId: string;
  config: Record<string, unknown>;
  expireAt: string;
  phase: 'issuing' | 'standing' | 'ending';
  status: string | null;
  statusDetails: string | null;
  dueAt: string;
  attempts: number;
  claimId: string | null;
  heldUntil: string | null;
  createdByType: string | null;
  createdById: string | null;
  createdAt: string;
  updatedAt: string;
}

export const LEASE_COLUMNS = `t.id, t.organization_id as "organizationId", t.project_id as "projectId",
  t.dynamic_secret_id as "dynamicSecretId", t.version, t.external_entity_id as "externalEntityId", t.config,
  t.expire_at as "expireAt", t.phase, t.status, t.status_details as "statusDetails", t.due_at as "dueAt", t.attempts,
  t.claim_id as "claimId", t.held_until as "heldUntil", t.created_by_type as "createdByType",
  t.created_by_id as "createdById", t.created_at as "createdAt", t.updated_at as "updatedAt"`;

const BY_ID = statement(
  'lease.by_id',
  `select ${LEASE_COLUMNS} from dynamic_secret_leases t where t.organization_id = $1 and t.id = $2`,
);
const DELETE = statement(
  'lease.delete',
  `with gone as (delete from dynamic_secret_leases where id = $1 returning id, dynamic_secret_id),
     fewer as (update dynamic_secrets set leases = leases - 1 where id in (select dynamic_secret_id from gone))
   select graphile_worker.remove_job('lease:' || id) is not null as "wasWaiting" from gone`,
);

/** A lease, and the dynamic secret that it is of. */
export interface FoundLease {
  readonly lease: LeaseRow;
  readonly of: DynamicSecretRow;
}

/**
 * A lease in the folder that the caller names, once it is known to have the right to it. With `lease`, a caller can use the leases
 * that it requested itself. Those of others, and those of earlier releases without owners, need a permission on the root
 * credential (`others`). Groups own no leases.
 *
 * @throws DomainError 404, also for a lease of another folder; 403. To callers with neither permission, a lease is as an ID of nothing.
 */
export async function findLease(ctx: Context, input: LeaseRef, others: Permission): Promise<FoundLease> {
  const place = await locationOf(ctx, input);
  const lease = await leaseById(ctx, organizationOf(ctx), input.leaseId);
  const of = lease && (await dynamicSecretOf(ctx, lease.organizationId, lease.dynamicSecretId));
  const { projectId, environment, secretPath } = place;
  const isHere = of?.projectId === projectId && of.environment === environment && of.path === secretPath;
  const mayUse = async (permission: Permission) =>
    lease && isHere && (await isPermitted(() => authorizeOn(ctx, permission, of), isForbiddenError));
  const [own, all] = [await mayUse(dynamicSecretPermissions.lease), await mayUse(others)];
  if (lease && isHere && (own || all)) {
    if (!all && !isOwn(ctx, lease)) await authorizeOn(ctx, others, of);
    return { lease, of };
  }
  if (!(await isPermitted(() => authorize(ctx, others, place), isForbiddenError)))
    await authorize(ctx, dynamicSecretPermissions.lease, place);
  throw notFound('lease');
}

/** Whether the caller requested a lease itself. */
export const isOwn = (
  { actor }: Context,
  { createdById: id, createdByType: type }: Pick<LeaseRow, 'createdById' | 'createdByType'>,
): boolean => 'id' in actor && actor.id === id && actor.type === type;

export async function leaseById(ctx: Context, organizationId: string, id: string): Promise<LeaseRow | undefined> {
  return isId(id) ? (await ctx.sql<LeaseRow>(BY_ID, [organizationId, id]))[0] : undefined;
}

/** Deletes a lease and its job. Returns whether it existed. */
export async function removeLease(tx: Transaction, lease: LeaseRow): Promise<boolean> {
  // As everywhere, the dynamic secret comes before its leases.
  await lockDynamicSecret(tx, lease.dynamicSecretId);
  return (await tx.sql(DELETE, [lease.id])).length > 0;
}

export const toLease = (row: LeaseRow): Lease => ({
  id: row.id,
  version: row.version,
  externalEntityId: row.externalEntityId,
  expireAt: at(row.expireAt),
  status: row.status,
  statusDetails: row.statusDetails,
  dynamicSecretId: row.dynamicSecretId,
  createdBy: row.createdById === null ? null : { type: row.createdByType!, id: row.createdById },
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});

/** The data of a lease for its provider. */
export const leaseOf = (row: LeaseRow): LeaseOf => ({
  leaseId: row.id,
  entityId: row.externalEntityId,
  expireAt: at(row.expireAt),
  config: row.config,
});

/** Of the events about it. */
export const leaseData = ({ lease, of }: FoundLease) => ({
  ...eventData(of),
  leaseId: lease.id,
  externalEntityId: lease.externalEntityId,
});
