// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { AvailableAppConnection } from './shared.ts';

export interface DatabricksServicePrincipalSecretRotationsApi {
  /**
   * Create a rotation of Databricks Service Principal Secret, and its first credential.
   * `POST /api/v2/secret-rotations/databricks-service-principal-secret`. Needs `create` on `secret-rotation`.
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
        servicePrincipalId: string;
        /** The name of the service principal, for people */
        servicePrincipalName?: string;
        clientId: string;
      };
      secretsMapping: {
        /** The name of the secret with the clientId */ clientId: string;
        /** The name of the secret with the clientSecret */ clientSecret: string;
      };
    },
    {
      /** A rotation of Databricks Service Principal Secret */
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
        type: 'databricks-service-principal-secret';
        parameters: {
          servicePrincipalId: string;
          /** The name of the service principal, for people */
          servicePrincipalName?: string;
          clientId: string;
        };
        secretsMapping: { clientId: string; clientSecret: string };
      };
    }
  >;
  /**
   * Update a rotation of Databricks Service Principal Secret; omitted fields stay unchanged.
   * `PATCH /api/v2/secret-rotations/databricks-service-principal-secret/{rotationId}`. Needs `edit` on `secret-rotation`.
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
        servicePrincipalId: string;
        /** The name of the service principal, for people */
        servicePrincipalName?: string;
        clientId: string;
      };
      /** Renames the secrets */
      secretsMapping?: {
        /** The name of the secret with the clientId */ clientId: string;
        /** The name of the secret with the clientSecret */ clientSecret: string;
      };
    },
    {
      /** A rotation of Databricks Service Principal Secret */
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
        type: 'databricks-service-principal-secret';
        parameters: {
          servicePrincipalId: string;
          /** The name of the service principal, for people */
          servicePrincipalName?: string;
          clientId: string;
        };
        secretsMapping: { clientId: string; clientSecret: string };
      };
    }
  >;
}
