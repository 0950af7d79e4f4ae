// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { CreateAppConnectionFields, RedisConnection, UpdateAppConnectionFields } from './shared.ts';

export interface RedisConnectionsApi {
  /**
   * Create a connection to Redis.
   * `POST /api/v1/app-connections/redis`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'username-and-password';
      credentials: {
        host: string;
        /** Default: `6379` */ port?: number;
        username: string;
        password: string;
        /** Whether TLS is required (default: `true`) */ sslEnabled?: boolean;
        /** The certificate of the server is always verified (default: `true`) */ sslRejectUnauthorized?: true;
        /** PEM of the root certificate by which the server is trusted; default: the roots of the system */
        sslCertificate?: string;
      } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Redis */ appConnection: RedisConnection }
  >;
  /**
   * Update a connection to Redis; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/redis/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: {
        host?: string | null;
        port?: number | null;
        username?: string | null;
        password?: string | null;
        sslEnabled?: boolean | null;
        sslRejectUnauthorized?: true | null;
        sslCertificate?: string | null;
      };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to Redis */ appConnection: RedisConnection }
  >;
}
