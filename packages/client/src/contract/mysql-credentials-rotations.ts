// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { CreateSecretRotationFields, MysqlCredentialsRotation, PostgresCredentialsParameters, UpdateSecretRotationFields } from './shared.ts';

export type MysqlCredentialsMapping = {
  /** The name of the secret with the username */ username: string;
  /** The name of the secret with the password */ password: string;
};

export interface MysqlCredentialsRotationsApi {
  /**
   * Create a rotation of MySQL Credentials, and its first credential.
   * `POST /api/v2/secret-rotations/mysql-credentials`. Needs `create` on `secret-rotation`.
   */
  create: Mutation<
    CreateSecretRotationFields & { parameters: PostgresCredentialsParameters; secretsMapping: MysqlCredentialsMapping },
    { /** A rotation of MySQL Credentials */ secretRotation: MysqlCredentialsRotation }
  >;
  /**
   * Update a rotation of MySQL Credentials; omitted fields stay unchanged.
   * `PATCH /api/v2/secret-rotations/mysql-credentials/{rotationId}`. Needs `edit` on `secret-rotation`.
   */
  update: Mutation<
    UpdateSecretRotationFields & {
      /** Replace the present ones, and take effect with the next rotation */ parameters?: PostgresCredentialsParameters;
      /** Renames the secrets */ secretsMapping?: MysqlCredentialsMapping;
    },
    { /** A rotation of MySQL Credentials */ secretRotation: MysqlCredentialsRotation }
  >;
}
