// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AzureKeyVaultPkiSync, CreatePkiSyncFields, ListPkiSyncs, UpdatePkiSyncFields } from './shared.ts';

export type AzureKeyVaultPkiSyncOptionsInput = {
  /** Only false is supported (default: `false`) */ canImportCertificates?: false;
  /** Whether certificates are removed at the destination that are revoked, expired, or no longer in the sync (default: `true`) */
  canRemoveCertificates?: boolean;
  /** The names at the destination; default: `Coffer-{{certificateId}}`. `{{environment}}` is `global` */
  certificateNameSchema?: string;
  /** Whether the chain has the root certificate, too (default: `false`) */ includeRootCa?: boolean;
  /** Whether a renewed certificate is a new version of the one before (default: `true`) */ enableVersioning?: boolean;
};

export type ChangedAzureKeyVaultPkiSyncOptions = {
  canImportCertificates?: false | null;
  canRemoveCertificates?: boolean | null;
  certificateNameSchema?: string | null;
  includeRootCa?: boolean | null;
  enableVersioning?: boolean | null;
};

export interface AzureKeyVaultPkiSyncsApi {
  /** List the PKI syncs of a project to Azure Key Vault. `GET /api/v1/cert-manager/syncs/azure-key-vault`. Needs `read` on `pki-syncs`. */
  list: Query<ListPkiSyncs, { pkiSyncs: AzureKeyVaultPkiSync[] }>;
  /** Create a PKI sync to Azure Key Vault. `POST /api/v1/cert-manager/syncs/azure-key-vault`. Needs `create` on `pki-syncs`. */
  create: Mutation<
    CreatePkiSyncFields & {
      /** A connection to Azure Key Vault, of the project or the organization */ connectionId: string;
      /** Default: `{}` */ syncOptions?: AzureKeyVaultPkiSyncOptionsInput;
      destinationConfig: { vaultBaseUrl: string };
    },
    AzureKeyVaultPkiSync
  >;
  /**
   * Update a PKI sync to Azure Key Vault; omitted fields stay unchanged.
   * `PATCH /api/v1/cert-manager/syncs/azure-key-vault/{pkiSyncId}`. Needs `edit` on `pki-syncs`.
   */
  update: Mutation<
    UpdatePkiSyncFields & {
      /** Omitted options stay unchanged, null removes one */ syncOptions?: ChangedAzureKeyVaultPkiSyncOptions;
      /** Replaces the present one */ destinationConfig?: { vaultBaseUrl: string };
    },
    AzureKeyVaultPkiSync
  >;
}
