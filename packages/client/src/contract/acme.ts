// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Query } from '../call.ts';

export type AcmeEabSecret = {
  /** The key ID for clients: the ID of the profile */ eabKid: string;
  /** The HMAC key, in base64url */ eabSecret: string;
};

export type RevealAcmeEabSecret = { /** ID of the certificate profile */ profileId: string };

export interface AcmeApi {
  /**
   * Read the credentials for external account binding (EAB) of a profile.
   * If clients enrol by EST or ACME, the caller also needs the permanent right to issue by the template or profile, because these clients get all that it issues. Ending enrolment does not need this right.
   * `GET /api/v1/cert-manager/certificate-profiles/{profileId}/acme/eab-secret/reveal`. Needs `edit` on `certificate-profiles`.
   */
  revealEabSecret: Query<RevealAcmeEabSecret, AcmeEabSecret>;
}
