// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { ChangedProjectRoles, GroupUser, MembersOfProject, ProjectMember, ProjectMemberRef, PublishedRule } from './shared.ts';

export type OwnProjectAccess = {
  membership: {
    /** UUID */ id: string;
    userId: string | null;
    identityId: string | null;
    /** UUID */ projectId: string;
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
    createdAt: string;
    updatedAt: string;
  };
  /** All rules in force, in order */ permissions: PublishedRule[];
};

export type ProjectUser = {
  /** ID of the membership */ id: string;
  /** UUID */ userId: string;
  /** UUID */ projectId: string;
  user: GroupUser & {
    /** Always null: keys stay on the server */ publicKey: string | null;
  };
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
  /** Member by a group only; the ID is then that of the group's membership */
  isGroupMember: boolean;
  project: {
    /** UUID */ id: string;
    name: string;
  };
};

export interface ProjectMembersV1Api {
  /**
   * List the members of a project.
   * `GET /api/v1/workspace/{workspaceId}/memberships`. Needs `read` on `member`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  list: Query<
    {
      /** The ID of the project */ workspaceId: string;
    },
    { memberships: ProjectMember[] }
  >;
  /**
   * Add users of the organization to a project.
   * `POST /api/v1/workspace/{workspaceId}/memberships`. Needs `create` on `member`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  add: Mutation<
    {
      /** The ID of the project */ workspaceId: string;
      members: {
        /** UUID */ orgMembershipId: string;
      }[];
    },
    { success: boolean; data: ProjectMemberRef[] }
  >;
  /**
   * List the members of a project.
   * `GET /api/v1/workspace/{workspaceId}/users`. Needs `read` on `member`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  users: Query<
    {
      /** The ID of the project */ workspaceId: string;
      /** Includes members by a group only (default: `false`) */
      includeGroupMembers?: boolean;
    },
    { users: ProjectUser[] }
  >;
  /**
   * Read a project membership.
   * `GET /api/v1/workspace/{workspaceId}/memberships/{membershipId}`. Needs `read` on `member`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  get: Query<
    {
      /** The ID of the project */ workspaceId: string;
      /** UUID */ membershipId: string;
    },
    { membership: ProjectMember }
  >;
  /**
   * Read the membership of a user in a project.
   * `POST /api/v1/workspace/{workspaceId}/memberships/details`. Needs `read` on `member`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  getByUsername: Mutation<
    {
      /** The ID of the project */ workspaceId: string;
      username: string;
    },
    {
      membership: {
        /** ID of the membership */ id: string;
        /** UUID */ userId: string;
        /** UUID */ projectId: string;
        user: GroupUser & {
          /** Always null: keys stay on the server */ publicKey: string | null;
        };
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
      };
    }
  >;
  /**
   * Update the roles of a project member.
   * `PATCH /api/v1/workspace/{workspaceId}/memberships/{membershipId}`. Needs `edit` on `member`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  update: Mutation<
    {
      /** The ID of the project */ workspaceId: string;
      /** UUID */ membershipId: string;
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
    },
    ChangedProjectRoles
  >;
  /**
   * Remove a user from a project.
   * `DELETE /api/v1/workspace/{workspaceId}/memberships/{membershipId}`. Needs `delete` on `member`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  remove: Mutation<
    {
      /** The ID of the project */ workspaceId: string;
      /** UUID */ membershipId: string;
    },
    { membership: ProjectMemberRef }
  >;
  /** Leave a project. `DELETE /api/v1/workspace/{workspaceId}/leave`. */
  leave: Mutation<
    {
      /** The ID of the project */ workspaceId: string;
    },
    { membership: ProjectMemberRef }
  >;
  /** Read the membership and the permissions of the caller in a project. `GET /api/v1/workspace/{projectId}/permissions`. */
  permissions: Query<MembersOfProject, { data: OwnProjectAccess }>;
}
