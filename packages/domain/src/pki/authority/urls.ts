import type { Context } from '../../kernel/index.ts';

export interface SignerUrls {
  readonly crlUrls: readonly string[];
  readonly ocspUrls: readonly string[];
  readonly issuerUrls: readonly string[];
}

/** The public addresses in each certificate that a key signs. */
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
