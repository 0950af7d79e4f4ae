// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { GivenSshLoginMapping, SshHost, SshLoginMapping } from './shared.ts';

export type CreateSshHostGroup = {
  projectId: string;
  /** Unique in the project */ name: string;
  /** Who may log in as which local user (default: `[]`) */ loginMappings?: GivenSshLoginMapping[];
  principalMode?: 'login-user' | 'host-bound' | null;
  userSshCaId?: string | null;
};

export type ListSshHostsOfGroup = { sshHostGroupId: string; /** Default: all hosts of the project */ filter?: 'group-members' | 'non-group-members' };

export type SshHostGroup = {
  id: string;
  projectId: string;
  name: string;
  /** Of its hosts, unless they have their own */ principalMode: 'login-user' | 'host-bound' | null;
  /** The authority of user certificates for its hosts, unless they have their own */ userSshCaId: string | null;
  /** They hold on all hosts of the group */ loginMappings: SshLoginMapping[];
};

export type SshHostOfGroup = { id: string; hostname: string; alias: string | null; isPartOfGroup: boolean; joinedGroupAt: string | null };

export type UpdateSshHostGroup = {
  sshHostGroupId: string;
  /** Unique in the project */ name?: string;
  /** Who may log in as which local user */ loginMappings?: GivenSshLoginMapping[];
  /** null: each host has its own, or the default of the project */ principalMode?: 'login-user' | 'host-bound' | null;
  /** null: each host has its own, or the default of the project */ userSshCaId?: string | null;
};

export interface SshHostGroupsApi {
  /** List the SSH host groups of a project. `GET /api/v2/workspace/{projectId}/ssh-host-groups`. Needs `read` on `ssh-host-groups`. */
  list: Query<{ projectId: string }, { groups: (SshHostGroup & { hostCount: number })[] }>;
  /** Create an SSH host group. `POST /api/v1/ssh/host-groups`. Needs `create` on `ssh-host-groups`. */
  create: Mutation<CreateSshHostGroup, SshHostGroup>;
  /** Read an SSH host group. `GET /api/v1/ssh/host-groups/{sshHostGroupId}`. Needs `read` on `ssh-host-groups`. */
  get: Query<{ sshHostGroupId: string }, SshHostGroup>;
  /**
   * Update an SSH host group.
   * Needs the permission to edit every host on which somebody may log in by this, or no longer may.
   * `PATCH /api/v1/ssh/host-groups/{sshHostGroupId}`. Needs `edit` on `ssh-host-groups`.
   */
  update: Mutation<UpdateSshHostGroup, SshHostGroup>;
  /**
   * Delete an SSH host group; its hosts stay.
   * Needs the permission to edit every host on which somebody may log in by this, or no longer may.
   * `DELETE /api/v1/ssh/host-groups/{sshHostGroupId}`. Needs `delete` on `ssh-host-groups`.
   */
  delete: Mutation<{ sshHostGroupId: string }, SshHostGroup>;
  /** List the hosts of an SSH host group. `GET /api/v1/ssh/host-groups/{sshHostGroupId}/hosts`. Needs `read` on `ssh-host-groups`. */
  listHosts: Query<ListSshHostsOfGroup, { hosts: SshHostOfGroup[]; totalCount: number }>;
  /**
   * Add a host to an SSH host group.
   * Needs the permission to edit every host on which somebody may log in by this, or no longer may.
   * `POST /api/v1/ssh/host-groups/{sshHostGroupId}/hosts/{hostId}`. Needs `edit` on `ssh-host-groups`.
   */
  addHost: Mutation<{ sshHostGroupId: string; hostId: string }, SshHost>;
  /**
   * Remove a host from an SSH host group.
   * Needs the permission to edit every host on which somebody may log in by this, or no longer may.
   * `DELETE /api/v1/ssh/host-groups/{sshHostGroupId}/hosts/{hostId}`. Needs `edit` on `ssh-host-groups`.
   */
  removeHost: Mutation<{ sshHostGroupId: string; hostId: string }, SshHost>;
}
