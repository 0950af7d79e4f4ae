import { authorize, organizationOf } from '../../access/index.ts';
import { belongingsOf } from '../../access/membership/index.ts';
import { notFound, type Context } from '../../kernel/index.ts';
import { ownOrganization } from '../../organizations/organization/index.ts';
import { identityFor, toIdentity } from './find.ts';
import type {
  CountIdentities,
  IdentityMembership,
  IdentityProject,
  IdentityRef,
  ListIdentities,
  ListIdentityMemberships,
  SearchIdentities,
} from './identity.ts';
import { countMemberships, findMembership, findMemberships } from './membership-list.ts';
import { authorizeIdentity, identityPermissions } from './permission.ts';

export interface IdentityPage {
  identities: IdentityMembership[];
  totalCount: number;
}

/** All identities of the organization, by name, without those of its projects. */
export async function listIdentities(ctx: Context, { orgId }: ListIdentities): Promise<IdentityPage> {
  const organizationId = ownOrganization(ctx, orgId);
  await authorize(ctx, identityPermissions.read);
  const all = { orderBy: 'name', orderDirection: 'asc', offset: 0 } as const;
  const { memberships, totalCount } = await findMemberships(ctx, organizationId, {}, all);
  return { identities: memberships, totalCount };
}

/** The same in pages and in a chosen order; `search` is a part of the name. */
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

/** Identities of the organization by name and role, in pages. */
export async function searchIdentities(ctx: Context, { search, ...order }: SearchIdentities): Promise<IdentityPage> {
  await authorize(ctx, identityPermissions.read);
  const { memberships, totalCount } = await findMemberships(ctx, organizationOf(ctx), search, order);
  return { identities: memberships, totalCount };
}

/** How many identities of the organization a search finds. */
export async function countIdentities(ctx: Context, { search }: CountIdentities): Promise<number> {
  await authorize(ctx, identityPermissions.read);
  return countMemberships(ctx, organizationOf(ctx), search);
}

/** @throws DomainError 404 for an id that the caller's organization does not have. */
export async function getIdentity(ctx: Context, { identityId }: IdentityRef): Promise<IdentityMembership> {
  const identity = await identityFor(ctx, 'read', identityId);
  await authorizeIdentity(ctx, 'read', identity);
  const membership = await findMembership(ctx, identity.organizationId, identity.id);
  if (!membership) throw notFound('identity');
  return membership;
}

/** The projects of an identity, by own membership or by groups, with its roles in each. */
export async function listProjectsOfIdentity(ctx: Context, { identityId }: IdentityRef): Promise<IdentityProject[]> {
  const row = await identityFor(ctx, 'read', identityId);
  await authorizeIdentity(ctx, 'read', row);
  const { id, name, projectId, hasDeleteProtection, authMethods } = await toIdentity(ctx, row);
  const belongings = (await belongingsOf(ctx, row.organizationId, [id])).get(id) ?? [];
  return belongings.map(({ id: membershipId, roles, project, createdAt, updatedAt }) => ({
    id: membershipId,
    identityId: id,
    roles,
    identity: { id, name, projectId, hasDeleteProtection, authMethods },
    project,
    createdAt,
    updatedAt,
  }));
}
