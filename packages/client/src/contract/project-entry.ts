// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { MembersOfProject } from './shared.ts';

export type EnterableProject = {
  /** UUID */
  id: string;
  name: string;
  description: string | null;
  type: string;
  slug: string;
  autoCapitalization: boolean;
  /** UUID */
  orgId: string;
  createdAt: string;
  updatedAt: string;
  version: number;
  upgradeStatus: string | null;
  pitVersionLimit: number;
  kmsCertificateKeyId: string | null;
  auditLogsRetentionDays: number | null;
};

export type EnteredMembership = {
  /** UUID */
  id: string;
  /** null for a machine identity */
  userId: string | null;
  /** Only for a machine identity */
  identityId?: string;
  /** UUID */
  projectId: string;
  createdAt: string;
  updatedAt: string;
};

export type ListAllProjects = {
  /**
   * Number of items to skip
   * Default: `0`
   */
  offset?: number;
  /**
   * Maximum number of items
   * Default: `50`
   */
  limit?: number;
  /** A part of the name */
  search?: string;
};

export interface ProjectEntryApi {
  /**
   * List all projects of the organization.
   *
   * `GET /api/v1/organization-admin/projects`
   * Needs `access-all-projects` on `organization-admin-console`.
   */
  list: Query<ListAllProjects, { projects: EnterableProject[]; count: number }>;
  /**
   * Join a project of the organization as its administrator.
   *
   * `POST /api/v1/organization-admin/projects/{projectId}/grant-admin-access`
   * Needs `access-all-projects` on `organization-admin-console`.
   */
  enter: Mutation<MembersOfProject, { membership: EnteredMembership }>;
  /**
   * Request access to a project.
   *
   * The administrators of the project get an e-mail. The response does not reveal whether the project exists.
   *
   * `POST /api/v1/workspace/{workspaceId}/project-access`
   */
  ask: Mutation<
    {
      /** Sent to the administrators with the request */
      comment?: string | null;
      /** The ID of the project */
      workspaceId: string;
    },
    { message: string }
  >;
}
