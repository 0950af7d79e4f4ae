// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { CreateSecretRotationFields, DatabricksServicePrincipalSecretParameters, DatabricksServicePrincipalSecretRotation, UpdateSecretRotationFields } from './shared.ts';

export type DatabricksServicePrincipalSecretMapping = {
  /** The name of the secret with the clientId */ clientId: string;
  /** The name of the secret with the clientSecret */ clientSecret: string;
};

export interface DatabricksServicePrincipalSecretRotationsApi {
  /**
   * Create a rotation of Databricks Service Principal Secret, and its first credential.
   * `POST /api/v2/secret-rotations/databricks-service-principal-secret`. Needs `create` on `secret-rotation`.
   */
  create: Mutation<
    CreateSecretRotationFields & { parameters: DatabricksServicePrincipalSecretParameters; secretsMapping: DatabricksServicePrincipalSecretMapping },
    { /** A rotation of Databricks Service Principal Secret */ secretRotation: DatabricksServicePrincipalSecretRotation }
  >;
  /**
   * Update a rotation of Databricks Service Principal Secret; omitted fields stay unchanged.
   * `PATCH /api/v2/secret-rotations/databricks-service-principal-secret/{rotationId}`. Needs `edit` on `secret-rotation`.
   */
  update: Mutation<
    UpdateSecretRotationFields & {
      /** Replace the present ones, and take effect with the next rotation */
      parameters?: DatabricksServicePrincipalSecretParameters;
      /** Renames the secrets */ secretsMapping?: DatabricksServicePrincipalSecretMapping;
    },
    { /** A rotation of Databricks Service Principal Secret */ secretRotation: DatabricksServicePrincipalSecretRotation }
  >;
}
