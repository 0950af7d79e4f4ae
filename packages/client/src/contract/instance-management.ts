// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { AuditActorType, AuditLogPage, GroupUser, UserAgentType } from './shared.ts';

export type InstanceOrganization = {
  id: string;
  name: string;
  slug: string;
  createdAt: string;
  /** Users, invited ones included */ members: number;
  identities: number;
  projects: number;
};

export type InstanceOverview = {
  takenAt: string;
  /** The process that answers; others serve the same port where COFFER_WORKERS is set */
  process: {
    /** Its machine, and its process ID there */ id: string;
    startedAt: string;
    /** Bytes */ resident: number;
    /** Bytes */ heapUsed: number;
    /** Bytes */ external: number;
  };
  database: {
    /** Bytes */ bytes: number;
    version: string;
    /** Open connections to this database, of all clients */ connections: number;
    /** Of the whole server */ maxConnections: number;
    /** The largest ones, with their indexes */
    tables: {
      name: string;
      /** Bytes */ bytes: number;
      /** As the statistics have it */ rows: number;
    }[];
  };
  /** Background jobs in the queue, by task */
  jobs: {
    task: string;
    /** Ready to run */ due: number;
    /** To run later: scheduled, or tried again */ later: number;
    running: number;
    /** Given up; kept for a day */ failed: number;
    oldestDueAt: string | null;
  }[];
  keys: {
    /** Organizations with keys */ organizations: number;
    active: number;
    /** Replaced, and not destroyed yet */ retired: number;
    /** The last change of any key */ changedAt: string | null;
    /** Unfinished rotations */
    rotations: {
      organizationId: string;
      organizationName: string;
      /** New keys that are being distributed */ staged: number;
      /** Older keys under which values are still sealed */ replaced: number;
      /** Keys whose values are all sealed under a new one */ done: number;
    }[];
  };
};

export type ListInstanceAuditLog = {
  /** Published event names, comma-separated: create-secret,delete-secret */ eventType?: string;
  /** ID of the actor */ actor?: string;
  actorType?: AuditActorType;
  userAgentType?: UserAgentType;
  /** Slug of the environment of the event */ environment?: string;
  /** Path of the folder of the event */ secretPath?: string;
  /** Name of the secret of the event */ secretKey?: string;
  /** Comma-separated pairs key=value of the event metadata */ eventMetadata?: string;
  /** Earliest time, inclusive */ startDate?: string;
  /** Latest time, inclusive */ endDate?: string;
  /** The nextCursor of the previous page, or empty for the first one; faster than an offset at any depth. With it, a page may have fewer events than limit although there are more */
  cursor?: string;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `20`) */ limit?: number;
};

export type ListInstanceIdentities = {
  /** A part of the name (default: `''`) */ searchTerm?: string;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `20`) */ limit?: number;
};

export type ListInstanceOrganizations = {
  /** A part of the name or the slug (default: `''`) */ searchTerm?: string;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `20`) */ limit?: number;
};

export type ListInstanceUsers = {
  /** A part of the name or the address (default: `''`) */ searchTerm?: string;
  /** Default: `false` */ adminsOnly?: boolean;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `20`) */ limit?: number;
};

export type RateLimit = {
  id: string;
  /** Requests per minute and caller with GET or HEAD to operations without a class of their own. The value in force; 0: unlimited. */
  readRateLimit: number;
  /** Requests per minute and caller with other methods to operations without a class of their own. The value in force; 0: unlimited. */
  writeRateLimit: number;
  /** Requests per minute and caller, with any method, to operations whose path begins with `secret` or `dynamic-secret` after the version: secrets, secret imports, snapshots, secret approvals, dynamic secrets and leases. The value in force; 0: unlimited. */
  secretsRateLimit: number;
  /** Rejected logins per minute, address and subject; ten times as many for all subjects of an address. Also sign-ups, password resets and other strictly limited operations without a token, per address. Successful logins are not counted. The value in force. */
  authRateLimit: number;
  /** Requests per minute and caller that send invitations to an organization. The value in force; 0: unlimited. */
  inviteUserRateLimit: number;
  /** Stored and returned, without effect: no operation belongs to this class. The value in force; 0: unlimited. */
  mfaRateLimit: number;
  /** Requests per minute and address to operations without a credential, such as revocation lists, OCSP, ACME, the status and the documentation. The value in force; 0: unlimited. */
  publicEndpointLimit: number;
  createdAt: string;
  updatedAt: string;
};

export type UpdateRateLimits = {
  /** Requests per minute and caller with GET or HEAD to operations without a class of their own. 0 disables the limit. `null` means COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
  readRateLimit: number | null;
  /** Requests per minute and caller with other methods to operations without a class of their own. 0 disables the limit. `null` means COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
  writeRateLimit: number | null;
  /** Requests per minute and caller, with any method, to operations whose path begins with `secret` or `dynamic-secret` after the version: secrets, secret imports, snapshots, secret approvals, dynamic secrets and leases. 0 disables the limit. `null` means COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
  secretsRateLimit: number | null;
  /** Rejected logins per minute, address and subject; ten times as many for all subjects of an address. Also sign-ups, password resets and other strictly limited operations without a token, per address. Successful logins are not counted. 0 and `null` mean COFFER_LOGIN_RATE_LIMIT: this limit cannot be disabled. */
  authRateLimit: number | null;
  /** Requests per minute and caller that send invitations to an organization. 0 disables the limit. `null` means COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
  inviteUserRateLimit: number | null;
  /** Stored and returned, without effect: no operation belongs to this class. 0 disables the limit. `null` means COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
  mfaRateLimit: number | null;
  /** Requests per minute and address to operations without a credential, such as revocation lists, OCSP, ACME, the status and the documentation. 0 disables the limit. `null` means COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
  publicEndpointLimit: number | null;
};

export interface InstanceManagementApi {
  /** List the users of all organizations. `GET /api/v1/admin/user-management/users`. */
  listUsers: Query<ListInstanceUsers, { users: (GroupUser & { superAdmin: boolean })[] }>;
  /** Delete a user. `DELETE /api/v1/admin/user-management/users/{userId}`. */
  deleteUser: Mutation<{ userId: string }, { users: GroupUser & { superAdmin: boolean } }>;
  /** Make a user an administrator of the instance. `PATCH /api/v1/admin/user-management/users/{userId}/admin-access`. */
  grantAdmin: Mutation<{ userId: string }, Record<string, never>>;
  /** Remove a user from the administrators of the instance. `DELETE /api/v1/admin/user-management/users/{userId}/admin-access`. */
  revokeAdmin: Mutation<{ userId: string }, { user: GroupUser & { superAdmin: boolean } }>;
  /** List all organizations. `GET /api/v1/admin/organizations`. */
  listOrganizations: Query<ListInstanceOrganizations, { organizations: InstanceOrganization[] }>;
  /** Read the state of the instance: memory, database, background jobs, key rotation. `GET /api/v1/admin/overview`. */
  overview: Query<NoInput, InstanceOverview>;
  /** List the audit events of the instance: rejected tokens, and rejected logins of unknown clients. `GET /api/v1/admin/audit-logs`. */
  auditLog: Query<ListInstanceAuditLog, AuditLogPage>;
  /** List the machine identities of all organizations. `GET /api/v1/admin/identity-management/identities`. */
  listIdentities: Query<ListInstanceIdentities, { identities: { id: string; name: string; isInstanceAdmin: boolean }[] }>;
  /**
   * Remove a machine identity from the administrators of the instance.
   * `DELETE /api/v1/admin/identity-management/identities/{identityId}/super-admin-access`.
   */
  revokeIdentityAdmin: Mutation<{ identityId: string }, { identity: { id: string; name: string; isInstanceAdmin: boolean } }>;
  /** Read the rate limits. `GET /api/v1/rate-limit`. */
  rateLimits: Query<NoInput, { rateLimit: RateLimit }>;
  /** Replace the rate limits; all processes apply them within one second. `PUT /api/v1/rate-limit`. */
  updateRateLimits: Mutation<UpdateRateLimits, { rateLimit: RateLimit }>;
  /** List the root key encryption strategies. `GET /api/v1/admin/encryption-strategies`. */
  encryptionStrategies: Query<NoInput, { strategies: { strategy: 'SOFTWARE' | 'HSM'; enabled: boolean }[] }>;
  /** Select the root key encryption strategy. `PATCH /api/v1/admin/encryption-strategies`. */
  changeEncryptionStrategy: Mutation<{ strategy: 'SOFTWARE' | 'HSM' }, Record<string, never>>;
}
