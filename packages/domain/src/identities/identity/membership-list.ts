import { at, statement, type Context, type Metadata, type Rule } from '../../kernel/index.ts';
import { publishMetadata } from './metadata.ts';
import type { IdentityMembership, IdentitySearch } from './identity.ts';

interface MembershipRow {
  id: string;
  organizationId: string;
  createdAt: string;
  updatedAt: string;
  identityId: string;
  name: string;
  metadata: Metadata;
  hasDeleteProtection: boolean;
  authMethods: string[];
  role: string;
  roleId: string | null;
  roleName: string | null;
  roleSlug: string | null;
  roleDescription: string | null;
  rolePermissions: Rule[] | null;
}

const FROM = `
  from memberships m
  join identities i on i.id = m.identity_id
  left join lateral (select role, custom_role_id from membership_roles where membership_id = m.id order by created_at, id limit 1) r on true
  left join roles c on c.id = r.custom_role_id
  where m.organization_id = $1 and m.project_id is null`;

const SELECT = `
  select m.id, m.organization_id as "organizationId", m.created_at as "createdAt", m.updated_at as "updatedAt",
    i.id as "identityId", i.name, i.metadata, i.has_delete_protection as "hasDeleteProtection",
    array(select a.kind from identity_auth_methods a where a.identity_id = i.id order by a.created_at, a.id) as "authMethods",
    coalesce(r.role, 'no-access') as role, c.id as "roleId", c.name as "roleName", c.slug as "roleSlug",
    c.description as "roleDescription", c.permissions as "rolePermissions" ${FROM}`;

const ROLE = `coalesce(c.slug, r.role)`;

/**
 * Whether a value satisfies the conditions on a field in the object at `json`; a field without conditions is satisfied.
 */
const fieldMatches = (json: string, field: string, value: string) => `
  coalesce(${value} = ${json} #>> '{${field},$eq}', true)
  and coalesce(${value} <> ${json} #>> '{${field},$ne}', true)
  and coalesce(position(lower(${json} #>> '{${field},$contains}') in lower(${value})) > 0, true)
  and (${json} #> '{${field},$in}' is null or ${value} in (select jsonb_array_elements_text(${json} #> '{${field},$in}')))`;

const matches = (json: string) => `(${fieldMatches(json, 'name', 'i.name')} and ${fieldMatches(json, 'role', ROLE)})`;

/** Identities that belong to a project are that project's to list. */
const FOUND = `and i.project_id is null and ${matches('$2::jsonb')}
  and (coalesce(jsonb_array_length($2::jsonb -> '$or'), 0) = 0 or exists (select 1 from jsonb_array_elements($2::jsonb -> '$or') o where ${matches('o.value')}))`;

const ORDERED = `case $3 when 'role' then ${ROLE} else i.name end`;

const LIST = statement(
  'identities.members',
  `${SELECT} ${FOUND}
   order by case when $4 = 'asc' then ${ORDERED} end, case when $4 = 'desc' then ${ORDERED} end desc, i.name, i.id
   offset $5 limit $6`,
);
const COUNT = statement('identities.count_members', `select count(*)::integer as count ${FROM} ${FOUND}`);
const GET = statement('identities.member', `${SELECT} and i.id = $2`);

export interface MembershipOrder {
  readonly orderBy: 'name' | 'role';
  readonly orderDirection: 'asc' | 'desc';
  readonly offset: number;
  /** Default: all. */
  readonly limit?: number;
}

/** The identities of an organization that a search finds, with how many it finds in all. */
export async function findMemberships(
  ctx: Context,
  organizationId: string,
  search: IdentitySearch,
  { orderBy, orderDirection, offset, limit }: MembershipOrder,
): Promise<{ memberships: IdentityMembership[]; totalCount: number }> {
  const rows = await ctx.sql<MembershipRow>(LIST, [
    organizationId,
    JSON.stringify(search),
    orderBy,
    orderDirection,
    offset,
    limit ?? null,
  ]);
  const isWhole = limit === undefined && offset === 0;
  return {
    memberships: rows.map(toMembership),
    totalCount: isWhole ? rows.length : await countMemberships(ctx, organizationId, search),
  };
}

export async function countMemberships(ctx: Context, organizationId: string, search: IdentitySearch): Promise<number> {
  const [row] = await ctx.sql<{ count: number }>(COUNT, [organizationId, JSON.stringify(search)]);
  return row?.count ?? 0;
}

/** One identity's membership of its organization; `identityId` is a UUID. */
export async function findMembership(
  ctx: Context,
  organizationId: string,
  identityId: string,
): Promise<IdentityMembership | undefined> {
  const [row] = await ctx.sql<MembershipRow>(GET, [organizationId, identityId]);
  return row && toMembership(row);
}

const toMembership = (row: MembershipRow): IdentityMembership => ({
  id: row.id,
  role: row.role,
  roleId: row.roleId,
  customRole: row.roleId
    ? {
        id: row.roleId,
        name: row.roleName ?? '',
        slug: row.roleSlug ?? '',
        description: row.roleDescription,
        permissions: row.rolePermissions ?? [],
      }
    : null,
  orgId: row.organizationId,
  identityId: row.identityId,
  metadata: publishMetadata(row.identityId, row.metadata),
  identity: {
    id: row.identityId,
    name: row.name,
    hasDeleteProtection: row.hasDeleteProtection,
    authMethods: row.authMethods,
  },
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});
