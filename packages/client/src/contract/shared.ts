// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.

export type AlertRef = {
  /** UUID */ alertId: string;
};

export type ApprovalPerson = {
  /** UUID */ userId: string;
  username: string;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
};

export type ApprovalPolicy = {
  /** UUID */ id: string;
  name: string;
  /** A folder path or a glob of folder paths; null: the whole environment */
  secretPath: string | null;
  /** Number of approvals that are required */ approvals: number;
  /** UUID */ envId: string;
  createdAt: string;
  updatedAt: string;
  enforcementLevel: 'hard' | 'soft';
  deletedAt: string | null;
  /** Whether the requester may approve their own request; every policy that covers a change must allow it */
  allowedSelfApprovals: boolean;
  environment: {
    /** UUID */ id: string;
    name: string;
    slug: string;
  };
  /** UUID */ projectId: string;
  approvers: {
    /** ID of the user or group */ id: string;
    type: 'user' | 'group';
    /** Name of the user or group */ name: string;
  }[];
};

export type AttachedLoginMethod = {
  /** UUID */ id: string;
  /** UUID */ identityId: string;
  accessTokenTTL: number;
  accessTokenMaxTTL: number;
  accessTokenNumUsesLimit: number;
  accessTokenPeriod: number;
  accessTokenTrustedIps: TrustedAddress[];
  createdAt: string;
  updatedAt: string;
};

export type AuditActorType = 'platform' | 'kmipClient' | 'user' | 'service' | 'identity' | 'machine' | 'scimClient' | 'unknownUser';

export type AuditLogEntry = {
  /** UUID */ id: string;
  ipAddress: string | null;
  userAgent: string | null;
  userAgentType: string | null;
  /** When retention removes the event; null: never */ expiresAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** UUID */ orgId: string;
  projectId: string | null;
  projectName: string | null;
  project: {
    /** UUID */ id: string;
    name: string;
    slug: string;
  } | null;
  event: {
    /** The published name of the event */ type: string;
    metadata: Record<string, unknown>;
  };
  actor: { type: string; metadata: Record<string, unknown> };
};

export type AuditLogPage = {
  /** Newest first */ auditLogs: AuditLogEntry[];
  /** The position of the next page; null on the last page, and only there */
  nextCursor: string | null;
};

export type AuthorityRef = {
  /** UUID */ caId: string;
};

export type AvailableAppConnection = {
  app: string;
  /** UUID */ id: string;
  name: string;
};

export type Certificate = {
  /** UUID */ id: string;
  createdAt: string;
  updatedAt: string;
  /** Absent for imported certificates */ caId: string | null;
  caCertId: string | null;
  certificateTemplateId: string | null;
  /** `active` or `revoked` */ status: string;
  /** Lower-case hexadecimal */ serialNumber: string;
  friendlyName: string;
  commonName: string;
  /** Comma-separated */ altNames: string | null;
  notBefore: string;
  notAfter: string;
  revokedAt: string | null;
  /** The reason code of RFC 5280, section 5.3.1 */
  revocationReason: number | null;
  keyUsages: string[] | null;
  extendedKeyUsages: string[] | null;
};

export type CertificateBody = { certificate: string; certificateChain: string | null; serialNumber: string };

export type ChangedProjectRoles = {
  roles: {
    /** UUID */ id: string;
    role: string;
    customRoleId: string | null;
    isTemporary: boolean;
    temporaryMode: string | null;
    temporaryRange: string | null;
    temporaryAccessStartTime: string | null;
    /** The start plus the range */ temporaryAccessEndTime: string | null;
    /** UUID */ projectMembershipId: string;
    createdAt: string;
    updatedAt: string;
  }[];
};

export type Conflict = {
  op: 'create' | 'update' | 'delete' | 'other';
  /** The present version; null if a name was taken since */
  secretId: string | null;
  /** The commit; null if it is not about a single commit */
  changeId: string | null;
  /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
  reason: string;
};

export type CustomRole = {
  /** UUID */ id: string;
  name: string;
  slug: string;
  description: string | null;
  permissions: PublishedRule[];
};

export type DynamicSecret = {
  /** UUID */ id: string;
  name: string;
  version: number;
  /** The provider */ type: string;
  /** Default TTL of a lease, for leases that are created without `ttl` */
  defaultTTL: string;
  /** Maximum TTL of a lease including renewals; null: no maximum */
  maxTTL: string | null;
  /** UUID */ folderId: string;
  /** null, Deleting or Failed to delete */ status: string | null;
  statusDetails: string | null;
  usernameTemplate: string | null;
  /** Gateways are not supported */ projectGatewayId: null;
  metadata: { key: string; value: string }[];
  createdAt: string;
  updatedAt: string;
};

export type DynamicSecretPlace = {
  projectSlug: string;
  /** The slug of an environment */ environmentSlug: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */
  path?: string;
};

export type EnterableProject = GroupSummary & {
  description: string | null;
  type: string;
  autoCapitalization: boolean;
  createdAt: string;
  updatedAt: string;
  version: number;
  upgradeStatus: string | null;
  pitVersionLimit: number;
  kmsCertificateKeyId: string | null;
  auditLogsRetentionDays: number | null;
};

export type ExternalAuthorityRef = {
  /** UUID */ id: string;
};

export type Folder = {
  /** UUID */ id: string;
  name: string;
  version: number;
  createdAt: string;
  updatedAt: string;
  /** UUID */ envId: string;
  /** null for the root folder of an environment */ parentId: string | null;
  isReserved: boolean;
  description: string | null;
  /** Time of the last write or delete of a secret in the folder */
  lastSecretModified: string | null;
};

export type FoundSecret = {
  /** UUID */ id: string;
  secretKey: string;
  /** Slug of the environment */ environment: string;
  secretPath: string;
};

export type GroupSummary = {
  /** UUID */ id: string;
  name: string;
  slug: string;
  /** UUID */ orgId: string;
};

export type GroupUser = {
  /** UUID */ id: string;
  email: string | null;
  username: string;
  firstName: string | null;
  lastName: string | null;
};

export type IdentityProject = {
  /** ID of the membership */ id: string;
  /** UUID */ identityId: string;
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
  identity: {
    /** UUID */ id: string;
    name: string;
    hasDeleteProtection: boolean;
    authMethods: string[];
  };
  project: {
    /** UUID */ id: string;
    name: string;
    slug: string;
    type: string;
  };
  createdAt: string;
  updatedAt: string;
};

export type IdentityRef = {
  /** UUID */ identityId: string;
};

export type ImportPlace = {
  /** UUID */ projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */
  path?: string;
};

export type IntegrationAuthRef = {
  /** UUID */ integrationAuthId: string;
};

export type IssuedCertificate = SignedCertificate & {
  /** PEM of PKCS #8 */ privateKey: string;
};

export type IssuedToken = {
  /** Returned once. Send it as `Authorization: Bearer` */ accessToken: string;
  /** Seconds; 0 where the token does not expire */ expiresIn: number;
  /** Seconds; 0 where renewing has no end */ accessTokenMaxTTL: number;
  tokenType: 'Bearer';
};

export type KeyAlgorithmName = 'RSA_2048' | 'RSA_3072' | 'RSA_4096' | 'EC_prime256v1' | 'EC_secp384r1' | 'ED25519';

export type Lease = {
  /** UUID */ id: string;
  version: number;
  /** ID of the lease in the external system, for example a user name */
  externalEntityId: string;
  expireAt: string;
  /** null or Failed to delete; a failed revocation is retried */
  status: string | null;
  /** The message of the external system */ statusDetails: string | null;
  /** UUID */ dynamicSecretId: string;
  /** The actor that created the lease, its owner; null for leases of earlier releases */
  createdBy: {
    /** `user` or `identity` */ type: string;
    /** UUID */ id: string;
  } | null;
  createdAt: string;
  updatedAt: string;
};

export type ListExternalAuthorities = {
  /** UUID */ projectId: string;
};

export type ListPkiSyncs = {
  /** UUID */ projectId: string;
  /** A certificate, about which each of them says whether it has it */
  certificateId?: string;
};

export type ListProjects = {
  type?: ProjectType | 'all';
  /** Default: `false` */ includeRoles?: boolean;
};

export type ListedCertificate = {
  /** UUID */ id: string;
  createdAt: string;
  updatedAt: string;
  /** Absent for imported certificates */ caId: string | null;
  caCertId: string | null;
  certificateTemplateId: string | null;
  /** active, revoked or expired */ status: string;
  /** Lower-case hexadecimal */ serialNumber: string;
  friendlyName: string;
  commonName: string;
  /** Comma-separated */ altNames: string | null;
  notBefore: string;
  notAfter: string;
  revokedAt: string | null;
  /** The reason code of RFC 5280, section 5.3.1 */
  revocationReason: number | null;
  keyUsages: string[] | null;
  extendedKeyUsages: string[] | null;
  /** UUID */ projectId: string;
  pkiSubscriberId: string | null;
  profileId: string | null;
  keyAlgorithm: string;
  signatureAlgorithm: string;
  /** SHA-256, lower-case hexadecimal */ fingerprint: string;
  /** How it was issued: issue, sign, acme, est, subscriber, import */
  source: string;
  hasPrivateKey: boolean;
  renewedFromCertificateId: string | null;
  renewedByCertificateId: string | null;
  renewBeforeDays: number | null;
  /** The error of the last auto-renewal, if any */ renewalError: string | null;
};

export type ListedFolder = Folder & {
  /** Below the folder that was listed; where recursive */ relativePath?: string;
};

export type ListedProjectRole = {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  createdAt: string;
  updatedAt: string;
  /** UUID */ projectId: string;
};

export type LockoutSettings = {
  /** LDAP: whether wrong passwords delay later attempts. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a valid client secret always works (default: `true`) */
  lockoutEnabled?: boolean;
  /** The number of failures that counts as guessing. A valid client secret always works; password logins are delayed (default: `3`) */
  lockoutThreshold?: number;
  /** Duration of the lockout, in seconds (default: `300`) */
  lockoutDurationSeconds?: number;
  /** Failures further apart than this, in seconds, are not added up (default: `30`) */
  lockoutCounterResetSeconds?: number;
};

export type LoginMethodSettings = {
  /** Lifetime of a token in seconds; 0: accessTokenMaxTTL (default: `2592000`) */
  accessTokenTTL?: number;
  /** Lifetime of a token in seconds including renewals; 0: unlimited (default: `2592000`) */
  accessTokenMaxTTL?: number;
  /** Number of times a token can be used; 0: unlimited (default: `0`) */
  accessTokenNumUsesLimit?: number;
  /** In seconds. If greater than 0, a token is valid for one period and can be renewed without limit (default: `0`) */
  accessTokenPeriod?: number;
  /** Addresses from which tokens are accepted (default: `[{"ipAddress":"0.0.0.0/0"},{"ipAddress":"::/0"}]`) */
  accessTokenTrustedIps?: {
    /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */ ipAddress: string;
  }[];
};

export type MembersOfProject = {
  /** UUID */ projectId: string;
};

export type MetadataEntry = {
  key: string;
  /** Default: `''` */ value?: string;
};

export type NameConstraintsInput = {
  permitted?: {
    type: 'dns' | 'ip' | 'email' | 'uri';
    /** A domain including its subdomains, a CIDR range, or a host */ value: string;
  }[];
  excluded?: {
    type: 'dns' | 'ip' | 'email' | 'uri';
    /** A domain including its subdomains, a CIDR range, or a host */ value: string;
  }[];
};

export type NamedSecret = {
  secretKey: string;
  /** Default: `'shared'` */ type?: 'shared' | 'personal';
};

export type NewSecret = {
  secretKey: string;
  secretValue: string;
  secretComment?: string;
  skipMultilineEncoding?: boolean | null;
  /** The legacy form of secretMetadata */ metadata?: Record<string, string>;
  secretMetadata?: SecretMetadata;
  tagIds?: string[];
  secretReminderNote?: string | null;
  secretReminderRepeatDays?: number | null;
  secretReminderRecipients?: string[];
};

export type OrderedRenewal = {
  /** UUID */ certificateRequestId: string;
  status: 'pending';
  message: string;
};

export type Organization = {
  /** UUID */ id: string;
  name: string;
  slug: string;
  customerId: string | null;
  authEnforced: boolean;
  scimEnabled: boolean;
  kmsDefaultKeyId: string | null;
  /** The role of members who are invited without one */
  defaultMembershipRole: string;
  enforceMfa: boolean;
  selectedMfaMethod: string | null;
  allowSecretSharingOutsideOrganization: boolean | null;
  shouldUseNewPrivilegeSystem: boolean;
  privilegeUpgradeInitiatedByUsername: string | null;
  privilegeUpgradeInitiatedAt: string | null;
  /** Maximum lifetime of an access token of a user in this organization, for example 8h */
  userTokenExpiration: string | null;
  /** Days; null or 0: forever. Projects may have their own */
  auditLogsRetentionDays: number | null;
  createdAt: string;
  updatedAt: string;
};

export type OrganizationMembership = {
  /** UUID */ id: string;
  /** UUID */ orgId: string;
  userId: string | null;
  /** A built-in role, or `custom` */ role: string;
  /** The custom role */ roleId: string | null;
  /** `invited` or `accepted` */ status: string;
  inviteEmail: string | null;
  isActive: boolean;
  projectFavorites: string[] | null;
  createdAt: string;
  updatedAt: string;
};

export type OrganizationRef = {
  /** UUID */ organizationId: string;
};

export type OrganizationRole = {
  /** UUID; for a built-in role its slug */ id: string;
  slug: string;
  name: string;
  description: string | null;
  permissions: PublishedRule[];
  /** UUID */ orgId: string;
  createdAt: string;
  updatedAt: string;
};

export type OrganizationRules = {
  /** One of the published subjects */ subject: string;
  /** One action or a list of actions */ action: string | string[];
  /** By field: a text, or {$eq, $ne, $in, $glob}. All conditions must match */
  conditions?: Record<string, unknown> | null;
  /** true: the rule forbids. The last rule that matches decides */
  inverted?: boolean;
}[];

export type PasswordRequirements = {
  length: number;
  /** Minimum number of characters of each class */
  required: {
    /** Default: `0` */ lowercase?: number;
    /** Default: `0` */ uppercase?: number;
    /** Default: `0` */ digits?: number;
    /** Default: `0` */ symbols?: number;
  };
  /** Default: -_.~!* */ allowedSymbols?: string;
};

export type PasswordRequirements2 = {
  length: number;
  /** Minimum number of characters of each class */
  required: { lowercase: number; uppercase: number; digits: number; symbols: number };
  /** Default: -_.~!* */ allowedSymbols?: string;
};

export type PolicyOfRequest = {
  /** UUID */ id: string;
  name: string;
  /** A folder path or a glob of folder paths; null: the whole environment */
  secretPath: string | null;
  /** Number of approvals that are required */ approvals: number;
  /** UUID */ envId: string;
  enforcementLevel: 'hard' | 'soft';
  /** Whether the requester may approve their own request; every policy that covers a change must allow it */
  allowedSelfApprovals: boolean;
  deletedAt: string | null;
  approvers: {
    /** UUID */ userId: string;
  }[];
};

export type Privilege = PrivilegeSummary & {
  /** Later rules override earlier ones and those of the roles */
  permissions: PublishedRule[];
};

export type PrivilegeSummary = {
  /** UUID */ id: string;
  /** Unique among the privileges of the member */ slug: string;
  /** ID of the membership */ projectMembershipId: string;
  isTemporary: boolean;
  temporaryMode: string | null;
  temporaryRange: string | null;
  temporaryAccessStartTime: string | null;
  /** The start plus the range */ temporaryAccessEndTime: string | null;
  createdAt: string;
  updatedAt: string;
};

export type PrivilegeType = {
  isTemporary: true;
  temporaryMode: 'relative';
  /** For example 30m, 1h, 2d */ temporaryRange: string;
  /** RFC 3339 */ temporaryAccessStartTime: string;
} | { isTemporary: false };

export type Project = EnterableProject & {
  /** UUID */ _id: string;
  hasDeleteProtection: boolean;
  secretSharing: boolean;
  showSnapshotsLegacy: boolean;
  secretDetectionIgnoreValues: string[];
  /** In order */
  environments: {
    /** UUID */ id: string;
    name: string;
    slug: string;
  }[];
};

export type ProjectMember = {
  /** ID of the membership */ id: string;
  createdAt: string;
  /** UUID */ userId: string;
  /** UUID */ projectId: string;
  user: GroupUser & {
    /** Always null: keys stay on the server */ publicKey: string | null;
  };
  /** Includes roles that have ended or not begun */
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

export type ProjectMemberRef = {
  /** UUID */ id: string;
  /** UUID */ userId: string;
  /** UUID */ projectId: string;
  createdAt: string;
  updatedAt: string;
};

export type ProjectRole = ProjectRoleSummary & {
  permissions: PublishedRule[];
  /** Number of updates, plus one */ version: number;
};

export type ProjectRoleSummary = {
  /** UUID; for a built-in role its slug */ id: string;
  slug: string;
  name: string;
  description: string | null;
  projectId: string | null;
  createdAt: string;
  updatedAt: string;
};

export type ProjectRules = {
  /** One of the published subjects */ subject: string;
  /** One action or a list of actions */ action: string | string[];
  /** By field: a text, or {$eq, $ne, $in, $glob}. All conditions must match */
  conditions?: Record<string, unknown> | null;
  /** true: the rule forbids. The last rule that matches decides */
  inverted?: boolean;
}[];

export type ProjectType = 'secret-manager' | 'cert-manager' | 'kms' | 'ssh' | 'secret-scanning' | 'pam';

export type PublishedRule = { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean };

export type RevocationReasonName = 'UNSPECIFIED' | 'KEY_COMPROMISE' | 'CA_COMPROMISE' | 'AFFILIATION_CHANGED' | 'SUPERSEDED' | 'CESSATION_OF_OPERATION' | 'CERTIFICATE_HOLD' | 'PRIVILEGE_WITHDRAWN' | 'A_A_COMPROMISE';

export type Secret = FoundSecret & {
  projectId: string;
  /** UUID */ folderId: string;
  version: number;
  type: string;
  secretValue: string;
  secretValueHidden: boolean;
  /** Only where references were to be resolved and some could not be */
  secretReferenceErrors?: SecretReferenceError[];
  secretComment: string;
  secretReminderNote: string | null;
  secretReminderRepeatDays: number | null;
  secretReminderRecipients: string[] | null;
  skipMultilineEncoding: boolean | null;
  metadata: Record<string, string> | null;
  secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
  tags: {
    /** UUID */ id: string;
    slug: string;
    name: string;
    color: string | null;
  }[];
  actor: {
    actorId: string | null;
    actorType: string | null;
    name: string | null;
    /** Membership of the actor in the project, or of the group that holds it */
    membershipId: string | null;
    /** The group through which the actor was in the project, if only through one */
    groupId: string | null;
  } | null;
  isRotatedSecret: boolean;
  rotationId: string | null;
  createdAt: string;
  updatedAt: string;
};

export type SecretApproval = {
  /** UUID */ id: string;
  /** UUID */ policyId: string;
  hasMerged: boolean;
  status: 'open' | 'close';
  /** What has changed since the request was made */ conflicts: Conflict[] | null;
  slug: string;
  /** UUID */ folderId: string;
  bypassReason: string | null;
  createdAt: string;
  updatedAt: string;
  isReplicated: boolean | null;
  /** null for requests of machines and for replications */
  committerUserId: string | null;
  /** The machine identity that made the request */
  committerIdentityId: string | null;
  /** The service token that made the request */
  committerServiceTokenId: string | null;
  statusChangedByUserId: string | null;
};

export type SecretChange = {
  secretKey: string;
  secretValue?: string;
  /** The location of this one, if it differs from the common one */
  secretPath?: string;
  newSecretName?: string;
  secretComment?: string;
  skipMultilineEncoding?: boolean | null;
  /** The legacy form of secretMetadata */ metadata?: Record<string, string>;
  secretMetadata?: SecretMetadata;
  tagIds?: string[];
  secretReminderNote?: string | null;
  secretReminderRepeatDays?: number | null;
  secretReminderRecipients?: string[];
};

export type SecretImport = {
  /** UUID */ id: string;
  version: number;
  importPath: string;
  /** If a name is imported more than once, the higher position wins */
  position: number;
  createdAt: string;
  updatedAt: string;
  /** UUID */ folderId: string;
  isReplication: boolean;
  /** null before the first replication, and while a change request is open */
  isReplicationSuccess: boolean | null;
  /** Why the last replication failed */ replicationStatus: string | null;
  lastReplicated: string | null;
  isReserved: boolean;
  importEnv: {
    /** UUID */ id: string;
    name: string;
    slug: string;
  };
};

export type SecretMetadata = {
  key: string;
  /** Default: `''` */ value?: string;
  /** Encrypted like the value (default: `false`) */ isEncrypted?: boolean;
}[];

export type SecretReferenceError = {
  /** As it is written in the value, such as ${prod.KEY} */ reference: string;
  message: string;
  /** `unavailable`: the secret does not exist or may not be read; `too-many`, `too-large`: the response would exceed its limits */
  code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
  /** The secret whose value contains the reference */ environment: string;
  secretPath: string;
  secretKey: string;
};

export type SignedCertificate = {
  /** PEM */ certificate: string;
  /** PEM */ issuingCaCertificate: string;
  /** PEM */ certificateChain: string;
  serialNumber: string;
  /** UUID */ certificateId: string;
};

export type SignedSshKey = {
  /** A decimal number of up to 19 digits */ serialNumber: string;
  /** The certificate, in the form of OpenSSH */ signedKey: string;
};

export type SigningAlgorithmName = 'RSASSA_PSS_SHA_512' | 'RSASSA_PSS_SHA_384' | 'RSASSA_PSS_SHA_256' | 'RSASSA_PKCS1_V1_5_SHA_512' | 'RSASSA_PKCS1_V1_5_SHA_384' | 'RSASSA_PKCS1_V1_5_SHA_256' | 'ECDSA_SHA_512' | 'ECDSA_SHA_384' | 'ECDSA_SHA_256' | 'ED25519' | 'ML_DSA_44' | 'ML_DSA_65' | 'ML_DSA_87';

export type SshCredentials = {
  /** A decimal number of up to 19 digits */ serialNumber: string;
  /** The certificate, in the form of OpenSSH */ signedKey: string;
  /** In the form of OpenSSH, without a passphrase */ privateKey: string;
  publicKey: string;
  keyAlgorithm: SshKeyAlgorithmName;
};

export type SshHost = {
  /** UUID */ id: string;
  /** UUID */ projectId: string;
  hostname: string;
  alias: string | null;
  userCertTtl: string;
  hostCertTtl: string;
  /** `login-user`: the principal is the login user, and a certificate opens every host of the same user authority. `host-bound`: the principal also names the host, which reads it from its `AuthorizedPrincipalsFile` */
  principalMode: 'login-user' | 'host-bound';
  /** The authority whose user certificates the host has to accept; null after the default of the project was deleted, until the next certificate */
  userSshCaId: string | null;
  /** The authority of its host certificates; null after the default of the project was deleted, until the next certificate */
  hostSshCaId: string | null;
  loginMappings: {
    loginUser: string;
    allowedPrincipals: {
      /** User names of members of the project */ usernames: string[];
      /** Slugs of groups that are members of the project; every user and machine identity in them may log in */
      groups: string[];
    };
  }[];
};

export type SshKeyAlgorithmName = 'RSA_2048' | 'RSA_4096' | 'EC_prime256v1' | 'EC_secp384r1' | 'ED25519';

export type SshTemplate = {
  /** UUID */ id: string;
  /** UUID */ sshCaId: string;
  /** UUID */ projectId: string;
  status: 'active' | 'disabled';
  /** Unique in its authority */ name: string;
  /** Of certificates that are requested without one */ ttl: string;
  /** The longest TTL that can be requested */ maxTTL: string;
  /** Principals of user certificates; an asterisk matches any characters */
  allowedUsers: string[];
  /** Principals of host certificates; an asterisk matches any characters */
  allowedHosts: string[];
  allowUserCertificates: boolean;
  allowHostCertificates: boolean;
  /** Whether requests can choose the key ID, which sshd logs */
  allowCustomKeyIds: boolean;
  /** Critical options that requests can set, also with other values than the default */
  allowedCriticalOptions: string[];
  /** Critical options of every user certificate */
  defaultCriticalOptions: Record<string, string>;
  /** Extensions that requests can choose besides the default ones */
  allowedExtensions: string[];
  /** Extensions of user certificates whose requests choose none */
  defaultExtensions: Record<string, string>;
  createdAt: string;
  updatedAt: string;
};

export type TrustedAddress = { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number };

export type User = GroupUser & {
  /** How the user can log in */ authMethods: string[];
  /** Whether the user administers the instance */ superAdmin: boolean;
  /** false until an invited user completes the account */ isAccepted: boolean;
  isEmailVerified: boolean;
  isGhost: boolean;
  isMfaEnabled: boolean;
  mfaMethods: string[] | null;
  selectedMfaMethod: string | null;
  consecutiveFailedMfaAttempts: number;
  consecutiveFailedPasswordAttempts: number;
  /** true while logins from unknown devices are locked out after failed attempts */
  isLocked: boolean;
  temporaryLockDateEnd: string | null;
  devices?: unknown;
  createdAt: string;
  updatedAt: string;
};

export type UserAgentType = 'web' | 'cli' | 'k8-operator' | 'terraform' | 'other' | 'InfisicalPythonSDK' | 'InfisicalNodeSDK';
