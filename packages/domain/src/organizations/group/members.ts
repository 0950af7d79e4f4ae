import { requireMayLetIn } from '../../access/approval-policy/index.ts';
import {
  authorize,
  FOREVER,
  keepingFewRules,
  requireAuthorityToJoin,
  requireAuthorityToLeave,
  requireHoldingsWithin,
  requireMayLiftDenials,
} from '../../access/index.ts';
import { endTokensOfLeavers } from '../../access/membership/index.ts';
import {
  explainConstraint,
  invalidate,
  inTransaction,
  newId,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { identityWithId, toIdentity, toUser, userNamed, type ActorRow, type FindActor } from './actors.ts';
import { findGroupByRef } from './find.ts';
import { keepingAllAdmins } from './group.service.ts';
import {
  groupIdentityAdded,
  groupIdentityRemoved,
  groupPermissions as permissions,
  groupUserAdded,
  groupUserRemoved,
  type Group,
  type GroupIdentity,
  type GroupIdentityRef,
  type GroupUser,
  type GroupUserRef,
} from './group.ts';

explainConstraint('group_members_unique', 'This actor is already in the group');

const INSERT = statement(
  'group_members.insert',
  'insert into group_members (id, organization_id, group_id, membership_id, actor_id, created_at) values ($1, $2, $3, $4, $5, $6)',
);
const DELETE = statement(
  'group_members.delete',
  'delete from group_members where organization_id = $1 and group_id = $2 and actor_id = $3',
);

const eventOf = ({ id, name, slug }: Group) => ({ groupId: id, name, slug });

/**
 * Adds a user to a group: from now on it has the rights of the group.
 *
 * @throws DomainError 403 `PermissionBoundaryError` if the group has been granted more, anywhere in the organization,
 * than the caller may do, or forbids something and the user may do more than the caller, and as `requireMayLetIn`; 400
 * `group_members_unique` for a member, `permission.too_many_rules`, and if the group forbids something to the last administrator of a place without
 * forbidding rules; 404 for an unknown user.
 */
export async function addUserToGroup(ctx: Context, { id, username }: GroupUserRef): Promise<GroupUser> {
  await authorize(ctx, permissions['add-members']);
  return join(ctx, id, 'user', userNamed(username), (tx, group, row) => {
    record(tx, groupUserAdded, { ...eventOf(group), userId: row.id });
    return toUser(row);
  });
}

/** The same with a machine identity. */
export async function addIdentityToGroup(
  ctx: Context,
  { id, machineIdentityId }: GroupIdentityRef,
): Promise<GroupIdentity> {
  await authorize(ctx, permissions['add-identities']);
  return join(ctx, id, 'identity', identityWithId(machineIdentityId), (tx, group, row) => {
    record(tx, groupIdentityAdded, { ...eventOf(group), identityId: row.id });
    return toIdentity(row);
  });
}

const PROJECTS = statement(
  'group_members.projects_of_group',
  'select project_id as id from memberships where organization_id = $1 and group_id = $2 and project_id is not null',
);

const projectsOf = async (ctx: Context, organizationId: string, groupId: string): Promise<string[]> =>
  (await ctx.sql<{ id: string }>(PROJECTS, [organizationId, groupId])).map(({ id }) => id);

/** Records the change and returns the affected user. */
type Changed<T> = (tx: Transaction, group: Group, row: ActorRow) => T;

function join<T>(ctx: Context, ref: string, what: string, find: FindActor, joined: Changed<T>): Promise<T> {
  return changeMembers(ctx, ref, async (tx, group) => {
    const { id: groupId, orgId: organizationId } = group;
    await requireHoldingsWithin(tx, organizationId, groupId, FOREVER);
    const row = await find(tx, group);
    if (!row) throw notFound(what);
    const projectIds = await projectsOf(tx, organizationId, groupId);
    await requireMayLetIn(tx, { holderIds: [row.id], projectIds, groupId, until: FOREVER });
    await requireAuthorityToJoin(tx, { organizationId, groupId, actorId: row.id });
    await endTokensOfLeavers(tx, { organizationIds: [organizationId], projectIds, actorIds: [row.id] });
    const values = [newId(), organizationId, groupId, row.membershipId, row.id, tx.now()];
    const receivers = { organizationId, places: [null, ...projectIds], actorIds: [row.id] };
    await keepingFewRules(tx, receivers, () => tx.sql(INSERT, values));
    invalidate(tx, `actor:${row.id}`);
    return joined(tx, group, row);
  });
}

/**
 * Removes a user from a group.
 *
 * @throws DomainError 403 `PermissionBoundaryError` if the user may do more than the caller at a place of the group, or
 * the group forbids it what the caller may not do either; 400 if the organization or a project would have no
 * administrator; 404 for a user who is not in the group.
 */
export async function removeUserFromGroup(ctx: Context, { id, username }: GroupUserRef): Promise<GroupUser> {
  await authorize(ctx, permissions['remove-members']);
  return leave(ctx, id, 'user', userNamed(username), (tx, group, row) => {
    record(tx, groupUserRemoved, { ...eventOf(group), userId: row.id });
    return toUser(row);
  });
}

/** The same with a machine identity. */
export async function removeIdentityFromGroup(
  ctx: Context,
  { id, machineIdentityId }: GroupIdentityRef,
): Promise<GroupIdentity> {
  await authorize(ctx, permissions['remove-identities']);
  return leave(ctx, id, 'identity', identityWithId(machineIdentityId), (tx, group, row) => {
    record(tx, groupIdentityRemoved, { ...eventOf(group), identityId: row.id });
    return toIdentity(row);
  });
}

function leave<T>(ctx: Context, ref: string, what: string, find: FindActor, left: Changed<T>): Promise<T> {
  return changeMembers(ctx, ref, async (tx, group) => {
    const { id: groupId, orgId: organizationId } = group;
    const row = await find(tx, group);
    if (row?.joinedAt == null) throw notFound(what);
    await requireAuthorityToLeave(tx, { organizationId, groupId, actorId: row.id });
    await requireMayLiftDenials(tx, { organizationId, groupId, actorId: row.id });
    await tx.sql(DELETE, [organizationId, groupId, row.id]);
    invalidate(tx, `actor:${row.id}`);
    return left(tx, group, row);
  });
}

/** Changes who is in a group. @throws DomainError 404; 400 where a place would be left without an administrator */
async function changeMembers<T>(
  ctx: Context,
  ref: string,
  change: (tx: Transaction, group: Group) => Promise<T>,
): Promise<T> {
  const group = await findGroupByRef(ctx, ref);
  const { id: groupId, orgId: organizationId } = group;
  return inTransaction(ctx, (tx) => keepingAllAdmins(tx, { organizationId, groupId }, () => change(tx, group)));
}
