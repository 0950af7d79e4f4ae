import { LockMode } from '@mikro-orm/core';
import { authorize, organizationOf, organizationPermissions, requireNoEscalation } from '../../access/index.ts';
import { addMember, MembershipEntity, replaceRoles, rolesOf } from '../../access/membership/index.ts';
import {
  at,
  badRequest,
  forbidden,
  forget,
  inTransaction,
  isId,
  newId,
  notFound,
  record,
  statement,
  type Context,
} from '../../kernel/index.ts';
import { OrganizationEntity, ownOrganization } from '../../organizations/organization/index.ts';
import { requireAuthorityOver } from './authority.ts';
import { IdentityEntity } from './identity.entity.ts';
import {
  identityCreated,
  identityDeleted,
  identityUpdated,
  type CountIdentities,
  type CreateIdentity,
  type Identity,
  type IdentityDetails,
  type IdentityMembership,
  type IdentityProject,
  type IdentityRef,
  type ListIdentities,
  type ListIdentityMemberships,
  type SearchIdentities,
  type UpdateIdentity,
} from './identity.ts';
import { countMemberships, findMembership, findMemberships } from './membership-list.ts';

export const identityPermissions = organizationPermissions('identity');

const METHODS = statement(
  'identities.auth_methods',
  'select kind from identity_auth_methods where identity_id = $1 order by created_at, id',
);

interface ProjectMembershipRow {
  id: string;
  created_at: string;
  updated_at: string;
  project_id: string;
  name: string;
  slug: string;
  type: string;
}

const PROJECTS = statement(
  'identities.projects',
  `select m.id, m.created_at, m.updated_at, p.id as project_id, p.name, p.slug, p.type
   from memberships m join projects p on p.id = m.project_id
   where m.identity_id = $1 and m.organization_id = $2 order by m.created_at, m.id`,
);

/**
 * An identity of the caller's organization. Nothing is asked of the caller's rights.
 *
 * @throws DomainError 404 for every other id.
 */
export async function findIdentity(ctx: Context, identityId: string): Promise<IdentityEntity> {
  const organizationId = organizationOf(ctx);
  const identity = isId(identityId) ? await ctx.em.findOne(IdentityEntity, { id: identityId, organizationId }) : null;
  if (!identity) throw notFound('identity');
  return identity;
}

export interface IdentityPage {
  identities: IdentityMembership[];
  totalCount: number;
}

/** All identities of the organization, by name. */
export async function listIdentities(ctx: Context, { orgId }: ListIdentities): Promise<IdentityPage> {
  const organizationId = ownOrganization(ctx, orgId);
  await authorize(ctx, identityPermissions.read);
  const all = { orderBy: 'name', orderDirection: 'asc', offset: 0 } as const;
  const { memberships, totalCount } = await findMemberships(ctx, organizationId, {}, all);
  return { identities: memberships, totalCount };
}

export async function listIdentityMemberships(
  ctx: Context,
  { orgId, search, ...order }: ListIdentityMemberships,
): Promise<IdentityPage> {
  const organizationId = ownOrganization(ctx, orgId);
  await authorize(ctx, identityPermissions.read);
  const { memberships, totalCount } = await findMemberships(
    ctx,
    organizationId,
    search ? { name: { $contains: search } } : {},
    order,
  );
  return { identities: memberships, totalCount };
}

export async function searchIdentities(ctx: Context, { search, ...order }: SearchIdentities): Promise<IdentityPage> {
  await authorize(ctx, identityPermissions.read);
  const { memberships, totalCount } = await findMemberships(ctx, organizationOf(ctx), search, order);
  return { identities: memberships, totalCount };
}

export async function countIdentities(ctx: Context, { search }: CountIdentities): Promise<number> {
  await authorize(ctx, identityPermissions.read);
  return countMemberships(ctx, organizationOf(ctx), search);
}

export async function getIdentity(ctx: Context, { identityId }: IdentityRef): Promise<IdentityMembership> {
  const { id, organizationId } = await findIdentity(ctx, identityId);
  await authorize(ctx, identityPermissions.read, { identityId: id });
  const membership = await findMembership(ctx, organizationId, id);
  if (!membership) throw notFound('identity');
  return membership;
}

/** The projects of an identity, with its roles in each. */
export async function listProjectsOfIdentity(ctx: Context, { identityId }: IdentityRef): Promise<IdentityProject[]> {
  const row = await findIdentity(ctx, identityId);
  await authorize(ctx, identityPermissions.read, { identityId: row.id });
  const { id, name, hasDeleteProtection, authMethods } = await toIdentity(ctx, row);
  const memberships = await ctx.sql<ProjectMembershipRow>(PROJECTS, [id, row.organizationId]);
  const roles = await rolesOf(
    ctx,
    memberships.map((membership) => membership.id),
  );
  return memberships.map((membership) => ({
    id: membership.id,
    identityId: id,
    roles: roles.get(membership.id) ?? [],
    identity: { id, name, hasDeleteProtection, authMethods },
    project: { id: membership.project_id, name: membership.name, slug: membership.slug, type: membership.type },
    createdAt: at(membership.created_at),
    updatedAt: at(membership.updated_at),
  }));
}

/**
 * The identity that calls, and its organization.
 *
 * @throws DomainError 403 for people.
 */
export async function getOwnIdentity(ctx: Context): Promise<IdentityDetails> {
  const { actor } = ctx;
  if (actor.type !== 'identity') {
    throw forbidden('auth.wrong_actor', 'This operation shows the machine identity that calls it', {
      name: 'ForbiddenError',
    });
  }
  const identity = await findIdentity(ctx, actor.id);
  const { id, name, slug } = await ctx.em.findOneOrFail(OrganizationEntity, { id: actor.organizationId });
  return { identity: await toIdentity(ctx, identity), organization: { id, name, slug } };
}

/**
 * A new identity with a role in the organization. It cannot log in before it is given a login method.
 *
 * @throws DomainError 403 `PermissionBoundaryError` where the role allows more than the caller may do.
 */
export async function createIdentity(
  ctx: Context,
  { role, organizationId: named, ...input }: CreateIdentity,
): Promise<Identity> {
  const organizationId = ownOrganization(ctx, named);
  await authorize(ctx, identityPermissions.create);
  await requireNoEscalation(ctx, { organizationId, roles: [{ role }] });
  return inTransaction(ctx, async (tx) => {
    const identity = tx.em.create(IdentityEntity, { id: newId(), organizationId, ...input });
    tx.em.persist(identity);
    await addMember(tx, { organizationId, identityId: identity.id, roles: [{ role, isTemporary: false }] });
    await tx.em.flush();
    record(tx, identityCreated, { identityId: identity.id, name: identity.name, role });
    return toIdentity(tx, identity);
  });
}

/**
 * Changes what is named and leaves the rest.
 *
 * @throws DomainError 403 `PermissionBoundaryError` where the identity holds, or is to hold, more than the caller.
 */
export async function updateIdentity(
  ctx: Context,
  { identityId, role, ...changes }: UpdateIdentity,
): Promise<Identity> {
  const known = await findIdentity(ctx, identityId);
  await authorize(ctx, identityPermissions.edit, { identityId: known.id });
  await requireAuthorityOver(ctx, known);
  if (role !== undefined) await requireNoEscalation(ctx, { organizationId: known.organizationId, roles: [{ role }] });
  return inTransaction(ctx, async (tx) => {
    const identity = await findIdentity(tx, known.id);
    tx.em.assign(identity, changes, { ignoreUndefined: true });
    if (role !== undefined) {
      const membership = await tx.em.findOne(MembershipEntity, { identityId: identity.id, projectId: null });
      if (!membership) throw notFound('identity');
      await replaceRoles(tx, membership, [{ role, isTemporary: false }]);
    }
    await tx.em.flush();
    record(tx, identityUpdated, { identityId: identity.id, name: identity.name, role: role ?? null });
    forget(tx, `identity:${identity.id}`);
    return toIdentity(tx, identity);
  });
}

/**
 * Deletes an identity with its login methods, tokens and memberships; its tokens end at once.
 *
 * @throws DomainError 400 while it is protected.
 */
export async function deleteIdentity(ctx: Context, { identityId }: IdentityRef): Promise<Identity> {
  const known = await findIdentity(ctx, identityId);
  await authorize(ctx, identityPermissions.delete, { identityId: known.id });
  await requireAuthorityOver(ctx, known);
  return inTransaction(ctx, async (tx) => {
    const identity = await tx.em.findOne(IdentityEntity, { id: known.id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!identity) throw notFound('identity');
    if (identity.hasDeleteProtection) {
      throw badRequest(
        'identity.delete_protected',
        'This identity is protected against deletion; turn hasDeleteProtection off first',
      );
    }
    const last = await toIdentity(tx, identity);
    await tx.em.remove(identity).flush();
    record(tx, identityDeleted, { identityId: last.id, name: last.name });
    forget(tx, `identity:${last.id}`, `actor:${last.id}`);
    return last;
  });
}

async function toIdentity(ctx: Context, row: IdentityEntity): Promise<Identity> {
  const methods = await ctx.sql<{ kind: string }>(METHODS, [row.id]);
  const authMethods = methods.map(({ kind }) => kind);
  return {
    id: row.id,
    name: row.name,
    orgId: row.organizationId,
    projectId: null,
    hasDeleteProtection: row.hasDeleteProtection,
    metadata: row.metadata,
    authMethods,
    authMethod: authMethods[0] ?? null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
