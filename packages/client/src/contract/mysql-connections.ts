// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';

export interface MysqlConnectionsApi {
  /**
   * Create a connection to MySQL.
   * `POST /api/v1/app-connections/mysql`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    {
      /** Unique among the connections of the project or organization */ name: string;
      method: 'username-and-password';
      credentials: {
        host: string;
        /** Default: `3306` */ port?: number;
        database: string;
        username: string;
        password: string;
        /** Whether TLS is required (default: `true`) */ sslEnabled?: boolean;
        /** The certificate of the server is always verified (default: `true`) */
        sslRejectUnauthorized?: true;
        /** PEM of the root certificate by which the server is trusted; default: the roots of the system */
        sslCertificate?: string;
      } & Record<string, unknown>;
      /** The project that it belongs to; default: the organization */
      projectId?: string;
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Whether Coffer changes the password of the login to one that nobody else knows, once it is saved */
      isPlatformManagedCredentials?: boolean;
    },
    {
      /** A connection to MySQL */
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
        app: 'mysql';
        method: 'username-and-password';
        credentials: {
          host: string;
          port: number;
          database: string;
          username: string;
          /** Whether TLS is required */ sslEnabled: boolean;
          /** The certificate of the server is always verified */
          sslRejectUnauthorized: true;
          /** PEM of the root certificate by which the server is trusted; default: the roots of the system */
          sslCertificate?: string;
        };
      };
    }
  >;
  /**
   * Update a connection to MySQL; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/mysql/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    {
      /** UUID */ connectionId: string;
      /** Unique among the connections of the project or organization */
      name?: string;
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: {
        host?: string | null;
        port?: number | null;
        database?: string | null;
        username?: string | null;
        password?: string | null;
        sslEnabled?: boolean | null;
        sslRejectUnauthorized?: true | null;
        sslCertificate?: string | null;
      };
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Whether Coffer changes the password of the login to one that nobody else knows, once it is saved */
      isPlatformManagedCredentials?: boolean;
    },
    {
      /** A connection to MySQL */
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
        app: 'mysql';
        method: 'username-and-password';
        credentials: {
          host: string;
          port: number;
          database: string;
          username: string;
          /** Whether TLS is required */ sslEnabled: boolean;
          /** The certificate of the server is always verified */
          sslRejectUnauthorized: true;
          /** PEM of the root certificate by which the server is trusted; default: the roots of the system */
          sslCertificate?: string;
        };
      };
    }
  >;
}
