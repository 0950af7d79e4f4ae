// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { DynamicSecret, Lease } from './shared.ts';

export type CreateDynamicSecret = {
  projectSlug: string;
  /** The slug of an environment */
  environmentSlug: string;
  /**
   * The path of a folder, such as /app/config
   * Default: `'/'`
   */
  path?: string;
  name: string;
  provider: {
    type: 'sql-database';
    inputs: {
      client: 'postgres' | 'mysql2';
      host: string;
      port: number;
      database: string;
      /** Who makes the logins */
      username: string;
      password: string;
      passwordRequirements?: {
        length: number;
        /** How many of each at the least */
        required: {
          /** Default: `0` */
          lowercase?: number;
          /** Default: `0` */
          uppercase?: number;
          /** Default: `0` */
          digits?: number;
          /** Default: `0` */
          symbols?: number;
        };
        /** -_.~!* where absent */
        allowedSymbols?: string;
      } | null;
      /** With {{username}}, {{password}}, {{expiration}} and {{database}} */
      creationStatement: string;
      /** With {{username}} and {{database}} */
      revocationStatement: string;
      /** With {{username}}, {{expiration}} and {{database}} */
      renewStatement?: string | null;
      /** PEM of the root that the server is trusted by; there is no connection without TLS then */
      ca?: string | null;
      /** Only null is offered */
      gatewayId?: null;
    };
  } | {
    type: 'aws-iam';
    inputs: {
      /** Default: `'access-key'` */
      method?: 'access-key';
      /** Only iam-user is offered */
      credentialType?: 'iam-user';
      accessKey: string;
      secretAccessKey: string;
      /** Of the token service; users are the same in all regions */
      region: string;
      /** Of the users */
      awsPath?: string | null;
      permissionBoundaryPolicyArn?: string | null;
      /** JSON; a policy of their own */
      policyDocument?: string | null;
      userGroups?: string | null;
      policyArns?: string | null;
      tags?: { key: string; value: string }[];
    } | {
      method: 'assume-role';
      /** Only iam-user is offered */
      credentialType?: 'iam-user';
      accessKey: string;
      secretAccessKey: string;
      /** Of the token service; users are the same in all regions */
      region: string;
      /** Of the users */
      awsPath?: string | null;
      permissionBoundaryPolicyArn?: string | null;
      /** JSON; a policy of their own */
      policyDocument?: string | null;
      userGroups?: string | null;
      policyArns?: string | null;
      tags?: { key: string; value: string }[];
      roleArn: string;
      /** That the role demands */
      externalId?: string | null;
    };
  } | {
    type: 'redis';
    inputs: {
      host: string;
      port: number;
      /** Who makes the users; empty or default: the one without a name */
      username: string;
      password?: string | null;
      /** With {{username}}, {{password}} and {{expiration}} */
      creationStatement: string;
      /** With {{username}} */
      revocationStatement: string;
      /** With {{username}} and {{expiration}} */
      renewStatement?: string | null;
      /** PEM of the root that the server is trusted by; without it there is no TLS */
      ca?: string | null;
    };
  } | {
    type: 'mongo-db';
    inputs: {
      host: string;
      /** 27017 where absent */
      port?: number;
      /** Who makes the users: a user of the database admin */
      username: string;
      password: string;
      /** Where the users are made */
      database: string;
      /** PEM of the root that the server is trusted by; without it there is no TLS */
      ca?: string | null;
      /** Of that database, or those that every database has, such as readWrite */
      roles: string[];
    };
  } | {
    type: 'rabbit-mq';
    inputs: {
      /** Of the management plugin; https:// where neither https:// nor http:// is said */
      host: string;
      /** Of the management plugin, such as 15672 or 15671 */
      port: number;
      /**
       * Of the users, such as monitoring; none are needed for messages
       * Default: `[]`
       */
      tags?: string[];
      /** Who makes the users; needs the tag administrator */
      username: string;
      password: string;
      /** PEM of the root that the server is trusted by; there is no plain HTTP then */
      ca?: string | null;
      virtualHost: {
        name: string;
        permissions: {
          /** A regular expression of names; empty: none */
          read: string;
          /** A regular expression of names; empty: none */
          write: string;
          /** A regular expression of names; empty: none */
          configure: string;
        };
      };
    };
  } | {
    type: 'ldap';
    inputs: {
      /** Default: `'dynamic'` */
      credentialType?: 'dynamic';
      url: string;
      /** Who makes the entries */
      binddn: string;
      bindpass: string;
      /** PEM of the only root to trust; with it, ldap:// goes on in TLS (StartTLS) */
      ca?: string | null;
      /** With {{username}}, {{password}} and {{EncodedPassword}} */
      creationLdif: string;
      /** The same; the password is another one then, which nobody knows */
      revocationLdif: string;
      /** The same; for a creationLdif that fails on the way */
      rollbackLdif?: string | null;
    } | {
      credentialType: 'static';
      url: string;
      /** Who makes the entries */
      binddn: string;
      bindpass: string;
      /** PEM of the only root to trust; with it, ldap:// goes on in TLS (StartTLS) */
      ca?: string | null;
      /** With {{password}} and {{EncodedPassword}}: gives one entry another password */
      rotationLdif: string;
    };
  } | {
    type: 'totp';
    inputs: {
      configType: 'url';
      /** otpauth://totp/…, as a QR code holds it */
      url: string;
    } | {
      configType: 'manual';
      secret: string;
      /** Seconds; 30 where absent */
      period?: number;
      /** sha1 where absent */
      algorithm?: 'sha1' | 'sha256' | 'sha512';
      /** 6 where absent */
      digits?: number;
    };
  } | {
    type: 'kubernetes';
    inputs: {
      credentialType: 'static';
      /** The API server of the cluster */
      url: string;
      /** What the API server is asked with */
      clusterToken: string;
      /** PEM of the root that the API server is trusted by */
      ca?: string | null;
      /**
       * Says nothing here: certificates are always checked
       * Default: `false`
       */
      sslEnabled?: boolean;
      /** Only null is offered */
      gatewayId?: null;
      /** Default: `'api'` */
      authMethod?: 'api';
      /**
       * Whom the tokens are meant for; none: the API server
       * Default: `[]`
       */
      audiences?: string[];
      namespace: string;
      serviceAccountName: string;
    } | {
      credentialType: 'dynamic';
      /** The API server of the cluster */
      url: string;
      /** What the API server is asked with */
      clusterToken: string;
      /** PEM of the root that the API server is trusted by */
      ca?: string | null;
      /**
       * Says nothing here: certificates are always checked
       * Default: `false`
       */
      sslEnabled?: boolean;
      /** Only null is offered */
      gatewayId?: null;
      /** Default: `'api'` */
      authMethod?: 'api';
      /**
       * Whom the tokens are meant for; none: the API server
       * Default: `[]`
       */
      audiences?: string[];
      /** Comma list: where accounts may be made; a lease says where, or it is the first */
      namespace: string;
      /** cluster-role: in all namespaces; role: in that of the account */
      roleType: 'cluster-role' | 'role';
      role: string;
    };
  };
  defaultTTL: string;
  maxTTL?: string | null;
  /** With {{randomUsername}}, {{random 12}}, {{unixTimestamp}} and {{identity.name}}; the first where absent */
  usernameTemplate?: string | null;
  /** Default: `[]` */
  metadata?: {
    key: string;
    /** Default: `''` */
    value?: string;
  }[];
};

export type DeleteDynamicSecret = {
  projectSlug: string;
  /** The slug of an environment */
  environmentSlug: string;
  /**
   * The path of a folder, such as /app/config
   * Default: `'/'`
   */
  path?: string;
  name: string;
  /**
   * Frees its name at once; it waits for its leases under another one. Forced again after that failed, it is given up with its leases
   * Default: `false`
   */
  isForced?: boolean;
};

export type DynamicSecretPlace = {
  projectSlug: string;
  /** The slug of an environment */
  environmentSlug: string;
  /**
   * The path of a folder, such as /app/config
   * Default: `'/'`
   */
  path?: string;
};

export type DynamicSecretRef = {
  projectSlug: string;
  /** The slug of an environment */
  environmentSlug: string;
  /**
   * The path of a folder, such as /app/config
   * Default: `'/'`
   */
  path?: string;
  name: string;
};

export type DynamicSecretWithInputs = {
  /** UUID */
  id: string;
  name: string;
  version: number;
  /** Its provider */
  type: string;
  /** How long a lease lives of which nobody says it */
  defaultTTL: string;
  /** How long a lease lives with all its renewals; null: as long as it is renewed */
  maxTTL: string | null;
  /** UUID */
  folderId: string;
  /** null, Deleting or Failed to delete */
  status: string | null;
  statusDetails: string | null;
  usernameTemplate: string | null;
  /** There are no gateways here */
  projectGatewayId: null;
  metadata: { key: string; value: string }[];
  createdAt: string;
  updatedAt: string;
  /** What its provider is told, without credentials; null for those who may not read it */
  inputs: Record<string, unknown> | null;
};

export type UpdateDynamicSecret = {
  projectSlug: string;
  /** The slug of an environment */
  environmentSlug: string;
  /**
   * The path of a folder, such as /app/config
   * Default: `'/'`
   */
  path?: string;
  name: string;
  data: {
    /** Those that change; a credential is given again where it would be sent elsewhere */
    inputs?: Record<string, unknown>;
    defaultTTL?: string;
    maxTTL?: string | null;
    newName?: string;
    /** With {{randomUsername}}, {{random 12}}, {{unixTimestamp}} and {{identity.name}}; the first where absent */
    usernameTemplate?: string | null;
    metadata?: {
      key: string;
      /** Default: `''` */
      value?: string;
    }[];
  };
};

export interface DynamicSecretsApi {
  /**
   * List the dynamic secrets of a folder.
   *
   * `GET /api/v1/dynamic-secrets`
   * Needs `lease` on `dynamic-secrets` in the project, or `read-root-credential` on `dynamic-secrets` in the project.
   */
  list: Query<DynamicSecretPlace, { dynamicSecrets: DynamicSecret[] }>;
  /**
   * Create a dynamic secret; its credentials are verified first.
   *
   * `POST /api/v1/dynamic-secrets`
   * Needs `create-root-credential` on `dynamic-secrets`.
   */
  create: Mutation<CreateDynamicSecret, { dynamicSecret: DynamicSecret }>;
  /**
   * Read a dynamic secret, without its credentials.
   *
   * `GET /api/v1/dynamic-secrets/{name}`
   * Needs `read-root-credential` on `dynamic-secrets` in the project, or `lease` on `dynamic-secrets` in the project.
   */
  get: Query<DynamicSecretRef, { dynamicSecret: DynamicSecretWithInputs }>;
  /**
   * Update a dynamic secret; omitted fields stay unchanged.
   *
   * `PATCH /api/v1/dynamic-secrets/{name}`
   * Needs `edit-root-credential` on `dynamic-secrets`.
   */
  update: Mutation<UpdateDynamicSecret, { dynamicSecret: DynamicSecret }>;
  /**
   * Delete a dynamic secret after its leases are revoked.
   *
   * `DELETE /api/v1/dynamic-secrets/{name}`
   * Needs `delete-root-credential` on `dynamic-secrets`.
   */
  delete: Mutation<DeleteDynamicSecret, { dynamicSecret: DynamicSecret }>;
  /**
   * List the leases of a dynamic secret.
   *
   * `GET /api/v1/dynamic-secrets/{name}/leases`
   * Needs `lease` on `dynamic-secrets` in the project, or `read-root-credential` on `dynamic-secrets` in the project.
   */
  leases: Query<DynamicSecretRef, { leases: Lease[] }>;
}
