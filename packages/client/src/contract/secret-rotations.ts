// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { AvailableAppConnection, PasswordRequirements2 } from './shared.ts';

export type AnyGeneratedCredentials = {
  type: 'auth0-client-secret';
  /** UUID */ rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { clientId: string; clientSecret: string }[];
} | {
  type: 'aws-iam-user-secret';
  /** UUID */ rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { accessKeyId: string; secretAccessKey: string }[];
} | {
  type: 'azure-client-secret';
  /** UUID */ rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { clientId: string; clientSecret: string }[];
} | {
  type: 'databricks-service-principal-secret';
  /** UUID */ rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { clientId: string; clientSecret: string }[];
} | {
  type: 'ldap-password';
  /** UUID */ rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { dn: string; password: string }[];
} | {
  type: 'mongodb-credentials';
  /** UUID */ rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { username: string; password: string }[];
} | {
  type: 'mssql-credentials';
  /** UUID */ rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { username: string; password: string }[];
} | {
  type: 'mysql-credentials';
  /** UUID */ rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { username: string; password: string }[];
} | {
  type: 'postgres-credentials';
  /** UUID */ rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { username: string; password: string }[];
} | {
  type: 'redis-credentials';
  /** UUID */ rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { username: string; password: string }[];
} | {
  type: 'unix-linux-local-account';
  /** UUID */ rotationId: string;
  activeIndex: number;
  /** The active credential, and the previous one where that still works */
  generatedCredentials: { username: string; password: string }[];
};

export type AnySecretRotation = {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  isAutoRotationEnabled: boolean;
  /** The one of the generated credentials that is in the secrets */
  activeIndex: number;
  /** UUID */ folderId: string;
  /** UUID */ connectionId: string;
  /** Days */ rotationInterval: number;
  rotateAtUtc: { hours: number; minutes: number };
  /** `success` or `failed`: the result of the last attempt */
  rotationStatus: string;
  lastRotationAttemptedAt: string;
  /** null: the first rotation has not succeeded yet */
  lastRotatedAt: string | null;
  lastRotationJobId: string | null;
  /** Why the last attempt failed */ lastRotationMessage: string | null;
  /** The next attempt; null: on request only */ nextRotationAt: string | null;
  isLastRotationManual: boolean;
  connection: AvailableAppConnection;
  environment: {
    /** UUID */ id: string;
    name: string;
    slug: string;
  };
  /** UUID */ projectId: string;
  folder: {
    /** UUID */ id: string;
    path: string;
  };
  createdAt: string;
  updatedAt: string;
  type: 'auth0-client-secret';
  parameters: { clientId: string };
  secretsMapping: { clientId: string; clientSecret: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  isAutoRotationEnabled: boolean;
  /** The one of the generated credentials that is in the secrets */
  activeIndex: number;
  /** UUID */ folderId: string;
  /** UUID */ connectionId: string;
  /** Days */ rotationInterval: number;
  rotateAtUtc: { hours: number; minutes: number };
  /** `success` or `failed`: the result of the last attempt */
  rotationStatus: string;
  lastRotationAttemptedAt: string;
  /** null: the first rotation has not succeeded yet */
  lastRotatedAt: string | null;
  lastRotationJobId: string | null;
  /** Why the last attempt failed */ lastRotationMessage: string | null;
  /** The next attempt; null: on request only */ nextRotationAt: string | null;
  isLastRotationManual: boolean;
  connection: AvailableAppConnection;
  environment: {
    /** UUID */ id: string;
    name: string;
    slug: string;
  };
  /** UUID */ projectId: string;
  folder: {
    /** UUID */ id: string;
    path: string;
  };
  createdAt: string;
  updatedAt: string;
  type: 'aws-iam-user-secret';
  parameters: {
    userName: string;
    /** The region whose token service is asked whether a key works */
    region: string;
  };
  secretsMapping: { accessKeyId: string; secretAccessKey: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  isAutoRotationEnabled: boolean;
  /** The one of the generated credentials that is in the secrets */
  activeIndex: number;
  /** UUID */ folderId: string;
  /** UUID */ connectionId: string;
  /** Days */ rotationInterval: number;
  rotateAtUtc: { hours: number; minutes: number };
  /** `success` or `failed`: the result of the last attempt */
  rotationStatus: string;
  lastRotationAttemptedAt: string;
  /** null: the first rotation has not succeeded yet */
  lastRotatedAt: string | null;
  lastRotationJobId: string | null;
  /** Why the last attempt failed */ lastRotationMessage: string | null;
  /** The next attempt; null: on request only */ nextRotationAt: string | null;
  isLastRotationManual: boolean;
  connection: AvailableAppConnection;
  environment: {
    /** UUID */ id: string;
    name: string;
    slug: string;
  };
  /** UUID */ projectId: string;
  folder: {
    /** UUID */ id: string;
    path: string;
  };
  createdAt: string;
  updatedAt: string;
  type: 'azure-client-secret';
  parameters: {
    objectId: string;
    clientId: string;
    /** The name of the application, for people */ appName?: string;
  };
  secretsMapping: { clientId: string; clientSecret: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  isAutoRotationEnabled: boolean;
  /** The one of the generated credentials that is in the secrets */
  activeIndex: number;
  /** UUID */ folderId: string;
  /** UUID */ connectionId: string;
  /** Days */ rotationInterval: number;
  rotateAtUtc: { hours: number; minutes: number };
  /** `success` or `failed`: the result of the last attempt */
  rotationStatus: string;
  lastRotationAttemptedAt: string;
  /** null: the first rotation has not succeeded yet */
  lastRotatedAt: string | null;
  lastRotationJobId: string | null;
  /** Why the last attempt failed */ lastRotationMessage: string | null;
  /** The next attempt; null: on request only */ nextRotationAt: string | null;
  isLastRotationManual: boolean;
  connection: AvailableAppConnection;
  environment: {
    /** UUID */ id: string;
    name: string;
    slug: string;
  };
  /** UUID */ projectId: string;
  folder: {
    /** UUID */ id: string;
    path: string;
  };
  createdAt: string;
  updatedAt: string;
  type: 'databricks-service-principal-secret';
  parameters: {
    servicePrincipalId: string;
    /** The name of the service principal, for people */
    servicePrincipalName?: string;
    clientId: string;
  };
  secretsMapping: { clientId: string; clientSecret: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  isAutoRotationEnabled: boolean;
  /** The one of the generated credentials that is in the secrets */
  activeIndex: number;
  /** UUID */ folderId: string;
  /** UUID */ connectionId: string;
  /** Days */ rotationInterval: number;
  rotateAtUtc: { hours: number; minutes: number };
  /** `success` or `failed`: the result of the last attempt */
  rotationStatus: string;
  lastRotationAttemptedAt: string;
  /** null: the first rotation has not succeeded yet */
  lastRotatedAt: string | null;
  lastRotationJobId: string | null;
  /** Why the last attempt failed */ lastRotationMessage: string | null;
  /** The next attempt; null: on request only */ nextRotationAt: string | null;
  isLastRotationManual: boolean;
  connection: AvailableAppConnection;
  environment: {
    /** UUID */ id: string;
    name: string;
    slug: string;
  };
  /** UUID */ projectId: string;
  folder: {
    /** UUID */ id: string;
    path: string;
  };
  createdAt: string;
  updatedAt: string;
  type: 'ldap-password';
  parameters: {
    dn: string;
    passwordRequirements?: PasswordRequirements2;
    /** Who sets the password: the entry of the connection, or the entry itself */
    rotationMethod: 'connection-principal' | 'target-principal';
  };
  secretsMapping: { dn: string; password: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  isAutoRotationEnabled: boolean;
  /** The one of the generated credentials that is in the secrets */
  activeIndex: number;
  /** UUID */ folderId: string;
  /** UUID */ connectionId: string;
  /** Days */ rotationInterval: number;
  rotateAtUtc: { hours: number; minutes: number };
  /** `success` or `failed`: the result of the last attempt */
  rotationStatus: string;
  lastRotationAttemptedAt: string;
  /** null: the first rotation has not succeeded yet */
  lastRotatedAt: string | null;
  lastRotationJobId: string | null;
  /** Why the last attempt failed */ lastRotationMessage: string | null;
  /** The next attempt; null: on request only */ nextRotationAt: string | null;
  isLastRotationManual: boolean;
  connection: AvailableAppConnection;
  environment: {
    /** UUID */ id: string;
    name: string;
    slug: string;
  };
  /** UUID */ projectId: string;
  folder: {
    /** UUID */ id: string;
    path: string;
  };
  createdAt: string;
  updatedAt: string;
  type: 'mongodb-credentials';
  parameters: {
    /** The first of the two logins, which exists in the database */
    username1: string;
    /** The second of the two logins, which exists in the database */
    username2: string;
  };
  secretsMapping: { username: string; password: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  isAutoRotationEnabled: boolean;
  /** The one of the generated credentials that is in the secrets */
  activeIndex: number;
  /** UUID */ folderId: string;
  /** UUID */ connectionId: string;
  /** Days */ rotationInterval: number;
  rotateAtUtc: { hours: number; minutes: number };
  /** `success` or `failed`: the result of the last attempt */
  rotationStatus: string;
  lastRotationAttemptedAt: string;
  /** null: the first rotation has not succeeded yet */
  lastRotatedAt: string | null;
  lastRotationJobId: string | null;
  /** Why the last attempt failed */ lastRotationMessage: string | null;
  /** The next attempt; null: on request only */ nextRotationAt: string | null;
  isLastRotationManual: boolean;
  connection: AvailableAppConnection;
  environment: {
    /** UUID */ id: string;
    name: string;
    slug: string;
  };
  /** UUID */ projectId: string;
  folder: {
    /** UUID */ id: string;
    path: string;
  };
  createdAt: string;
  updatedAt: string;
  type: 'mssql-credentials';
  parameters: {
    /** The first of the two logins, which exists in the database */
    username1: string;
    /** The second of the two logins, which exists in the database */
    username2: string;
  };
  secretsMapping: { username: string; password: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  isAutoRotationEnabled: boolean;
  /** The one of the generated credentials that is in the secrets */
  activeIndex: number;
  /** UUID */ folderId: string;
  /** UUID */ connectionId: string;
  /** Days */ rotationInterval: number;
  rotateAtUtc: { hours: number; minutes: number };
  /** `success` or `failed`: the result of the last attempt */
  rotationStatus: string;
  lastRotationAttemptedAt: string;
  /** null: the first rotation has not succeeded yet */
  lastRotatedAt: string | null;
  lastRotationJobId: string | null;
  /** Why the last attempt failed */ lastRotationMessage: string | null;
  /** The next attempt; null: on request only */ nextRotationAt: string | null;
  isLastRotationManual: boolean;
  connection: AvailableAppConnection;
  environment: {
    /** UUID */ id: string;
    name: string;
    slug: string;
  };
  /** UUID */ projectId: string;
  folder: {
    /** UUID */ id: string;
    path: string;
  };
  createdAt: string;
  updatedAt: string;
  type: 'mysql-credentials';
  parameters: {
    /** The first of the two logins, which exists in the database */
    username1: string;
    /** The second of the two logins, which exists in the database */
    username2: string;
  };
  secretsMapping: { username: string; password: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  isAutoRotationEnabled: boolean;
  /** The one of the generated credentials that is in the secrets */
  activeIndex: number;
  /** UUID */ folderId: string;
  /** UUID */ connectionId: string;
  /** Days */ rotationInterval: number;
  rotateAtUtc: { hours: number; minutes: number };
  /** `success` or `failed`: the result of the last attempt */
  rotationStatus: string;
  lastRotationAttemptedAt: string;
  /** null: the first rotation has not succeeded yet */
  lastRotatedAt: string | null;
  lastRotationJobId: string | null;
  /** Why the last attempt failed */ lastRotationMessage: string | null;
  /** The next attempt; null: on request only */ nextRotationAt: string | null;
  isLastRotationManual: boolean;
  connection: AvailableAppConnection;
  environment: {
    /** UUID */ id: string;
    name: string;
    slug: string;
  };
  /** UUID */ projectId: string;
  folder: {
    /** UUID */ id: string;
    path: string;
  };
  createdAt: string;
  updatedAt: string;
  type: 'postgres-credentials';
  parameters: {
    /** The first of the two logins, which exists in the database */
    username1: string;
    /** The second of the two logins, which exists in the database */
    username2: string;
  };
  secretsMapping: { username: string; password: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  isAutoRotationEnabled: boolean;
  /** The one of the generated credentials that is in the secrets */
  activeIndex: number;
  /** UUID */ folderId: string;
  /** UUID */ connectionId: string;
  /** Days */ rotationInterval: number;
  rotateAtUtc: { hours: number; minutes: number };
  /** `success` or `failed`: the result of the last attempt */
  rotationStatus: string;
  lastRotationAttemptedAt: string;
  /** null: the first rotation has not succeeded yet */
  lastRotatedAt: string | null;
  lastRotationJobId: string | null;
  /** Why the last attempt failed */ lastRotationMessage: string | null;
  /** The next attempt; null: on request only */ nextRotationAt: string | null;
  isLastRotationManual: boolean;
  connection: AvailableAppConnection;
  environment: {
    /** UUID */ id: string;
    name: string;
    slug: string;
  };
  /** UUID */ projectId: string;
  folder: {
    /** UUID */ id: string;
    path: string;
  };
  createdAt: string;
  updatedAt: string;
  type: 'redis-credentials';
  parameters: {
    /** What the users may do, as rules of an ACL */ permissionScope: string;
    passwordRequirements?: PasswordRequirements2;
  };
  secretsMapping: { username: string; password: string };
} | {
  /** UUID */ id: string;
  name: string;
  description: string | null;
  isAutoRotationEnabled: boolean;
  /** The one of the generated credentials that is in the secrets */
  activeIndex: number;
  /** UUID */ folderId: string;
  /** UUID */ connectionId: string;
  /** Days */ rotationInterval: number;
  rotateAtUtc: { hours: number; minutes: number };
  /** `success` or `failed`: the result of the last attempt */
  rotationStatus: string;
  lastRotationAttemptedAt: string;
  /** null: the first rotation has not succeeded yet */
  lastRotatedAt: string | null;
  lastRotationJobId: string | null;
  /** Why the last attempt failed */ lastRotationMessage: string | null;
  /** The next attempt; null: on request only */ nextRotationAt: string | null;
  isLastRotationManual: boolean;
  connection: AvailableAppConnection;
  environment: {
    /** UUID */ id: string;
    name: string;
    slug: string;
  };
  /** UUID */ projectId: string;
  folder: {
    /** UUID */ id: string;
    path: string;
  };
  createdAt: string;
  updatedAt: string;
  type: 'unix-linux-local-account';
  parameters: {
    username: string;
    passwordRequirements?: PasswordRequirements2;
    /** Who sets the password: the login of the connection, or the account itself */
    rotationMethod: 'login-as-root' | 'login-as-target';
    /** Whether the login of the connection sets it with sudo */ useSudo: boolean;
  };
  secretsMapping: { username: string; password: string };
};

export type DeleteSecretRotation = {
  rotationType: 'auth0-client-secret' | 'aws-iam-user-secret' | 'azure-client-secret' | 'databricks-service-principal-secret' | 'ldap-password' | 'mongodb-credentials' | 'mssql-credentials' | 'mysql-credentials' | 'postgres-credentials' | 'redis-credentials' | 'unix-linux-local-account';
  /** UUID */ rotationId: string;
  /** Whether its secrets are deleted, too; otherwise they stay as they are (default: `false`) */
  deleteSecrets?: boolean;
  /** Whether the credentials are revoked first; otherwise they go on to work (default: `false`) */
  revokeGeneratedCredentials?: boolean;
};

export type SecretRotationName = {
  rotationType: 'auth0-client-secret' | 'aws-iam-user-secret' | 'azure-client-secret' | 'databricks-service-principal-secret' | 'ldap-password' | 'mongodb-credentials' | 'mssql-credentials' | 'mysql-credentials' | 'postgres-credentials' | 'redis-credentials' | 'unix-linux-local-account';
  rotationName: string;
  /** UUID */ projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */
  secretPath?: string;
};

export type SecretRotationOption = {
  /** For people */ name: string;
  type: string;
  /** The app of its connections */ connection: string;
  template: {
    /** Usual names of the secrets */ secretsMapping: Record<string, string>;
  };
};

export type SecretRotationRef = {
  rotationType: 'auth0-client-secret' | 'aws-iam-user-secret' | 'azure-client-secret' | 'databricks-service-principal-secret' | 'ldap-password' | 'mongodb-credentials' | 'mssql-credentials' | 'mysql-credentials' | 'postgres-credentials' | 'redis-credentials' | 'unix-linux-local-account';
  /** UUID */ rotationId: string;
};

export interface SecretRotationsApi {
  /** List the available types of secret rotations. `GET /api/v2/secret-rotations/options`. */
  options: Query<NoInput, { secretRotationOptions: SecretRotationOption[] }>;
  /** List the secret rotations of a project. `GET /api/v2/secret-rotations`. Needs `read` on `secret-rotation`. */
  listAll: Query<
    {
      /** UUID */ projectId: string;
    },
    { secretRotations: AnySecretRotation[] }
  >;
  /**
   * List the secret rotations of one type in a project.
   * `GET /api/v2/secret-rotations/{rotationType}`. Needs `read` on `secret-rotation`.
   */
  list: Query<
    {
      /** UUID */ projectId: string;
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
    {
      secretRotation: AnySecretRotation;
      /** Whether the credential was replaced */ reconciled: boolean;
      message: string;
    }
  >;
  /** Delete a secret rotation. `DELETE /api/v2/secret-rotations/{rotationType}/{rotationId}`. Needs `delete` on `secret-rotation`. */
  delete: Mutation<DeleteSecretRotation, { secretRotation: AnySecretRotation }>;
}
