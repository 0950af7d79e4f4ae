// oxlint-disable-next-line import/no-unassigned-import -- the library below needs it
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
  type JsonGeneralNames,
  type X509Certificate,
} from '@peculiar/x509';

// Imported from here, after the dependencies of the library are loaded.
export { Extension, KeyUsageFlags };

const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY = 86_400_000;
export const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
export const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';

export interface Make {
  /** `CN=…`. */
  readonly name?: string;
  readonly altNames?: JsonGeneralNames;
  /** Object identifiers; none at all where empty. */
  readonly usages?: readonly string[];
  readonly serialNumber?: string;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  /** The path length of an authority; absent for other certificates. */
  readonly pathLength?: number | 'any';
  readonly keyUsages?: KeyUsageFlags;
  /** Another hash than SHA-256 signs it. */
  readonly hash?: string;
  /** Whose key identifier it names, in place of its issuer's. */
  readonly claims?: Certified;
  readonly extensions?: readonly Extension[];
  /** The key that it certifies, of somebody else; default: a new one. */
  readonly publicKey?: webcrypto.CryptoKey;
}

/** A certificate and the key to it. */
export interface Certified {
  readonly certificate: X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly pem: string;
}

/** A root that has signed itself. */
export const makeRoot = (name = 'CN=Clients', make: Make = {}): Promise<Certified> =>
  certify({ pathLength: 'any', ...make, name });

/** A certificate for a client, which an issuer has signed. */
export const makeClient = (issuer: Certified, make: Make = {}): Promise<Certified> =>
  certify({ name: 'CN=web', usages: [CLIENT_AUTH], ...make }, issuer);

export const makeIntermediate = (issuer: Certified, make: Make = {}): Promise<Certified> =>
  certify({ name: 'CN=Intermediate', pathLength: 'any', ...make }, issuer);

/** The header in which a proxy passes certificates on. */
export const asHeader = (...chain: readonly Certified[]): string =>
  encodeURIComponent(chain.map(({ pem }) => `${pem}\n`).join(''));

async function certify(make: Make, issuer?: Certified): Promise<Certified> {
  const keys = await webcrypto.subtle.generateKey(P256, true, ['sign', 'verify']);
  const isAuthority = make.pathLength !== undefined;
  const keyUsages = make.keyUsages ?? (isAuthority ? KeyUsageFlags.keyCertSign : KeyUsageFlags.digitalSignature);
  const named = make.claims ?? issuer;
  const certificate = await X509CertificateGenerator.create({
    serialNumber:
      make.serialNumber ??
      Buffer.from(webcrypto.getRandomValues(new Uint8Array([1, ...Array(8)])))
        .toString('hex')
        .replace(/^./, '1'),
    subject: make.name ?? 'CN=nobody',
    issuer: issuer?.certificate.subject ?? make.name ?? '',
    notBefore: make.notBefore ?? new Date(Date.now() - DAY),
    notAfter: make.notAfter ?? new Date(Date.now() + DAY),
    publicKey: make.publicKey ?? keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    signingAlgorithm: { ...P256, hash: make.hash ?? P256.hash },
    extensions: [
      new BasicConstraintsExtension(isAuthority, make.pathLength === 'any' ? undefined : make.pathLength, true),
      new KeyUsagesExtension(keyUsages, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...(named ? [await AuthorityKeyIdentifierExtension.create(named.keys.publicKey)] : []),
      ...(make.usages?.length ? [new ExtendedKeyUsageExtension([...make.usages])] : []),
      ...(make.altNames ? [new SubjectAlternativeNameExtension(make.altNames)] : []),
      ...(make.extensions ?? []),
    ],
  });
  return { certificate, keys, pem: certificate.toString('pem') };
}
