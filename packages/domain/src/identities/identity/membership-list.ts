import { at, statement, type Context, type Metadata, type Rule } from '../../kernel/index.ts';
import { publishMetadata } from './metadata.ts';
import type { IdentityMembership, IdentitySearch } from './identity.ts';

interface MembershipRow {
  id: string;
  organization_id: string;
  created_at: string;
  updated_at: string;
  identity_id: string;
  name: string;
  metadata: Metadata;
  has_delete_protection: boolean;
  auth_methods: string[];
  role: string;
  role_id: string | null;
  role_name: string | null;
  role_slug: string | null;
  role_description: string | null;
  role_permissions: Rule[] | null;
}

const FROM = `
  from memberships m
  join identities i on i.id = m.identity_id
  left join lateral (select role, custom_role_id from membership_roles where membership_id = m.id order by created_at, id limit 1) r on true
  left join roles c on c.id = r.custom_role_id
  where m.organization_id = $1 and m.project_id is null`;

const SELECT = `
  select m.id, m.organization_id, m.created_at, m.updated_at, i.id as identity_id, i.name, i.metadata, i.has_delete_protection,
    array(select a.kind from identity_auth_methods a where a.identity_id = i.id order by a.created_at, a.id) as auth_methods,
    coalesce(r.role, 'no-access') as role, c.id as role_id, c.name as role_name, c.slug as role_slug,
    c.description as role_description, c.permissions as role_permissions ${FROM}`;

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
  /** All where absent. */
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
  roleId: row.role_id,
  customRole: row.role_id
    ? {
        id: row.role_id,
        name: row.role_name ?? '',
        slug: row.role_slug ?? '',
        description: row.role_description,
        permissions: row.role_permissions ?? [],
      }
    : null,
  orgId: row.organization_id,
  identityId: row.identity_id,
  metadata: publishMetadata(row.identity_id, row.metadata),
  identity: {
    id: row.identity_id,
    name: row.name,
    hasDeleteProtection: row.has_delete_protection,
    authMethods: row.auth_methods,
  },
  createdAt: at(row.created_at),
  updatedAt: at(row.updated_at),
});
