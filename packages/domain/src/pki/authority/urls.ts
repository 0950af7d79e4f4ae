import type { Context } from '../../kernel/index.ts';

export interface SignerUrls {
  readonly crlUrls: readonly string[];
  readonly ocspUrls: readonly string[];
  readonly issuerUrls: readonly string[];
}

/** Where to ask about what a key has signed: in each such certificate. All of them are public. */
export function urlsOf(
  { settings: { siteUrl } }: Context,
  { caId, caKeyId, caCertificateId }: { caId: string; caKeyId: string; caCertificateId: string },
): SignerUrls {
  const pki = `${siteUrl}/api/v1/pki`;
  return {
    crlUrls: [`${pki}/crl/${caKeyId}/der`],
    ocspUrls: [`${pki}/ocsp/${caKeyId}`],
    issuerUrls: [`${pki}/ca/${caId}/certificates/${caCertificateId}/der`],
  };
}
