// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { Auth0ClientSecretRotation, AwsIamUserSecretRotation, AzureClientSecretRotation, DatabricksServicePrincipalSecretRotation, LdapPasswordRotation, MongodbCredentialsRotation, MssqlCredentialsRotation, MysqlCredentialsRotation, PostgresCredentialsRotation, RedisCredentialsRotation, UnixLinuxLocalAccountRotation } from './shared.ts';

export type AnyGeneratedCredentials = GeneratedAuth0ClientSecret | GeneratedAwsIamUserSecret | GeneratedAzureClientSecret | GeneratedDatabricksServicePrincipalSecret | GeneratedLdapPassword | GeneratedMongodbCredentials | GeneratedMssqlCredentials | GeneratedMysqlCredentials | GeneratedPostgresCredentials | GeneratedRedisCredentials | GeneratedUnixLinuxLocalAccount;

export type AnySecretRotation = Auth0ClientSecretRotation | AwsIamUserSecretRotation | AzureClientSecretRotation | DatabricksServicePrincipalSecretRotation | LdapPasswordRotation | MongodbCredentialsRotation | MssqlCredentialsRotation | MysqlCredentialsRotation | PostgresCredentialsRotation | RedisCredentialsRotation | UnixLinuxLocalAccountRotation;

export type DeleteSecretRotation = {
  rotationType: 'auth0-client-secret' | 'aws-iam-user-secret' | 'azure-client-secret' | 'databricks-service-principal-secret' | 'ldap-password' | 'mongodb-credentials' | 'mssql-credentials' | 'mysql-credentials' | 'postgres-credentials' | 'redis-credentials' | 'unix-linux-local-account';
  rotationId: string;
  /** Whether its secrets are deleted, too; otherwise they stay as they are (default: `false`) */ deleteSecrets?: boolean;
  /** Whether the credentials are revoked first; otherwise they go on to work (default: `false`) */
  revokeGeneratedCredentials?: boolean;
};

export type GeneratedAuth0ClientSecret = {
  type: 'auth0-client-secret';
  rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { clientId: string; clientSecret: string }[];
};

export type GeneratedAwsIamUserSecret = {
  type: 'aws-iam-user-secret';
  rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { accessKeyId: string; secretAccessKey: string }[];
};

export type GeneratedAzureClientSecret = {
  type: 'azure-client-secret';
  rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { clientId: string; clientSecret: string }[];
};

export type GeneratedDatabricksServicePrincipalSecret = {
  type: 'databricks-service-principal-secret';
  rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { clientId: string; clientSecret: string }[];
};

export type GeneratedLdapPassword = {
  type: 'ldap-password';
  rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { dn: string; password: string }[];
};

export type GeneratedMongodbCredentials = {
  type: 'mongodb-credentials';
  rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { username: string; password: string }[];
};

export type GeneratedMssqlCredentials = {
  type: 'mssql-credentials';
  rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { username: string; password: string }[];
};

export type GeneratedMysqlCredentials = {
  type: 'mysql-credentials';
  rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { username: string; password: string }[];
};

export type GeneratedPostgresCredentials = {
  type: 'postgres-credentials';
  rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { username: string; password: string }[];
};

export type GeneratedRedisCredentials = {
  type: 'redis-credentials';
  rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { username: string; password: string }[];
};

export type GeneratedUnixLinuxLocalAccount = {
  type: 'unix-linux-local-account';
  rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { username: string; password: string }[];
};

export type SecretRotationName = {
  rotationType: 'auth0-client-secret' | 'aws-iam-user-secret' | 'azure-client-secret' | 'databricks-service-principal-secret' | 'ldap-password' | 'mongodb-credentials' | 'mssql-credentials' | 'mysql-credentials' | 'postgres-credentials' | 'redis-credentials' | 'unix-linux-local-account';
  rotationName: string;
  projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
};

export type SecretRotationOption = {
  /** For people */ name: string;
  type: string;
  /** The app of its connections */ connection: string;
  template: { /** Usual names of the secrets */ secretsMapping: Record<string, string> };
  /** The variable that the operator of this server has to set before it can be used. Absent: it can be used */
  missingSetting?: string;
};

export type SecretRotationRef = {
  rotationType: 'auth0-client-secret' | 'aws-iam-user-secret' | 'azure-client-secret' | 'databricks-service-principal-secret' | 'ldap-password' | 'mongodb-credentials' | 'mssql-credentials' | 'mysql-credentials' | 'postgres-credentials' | 'redis-credentials' | 'unix-linux-local-account';
  rotationId: string;
};

export interface SecretRotationsApi {
  /** List the available types of secret rotations. `GET /api/v2/secret-rotations/options`. */
  options: Query<NoInput, { secretRotationOptions: SecretRotationOption[] }>;
  /** List the secret rotations of a project. `GET /api/v2/secret-rotations`. Needs `read` on `secret-rotation`. */
  listAll: Query<{ projectId: string }, { secretRotations: AnySecretRotation[] }>;
  /**
   * List the secret rotations of one type in a project.
   * `GET /api/v2/secret-rotations/{rotationType}`. Needs `read` on `secret-rotation`.
   */
  list: Query<
    {
      projectId: string;
      rotationType: 'auth0-client-secret' | 'aws-iam-user-secret' | 'azure-client-secret' | 'databricks-service-principal-secret' | 'ldap-password' | 'mongodb-credentials' | 'mssql-credentials' | 'mysql-credentials' | 'postgres-credentials' | 'redis-credentials' | 'unix-linux-local-account';
    },
    { secretRotations: AnySecretRotation[] }
  >;
  /** Get a secret rotation. `GET /api/v2/secret-rotations/{rotationType}/{rotationId}`. Needs `read` on `secret-rotation`. */
  get: Query<SecretRotationRef, { secretRotation: AnySecretRotation }>;
  /**
   * Get a secret rotation by its name.
   * `GET /api/v2/secret-rotations/{rotationType}/rotation-name/{rotationName}`. Needs `read` on `secret-rotation`.
   */
  getByName: Query<SecretRotationName, { secretRotation: AnySecretRotation }>;
  /**
   * Get the credentials that a secret rotation has generated.
   * `GET /api/v2/secret-rotations/{rotationType}/{rotationId}/generated-credentials`. Needs `read-generated-credentials` on `secret-rotation`.
   */
  generatedCredentials: Query<SecretRotationRef, AnyGeneratedCredentials>;
  /**
   * Rotate the secrets of a rotation now.
   * `POST /api/v2/secret-rotations/{rotationType}/{rotationId}/rotate-secrets`. Needs `rotate-secrets` on `secret-rotation`.
   */
  rotate: Mutation<SecretRotationRef, { secretRotation: AnySecretRotation }>;
  /**
   * Check the active credential of a rotation, and replace it if it no longer works.
   * `POST /api/v2/secret-rotations/{rotationType}/{rotationId}/reconcile`. Needs `rotate-secrets` on `secret-rotation`.
   */
  reconcile: Mutation<
    SecretRotationRef,
    { secretRotation: AnySecretRotation; /** Whether the credential was replaced */ reconciled: boolean; message: string }
  >;
  /** Delete a secret rotation. `DELETE /api/v2/secret-rotations/{rotationType}/{rotationId}`. Needs `delete` on `secret-rotation`. */
  delete: Mutation<DeleteSecretRotation, { secretRotation: AnySecretRotation }>;
}
