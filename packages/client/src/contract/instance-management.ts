// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { AuditActorType, AuditLogPage, UserAgentType } from './shared.ts';

export type InstanceIdentity = {
  /** UUID */
  id: string;
  name: string;
  isInstanceAdmin: boolean;
};

export type InstanceIdentityRef = {
  /** UUID */
  identityId: string;
};

export type InstanceUser = {
  /** UUID */
  id: string;
  username: string;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  superAdmin: boolean;
};

export type ListInstanceAuditLog = {
  /** Published names of events with commas between them: create-secret,delete-secret */
  eventType?: string;
  /** The id of who did it */
  actor?: string;
  actorType?: AuditActorType;
  userAgentType?: UserAgentType;
  /** Slug of the environment that the event speaks of */
  environment?: string;
  /** Path of the folder that the event speaks of */
  secretPath?: string;
  /** Name of the secret that the event speaks of */
  secretKey?: string;
  /** key=value pairs of the event, with commas between them */
  eventMetadata?: string;
  /** Not before */
  startDate?: string;
  /** Not after */
  endDate?: string;
  /** The nextCursor of the page before; cheaper than an offset, however far one goes */
  cursor?: string;
  /**
   * How many to pass over
   * Default: `0`
   */
  offset?: number;
  /**
   * How many to answer at the most
   * Default: `20`
   */
  limit?: number;
};

export type ListInstanceIdentities = {
  /**
   * Part of a name
   * Default: `''`
   */
  searchTerm?: string;
  /**
   * How many to pass over
   * Default: `0`
   */
  offset?: number;
  /**
   * How many to answer at the most
   * Default: `20`
   */
  limit?: number;
};

export type ListInstanceUsers = {
  /**
   * Part of a name or address
   * Default: `''`
   */
  searchTerm?: string;
  /** Default: `false` */
  adminsOnly?: boolean;
  /**
   * How many to pass over
   * Default: `0`
   */
  offset?: number;
  /**
   * How many to answer at the most
   * Default: `20`
   */
  limit?: number;
};

export type RateLimit = {
  /** UUID */
  id: string;
  /** Requests per minute of one caller to operations of no other class that use GET or HEAD. The value in force; 0 for no limit. */
  readRateLimit: number;
  /** Requests per minute of one caller to operations of no other class that use another method than GET or HEAD. The value in force; 0 for no limit. */
  writeRateLimit: number;
  /** Requests per minute of one caller, with any method, to the operations whose path begins with `secret` or `dynamic-secret` after the version: secrets, secret imports, snapshots, secret approvals, dynamic secrets and leases. The value in force; 0 for no limit. */
  secretsRateLimit: number;
  /** Refused logins per minute of one address for one subject, ten times as many for all subjects together; also sign-ups, password resets and other operations without a token that are limited strictly, per address. Successful logins are not counted. The value in force. */
  authRateLimit: number;
  /** Requests per minute of one caller that invite users to an organization, or send an invitation again. The value in force; 0 for no limit. */
  inviteUserRateLimit: number;
  /** Stored and answered without effect: no operation belongs to this class. The value in force; 0 for no limit. */
  mfaRateLimit: number;
  /** Requests per minute of one address to operations that take no credential, such as revocation lists, OCSP, ACME, the status and the documentation. The value in force; 0 for no limit. */
  publicEndpointLimit: number;
  createdAt: string;
  updatedAt: string;
};

export type UpdateRateLimits = {
  /** Requests per minute of one caller to operations of no other class that use GET or HEAD. 0 turns the limit off. `null` stands for COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
  readRateLimit: number | null;
  /** Requests per minute of one caller to operations of no other class that use another method than GET or HEAD. 0 turns the limit off. `null` stands for COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
  writeRateLimit: number | null;
  /** Requests per minute of one caller, with any method, to the operations whose path begins with `secret` or `dynamic-secret` after the version: secrets, secret imports, snapshots, secret approvals, dynamic secrets and leases. 0 turns the limit off. `null` stands for COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
  secretsRateLimit: number | null;
  /** Refused logins per minute of one address for one subject, ten times as many for all subjects together; also sign-ups, password resets and other operations without a token that are limited strictly, per address. Successful logins are not counted. 0 and `null` stand for COFFER_LOGIN_RATE_LIMIT: this limit cannot be turned off. */
  authRateLimit: number | null;
  /** Requests per minute of one caller that invite users to an organization, or send an invitation again. 0 turns the limit off. `null` stands for COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
  inviteUserRateLimit: number | null;
  /** Stored and answered without effect: no operation belongs to this class. 0 turns the limit off. `null` stands for COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
  mfaRateLimit: number | null;
  /** Requests per minute of one address to operations that take no credential, such as revocation lists, OCSP, ACME, the status and the documentation. 0 turns the limit off. `null` stands for COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
  publicEndpointLimit: number | null;
};

export type UserRef = {
  /** UUID */
  userId: string;
};

export interface InstanceManagementApi {
  /**
   * List the users of all organizations.
   *
   * `GET /api/v1/admin/user-management/users`
   */
  listUsers: Query<ListInstanceUsers, { users: InstanceUser[] }>;
  /**
   * Delete a user.
   *
   * `DELETE /api/v1/admin/user-management/users/{userId}`
   */
  deleteUser: Mutation<UserRef, { users: InstanceUser }>;
  /**
   * Make a user an administrator of the instance.
   *
   * `PATCH /api/v1/admin/user-management/users/{userId}/admin-access`
   */
  grantAdmin: Mutation<UserRef, Record<string, never>>;
  /**
   * Remove a user from the administrators of the instance.
   *
   * `DELETE /api/v1/admin/user-management/users/{userId}/admin-access`
   */
  revokeAdmin: Mutation<UserRef, { user: InstanceUser }>;
  /**
   * List the audit events of the instance: rejected tokens, and rejected logins of unknown clients.
   *
   * `GET /api/v1/admin/audit-logs`
   */
  auditLog: Query<ListInstanceAuditLog, AuditLogPage>;
  /**
   * List the machine identities of all organizations.
   *
   * `GET /api/v1/admin/identity-management/identities`
   */
  listIdentities: Query<ListInstanceIdentities, { identities: InstanceIdentity[] }>;
  /**
   * Remove a machine identity from the administrators of the instance.
   *
   * `DELETE /api/v1/admin/identity-management/identities/{identityId}/super-admin-access`
   */
  revokeIdentityAdmin: Mutation<InstanceIdentityRef, { identity: InstanceIdentity }>;
  /**
   * Read the rate limits.
   *
   * `GET /api/v1/rate-limit`
   */
  rateLimits: Query<NoInput, { rateLimit: RateLimit }>;
  /**
   * Replace the rate limits; all processes apply them within one second.
   *
   * `PUT /api/v1/rate-limit`
   */
  updateRateLimits: Mutation<UpdateRateLimits, { rateLimit: RateLimit }>;
  /**
   * List the root key encryption strategies.
   *
   * `GET /api/v1/admin/encryption-strategies`
   */
  encryptionStrategies: Query<NoInput, { strategies: { strategy: 'SOFTWARE' | 'HSM'; enabled: boolean }[] }>;
  /**
   * Select the root key encryption strategy.
   *
   * `PATCH /api/v1/admin/encryption-strategies`
   */
  changeEncryptionStrategy: Mutation<{ strategy: 'SOFTWARE' | 'HSM' }, Record<string, never>>;
}
