// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export type SshConfig = {
  /** That of the project */ id: string;
  createdAt: string;
  updatedAt: string;
  projectId: string;
  defaultUserSshCaId: string | null;
  defaultHostSshCaId: string | null;
};

export type UpdateSshConfig = { projectId: string; defaultUserSshCaId?: string; defaultHostSshCaId?: string };

export interface SshConfigsApi {
  /** Read the SSH settings of a project. `GET /api/v1/workspace/{projectId}/ssh-config`. Needs `read` on `settings`. */
  get: Query<{ projectId: string }, SshConfig>;
  /**
   * Update the SSH settings of a project.
   * Another authority also needs the permission to edit it, and the hosts that accept it then.
   * `PATCH /api/v1/workspace/{projectId}/ssh-config`. Needs `edit` on `settings`.
   */
  update: Mutation<UpdateSshConfig, SshConfig>;
}
