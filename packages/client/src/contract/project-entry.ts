// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { EnterableProject } from './shared.ts';

export type EnteredMembership = {
  id: string;
  /** null for a machine identity */ userId: string | null;
  /** Only for a machine identity */ identityId?: string;
  projectId: string;
  createdAt: string;
  updatedAt: string;
};

export type ListAllProjects = {
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `50`) */ limit?: number;
  /** A part of the name */ search?: string;
};

export interface ProjectEntryApi {
  /**
   * List all projects of the organization.
   * `GET /api/v1/organization-admin/projects`. Needs `access-all-projects` on `organization-admin-console`.
   */
  list: Query<ListAllProjects, { projects: EnterableProject[]; count: number }>;
  /**
   * Join a project of the organization as its administrator.
   * `POST /api/v1/organization-admin/projects/{projectId}/grant-admin-access`. Needs `access-all-projects` on `organization-admin-console`.
   */
  enter: Mutation<{ projectId: string }, { membership: EnteredMembership }>;
  /**
   * Request access to a project.
   * The administrators of the project get an e-mail. The response does not reveal whether the project exists.
   * `POST /api/v1/workspace/{workspaceId}/project-access`.
   */
  ask: Mutation<
    {
      /** Sent to the administrators with the request */ comment?: string | null;
      /** The ID of the project */ workspaceId: string;
    },
    { message: string }
  >;
}
