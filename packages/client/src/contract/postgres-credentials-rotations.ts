// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { CreateSecretRotationFields, PostgresCredentialsParameters, PostgresCredentialsRotation, UpdateSecretRotationFields } from './shared.ts';

export type PostgresCredentialsMapping = {
  /** The name of the secret with the username */ username: string;
  /** The name of the secret with the password */ password: string;
};

export interface PostgresCredentialsRotationsApi {
  /**
   * Create a rotation of PostgreSQL Credentials, and its first credential.
   * `POST /api/v2/secret-rotations/postgres-credentials`. Needs `create` on `secret-rotation`.
   */
  create: Mutation<
    CreateSecretRotationFields & { parameters: PostgresCredentialsParameters; secretsMapping: PostgresCredentialsMapping },
    { /** A rotation of PostgreSQL Credentials */ secretRotation: PostgresCredentialsRotation }
  >;
  /**
   * Update a rotation of PostgreSQL Credentials; omitted fields stay unchanged.
   * `PATCH /api/v2/secret-rotations/postgres-credentials/{rotationId}`. Needs `edit` on `secret-rotation`.
   */
  update: Mutation<
    UpdateSecretRotationFields & {
      /** Replace the present ones, and take effect with the next rotation */ parameters?: PostgresCredentialsParameters;
      /** Renames the secrets */ secretsMapping?: PostgresCredentialsMapping;
    },
    { /** A rotation of PostgreSQL Credentials */ secretRotation: PostgresCredentialsRotation }
  >;
}
