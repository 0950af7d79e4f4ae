// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export type NamedRevocationList = { id: string; /** PEM */ crl: string };

export type RevocationListRef = { /** One list for each key of an authority */ crlId: string };

export interface RevocationApi {
  /**
   * Read a revocation list, as PEM.
   * The ID is that of the signing key, as named in the certificates that the list is about.
   * `GET /api/v1/pki/crl/{crlId}`. Needs no token.
   */
  getPem: Query<RevocationListRef, { type: string; /** Base64 */ body: string }>;
  /** Read a revocation list, as DER. `GET /api/v1/pki/crl/{crlId}/der`. Needs no token. */
  getDer: Query<RevocationListRef, { type: string; /** Base64 */ body: string }>;
  /**
   * List the revocation lists of an authority.
   * One list for each current and former key, newest first.
   * `GET /api/v1/cert-manager/ca/internal/{caId}/crls`. Needs `read` on `certificate-authorities`.
   */
  list: Query<{ caId: string }, NamedRevocationList[]>;
  /**
   * Read the revocation list of the current key of an authority.
   * `GET /api/v1/pki/ca/{caId}/crl`. Needs `read` on `certificate-authorities`.
   */
  getOf: Query<{ caId: string }, { /** PEM */ crl: string }>;
  /** Query the revocation status of certificates (OCSP, RFC 6960). `POST /api/v1/pki/ocsp/{crlId}`. Needs no token. */
  askOcsp: Mutation<
    {
      /** One list for each key of an authority */ crlId: string;
      /** Default: `{"type":"Buffer","data":[]}` */ ocspRequest?: string;
    },
    { type: string; /** Base64 */ body: string }
  >;
  /**
   * Query the revocation status of certificates, with the request in the path (OCSP).
   * RFC 6960, appendix A.1.
   * `GET /api/v1/pki/ocsp/{crlId}/{ocspRequest}`. Needs no token.
   */
  getOcsp: Query<
    { /** One list for each key of an authority */ crlId: string; ocspRequest: string },
    { type: string; /** Base64 */ body: string }
  >;
}
