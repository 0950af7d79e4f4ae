// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export type ChangedEstConfig = {
  id: string;
  certificateTemplateId: string;
  isEnabled: boolean;
  disableBootstrapCertValidation: boolean;
  /** Returned once, if it was generated */ passphrase?: string;
};

export type CreateEstConfig = {
  certificateTemplateId: string;
  /** Default: generated, and returned once */ passphrase?: string;
  /** PEM of the authorities that sign the client certificates for the first enrolment */ caChain?: string;
  /** Default: `true` */ isEnabled?: boolean;
  /** Default: `false` */ disableBootstrapCertValidation?: boolean;
};

export type EstConfig = {
  id: string;
  certificateTemplateId: string;
  isEnabled: boolean;
  disableBootstrapCertValidation: boolean;
  /** PEM */ caChain: string | null;
};

export type UpdateEstConfig = {
  certificateTemplateId: string;
  passphrase?: string;
  /** Generates a new passphrase, which is returned once */ rotatePassphrase?: boolean;
  /** PEM of the authorities that sign the client certificates for the first enrolment */ caChain?: string;
  isEnabled?: boolean;
  disableBootstrapCertValidation?: boolean;
};

export interface EstApi {
  /**
   * Read the EST settings of a certificate template.
   * `GET /api/v1/pki/certificate-templates/{certificateTemplateId}/est-config`. Needs `read` on `certificate-templates`.
   */
  getConfig: Query<{ certificateTemplateId: string }, EstConfig>;
  /**
   * Enable EST for a certificate template.
   * If clients enrol by EST or ACME, the caller also needs the permanent right to issue by the template or profile, because these clients get all that it issues. Ending enrolment does not need this right.
   * `POST /api/v1/pki/certificate-templates/{certificateTemplateId}/est-config`. Needs `edit` on `certificate-templates`.
   */
  createConfig: Mutation<CreateEstConfig, ChangedEstConfig>;
  /**
   * Update the EST settings of a certificate template.
   * If clients enrol by EST or ACME, the caller also needs the permanent right to issue by the template or profile, because these clients get all that it issues. Ending enrolment does not need this right.
   * `PATCH /api/v1/pki/certificate-templates/{certificateTemplateId}/est-config`. Needs `edit` on `certificate-templates`.
   */
  updateConfig: Mutation<UpdateEstConfig, ChangedEstConfig>;
  /** Get the certificates of the authority (EST, RFC 7030). `GET /.well-known/est/{certificateTemplateId}/cacerts`. Needs no token. */
  cacerts: Query<
    { /** Of a certificate template or profile */ certificateTemplateId: string },
    { type: string; /** Base64 */ body: string }
  >;
  /**
   * Enrol with a passphrase (EST, RFC 7030).
   * By HTTP Basic authentication. The user name is ignored.
   * `POST /.well-known/est/{certificateTemplateId}/simpleenroll`. Needs no token.
   */
  simpleenroll: Mutation<
    { /** Of a certificate template or profile */ certificateTemplateId: string; csr: string },
    { type: string; /** Base64 */ body: string }
  >;
  /**
   * Re-enrol with a certificate that is about to end (EST, RFC 7030).
   * `POST /.well-known/est/{certificateTemplateId}/simplereenroll`. Needs no token.
   */
  simplereenroll: Mutation<
    { /** Of a certificate template or profile */ certificateTemplateId: string; csr: string },
    { type: string; /** Base64 */ body: string }
  >;
}
