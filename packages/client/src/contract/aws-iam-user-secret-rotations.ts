// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { AwsIamUserSecretParameters, AwsIamUserSecretRotation, CreateSecretRotationFields, UpdateSecretRotationFields } from './shared.ts';

export type AwsIamUserSecretMapping = {
  /** The name of the secret with the accessKeyId */ accessKeyId: string;
  /** The name of the secret with the secretAccessKey */ secretAccessKey: string;
};

export interface AwsIamUserSecretRotationsApi {
  /**
   * Create a rotation of AWS IAM User Secret, and its first credential.
   * `POST /api/v2/secret-rotations/aws-iam-user-secret`. Needs `create` on `secret-rotation`.
   */
  create: Mutation<
    CreateSecretRotationFields & { parameters: AwsIamUserSecretParameters; secretsMapping: AwsIamUserSecretMapping },
    { /** A rotation of AWS IAM User Secret */ secretRotation: AwsIamUserSecretRotation }
  >;
  /**
   * Update a rotation of AWS IAM User Secret; omitted fields stay unchanged.
   * `PATCH /api/v2/secret-rotations/aws-iam-user-secret/{rotationId}`. Needs `edit` on `secret-rotation`.
   */
  update: Mutation<
    UpdateSecretRotationFields & {
      /** Replace the present ones, and take effect with the next rotation */ parameters?: AwsIamUserSecretParameters;
      /** Renames the secrets */ secretsMapping?: AwsIamUserSecretMapping;
    },
    { /** A rotation of AWS IAM User Secret */ secretRotation: AwsIamUserSecretRotation }
  >;
}
