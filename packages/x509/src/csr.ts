import type { KeyObject } from 'node:crypto';
import { berElements, MalformedBer } from './ber.ts';
import { X509Error } from './error.ts';
import { keyAlgorithmOf, keyFromSpki, spkiOf, suits, verifyBytes, type SigningKey } from './algorithm.ts';
import { readAltName } from './alt-name.ts';
import { csr, encode, octets, schema, x509 } from './asn1.ts';
import { signed } from './certificate.ts';
import type { AltName, ExtendedKeyUsage, KeyAlgorithm, KeyUsage, Subject } from './content.ts';
import { element, oidText, sequence, smallInteger, TAG, within } from './der.ts';
import * as extensions from './extension.ts';
import { EXTENSIONS, extension, readExtensions } from './extension.ts';
import { checkSubject, encodeName, readName, textOf, type DecodedName } from './name.ts';
import { oneOf } from './pem.ts';
import { readCanonical, readEnvelope } from './structure.ts';

/** The content of a CSR. The signature proves only the possession of the key. */
export interface ReadCsr {
  readonly der: Buffer;
  readonly subject: DecodedName;
  /** DER. */
  readonly subjectName: Buffer;
  readonly altNames: readonly AltName[];
  readonly publicKey: KeyObject;
  readonly keyAlgorithm: KeyAlgorithm;
  /** `undefined`: it does not ask for any. */
  readonly keyUsages: readonly KeyUsage[] | undefined;
  readonly extendedKeyUsages: readonly ExtendedKeyUsage[] | undefined;
  /** It requests a CA certificate. */
  readonly ca: boolean;
  readonly pathLength: number | undefined;
  /** OIDs of extensions beyond alternative names, key usages, basic constraints and the key's identifier. */
  readonly extensions: readonly string[];
  /** RFC 2985, section 5.4.1. */
  readonly challengePassword: string | undefined;
}

const MAX_CSR = 16_384;
const MAX_ALT_NAMES = 100;
const LABELS = ['CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST'];
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
/** Which older clients of Microsoft's send in its place ([MS-WCCE], section 2.2.2.7.7.1: szOID_CERT_EXTENSIONS). */
const MICROSOFT_EXTENSION_REQUEST = '1.3.6.1.4.1.311.2.1.14';
const CHALLENGE_PASSWORD = '1.2.840.113549.1.9.7';

const READ: ReadonlySet<string> = new Set([
  EXTENSIONS.subjectAltName,
  EXTENSIONS.keyUsage,
  EXTENSIONS.extendedKeyUsage,
  EXTENSIONS.basicConstraints,
  EXTENSIONS.subjectKeyIdentifier,
]);

/**
 * Parses a PKCS#10 request (RFC 2986), PEM or DER, of up to 16,384 bytes, and verifies the possession of the private
 * key.
 *
 * @throws X509Error `csr.<rule>`: `too_large`, `malformed`, `version`, `key`, `signature_algorithm`, `signature`,
 * `duplicate_attribute`, `duplicate_extension`, `extension`, `contradiction`, `subject`, `alt_name`, `alt_name_kind`,
 * `extended_key_usage`
 */
export function readCsr(pemOrDer: string | Uint8Array): ReadCsr {
  const der = oneOf('csr', LABELS, pemOrDer, MAX_CSR);
  return readCanonical('csr', 'request', der, read);
}

function read(der: Buffer): ReadCsr {
  const { tbs, signatureAlgorithm, signature } = readEnvelope(der);
  const [version, name, spki, attributes, ...more] = within(tbs, TAG.sequence);
  if (!name || !spki || more.length || (attributes && attributes.tag !== 0xa0)) {
    throw new MalformedBer('it lacks parts of a request');
  }
  if (smallInteger(version) !== 0) throw new X509Error('csr.version', 'The version of the request is not 1 (RFC 2986)');
  const { publicKey, keyAlgorithm } = readKey(spki.whole);
  if (!suits(signatureAlgorithm, publicKey)) {
    throw new X509Error(
      'csr.signature_algorithm',
      'The signature algorithm of the request does not match its key, or is too weak',
    );
  }
  if (!verifyBytes(publicKey, tbs, signature, signatureAlgorithm)) {
    throw new X509Error('csr.signature', 'The signature of the request is not valid for its key');
  }
  const { requested, challengePassword } = readAttributes(attributes?.content);
  const asked = readRequested(requested);
  const subject = readName(name.whole);
  try {
    checkSubject(subject);
  } catch (error) {
    throw asCsrError('csr.subject', error);
  }
  return {
    der,
    subject,
    subjectName: name.whole,
    publicKey,
    keyAlgorithm,
    challengePassword,
    ...asked,
  };
}

function readKey(spki: Buffer): { publicKey: KeyObject; keyAlgorithm: KeyAlgorithm } {
  const publicKey = keyFromSpki(spki);
  const keyAlgorithm = publicKey && keyAlgorithmOf(publicKey);
  if (!publicKey || !keyAlgorithm) {
    throw new X509Error(
      'csr.key',
      'The key of the request is not supported: use RSA of 2048, 3072 or 4096 bits that is not weak, P-256, P-384 or Ed25519',
    );
  }
  return { publicKey, keyAlgorithm };
}

/** Unknown attributes are ignored: they never reach a certificate. */
function readAttributes(attributes: Buffer | undefined): {
  requested: Buffer | undefined;
  challengePassword: string | undefined;
} {
  const values = new Map<string, readonly Buffer[]>();
  const list = attributes ? berElements(attributes) : [];
  for (const { whole } of list) {
    const [type, set, ...more] = within(whole, TAG.sequence);
    if (!set || more.length) throw new MalformedBer('an attribute is malformed');
    const named = oidText(type);
    const id = named === MICROSOFT_EXTENSION_REQUEST ? EXTENSION_REQUEST : named;
    if (values.has(id))
      throw new X509Error('csr.duplicate_attribute', `The request has the attribute ${id} more than once`);
    values.set(
      id,
      within(set.whole, TAG.set).map((value) => value.whole),
    );
  }
  const single = (id: string) => {
    const [value, ...others] = values.get(id) ?? [];
    if (values.has(id) && (!value || others.length)) {
      throw new X509Error('csr.duplicate_attribute', `The attribute ${id} of the request must have one value`);
    }
    return value;
  };
  const password = single(CHALLENGE_PASSWORD);
  return { requested: single(EXTENSION_REQUEST), challengePassword: password && textOf(element(password)) };
}

function readRequested(
  requested: Buffer | undefined,
): Pick<ReadCsr, 'altNames' | 'keyUsages' | 'extendedKeyUsages' | 'ca' | 'pathLength' | 'extensions'> {
  const list = requested && within(requested, TAG.sequence).length ? readExtensions(requested) : [];
  const ids = list.map(({ id }) => id);
  if (new Set(ids).size < ids.length) {
    throw new X509Error('csr.duplicate_extension', 'The request asks for the same extension more than once');
  }
  const known = extensions.understand(list);
  const [malformed] = known.malformed;
  if (malformed)
    throw new X509Error('csr.extension', `The extension ${malformed[0]} of the request is malformed: ${malformed[1]}`);
  const { basicConstraints, keyUsages } = known;
  const contradiction = contradictionOf(basicConstraints, keyUsages);
  if (contradiction) throw new X509Error('csr.contradiction', `The request contradicts itself: ${contradiction}`);
  return {
    altNames: readAltNames(known.altNames ?? []),
    keyUsages,
    extendedKeyUsages: known.extendedKeyUsages && readUsages(known.extendedKeyUsages),
    ca: basicConstraints?.isCa ?? false,
    pathLength: basicConstraints?.pathLength,
    extensions: ids.filter((id) => !READ.has(id)),
  };
}

function contradictionOf(
  basic: extensions.Extensions['basicConstraints'],
  usages: readonly KeyUsage[] | undefined,
): string | undefined {
  if (basic && !basic.isCa && basic.pathLength !== undefined) return 'a path length without CA';
  if (usages?.length === 0) return 'a list of key usages without any';
  if (usages?.includes('keyCertSign') && !basic?.isCa) return 'keyCertSign without CA';
  if (basic?.isCa && usages && !usages.includes('keyCertSign')) return 'CA without keyCertSign';
  const isOneWay = usages?.includes('encipherOnly') || usages?.includes('decipherOnly');
  return isOneWay && !usages?.includes('keyAgreement')
    ? 'encipherOnly or decipherOnly without keyAgreement'
    : undefined;
}

function readAltNames(names: readonly extensions.ReadGeneralName[]): AltName[] {
  if (names.length > MAX_ALT_NAMES)
    throw new X509Error('csr.alt_name', `A request can have at most ${MAX_ALT_NAMES} alternative names`);
  const found = names.map(({ type, value }) => {
    if (!type) {
      throw new X509Error(
        'csr.alt_name_kind',
        'Alternative names must be DNS names, IP addresses, e-mail addresses or URIs',
      );
    }
    try {
      return readAltName(type, value);
    } catch (error) {
      throw asCsrError('csr.alt_name', error);
    }
  });
  return [...new Map(found.map((name) => [`${name.type}:${name.value}`, name])).values()];
}

function readUsages(oids: readonly string[]): ExtendedKeyUsage[] {
  const { named, others } = extensions.namedUsages(oids);
  if (others.length || named.length === 0) {
    throw new X509Error(
      'csr.extended_key_usage',
      `The request asks for unknown extended key usages: ${others.join(', ')}`,
    );
  }
  return [...new Set(named)];
}

const asCsrError = (code: string, error: unknown): unknown =>
  error instanceof X509Error
    ? new X509Error(code, error.message, { ...(error.details as object), rule: error.code })
    : error;

export interface WantedInCsr {
  /** It requests a CA certificate. */
  readonly ca?: boolean;
  readonly altNames?: readonly AltName[];
  /** DER of its name, if that must be preserved byte for byte. */
  readonly name?: Buffer;
}

/** DER of a request (RFC 2986), signed by the key that it is for. @throws X509Error `subject.<rule>`, `alt_name.<kind>` */
export async function makeCsr(
  subject: Subject,
  key: SigningKey & { readonly publicKey: KeyObject },
  { ca = false, altNames = [], name = encodeName(subject) }: WantedInCsr = {},
): Promise<Buffer> {
  const { Name, SubjectPublicKeyInfo, Attribute } = x509();
  const { CertificationRequestInfo, Attributes } = csr();
  const { AsnConvert } = schema();
  const wanted = [
    ...(ca
      ? [
          extension(EXTENSIONS.basicConstraints, true, extensions.basicConstraints({})),
          extension(EXTENSIONS.keyUsage, true, extensions.keyUsage(['digitalSignature', 'keyCertSign', 'cRLSign'])),
        ]
      : []),
    ...(altNames.length
      ? [extension(EXTENSIONS.subjectAltName, name.length === 2, extensions.subjectAltName(altNames))]
      : []),
  ];
  const info = new CertificationRequestInfo({
    version: 0,
    subject: AsnConvert.parse(name, Name),
    subjectPKInfo: AsnConvert.parse(spkiOf(key.publicKey), SubjectPublicKeyInfo),
    attributes: new Attributes(
      wanted.length ? [new Attribute({ type: EXTENSION_REQUEST, values: [octets(sequence(...wanted))] })] : [],
    ),
  });
  return signed(encode(info), key);
}
