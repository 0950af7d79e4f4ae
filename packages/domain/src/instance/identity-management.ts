import { z } from 'zod';
import {
  defineEvent,
  invalidate,
  Id,
  inTransaction,
  isId,
  notFound,
  page,
  statement,
  Uuid,
  type Context,
} from '../kernel/index.ts';
import { revokeSuperAdmin } from '../identities/identity/index.ts';
import { recordForInstance, requireSuperAdmin } from '../users/user/index.ts';

/** A machine identity as the administrators of the instance see it. */
export const InstanceIdentity = z.object({ id: Uuid, name: z.string(), isInstanceAdmin: z.boolean() });
export type InstanceIdentity = z.output<typeof InstanceIdentity>;

export const ListInstanceIdentities = z.object({
  searchTerm: z.string().max(255).default('').describe('A part of the name'),
  ...page({ limit: 20, maxLimit: 100 }).shape,
});
export type ListInstanceIdentities = z.output<typeof ListInstanceIdentities>;

export const InstanceIdentityRef = z.object({ identityId: Id });
export type InstanceIdentityRef = z.output<typeof InstanceIdentityRef>;

export const identityAdminRevoked = defineEvent(
  'identity.super_admin_revoked',
  'revoke-identity-instance-admin',
  z.object({ identityId: z.string() }),
);

const LIST = statement(
  'identities.search',
  `select id, name, is_super_admin as "isInstanceAdmin" from identities
   where $1 = '' or strpos(lower(name), $1) > 0 order by name, id limit $2 offset $3`,
);

/** @throws DomainError 403 unless the caller administers the instance, as both of these. */
export async function listInstanceIdentities(
  ctx: Context,
  { searchTerm, limit, offset }: ListInstanceIdentities,
): Promise<InstanceIdentity[]> {
  requireSuperAdmin(ctx);
  return ctx.sql<InstanceIdentity>(LIST, [searchTerm.trim().toLowerCase().replaceAll('\0', ''), limit, offset]);
}

/** Removes the instance administration from a machine identity; its rights in its organization stay. */
export function revokeIdentityAdmin(ctx: Context, { identityId }: InstanceIdentityRef): Promise<InstanceIdentity> {
  requireSuperAdmin(ctx);
  if (!isId(identityId)) throw notFound('identity');
  return inTransaction(ctx, async (tx) => {
    const identity = await revokeSuperAdmin(tx, identityId);
    if (!identity) throw notFound('identity');
    const { id, name, organizationId } = identity;
    invalidate(tx, `identity:${id}`);
    recordForInstance(tx, identityAdminRevoked, { identityId: id }, [organizationId]);
    return { id, name, isInstanceAdmin: false };
  });
}
