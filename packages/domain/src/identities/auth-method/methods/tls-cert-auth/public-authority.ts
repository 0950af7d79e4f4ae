import type { X509Certificate } from 'node:crypto';
// oxlint-disable-next-line no-restricted-imports -- a list of roots: nobody is connected to
import { rootCertificates } from 'node:tls';

let publicRoots: ReadonlySet<string> | undefined;

const bodyOf = (pem: string) => pem.replace(/-----[A-Z ]+-----|\s/g, '');

/** Whether it is a root that browsers and systems trust, which signs certificates for anybody. */
export function isPublicAuthority(certificate: X509Certificate): boolean {
  publicRoots ??= new Set(rootCertificates.map(bodyOf));
  return publicRoots.has(certificate.raw.toString('base64'));
}
