import { z } from 'zod';
import { organizationPermissions } from '../../access/catalogue.ts';
import { CustomRole } from '../../access/role/role.ts';
import {
  defineEvent,
  defineUpdate,
  Id,
  IdOrName,
  Instant,
  isId,
  page,
  slug,
  text,
  Timestamps,
  Uuid,
} from '../../kernel/schema.ts';

export const groupPermissions = organizationPermissions('groups');

/** People and machine identities of an organization who are given rights together. */
export const Group = z.object({
  id: Uuid,
  orgId: Uuid,
  name: z.string(),
  slug: z.string(),
  role: z.string().describe('A built-in role of the organization, or `custom`'),
  roleId: z.string().nullable().describe('ID of the custom role'),
  ...Timestamps.shape,
});
export const GroupDetails = Group.extend({ customRoleSlug: z.string().nullable() });
export const GroupWithRole = Group.extend({ customRole: CustomRole.nullable() });
/** A group with all fields of any response. */
export type Group = z.output<typeof GroupDetails> & z.output<typeof GroupWithRole>;

const name = text(50).trim().min(1);
const role = text(64).trim().min(1).describe('A built-in role of the organization, or the slug of a custom role');
const groupSlug = slug(5, 36)
  .refine((given) => !isId(given), 'A slug cannot have the form of a UUID')
  .meta({ examples: ['on-call'] });

export const CreateGroup = z.object({
  name,
  slug: groupSlug.optional().describe('Default: derived from the name'),
  role: role.default('no-access'),
});
export type CreateGroup = z.output<typeof CreateGroup>;

/** Groups can be named by their names and slugs wherever an ID is accepted. */
export const GroupIdOrName = IdOrName.describe('ID, name or slug of the group');
export const GroupRef = z.object({ id: GroupIdOrName });
export type GroupRef = z.output<typeof GroupRef>;

export const UpdateGroup = GroupRef.extend({
  name: name.optional(),
  slug: groupSlug.optional(),
  role: role.optional(),
});
export type UpdateGroup = z.output<typeof UpdateGroup>;

// Who is in a group

const search = text(255).trim().optional();
const offsets = page({ limit: 10, maxLimit: 100 }).shape;

const GroupUser = z.object({
  id: Uuid,
  email: z.string().nullable(),
  username: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
});
const GroupIdentity = z.object({ id: Uuid, name: z.string() });
/** Whether the actor is in the group; `joinedGroupAt` is null if not. */
const Part = { isPartOfGroup: z.boolean(), joinedGroupAt: Instant.nullable() };

export const ListedGroupUser = GroupUser.extend(Part);
export type ListedGroupUser = z.output<typeof ListedGroupUser>;
export const ListedGroupIdentity = GroupIdentity.extend(Part);
export type ListedGroupIdentity = z.output<typeof ListedGroupIdentity>;

export const ListGroupUsers = GroupRef.extend({
  ...offsets,
  username: search.describe('A part of the user name'),
  search: search.describe('A part of the user name, the address or the name'),
  filter: z.enum(['existingMembers', 'nonMembers']).optional(),
});
export type ListGroupUsers = z.output<typeof ListGroupUsers>;

export const ListGroupIdentities = GroupRef.extend({
  ...offsets,
  search: search.describe('A part of the name'),
  filter: z.enum(['assignedMachineIdentities', 'nonAssignedMachineIdentities']).optional(),
});
export type ListGroupIdentities = z.output<typeof ListGroupIdentities>;

const Joined = { id: Uuid, joinedGroupAt: Instant };
/** A member of a group: a user or a machine identity. */
export const GroupMemberOfEitherKind = z.union([
  z.object({ ...Joined, type: z.literal('user'), user: GroupUser }),
  z.object({ ...Joined, type: z.literal('machineIdentity'), machineIdentity: GroupIdentity }),
]);
export type GroupMemberOfEitherKind = z.output<typeof GroupMemberOfEitherKind>;

const MemberType = z.enum(['users', 'machineIdentities']);
export const ListMembersOfGroup = GroupRef.extend({
  ...offsets,
  search: search.describe('A part of the name or the address'),
  orderBy: z.literal('name').default('name'),
  orderDirection: z.enum(['asc', 'desc']).default('asc'),
  memberTypeFilter: z.union([MemberType, z.array(MemberType).max(2)]).optional(),
});
export type ListMembersOfGroup = z.output<typeof ListMembersOfGroup>;

export const GroupUserRef = GroupRef.extend({ username: text(255).trim().toLowerCase().min(1) });
export type GroupUserRef = z.output<typeof GroupUserRef>;
export const GroupIdentityRef = GroupRef.extend({ machineIdentityId: Id });
export type GroupIdentityRef = z.output<typeof GroupIdentityRef>;
export { GroupUser, GroupIdentity };
export type GroupUser = z.output<typeof GroupUser>;
export type GroupIdentity = z.output<typeof GroupIdentity>;

export const GroupSummary = Group.pick({ id: true, name: true, slug: true, orgId: true });
export type GroupSummary = z.output<typeof GroupSummary>;
export const GroupsOfUser = GroupUserRef.pick({ username: true });
export type GroupsOfUser = z.output<typeof GroupsOfUser>;

// Where a group is

export const GroupProject = z.object({
  id: Uuid,
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  type: z.string(),
  joinedGroupAt: Instant.nullable().describe('When the group was added to the project; null if it is not a member'),
});
export type GroupProject = z.output<typeof GroupProject>;

export const ListGroupProjects = GroupRef.extend({
  ...offsets,
  search: search.describe('A part of the name'),
  filter: z.enum(['assignedProjects', 'unassignedProjects']).optional(),
  orderBy: z.literal('name').default('name'),
  orderDirection: z.enum(['asc', 'desc']).default('asc'),
});
export type ListGroupProjects = z.output<typeof ListGroupProjects>;

const GroupEvent = z.object({ groupId: z.string(), name: z.string(), slug: z.string() });
export const groupCreated = defineEvent('group.created', 'create-group', GroupEvent.extend({ role: z.string() }));
export const groupUpdated = defineUpdate(
  'group.updated',
  'update-group',
  GroupEvent.extend({ role: z.string().nullable() }),
);
export const groupDeleted = defineEvent('group.deleted', 'delete-group', GroupEvent);

const UserEvent = GroupEvent.extend({ userId: z.string() });
const IdentityEvent = GroupEvent.extend({ identityId: z.string() });
export const groupUserAdded = defineEvent('group_user.added', 'add-group-user', UserEvent);
export const groupUserRemoved = defineEvent('group_user.removed', 'remove-group-user', UserEvent);
export const groupIdentityAdded = defineEvent('group_identity.added', 'add-group-machine-identity', IdentityEvent);
export const groupIdentityRemoved = defineEvent(
  'group_identity.removed',
  'remove-group-machine-identity',
  IdentityEvent,
);
