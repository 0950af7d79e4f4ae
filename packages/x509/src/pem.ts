import { X509Error } from './error.ts';

export type PemLabel = 'CERTIFICATE' | 'CERTIFICATE REQUEST' | 'PRIVATE KEY' | 'PUBLIC KEY' | 'X509 CRL' | 'PKCS7';

/** RFC 7468, with a line feed at the end. */
export function toPem(label: PemLabel, der: Uint8Array): string {
  const text = Buffer.from(der.buffer, der.byteOffset, der.length).toString('base64');
  return `-----BEGIN ${label}-----\n${text.replaceAll(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`;
}

/** Certificates (DER) as PEM, concatenated. */
export const chainPem = (certificates: readonly Uint8Array[]): string =>
  certificates.map((der) => toPem('CERTIFICATE', der)).join('');

const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----\s([A-Za-z0-9+/=\s]*)-----END \1-----/g;

/** The PEM blocks of a text, in order, separated only by white space. `undefined` for other texts. */
export function fromPem(text: string, labels: readonly string[]): Buffer[] | undefined {
  const blocks: Buffer[] = [];
  const rest = text.replaceAll(BLOCK, (whole, label: string, body: string) => {
    const base64 = body.replaceAll(/\s/g, '');
    const der = Buffer.from(base64, 'base64');
    if (!labels.includes(label) || der.length === 0 || der.toString('base64') !== base64) return whole;
    blocks.push(der);
    return '';
  });
  return rest.trim() === '' ? blocks : undefined;
}

/**
 * The single object of this type in a text or DER.
 *
 * @throws X509Error `<kind>.malformed`, `<kind>.too_large`
 */
export function oneOf(kind: string, labels: readonly string[], pemOrDer: string | Uint8Array, limit: number): Buffer {
  if (pemOrDer.length > limit) throw new X509Error(`${kind}.too_large`, `It is longer than ${limit} bytes`);
  if (typeof pemOrDer !== 'string') return Buffer.from(pemOrDer);
  const blocks = fromPem(pemOrDer, labels);
  if (blocks?.length !== 1) {
    throw new X509Error(`${kind}.malformed`, `Expected one PEM block "${labels[0]}" and nothing else`);
  }
  return blocks[0]!;
}
