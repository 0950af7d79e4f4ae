// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { AvailableAppConnection, PasswordRequirements, PasswordRequirements2 } from './shared.ts';

export interface LdapPasswordRotationsApi {
  /**
   * Create a rotation of LDAP Password, and its first credential.
   * `POST /api/v2/secret-rotations/ldap-password`. Needs `create` on `secret-rotation`.
   */
  create: Mutation<
    {
      /** Unique in the folder */ name: string;
      description?: string | null;
      /** UUID */ projectId: string;
      /** A connection of the project or the organization that the caller may use */
      connectionId: string;
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */
      secretPath?: string;
      /** Whether it is repeated; otherwise it is rotated on request only (default: `true`) */
      isAutoRotationEnabled?: boolean;
      /** Days */ rotationInterval: number;
      /** The time of day in UTC (default: `{"hours":0,"minutes":0}`) */
      rotateAtUtc?: { hours: number; minutes: number };
      parameters: {
        dn: string;
        passwordRequirements?: PasswordRequirements;
        /** Who sets the password: the entry of the connection, or the entry itself (default: `'connection-principal'`) */
        rotationMethod?: 'connection-principal' | 'target-principal';
      };
      secretsMapping: {
        /** The name of the secret with the dn */ dn: string;
        /** The name of the secret with the password */ password: string;
      };
      /** Used once, and not returned */ temporaryParameters?: { password?: string };
    },
    {
      /** A rotation of LDAP Password */
      secretRotation: {
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
      };
    }
  >;
  /**
   * Update a rotation of LDAP Password; omitted fields stay unchanged.
   * `PATCH /api/v2/secret-rotations/ldap-password/{rotationId}`. Needs `edit` on `secret-rotation`.
   */
  update: Mutation<
    {
      /** UUID */ rotationId: string;
      /** Unique in the folder */ name?: string;
      description?: string | null;
      /** Whether it is repeated; otherwise it is rotated on request only */
      isAutoRotationEnabled?: boolean;
      /** Days */ rotationInterval?: number;
      /** The time of day in UTC */ rotateAtUtc?: { hours: number; minutes: number };
      /** Take effect with the next rotation */
      parameters?: {
        dn: string;
        passwordRequirements?: PasswordRequirements;
        /** Who sets the password: the entry of the connection, or the entry itself (default: `'connection-principal'`) */
        rotationMethod?: 'connection-principal' | 'target-principal';
      };
      /** Renames the secrets */
      secretsMapping?: {
        /** The name of the secret with the dn */ dn: string;
        /** The name of the secret with the password */ password: string;
      };
    },
    {
      /** A rotation of LDAP Password */
      secretRotation: {
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
      };
    }
  >;
}
