import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { ChangedRole, MembershipRole, RecordedRoles, RoleAssignments } from '../../access/membership/membership.ts';
import { PublishedRule } from '../../access/rule.ts';
import { IdentityProject } from '../../identities/identity/identity.ts';
import { count, defineEvent, Email, flag, Id, Instant, text, Timestamps, Uuid } from '../../kernel/schema.ts';
import { GroupIdOrName } from '../../organizations/group/group.ts';
import { Person } from '../../users/user/user.ts';

export const projectMemberPermissions = projectPermissions('member');
export const identityMemberPermissions = projectPermissions('identity');
export const groupMemberPermissions = projectPermissions('groups');

/** The bare membership of a person. */
export const ProjectMemberRef = z.object({ id: Uuid, userId: Uuid, projectId: Uuid, ...Timestamps.shape });
export type ProjectMemberRef = z.output<typeof ProjectMemberRef>;

/** A person as a member of a project. */
export const ProjectMember = z.object({
  id: Uuid.describe('ID of the membership'),
  createdAt: Instant,
  userId: Uuid,
  projectId: Uuid,
  user: Person.omit({ isEmailVerified: true }),
  roles: z.array(MembershipRole).describe('Includes roles that have ended or not begun'),
});
export type ProjectMember = z.output<typeof ProjectMember>;

export const ProjectUser = ProjectMember.omit({ createdAt: true }).extend({
  isGroupMember: z.boolean().describe("Member by a group only; the ID is then that of the group's membership"),
  project: z.object({ id: Uuid, name: z.string() }),
});
export type ProjectUser = z.output<typeof ProjectUser>;

export const MembersOfProject = z.object({ projectId: Id });
export const ListProjectUsers = MembersOfProject.extend({
  includeGroupMembers: flag().default(false).describe('Includes members by a group only'),
});
export type ListProjectUsers = z.output<typeof ListProjectUsers>;
export const ProjectMembershipById = MembersOfProject.extend({ membershipId: Id });
export type ProjectMembershipById = z.output<typeof ProjectMembershipById>;

const Username = text(255).trim().toLowerCase().min(1);
const people = { emails: z.array(Email).max(1000).default([]), usernames: z.array(Username).max(1000).default([]) };

export const AddProjectMembers = MembersOfProject.extend({
  ...people,
  roleSlugs: z.array(text(64).trim().min(1)).min(1).max(50).default(['member']),
}).describe('Users of the organization, by e-mail address or user name');
export type AddProjectMembers = z.output<typeof AddProjectMembers>;

export const AddOrganizationMembers = MembersOfProject.extend({
  members: z
    .array(z.object({ orgMembershipId: Id }))
    .min(1)
    .max(1000),
}).describe('Users of the organization, by the IDs of their memberships there');
export type AddOrganizationMembers = z.output<typeof AddOrganizationMembers>;

export const RemoveProjectMembers = MembersOfProject.extend(people);
export type RemoveProjectMembers = z.output<typeof RemoveProjectMembers>;

export const ProjectMemberByUsername = MembersOfProject.extend({ username: Username });
export type ProjectMemberByUsername = z.output<typeof ProjectMemberByUsername>;

export const UpdateProjectMemberRoles = ProjectMembershipById.extend({
  roles: RoleAssignments.refine(
    (roles) => roles.some(({ isTemporary }) => !isTemporary),
    'At least one role must be permanent',
  ),
});
export type UpdateProjectMemberRoles = z.output<typeof UpdateProjectMemberRoles>;

/** The bare membership of a machine identity. */
export const IdentityMemberRef = z.object({ id: Uuid, identityId: Uuid, projectId: Uuid, ...Timestamps.shape });
export type IdentityMemberRef = z.output<typeof IdentityMemberRef>;

/** A machine identity as a member of a project. */
export const IdentityMember = IdentityProject;
export type IdentityMember = z.output<typeof IdentityMember>;

export const IdentityMemberById = MembersOfProject.extend({ identityId: Id });
export type IdentityMemberById = z.output<typeof IdentityMemberById>;

const InitialRoles = {
  role: text(64).trim().min(1).default('no-access').describe('Used if `roles` is omitted'),
  roles: RoleAssignments.optional(),
};

export const AddIdentityMember = IdentityMemberById.extend(InitialRoles);
export type AddIdentityMember = z.output<typeof AddIdentityMember>;

export const UpdateIdentityMember = IdentityMemberById.extend({ roles: RoleAssignments });
export type UpdateIdentityMember = z.output<typeof UpdateIdentityMember>;

export const ListIdentityMembers = MembersOfProject.extend({
  offset: count(0, 1_000_000).default(0),
  limit: count(1, 20_000).default(20_000),
  orderBy: z.literal('name').default('name'),
  orderDirection: z.enum(['asc', 'desc']).default('asc'),
  search: text(255).trim().optional().describe('A part of the name'),
});
export type ListIdentityMembers = z.output<typeof ListIdentityMembers>;

/** The bare membership of a group. */
export const GroupMemberRef = z.object({ id: Uuid, groupId: Uuid, projectId: Uuid, ...Timestamps.shape });
export type GroupMemberRef = z.output<typeof GroupMemberRef>;

/** A group as a member of a project: its members have its roles there. */
export const GroupMember = GroupMemberRef.extend({
  roles: z.array(MembershipRole).describe('Includes roles that have ended or not begun'),
  group: z.object({ id: Uuid, name: z.string(), slug: z.string(), orgId: Uuid }),
});
export type GroupMember = z.output<typeof GroupMember>;

export const GroupMemberById = MembersOfProject.extend({ groupId: GroupIdOrName });
export type GroupMemberById = z.output<typeof GroupMemberById>;

export const AddGroupMember = GroupMemberById.extend(InitialRoles);
export type AddGroupMember = z.output<typeof AddGroupMember>;

export const UpdateGroupMember = GroupMemberById.extend({ roles: RoleAssignments });
export type UpdateGroupMember = z.output<typeof UpdateGroupMember>;

export const ChangedProjectRoles = z.object({ roles: z.array(ChangedRole) });

/** The caller's membership and permissions in a project. For a member only by a group, the group's membership. */
export const OwnProjectAccess = z.object({
  membership: z.object({
    id: Uuid,
    userId: z.string().nullable(),
    identityId: z.string().nullable(),
    projectId: Uuid,
    roles: z.array(MembershipRole),
    ...Timestamps.shape,
  }),
  permissions: z.array(PublishedRule).describe('All rules in force, in order'),
});
export type OwnProjectAccess = z.output<typeof OwnProjectAccess>;

const person = z.object({ membershipId: z.string(), userId: z.string() });
const machine = z.object({ membershipId: z.string(), identityId: z.string() });
const group = z.object({ membershipId: z.string(), groupId: z.string() });
export const projectMemberAdded = defineEvent(
  'project_member.added',
  'add-workspace-member',
  person.extend(RecordedRoles),
);
export const projectMemberRolesChanged = defineEvent(
  'project_member.roles_changed',
  'update-user-workspace-role',
  person.extend(RecordedRoles),
);
export const projectMemberLeft = defineEvent('project_member.left', 'leave-workspace', person);
export const identityMemberAdded = defineEvent(
  'project_identity.added',
  'create-identity-project-membership',
  machine.extend(RecordedRoles),
);
export const identityMemberRolesChanged = defineEvent(
  'project_identity.roles_changed',
  'update-identity-project-membership',
  machine.extend(RecordedRoles),
);
export const groupMemberAdded = defineEvent(
  'project_group.added',
  'create-group-project-membership',
  group.extend(RecordedRoles),
);
export const groupMemberRolesChanged = defineEvent(
  'project_group.roles_changed',
  'update-group-project-membership',
  group.extend(RecordedRoles),
);
