// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { ChangedProjectRoles, GroupSummary, MembersOfProject } from './shared.ts';

export type AddGroupMember = {
  /** UUID */ projectId: string;
  /** ID, name or slug of the group */ groupId: string;
  /** Used if `roles` is omitted (default: `'no-access'`) */ role?: string;
  roles?: ({
    /** A built-in role, or the slug of a custom role */ role: string;
    isTemporary: true;
    temporaryMode: 'relative';
    /** For example 30m, 1h, 2d */ temporaryRange: string;
    /** RFC 3339 */ temporaryAccessStartTime: string;
  } | {
    /** A built-in role, or the slug of a custom role */ role: string;
    /** Default: `false` */ isTemporary?: false;
  })[];
};

export type GroupMember = GroupMemberRef & {
  /** Includes roles that have ended or not begun */
  roles: {
    /** UUID */ id: string;
    role: string;
    customRoleId: string | null;
    customRoleName: string | null;
    customRoleSlug: string | null;
    isTemporary: boolean;
    temporaryMode: string | null;
    temporaryRange: string | null;
    temporaryAccessStartTime: string | null;
    /** The start plus the range */ temporaryAccessEndTime: string | null;
  }[];
  group: GroupSummary;
};

export type GroupMemberById = {
  /** UUID */ projectId: string;
  /** ID, name or slug of the group */ groupId: string;
};

export type GroupMemberRef = {
  /** UUID */ id: string;
  /** UUID */ groupId: string;
  /** UUID */ projectId: string;
  createdAt: string;
  updatedAt: string;
};

export type UpdateGroupMember = {
  /** UUID */ projectId: string;
  /** ID, name or slug of the group */ groupId: string;
  roles: ({
    /** A built-in role, or the slug of a custom role */ role: string;
    isTemporary: true;
    temporaryMode: 'relative';
    /** For example 30m, 1h, 2d */ temporaryRange: string;
    /** RFC 3339 */ temporaryAccessStartTime: string;
  } | {
    /** A built-in role, or the slug of a custom role */ role: string;
    /** Default: `false` */ isTemporary?: false;
  })[];
};

export interface ProjectGroupsApi {
  /** List the groups of a project. `GET /api/v1/projects/{projectId}/memberships/groups`. Needs `read` on `groups`. */
  list: Query<MembersOfProject, { groupMemberships: GroupMember[] }>;
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
