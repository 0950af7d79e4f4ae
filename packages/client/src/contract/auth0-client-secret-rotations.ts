// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { Auth0ClientSecretRotation, CreateSecretRotationFields, UpdateSecretRotationFields } from './shared.ts';

export type Auth0ClientSecretMapping = {
  /** The name of the secret with the clientId */ clientId: string;
  /** The name of the secret with the clientSecret */ clientSecret: string;
};

export interface Auth0ClientSecretRotationsApi {
  /**
   * Create a rotation of Auth0 Client Secret, and its first credential.
   * `POST /api/v2/secret-rotations/auth0-client-secret`. Needs `create` on `secret-rotation`.
   */
  create: Mutation<
    CreateSecretRotationFields & { parameters: { clientId: string }; secretsMapping: Auth0ClientSecretMapping },
    { /** A rotation of Auth0 Client Secret */ secretRotation: Auth0ClientSecretRotation }
  >;
  /**
   * Update a rotation of Auth0 Client Secret; omitted fields stay unchanged.
   * `PATCH /api/v2/secret-rotations/auth0-client-secret/{rotationId}`. Needs `edit` on `secret-rotation`.
   */
  update: Mutation<
    UpdateSecretRotationFields & {
      /** Replace the present ones, and take effect with the next rotation */ parameters?: { clientId: string };
      /** Renames the secrets */ secretsMapping?: Auth0ClientSecretMapping;
    },
    { /** A rotation of Auth0 Client Secret */ secretRotation: Auth0ClientSecretRotation }
  >;
}
