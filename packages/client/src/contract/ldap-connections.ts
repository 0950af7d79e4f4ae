// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { CreateAppConnectionFields, LdapConnection, UpdateAppConnectionFields } from './shared.ts';

export interface LdapConnectionsApi {
  /**
   * Create a connection to LDAP.
   * `POST /api/v1/app-connections/ldap`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    CreateAppConnectionFields & {
      method: 'simple-bind';
      credentials: {
        /** How passwords are stored: openldap stands for all directories with userPassword (default: `'active-directory'`) */
        provider?: 'active-directory' | 'openldap';
        url: string;
        dn: string;
        password: string;
        /** The certificate of the directory is always verified (default: `true`) */ sslRejectUnauthorized?: true;
        /** PEM of the root certificate by which the directory is trusted; with it, ldap:// upgrades to TLS (StartTLS) */
        sslCertificate?: string;
      } & Record<string, unknown>;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to LDAP */ appConnection: LdapConnection }
  >;
  /**
   * Update a connection to LDAP; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/ldap/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    UpdateAppConnectionFields & {
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: {
        provider?: 'active-directory' | 'openldap' | null;
        url?: string | null;
        dn?: string | null;
        password?: string | null;
        sslRejectUnauthorized?: true | null;
        sslCertificate?: string | null;
      };
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    { /** A connection to LDAP */ appConnection: LdapConnection }
  >;
}
