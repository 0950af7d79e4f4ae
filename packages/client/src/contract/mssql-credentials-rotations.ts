// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { CreateSecretRotationFields, MssqlCredentialsRotation, PostgresCredentialsParameters, UpdateSecretRotationFields } from './shared.ts';

export type MssqlCredentialsMapping = {
  /** The name of the secret with the username */ username: string;
  /** The name of the secret with the password */ password: string;
};

export interface MssqlCredentialsRotationsApi {
  /**
   * Create a rotation of Microsoft SQL Server Credentials, and its first credential.
   * `POST /api/v2/secret-rotations/mssql-credentials`. Needs `create` on `secret-rotation`.
   */
  create: Mutation<
    CreateSecretRotationFields & { parameters: PostgresCredentialsParameters; secretsMapping: MssqlCredentialsMapping },
    { /** A rotation of Microsoft SQL Server Credentials */ secretRotation: MssqlCredentialsRotation }
  >;
  /**
   * Update a rotation of Microsoft SQL Server Credentials; omitted fields stay unchanged.
   * `PATCH /api/v2/secret-rotations/mssql-credentials/{rotationId}`. Needs `edit` on `secret-rotation`.
   */
  update: Mutation<
    UpdateSecretRotationFields & {
      /** Replace the present ones, and take effect with the next rotation */ parameters?: PostgresCredentialsParameters;
      /** Renames the secrets */ secretsMapping?: MssqlCredentialsMapping;
    },
    { /** A rotation of Microsoft SQL Server Credentials */ secretRotation: MssqlCredentialsRotation }
  >;
}
