import {
  authorize,
  authorizeById,
  organizationOf,
  readablePart,
  requireAuthorityIfForbidden,
  unlessHidden,
  filterInTurns,
} from '../../access/index.ts';
import {
  identityMemberRemoved,
  rolesList,
  toRoles,
  type ChangedRole,
  type RoleRow,
} from '../../access/membership/index.ts';
import { findIdentity } from '../../identities/identity/index.ts';
import { at, definePages, isId, notFound, perKey, statement, type Context } from '../../kernel/index.ts';
import { defineMembers } from './member-kind.ts';
import {
  identityMemberAdded,
  identityMemberPermissions as permissions,
  identityMemberRolesChanged,
  type AddIdentityMember,
  type IdentityMember,
  type IdentityMemberById,
  type IdentityMemberRef,
  type ListIdentityMembers,
  type UpdateIdentityMember,
} from './member.ts';

interface Row {
  id: string;
  identityId: string;
  createdAt: string;
  updatedAt: string;
  name: string;
  projectId: string | null;
  hasDeleteProtection: boolean;
  authMethods: string[];
  project: IdentityMember['project'];
  roles: RoleRow[];
}

const FROM = 'memberships m join identities i on i.id = m.identity_id join projects p on p.id = m.project_id';
const COLUMNS = `m.id, m.identity_id as "identityId", m.created_at as "createdAt", m.updated_at as "updatedAt", i.name, i.project_id as "projectId",
    i.has_delete_protection as "hasDeleteProtection",
    array(select a.kind from identity_auth_methods a where a.identity_id = i.id order by a.created_at, a.id) as "authMethods",
    json_build_object('id', p.id, 'name', p.name, 'slug', p.slug, 'type', p.type) as project, ${rolesList('m.id')} as roles`;
const SELECT = `select ${COLUMNS} from ${FROM} where m.organization_id = $1 and m.project_id = $2`;
const FOUND = `where m.organization_id = w.organization_id and m.project_id = w.project_id
  and (w.search is null or position(lower(w.search) in lower(i.name)) > 0)`;
const PARTS = { organization_id: 'uuid', project_id: 'uuid', search: 'text' };
const inOrder = (direction: 'asc' | 'desc') => {
  const name = `project_identities.${direction}`;
  const order = `order by i.name ${direction}, i.id`;
  return {
    pages: definePages<Row>(name, PARTS, {
      select: `select ${COLUMNS} from ${FROM} ${FOUND} ${order} offset w.skipped limit w.most`,
      count: `(select count(*)::integer from memberships m join identities i on i.id = m.identity_id ${FOUND})`,
    }),
    FIND: perKey(`${name}.find`, PARTS, `select m.id, m.identity_id as "identityId" from ${FROM} ${FOUND} ${order}`),
  };
};
const LISTS = { asc: inOrder('asc'), desc: inOrder('desc') };
const LIST = statement(
  'project_identities.list',
  `${SELECT} and m.id = any($3::uuid[]) order by array_position($3::uuid[], m.id)`,
);
const GET = statement('project_identities.get', `${SELECT} and m.identity_id = $3`);
const PLACE = statement(
  'project_identities.place',
  `select project_id as "projectId", identity_id as "identityId"
   from memberships where organization_id = $1 and id = $2 and project_id is not null and identity_id is not null`,
);

/** The machine identities of a project that the caller may see, by name, and their total number. */
export async function listIdentityMembers(
  ctx: Context,
  { projectId, offset, limit, orderDirection, search }: ListIdentityMembers,
): Promise<{ identityMemberships: IdentityMember[]; totalCount: number }> {
  const organizationId = organizationOf(ctx);
  const isReadable = await readablePart(ctx, permissions.read, { projectId });
  const where = [organizationId, projectId, search || null];
  const { pages, FIND } = LISTS[orderDirection];
  if (!isReadable) {
    const { rows, totalCount } = await pages.read(ctx, where, { offset, limit }, search !== undefined);
    return { identityMemberships: rows.map(publish), totalCount };
  }
  const all = await ctx.sql<{ id: string; identityId: string }>(
    FIND,
    where.map((part) => [part]),
  );
  const readable = await filterInTurns(all, ({ identityId }) => isReadable({ projectId, identityId }));
  const ids = readable.slice(offset, offset + limit).map(({ id }) => id);
  const rows = ids.length > 0 ? await ctx.sql<Row>(LIST, [organizationId, projectId, ids]) : [];
  return { identityMemberships: rows.map(publish), totalCount: readable.length };
}

export async function getIdentityMember(ctx: Context, of: IdentityMemberById): Promise<IdentityMember> {
  await authorize(ctx, permissions.read, of);
  return find(ctx, of);
}

/** @throws DomainError 404 also for a membership of a project that the caller does not belong to. */
export async function getIdentityMembership(
  ctx: Context,
  { identityMembershipId }: { identityMembershipId: string },
): Promise<IdentityMember> {
  const [place] = isId(identityMembershipId)
    ? await ctx.sql<{ projectId: string; identityId: string }>(PLACE, [organizationOf(ctx), identityMembershipId])
    : [];
  if (!place) throw notFound('membership');
  const of = { projectId: place.projectId, identityId: place.identityId };
  await unlessHidden('membership', authorizeById(ctx, permissions.read, of));
  return find(ctx, of);
}

async function find(ctx: Context, { projectId, identityId }: IdentityMemberById): Promise<IdentityMember> {
  const rows = isId(identityId) ? await ctx.sql<Row>(GET, [organizationOf(ctx), projectId, identityId]) : [];
  if (!rows[0]) throw notFound('membership');
  return publish(rows[0]);
}

const members = defineMembers({
  holder: 'identityId',
  permissions,
  events: { added: identityMemberAdded, rolesChanged: identityMemberRolesChanged, removed: identityMemberRemoved },
  find: findIdentity,
  requireMayForbid: requireAuthorityIfForbidden,
});

/** Makes a machine identity of the organization a member of a project; see `defineMembers` for what this and the next refuse. */
export const addIdentityMember = (
  ctx: Context,
  { projectId, identityId, role, roles }: AddIdentityMember,
): Promise<IdentityMemberRef> => members.add(ctx, { projectId, identityId }, roles ?? [{ role, isTemporary: false }]);

/** Changes the roles of a machine identity in a project. */
export const updateIdentityMember = (
  ctx: Context,
  { projectId, identityId, roles }: UpdateIdentityMember,
): Promise<ChangedRole[]> => members.changeRoles(ctx, { projectId, identityId }, roles);

/** Removes a machine identity from a project. */
export const removeIdentityMember = (
  ctx: Context,
  { projectId, identityId }: IdentityMemberById,
): Promise<IdentityMemberRef> => members.remove(ctx, { projectId, identityId });

const publish = (row: Row): IdentityMember => ({
  id: row.id,
  identityId: row.identityId,
  roles: toRoles(row.roles),
  identity: {
    id: row.identityId,
    name: row.name,
    projectId: row.projectId,
    hasDeleteProtection: row.hasDeleteProtection,
    authMethods: row.authMethods,
  },
  project: row.project,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});
