import { createRequire } from 'node:module';

// The encoders of structures take some twenty megabytes and a tenth of a second to load, and most servers never issue a
// certificate: they are loaded by the first call that needs them, and cost nothing after that.
const load = createRequire(import.meta.url);

type Schema = typeof import('@peculiar/asn1-schema');
type X509 = typeof import('@peculiar/asn1-x509');
type Csr = typeof import('@peculiar/asn1-csr');
type Ocsp = typeof import('@peculiar/asn1-ocsp');
type Pfx = typeof import('@peculiar/asn1-pfx');
type Cms = typeof import('@peculiar/asn1-cms');
type Pkcs8 = typeof import('@peculiar/asn1-pkcs8');

const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};

export const x509 = once(() => load('@peculiar/asn1-x509') as X509);
export const csr = once(() => load('@peculiar/asn1-csr') as Csr);
export const ocsp = once(() => load('@peculiar/asn1-ocsp') as Ocsp);
export const pfx = once(() => load('@peculiar/asn1-pfx') as Pfx);
export const cms = once(() => load('@peculiar/asn1-cms') as Cms);
export const pkcs8 = once(() => load('@peculiar/asn1-pkcs8') as Pkcs8);
export const schema = once(() => load('@peculiar/asn1-schema') as Schema);

/** DER of a structure of those packages. */
export const encode = (structure: unknown): Buffer => Buffer.from(schema().AsnConvert.serialize(structure));

/** Octets in the form of those packages. */
export function octets(bytes: Uint8Array): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
}
