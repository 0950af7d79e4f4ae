// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AwsCertificateManagerPkiSync, CreatePkiSyncFields, ListPkiSyncs, UpdatePkiSyncFields } from './shared.ts';

export type AwsCertificateManagerPkiSyncOptionsInput = {
  /** Only false is supported (default: `false`) */ canImportCertificates?: false;
  /** Whether certificates are removed at the destination that are revoked, expired, or no longer in the sync (default: `true`) */
  canRemoveCertificates?: boolean;
  /** The names at the destination; default: `Coffer-{{certificateId}}`. `{{environment}}` is `global` */
  certificateNameSchema?: string;
  /** Whether the chain has the root certificate, too (default: `false`) */ includeRootCa?: boolean;
  /** Whether a renewed certificate keeps the ARN of the one before (default: `true`) */ preserveArn?: boolean;
};

export type ChangedAwsCertificateManagerPkiSyncOptions = {
  canImportCertificates?: false | null;
  canRemoveCertificates?: boolean | null;
  certificateNameSchema?: string | null;
  includeRootCa?: boolean | null;
  preserveArn?: boolean | null;
};

export interface AwsCertificateManagerPkiSyncsApi {
  /**
   * List the PKI syncs of a project to AWS Certificate Manager.
   * `GET /api/v1/cert-manager/syncs/aws-certificate-manager`. Needs `read` on `pki-syncs`.
   */
  list: Query<ListPkiSyncs, { pkiSyncs: AwsCertificateManagerPkiSync[] }>;
  /**
   * Create a PKI sync to AWS Certificate Manager.
   * `POST /api/v1/cert-manager/syncs/aws-certificate-manager`. Needs `create` on `pki-syncs`.
   */
  create: Mutation<
    CreatePkiSyncFields & {
      /** A connection to AWS, of the project or the organization */ connectionId: string;
      /** Default: `{}` */ syncOptions?: AwsCertificateManagerPkiSyncOptionsInput;
      destinationConfig: { region: string };
    },
    AwsCertificateManagerPkiSync
  >;
  /**
   * Update a PKI sync to AWS Certificate Manager; omitted fields stay unchanged.
   * `PATCH /api/v1/cert-manager/syncs/aws-certificate-manager/{pkiSyncId}`. Needs `edit` on `pki-syncs`.
   */
  update: Mutation<
    UpdatePkiSyncFields & {
      /** Omitted options stay unchanged, null removes one */ syncOptions?: ChangedAwsCertificateManagerPkiSyncOptions;
      /** Replaces the present one */ destinationConfig?: { region: string };
    },
    AwsCertificateManagerPkiSync
  >;
}
