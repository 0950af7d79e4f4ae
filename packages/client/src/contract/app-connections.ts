// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { Auth0Connection, AwsConnection, AzureAppConfigurationConnection, AzureClientSecretsConnection, AzureDnsConnection, AzureKeyVaultConnection, CamundaConnection, CloudflareConnection, DatabricksConnection, DigicertConnection, ExternalInfisicalConnection, GcpConnection, GithubConnection, HashicorpVaultConnection, HumanitecConnection, LdapConnection, MongodbConnection, MssqlConnection, MysqlConnection, PostgresConnection, RedisConnection, SshConnection, TerraformCloudConnection, VercelConnection } from './shared.ts';

export type AnyAppConnection = Auth0Connection | AwsConnection | AzureAppConfigurationConnection | AzureClientSecretsConnection | AzureDnsConnection | AzureKeyVaultConnection | CamundaConnection | CloudflareConnection | DatabricksConnection | DigicertConnection | GcpConnection | ExternalInfisicalConnection | GithubConnection | HashicorpVaultConnection | HumanitecConnection | MssqlConnection | MysqlConnection | PostgresConnection | LdapConnection | MongodbConnection | RedisConnection | SshConnection | TerraformCloudConnection | VercelConnection;

export type AppConnectionCheck = { isAccepted: boolean; /** Why it does not */ message: string | null };

export type AppConnectionName = {
  /** The connections of this project; default: those of the organization */ projectId?: string;
  app: AppName;
  connectionName: string;
};

export type AppConnectionOption = {
  /** For people */ name: string;
  app: string;
  /** Those for which the operator has set what they need */ methods: string[];
  /** The client ID of the application that users authorize (oauth) */ oauthClientId?: string;
  supportsPlatformManagement: boolean;
};

export type AppConnectionUsage = {
  projects: {
    id: string;
    name: string;
    slug: string;
    type: string;
    resources: {
      secretSyncs: { id: string; destination: string }[];
      certificateAuthorities: { id: string; type: string; name: string }[];
      secretRotations: { id: string; type: string }[];
      pkiSyncs: { id: string; destination: string; name: string }[];
    };
  }[];
  /** The number of others, which the caller may not read */ hiddenResources: number;
};

export type AppName = 'auth0' | 'aws' | 'azure-app-configuration' | 'azure-client-secrets' | 'azure-dns' | 'azure-key-vault' | 'camunda' | 'cloudflare' | 'databricks' | 'digicert' | 'gcp' | 'external-infisical' | 'github' | 'hashicorp-vault' | 'humanitec' | 'mssql' | 'mysql' | 'postgres' | 'ldap' | 'mongodb' | 'redis' | 'ssh' | 'terraform-cloud' | 'vercel';

export type AvailableAppConnections = { app: AppName; /** Also the connections of this project */ projectId?: string };

export type UnavailableMethod = {
  /** Of the app, for people */ name: string;
  app: string;
  method: string;
  /** The variable that the operator of this server has to set before it can be used */ missingSetting: string;
};

export interface AppConnectionsApi {
  /** List the available apps. `GET /api/v1/app-connections/options`. */
  options: Query<
    NoInput,
    {
      appConnectionOptions: AppConnectionOption[];
      /** Those that need something of the operator first */ unavailableMethods: UnavailableMethod[];
    }
  >;
  /**
   * List the connections of the organization or a project.
   * `GET /api/v1/app-connections`. Needs `read` on `app-connections` in the organization, or `read` on `app-connections` in the project.
   */
  listAll: Query<
    { /** The connections of this project; default: those of the organization */ projectId?: string },
    { appConnections: AnyAppConnection[] }
  >;
  /**
   * List the connections to an app.
   * `GET /api/v1/app-connections/{app}`. Needs `read` on `app-connections` in the organization, or `read` on `app-connections` in the project.
   */
  list: Query<
    { /** The connections of this project; default: those of the organization */ projectId?: string; app: AppName },
    { appConnections: AnyAppConnection[] }
  >;
  /**
   * List the names of connections to an app that the caller may use.
   * `GET /api/v1/app-connections/{app}/available`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  available: Query<AvailableAppConnections, { appConnections: { app: string; id: string; name: string }[] }>;
  /**
   * Get a connection.
   * `GET /api/v1/app-connections/{app}/{connectionId}`. Needs `read` on `app-connections` in the organization, or `read` on `app-connections` in the project.
   */
  get: Query<{ app: AppName; connectionId: string }, { appConnection: AnyAppConnection }>;
  /**
   * Get a connection by its name.
   * `GET /api/v1/app-connections/{app}/connection-name/{connectionName}`. Needs `read` on `app-connections` in the organization, or `read` on `app-connections` in the project.
   */
  getByName: Query<AppConnectionName, { appConnection: AnyAppConnection }>;
  /**
   * List what uses a connection.
   * `GET /api/v1/app-connections/{app}/{connectionId}/usage`. Needs `read` on `app-connections` in the organization, or `read` on `app-connections` in the project.
   */
  usage: Query<{ app: AppName; connectionId: string }, AppConnectionUsage>;
  /**
   * Check whether the app accepts the credentials of a connection.
   * `POST /api/v1/app-connections/{app}/{connectionId}/check`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  check: Mutation<{ app: AppName; connectionId: string }, AppConnectionCheck>;
  /**
   * Delete a connection that is not used.
   * `DELETE /api/v1/app-connections/{app}/{connectionId}`. Needs `delete` on `app-connections` in the organization, or `delete` on `app-connections` in the project.
   */
  delete: Mutation<{ app: AppName; connectionId: string }, { appConnection: AnyAppConnection }>;
}
