// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { PrivilegeSummary, PrivilegeType, ProjectRules, PublishedRule } from './shared.ts';

export type CreateUserPrivilege = { projectMembershipId: string; /** Default: generated */ slug?: string; permissions: ProjectRules; type: PrivilegeType };

export type UserPrivilege = PrivilegeSummary & { userId: string; projectId: string } & { /** Later rules override earlier ones and those of the roles */ permissions: PublishedRule[] };

export interface UserPrivilegesApi {
  /** List the privileges of a user in a project. `GET /api/v1/user-project-additional-privilege`. Needs `read` on `member`. */
  list: Query<{ projectMembershipId: string }, { privileges: (PrivilegeSummary & { userId: string; projectId: string })[] }>;
  /** Grant a privilege to a user in a project. `POST /api/v1/user-project-additional-privilege`. Needs `edit` on `member`. */
  create: Mutation<CreateUserPrivilege, { privilege: UserPrivilege }>;
  /** Read a privilege of a user. `GET /api/v1/user-project-additional-privilege/{privilegeId}`. Needs `read` on `member`. */
  get: Query<{ privilegeId: string }, { privilege: UserPrivilege }>;
  /** Update a privilege of a user. `PATCH /api/v1/user-project-additional-privilege/{privilegeId}`. Needs `edit` on `member`. */
  update: Mutation<
    { /** Default: generated */ slug?: string; permissions?: ProjectRules; type?: PrivilegeType; privilegeId: string },
    { privilege: UserPrivilege }
  >;
  /** Delete a privilege of a user. `DELETE /api/v1/user-project-additional-privilege/{privilegeId}`. Needs `edit` on `member`. */
  delete: Mutation<{ privilegeId: string }, { privilege: UserPrivilege }>;
}
