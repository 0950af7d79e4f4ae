// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { DynamicSecret, DynamicSecretPlace, Lease, MetadataEntry, PasswordRequirements } from './shared.ts';

export type CreateDynamicSecret = DynamicSecretPlace & {
  name: string;
  provider: {
    type: 'sql-database';
    inputs: {
      client: 'postgres' | 'mysql2' | 'mssql';
      host: string;
      port: number;
      database: string;
      /** The user that creates the logins */ username: string;
      password: string;
      passwordRequirements?: PasswordRequirements | null;
      /** With {{username}}, {{password}}, {{expiration}} and {{database}} */ creationStatement: string;
      /** With {{username}} and {{database}} */ revocationStatement: string;
      /** With {{username}}, {{expiration}} and {{database}} */ renewStatement?: string | null;
      /** PEM of the root certificate by which the server is trusted; makes TLS mandatory */ ca?: string | null;
      /** Only null is supported */ gatewayId?: null;
    };
  } | {
    type: 'cassandra';
    inputs: {
      /** A node of the cluster, or several with commas between them */ host: string;
      port: number;
      /** The data center of these nodes */ localDataCenter: string;
      /** The keyspace that statements are about, and {{keyspace}} */ keyspace?: string | null;
      /** The role that creates the roles */ username: string;
      password: string;
      /** With {{username}}, {{password}}, {{expiration}} and {{keyspace}} */ creationStatement: string;
      /** With {{username}} and {{keyspace}} */ revocationStatement: string;
      /** With {{username}}, {{expiration}} and {{keyspace}} */ renewStatement?: string | null;
      /** PEM of the root certificate by which the nodes are trusted. Empty: no TLS */ ca?: string | null;
      /** Only null is supported */ gatewayId?: null;
    };
  } | {
    type: 'aws-iam';
    inputs: {
      /** Default: `'access-key'` */ method?: 'access-key';
      /** Only iam-user is supported */ credentialType?: 'iam-user';
      accessKey: string;
      secretAccessKey: string;
      /** Region of the security token service; IAM users are global */ region: string;
      /** Path of the users */ awsPath?: string | null;
      permissionBoundaryPolicyArn?: string | null;
      /** JSON; an inline policy of each user */ policyDocument?: string | null;
      userGroups?: string | null;
      policyArns?: string | null;
      tags?: { key: string; value: string }[];
    } | {
      method: 'assume-role';
      /** Only iam-user is supported */ credentialType?: 'iam-user';
      accessKey: string;
      secretAccessKey: string;
      /** Region of the security token service; IAM users are global */ region: string;
      /** Path of the users */ awsPath?: string | null;
      permissionBoundaryPolicyArn?: string | null;
      /** JSON; an inline policy of each user */ policyDocument?: string | null;
      userGroups?: string | null;
      policyArns?: string | null;
      tags?: { key: string; value: string }[];
      roleArn: string;
      /** The external ID that the role requires */ externalId?: string | null;
    };
  } | {
    type: 'aws-elasticache';
    inputs: {
      /** The replication group, with a user group */ clusterName: string;
      accessKeyId: string;
      secretAccessKey: string;
      region: string;
      /** JSON of a user, with {{username}} and {{password}} */ creationStatement: string;
      /** JSON with its UserId */ revocationStatement: string;
      /** Not used: AWS is trusted by the roots of the system */ ca?: string | null;
    };
  } | {
    type: 'redis';
    inputs: {
      host: string;
      port: number;
      /** The user that creates the users; empty or default: the default user */ username: string;
      password?: string | null;
      /** With {{username}}, {{password}} and {{expiration}} */ creationStatement: string;
      /** With {{username}} */ revocationStatement: string;
      /** With {{username}} and {{expiration}} */ renewStatement?: string | null;
      /** PEM of the root certificate by which the server is trusted. Empty: no TLS */ ca?: string | null;
    };
  } | {
    type: 'mongo-db';
    inputs: {
      host: string;
      /** Default: 27017 */ port?: number;
      /** The user that creates the users, in the database admin */ username: string;
      password: string;
      /** The database in which the users are created */ database: string;
      /** PEM of the root certificate by which the server is trusted. Empty: no TLS */ ca?: string | null;
      /** Roles of that database, or built-in roles such as readWrite */ roles: string[];
    };
  } | {
    type: 'rabbit-mq';
    inputs: {
      /** Address of the management plugin. Default scheme: https:// */ host: string;
      /** Port of the management plugin, for example 15672 or 15671 */ port: number;
      /** Tags of the users, for example monitoring; messaging needs none (default: `[]`) */ tags?: string[];
      /** The user that creates the users; needs the tag administrator */ username: string;
      password: string;
      /** PEM of the root certificate by which the server is trusted; excludes plain HTTP */ ca?: string | null;
      virtualHost: {
        name: string;
        permissions: {
          /** A regular expression of resource names. Empty: none */ read: string;
          /** A regular expression of resource names. Empty: none */ write: string;
          /** A regular expression of resource names. Empty: none */ configure: string;
        };
      };
    };
  } | {
    type: 'ldap';
    inputs: {
      /** Default: `'dynamic'` */ credentialType?: 'dynamic';
      url: string;
      /** The account that creates the entries */ binddn: string;
      bindpass: string;
      /** PEM of the only trusted root certificate; ldap:// then uses StartTLS */ ca?: string | null;
      /** With {{username}}, {{password}} and {{EncodedPassword}} */ creationLdif: string;
      /** As creationLdif; {{password}} is then a new random password that is not stored */ revocationLdif: string;
      /** As creationLdif; runs if creationLdif fails midway */ rollbackLdif?: string | null;
    } | {
      credentialType: 'static';
      url: string;
      /** The account that creates the entries */ binddn: string;
      bindpass: string;
      /** PEM of the only trusted root certificate; ldap:// then uses StartTLS */ ca?: string | null;
      /** With {{password}} and {{EncodedPassword}}: changes the password of one entry */ rotationLdif: string;
    };
  } | {
    type: 'totp';
    inputs: { configType: 'url'; /** otpauth://totp/…, as in a QR code */ url: string } | {
      configType: 'manual';
      secret: string;
      /** Seconds. Default: 30 */ period?: number;
      /** Default: sha1 */ algorithm?: 'sha1' | 'sha256' | 'sha512';
      /** Default: 6 */ digits?: number;
    };
  } | {
    type: 'kubernetes';
    inputs: {
      credentialType: 'static';
      /** The API server of the cluster */ url: string;
      /** The token with which Coffer calls the API server */ clusterToken: string;
      /** PEM of the root certificate by which the API server is trusted */ ca?: string | null;
      /** Ignored: certificates are always verified (default: `false`) */ sslEnabled?: boolean;
      /** Only null is supported */ gatewayId?: null;
      /** Default: `'api'` */ authMethod?: 'api';
      /** Audiences of the tokens. Empty: the API server (default: `[]`) */ audiences?: string[];
      namespace: string;
      serviceAccountName: string;
    } | {
      credentialType: 'dynamic';
      /** The API server of the cluster */ url: string;
      /** The token with which Coffer calls the API server */ clusterToken: string;
      /** PEM of the root certificate by which the API server is trusted */ ca?: string | null;
      /** Ignored: certificates are always verified (default: `false`) */ sslEnabled?: boolean;
      /** Only null is supported */ gatewayId?: null;
      /** Default: `'api'` */ authMethod?: 'api';
      /** Audiences of the tokens. Empty: the API server (default: `[]`) */ audiences?: string[];
      /** Comma-separated namespaces for accounts. A lease selects one; default: the first */ namespace: string;
      /** cluster-role: in all namespaces; role: in the namespace of the account */ roleType: 'cluster-role' | 'role';
      role: string;
    };
  } | {
    type: 'elastic-search';
    inputs: {
      /** Address of the cluster. Default scheme: https:// */ host: string;
      /** For example 9200 */ port: number;
      /** Roles of the users */ roles: string[];
      /** Who creates the users: needs the cluster privilege manage_security */
      auth: { type: 'user'; username: string; password: string } | { type: 'api-key'; apiKeyId: string; apiKey: string };
      /** PEM of the root certificate by which the server is trusted; excludes plain HTTP */ ca?: string | null;
    };
  } | {
    type: 'mongo-db-atlas';
    inputs: {
      /** The public key of an API key of the project */ adminPublicKey: string;
      /** The private key of the API key */ adminPrivateKey: string;
      /** The ID of the project */ groupId: string;
      /** Roles of the users */
      roles: {
        databaseName: string;
        /** A built-in or custom role, such as readWrite */ roleName: string;
        collectionName?: string | null;
      }[];
      /** What the users reach; none: everything in the project (default: `[]`) */
      scopes?: { name: string; type: 'CLUSTER' | 'DATA_LAKE' | 'STREAM' }[];
    };
  } | {
    type: 'github';
    inputs: {
      /** The ID of a GitHub App */ appId: number;
      /** The ID of the installation whose repositories the tokens reach */ installationId: number;
      /** A private key of the app, in PEM */ privateKey: string;
    };
  } | {
    type: 'azure-entra-id';
    inputs: {
      tenantId: string;
      /** The client ID of the application with which Coffer calls Microsoft Graph */ applicationId: string;
      /** A client secret of the application */ clientSecret: string;
      /** The object ID of the user whose password each lease sets */ userId: string;
      /** The user principal name, or e-mail address, of the same user */ email: string;
    };
  } | {
    type: 'gcp-iam';
    inputs: {
      /** The service account whose tokens are leased. Its name ends with the first two parts of the organization ID */
      serviceAccountEmail: string;
    };
  };
  defaultTTL: string;
  maxTTL?: string | null;
  /** Template with {{randomUsername}}, {{random 12}}, {{unixTimestamp}} and {{identity.name}}. Default: {{randomUsername}} */
  usernameTemplate?: string | null;
  /** Default: `[]` */ metadata?: MetadataEntry[];
};

export type DeleteDynamicSecret = DynamicSecretPlace & { name: string } & {
  /** Deletes the dynamic secret even if its leases cannot be revoked. The name is free at once. If revocation fails, a second forced delete abandons the leases (default: `false`) */
  isForced?: boolean;
};

export type DynamicSecretOption = {
  /** For people */ name: string;
  provider: string;
  /** The variable that the operator of this server has to set before it can be used. Absent: it can be used */
  missingSetting?: string;
};

export type DynamicSecretWithInputs = DynamicSecret & {
  /** The configuration of the provider, without credentials; null for callers who may not read it */
  inputs: Record<string, unknown> | null;
};

export type EntraApplication = {
  tenantId: string;
  /** The client ID of the application with which Coffer calls Microsoft Graph */ applicationId: string;
  /** A client secret of the application */ clientSecret: string;
};

export type UpdateDynamicSecret = DynamicSecretPlace & { name: string } & {
  data: {
    /** The changed inputs. If the target changes, they must contain the credential */ inputs?: Record<string, unknown>;
    defaultTTL?: string;
    maxTTL?: string | null;
    newName?: string;
    /** Template with {{randomUsername}}, {{random 12}}, {{unixTimestamp}} and {{identity.name}}. Default: {{randomUsername}} */
    usernameTemplate?: string | null;
    metadata?: MetadataEntry[];
  };
};

export interface DynamicSecretsApi {
  /** List the available providers. `GET /api/v1/dynamic-secrets/providers/options`. */
  options: Query<NoInput, { dynamicSecretOptions: DynamicSecretOption[] }>;
  /** List the users of a tenant of Azure Entra ID. `POST /api/v1/dynamic-secrets/entra-id/users`. */
  entraUsers: Query<EntraApplication, { id: string; name: string; email: string }[]>;
  /**
   * List the dynamic secrets of a folder.
   * `GET /api/v1/dynamic-secrets`. Needs `lease` on `dynamic-secrets` in the project, or `read-root-credential` on `dynamic-secrets` in the project.
   */
  list: Query<DynamicSecretPlace, { dynamicSecrets: DynamicSecret[] }>;
  /**
   * Create a dynamic secret; its credentials are verified first.
   * `POST /api/v1/dynamic-secrets`. Needs `create-root-credential` on `dynamic-secrets`.
   */
  create: Mutation<CreateDynamicSecret, { dynamicSecret: DynamicSecret }>;
  /**
   * Read a dynamic secret, without its credentials.
   * `GET /api/v1/dynamic-secrets/{name}`. Needs `read-root-credential` on `dynamic-secrets` in the project, or `lease` on `dynamic-secrets` in the project.
   */
  get: Query<DynamicSecretPlace & { name: string }, { dynamicSecret: DynamicSecretWithInputs }>;
  /**
   * Update a dynamic secret; omitted fields stay unchanged.
   * `PATCH /api/v1/dynamic-secrets/{name}`. Needs `edit-root-credential` on `dynamic-secrets`.
   */
  update: Mutation<UpdateDynamicSecret, { dynamicSecret: DynamicSecret }>;
  /**
   * Delete a dynamic secret after its leases are revoked.
   * `DELETE /api/v1/dynamic-secrets/{name}`. Needs `delete-root-credential` on `dynamic-secrets`.
   */
  delete: Mutation<DeleteDynamicSecret, { dynamicSecret: DynamicSecret }>;
  /**
   * List the leases of a dynamic secret.
   * `GET /api/v1/dynamic-secrets/{name}/leases`. Needs `lease` on `dynamic-secrets` in the project, or `read-root-credential` on `dynamic-secrets` in the project.
   */
  leases: Query<DynamicSecretPlace & { name: string }, { leases: Lease[] }>;
}
