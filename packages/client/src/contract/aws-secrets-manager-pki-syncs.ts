// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AwsSecretsManagerPkiSync, CreatePkiSyncFields, ListPkiSyncs, UpdatePkiSyncFields } from './shared.ts';

export type AwsSecretsManagerPkiSyncOptionsInput = {
  /** Only false is supported (default: `false`) */ canImportCertificates?: false;
  /** Whether certificates are removed at the destination that are revoked, expired, or no longer in the sync (default: `true`) */
  canRemoveCertificates?: boolean;
  /** The names at the destination; default: `Coffer-{{certificateId}}`. `{{environment}}` is `global` */
  certificateNameSchema?: string;
  /** Whether the chain has the root certificate, too (default: `false`) */ includeRootCa?: boolean;
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

export type ChangedAwsSecretsManagerPkiSyncOptions = {
  canImportCertificates?: false | null;
  canRemoveCertificates?: boolean | null;
  certificateNameSchema?: string | null;
  includeRootCa?: boolean | null;
  preserveSecretOnRenewal?: boolean | null;
  updateExistingCertificates?: boolean | null;
  fieldMappings?: {
    certificate?: string | null;
    privateKey?: string | null;
    certificateChain?: string | null;
    caCertificate?: string | null;
  } | null;
};

export interface AwsSecretsManagerPkiSyncsApi {
  /**
   * List the PKI syncs of a project to AWS Secrets Manager.
   * `GET /api/v1/cert-manager/syncs/aws-secrets-manager`. Needs `read` on `pki-syncs`.
   */
  list: Query<ListPkiSyncs, { pkiSyncs: AwsSecretsManagerPkiSync[] }>;
  /** Create a PKI sync to AWS Secrets Manager. `POST /api/v1/cert-manager/syncs/aws-secrets-manager`. Needs `create` on `pki-syncs`. */
  create: Mutation<
    CreatePkiSyncFields & {
      /** A connection to AWS, of the project or the organization */ connectionId: string;
      /** Default: `{}` */ syncOptions?: AwsSecretsManagerPkiSyncOptionsInput;
      destinationConfig: { region: string; keyId?: string };
    },
    AwsSecretsManagerPkiSync
  >;
  /**
   * Update a PKI sync to AWS Secrets Manager; omitted fields stay unchanged.
   * `PATCH /api/v1/cert-manager/syncs/aws-secrets-manager/{pkiSyncId}`. Needs `edit` on `pki-syncs`.
   */
  update: Mutation<
    UpdatePkiSyncFields & {
      /** Omitted options stay unchanged, null removes one */ syncOptions?: ChangedAwsSecretsManagerPkiSyncOptions;
      /** Replaces the present one */ destinationConfig?: { region: string; keyId?: string };
    },
    AwsSecretsManagerPkiSync
  >;
}
