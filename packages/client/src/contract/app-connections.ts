// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { AvailableAppConnection } from './shared.ts';

export type AnyAppConnection = {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'auth0';
  method: 'client-credentials';
  credentials: { domain: string; clientId: string; audience: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'aws';
  method: 'access-key';
  credentials: {
    accessKeyId: string;
    /** A role that the access key assumes */ roleArn?: string;
  };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'aws';
  method: 'assume-role';
  credentials: { accessKeyId: string; roleArn: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'azure-app-configuration';
  method: 'oauth';
  credentials: {
    /** The tenant of the user; default: that of their account */ tenantId?: string;
  };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'azure-app-configuration';
  method: 'client-secret';
  credentials: { tenantId: string; clientId: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'azure-client-secrets';
  method: 'oauth';
  credentials: {
    /** The tenant of the user; default: that of their account */ tenantId?: string;
  };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'azure-client-secrets';
  method: 'client-secret';
  credentials: { tenantId: string; clientId: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'azure-dns';
  method: 'client-secret';
  credentials: { tenantId: string; subscriptionId: string; clientId: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'azure-key-vault';
  method: 'oauth';
  credentials: {
    /** The tenant of the user; default: that of their account */ tenantId?: string;
  };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'azure-key-vault';
  method: 'client-secret';
  credentials: { tenantId: string; clientId: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'camunda';
  method: 'client-credentials';
  credentials: { clientId: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'cloudflare';
  method: 'api-token';
  credentials: { accountId: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'databricks';
  method: 'service-principal';
  credentials: { workspaceUrl: string; clientId: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'digicert';
  method: 'api-key';
  credentials: {
    /** The region of the CertCentral account */ region: 'us' | 'eu';
  };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'gcp';
  method: 'service-account-impersonation';
  credentials: { serviceAccountEmail: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'external-infisical';
  method: 'machine-identity-universal-auth';
  credentials: { instanceUrl: string; machineIdentityClientId: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'github';
  method: 'pat';
  credentials: {
    /** server: host names it */ instanceType?: 'cloud' | 'server';
    /** The host name of a GitHub Enterprise server; default: github.com */
    host?: string;
    /** Instead of host, for a server below a path */ instanceUrl?: string;
  };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'github';
  method: 'oauth';
  credentials: Record<string, never>;
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'github';
  method: 'github-app';
  credentials: {
    installationId: string;
    /** The IDs of the repositories that it reaches: those of the installation when it was saved */
    repositoryIds?: number[];
    /** Whether it reaches secrets of the organization: who saved it owns that */
    isOwner?: boolean;
  };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'hashicorp-vault';
  method: 'access-token';
  credentials: { instanceUrl: string; namespace?: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'hashicorp-vault';
  method: 'app-role';
  credentials: { instanceUrl: string; namespace?: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'humanitec';
  method: 'api-token';
  credentials: Record<string, never>;
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'mssql';
  method: 'username-and-password';
  credentials: {
    host: string;
    port: number;
    database: string;
    username: string;
    /** Whether TLS is required */ sslEnabled: boolean;
    /** The certificate of the server is always verified */
    sslRejectUnauthorized: true;
    /** PEM of the root certificate by which the server is trusted; default: the roots of the system */
    sslCertificate?: string;
  };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'mysql';
  method: 'username-and-password';
  credentials: {
    host: string;
    port: number;
    database: string;
    username: string;
    /** Whether TLS is required */ sslEnabled: boolean;
    /** The certificate of the server is always verified */
    sslRejectUnauthorized: true;
    /** PEM of the root certificate by which the server is trusted; default: the roots of the system */
    sslCertificate?: string;
  };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'postgres';
  method: 'username-and-password';
  credentials: {
    host: string;
    port: number;
    database: string;
    username: string;
    /** Whether TLS is required */ sslEnabled: boolean;
    /** The certificate of the server is always verified */
    sslRejectUnauthorized: true;
    /** PEM of the root certificate by which the server is trusted; default: the roots of the system */
    sslCertificate?: string;
  };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'ldap';
  method: 'simple-bind';
  credentials: {
    /** How passwords are stored: openldap stands for all directories with userPassword */
    provider: 'active-directory' | 'openldap';
    url: string;
    dn: string;
    /** The certificate of the directory is always verified */
    sslRejectUnauthorized: true;
    /** PEM of the root certificate by which the directory is trusted; with it, ldap:// upgrades to TLS (StartTLS) */
    sslCertificate?: string;
  };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'mongodb';
  method: 'username-and-password';
  credentials: {
    host: string;
    port: number;
    database: string;
    username: string;
    /** Whether TLS is required */ sslEnabled: boolean;
    /** The certificate of the server is always verified */
    sslRejectUnauthorized: true;
    /** PEM of the root certificate by which the server is trusted; default: the roots of the system */
    sslCertificate?: string;
  };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'redis';
  method: 'username-and-password';
  credentials: {
    host: string;
    port: number;
    username: string;
    /** Whether TLS is required */ sslEnabled: boolean;
    /** The certificate of the server is always verified */
    sslRejectUnauthorized: true;
    /** PEM of the root certificate by which the server is trusted; default: the roots of the system */
    sslCertificate?: string;
  };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'ssh';
  method: 'password';
  credentials: {
    host: string;
    port: number;
    username: string;
    /** The host key that the server has to present; default: the one that it presents when the connection is saved */
    hostKey?: string;
  };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
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
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'terraform-cloud';
  method: 'api-token';
  credentials: Record<string, never>;
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  /** Counts the changes of the credentials */ version: number;
  /** UUID */ orgId: string;
  /** null: the connection belongs to the organization */
  projectId: string | null;
  isPlatformManagedCredentials: boolean;
  gatewayId: null;
  /** When the app was last asked whether it accepts the credentials */
  lastCheckedAt: string | null;
  /** Why it did not accept them then; null: it did */
  lastCheckMessage: string | null;
  createdAt: string;
  updatedAt: string;
  app: 'vercel';
  method: 'api-token';
  credentials: Record<string, never>;
};

export type AppConnectionName = {
  /** The connections of this project; default: those of the organization */
  projectId?: string;
  app: AppName;
  connectionName: string;
};

export type AppConnectionOption = {
  /** For people */ name: string;
  app: string;
  /** Those for which the operator has set what they need */ methods: string[];
  /** The client ID of the application that users authorize (oauth) */
  oauthClientId?: string;
  supportsPlatformManagement: boolean;
};

export type AppConnectionRef = {
  app: AppName;
  /** UUID */ connectionId: string;
};

export type AppConnectionUsage = {
  projects: {
    /** UUID */ id: string;
    name: string;
    slug: string;
    type: string;
    resources: {
      secretSyncs: {
        /** UUID */ id: string;
        destination: string;
      }[];
      certificateAuthorities: {
        /** UUID */ id: string;
        type: string;
        name: string;
      }[];
      secretRotations: {
        /** UUID */ id: string;
        type: string;
      }[];
      pkiSyncs: {
        /** UUID */ id: string;
        destination: string;
        name: string;
      }[];
    };
  }[];
  /** The number of others, which the caller may not read */
  hiddenResources: number;
};

export type AppName = 'auth0' | 'aws' | 'azure-app-configuration' | 'azure-client-secrets' | 'azure-dns' | 'azure-key-vault' | 'camunda' | 'cloudflare' | 'databricks' | 'digicert' | 'gcp' | 'external-infisical' | 'github' | 'hashicorp-vault' | 'humanitec' | 'mssql' | 'mysql' | 'postgres' | 'ldap' | 'mongodb' | 'redis' | 'ssh' | 'terraform-cloud' | 'vercel';

export type AvailableAppConnections = {
  app: AppName;
  /** Also the connections of this project */ projectId?: string;
};

export interface AppConnectionsApi {
  /** List the available apps. `GET /api/v1/app-connections/options`. */
  options: Query<NoInput, { appConnectionOptions: AppConnectionOption[] }>;
  /**
   * List the connections of the organization or a project.
   * `GET /api/v1/app-connections`. Needs `read` on `app-connections` in the organization, or `read` on `app-connections` in the project.
   */
  listAll: Query<
    {
      /** The connections of this project; default: those of the organization */
      projectId?: string;
    },
    { appConnections: AnyAppConnection[] }
  >;
  /**
   * List the connections to an app.
   * `GET /api/v1/app-connections/{app}`. Needs `read` on `app-connections` in the organization, or `read` on `app-connections` in the project.
   */
  list: Query<
    {
      /** The connections of this project; default: those of the organization */
      projectId?: string;
      app: AppName;
    },
    { appConnections: AnyAppConnection[] }
  >;
  /**
   * List the names of connections to an app that the caller may use.
   * `GET /api/v1/app-connections/{app}/available`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  available: Query<AvailableAppConnections, { appConnections: AvailableAppConnection[] }>;
  /**
   * Get a connection.
   * `GET /api/v1/app-connections/{app}/{connectionId}`. Needs `read` on `app-connections` in the organization, or `read` on `app-connections` in the project.
   */
  get: Query<AppConnectionRef, { appConnection: AnyAppConnection }>;
  /**
   * Get a connection by its name.
   * `GET /api/v1/app-connections/{app}/connection-name/{connectionName}`. Needs `read` on `app-connections` in the organization, or `read` on `app-connections` in the project.
   */
  getByName: Query<AppConnectionName, { appConnection: AnyAppConnection }>;
  /**
   * List what uses a connection.
   * `GET /api/v1/app-connections/{app}/{connectionId}/usage`. Needs `read` on `app-connections` in the organization, or `read` on `app-connections` in the project.
   */
  usage: Query<AppConnectionRef, AppConnectionUsage>;
  /**
   * Delete a connection that is not used.
   * `DELETE /api/v1/app-connections/{app}/{connectionId}`. Needs `delete` on `app-connections` in the organization, or `delete` on `app-connections` in the project.
   */
  delete: Mutation<AppConnectionRef, { appConnection: AnyAppConnection }>;
}
