// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { CreateSecretRotationFields, MongodbCredentialsRotation, PostgresCredentialsParameters, UpdateSecretRotationFields } from './shared.ts';

export type MongodbCredentialsMapping = {
  /** The name of the secret with the username */ username: string;
  /** The name of the secret with the password */ password: string;
};

export interface MongodbCredentialsRotationsApi {
  /**
   * Create a rotation of MongoDB Credentials, and its first credential.
   * `POST /api/v2/secret-rotations/mongodb-credentials`. Needs `create` on `secret-rotation`.
   */
  create: Mutation<
    CreateSecretRotationFields & { parameters: PostgresCredentialsParameters; secretsMapping: MongodbCredentialsMapping },
    { /** A rotation of MongoDB Credentials */ secretRotation: MongodbCredentialsRotation }
  >;
  /**
   * Update a rotation of MongoDB Credentials; omitted fields stay unchanged.
   * `PATCH /api/v2/secret-rotations/mongodb-credentials/{rotationId}`. Needs `edit` on `secret-rotation`.
   */
  update: Mutation<
    UpdateSecretRotationFields & {
      /** Replace the present ones, and take effect with the next rotation */ parameters?: PostgresCredentialsParameters;
      /** Renames the secrets */ secretsMapping?: MongodbCredentialsMapping;
    },
    { /** A rotation of MongoDB Credentials */ secretRotation: MongodbCredentialsRotation }
  >;
}
