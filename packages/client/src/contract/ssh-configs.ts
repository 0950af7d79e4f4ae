// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export type SshConfig = {
  /** That of the project */ id: string;
  createdAt: string;
  updatedAt: string;
  /** UUID */ projectId: string;
  defaultUserSshCaId: string | null;
  defaultHostSshCaId: string | null;
};

export type SshConfigRef = {
  /** UUID */ projectId: string;
};

export type UpdateSshConfig = {
  /** UUID */ projectId: string;
  /** UUID */ defaultUserSshCaId?: string;
  /** UUID */ defaultHostSshCaId?: string;
};

export interface SshConfigsApi {
  /** Read the SSH settings of a project. `GET /api/v1/workspace/{projectId}/ssh-config`. Needs `read` on `settings`. */
  get: Query<SshConfigRef, SshConfig>;
  /**
   * Update the SSH settings of a project.
   * Another authority also needs the permission to edit it, and the hosts that accept it then.
   * `PATCH /api/v1/workspace/{projectId}/ssh-config`. Needs `edit` on `settings`.
   */
  update: Mutation<UpdateSshConfig, SshConfig>;
}
