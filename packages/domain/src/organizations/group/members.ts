import {
  abilityIn,
  authorize,
  grant,
  organizationOf,
  organizationPermissions,
  requireHoldingsWithin,
  requireMayLiftDenials,
} from '../../access/index.ts';
import {
  at,
  atOrNull,
  explainConstraint,
  forget,
  inTransaction,
  isId,
  newId,
  notFound,
  record,
  statement,
  type Context,
  type Permission,
  type Transaction,
} from '../../kernel/index.ts';
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
  type GroupMemberOfEitherKind,
  type GroupsOfUser,
  type GroupSummary,
  type GroupUser,
  type GroupUserRef,
  type ListedGroupIdentity,
  type ListedGroupUser,
  type ListGroupIdentities,
  type ListGroupUsers,
  type ListMembersOfGroup,
} from './group.ts';

explainConstraint('group_members_unique', 'This one is in the group already');

const people = organizationPermissions('member');
const machines = organizationPermissions('identity');

/** Somebody of the organization, in the group or not. Of a machine identity, `name` is all that it has. */
interface Row {
  id: string;
  membership_id: string;
  is_user: boolean;
  name: string;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  joined_at: string | null;
}

/** Identities that belong to a project are in no group. */
const FROM = `
  from memberships m
  left join users u on u.id = m.user_id
  left join identities i on i.id = m.identity_id
  left join group_members g on g.membership_id = m.id and g.group_id = $2
  where m.organization_id = $1 and m.project_id is null and m.actor_id is not null and i.project_id is null`;
const COLUMNS = `m.actor_id as id, m.id as membership_id, u.id is not null as is_user, coalesce(u.username, i.name) as name,
  u.email, u.first_name, u.last_name, g.created_at as joined_at`;

/** $3: kinds; $4: part of the user name or name; $5: part of any name. */
const FOUND = `and case when u.id is null then 'machine' else 'person' end = any($3::text[])
  and ($4::text is null or position(lower($4) in lower(coalesce(u.username, i.name))) > 0)
  and ($5::text is null or position(lower($5) in lower(concat_ws(' ', u.username, u.email, i.name))) > 0
    or position(lower($5) in lower(concat_ws(' ', u.first_name, u.last_name))) > 0)`;
const NAME = 'lower(coalesce(u.username, i.name))';

/** A statement each, since PostgreSQL comes to those in a group by another way than to everybody. */
const statements = (which: string, condition: string) => {
  const list = (direction: 'asc' | 'desc') =>
    statement(
      `group_members.list_${which}_${direction}`,
      `select ${COLUMNS} ${FROM} ${condition} ${FOUND} order by ${NAME} ${direction}, m.actor_id offset $6 limit $7`,
    );
  return {
    count: statement(`group_members.count_${which}`, `select count(*)::integer as count ${FROM} ${condition} ${FOUND}`),
    asc: list('asc'),
    desc: list('desc'),
  };
};
const INSIDE = statements('inside', 'and g.id is not null');
const OUTSIDE = statements('outside', 'and g.id is null');
const ALL = statements('all', '');

type Kind = 'person' | 'machine';

interface Search {
  readonly kinds: readonly Kind[];
  /** Whether they are in the group; both where null. */
  readonly isPart: boolean | null;
  readonly name?: string | undefined;
  readonly search?: string | undefined;
  readonly offset: number;
  readonly limit: number;
  readonly direction?: 'asc' | 'desc';
}

async function findActors(ctx: Context, group: Group, wanted: Search): Promise<{ rows: Row[]; totalCount: number }> {
  const { kinds, isPart, name, search, offset, limit, direction = 'asc' } = wanted;
  const found = [group.orgId, group.id, kinds, name || null, search || null];
  const asked = isPart === null ? ALL : isPart ? INSIDE : OUTSIDE;
  const rows = await ctx.sql<Row>(asked[direction], [...found, offset, limit]);
  const [total] = await ctx.sql<{ count: number }>(asked.count, found);
  return { rows, totalCount: total!.count };
}

/**
 * Who is not in the group is shown to those who may see the organization's people or machine identities anyway; for
 * others the list is that of the group.
 *
 * @throws DomainError 403 where those outside are asked for by somebody who may not see them.
 */
async function partShown(ctx: Context, outside: Permission, isPart: boolean | null): Promise<boolean | null> {
  if (isPart === false) await authorize(ctx, outside);
  return isPart ?? ((await abilityIn(ctx, undefined)).can(outside) ? null : true);
}

/** The people of a group, and of the organization where `filter` leaves them in. */
export async function listGroupUsers(
  ctx: Context,
  { id, filter, username, search, offset, limit }: ListGroupUsers,
): Promise<{ users: ListedGroupUser[]; totalCount: number }> {
  await authorize(ctx, permissions.read);
  const group = await findGroupByRef(ctx, id);
  const isPart = await partShown(ctx, people.read, filter ? filter === 'existingMembers' : null);
  const wanted: Search = { kinds: ['person'], isPart, name: username, search, offset, limit };
  const { rows, totalCount } = await findActors(ctx, group, wanted);
  return { users: rows.map((row) => ({ ...toUser(row), ...toPart(row) })), totalCount };
}

/** The machine identities of a group, and of the organization where `filter` leaves them in. */
export async function listGroupIdentities(
  ctx: Context,
  { id, filter, search, offset, limit }: ListGroupIdentities,
): Promise<{ machineIdentities: ListedGroupIdentity[]; totalCount: number }> {
  await authorize(ctx, permissions.read);
  const group = await findGroupByRef(ctx, id);
  const isPart = await partShown(ctx, machines.read, filter ? filter === 'assignedMachineIdentities' : null);
  const { rows, totalCount } = await findActors(ctx, group, { kinds: ['machine'], isPart, search, offset, limit });
  return { machineIdentities: rows.map((row) => ({ ...toIdentity(row), ...toPart(row) })), totalCount };
}

/** All who are in a group, people and machine identities. */
export async function listMembersOfGroup(
  ctx: Context,
  { id, memberTypeFilter, search, offset, limit, orderDirection: direction }: ListMembersOfGroup,
): Promise<{ members: GroupMemberOfEitherKind[]; totalCount: number }> {
  await authorize(ctx, permissions.read);
  const group = await findGroupByRef(ctx, id);
  const types = new Set([memberTypeFilter ?? []].flat());
  const kinds: Kind[] = [
    ...(types.size === 0 || types.has('users') ? (['person'] as const) : []),
    ...(types.size === 0 || types.has('machineIdentities') ? (['machine'] as const) : []),
  ];
  const { rows, totalCount } = await findActors(ctx, group, { kinds, isPart: true, search, offset, limit, direction });
  return { members: rows.map(toMember), totalCount };
}

const toUser = (row: Row): GroupUser => ({
  id: row.id,
  email: row.email,
  username: row.name,
  firstName: row.first_name,
  lastName: row.last_name,
});
const toIdentity = ({ id, name }: Row): GroupIdentity => ({ id, name });
const toPart = ({ joined_at: joinedAt }: Row) => ({
  isPartOfGroup: joinedAt !== null,
  joinedGroupAt: atOrNull(joinedAt),
});
function toMember(row: Row): GroupMemberOfEitherKind {
  const joined = { id: row.id, joinedGroupAt: at(row.joined_at!) };
  return row.is_user
    ? { ...joined, type: 'user', user: toUser(row) }
    : { ...joined, type: 'machineIdentity', machineIdentity: toIdentity(row) };
}

const USER = statement('group_members.user', `select ${COLUMNS} ${FROM} and u.username = $3`);
const IDENTITY = statement('group_members.identity', `select ${COLUMNS} ${FROM} and i.id = $3`);
const INSERT = statement(
  'group_members.insert',
  'insert into group_members (id, organization_id, group_id, membership_id, actor_id, created_at) values ($1, $2, $3, $4, $5, $6)',
);
const DELETE = statement(
  'group_members.delete',
  'delete from group_members where organization_id = $1 and group_id = $2 and actor_id = $3',
);

type FindActor = (ctx: Context, group: Group) => Promise<Row | undefined>;

const userNamed =
  (username: string): FindActor =>
  async (ctx, { orgId, id }) =>
    (await ctx.sql<Row>(USER, [orgId, id, username]))[0];
const identityNamed =
  (identityId: string): FindActor =>
  async (ctx, { orgId, id }) =>
    isId(identityId) ? (await ctx.sql<Row>(IDENTITY, [orgId, id, identityId]))[0] : undefined;

const eventOf = ({ id, name, slug }: Group) => ({ groupId: id, name, slug });

/**
 * Puts a person into a group: from now on it may do whatever the group may.
 *
 * @throws DomainError 403 `PermissionBoundaryError` where the group has been given more, anywhere in the organization,
 * than the caller may do; 400 `group_members_unique` for one who is in it, and where the group forbids something to the
 * last administrator of a place to whom nothing is; 404 for one whom the organization does not have.
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
  return join(ctx, id, 'identity', identityNamed(machineIdentityId), (tx, group, row) => {
    record(tx, groupIdentityAdded, { ...eventOf(group), identityId: row.id });
    return toIdentity(row);
  });
}

type Joined<T> = (tx: Transaction, group: Group, row: Row) => T;

async function join<T>(ctx: Context, ref: string, what: string, find: FindActor, joined: Joined<T>): Promise<T> {
  const group = await findGroupByRef(ctx, ref);
  const { id: groupId, orgId: organizationId } = group;
  await requireHoldingsWithin(ctx, organizationId, groupId);
  return inTransaction(ctx, (tx) =>
    keepingAllAdmins(tx, { organizationId, groupId }, async () => {
      const row = await find(tx, group);
      if (!row) throw notFound(what);
      await tx.sql(INSERT, [newId(), organizationId, groupId, row.membership_id, row.id, tx.now()]);
      forget(tx, `actor:${row.id}`);
      return joined(tx, group, row);
    }),
  );
}

/**
 * Takes a person out of a group.
 *
 * @throws DomainError 403 `PermissionBoundaryError` where the group forbids it what the caller may not do either; 400
 * where the organization or a project would be left without an administrator; 404 for one who is not in the group.
 */
export async function removeUserFromGroup(ctx: Context, { id, username }: GroupUserRef): Promise<GroupUser> {
  await authorize(ctx, permissions['remove-members']);
  return part(ctx, id, 'user', userNamed(username), (tx, group, row) => {
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
  return part(ctx, id, 'identity', identityNamed(machineIdentityId), (tx, group, row) => {
    record(tx, groupIdentityRemoved, { ...eventOf(group), identityId: row.id });
    return toIdentity(row);
  });
}

async function part<T>(ctx: Context, ref: string, what: string, find: FindActor, parted: Joined<T>): Promise<T> {
  const group = await findGroupByRef(ctx, ref);
  const { id: groupId, orgId: organizationId } = group;
  return inTransaction(ctx, (tx) =>
    keepingAllAdmins(tx, { organizationId, groupId }, async () => {
      const row = await find(tx, group);
      if (row?.joined_at == null) throw notFound(what);
      await requireMayLiftDenials(tx, { organizationId, groupId, actorId: row.id });
      await tx.sql(DELETE, [organizationId, groupId, row.id]);
      forget(tx, `actor:${row.id}`);
      return parted(tx, group, row);
    }),
  );
}

const OF_USER = statement(
  'groups.of_user',
  `select g.id, g.name, g.slug, g.organization_id as "orgId" from groups g join group_members m on m.group_id = g.id
   where g.organization_id = $1 and m.actor_id = $2 order by lower(g.name), g.id`,
);
const MEMBER_NAMED = statement(
  'memberships.user_named',
  `select u.id from memberships m join users u on u.id = m.user_id
   where m.organization_id = $1 and m.project_id is null and u.username = $2`,
);

/** The groups that a person is in: its own ones are shown to everybody. */
export async function listGroupsOfUser(ctx: Context, { username }: GroupsOfUser): Promise<GroupSummary[]> {
  const { actor } = ctx;
  if (actor.type === 'user' && actor.username === username) grant(ctx, permissions.read);
  else await authorize(ctx, permissions.read);
  const organizationId = organizationOf(ctx);
  const [user] = await ctx.sql<{ id: string }>(MEMBER_NAMED, [organizationId, username]);
  if (!user) throw notFound('user');
  return ctx.sql<GroupSummary>(OF_USER, [organizationId, user.id]);
}
