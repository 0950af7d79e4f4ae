// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { CloudflareCustomCertificatePkiSync, CreatePkiSyncFields, ListPkiSyncs, UpdatePkiSyncFields } from './shared.ts';

export type ChangedCloudflareCustomCertificatePkiSyncOptions = { canImportCertificates?: false | null; canRemoveCertificates?: boolean | null; certificateNameSchema?: string | null };

export type CloudflareCustomCertificatePkiSyncOptionsInput = {
  /** Only false is supported (default: `false`) */ canImportCertificates?: false;
  /** Whether certificates are removed at the destination that are revoked, expired, or no longer in the sync (default: `true`) */
  canRemoveCertificates?: boolean;
  /** The names at the destination; default: `Coffer-{{certificateId}}`. `{{environment}}` is `global` */
  certificateNameSchema?: string;
};

export interface CloudflareCustomCertificatePkiSyncsApi {
  /**
   * List the PKI syncs of a project to Cloudflare Custom Certificate.
   * `GET /api/v1/cert-manager/syncs/cloudflare-custom-certificate`. Needs `read` on `pki-syncs`.
   */
  list: Query<ListPkiSyncs, { pkiSyncs: CloudflareCustomCertificatePkiSync[] }>;
  /**
   * Create a PKI sync to Cloudflare Custom Certificate.
   * `POST /api/v1/cert-manager/syncs/cloudflare-custom-certificate`. Needs `create` on `pki-syncs`.
   */
  create: Mutation<
    CreatePkiSyncFields & {
      /** A connection to Cloudflare, of the project or the organization */ connectionId: string;
      /** Default: `{}` */ syncOptions?: CloudflareCustomCertificatePkiSyncOptionsInput;
      destinationConfig: { zoneId: string };
    },
    CloudflareCustomCertificatePkiSync
  >;
  /**
   * Update a PKI sync to Cloudflare Custom Certificate; omitted fields stay unchanged.
   * `PATCH /api/v1/cert-manager/syncs/cloudflare-custom-certificate/{pkiSyncId}`. Needs `edit` on `pki-syncs`.
   */
  update: Mutation<
    UpdatePkiSyncFields & {
      /** Omitted options stay unchanged, null removes one */ syncOptions?: ChangedCloudflareCustomCertificatePkiSyncOptions;
      /** Replaces the present one */ destinationConfig?: { zoneId: string };
    },
    CloudflareCustomCertificatePkiSync
  >;
}
