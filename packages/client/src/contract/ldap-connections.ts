// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';

export interface LdapConnectionsApi {
  /**
   * Create a connection to LDAP.
   * `POST /api/v1/app-connections/ldap`. Needs `create` on `app-connections` in the organization, or `create` on `app-connections` in the project.
   */
  create: Mutation<
    {
      /** Unique among the connections of the project or organization */ name: string;
      method: 'simple-bind';
      credentials: {
        /** How passwords are stored: openldap stands for all directories with userPassword (default: `'active-directory'`) */
        provider?: 'active-directory' | 'openldap';
        url: string;
        dn: string;
        password: string;
        /** The certificate of the directory is always verified (default: `true`) */
        sslRejectUnauthorized?: true;
        /** PEM of the root certificate by which the directory is trusted; with it, ldap:// upgrades to TLS (StartTLS) */
        sslCertificate?: string;
      } & Record<string, unknown>;
      /** The project that it belongs to; default: the organization */
      projectId?: string;
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to LDAP */
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
        app: 'ldap';
        method: 'simple-bind';
        credentials: {
          /** How passwords are stored: openldap stands for all directories with userPassword */
          provider: 'active-directory' | 'openldap';
          url: string;
          dn: string;
          /** The certificate of the directory is always verified */
          sslRejectUnauthorized: true;
          /** PEM of the root certificate by which the directory is trusted; with it, ldap:// upgrades to TLS (StartTLS) */
          sslCertificate?: string;
        };
      };
    }
  >;
  /**
   * Update a connection to LDAP; omitted fields stay unchanged.
   * `PATCH /api/v1/app-connections/ldap/{connectionId}`. Needs `edit` on `app-connections` in the organization, or `edit` on `app-connections` in the project.
   */
  update: Mutation<
    {
      /** UUID */ connectionId: string;
      /** Unique among the connections of the project or organization */
      name?: string;
      /** Omitted fields stay unchanged, null removes one. Another target takes the secrets again */
      credentials?: {
        provider?: 'active-directory' | 'openldap' | null;
        url?: string | null;
        dn?: string | null;
        password?: string | null;
        sslRejectUnauthorized?: true | null;
        sslCertificate?: string | null;
      };
      description?: string | null;
      /** Only null is supported */ gatewayId?: null;
      /** Only false is supported */ isPlatformManagedCredentials?: false;
    },
    {
      /** A connection to LDAP */
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
        app: 'ldap';
        method: 'simple-bind';
        credentials: {
          /** How passwords are stored: openldap stands for all directories with userPassword */
          provider: 'active-directory' | 'openldap';
          url: string;
          dn: string;
          /** The certificate of the directory is always verified */
          sslRejectUnauthorized: true;
          /** PEM of the root certificate by which the directory is trusted; with it, ldap:// upgrades to TLS (StartTLS) */
          sslCertificate?: string;
        };
      };
    }
  >;
}
