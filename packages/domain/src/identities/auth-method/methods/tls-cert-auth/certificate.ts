import type { X509Certificate } from 'node:crypto';
import { berElements } from '@coffer/x509/ber';
import { isVerifiable } from '@coffer/x509/key-limits';
import { nodeCrypto, readAddress, writeAddress } from '../../../../kernel/schema.ts';

const BLOCK = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;
/** Extensions by object identifier (RFC 5280, section 4.2), encoded. */
const [BASIC_CONSTRAINTS, KEY_USAGE, EXTENDED_KEY_USAGE, ALT_NAMES] = ['551d13', '551d0f', '551d25', '551d11'];
const NAME_CONSTRAINTS = '551d1e';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const ANY_USAGE = '2.5.29.37.0';
const [DIGITAL_SIGNATURE, KEY_AGREEMENT] = [0x80, 0x08];
const WEAK = /md\d|sha-?1(?:\D|$)/i;

const [BOOLEAN, INTEGER, EXTENSIONS] = [0x01, 0x02, 0xa3];
const [EMAIL, DNS, URI, IP] = [0x81, 0x82, 0x86, 0x87];

interface Extension {
  readonly id: string;
  readonly isCritical: boolean;
  readonly value: Buffer;
}

/** The certificates of a text that contains nothing else; none if it contains anything else, or an invalid one. */
export function readCertificates(pem: string): X509Certificate[] {
  if (pem.replace(BLOCK, '').trim() !== '') return [];
  try {
    return Array.from(pem.matchAll(BLOCK), ([, body = '']) => readCertificate(Buffer.from(body, 'base64')));
  } catch {
    return [];
  }
}

/**
 * Parses everything that is checked later.
 *
 * @throws Error if any of it is invalid
 */
function readCertificate(der: Buffer): X509Certificate {
  const certificate = new nodeCrypto.X509Certificate(der);
  altNamesOf(certificate);
  pathLengthOf(certificate);
  keyUsageOf(certificate);
  if (certificate.publicKey.type !== 'public') throw new Error('A certificate has no public key');
  return certificate;
}

/** Whether a certificate is a CA certificate without unsupported restrictions. */
export const isAuthority = (certificate: X509Certificate): boolean =>
  certificate.ca && extensionsOf(certificate).every(isKnown);

/** Whether it is a certificate for client authentication: its key signs the handshake, or agrees on its key. */
export const isForClients = (certificate: X509Certificate): boolean =>
  !certificate.ca &&
  extensionsOf(certificate).every(isKnown) &&
  isUsableFor(certificate, [CLIENT_AUTH]) &&
  (keyUsageOf(certificate) & (DIGITAL_SIGNATURE | KEY_AGREEMENT)) !== 0;

/** What Node calls key usage is the extended key usage; if it is absent, all usages are permitted. */
const isUsableFor = ({ keyUsage }: X509Certificate, usages: readonly string[]): boolean =>
  (keyUsage as string[] | undefined)?.some((usage) => usages.includes(usage)) ?? true;

/** The first eight bits of the key usage (RFC 5280, section 4.2.1.3); all if it is absent. */
function keyUsageOf(certificate: X509Certificate): number {
  const usage = extensionsOf(certificate).find(({ id }) => id === KEY_USAGE);
  // The first octet of a bit string is the number of its unused bits.
  return usage ? (berElements(usage.value)[0]!.content[1] ?? 0) : 0xff;
}

export const isValidAt = (certificate: X509Certificate, now: Date): boolean =>
  certificate.validFromDate <= now && now <= certificate.validToDate;

/**
 * Whether an authority has signed a certificate: names, key identifiers, key usage and the signature match. An authority with
 * extended key usages is one for certificates of these alone, as for OpenSSL. `below`: the number of authorities between the two
 * ends of the path.
 */
export function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate, below: number): boolean {
  return (
    isAuthority(issuer) &&
    isUsableFor(issuer, [CLIENT_AUTH, ANY_USAGE]) &&
    below <= pathLengthOf(issuer) &&
    !WEAK.test(certificate.signatureAlgorithm ?? '') &&
    certificate.checkIssued(issuer) &&
    isVerifiable(issuer.publicKey) &&
    certificate.verify(issuer.publicKey)
  );
}

/** The common name, if there is exactly one. */
export function commonNameOf(certificate: X509Certificate): string | undefined {
  const name: unknown = certificate.toLegacyObject().subject?.CN;
  return typeof name === 'string' ? name : undefined;
}

/**
 * Its alternative names: host names, e-mail addresses, URIs and IP addresses. They are compared as texts, without their type: one
 * that reads like a name of another type is none, since an authority looks at each type in another way.
 */
export function altNamesOf(certificate: X509Certificate): string[] {
  const extension = extensionsOf(certificate).find(({ id }) => id === ALT_NAMES);
  return (extension ? inner(extension.value) : []).flatMap(({ tag, content }) => {
    if ([EMAIL, DNS, URI].includes(tag)) {
      const name = content.toString('latin1');
      return typeOf(name) === tag ? [name] : [];
    }
    const address = tag === IP && readAddress(addressText(content));
    return address ? [writeAddress(address)] : [];
  });
}

/** The type of an alternative name that this text is. */
function typeOf(name: string): number {
  if (readAddress(name)) return IP;
  if (/^[a-z][a-z\d+.-]*:/i.test(name)) return URI;
  return name.includes('@') ? EMAIL : DNS;
}

const addressText = (bytes: Buffer): string =>
  bytes.length === 4 ? bytes.join('.') : (bytes.toString('hex').match(/.{4}/g)?.join(':') ?? '');

/** The maximum number of authorities below one (path length). */
function pathLengthOf(certificate: X509Certificate): number {
  const constraints = extensionsOf(certificate).find(({ id }) => id === BASIC_CONSTRAINTS);
  const length = constraints && inner(constraints.value).find(({ tag }) => tag === INTEGER);
  return length ? Number(`0x${length.content.toString('hex')}`) : Infinity;
}

/** Unknown critical extensions must be rejected (RFC 5280, section 4.2); name constraints are not supported. */
const isKnown = ({ id, isCritical }: Extension): boolean =>
  id !== NAME_CONSTRAINTS &&
  (!isCritical || [BASIC_CONSTRAINTS, KEY_USAGE, EXTENDED_KEY_USAGE, ALT_NAMES].includes(id));

function extensionsOf({ raw }: X509Certificate): Extension[] {
  const [signed] = inner(raw);
  const list = signed && berElements(signed.content).find(({ tag }) => tag === EXTENSIONS);
  return (list ? inner(list.content) : []).map(({ content }) => {
    const [id, critical, value = critical] = berElements(content);
    return {
      id: id!.content.toString('hex'),
      isCritical: critical?.tag === BOOLEAN && critical.content[0] !== 0,
      value: value!.content,
    };
  });
}

/** The elements inside the single element of these bytes. */
const inner = (bytes: Buffer) => berElements(berElements(bytes)[0]!.content);
