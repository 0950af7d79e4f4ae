// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { CreateAppConnectionFields, MssqlConnection, UpdateAppConnectionFields } from './shared.ts';

export interface MssqlConnectionsApi {
  /**
   * Create a connection to Microsoft SQL Server.
   * `POST /api/v1/app-connections/mssql`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'username-and-password';
      credentials: {
        host: string;
        /** Default: `1433` */ port?: number;
        database: string;
        username: string;
        password: string;
        /** Whether TLS is required (default: `true`) */ sslEnabled?: boolean;
        /** The certificate of the server is always verified (default: `true`) */ sslRejectUnauthorized?: true;
        /** PEM of the root certificate by which the server is trusted; default: the roots of the system */
        sslCertificate?: string;
      } & Record<string, unknown>;
      /** Whether Coffer changes the password of the login to one that nobody else knows, once it is saved */
      isPlatformManagedCredentials?: boolean;
    },
    { /** A connection to Microsoft SQL Server */ appConnection: MssqlConnection }
  >;
  /**
   * Update a connection to Microsoft SQL Server; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/mssql/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
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
      /** Whether Coffer changes the password of the login to one that nobody else knows, once it is saved */
      isPlatformManagedCredentials?: boolean;
    },
    { /** A connection to Microsoft SQL Server */ appConnection: MssqlConnection }
  >;
}
