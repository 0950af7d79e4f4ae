// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.

export type AppConnectionFields = {
  id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  orgId: string;
  /** null: the connection belongs to the organization */ projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */ lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */ lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
};

export type ApprovalPerson = { userId: string; username: string; email: string | null; firstName: string | null; lastName: string | null };

export type ApprovalPolicy = {
  id: string;
  name: string;
  /** A folder path or a glob of folder paths; null: the whole environment */ secretPath: string | null;
  /** Number of approvals that are required */ approvals: number;
  envId: string;
  createdAt: string;
  updatedAt: string;
  enforcementLevel: 'hard' | 'soft';
  deletedAt: string | null;
  /** Whether the requester may approve their own request; every policy that covers a change must allow it */
  allowedSelfApprovals: boolean;
  environment: { id: string; name: string; slug: string };
  projectId: string;
  approvers: {
    /** ID of the user or group */ id: string;
    type: 'user' | 'group';
    /** Name of the user or group */ name: string;
  }[];
};

export type AttachedLoginMethod = {
  id: string;
  identityId: string;
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
  id: string;
  ipAddress: string | null;
  userAgent: string | null;
  userAgentType: string | null;
  /** When retention removes the event; null: never */ expiresAt: string | null;
  createdAt: string;
  updatedAt: string;
  orgId: string;
  projectId: string | null;
  projectName: string | null;
  project: { id: string; name: string; slug: string } | null;
  event: { /** The published name of the event */ type: string; metadata: Record<string, unknown> };
  actor: { type: string; metadata: Record<string, unknown> };
};

export type AuditLogPage = {
  /** Newest first */ auditLogs: AuditLogEntry[];
  /** The position of the next page; null on the last page, and only there */ nextCursor: string | null;
};

export type Auth0ClientSecretRotation = SecretRotationFields & {
  type: 'auth0-client-secret';
  parameters: { clientId: string };
  secretsMapping: { clientId: string; clientSecret: string };
};

export type Auth0Connection = AppConnectionFields & { app: 'auth0'; method: 'client-credentials'; credentials: { domain: string; clientId: string; audience: string } };

export type AwsCertificateManagerPkiSync = PkiSyncFields & {
  destination: 'aws-certificate-manager';
  destinationConfig: { region: string };
  syncOptions: AwsCertificateManagerPkiSyncOptions;
};

export type AwsCertificateManagerPkiSyncOptions = CloudflareCustomCertificatePkiSyncOptions & {
  /** Whether the chain has the root certificate, too */ includeRootCa: boolean;
  /** Whether a renewed certificate keeps the ARN of the one before */ preserveArn: boolean;
};

export type AwsConnection = AppConnectionFields & {
  app: 'aws';
  method: 'access-key';
  credentials: { accessKeyId: string; /** A role that the access key assumes */ roleArn?: string };
} | AppConnectionFields & { app: 'aws'; method: 'assume-role'; credentials: { accessKeyId: string; roleArn: string } };

export type AwsIamUserSecretParameters = { userName: string; /** The region whose token service is asked whether a key works */ region: string };

export type AwsIamUserSecretRotation = SecretRotationFields & {
  type: 'aws-iam-user-secret';
  parameters: AwsIamUserSecretParameters;
  secretsMapping: { accessKeyId: string; secretAccessKey: string };
};

export type AwsParameterStoreSecretSync = SecretSyncFields & {
  destination: 'aws-parameter-store';
  destinationConfig: { region: string; path: string };
  syncOptions: AwsParameterStoreSyncOptions;
};

export type AwsParameterStoreSyncOptions = SecretSyncOptions & {
  keyId?: string;
  tags?: { key: string; value: string }[];
  /** Whether the tags of each item are the metadata of its secret, and `tags`, which take precedence */
  syncSecretMetadataAsTags?: boolean;
};

export type AwsSecretsManagerPkiSync = PkiSyncFields & {
  destination: 'aws-secrets-manager';
  destinationConfig: { region: string; keyId?: string };
  syncOptions: AwsSecretsManagerPkiSyncOptions;
};

export type AwsSecretsManagerPkiSyncOptions = CloudflareCustomCertificatePkiSyncOptions & {
  /** Whether the chain has the root certificate, too */ includeRootCa: boolean;
  /** Whether a renewed certificate is written into the secret of the one before */ preserveSecretOnRenewal: boolean;
  /** Whether a secret is written again when its content is to be another one, for the same certificate */
  updateExistingCertificates: boolean;
  /** The names of the fields in the JSON object */
  fieldMappings: { certificate: string; privateKey: string; certificateChain: string; caCertificate: string };
};

export type AwsSecretsManagerSecretSync = SecretSyncFields & {
  destination: 'aws-secrets-manager';
  destinationConfig: AwsSecretsManagerSyncConfig;
  syncOptions: AwsSecretsManagerSyncOptions;
};

export type AwsSecretsManagerSyncConfig = { mappingBehavior: 'many-to-one'; region: string; secretName: string } | { mappingBehavior: 'one-to-one'; region: string };

export type AwsSecretsManagerSyncOptions = SecretSyncOptions & {
  keyId?: string;
  tags?: { key: string; value: string }[];
  /** Whether the tags of each item are the metadata of its secret, and `tags`, which take precedence */
  syncSecretMetadataAsTags?: boolean;
};

export type AzureAppConfigurationConnection = AppConnectionFields & {
  app: 'azure-app-configuration';
  method: 'oauth';
  credentials: { /** The tenant of the user; default: that of their account */ tenantId?: string };
} | AppConnectionFields & { app: 'azure-app-configuration'; method: 'client-secret'; credentials: { tenantId: string; clientId: string } };

export type AzureAppConfigurationSecretSync = SecretSyncFields & {
  destination: 'azure-app-configuration';
  destinationConfig: AzureAppConfigurationSyncConfig;
  syncOptions: SecretSyncOptions;
};

export type AzureAppConfigurationSyncConfig = { configurationUrl: string; /** The label of the key-values; default: none */ label: string };

export type AzureClientSecretParameters = { objectId: string; clientId: string; /** The name of the application, for people */ appName?: string };

export type AzureClientSecretRotation = SecretRotationFields & {
  type: 'azure-client-secret';
  parameters: AzureClientSecretParameters;
  secretsMapping: { clientId: string; clientSecret: string };
};

export type AzureClientSecretsConnection = AppConnectionFields & {
  app: 'azure-client-secrets';
  method: 'oauth';
  credentials: { /** The tenant of the user; default: that of their account */ tenantId?: string };
} | AppConnectionFields & { app: 'azure-client-secrets'; method: 'client-secret'; credentials: { tenantId: string; clientId: string } };

export type AzureDnsConnection = AppConnectionFields & {
  app: 'azure-dns';
  method: 'client-secret';
  credentials: { tenantId: string; subscriptionId: string; clientId: string };
};

export type AzureKeyVaultConnection = AppConnectionFields & {
  app: 'azure-key-vault';
  method: 'oauth';
  credentials: { /** The tenant of the user; default: that of their account */ tenantId?: string };
} | AppConnectionFields & { app: 'azure-key-vault'; method: 'client-secret'; credentials: { tenantId: string; clientId: string } };

export type AzureKeyVaultPkiSync = PkiSyncFields & {
  destination: 'azure-key-vault';
  destinationConfig: { vaultBaseUrl: string };
  syncOptions: AzureKeyVaultPkiSyncOptions;
};

export type AzureKeyVaultPkiSyncOptions = CloudflareCustomCertificatePkiSyncOptions & {
  /** Whether the chain has the root certificate, too */ includeRootCa: boolean;
  /** Whether a renewed certificate is a new version of the one before */ enableVersioning: boolean;
};

export type AzureKeyVaultSecretSync = SecretSyncFields & { destination: 'azure-key-vault'; destinationConfig: { vaultBaseUrl: string }; syncOptions: SecretSyncOptions };

export type CamundaConnection = AppConnectionFields & { app: 'camunda'; method: 'client-credentials'; credentials: { clientId: string } };

export type CamundaSecretSync = SecretSyncFields & { destination: 'camunda'; destinationConfig: CamundaSyncConfig; syncOptions: SecretSyncOptions };

export type CamundaSyncConfig = { /** Where connector secrets are: only clusters have them */ scope: 'cluster'; clusterUUID: string };

export type Certificate = {
  id: string;
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
  /** The reason code of RFC 5280, section 5.3.1 */ revocationReason: number | null;
  keyUsages: string[] | null;
  extendedKeyUsages: string[] | null;
};

export type CertificateBody = { certificate: string; certificateChain: string | null; serialNumber: string };

export type ChangedProjectRoles = {
  roles: {
    id: string;
    role: string;
    customRoleId: string | null;
    isTemporary: boolean;
    temporaryMode: string | null;
    temporaryRange: string | null;
    temporaryAccessStartTime: string | null;
    /** The start plus the range */ temporaryAccessEndTime: string | null;
    projectMembershipId: string;
    createdAt: string;
    updatedAt: string;
  }[];
};

export type ChangedSecretSyncOptions = {
  initialSyncBehavior?: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination' | null;
  keySchema?: string | null;
  disableSecretDeletion?: boolean | null;
};

export type CloudflareConnection = AppConnectionFields & { app: 'cloudflare'; method: 'api-token'; credentials: { accountId: string } };

export type CloudflareCustomCertificatePkiSync = PkiSyncFields & {
  destination: 'cloudflare-custom-certificate';
  destinationConfig: { zoneId: string };
  syncOptions: CloudflareCustomCertificatePkiSyncOptions;
};

export type CloudflareCustomCertificatePkiSyncOptions = {
  /** Only false is supported */ canImportCertificates: false;
  /** Whether certificates are removed at the destination that are revoked, expired, or no longer in the sync */
  canRemoveCertificates: boolean;
  /** The names at the destination; default: `Coffer-{{certificateId}}`. `{{environment}}` is `global` */
  certificateNameSchema?: string;
};

export type Conflict = {
  op: 'create' | 'update' | 'delete' | 'other';
  /** The present version; null if a name was taken since */ secretId: string | null;
  /** The commit; null if it is not about a single commit */ changeId: string | null;
  /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
  reason: string;
};

export type CreateAppConnectionFields = {
  /** Unique among the connections of the project or organization */ name: string;
  /** The project that it belongs to; default: the organization */ projectId?: string;
  description?: string | null;
  /** Only null is supported */ gatewayId?: null;
};

export type CreatePkiSyncFields = {
  /** Unique among the PKI syncs of the project */ name: string;
  description?: string | null;
  projectId: string;
  /** The subscriber whose certificates it gets, also later ones; null: of none */ subscriberId?: string | null;
  /** Valid certificates of the project whose private keys are stored */ certificateIds?: string[];
  /** Whether certificates are written as they are issued, renewed and revoked (default: `true`) */
  isAutoSyncEnabled?: boolean;
};

export type CreateSecretRotationFields = {
  /** Unique in the folder */ name: string;
  description?: string | null;
  projectId: string;
  /** A connection of the project or the organization that the caller may use */ connectionId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
  /** Whether it is repeated; otherwise it is rotated on request only (default: `true`) */
  isAutoRotationEnabled?: boolean;
  /** Days */ rotationInterval: number;
  /** The time of day in UTC (default: `{"hours":0,"minutes":0}`) */ rotateAtUtc?: { hours: number; minutes: number };
};

export type CreateSecretSyncFields = {
  /** Unique among the secret syncs of the project */ name: string;
  description?: string | null;
  projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config */ secretPath: string;
  /** Whether changes of the folder are written as they are made (default: `true`) */ isAutoSyncEnabled?: boolean;
};

export type CustomRole = { id: string; name: string; slug: string; description: string | null; permissions: PublishedRule[] };

export type DatabricksConnection = AppConnectionFields & { app: 'databricks'; method: 'service-principal'; credentials: { workspaceUrl: string; clientId: string } };

export type DatabricksSecretSync = SecretSyncFields & { destination: 'databricks'; destinationConfig: { scope: string }; syncOptions: SecretSyncOptions };

export type DatabricksServicePrincipalSecretParameters = {
  servicePrincipalId: string;
  /** The name of the service principal, for people */ servicePrincipalName?: string;
  clientId: string;
};

export type DatabricksServicePrincipalSecretRotation = SecretRotationFields & {
  type: 'databricks-service-principal-secret';
  parameters: DatabricksServicePrincipalSecretParameters;
  secretsMapping: { clientId: string; clientSecret: string };
};

export type DeleteExternalAuthority = {
  id: string;
  /** Also while certificates of the authority are valid, which nobody can revoke then; for one that is gone (default: `false`) */
  isForced?: boolean;
};

export type DigicertConnection = AppConnectionFields & {
  app: 'digicert';
  method: 'api-key';
  credentials: {
    /** The region of the CertCentral account */ region: 'us' | 'eu';
    /** The account of the key; found out when it is saved */ accountId?: string;
  };
};

export type DynamicSecret = {
  id: string;
  name: string;
  version: number;
  /** The provider */ type: string;
  /** Default TTL of a lease, for leases that are created without `ttl` */ defaultTTL: string;
  /** Maximum TTL of a lease including renewals; null: no maximum */ maxTTL: string | null;
  folderId: string;
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
  /** The path of a folder, for example /app/config (default: `'/'`) */ path?: string;
};

export type EnterableProject = { id: string; name: string; slug: string; orgId: string } & {
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

export type ExternalAuthorityFields = {
  id: string;
  projectId: string;
  name: string;
  status: 'active' | 'disabled';
  enableDirectIssuance: boolean;
  createdAt: string;
  updatedAt: string;
};

export type ExternalInfisicalConnection = AppConnectionFields & {
  app: 'external-infisical';
  method: 'machine-identity-universal-auth';
  credentials: { instanceUrl: string; machineIdentityClientId: string };
};

export type ExternalInfisicalSecretSync = SecretSyncFields & { destination: 'external-infisical'; destinationConfig: ExternalInfisicalSyncConfig; syncOptions: SecretSyncOptions };

export type ExternalInfisicalSyncConfig = { projectId: string; environment: string; secretPath: string };

export type Folder = {
  id: string;
  name: string;
  version: number;
  createdAt: string;
  updatedAt: string;
  envId: string;
  /** null for the root folder of an environment */ parentId: string | null;
  isReserved: boolean;
  description: string | null;
  /** Time of the last write or delete of a secret in the folder */ lastSecretModified: string | null;
};

export type FoundSecret = { id: string; secretKey: string; /** Slug of the environment */ environment: string; secretPath: string };

export type GcpConnection = AppConnectionFields & { app: 'gcp'; method: 'service-account-impersonation'; credentials: { serviceAccountEmail: string } };

export type GcpSecretManagerSecretSync = SecretSyncFields & { destination: 'gcp-secret-manager'; destinationConfig: GcpSecretManagerSyncConfig; syncOptions: SecretSyncOptions };

export type GcpSecretManagerSyncConfig = {
  scope: 'global';
  projectId: string;
  /** Where new secrets are replicated; default: Google chooses */ userReplicaLocationIds?: string[];
} | { scope: 'region'; projectId: string; locationId: string };

export type GithubConnection = AppConnectionFields & {
  app: 'github';
  method: 'pat';
  credentials: {
    /** server: host names it */ instanceType?: 'cloud' | 'server';
    /** The host name of a GitHub Enterprise server; default: github.com */ host?: string;
    /** Instead of host, for a server below a path */ instanceUrl?: string;
  };
} | AppConnectionFields & { app: 'github'; method: 'oauth'; credentials: Record<string, never> } | AppConnectionFields & {
  app: 'github';
  method: 'github-app';
  credentials: {
    installationId: string;
    /** The IDs of the repositories that it reaches: those of the installation when it was saved */
    repositoryIds?: number[];
    /** Whether it reaches secrets of the organization: who saved it owns that */ isOwner?: boolean;
  };
};

export type GithubSecretSync = SecretSyncFields & { destination: 'github'; destinationConfig: GithubSyncConfig; syncOptions: SecretSyncOptions };

export type GithubSyncConfig = { scope: 'repository'; owner: string; repo: string } | { scope: 'repository-environment'; owner: string; repo: string; env: string } | { scope: 'organization'; org: string; visibility: 'all' | 'private' | 'selected'; selectedRepositoryIds: number[] };

export type GivenSshLoginMapping = {
  loginUser: string;
  allowedPrincipals: {
    /** User names of members of the project (default: `[]`) */ usernames?: string[];
    /** Slugs of groups that are members of the project; every user and machine identity in them may log in (default: `[]`) */
    groups?: string[];
  };
};

export type GroupUser = { id: string; email: string | null; username: string; firstName: string | null; lastName: string | null };

export type HashicorpVaultConnection = AppConnectionFields & { app: 'hashicorp-vault'; method: 'access-token'; credentials: { instanceUrl: string; namespace?: string } } | AppConnectionFields & { app: 'hashicorp-vault'; method: 'app-role'; credentials: { instanceUrl: string; namespace?: string } };

export type HashicorpVaultSecretSync = SecretSyncFields & { destination: 'hashicorp-vault'; destinationConfig: { mount: string; path: string }; syncOptions: SecretSyncOptions };

export type HumanitecConnection = AppConnectionFields & { app: 'humanitec'; method: 'api-token'; credentials: Record<string, never> };

export type HumanitecSecretSync = SecretSyncFields & { destination: 'humanitec'; destinationConfig: HumanitecSyncConfig; syncOptions: SecretSyncOptions };

export type HumanitecSyncConfig = { scope: 'application'; org: string; app: string } | { scope: 'environment'; org: string; app: string; env: string };

export type IdentityProject = {
  /** ID of the membership */ id: string;
  identityId: string;
  roles: MembershipRole[];
  identity: {
    id: string;
    name: string;
    /** null: the organization owns it */ projectId: string | null;
    hasDeleteProtection: boolean;
    authMethods: string[];
  };
  project: { id: string; name: string; slug: string; type: string };
  createdAt: string;
  updatedAt: string;
};

export type ImportPlace = {
  projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */ path?: string;
};

export type IssuedCertificate = SignedCertificate & { /** PEM of PKCS #8 */ privateKey: string };

export type IssuedToken = {
  /** Returned once. Send it as `Authorization: Bearer` */ accessToken: string;
  /** Seconds; 0 where the token does not expire */ expiresIn: number;
  /** Seconds; 0 where renewing has no end */ accessTokenMaxTTL: number;
  tokenType: 'Bearer';
};

export type KeyAlgorithmName = 'RSA_2048' | 'RSA_3072' | 'RSA_4096' | 'EC_prime256v1' | 'EC_secp384r1' | 'ED25519';

export type KmsAlgorithmName = 'aes-256-gcm' | 'aes-128-gcm' | 'aes-256-siv' | 'aes-128-siv' | 'ECC_NIST_P256' | 'ECC_NIST_P384' | 'ECC_NIST_P521' | 'RSA_2048' | 'RSA_3072' | 'RSA_4096' | 'ED25519' | 'ML_DSA_44' | 'ML_DSA_65' | 'ML_DSA_87' | 'HMAC_SHA_256' | 'HMAC_SHA_1' | 'HMAC_SHA_224' | 'HMAC_SHA_384' | 'HMAC_SHA_512';

export type LdapConnection = AppConnectionFields & {
  app: 'ldap';
  method: 'simple-bind';
  credentials: {
    /** How passwords are stored: openldap stands for all directories with userPassword */
    provider: 'active-directory' | 'openldap';
    url: string;
    dn: string;
    /** The certificate of the directory is always verified */ sslRejectUnauthorized: true;
    /** PEM of the root certificate by which the directory is trusted; with it, ldap:// upgrades to TLS (StartTLS) */
    sslCertificate?: string;
  };
};

export type LdapPasswordParameters = {
  dn: string;
  passwordRequirements?: PasswordRequirements2;
  /** Who sets the password: the entry of the connection, or the entry itself */
  rotationMethod: 'connection-principal' | 'target-principal';
};

export type LdapPasswordRotation = SecretRotationFields & { type: 'ldap-password'; parameters: LdapPasswordParameters; secretsMapping: { dn: string; password: string } };

export type Lease = {
  id: string;
  version: number;
  /** ID of the lease in the external system, for example a user name */ externalEntityId: string;
  expireAt: string;
  /** null or Failed to delete; a failed revocation is retried */ status: string | null;
  /** The message of the external system */ statusDetails: string | null;
  dynamicSecretId: string;
  /** The actor that created the lease, its owner; null for leases of earlier releases */
  createdBy: { /** `user` or `identity` */ type: string; id: string } | null;
  createdAt: string;
  updatedAt: string;
};

export type ListPkiSyncs = { projectId: string; /** A certificate, about which each of them says whether it has it */ certificateId?: string };

export type ListProjects = { type?: ProjectType | 'all'; /** Default: `false` */ includeRoles?: boolean };

export type ListedCertificate = {
  id: string;
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
  /** The reason code of RFC 5280, section 5.3.1 */ revocationReason: number | null;
  keyUsages: string[] | null;
  extendedKeyUsages: string[] | null;
  projectId: string;
  pkiSubscriberId: string | null;
  profileId: string | null;
  keyAlgorithm: string;
  signatureAlgorithm: string;
  /** SHA-256, lower-case hexadecimal */ fingerprint: string;
  /** How it was issued: issue, sign, acme, est, subscriber, import */ source: string;
  hasPrivateKey: boolean;
  renewedFromCertificateId: string | null;
  renewedByCertificateId: string | null;
  renewBeforeDays: number | null;
  /** The error of the last auto-renewal, if any */ renewalError: string | null;
};

export type ListedFolder = Folder & { /** Below the folder that was listed; where recursive */ relativePath?: string };

export type ListedProjectRole = {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  createdAt: string;
  updatedAt: string;
  projectId: string;
};

export type LockoutSettings = {
  /** LDAP: whether wrong passwords delay later attempts at the user. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a valid client secret always works (default: `true`) */
  lockoutEnabled?: boolean;
  /** The number of failures that counts as guessing. A valid client secret always works; password logins are delayed (default: `3`) */
  lockoutThreshold?: number;
  /** Duration of the lockout, in seconds (default: `300`) */ lockoutDurationSeconds?: number;
  /** Failures further apart than this, in seconds, are not added up (default: `30`) */
  lockoutCounterResetSeconds?: number;
};

export type LoginMethodSettings = {
  /** Lifetime of a token in seconds; 0: accessTokenMaxTTL (default: `2592000`) */ accessTokenTTL?: number;
  /** Lifetime of a token in seconds including renewals; 0: unlimited (default: `2592000`) */ accessTokenMaxTTL?: number;
  /** Number of times a token can be used; 0: unlimited (default: `0`) */ accessTokenNumUsesLimit?: number;
  /** In seconds. If greater than 0, a token is valid for one period and can be renewed without limit (default: `0`) */
  accessTokenPeriod?: number;
  /** Addresses from which tokens are accepted (default: `[{"ipAddress":"0.0.0.0/0"},{"ipAddress":"::/0"}]`) */
  accessTokenTrustedIps?: { /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */ ipAddress: string }[];
};

export type MembershipRole = {
  id: string;
  role: string;
  customRoleId: string | null;
  customRoleName: string | null;
  customRoleSlug: string | null;
  isTemporary: boolean;
  temporaryMode: string | null;
  temporaryRange: string | null;
  temporaryAccessStartTime: string | null;
  /** The start plus the range */ temporaryAccessEndTime: string | null;
};

export type MetadataEntry = { key: string; /** Default: `''` */ value?: string };

export type MongodbConnection = AppConnectionFields & {
  app: 'mongodb';
  method: 'username-and-password';
  credentials: {
    host: string;
    port: number;
    database: string;
    username: string;
    /** Whether TLS is required */ sslEnabled: boolean;
    /** The certificate of the server is always verified */ sslRejectUnauthorized: true;
    /** PEM of the root certificate by which the server is trusted; default: the roots of the system */
    sslCertificate?: string;
  };
};

export type MongodbCredentialsRotation = SecretRotationFields & {
  type: 'mongodb-credentials';
  parameters: PostgresCredentialsParameters;
  secretsMapping: { username: string; password: string };
};

export type MssqlConnection = AppConnectionFields & {
  app: 'mssql';
  method: 'username-and-password';
  credentials: {
    host: string;
    port: number;
    database: string;
    username: string;
    /** Whether TLS is required */ sslEnabled: boolean;
    /** The certificate of the server is always verified */ sslRejectUnauthorized: true;
    /** PEM of the root certificate by which the server is trusted; default: the roots of the system */
    sslCertificate?: string;
  };
};

export type MssqlCredentialsRotation = SecretRotationFields & {
  type: 'mssql-credentials';
  parameters: PostgresCredentialsParameters;
  secretsMapping: { username: string; password: string };
};

export type MysqlConnection = AppConnectionFields & {
  app: 'mysql';
  method: 'username-and-password';
  credentials: {
    host: string;
    port: number;
    database: string;
    username: string;
    /** Whether TLS is required */ sslEnabled: boolean;
    /** The certificate of the server is always verified */ sslRejectUnauthorized: true;
    /** PEM of the root certificate by which the server is trusted; default: the roots of the system */
    sslCertificate?: string;
  };
};

export type MysqlCredentialsRotation = SecretRotationFields & {
  type: 'mysql-credentials';
  parameters: PostgresCredentialsParameters;
  secretsMapping: { username: string; password: string };
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

export type NamedSecret = { secretKey: string; /** Default: `'shared'` */ type?: 'shared' | 'personal' };

export type OrderedRenewal = { certificateRequestId: string; status: 'pending'; message: string };

export type Organization = {
  id: string;
  name: string;
  slug: string;
  customerId: string | null;
  authEnforced: boolean;
  scimEnabled: boolean;
  kmsDefaultKeyId: string | null;
  /** The role of members who are invited without one */ defaultMembershipRole: string;
  enforceMfa: boolean;
  selectedMfaMethod: string | null;
  allowSecretSharingOutsideOrganization: boolean | null;
  shouldUseNewPrivilegeSystem: boolean;
  privilegeUpgradeInitiatedByUsername: string | null;
  privilegeUpgradeInitiatedAt: string | null;
  /** Maximum lifetime of an access token of a user in this organization, for example 8h */
  userTokenExpiration: string | null;
  /** Days; null or 0: forever. Projects may have their own */ auditLogsRetentionDays: number | null;
  createdAt: string;
  updatedAt: string;
};

export type OrganizationMembership = {
  id: string;
  orgId: string;
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

export type OrganizationRole = {
  /** UUID; for a built-in role its slug */ id: string;
  slug: string;
  name: string;
  description: string | null;
  permissions: PublishedRule[];
  orgId: string;
  createdAt: string;
  updatedAt: string;
};

export type OrganizationRules = {
  /** One of the published subjects */ subject: string;
  /** One action or a list of actions */ action: string | string[];
  /** By field: a text, or {$eq, $ne, $in, $glob}. All conditions must match */
  conditions?: Record<string, unknown> | null;
  /** true: the rule forbids. The last rule that matches decides */ inverted?: boolean;
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

export type PkiSyncFields = {
  id: string;
  name: string;
  description: string | null;
  /** Whether certificates are written as they are issued, renewed and revoked */ isAutoSyncEnabled: boolean;
  projectId: string;
  subscriberId: string | null;
  subscriber: { id: string; name: string } | null;
  connectionId: string;
  connection: { app: string; id: string; name: string };
  appConnectionName: string;
  appConnectionApp: string;
  /** null: there was no sync */ syncStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
  lastSyncJobId: string | null;
  /** Why the last sync failed */ lastSyncMessage: string | null;
  lastSyncedAt: string | null;
  /** null: there was no import */ importStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
  lastImportJobId: string | null;
  /** Why the last import failed */ lastImportMessage: string | null;
  lastImportedAt: string | null;
  /** null: there was no removal */ removeStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
  lastRemoveJobId: string | null;
  /** Why the last removal failed */ lastRemoveMessage: string | null;
  lastRemovedAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** Whether it has the certificate that the list asks for */ hasCertificate?: boolean;
};

export type PolicyOfRequest = {
  id: string;
  name: string;
  /** A folder path or a glob of folder paths; null: the whole environment */ secretPath: string | null;
  /** Number of approvals that are required */ approvals: number;
  envId: string;
  enforcementLevel: 'hard' | 'soft';
  /** Whether the requester may approve their own request; every policy that covers a change must allow it */
  allowedSelfApprovals: boolean;
  deletedAt: string | null;
  approvers: { userId: string }[];
};

export type PostgresConnection = AppConnectionFields & {
  app: 'postgres';
  method: 'username-and-password';
  credentials: {
    host: string;
    port: number;
    database: string;
    username: string;
    /** Whether TLS is required */ sslEnabled: boolean;
    /** The certificate of the server is always verified */ sslRejectUnauthorized: true;
    /** PEM of the root certificate by which the server is trusted; default: the roots of the system */
    sslCertificate?: string;
  };
};

export type PostgresCredentialsParameters = {
  /** The first of the two logins, which exists in the database */ username1: string;
  /** The second of the two logins, which exists in the database */ username2: string;
};

export type PostgresCredentialsRotation = SecretRotationFields & {
  type: 'postgres-credentials';
  parameters: PostgresCredentialsParameters;
  secretsMapping: { username: string; password: string };
};

export type Privilege = PrivilegeSummary & { /** Later rules override earlier ones and those of the roles */ permissions: PublishedRule[] };

export type PrivilegeSummary = {
  id: string;
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
  _id: string;
  /** Seconds for which command lines may use values that they have read while the server is unreachable; 0: not at all */
  offlineCacheMaxAge: number;
  hasDeleteProtection: boolean;
  secretSharing: boolean;
  showSnapshotsLegacy: boolean;
  secretDetectionIgnoreValues: string[];
  /** In order */ environments: { id: string; name: string; slug: string }[];
};

export type ProjectMember = {
  /** ID of the membership */ id: string;
  createdAt: string;
  userId: string;
  projectId: string;
  user: GroupUser & { /** Always null: keys stay on the server */ publicKey: string | null };
  /** Includes roles that have ended or not begun */ roles: MembershipRole[];
};

export type ProjectMemberRef = { id: string; userId: string; projectId: string; createdAt: string; updatedAt: string };

export type ProjectRole = ProjectRoleSummary & { permissions: PublishedRule[]; /** Number of updates, plus one */ version: number };

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
  /** true: the rule forbids. The last rule that matches decides */ inverted?: boolean;
}[];

export type ProjectType = 'secret-manager' | 'cert-manager' | 'kms' | 'ssh' | 'secret-scanning' | 'pam';

export type PublishedRule = { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean };

export type PublishedSecret = FoundSecret & {
  version: number;
  type: string;
  secretValue: string;
  secretValueHidden: boolean;
  /** Only where references were to be resolved and some could not be */ secretReferenceErrors?: SecretReferenceError[];
  secretComment: string;
  secretReminderNote: string | null;
  secretReminderRepeatDays: number | null;
  secretReminderRecipients: string[] | null;
  skipMultilineEncoding: boolean | null;
  metadata: Record<string, string> | null;
  secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
  tags: SecretTag[];
  actor: SecretActor | null;
  isRotatedSecret: boolean;
  rotationId: string | null;
  createdAt: string;
  updatedAt: string;
  /** The same as `id` */ _id: string;
  /** The ID of the project */ workspace: string;
};

export type RedisConnection = AppConnectionFields & {
  app: 'redis';
  method: 'username-and-password';
  credentials: {
    host: string;
    port: number;
    username: string;
    /** Whether TLS is required */ sslEnabled: boolean;
    /** The certificate of the server is always verified */ sslRejectUnauthorized: true;
    /** PEM of the root certificate by which the server is trusted; default: the roots of the system */
    sslCertificate?: string;
  };
};

export type RedisCredentialsParameters = {
  /** What the users may do, as rules of an ACL */ permissionScope: string;
  passwordRequirements?: PasswordRequirements2;
};

export type RedisCredentialsRotation = SecretRotationFields & {
  type: 'redis-credentials';
  parameters: RedisCredentialsParameters;
  secretsMapping: { username: string; password: string };
};

export type RevocationReasonName = 'UNSPECIFIED' | 'KEY_COMPROMISE' | 'CA_COMPROMISE' | 'AFFILIATION_CHANGED' | 'SUPERSEDED' | 'CESSATION_OF_OPERATION' | 'CERTIFICATE_HOLD' | 'PRIVILEGE_WITHDRAWN' | 'A_A_COMPROMISE';

export type RoleAssignment = {
  /** A built-in role, or the slug of a custom role */ role: string;
  isTemporary: true;
  temporaryMode: 'relative';
  /** For example 30m, 1h, 2d */ temporaryRange: string;
  /** RFC 3339 */ temporaryAccessStartTime: string;
} | {
  /** A built-in role, or the slug of a custom role */ role: string;
  /** Default: `false` */ isTemporary?: false;
};

export type Secret = FoundSecret & {
  projectId: string;
  folderId: string;
  version: number;
  type: string;
  secretValue: string;
  secretValueHidden: boolean;
  /** Only where references were to be resolved and some could not be */ secretReferenceErrors?: SecretReferenceError[];
  secretComment: string;
  secretReminderNote: string | null;
  secretReminderRepeatDays: number | null;
  secretReminderRecipients: string[] | null;
  skipMultilineEncoding: boolean | null;
  metadata: Record<string, string> | null;
  secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
  tags: SecretTag[];
  actor: SecretActor | null;
  isRotatedSecret: boolean;
  rotationId: string | null;
  createdAt: string;
  updatedAt: string;
};

export type SecretActor = {
  actorId: string | null;
  actorType: string | null;
  name: string | null;
  /** Membership of the actor in the project, or of the group that holds it */ membershipId: string | null;
  /** The group through which the actor was in the project, if only through one */ groupId: string | null;
};

export type SecretApproval = {
  id: string;
  policyId: string;
  hasMerged: boolean;
  status: 'open' | 'close';
  /** What has changed since the request was made */ conflicts: Conflict[] | null;
  slug: string;
  folderId: string;
  bypassReason: string | null;
  createdAt: string;
  updatedAt: string;
  isReplicated: boolean | null;
  /** null for requests of machines and for replications */ committerUserId: string | null;
  /** The machine identity that made the request */ committerIdentityId: string | null;
  /** The service token that made the request */ committerServiceTokenId: string | null;
  statusChangedByUserId: string | null;
};

export type SecretChange = SecretDetails & {
  secretKey: string;
  secretValue?: string;
  /** The location of this one, if it differs from the common one */ secretPath?: string;
  newSecretName?: string;
};

export type SecretDetails = {
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
  id: string;
  version: number;
  importPath: string;
  /** If a name is imported more than once, the higher position wins */ position: number;
  createdAt: string;
  updatedAt: string;
  folderId: string;
  isReplication: boolean;
  /** null before the first replication, and while a change request is open */ isReplicationSuccess: boolean | null;
  /** Why the last replication failed */ replicationStatus: string | null;
  lastReplicated: string | null;
  isReserved: boolean;
  importEnv: { id: string; name: string; slug: string };
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

export type SecretRotationFields = {
  id: string;
  name: string;
  description: string | null;
  isAutoRotationEnabled: boolean;
  /** The one of the generated credentials that is in the secrets */ activeIndex: number;
  folderId: string;
  connectionId: string;
  /** Days */ rotationInterval: number;
  rotateAtUtc: { hours: number; minutes: number };
  /** `success` or `failed`: the result of the last attempt */ rotationStatus: string;
  lastRotationAttemptedAt: string;
  /** null: the first rotation has not succeeded yet */ lastRotatedAt: string | null;
  lastRotationJobId: string | null;
  /** Why the last attempt failed */ lastRotationMessage: string | null;
  /** The next attempt; null: on request only */ nextRotationAt: string | null;
  isLastRotationManual: boolean;
  connection: { app: string; id: string; name: string };
  environment: { id: string; name: string; slug: string };
  projectId: string;
  folder: { id: string; path: string };
  createdAt: string;
  updatedAt: string;
};

export type SecretSyncFields = {
  id: string;
  name: string;
  description: string | null;
  /** Counts the changes */ version: number;
  projectId: string;
  /** null: the folder was deleted */ folderId: string | null;
  connectionId: string;
  /** Whether changes of the folder are written as they are made */ isAutoSyncEnabled: boolean;
  /** null: there was no sync */ syncStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
  lastSyncJobId: string | null;
  /** Why the last sync failed */ lastSyncMessage: string | null;
  lastSyncedAt: string | null;
  /** null: there was no import */ importStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
  lastImportJobId: string | null;
  /** Why the last import failed */ lastImportMessage: string | null;
  lastImportedAt: string | null;
  /** null: there was no removal */ removeStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
  lastRemoveJobId: string | null;
  /** Why the last removal failed */ lastRemoveMessage: string | null;
  lastRemovedAt: string | null;
  environment: { id: string; name: string; slug: string };
  folder: { id: string; path: string } | null;
  connection: { app: string; id: string; name: string };
  createdAt: string;
  updatedAt: string;
};

export type SecretSyncOptions = {
  /** What the first sync does with what is at the destination before it */
  initialSyncBehavior: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination';
  /** The names at the destination. With overwrite-destination, all items there with such a name belong to the sync */
  keySchema?: string;
  /** Nothing is removed at the destination */ disableSecretDeletion: boolean;
};

export type SecretSyncOptionsInput = {
  /** What the first sync does with what is at the destination before it (default: `'overwrite-destination'`) */
  initialSyncBehavior?: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination';
  /** The names at the destination. With overwrite-destination, all items there with such a name belong to the sync */
  keySchema?: string;
  /** Nothing is removed at the destination (default: `false`) */ disableSecretDeletion?: boolean;
};

export type SecretTag = { id: string; slug: string; name: string; color: string | null };

export type SeenActor = {
  /** A user, a machine identity or a service token */ type: 'user' | 'identity' | 'service';
  id: string;
  name: string;
  /** Of a user */ username: string | null;
};

export type SignedCertificate = {
  /** PEM */ certificate: string;
  /** PEM */ issuingCaCertificate: string;
  /** PEM */ certificateChain: string;
  serialNumber: string;
  certificateId: string;
};

export type SignedSshKey = {
  /** A decimal number of up to 19 digits */ serialNumber: string;
  /** The certificate, in the form of OpenSSH */ signedKey: string;
};

export type SigningAlgorithmName = 'RSASSA_PSS_SHA_512' | 'RSASSA_PSS_SHA_384' | 'RSASSA_PSS_SHA_256' | 'RSASSA_PKCS1_V1_5_SHA_512' | 'RSASSA_PKCS1_V1_5_SHA_384' | 'RSASSA_PKCS1_V1_5_SHA_256' | 'ECDSA_SHA_512' | 'ECDSA_SHA_384' | 'ECDSA_SHA_256' | 'ED25519' | 'ML_DSA_44' | 'ML_DSA_65' | 'ML_DSA_87';

export type SshConnection = AppConnectionFields & {
  app: 'ssh';
  method: 'password';
  credentials: {
    host: string;
    port: number;
    username: string;
    /** The host key that the server has to present; default: the one that it presents when the connection is saved */
    hostKey?: string;
  };
} | AppConnectionFields & {
  app: 'ssh';
  method: 'ssh-key';
  credentials: {
    host: string;
    port: number;
    username: string;
    /** The host key that the server has to present; default: the one that it presents when the connection is saved */
    hostKey?: string;
    passphrase?: '';
  };
};

export type SshCredentials = {
  /** A decimal number of up to 19 digits */ serialNumber: string;
  /** The certificate, in the form of OpenSSH */ signedKey: string;
  /** In the form of OpenSSH, without a passphrase */ privateKey: string;
  publicKey: string;
  keyAlgorithm: SshKeyAlgorithmName;
};

export type SshHost = {
  id: string;
  projectId: string;
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
  loginMappings: SshLoginMapping[];
};

export type SshKeyAlgorithmName = 'RSA_2048' | 'RSA_4096' | 'EC_prime256v1' | 'EC_secp384r1' | 'ED25519';

export type SshLoginMapping = {
  loginUser: string;
  allowedPrincipals: {
    /** User names of members of the project */ usernames: string[];
    /** Slugs of groups that are members of the project; every user and machine identity in them may log in */
    groups: string[];
  };
};

export type SshTemplate = {
  id: string;
  sshCaId: string;
  projectId: string;
  status: 'active' | 'disabled';
  /** Unique in its authority */ name: string;
  /** Of certificates that are requested without one */ ttl: string;
  /** The longest TTL that can be requested */ maxTTL: string;
  /** Principals of user certificates; an asterisk matches any characters */ allowedUsers: string[];
  /** Principals of host certificates; an asterisk matches any characters */ allowedHosts: string[];
  allowUserCertificates: boolean;
  allowHostCertificates: boolean;
  /** Whether requests can choose the key ID, which sshd logs */ allowCustomKeyIds: boolean;
  /** Critical options that requests can set, also with other values than the default */ allowedCriticalOptions: string[];
  /** Critical options of every user certificate */ defaultCriticalOptions: Record<string, string>;
  /** Extensions that requests can choose besides the default ones */ allowedExtensions: string[];
  /** Extensions of user certificates whose requests choose none */ defaultExtensions: Record<string, string>;
  createdAt: string;
  updatedAt: string;
};

export type TerraformCloudConnection = AppConnectionFields & { app: 'terraform-cloud'; method: 'api-token'; credentials: Record<string, never> };

export type TerraformCloudSecretSync = SecretSyncFields & { destination: 'terraform-cloud'; destinationConfig: TerraformCloudSyncConfig; syncOptions: SecretSyncOptions };

export type TerraformCloudSyncConfig = {
  scope: 'workspace';
  workspaceId: string;
  /** the name of the workspace, for people */ workspaceName: string;
  /** the name of the organization, for people */ org: string;
  /** What the variables are: of the environment, or of Terraform */ category: 'env' | 'terraform';
} | {
  scope: 'variable-set';
  variableSetId: string;
  /** the name of the variable set, for people */ variableSetName: string;
  /** the name of the organization, for people */ org: string;
  /** What the variables are: of the environment, or of Terraform */ category: 'env' | 'terraform';
};

export type TrustedAddress = { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number };

export type UnixLinuxLocalAccountParameters = {
  username: string;
  passwordRequirements?: PasswordRequirements2;
  /** Who sets the password: the login of the connection, or the account itself */
  rotationMethod: 'login-as-root' | 'login-as-target';
  /** Whether the login of the connection sets it with sudo */ useSudo: boolean;
};

export type UnixLinuxLocalAccountRotation = SecretRotationFields & {
  type: 'unix-linux-local-account';
  parameters: UnixLinuxLocalAccountParameters;
  secretsMapping: { username: string; password: string };
};

export type UpdateAppConnectionFields = {
  connectionId: string;
  /** Unique among the connections of the project or organization */ name?: string;
  description?: string | null;
  /** Only null is supported */ gatewayId?: null;
};

export type UpdatePkiSyncFields = {
  pkiSyncId: string;
  /** Unique among the PKI syncs of the project */ name?: string;
  description?: string | null;
  connectionId?: string;
  /** The subscriber whose certificates it gets, also later ones; null: of none */ subscriberId?: string | null;
  /** Whether certificates are written as they are issued, renewed and revoked */ isAutoSyncEnabled?: boolean;
};

export type UpdateSecretRotationFields = {
  rotationId: string;
  /** Unique in the folder */ name?: string;
  description?: string | null;
  /** Whether it is repeated; otherwise it is rotated on request only */ isAutoRotationEnabled?: boolean;
  /** Days */ rotationInterval?: number;
  /** The time of day in UTC */ rotateAtUtc?: { hours: number; minutes: number };
};

export type UpdateSecretSyncFields = {
  syncId: string;
  /** Unique among the secret syncs of the project */ name?: string;
  description?: string | null;
  connectionId?: string;
  /** The slug of an environment */ environment?: string;
  /** The path of a folder, for example /app/config */ secretPath?: string;
  /** Whether changes of the folder are written as they are made */ isAutoSyncEnabled?: boolean;
};

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
  /** true while logins from unknown devices are locked out after failed attempts */ isLocked: boolean;
  temporaryLockDateEnd: string | null;
  devices?: unknown;
  createdAt: string;
  updatedAt: string;
};

export type UserAgentType = 'web' | 'cli' | 'k8-operator' | 'terraform' | 'other' | 'InfisicalPythonSDK' | 'InfisicalNodeSDK';

export type VercelConnection = AppConnectionFields & { app: 'vercel'; method: 'api-token'; credentials: Record<string, never> };

export type VercelSecretSync = SecretSyncFields & { destination: 'vercel'; destinationConfig: VercelSyncConfig; syncOptions: SecretSyncOptions };

export type VercelSyncConfig = {
  app: string;
  /** The name of the project, for people */ appName: string;
  env: string;
  /** With `preview`: only for deployments of this branch */ branch?: string;
  teamId: string;
};
