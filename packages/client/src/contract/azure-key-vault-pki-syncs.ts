// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AvailableAppConnection, ListPkiSyncs } from './shared.ts';

export interface AzureKeyVaultPkiSyncsApi {
  /** List the PKI syncs of a project to Azure Key Vault. `GET /api/v1/cert-manager/syncs/azure-key-vault`. Needs `read` on `pki-syncs`. */
  list: Query<
    ListPkiSyncs,
    {
      pkiSyncs: {
        /** UUID */ id: string;
        name: string;
        description: string | null;
        /** Whether certificates are written as they are issued, renewed and revoked */
        isAutoSyncEnabled: boolean;
        /** UUID */ projectId: string;
        subscriberId: string | null;
        subscriber: {
          /** UUID */ id: string;
          name: string;
        } | null;
        /** UUID */ connectionId: string;
        connection: AvailableAppConnection;
        appConnectionName: string;
        appConnectionApp: string;
        /** null: there was no sync */
        syncStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
        lastSyncJobId: string | null;
        /** Why the last sync failed */ lastSyncMessage: string | null;
        lastSyncedAt: string | null;
        /** null: there was no import */
        importStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
        lastImportJobId: string | null;
        /** Why the last import failed */ lastImportMessage: string | null;
        lastImportedAt: string | null;
        /** null: there was no removal */
        removeStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
        lastRemoveJobId: string | null;
        /** Why the last removal failed */ lastRemoveMessage: string | null;
        lastRemovedAt: string | null;
        createdAt: string;
        updatedAt: string;
        /** Whether it has the certificate that the list asks for */
        hasCertificate?: boolean;
        destination: 'azure-key-vault';
        destinationConfig: { vaultBaseUrl: string };
        syncOptions: {
          /** Only false is supported */ canImportCertificates: false;
          /** Whether certificates are removed at the destination that are revoked, expired, or no longer in the sync */
          canRemoveCertificates: boolean;
          /** The names at the destination; default: `Coffer-{{certificateId}}`. `{{environment}}` is `global` */
          certificateNameSchema?: string;
          /** Whether the chain has the root certificate, too */ includeRootCa: boolean;
          /** Whether a renewed certificate is a new version of the one before */
          enableVersioning: boolean;
        };
      }[];
    }
  >;
  /** Create a PKI sync to Azure Key Vault. `POST /api/v1/cert-manager/syncs/azure-key-vault`. Needs `create` on `pki-syncs`. */
  create: Mutation<
    {
      /** Unique among the PKI syncs of the project */ name: string;
      description?: string | null;
      /** UUID */ projectId: string;
      /** A connection to Azure Key Vault, of the project or the organization */
      connectionId: string;
      /** The subscriber whose certificates it gets, also later ones; null: of none */
      subscriberId?: string | null;
      /** Valid certificates of the project whose private keys are stored */
      certificateIds?: string[];
      /** Whether certificates are written as they are issued, renewed and revoked (default: `true`) */
      isAutoSyncEnabled?: boolean;
      /** Default: `{}` */
      syncOptions?: {
        /** Only false is supported (default: `false`) */ canImportCertificates?: false;
        /** Whether certificates are removed at the destination that are revoked, expired, or no longer in the sync (default: `true`) */
        canRemoveCertificates?: boolean;
        /** The names at the destination; default: `Coffer-{{certificateId}}`. `{{environment}}` is `global` */
        certificateNameSchema?: string;
        /** Whether the chain has the root certificate, too (default: `false`) */
        includeRootCa?: boolean;
        /** Whether a renewed certificate is a new version of the one before (default: `true`) */
        enableVersioning?: boolean;
      };
      destinationConfig: { vaultBaseUrl: string };
    },
    {
      /** UUID */ id: string;
      name: string;
      description: string | null;
      /** Whether certificates are written as they are issued, renewed and revoked */
      isAutoSyncEnabled: boolean;
      /** UUID */ projectId: string;
      subscriberId: string | null;
      subscriber: {
        /** UUID */ id: string;
        name: string;
      } | null;
      /** UUID */ connectionId: string;
      connection: AvailableAppConnection;
      appConnectionName: string;
      appConnectionApp: string;
      /** null: there was no sync */
      syncStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
      lastSyncJobId: string | null;
      /** Why the last sync failed */ lastSyncMessage: string | null;
      lastSyncedAt: string | null;
      /** null: there was no import */
      importStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
      lastImportJobId: string | null;
      /** Why the last import failed */ lastImportMessage: string | null;
      lastImportedAt: string | null;
      /** null: there was no removal */
      removeStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
      lastRemoveJobId: string | null;
      /** Why the last removal failed */ lastRemoveMessage: string | null;
      lastRemovedAt: string | null;
      createdAt: string;
      updatedAt: string;
      /** Whether it has the certificate that the list asks for */
      hasCertificate?: boolean;
      destination: 'azure-key-vault';
      destinationConfig: { vaultBaseUrl: string };
      syncOptions: {
        /** Only false is supported */ canImportCertificates: false;
        /** Whether certificates are removed at the destination that are revoked, expired, or no longer in the sync */
        canRemoveCertificates: boolean;
        /** The names at the destination; default: `Coffer-{{certificateId}}`. `{{environment}}` is `global` */
        certificateNameSchema?: string;
        /** Whether the chain has the root certificate, too */ includeRootCa: boolean;
        /** Whether a renewed certificate is a new version of the one before */
        enableVersioning: boolean;
      };
    }
  >;
  /**
   * Update a PKI sync to Azure Key Vault; omitted fields stay unchanged.
   * `PATCH /api/v1/cert-manager/syncs/azure-key-vault/{pkiSyncId}`. Needs `edit` on `pki-syncs`.
   */
  update: Mutation<
    {
      /** UUID */ pkiSyncId: string;
      /** Unique among the PKI syncs of the project */ name?: string;
      description?: string | null;
      /** UUID */ connectionId?: string;
      /** The subscriber whose certificates it gets, also later ones; null: of none */
      subscriberId?: string | null;
      /** Whether certificates are written as they are issued, renewed and revoked */
      isAutoSyncEnabled?: boolean;
      /** Omitted options stay unchanged, null removes one */
      syncOptions?: {
        canImportCertificates?: false | null;
        canRemoveCertificates?: boolean | null;
        certificateNameSchema?: string | null;
        includeRootCa?: boolean | null;
        enableVersioning?: boolean | null;
      };
      /** Replaces the present one */ destinationConfig?: { vaultBaseUrl: string };
    },
    {
      /** UUID */ id: string;
      name: string;
      description: string | null;
      /** Whether certificates are written as they are issued, renewed and revoked */
      isAutoSyncEnabled: boolean;
      /** UUID */ projectId: string;
      subscriberId: string | null;
      subscriber: {
        /** UUID */ id: string;
        name: string;
      } | null;
      /** UUID */ connectionId: string;
      connection: AvailableAppConnection;
      appConnectionName: string;
      appConnectionApp: string;
      /** null: there was no sync */
      syncStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
      lastSyncJobId: string | null;
      /** Why the last sync failed */ lastSyncMessage: string | null;
      lastSyncedAt: string | null;
      /** null: there was no import */
      importStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
      lastImportJobId: string | null;
      /** Why the last import failed */ lastImportMessage: string | null;
      lastImportedAt: string | null;
      /** null: there was no removal */
      removeStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
      lastRemoveJobId: string | null;
      /** Why the last removal failed */ lastRemoveMessage: string | null;
      lastRemovedAt: string | null;
      createdAt: string;
      updatedAt: string;
      /** Whether it has the certificate that the list asks for */
      hasCertificate?: boolean;
      destination: 'azure-key-vault';
      destinationConfig: { vaultBaseUrl: string };
      syncOptions: {
        /** Only false is supported */ canImportCertificates: false;
        /** Whether certificates are removed at the destination that are revoked, expired, or no longer in the sync */
        canRemoveCertificates: boolean;
        /** The names at the destination; default: `Coffer-{{certificateId}}`. `{{environment}}` is `global` */
        certificateNameSchema?: string;
        /** Whether the chain has the root certificate, too */ includeRootCa: boolean;
        /** Whether a renewed certificate is a new version of the one before */
        enableVersioning: boolean;
      };
    }
  >;
}
