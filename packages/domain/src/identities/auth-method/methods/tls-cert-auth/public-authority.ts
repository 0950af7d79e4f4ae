import { X509Certificate } from 'node:crypto';
// oxlint-disable-next-line no-restricted-imports -- a list of roots: nobody is connected to
import { rootCertificates } from 'node:tls';

let publicKeys: ReadonlySet<string> | undefined;

const keyOf = ({ publicKey }: X509Certificate) => publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

/**
 * Whether it has the key of a root that browsers and systems trust, which signs certificates for anybody: that root, or another
 * certificate for it, such as one that another root has signed.
 */
export function isPublicAuthority(certificate: X509Certificate): boolean {
  publicKeys ??= new Set(rootCertificates.map((pem) => keyOf(new X509Certificate(pem))));
  return publicKeys.has(keyOf(certificate));
}
