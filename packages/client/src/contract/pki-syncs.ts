// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { AwsCertificateManagerPkiSync, AwsSecretsManagerPkiSync, AzureKeyVaultPkiSync, CloudflareCustomCertificatePkiSync, ListPkiSyncs } from './shared.ts';

export type AnyPkiSync = AwsCertificateManagerPkiSync | AwsSecretsManagerPkiSync | AzureKeyVaultPkiSync | CloudflareCustomCertificatePkiSync;

export type ChangePkiSyncCertificates = { pkiSyncId: string; /** Valid certificates of the project whose private keys are stored */ certificateIds: string[] };

export type ListPkiSyncCertificates = {
  pkiSyncId: string;
  /** Default: `0` */ offset?: number;
  /** Default: `20` */ limit?: number;
};

export type PkiSyncCertificate = {
  id: string;
  pkiSyncId: string;
  certificateId: string;
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
  /** The variable that the operator of this server has to set before it can be used. Absent: it can be used */
  missingSetting?: string;
};

export type PkiSyncPlan = {
  /** The certificates that are new at the destination */
  create: { certificateId: string; commonName: string; /** Its name at the destination */ name: string }[];
  /** Those that take the place of what the sync has written under this name */
  replace: { certificateId: string; commonName: string; /** Its name at the destination */ name: string }[];
  /** The names that are removed at the destination */ remove: string[];
  /** The certificates that cannot be written */
  rejected: { certificateId: string; commonName: string; reason: string }[];
};

export type PkiSyncRef = {
  destination: 'aws-certificate-manager' | 'aws-secrets-manager' | 'azure-key-vault' | 'cloudflare-custom-certificate';
  pkiSyncId: string;
};

export interface PkiSyncsApi {
  /** List the available destinations of certificates. `GET /api/v1/cert-manager/syncs/options`. */
  options: Query<NoInput, { pkiSyncOptions: PkiSyncOption[] }>;
  /** List the PKI syncs of a project. `GET /api/v1/cert-manager/syncs`. Needs `read` on `pki-syncs`. */
  listAll: Query<ListPkiSyncs, { pkiSyncs: AnyPkiSync[] }>;
  /** Get a PKI sync by its ID. `GET /api/v1/cert-manager/syncs/{pkiSyncId}`. Needs `read` on `pki-syncs`. */
  getById: Query<{ pkiSyncId: string }, AnyPkiSync>;
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
   * Compare both sides and list what the next sync does.
   * `POST /api/v1/cert-manager/syncs/{destination}/{pkiSyncId}/plan`. Needs `sync-certificates` on `pki-syncs`.
   */
  plan: Mutation<PkiSyncRef, { plan: PkiSyncPlan }>;
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
