// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export type CreateEnvironment = {
  projectId: string;
  name: string;
  slug: string;
  /** 1 is the first. Default, or if too high: the last */ position?: number;
};

export type DeletedEnvironment = {
  id: string;
  name: string;
  slug: string;
  projectId: string;
  deletedAt: string;
  /** 30 days after the deletion */ restorableUntil: string;
};

export type Environment = {
  id: string;
  name: string;
  slug: string;
  /** Starts at 1 */ position: number;
  projectId: string;
  createdAt: string;
  updatedAt: string;
};

export type UpdateEnvironment = {
  projectId: string;
  id: string;
  name?: string;
  slug?: string;
  /** 1 is the first; 0 keeps the position */ position?: number;
};

export interface EnvironmentsApi {
  /** Create an environment. `POST /api/v1/projects/{projectId}/environments`. Needs `create` on `environments`. */
  create: Mutation<
    CreateEnvironment,
    { environment: Environment; message: string; /** The ID of the project */ workspace: string }
  >;
  /** Update an environment or its position. `PATCH /api/v1/projects/{projectId}/environments/{id}`. Needs `edit` on `environments`. */
  update: Mutation<
    UpdateEnvironment,
    { environment: Environment; message: string; /** The ID of the project */ workspace: string }
  >;
  /**
   * Delete an environment with its folders and secrets.
   * `DELETE /api/v1/projects/{projectId}/environments/{id}`. Needs `delete` on `environments`.
   */
  delete: Mutation<
    { projectId: string; id: string },
    { environment: Environment; message: string; /** The ID of the project */ workspace: string }
  >;
  /** Read an environment. `GET /api/v1/projects/{projectId}/environments/{id}`. Needs `read` on `environments`. */
  get: Query<{ projectId: string; id: string }, { environment: Environment }>;
  /** Read an environment by its ID alone. `GET /api/v1/projects/environments/{id}`. Needs `read` on `environments`. */
  getById: Query<{ id: string }, { environment: Environment }>;
  /**
   * List the deleted environments that can be restored.
   * `GET /api/v1/projects/{projectId}/environments/deleted`. Needs `read` on `environments`.
   */
  listDeleted: Query<{ projectId: string }, { environments: DeletedEnvironment[] }>;
  /**
   * Restore an environment that was deleted in the last 30 days.
   * Restores its folders, secrets (with the personal values of all users) and imports, and the imports from it. Does not restore dynamic secrets, replications, webhooks, integrations and policies.
   * `POST /api/v1/projects/{projectId}/environments/{id}/restore`. Needs `create` on `environments`.
   */
  restore: Mutation<{ projectId: string; id: string }, { environment: Environment }>;
}
