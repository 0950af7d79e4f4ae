// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';

export interface SshConnectionsApi {
  /**
   * Create a connection to SSH.
   * `POST /api/v1/app-connections/ssh`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    {
      /** Unique among the connections of the project or organization */ name: string;
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
      /** The project that it belongs to; default: the organization */
      projectId?: string;
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to SSH */
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
        app: 'ssh';
        method: 'password';
        credentials: {
          host: string;
          port: number;
          username: string;
          /** The host key that the server has to present; default: the one that it presents when the connection is saved */
          hostKey?: string;
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
        app: 'ssh';
        method: 'ssh-key';
        credentials: {
          host: string;
          port: number;
          username: string;
          /** The host key that the server has to present; default: the one that it presents when the connection is saved */
          hostKey?: string;
          passphrase?: '';
        };
      };
    }
  >;
  /**
   * Update a connection to SSH; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/ssh/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
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
        username?: string | null;
        hostKey?: string | null;
        password?: string | null;
        privateKey?: string | null;
        passphrase?: '' | null;
      };
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to SSH */
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
        app: 'ssh';
        method: 'password';
        credentials: {
          host: string;
          port: number;
          username: string;
          /** The host key that the server has to present; default: the one that it presents when the connection is saved */
          hostKey?: string;
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
        app: 'ssh';
        method: 'ssh-key';
        credentials: {
          host: string;
          port: number;
          username: string;
          /** The host key that the server has to present; default: the one that it presents when the connection is saved */
          hostKey?: string;
          passphrase?: '';
        };
      };
    }
  >;
}
