// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { AvailableAppConnection, ListPkiSyncs } from './shared.ts';

export type AnyPkiSync = {
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
  destination: 'aws-certificate-manager';
  destinationConfig: { region: string };
  syncOptions: {
    /** Only false is supported */ canImportCertificates: false;
    /** Whether certificates are removed at the destination that are revoked, expired, or no longer in the sync */
    canRemoveCertificates: boolean;
    /** The names at the destination; default: `Coffer-{{certificateId}}`. `{{environment}}` is `global` */
    certificateNameSchema?: string;
    /** Whether the chain has the root certificate, too */ includeRootCa: boolean;
    /** Whether a renewed certificate keeps the ARN of the one before */
    preserveArn: boolean;
  };
} | {
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
  destination: 'aws-secrets-manager';
  destinationConfig: { region: string; keyId?: string };
  syncOptions: {
    /** Only false is supported */ canImportCertificates: false;
    /** Whether certificates are removed at the destination that are revoked, expired, or no longer in the sync */
    canRemoveCertificates: boolean;
    /** The names at the destination; default: `Coffer-{{certificateId}}`. `{{environment}}` is `global` */
    certificateNameSchema?: string;
    /** Whether the chain has the root certificate, too */ includeRootCa: boolean;
    /** Whether a renewed certificate is written into the secret of the one before */
    preserveSecretOnRenewal: boolean;
    /** Whether a secret is written again when its content is to be another one, for the same certificate */
    updateExistingCertificates: boolean;
    /** The names of the fields in the JSON object */
    fieldMappings: { certificate: string; privateKey: string; certificateChain: string; caCertificate: string };
  };
} | {
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
} | {
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
  destination: 'cloudflare-custom-certificate';
  destinationConfig: { zoneId: string };
  syncOptions: {
    /** Only false is supported */ canImportCertificates: false;
    /** Whether certificates are removed at the destination that are revoked, expired, or no longer in the sync */
    canRemoveCertificates: boolean;
    /** The names at the destination; default: `Coffer-{{certificateId}}`. `{{environment}}` is `global` */
    certificateNameSchema?: string;
  };
};

export type ChangePkiSyncCertificates = {
  /** UUID */ pkiSyncId: string;
  /** Valid certificates of the project whose private keys are stored */
  certificateIds: string[];
};

export type ListPkiSyncCertificates = {
  /** UUID */ pkiSyncId: string;
  /** Default: `0` */ offset?: number;
  /** Default: `20` */ limit?: number;
};

export type PkiSyncCertificate = {
  /** UUID */ id: string;
  /** UUID */ pkiSyncId: string;
  /** UUID */ certificateId: string;
  syncStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
  /** Why it is not at the destination */ lastSyncMessage: string | null;
  lastSyncedAt: string | null;
  createdAt: string;
  updatedAt: string;
  certificateSerialNumber: string;
  certificateCommonName: string;
  certificateAltNames: string | null;
  certificateStatus: string;
  certificateNotBefore: string;
  certificateNotAfter: string;
  certificateRenewBeforeDays: number | null;
  certificateRenewalError: string | null;
  pkiSyncName: string;
  pkiSyncDestination: string;
};

export type PkiSyncId = {
  /** UUID */ pkiSyncId: string;
};

export type PkiSyncOption = {
  /** For people */ name: string;
  /** The app of its connections */ connection: string;
  destination: string;
  canImportCertificates: boolean;
  canRemoveCertificates: boolean;
  defaultCertificateNameSchema: string;
  /** Of names at the destination */ allowedCharacterPattern: string;
  minCertificateNameLength: number;
  maxCertificateNameLength: number;
};

export type PkiSyncRef = {
  destination: 'aws-certificate-manager' | 'aws-secrets-manager' | 'azure-key-vault' | 'cloudflare-custom-certificate';
  /** UUID */ pkiSyncId: string;
};

export interface PkiSyncsApi {
  /** List the available destinations of certificates. `GET /api/v1/cert-manager/syncs/options`. */
  options: Query<NoInput, { pkiSyncOptions: PkiSyncOption[] }>;
  /** List the PKI syncs of a project. `GET /api/v1/cert-manager/syncs`. Needs `read` on `pki-syncs`. */
  listAll: Query<ListPkiSyncs, { pkiSyncs: AnyPkiSync[] }>;
  /** Get a PKI sync by its ID. `GET /api/v1/cert-manager/syncs/{pkiSyncId}`. Needs `read` on `pki-syncs`. */
  getById: Query<PkiSyncId, AnyPkiSync>;
  /**
   * Get a PKI sync with the results of its last runs.
   * `GET /api/v1/cert-manager/syncs/{destination}/{pkiSyncId}`. Needs `read` on `pki-syncs`.
   */
  get: Query<PkiSyncRef, AnyPkiSync>;
  /**
   * Delete a PKI sync; what it has written stays at its destination.
   * `DELETE /api/v1/cert-manager/syncs/{destination}/{pkiSyncId}`. Needs `delete` on `pki-syncs`.
   */
  delete: Mutation<PkiSyncRef, AnyPkiSync>;
  /**
   * Start a sync of certificates.
   * `POST /api/v1/cert-manager/syncs/{destination}/{pkiSyncId}/sync`. Needs `sync-certificates` on `pki-syncs`.
   */
  syncCertificates: Mutation<PkiSyncRef, { message: string }>;
  /**
   * Start the removal of what a PKI sync has written at its destination.
   * `POST /api/v1/cert-manager/syncs/{destination}/{pkiSyncId}/remove-certificates`. Needs `remove-certificates` on `pki-syncs`.
   */
  removeFromDestination: Mutation<PkiSyncRef, { message: string }>;
  /** List the certificates of a PKI sync. `GET /api/v1/cert-manager/syncs/{pkiSyncId}/certificates`. Needs `read` on `pki-syncs`. */
  listCertificates: Query<ListPkiSyncCertificates, { certificates: PkiSyncCertificate[]; totalCount: number }>;
  /** Add certificates to a PKI sync. `POST /api/v1/cert-manager/syncs/{pkiSyncId}/certificates`. Needs `edit` on `pki-syncs`. */
  addCertificates: Mutation<ChangePkiSyncCertificates, { addedCertificates: PkiSyncCertificate[] }>;
  /** Remove certificates from a PKI sync. `DELETE /api/v1/cert-manager/syncs/{pkiSyncId}/certificates`. Needs `edit` on `pki-syncs`. */
  removeCertificates: Mutation<ChangePkiSyncCertificates, { removedCount: number }>;
}
