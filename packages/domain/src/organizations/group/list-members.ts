import { abilityIn, authorize, organizationPermissions } from '../../access/index.ts';
import { at, atOrNull, type Context, type Permission } from '../../kernel/index.ts';
import { findActors, toIdentity, toUser, type ActorKind, type ActorRow, type ActorSearch } from './actors.ts';
import { findGroupByRef } from './find.ts';
import {
  groupPermissions as permissions,
  type GroupMemberOfEitherKind,
  type ListedGroupIdentity,
  type ListedGroupUser,
  type ListGroupIdentities,
  type ListGroupUsers,
  type ListMembersOfGroup,
} from './group.ts';

const people = organizationPermissions('member');
const machines = organizationPermissions('identity');

/**
 * Actors outside of the group are listed only for callers who may see the organization's users or machine identities;
 * others get the members.
 *
 * @throws DomainError 403 if the caller requests those outside and may not see them.
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
  const wanted: ActorSearch = { kinds: ['user'], isPart, name: username, search, offset, limit };
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
  const { rows, totalCount } = await findActors(ctx, group, { kinds: ['identity'], isPart, search, offset, limit });
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
  const kinds: ActorKind[] = [
    ...(types.size === 0 || types.has('users') ? (['user'] as const) : []),
    ...(types.size === 0 || types.has('machineIdentities') ? (['identity'] as const) : []),
  ];
  const { rows, totalCount } = await findActors(ctx, group, { kinds, isPart: true, search, offset, limit, direction });
  return { members: rows.map(toMember), totalCount };
}

const toPart = ({ joinedAt }: ActorRow) => ({
  isPartOfGroup: joinedAt !== null,
  joinedGroupAt: atOrNull(joinedAt),
});
function toMember(row: ActorRow): GroupMemberOfEitherKind {
  const joined = { id: row.id, joinedGroupAt: at(row.joinedAt!) };
  return row.isUser
    ? { ...joined, type: 'user', user: toUser(row) }
    : { ...joined, type: 'machineIdentity', machineIdentity: toIdentity(row) };
}
