// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AvailableAppConnection, ListPkiSyncs } from './shared.ts';

export interface AwsSecretsManagerPkiSyncsApi {
  /**
   * List the PKI syncs of a project to AWS Secrets Manager.
   * `GET /api/v1/cert-manager/syncs/aws-secrets-manager`. Needs `read` on `pki-syncs`.
   */
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
      }[];
    }
  >;
  /** Create a PKI sync to AWS Secrets Manager. `POST /api/v1/cert-manager/syncs/aws-secrets-manager`. Needs `create` on `pki-syncs`. */
  create: Mutation<
    {
      /** Unique among the PKI syncs of the project */ name: string;
      description?: string | null;
      /** UUID */ projectId: string;
      /** A connection to AWS, of the project or the organization */
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
        /** Whether a renewed certificate is written into the secret of the one before (default: `true`) */
        preserveSecretOnRenewal?: boolean;
        /** Whether a secret is written again when its content is to be another one, for the same certificate (default: `true`) */
        updateExistingCertificates?: boolean;
        /** The names of the fields in the JSON object (default: `{}`) */
        fieldMappings?: {
          /** Default: `'certificate'` */ certificate?: string;
          /** Default: `'private_key'` */ privateKey?: string;
          /** Default: `'certificate_chain'` */ certificateChain?: string;
          /** Default: `'ca_certificate'` */ caCertificate?: string;
        };
      };
      destinationConfig: { region: string; keyId?: string };
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
    }
  >;
  /**
   * Update a PKI sync to AWS Secrets Manager; omitted fields stay unchanged.
   * `PATCH /api/v1/cert-manager/syncs/aws-secrets-manager/{pkiSyncId}`. Needs `edit` on `pki-syncs`.
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
        preserveSecretOnRenewal?: boolean | null;
        updateExistingCertificates?: boolean | null;
        fieldMappings?: {
          /** Default: `'certificate'` */ certificate?: string;
          /** Default: `'private_key'` */ privateKey?: string;
          /** Default: `'certificate_chain'` */ certificateChain?: string;
          /** Default: `'ca_certificate'` */ caCertificate?: string;
        } | null;
      };
      /** Replaces the present one */
      destinationConfig?: { region: string; keyId?: string };
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
    }
  >;
}
