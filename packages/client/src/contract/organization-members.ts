// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { GroupUser, MembershipRole, MetadataEntry, OrganizationMembership } from './shared.ts';

export type MemberDetails = OrganizationMembership & { user: Person } & { metadata: { key: string; value: string }[] };

export type MemberProject = {
  id: string;
  userId: string | null;
  projectId: string;
  createdAt: string;
  user: Person;
  project: { id: string; name: string; slug: string; type: string };
  roles: MembershipRole[];
};

export type Person = GroupUser & { /** Always null: keys stay on the server */ publicKey: string | null; isEmailVerified: boolean };

export type UpdateMember = {
  organizationId: string;
  membershipId: string;
  /** A built-in role, or the slug of a custom role */ role?: string;
  /** false: the member loses all access to the organization immediately */ isActive?: boolean;
  metadata?: MetadataEntry[];
};

export interface OrganizationMembersApi {
  /** List the members of the organization. `GET /api/v2/organizations/{organizationId}/memberships`. Needs `read` on `member`. */
  list: Query<{ organizationId: string }, { users: (OrganizationMembership & { user: Person })[] }>;
  /**
   * Read a member of the organization.
   * `GET /api/v2/organizations/{organizationId}/memberships/{membershipId}`. Needs `read` on `member`.
   */
  get: Query<{ organizationId: string; membershipId: string }, { membership: MemberDetails }>;
  /**
   * List the projects of a member.
   * `GET /api/v2/organizations/{organizationId}/memberships/{membershipId}/project-memberships`. Needs `read` on `member`.
   */
  projects: Query<{ organizationId: string; membershipId: string }, { memberships: MemberProject[] }>;
  /**
   * Update the role of a member, or disable or enable its access.
   * `PATCH /api/v2/organizations/{organizationId}/memberships/{membershipId}`. Needs `edit` on `member`.
   */
  update: Mutation<UpdateMember, { membership: OrganizationMembership }>;
  /**
   * Remove a member from the organization.
   * `DELETE /api/v2/organizations/{organizationId}/memberships/{membershipId}`. Needs `delete` on `member`.
   */
  remove: Mutation<{ organizationId: string; membershipId: string }, { membership: OrganizationMembership }>;
  /**
   * Remove several members from the organization; all or none.
   * `DELETE /api/v2/organizations/{organizationId}/memberships`. Needs `delete` on `member`.
   */
  removeMany: Mutation<{ organizationId: string; membershipIds: string[] }, { memberships: OrganizationMembership[] }>;
}
