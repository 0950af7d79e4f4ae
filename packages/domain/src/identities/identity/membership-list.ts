import { roleRulesOfRows } from '../../access/index.ts';
import {
  at,
  definePages,
  mapInTurns,
  perKey,
  readInRoom,
  statement,
  type Context,
  type Metadata,
  type Pages,
  type Rule,
  type Statement,
} from '../../kernel/index.ts';
import { HAS_METADATA, metadataOfListed, publishMetadata, type PublishedMetadata } from './metadata.ts';
import type { IdentityMembership, IdentitySearch } from './identity.ts';

interface MembershipRow {
  id: string;
  organizationId: string;
  createdAt: string;
  updatedAt: string;
  identityId: string;
  name: string;
  hasMetadata: boolean;
  projectId: string | null;
  hasDeleteProtection: boolean;
  authMethods: string[];
  role: string;
  roleId: string | null;
  roleName: string | null;
  roleSlug: string | null;
  roleDescription: string | null;
}
/** What each row of a list could have again and again, or by megabytes, is read apart from it. */
interface WholeRow extends MembershipRow {
  metadata: Metadata;
  rolePermissions: Rule[] | null;
}

/** An identity is a member of no other organization than its own: by that, another index would be entered. */
const MEMBER = 'join memberships m on m.identity_id = i.id and m.project_id is null';
const ROLE = `left join lateral (
    select role, custom_role_id from membership_roles where membership_id = m.id order by created_at, id limit 1
  ) r on true
  left join roles c on c.id = r.custom_role_id`;
const ROLE_NAME = 'coalesce(c.slug, r.role)';

const COLUMNS = `m.id, m.organization_id as "organizationId", m.created_at as "createdAt", m.updated_at as "updatedAt",
    i.id as "identityId", i.name, i.project_id as "projectId", ${HAS_METADATA}, i.has_delete_protection as "hasDeleteProtection",
    array(select a.kind from identity_auth_methods a where a.identity_id = i.id order by a.created_at, a.id) as "authMethods",
    coalesce(r.role, 'no-access') as role, c.id as "roleId", c.name as "roleName", c.slug as "roleSlug",
    c.description as "roleDescription"`;

/**
 * Whether a value satisfies the conditions on a field in the object at `json`; a field without conditions is satisfied.
 */
const fieldMatches = (json: string, field: string, value: string) => `
  coalesce(${value} = ${json} #>> '{${field},$eq}', true)
  and coalesce(${value} <> ${json} #>> '{${field},$ne}', true)
  and coalesce(position(lower(${json} #>> '{${field},$contains}') in lower(${value})) > 0, true)
  and (${json} #> '{${field},$in}' is null or ${value} in (select jsonb_array_elements_text(${json} #> '{${field},$in}')))`;

/** What a list looks at: its statements ask for nothing else. */
interface Shape {
  readonly isSearch: boolean;
  /** Whether names have to contain a part, by which an index finds them. */
  readonly hasPart: boolean;
  readonly usesRole: boolean;
}

/** The SQL of the identities that a list finds; those that belong to a project are that project's to list. */
function finding({ isSearch, hasPart, usesRole }: Shape): string {
  const matches = (json: string) =>
    `(${fieldMatches(json, 'name', 'i.name')}${usesRole ? ` and ${fieldMatches(json, 'role', ROLE_NAME)}` : ''})`;
  const search = `and ${matches('w.search')} and (coalesce(jsonb_array_length(w.search -> '$or'), 0) = 0
    or exists (select 1 from jsonb_array_elements(w.search -> '$or') o where ${matches('o.value')}))`;
  const withPart = `(select f.id from identities f
    where name_fragments(f.organization_id, f.name) @> name_fragments(w.organization_id, w.part) offset 0) f
    join identities i on i.id = f.id`;
  return `from ${hasPart ? withPart : 'identities i'} ${MEMBER} ${usesRole ? ROLE : ''}
    where i.organization_id = w.organization_id and i.project_id is null ${isSearch ? search : ''}`;
}

const SHAPES: readonly Shape[] = [
  { isSearch: false, hasPart: false },
  { isSearch: true, hasPart: false },
  { isSearch: true, hasPart: true },
].flatMap((search) => [false, true].map((usesRole) => ({ ...search, usesRole })));
const shapeName = ({ isSearch, hasPart, usesRole }: Shape) =>
  `${isSearch ? 'found' : 'all'}${hasPart ? '_by_part' : ''}${usesRole ? '_with_role' : ''}`;
const partsOf = ({ isSearch, hasPart }: Shape) => ({
  organization_id: 'uuid',
  ...(isSearch && { search: 'jsonb' }),
  ...(hasPart && { part: 'text' }),
});

type Order = Pick<MembershipOrder, 'orderBy' | 'orderDirection'>;
const ORDERS: readonly Order[] = (['name', 'role'] as const).flatMap((orderBy) =>
  (['asc', 'desc'] as const).map((orderDirection) => ({ orderBy, orderDirection })),
);
const pageName = (shape: Shape, { orderBy, orderDirection }: Order) =>
  `${shapeName(shape)}_${orderBy}_${orderDirection}`;

/** None but the rows of a page are read whole. */
function pagesOf(shape: Shape, { orderBy, orderDirection: direction }: Order): Pages<MembershipRow> {
  const inOrder = (by: string) => `order by ${by} ${direction}${orderBy === 'name' ? '' : ', i.name'}, i.id`;
  const by = orderBy === 'role' ? ROLE_NAME : 'i.name';
  const page = `select i.*, ${by} as sorted_by ${finding(shape)} ${inOrder(by)} offset w.skipped limit w.most`;
  return definePages(`identities.members_${pageName(shape, { orderBy, orderDirection: direction })}`, partsOf(shape), {
    select: `select ${COLUMNS} from (${page}) i ${MEMBER} ${ROLE} ${inOrder('i.sorted_by')}`,
    count: `(select count(*)::integer ${finding(shape)})`,
  });
}

const PAGES: ReadonlyMap<string, Pages<MembershipRow>> = new Map(
  SHAPES.flatMap((shape) => ORDERS.map((order) => [pageName(shape, order), pagesOf(shape, order)])),
);
const COUNTS: ReadonlyMap<string, Statement> = new Map(
  SHAPES.map((shape) => [
    shapeName(shape),
    perKey(
      `identities.count_members_${shapeName(shape)}`,
      partsOf(shape),
      `select count(*)::integer as count ${finding(shape)}`,
    ),
  ]),
);

const GET = statement(
  'identities.member',
  `select ${COLUMNS}, i.metadata, c.permissions as "rolePermissions" from identities i ${MEMBER} ${ROLE} where i.organization_id = $1 and i.id = $2`,
);

export interface MembershipOrder {
  readonly orderBy: 'name' | 'role';
  readonly orderDirection: 'asc' | 'desc';
  readonly offset: number;
  /** Default: all. */
  readonly limit?: number;
}

/** Characters of the fragments by which an index knows names; shorter parts are compared with each name. */
const FRAGMENT = 3;

/** The shape of a search, and its values. */
function asked(organizationId: string, search: IdentitySearch, orderBy: 'name' | 'role' = 'name') {
  const { $or = [], ...fields } = search;
  const isSearch = [fields, ...$or].some((conditions) => Object.keys(conditions).length > 0);
  const usesRole = orderBy === 'role' || [fields, ...$or].some(({ role }) => role !== undefined);
  const part = fields.name && '$contains' in fields.name ? fields.name.$contains : undefined;
  const hasPart = part !== undefined && part.length >= FRAGMENT;
  return {
    shape: { isSearch, hasPart, usesRole },
    values: [organizationId, ...(isSearch ? [JSON.stringify(search)] : []), ...(hasPart ? [part] : [])],
  };
}

/** The identities of an organization that a search finds, with how many it finds in all. */
export async function findMemberships(
  ctx: Context,
  organizationId: string,
  search: IdentitySearch,
  { offset, limit, ...order }: MembershipOrder,
): Promise<{ memberships: IdentityMembership[]; totalCount: number }> {
  const { shape, values } = asked(organizationId, search, order.orderBy);
  const pages = PAGES.get(pageName(shape, order))!;
  const { rows, totalCount } = await pages.read(ctx, values, { offset, limit }, shape.isSearch);
  const roleOf = await roleRulesOfRows(ctx, organizationId, rows);
  const listed = rows.map(({ identityId: id, hasMetadata }) => ({ id, hasMetadata }));
  const memberships = await readInRoom(ctx, async (room) => {
    const metadata = await metadataOfListed(ctx, organizationId, listed, room);
    return mapInTurns(rows, 1, (row) => {
      const { rules, size } = roleOf(row);
      room.take(size);
      return toMembership(row, metadata.get(row.identityId) ?? [], rules);
    });
  });
  return { memberships, totalCount };
}

export async function countMemberships(ctx: Context, organizationId: string, search: IdentitySearch): Promise<number> {
  const { shape, values } = asked(organizationId, search);
  const [row] = await ctx.sql<{ count: number }>(
    COUNTS.get(shapeName(shape))!,
    values.map((value) => [value]),
  );
  return row?.count ?? 0;
}

/** One identity's membership of its organization; `identityId` is a UUID. */
export async function findMembership(
  ctx: Context,
  organizationId: string,
  identityId: string,
): Promise<IdentityMembership | undefined> {
  const [row] = await ctx.sql<WholeRow>(GET, [organizationId, identityId]);
  return row && toMembership(row, publishMetadata(row.identityId, row.metadata), row.rolePermissions ?? []);
}

const toMembership = (
  row: MembershipRow,
  metadata: PublishedMetadata,
  permissions: readonly Rule[],
): IdentityMembership => ({
  id: row.id,
  role: row.role,
  roleId: row.roleId,
  customRole: row.roleId
    ? {
        id: row.roleId,
        name: row.roleName ?? '',
        slug: row.roleSlug ?? '',
        description: row.roleDescription,
        permissions: [...permissions],
      }
    : null,
  orgId: row.organizationId,
  identityId: row.identityId,
  metadata,
  identity: {
    id: row.identityId,
    name: row.name,
    projectId: row.projectId,
    hasDeleteProtection: row.hasDeleteProtection,
    authMethods: row.authMethods,
  },
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});
