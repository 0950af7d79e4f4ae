// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { CreateAppConnectionFields, DigicertConnection, UpdateAppConnectionFields } from './shared.ts';

export interface DigicertConnectionsApi {
  /**
   * Create a connection to DigiCert.
   * `POST /api/v1/app-connections/digicert`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'api-key';
      credentials: {
        /** The region of the CertCentral account (default: `'us'`) */ region?: 'us' | 'eu';
        apiKey: string;
        /** The account of the key; found out when it is saved */ accountId?: string;
      } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to DigiCert */ appConnection: DigicertConnection }
  >;
  /**
   * Update a connection to DigiCert; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/digicert/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: { region?: 'us' | 'eu' | null; apiKey?: string | null; accountId?: string | null };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to DigiCert */ appConnection: DigicertConnection }
  >;
}
