import {
  authorize,
  FOREVER,
  organizationOf,
  requireAuthorityOverHolders,
  requireMayForbid,
  requireMayLiftDenials,
  requireMayGiveRoles,
  requireNoEscalation,
  requireNotForbidden,
} from '../../access/index.ts';
import {
  addMember,
  keepingAdmins,
  keepingOrganizationAdmins,
  MembershipEntity,
  recordingEnds,
  replaceRoles,
} from '../../access/membership/index.ts';
import {
  explainConstraint,
  fewIn,
  invalidate,
  inTransaction,
  newId,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
  slugFrom,
} from '../../kernel/index.ts';
import { ownOrganization, type OrganizationRef } from '../organization/index.ts';
import { findGroup, findGroupByRef, findGroups } from './find.ts';
import { GroupEntity } from './group.entity.ts';
import { lockGroupNames, requireFreeNames } from './names.ts';
import {
  groupCreated,
  groupDeleted,
  groupPermissions as permissions,
  groupUpdated,
  type CreateGroup,
  type Group,
  type GroupRef,
  type UpdateGroup,
} from './group.ts';

explainConstraint('groups_name_unique', 'A group with this name already exists in the organization');
explainConstraint('groups_slug_unique', 'A group with this slug already exists in the organization');

/** Their list has no pages. */
const requireFewGroups = fewIn('organization', {
  table: 'groups',
  most: 5_000,
  code: 'group.too_many',
  of: 'groups',
});

/** All groups of the caller's organization, by name. */
export async function listGroups(ctx: Context): Promise<Group[]> {
  await authorize(ctx, permissions.read);
  return findGroups(ctx);
}

/**
 * The same for callers that send the organization.
 *
 * @throws DomainError 404 for another organization.
 */
export function listGroupsOfOrganization(ctx: Context, { organizationId }: OrganizationRef): Promise<Group[]> {
  ownOrganization(ctx, organizationId);
  return listGroups(ctx);
}

/** By the id, or by the slug as older clients send it. @throws DomainError 404. */
export async function getGroup(ctx: Context, { id }: GroupRef): Promise<Group> {
  await authorize(ctx, permissions.read);
  return findGroupByRef(ctx, id);
}

/**
 * Creates an empty group.
 *
 * @throws DomainError 403 `PermissionBoundaryError` if its role allows more than the caller may do; 400 for a name or
 * slug that another group has as either, and beyond the maximum of groups; 404 for an unknown role.
 */
export async function createGroup(ctx: Context, { role, ...input }: CreateGroup): Promise<Group> {
  const organizationId = organizationOf(ctx);
  await authorize(ctx, permissions.create);
  await requireMayGiveRoles(ctx, permissions, {}, [role]);
  return inTransaction(ctx, async (tx) => {
    await requireNoEscalation(tx, { organizationId, until: FOREVER, roles: [role] });
    const { name, slug = slugFrom(name, 36) } = input;
    const id = newId();
    await lockGroupNames(tx, organizationId);
    await requireFreeNames(tx, { organizationId, id, name, slug });
    await tx.em.persist(tx.em.create(GroupEntity, { id, organizationId, name, slug })).flush();
    await requireFewGroups(tx, organizationId);
    await addMember(tx, { organizationId, groupId: id, roles: [{ role, isTemporary: false }] });
    await tx.em.flush();
    record(tx, groupCreated, { groupId: id, name, slug, role });
    return findGroup(tx, id);
  });
}

/**
 * Updates the given fields. Rights are granted to groups by name, so a new name or slug needs authority over everything
 * that the group holds.
 *
 * @throws DomainError 403 `PermissionBoundaryError` if the old or the new role allows, or the new one forbids, more
 * than the caller may do, or no longer forbids the members what the caller may not do either, and for a new name or
 * slug of a group that holds more; 400 for a name or slug that another group has as either, and if the organization
 * would have no administrator; 404 for an unknown role.
 */
export async function updateGroup(ctx: Context, { id, role, ...changes }: UpdateGroup): Promise<Group> {
  await authorize(ctx, permissions.edit);
  const known = await findGroupByRef(ctx, id);
  const isNamed = changes.name !== undefined || changes.slug !== undefined;
  return inTransaction(ctx, async (tx) => {
    if (isNamed) await lockGroupNames(tx, known.orgId);
    return keepingOrganizationAdmins(tx, [known.orgId], async () => {
      const row = await loadRow(tx, known.id);
      await requireMayRename(tx, row, changes);
      tx.em.assign(row, { ...changes, updatedAt: tx.now() }, { ignoreUndefined: true });
      await tx.em.flush();
      if (role !== undefined) await changeRole(tx, await findGroup(tx, row.id), role);
      const changed = Object.entries({ ...changes, role }).flatMap(([field, given]) =>
        given === undefined ? [] : field,
      );
      record(tx, groupUpdated, { ...eventOf(row), changed, role: role ?? null });
      return findGroup(tx, row.id);
    });
  });
}

/** A name that the group has already is no change. */
async function requireMayRename(
  tx: Transaction,
  { id, organizationId, ...known }: GroupEntity,
  { name = known.name, slug = known.slug }: Pick<UpdateGroup, 'name' | 'slug'>,
): Promise<void> {
  if (name === known.name && slug === known.slug) return;
  await requireAuthorityOverHolders(tx, { organizationId, holderIds: [id] });
  await requireFreeNames(tx, { organizationId, id, name, slug });
}

/** A role that the group already has is no change: sending back all that was read grants nothing. */
async function changeRole(tx: Transaction, group: Group, role: string): Promise<void> {
  if (role === (group.customRoleSlug ?? group.role)) return;
  const { id: groupId, orgId: organizationId } = group;
  const roles = [{ role, isTemporary: false as const }];
  await requireMayGiveRoles(tx, permissions, {}, roles);
  await requireNoEscalation(tx, { organizationId, until: FOREVER, roles });
  await requireAuthorityOverHolders(tx, { organizationId, holderIds: [groupId], places: [null] });
  await requireMayForbid(tx, { organizationId }, roles, [groupId]);
  await requireMayLiftDenials(tx, { organizationId, groupId, next: { projectId: null, roles } });
  const membership = await tx.em.findOneOrFail(
    MembershipEntity,
    { organizationId, groupId, projectId: null },
    { failHandler: () => notFound('group') },
  );
  await replaceRoles(tx, membership, roles);
  await tx.em.flush();
}

/**
 * Deletes a group; its members immediately lose the rights that they had only by it.
 *
 * @throws DomainError 403 `PermissionBoundaryError` if it has been granted more, anywhere, than the caller may do, or
 * forbids its members what the caller may not do either; 403 if a rule forbids the caller to remove members or machine identities,
 * and it has such; 400 if the organization or one of its projects would have no administrator.
 */
export async function deleteGroup(ctx: Context, { id }: GroupRef): Promise<Group> {
  await authorize(ctx, permissions.delete);
  const { id: groupId, orgId: organizationId } = await findGroupByRef(ctx, id);
  return inTransaction(ctx, (tx) =>
    keepingAllAdmins(tx, { organizationId, groupId }, async () => {
      const group = await findGroup(tx, groupId);
      await requireAuthorityOverHolders(tx, { organizationId, holderIds: [groupId] });
      await requireMayLiftDenials(tx, { organizationId, groupId });
      await requireMayRemoveAll(tx, { organizationId, groupId });
      await recordingEnds(tx, { organizationIds: [organizationId], holderIds: [groupId] }, () =>
        tx.em.nativeDelete(GroupEntity, { id: groupId }),
      );
      invalidate(tx, `access:${organizationId}`);
      record(tx, groupDeleted, { groupId, name: group.name, slug: group.slug });
      return group;
    }),
  );
}

const KINDS = statement(
  'groups.kinds_of_members',
  `select distinct m."isUser" from group_members g cross join lateral (
     select m.user_id is not null as "isUser" from memberships m where m.id = g.membership_id offset 0) m
   where g.organization_id = $1 and g.group_id = $2`,
);

/** Everybody is removed from a group that is deleted. @throws DomainError 403 if a rule forbids that. */
async function requireMayRemoveAll(
  tx: Transaction,
  { organizationId, groupId }: { organizationId: string; groupId: string },
): Promise<void> {
  for (const { isUser } of await tx.sql<{ isUser: boolean }>(KINDS, [organizationId, groupId]))
    await requireNotForbidden(tx, permissions[isUser ? 'remove-members' : 'remove-identities']);
}

const PROJECTS = statement(
  'groups.projects',
  'select project_id as id from memberships where organization_id = $1 and group_id = $2 and project_id is not null',
);

/**
 * Changes the members of a group, so that its organization and each of its projects keep an administrator. The
 * organization is locked first, which also locks out new projects of the group.
 */
export const keepingAllAdmins = <T>(
  tx: Transaction,
  { organizationId, groupId }: { organizationId: string; groupId: string },
  change: () => Promise<T>,
): Promise<T> =>
  keepingOrganizationAdmins(tx, [organizationId], async () => {
    const projects = await tx.sql<{ id: string }>(PROJECTS, [organizationId, groupId]);
    const projectIds = projects.map(({ id }) => id);
    return keepingAdmins(tx, organizationId, projectIds, change);
  });

const loadRow = (tx: Transaction, id: string): Promise<GroupEntity> =>
  tx.em.findOneOrFail(
    GroupEntity,
    { id, organizationId: organizationOf(tx) },
    { failHandler: () => notFound('group') },
  );

const eventOf = ({ id, name, slug }: { id: string; name: string; slug: string }) => ({ groupId: id, name, slug });
