// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { CreateSecretRotationFields, PasswordRequirements, RedisCredentialsRotation, UpdateSecretRotationFields } from './shared.ts';

export type RedisCredentialsMapping = {
  /** The name of the secret with the username */ username: string;
  /** The name of the secret with the password */ password: string;
};

export type RedisCredentialsParametersInput = {
  /** What the users may do, as rules of an ACL (default: `'~* +@all'`) */ permissionScope?: string;
  passwordRequirements?: PasswordRequirements;
};

export interface RedisCredentialsRotationsApi {
  /**
   * Create a rotation of Redis Credentials, and its first credential.
   * `POST /api/v2/secret-rotations/redis-credentials`. Needs `create` on `secret-rotation`.
   */
  create: Mutation<
    CreateSecretRotationFields & { parameters: RedisCredentialsParametersInput; secretsMapping: RedisCredentialsMapping },
    { /** A rotation of Redis Credentials */ secretRotation: RedisCredentialsRotation }
  >;
  /**
   * Update a rotation of Redis Credentials; omitted fields stay unchanged.
   * `PATCH /api/v2/secret-rotations/redis-credentials/{rotationId}`. Needs `edit` on `secret-rotation`.
   */
  update: Mutation<
    UpdateSecretRotationFields & {
      /** Replace the present ones, and take effect with the next rotation */ parameters?: RedisCredentialsParametersInput;
      /** Renames the secrets */ secretsMapping?: RedisCredentialsMapping;
    },
    { /** A rotation of Redis Credentials */ secretRotation: RedisCredentialsRotation }
  >;
}
