// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { Organization, OrganizationMembership, PublishedRule } from './shared.ts';

export type OrganizationProject = {
  id: string;
  name: string;
  slug: string;
  type: string;
  organization: string;
  environments: { id: string; name: string; slug: string }[];
};

export type UpdateOrganization = {
  organizationId: string;
  name?: string;
  /** Unique in the instance */ slug?: string;
  defaultMembershipRoleSlug?: string;
  /** For example 30m, 8h, 2d; null: the default of ten days */ userTokenExpiration?: string | null;
  /** How long audit events are kept whose project has no retention of its own; 0: forever */
  auditLogsRetentionDays?: number;
  authEnforced?: boolean;
  scimEnabled?: boolean;
  enforceMfa?: boolean;
};

export interface OrganizationsApi {
  /** List the organizations of the current user. `GET /api/v1/organization`. */
  list: Query<NoInput, { organizations: Organization[] }>;
  /** Read the organization. `GET /api/v1/organization/{organizationId}`. */
  get: Query<{ organizationId: string }, { organization: Organization }>;
  /** Create an organization. `POST /api/v2/organizations`. */
  create: Mutation<{ name: string }, { organization: Organization }>;
  /** Update the organization. `PATCH /api/v1/organization/{organizationId}`. Needs `edit` on `settings`. */
  update: Mutation<UpdateOrganization, { organization: Organization; message: string }>;
  /** Delete the organization and all its data. `DELETE /api/v2/organizations/{organizationId}`. */
  delete: Mutation<{ organizationId: string }, { organization: Organization }>;
  /** Read the membership and the rules of the current user. `GET /api/v1/organization/{organizationId}/permissions`. */
  permissions: Query<{ organizationId: string }, { membership: OrganizationMembership; permissions: PublishedRule[] }>;
  /** List the projects of the current user. `GET /api/v2/organizations/{organizationId}/workspaces`. */
  projects: Query<{ organizationId: string; type?: string }, { workspaces: OrganizationProject[] }>;
}
