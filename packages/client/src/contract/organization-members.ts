// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { GroupUser, MetadataEntry, OrganizationMembership, OrganizationRef } from './shared.ts';

export type MemberDetails = OrganizationMembership & { user: Person } & { metadata: { key: string; value: string }[] };

export type MemberProject = {
  /** UUID */ id: string;
  userId: string | null;
  /** UUID */ projectId: string;
  createdAt: string;
  user: Person;
  project: {
    /** UUID */ id: string;
    name: string;
    slug: string;
    type: string;
  };
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

export type MemberRef = {
  /** UUID */ organizationId: string;
  /** UUID */ membershipId: string;
};

export type Person = GroupUser & {
  /** Always null: keys stay on the server */ publicKey: string | null;
  isEmailVerified: boolean;
};

export type RemoveMembers = {
  /** UUID */ organizationId: string;
  membershipIds: string[];
};

export type UpdateMember = {
  /** UUID */ organizationId: string;
  /** UUID */ membershipId: string;
  /** A built-in role, or the slug of a custom role */ role?: string;
  /** false: the member loses all access to the organization immediately */
  isActive?: boolean;
  metadata?: MetadataEntry[];
};

export interface OrganizationMembersApi {
  /** List the members of the organization. `GET /api/v2/organizations/{organizationId}/memberships`. Needs `read` on `member`. */
  list: Query<OrganizationRef, { users: (OrganizationMembership & { user: Person })[] }>;
  /**
   * Read a member of the organization.
   * `GET /api/v2/organizations/{organizationId}/memberships/{membershipId}`. Needs `read` on `member`.
   */
  get: Query<MemberRef, { membership: MemberDetails }>;
  /**
   * List the projects of a member.
   * `GET /api/v2/organizations/{organizationId}/memberships/{membershipId}/project-memberships`. Needs `read` on `member`.
   */
  projects: Query<MemberRef, { memberships: MemberProject[] }>;
  /**
   * Update the role of a member, or disable or enable its access.
   * `PATCH /api/v2/organizations/{organizationId}/memberships/{membershipId}`. Needs `edit` on `member`.
   */
  update: Mutation<UpdateMember, { membership: OrganizationMembership }>;
  /**
   * Remove a member from the organization.
   * `DELETE /api/v2/organizations/{organizationId}/memberships/{membershipId}`. Needs `delete` on `member`.
   */
  remove: Mutation<MemberRef, { membership: OrganizationMembership }>;
  /**
   * Remove several members from the organization; all or none.
   * `DELETE /api/v2/organizations/{organizationId}/memberships`. Needs `delete` on `member`.
   */
  removeMany: Mutation<RemoveMembers, { memberships: OrganizationMembership[] }>;
}
