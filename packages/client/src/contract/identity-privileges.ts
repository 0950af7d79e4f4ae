// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { Privilege, PrivilegeSummary, PrivilegeType, ProjectRules } from './shared.ts';

export type CreateIdentityPrivilege = {
  identityId: string;
  projectId: string;
  /** Default: generated */ slug?: string;
  permissions: ProjectRules;
  type: PrivilegeType;
};

export interface IdentityPrivilegesApi {
  /**
   * List the privileges of a machine identity in a project.
   * `GET /api/v2/identity-project-additional-privilege`. Needs `read` on `identity`.
   */
  list: Query<{ identityId: string; projectId: string }, { privileges: PrivilegeSummary[] }>;
  /**
   * Grant a privilege to a machine identity in a project.
   * `POST /api/v2/identity-project-additional-privilege`. Needs `edit` on `identity`.
   */
  create: Mutation<CreateIdentityPrivilege, { privilege: Privilege }>;
  /** Read a privilege of a machine identity. `GET /api/v2/identity-project-additional-privilege/{id}`. Needs `read` on `identity`. */
  get: Query<{ id: string }, { privilege: Privilege }>;
  /**
   * Read a privilege of a machine identity by its slug.
   * `GET /api/v2/identity-project-additional-privilege/slug/{privilegeSlug}`. Needs `read` on `identity`.
   */
  getBySlug: Query<{ identityId: string; privilegeSlug: string; projectSlug: string }, { privilege: Privilege }>;
  /** Update a privilege of a machine identity. `PATCH /api/v2/identity-project-additional-privilege/{id}`. Needs `edit` on `identity`. */
  update: Mutation<
    { /** Default: generated */ slug?: string; permissions?: ProjectRules; type?: PrivilegeType; id: string },
    { privilege: Privilege }
  >;
  /** Delete a privilege of a machine identity. `DELETE /api/v2/identity-project-additional-privilege/{id}`. Needs `edit` on `identity`. */
  delete: Mutation<{ id: string }, { privilege: Privilege }>;
}
