// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export interface AwsConnectionsApi {
  /**
   * Create a connection to AWS.
   * `POST /api/v1/app-connections/aws`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    {
      /** Unique among the connections of the project or organization */ name: string;
      method: 'access-key' | 'assume-role';
      credentials: {
        accessKeyId: string;
        secretAccessKey: string;
        /** A role that the access key assumes */ roleArn?: string;
      } & Record<string, unknown> | { accessKeyId: string; secretAccessKey: string; roleArn: string } & Record<string, unknown>;
      /** The project that it belongs to; default: the organization */
      projectId?: string;
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to AWS */
      appConnection: {
        /** UUID */ id: string;
        name: string;
        description: string | null;
        /** Counts the changes of the credentials */ version: number;
        /** UUID */ orgId: string;
        /** null: the connection belongs to the organization */
        projectId: string | null;
        isPlatformManagedCredentials: boolean;
        gatewayId: null;
        /** When the app was last asked whether it accepts the credentials */
        lastCheckedAt: string | null;
        /** Why it did not accept them then; null: it did */
        lastCheckMessage: string | null;
        createdAt: string;
        updatedAt: string;
        app: 'aws';
        method: 'access-key';
        credentials: {
          accessKeyId: string;
          /** A role that the access key assumes */ roleArn?: string;
        };
      } | {
        /** UUID */ id: string;
        name: string;
        description: string | null;
        /** Counts the changes of the credentials */ version: number;
        /** UUID */ orgId: string;
        /** null: the connection belongs to the organization */
        projectId: string | null;
        isPlatformManagedCredentials: boolean;
        gatewayId: null;
        /** When the app was last asked whether it accepts the credentials */
        lastCheckedAt: string | null;
        /** Why it did not accept them then; null: it did */
        lastCheckMessage: string | null;
        createdAt: string;
        updatedAt: string;
        app: 'aws';
        method: 'assume-role';
        credentials: { accessKeyId: string; roleArn: string };
      };
    }
  >;
  /**
   * Update a connection to AWS; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/aws/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    {
      /** UUID */ connectionId: string;
      /** Unique among the connections of the project or organization */
      name?: string;
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { accessKeyId?: string | null; secretAccessKey?: string | null; roleArn?: string | null };
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to AWS */
      appConnection: {
        /** UUID */ id: string;
        name: string;
        description: string | null;
        /** Counts the changes of the credentials */ version: number;
        /** UUID */ orgId: string;
        /** null: the connection belongs to the organization */
        projectId: string | null;
        isPlatformManagedCredentials: boolean;
        gatewayId: null;
        /** When the app was last asked whether it accepts the credentials */
        lastCheckedAt: string | null;
        /** Why it did not accept them then; null: it did */
        lastCheckMessage: string | null;
        createdAt: string;
        updatedAt: string;
        app: 'aws';
        method: 'access-key';
        credentials: {
          accessKeyId: string;
          /** A role that the access key assumes */ roleArn?: string;
        };
      } | {
        /** UUID */ id: string;
        name: string;
        description: string | null;
        /** Counts the changes of the credentials */ version: number;
        /** UUID */ orgId: string;
        /** null: the connection belongs to the organization */
        projectId: string | null;
        isPlatformManagedCredentials: boolean;
        gatewayId: null;
        /** When the app was last asked whether it accepts the credentials */
        lastCheckedAt: string | null;
        /** Why it did not accept them then; null: it did */
        lastCheckMessage: string | null;
        createdAt: string;
        updatedAt: string;
        app: 'aws';
        method: 'assume-role';
        credentials: { accessKeyId: string; roleArn: string };
      };
    }
  >;
  /**
   * List the keys of KMS with their aliases that a connection to AWS reaches.
   * `GET /api/v1/app-connections/aws/{connectionId}/kms-keys`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listKmsKeys: Query<
    {
      /** UUID */ connectionId: string;
      region: string;
    },
    { kmsKeys: { alias: string; id: string }[] }
  >;
  /**
   * List the IAM users that a connection to AWS reaches.
   * `GET /api/v1/app-connections/aws/{connectionId}/users`. Needs `connect` on `app-connections` in the organization, or `connect` on `app-connections` in the project.
   */
  listUsers: Query<
    {
      /** UUID */ connectionId: string;
    },
    { iamUsers: { arn: string; UserName: string }[] }
  >;
}
