// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AwsConnection, CreateAppConnectionFields, UpdateAppConnectionFields } from './shared.ts';

export interface AwsConnectionsApi {
  /**
   * Create a connection to AWS.
   * `POST /api/v1/app-connections/aws`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'access-key' | 'assume-role';
      credentials: { accessKeyId: string; secretAccessKey: string; /** A role that the access key assumes */ roleArn?: string } & Record<string, unknown> | { accessKeyId: string; secretAccessKey: string; roleArn: string } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to AWS */ appConnection: AwsConnection }
  >;
  /**
   * Update a connection to AWS; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/aws/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { accessKeyId?: string | null; secretAccessKey?: string | null; roleArn?: string | null };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to AWS */ appConnection: AwsConnection }
  >;
  /**
   * List the keys of KMS with their aliases that a connection to AWS reaches.
   * `GET /api/v1/app-connections/aws/{connectionId}/kms-keys`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listKmsKeys: Query<{ connectionId: string; region: string }, { kmsKeys: { alias: string; id: string }[] }>;
  /**
   * List the IAM users that a connection to AWS reaches.
   * `GET /api/v1/app-connections/aws/{connectionId}/users`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listUsers: Query<{ connectionId: string }, { iamUsers: { arn: string; UserName: string }[] }>;
}
