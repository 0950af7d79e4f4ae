import { authorize, organizationOf, readableAtAll, requireNoEscalation } from '../../access/index.ts';
import { addMember, MembershipEntity, replaceRoles, rolesOf, type ChangedRole } from '../../access/membership/index.ts';
import { findIdentity } from '../../identities/identity/index.ts';
import {
  at,
  DomainError,
  forget,
  inTransaction,
  isId,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { toChangedRole } from './changed-role.ts';
import { keepingAnAdmin } from './last-admin.ts';
import {
  identityMemberAdded,
  identityMemberPermissions as permissions,
  identityMemberRemoved,
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
  identity_id: string;
  created_at: string;
  updated_at: string;
  name: string;
  has_delete_protection: boolean;
  auth_methods: string[];
  project: IdentityMember['project'];
}

const SELECT = `
  select m.id, m.identity_id, m.created_at, m.updated_at, i.name, i.has_delete_protection,
    array(select a.kind from identity_auth_methods a where a.identity_id = i.id order by a.created_at, a.id) as auth_methods,
    json_build_object('id', p.id, 'name', p.name, 'slug', p.slug, 'type', p.type) as project
  from memberships m join identities i on i.id = m.identity_id join projects p on p.id = m.project_id
  where m.organization_id = $1 and m.project_id = $2`;
const FIND = statement(
  'project_identities.find',
  `select m.id, m.identity_id from memberships m join identities i on i.id = m.identity_id
   where m.organization_id = $1 and m.project_id = $2 and ($3::text is null or position(lower($3) in lower(i.name)) > 0)
   order by case when $4 = 'asc' then i.name end, case when $4 = 'desc' then i.name end desc, i.id`,
);
const LIST = statement(
  'project_identities.list',
  `${SELECT} and m.id = any($3::uuid[]) order by array_position($3::uuid[], m.id)`,
);
const GET = statement('project_identities.get', `${SELECT} and m.identity_id = $3`);
const PLACE = statement(
  'project_identities.place',
  'select project_id, identity_id from memberships where organization_id = $1 and id = $2 and project_id is not null and identity_id is not null',
);

/** The machine identities of a project that the caller may see, by name, and how many there are of them. */
export async function listIdentityMembers(
  ctx: Context,
  { projectId, offset, limit, orderDirection, search }: ListIdentityMembers,
): Promise<{ identityMemberships: IdentityMember[]; totalCount: number }> {
  const organizationId = organizationOf(ctx);
  const isReadable = await readableAtAll(ctx, permissions.read, { projectId });
  const all = await ctx.sql<{ id: string; identity_id: string }>(FIND, [
    organizationId,
    projectId,
    search || null,
    orderDirection,
  ]);
  const readable = all.filter(({ identity_id: identityId }) => isReadable({ projectId, identityId }));
  const ids = readable.slice(offset, offset + limit).map(({ id }) => id);
  const rows = ids.length > 0 ? await ctx.sql<Row>(LIST, [organizationId, projectId, ids]) : [];
  return { identityMemberships: await publish(ctx, rows), totalCount: readable.length };
}

export async function getIdentityMember(
  ctx: Context,
  { projectId, identityId }: IdentityMemberById,
): Promise<IdentityMember> {
  await authorize(ctx, permissions.read, { projectId, identityId });
  const [member] = await publish(
    ctx,
    isId(identityId) ? await ctx.sql<Row>(GET, [organizationOf(ctx), projectId, identityId]) : [],
  );
  if (!member) throw notFound('membership');
  return member;
}

/** @throws DomainError 404 also for a membership of a project that the caller does not belong to. */
export async function getIdentityMembership(
  ctx: Context,
  { identityMembershipId }: { identityMembershipId: string },
): Promise<IdentityMember> {
  const [place] = isId(identityMembershipId)
    ? await ctx.sql<{ project_id: string; identity_id: string }>(PLACE, [organizationOf(ctx), identityMembershipId])
    : [];
  if (!place) throw notFound('membership');
  return getIdentityMember(ctx, { projectId: place.project_id, identityId: place.identity_id }).catch(
    (error: unknown) => {
      throw error instanceof DomainError && error.kind === 'not_found' ? notFound('membership') : error;
    },
  );
}

/**
 * Makes a machine identity of the organization a member of a project.
 *
 * @throws DomainError 403 `PermissionBoundaryError` where its roles allow more than the caller may do; 400
 * `memberships_identity_unique` where it is a member already; 404 for an identity or a role that does not exist.
 */
export async function addIdentityMember(
  ctx: Context,
  { projectId, identityId, role, roles: given }: AddIdentityMember,
): Promise<IdentityMemberRef> {
  const organizationId = organizationOf(ctx);
  const roles = given ?? [{ role, isTemporary: false as const }];
  await authorize(ctx, permissions.create, { projectId, identityId });
  await requireNoEscalation(ctx, { organizationId, projectId, roles });
  return inTransaction(ctx, async (tx) => {
    await findIdentity(tx, identityId);
    const membership = await addMember(tx, { organizationId, projectId, identityId, roles });
    await tx.em.flush();
    record(
      tx,
      identityMemberAdded,
      { membershipId: membership.id, identityId, roles: roles.map((one) => one.role) },
      { projectId },
    );
    return toRef(membership);
  });
}

/**
 * Gives a machine identity other roles in a project.
 *
 * @throws DomainError 403 `PermissionBoundaryError` where they allow more than the caller may do; 400 where the project
 * would be left without an administrator; 404 for a role that the project does not have.
 */
export async function updateIdentityMember(
  ctx: Context,
  { projectId, identityId, roles }: UpdateIdentityMember,
): Promise<ChangedRole[]> {
  const organizationId = organizationOf(ctx);
  await authorize(ctx, permissions.edit, { projectId, identityId });
  return inTransaction(ctx, (tx) =>
    keepingAnAdmin(tx, organizationId, projectId, async () => {
      const membership = await loadMembership(tx, projectId, identityId);
      await requireNoEscalation(tx, { organizationId, projectId, roles });
      const assigned = await replaceRoles(tx, membership, roles);
      membership.updatedAt = tx.now();
      await tx.em.flush();
      record(
        tx,
        identityMemberRolesChanged,
        { membershipId: membership.id, identityId, roles: roles.map(({ role }) => role) },
        { projectId },
      );
      return assigned.map(toChangedRole);
    }),
  );
}

/** Takes a machine identity out of a project. @throws DomainError 400 where no administrator would be left. */
export async function removeIdentityMember(
  ctx: Context,
  { projectId, identityId }: IdentityMemberById,
): Promise<IdentityMemberRef> {
  await authorize(ctx, permissions.delete, { projectId, identityId });
  return inTransaction(ctx, (tx) =>
    keepingAnAdmin(tx, organizationOf(tx), projectId, async () => {
      const membership = await loadMembership(tx, projectId, identityId);
      tx.em.remove(membership);
      forget(tx, `actor:${identityId}`);
      record(tx, identityMemberRemoved, { membershipId: membership.id, identityId }, { projectId });
      return toRef(membership);
    }),
  );
}

async function loadMembership(tx: Transaction, projectId: string, identityId: string): Promise<MembershipEntity> {
  const membership = isId(identityId)
    ? await tx.em.findOne(MembershipEntity, { organizationId: organizationOf(tx), projectId, identityId })
    : null;
  if (!membership) throw notFound('membership');
  return membership;
}

const toRef = ({ id, identityId, projectId, createdAt, updatedAt }: MembershipEntity): IdentityMemberRef => ({
  id,
  identityId: identityId!,
  projectId: projectId!,
  createdAt,
  updatedAt,
});

async function publish(ctx: Context, rows: readonly Row[]): Promise<IdentityMember[]> {
  const roles = await rolesOf(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    identityId: row.identity_id,
    roles: roles.get(row.id) ?? [],
    identity: {
      id: row.identity_id,
      name: row.name,
      hasDeleteProtection: row.has_delete_protection,
      authMethods: row.auth_methods,
    },
    project: row.project,
    createdAt: at(row.created_at),
    updatedAt: at(row.updated_at),
  }));
}
