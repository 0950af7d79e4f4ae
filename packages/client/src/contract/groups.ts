// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { CustomRole, GroupUser } from './shared.ts';

export type CreateGroup = {
  name: string;
  /** Default: derived from the name */ slug?: string;
  /** A built-in role of the organization, or the slug of a custom role (default: `'no-access'`) */ role?: string;
};

export type Group = { id: string; name: string; slug: string; orgId: string } & {
  /** A built-in role of the organization, or `custom` */ role: string;
  /** ID of the custom role */ roleId: string | null;
  createdAt: string;
  updatedAt: string;
};

export type GroupIdentityRef = { /** ID, name or slug of the group */ id: string; machineIdentityId: string };

export type GroupMemberOfEitherKind = { id: string; joinedGroupAt: string; type: 'user'; user: GroupUser } | { id: string; joinedGroupAt: string; type: 'machineIdentity'; machineIdentity: { id: string; name: string } };

export type GroupProject = {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  type: string;
  /** When the group was added to the project; null if it is not a member */ joinedGroupAt: string | null;
};

export type GroupRef = { /** ID, name or slug of the group */ id: string };

export type GroupUserRef = { /** ID, name or slug of the group */ id: string; username: string };

export type ListGroupIdentities = {
  /** ID, name or slug of the group */ id: string;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `10`) */ limit?: number;
  /** A part of the name */ search?: string;
  filter?: 'assignedMachineIdentities' | 'nonAssignedMachineIdentities';
};

export type ListGroupProjects = {
  /** ID, name or slug of the group */ id: string;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `10`) */ limit?: number;
  /** A part of the name */ search?: string;
  filter?: 'assignedProjects' | 'unassignedProjects';
  /** Default: `'name'` */ orderBy?: 'name';
  /** Default: `'asc'` */ orderDirection?: 'asc' | 'desc';
};

export type ListGroupUsers = {
  /** ID, name or slug of the group */ id: string;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `10`) */ limit?: number;
  /** A part of the user name */ username?: string;
  /** A part of the user name, the address or the name */ search?: string;
  filter?: 'existingMembers' | 'nonMembers';
};

export type ListMembersOfGroup = {
  /** ID, name or slug of the group */ id: string;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `10`) */ limit?: number;
  /** A part of the name or the address */ search?: string;
  /** Default: `'name'` */ orderBy?: 'name';
  /** Default: `'asc'` */ orderDirection?: 'asc' | 'desc';
  memberTypeFilter?: 'users' | 'machineIdentities' | ('users' | 'machineIdentities')[];
};

export type ListedGroupIdentity = { id: string; name: string; isPartOfGroup: boolean; joinedGroupAt: string | null };

export type ListedGroupUser = GroupUser & { isPartOfGroup: boolean; joinedGroupAt: string | null };

export type UpdateGroup = {
  /** ID, name or slug of the group */ id: string;
  name?: string;
  slug?: string;
  /** A built-in role of the organization, or the slug of a custom role */ role?: string;
};

export interface GroupsApi {
  /** List the groups of the organization. `GET /api/v1/groups`. Needs `read` on `groups`. */
  list: Query<NoInput, Group[]>;
  /**
   * List the groups of the organization with their custom roles.
   * `GET /api/v1/organization/{organizationId}/groups`. Needs `read` on `groups`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  listOfOrganization: Query<{ organizationId: string }, { groups: (Group & { customRole: CustomRole | null })[] }>;
  /** List the groups of a user. `GET /api/v1/user/me/{username}/groups`. Needs `read` on `groups`. */
  listOfUser: Query<{ username: string }, { id: string; name: string; slug: string; orgId: string }[]>;
  /** Create a group. `POST /api/v1/groups`. Needs `create` on `groups`. */
  create: Mutation<CreateGroup, Group>;
  /** Read a group. `GET /api/v1/groups/{id}`. Needs `read` on `groups`. */
  get: Query<GroupRef, Group & { customRoleSlug: string | null }>;
  /** Update a group or its role in the organization. `PATCH /api/v1/groups/{id}`. Needs `edit` on `groups`. */
  update: Mutation<UpdateGroup, Group>;
  /** Delete a group. `DELETE /api/v1/groups/{id}`. Needs `delete` on `groups`. */
  delete: Mutation<GroupRef, Group>;
  /** List the users of a group, and users who are not in it. `GET /api/v1/groups/{id}/users`. Needs `read` on `groups`. */
  users: Query<ListGroupUsers, { users: ListedGroupUser[]; totalCount: number }>;
  /** Add a user to a group. `POST /api/v1/groups/{id}/users/{username}`. Needs `add-members` on `groups`. */
  addUser: Mutation<GroupUserRef, GroupUser>;
  /** Remove a user from a group. `DELETE /api/v1/groups/{id}/users/{username}`. Needs `remove-members` on `groups`. */
  removeUser: Mutation<GroupUserRef, GroupUser>;
  /**
   * List the machine identities of a group, and those that are not in it.
   * `GET /api/v1/groups/{id}/machine-identities`. Needs `read` on `groups`.
   */
  identities: Query<ListGroupIdentities, { machineIdentities: ListedGroupIdentity[]; totalCount: number }>;
  /**
   * Add a machine identity to a group.
   * `POST /api/v1/groups/{id}/machine-identities/{machineIdentityId}`. Needs `add-identities` on `groups`.
   */
  addIdentity: Mutation<GroupIdentityRef, { id: string; name: string }>;
  /**
   * Remove a machine identity from a group.
   * `DELETE /api/v1/groups/{id}/machine-identities/{machineIdentityId}`. Needs `remove-identities` on `groups`.
   */
  removeIdentity: Mutation<GroupIdentityRef, { id: string; name: string }>;
  /** List all members of a group. `GET /api/v1/groups/{id}/members`. Needs `read` on `groups`. */
  members: Query<ListMembersOfGroup, { members: GroupMemberOfEitherKind[]; totalCount: number }>;
  /** List the projects of a group, and projects that it is not in. `GET /api/v1/groups/{id}/projects`. Needs `read` on `groups`. */
  projects: Query<ListGroupProjects, { projects: GroupProject[]; totalCount: number }>;
}
