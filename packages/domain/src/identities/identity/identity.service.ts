import { isDeepStrictEqual } from 'node:util';
import { LockMode } from '@mikro-orm/core';
import { authorize, FOREVER, requireMayGiveRoles, requireNoEscalation, type FactName } from '../../access/index.ts';
import {
  addMember,
  keepingAnAdmin,
  MembershipEntity,
  notingAbandoned,
  replaceRoles,
  rolesToGive,
} from '../../access/membership/index.ts';
import {
  givenFields,
  badRequest,
  beforeLock,
  explainConstraint,
  forbidden,
  invalidate,
  inTransaction,
  notFound,
  record,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { OrganizationEntity, ownOrganization } from '../../organizations/organization/index.ts';
import { requireAuthorityOver } from './authority.ts';
import { identityFor, loadIdentity, toIdentity } from './find.ts';
import { IdentityEntity } from './identity.entity.ts';
import {
  identityCreated,
  identityDeleted,
  identityUpdated,
  NO_ACCESS,
  type CreateIdentity,
  type Identity,
  type IdentityDetails,
  type IdentityRef,
  type UpdateIdentity,
} from './identity.ts';
import { addIdentity } from './stored.ts';
import { authorizeIdentity, identityPermissions, requireMayEndLogins } from './permission.ts';

explainConstraint('identities_of_one_project', 'This identity is owned by a project and cannot be in another one');

/**
 * The identity that calls, and its organization.
 *
 * @throws DomainError 403 for people.
 */
export async function getOwnIdentity(ctx: Context): Promise<IdentityDetails> {
  const { actor } = ctx;
  if (actor.type !== 'identity') {
    throw forbidden('auth.wrong_actor', 'This operation is only for machine identities', {
      name: 'ForbiddenError',
    });
  }
  const identity = await loadIdentity(ctx, actor.id);
  const { id, name, slug } = await ctx.em.findOneOrFail(OrganizationEntity, { id: actor.organizationId });
  return { identity: await toIdentity(ctx, identity), organization: { id, name, slug } };
}

/**
 * Creates an identity with a role in the organization. It cannot log in before a login method is attached.
 *
 * @throws DomainError 403 `PermissionBoundaryError` if the role allows more than the caller may do.
 */
export async function createIdentity(
  ctx: Context,
  { role, organizationId: named, ...input }: CreateIdentity,
): Promise<Identity> {
  const organizationId = ownOrganization(ctx, named);
  await authorize(ctx, identityPermissions.create);
  await requireMayGiveRoles(ctx, identityPermissions, {}, [role]);
  return inTransaction(ctx, async (tx) => {
    await requireNoEscalation(tx, { organizationId, until: FOREVER, roles: [role] });
    const identity = await addIdentity(tx, { organizationId, ...input });
    await addMember(tx, { organizationId, identityId: identity.id, roles: [{ role, isTemporary: false }] });
    await tx.em.flush();
    record(tx, identityCreated, { identityId: identity.id, name: identity.name, role });
    return toIdentity(tx, identity);
  });
}

/**
 * Updates the given fields.
 *
 * @throws DomainError 403 `PermissionBoundaryError` if the identity has, or would have, more permissions than the
 * caller; 400 `identity.of_project` for a role in the organization for an identity of a project.
 */
export async function updateIdentity(
  ctx: Context,
  { identityId, role, ...changes }: UpdateIdentity,
): Promise<Identity> {
  const known = await identityFor(ctx, 'edit', identityId);
  await authorizeIdentity(ctx, 'edit', known);
  await requireAuthorityOver(beforeLock(ctx), known, 'now', changedFacts(known, changes));
  return inTransaction(ctx, async (tx) => {
    const identity = await lockIdentity(tx, known.id);
    await requireAuthorityOver(tx, identity, 'now', changedFacts(identity, changes));
    if (role !== undefined) await changeRole(tx, identity, role);
    tx.em.assign(identity, changes, { ignoreUndefined: true });
    await tx.em.flush();
    const changed = givenFields({ ...changes, role });
    const data = { identityId: identity.id, name: identity.name, role: role ?? null, changed };
    record(tx, identityUpdated, data, { projectId: identity.projectId });
    // Rules can use its name and its metadata.
    invalidate(tx, `identity:${identity.id}`, `actor:${identity.id}`);
    return toIdentity(tx, identity);
  });
}

/** Its role in the organization: sending back the one that it has gives nothing. */
async function changeRole(
  tx: Transaction,
  { id: identityId, organizationId, projectId }: IdentityEntity,
  role: string,
): Promise<void> {
  if (projectId && role !== NO_ACCESS)
    throw badRequest('identity.of_project', 'This identity is owned by a project: assign its roles there');
  const membership = await tx.em.findOne(MembershipEntity, { identityId, projectId: null });
  if (!membership) throw notFound('identity');
  await requireMayGiveRoles(tx, identityPermissions, { identityId }, await rolesToGive(tx, membership.id, [role]));
  await requireNoEscalation(tx, { organizationId, until: FOREVER, roles: [role] });
  await replaceRoles(tx, membership, [{ role, isTemporary: false }]);
}

/** The changed fields that rules can use. */
function changedFacts(
  known: IdentityEntity,
  { name, metadata }: Pick<UpdateIdentity, 'name' | 'metadata'>,
): FactName[] {
  const isNewName = name !== undefined && name !== known.name;
  const isNewMetadata = metadata !== undefined && !isDeepStrictEqual(metadata, known.metadata);
  return [...(isNewName ? (['name', 'username'] as const) : []), ...(isNewMetadata ? (['metadata'] as const) : [])];
}

/**
 * Deletes an identity with its login methods, tokens and memberships; its tokens are invalid immediately.
 *
 * @throws DomainError 400 while it is protected, and for the only administrator of its project; 403 also if a rule forbids the
 * caller to revoke its login methods, client secrets or tokens.
 */
export async function deleteIdentity(ctx: Context, { identityId }: IdentityRef): Promise<Identity> {
  const known = await identityFor(ctx, 'delete', identityId);
  await authorizeIdentity(ctx, 'delete', known);
  await requireAuthorityOver(beforeLock(ctx), known, 'now');
  const { organizationId, projectId } = known;
  return inTransaction(ctx, (tx) =>
    projectId
      ? keepingAnAdmin(tx, organizationId, projectId, () => remove(tx, known.id))
      : notingAbandoned(tx, [organizationId], [known.id], () => remove(tx, known.id)),
  );
}

/** Until the transaction ends, nobody else changes its names and metadata, which rules use. */
async function lockIdentity(tx: Transaction, identityId: string): Promise<IdentityEntity> {
  const identity = await tx.em.findOne(IdentityEntity, { id: identityId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!identity) throw notFound('identity');
  return identity;
}

async function remove(tx: Transaction, identityId: string): Promise<Identity> {
  const identity = await lockIdentity(tx, identityId);
  await requireAuthorityOver(tx, identity, 'now');
  if (identity.hasDeleteProtection) {
    throw badRequest(
      'identity.delete_protected',
      'This identity is protected against deletion; disable hasDeleteProtection first',
    );
  }
  await requireMayEndLogins(tx, identity);
  const last = await toIdentity(tx, identity);
  await tx.em.remove(identity).flush();
  record(tx, identityDeleted, { identityId: last.id, name: last.name }, { projectId: last.projectId });
  invalidate(tx, `identity:${last.id}`, `actor:${last.id}`);
  return last;
}
