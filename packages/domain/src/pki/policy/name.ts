import {
  type AltName,
  EXTENDED_KEY_USAGES,
  type ExtendedKeyUsage,
  KEY_ALGORITHMS,
  KEY_USAGES,
  type KeyAlgorithm,
  type KeyUsage,
  SIGNATURE_ALGORITHMS,
  type SignatureAlgorithm,
} from '@coffer/x509/content';
import type { SubjectField } from '../constraint/index.ts';

/** Accepted spellings of names: `common_name` and `commonName`, `RSA-2048` and `RSA_2048`. */
export const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

export const SUBJECT: Readonly<Record<string, SubjectField>> = {
  commonname: 'commonName',
  organization: 'organization',
  organizationalunit: 'organizationalUnit',
  organizationunit: 'organizationalUnit',
  country: 'country',
  state: 'province',
  province: 'province',
  locality: 'locality',
  domaincomponent: 'domainComponents',
};
export const ALT_NAMES: Readonly<Record<string, AltName['type']>> = {
  dns: 'dns',
  dnsname: 'dns',
  ip: 'ip',
  ipaddress: 'ip',
  email: 'email',
  uri: 'uri',
};
export const KEYS: Readonly<Record<string, KeyAlgorithm>> = {
  ...Object.fromEntries(KEY_ALGORITHMS.map((name) => [plain(name), name])),
  ecdsap256: 'EC_prime256v1',
  ecdsap384: 'EC_secp384r1',
};
export const SIGNATURES: Readonly<Record<string, SignatureAlgorithm>> = {
  ...Object.fromEntries(SIGNATURE_ALGORITHMS.map((name) => [plain(name), name])),
  sha256rsa: 'RSA-SHA256',
  sha256ecdsa: 'ECDSA-SHA256',
  sha384ecdsa: 'ECDSA-SHA384',
};
export const USAGES = Object.fromEntries(KEY_USAGES.map((name) => [plain(name), name]));
export const EXTENDED_USAGES = Object.fromEntries(
  (Object.keys(EXTENDED_KEY_USAGES) as ExtendedKeyUsage[]).map((name) => [plain(name), name]),
);

const own = <Name>(names: Readonly<Record<string, Name>>, name: string): Name | undefined =>
  Object.hasOwn(names, plain(name)) ? names[plain(name)] : undefined;

/** The meaning of a name in each of these contexts, in any accepted spelling; `undefined` if unknown. */
export const subjectFieldNamed = (name: string): SubjectField | undefined => own(SUBJECT, name);
export const altNameTypeNamed = (name: string): AltName['type'] | undefined => own(ALT_NAMES, name);
export const keyAlgorithmNamed = (name: string): KeyAlgorithm | undefined => own(KEYS, name);
export const signatureAlgorithmNamed = (name: string): SignatureAlgorithm | undefined => own(SIGNATURES, name);
export const keyUsageNamed = (name: string): KeyUsage | undefined => own(USAGES, name);
export const extendedKeyUsageNamed = (name: string): ExtendedKeyUsage | undefined => own(EXTENDED_USAGES, name);
