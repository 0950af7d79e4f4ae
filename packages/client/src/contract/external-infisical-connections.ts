// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { CreateAppConnectionFields, ExternalInfisicalConnection, UpdateAppConnectionFields } from './shared.ts';

export interface ExternalInfisicalConnectionsApi {
  /**
   * Create a connection to External Infisical.
   * `POST /api/v1/app-connections/external-infisical`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'machine-identity-universal-auth';
      credentials: { instanceUrl: string; machineIdentityClientId: string; machineIdentityClientSecret: string } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to External Infisical */ appConnection: ExternalInfisicalConnection }
  >;
  /**
   * Update a connection to External Infisical; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/external-infisical/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { instanceUrl?: string | null; machineIdentityClientId?: string | null; machineIdentityClientSecret?: string | null };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to External Infisical */ appConnection: ExternalInfisicalConnection }
  >;
}
