// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { AzureClientSecretParameters, AzureClientSecretRotation, CreateSecretRotationFields, UpdateSecretRotationFields } from './shared.ts';

export type AzureClientSecretMapping = {
  /** The name of the secret with the clientId */ clientId: string;
  /** The name of the secret with the clientSecret */ clientSecret: string;
};

export interface AzureClientSecretRotationsApi {
  /**
   * Create a rotation of Azure Client Secret, and its first credential.
   * `POST /api/v2/secret-rotations/azure-client-secret`. Needs `create` on `secret-rotation`.
   */
  create: Mutation<
    CreateSecretRotationFields & { parameters: AzureClientSecretParameters; secretsMapping: AzureClientSecretMapping },
    { /** A rotation of Azure Client Secret */ secretRotation: AzureClientSecretRotation }
  >;
  /**
   * Update a rotation of Azure Client Secret; omitted fields stay unchanged.
   * `PATCH /api/v2/secret-rotations/azure-client-secret/{rotationId}`. Needs `edit` on `secret-rotation`.
   */
  update: Mutation<
    UpdateSecretRotationFields & {
      /** Replace the present ones, and take effect with the next rotation */ parameters?: AzureClientSecretParameters;
      /** Renames the secrets */ secretsMapping?: AzureClientSecretMapping;
    },
    { /** A rotation of Azure Client Secret */ secretRotation: AzureClientSecretRotation }
  >;
}
