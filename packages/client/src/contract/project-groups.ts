// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { ChangedProjectRoles, MembershipRole, RoleAssignment } from './shared.ts';

export type AddGroupMember = {
  projectId: string;
  /** ID, name or slug of the group */ groupId: string;
  /** Used if `roles` is omitted (default: `'no-access'`) */ role?: string;
  roles?: RoleAssignment[];
};

export type GroupMember = GroupMemberRef & {
  /** Includes roles that have ended or not begun */ roles: MembershipRole[];
  group: { id: string; name: string; slug: string; orgId: string };
};

export type GroupMemberById = { projectId: string; /** ID, name or slug of the group */ groupId: string };

export type GroupMemberRef = { id: string; groupId: string; projectId: string; createdAt: string; updatedAt: string };

export type UpdateGroupMember = { projectId: string; /** ID, name or slug of the group */ groupId: string; roles: RoleAssignment[] };

export interface ProjectGroupsApi {
  /** List the groups of a project. `GET /api/v1/projects/{projectId}/memberships/groups`. Needs `read` on `groups`. */
  list: Query<{ projectId: string }, { groupMemberships: GroupMember[] }>;
  /** Add a group to a project. `POST /api/v1/projects/{projectId}/memberships/groups/{groupId}`. Needs `create` on `groups`. */
  add: Mutation<AddGroupMember, { groupMembership: GroupMemberRef }>;
  /**
   * Read the membership of a group in a project.
   * `GET /api/v1/projects/{projectId}/memberships/groups/{groupId}`. Needs `read` on `groups`.
   */
  get: Query<GroupMemberById, { groupMembership: GroupMember }>;
  /**
   * Update the roles of a group in a project.
   * `PATCH /api/v1/projects/{projectId}/memberships/groups/{groupId}`. Needs `edit` on `groups`.
   */
  update: Mutation<UpdateGroupMember, ChangedProjectRoles>;
  /** Remove a group from a project. `DELETE /api/v1/projects/{projectId}/memberships/groups/{groupId}`. Needs `delete` on `groups`. */
  remove: Mutation<GroupMemberById, { groupMembership: GroupMemberRef }>;
}
