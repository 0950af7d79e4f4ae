// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { CreateAppConnectionFields, SshConnection, UpdateAppConnectionFields } from './shared.ts';

export interface SshConnectionsApi {
  /**
   * Create a connection to SSH.
   * `POST /api/v1/app-connections/ssh`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'password' | 'ssh-key';
      credentials: {
        host: string;
        /** Default: `22` */ port?: number;
        username: string;
        /** The host key that the server has to present; default: the one that it presents when the connection is saved */
        hostKey?: string;
        password: string;
      } & Record<string, unknown> | {
        host: string;
        /** Default: `22` */ port?: number;
        username: string;
        /** The host key that the server has to present; default: the one that it presents when the connection is saved */
        hostKey?: string;
        privateKey: string;
        passphrase?: '';
      } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to SSH */ appConnection: SshConnection }
  >;
  /**
   * Update a connection to SSH; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/ssh/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: {
        host?: string | null;
        port?: number | null;
        username?: string | null;
        hostKey?: string | null;
        password?: string | null;
        privateKey?: string | null;
        passphrase?: '' | null;
      };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to SSH */ appConnection: SshConnection }
  >;
}
