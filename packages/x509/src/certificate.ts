import { createHash, type KeyObject } from 'node:crypto';
import { ElementCount, MalformedBer } from './ber.ts';
import { X509Error } from './error.ts';
import {
  keyAlgorithmOf,
  keyFromSpki,
  keyIdOf,
  signatureIdentifier,
  signatureName,
  signBytes,
  spkiOf,
  verifyBytes,
  type SigningKey,
} from './algorithm.ts';
import { ipText } from './alt-name.ts';
import type {
  AltName,
  CertificateContent,
  Constraint,
  ExtendedKeyUsage,
  Issuer,
  KeyAlgorithm,
  KeyUsage,
  NameConstraints,
} from './content.ts';
import { bitString, der, instantOf, integer, integerOf, sequence, time } from './der.ts';
import * as extensions from './extension.ts';
import { EXTENSIONS, extension, type Subtree } from './extension.ts';
import { encodeName, readName, type DecodedName } from './name.ts';
import { fromPem, oneOf } from './pem.ts';
import { readCanonical, readEnvelope, readTbs } from './structure.ts';

/**
 * DER of the TBSCertificate (RFC 5280, section 4.1). `'self'`: signed by the certified key. Deterministic.
 *
 * @throws X509Error `subject.<rule>`
 */
export function tbsOf(content: CertificateContent, issuer: Issuer | 'self'): Buffer {
  const keyId = keyIdOf(content.publicKey);
  const algorithm = issuer === 'self' ? keyAlgorithmOf(content.publicKey) : issuer.algorithm;
  if (!algorithm) throw new X509Error('key.unsupported', 'The key type is not supported');
  const subject = encodeName(content.subject);
  return sequence(
    der(0xa0, integer(2)),
    integerOf(Buffer.from(content.serialNumber, 'hex')),
    signatureIdentifier(algorithm),
    issuer === 'self' ? subject : issuer.name,
    sequence(time(content.notBefore), time(content.notAfter)),
    subject,
    spkiOf(content.publicKey),
    der(0xa3, sequence(...extensionsOf(content, subject, keyId, issuer === 'self' ? keyId : issuer.keyId))),
  );
}

/** The name without any part. */
const EMPTY_NAME_LENGTH = 2;

function extensionsOf(content: CertificateContent, subject: Buffer, keyId: Buffer, issuerKeyId: Uint8Array): Buffer[] {
  const { ca, keyUsages, extendedKeyUsages, altNames, crlUrls, ocspUrls, issuerUrls, nameConstraints, ocspNoCheck } =
    content;
  const list = [extension(EXTENSIONS.basicConstraints, ca !== undefined, extensions.basicConstraints(ca))];
  if (keyUsages.length) list.push(extension(EXTENSIONS.keyUsage, true, extensions.keyUsage(keyUsages)));
  if (extendedKeyUsages.length) {
    // RFC 3161, section 2.3: timeStamping must be the only usage, and critical.
    const isTimeStamping = extendedKeyUsages.every((usage) => usage === 'timeStamping');
    list.push(extension(EXTENSIONS.extendedKeyUsage, isTimeStamping, extensions.extendedKeyUsage(extendedKeyUsages)));
  }
  if (ocspNoCheck) list.push(extension(EXTENSIONS.ocspNoCheck, false, extensions.ocspNoCheck()));
  if (altNames.length) {
    const isNameless = subject.length === EMPTY_NAME_LENGTH;
    list.push(extension(EXTENSIONS.subjectAltName, isNameless, extensions.subjectAltName(altNames)));
  }
  list.push(extension(EXTENSIONS.subjectKeyIdentifier, false, extensions.subjectKeyIdentifier(keyId)));
  list.push(extension(EXTENSIONS.authorityKeyIdentifier, false, extensions.authorityKeyIdentifier(issuerKeyId)));
  if (nameConstraints?.permitted?.length || nameConstraints?.excluded?.length) {
    list.push(extension(EXTENSIONS.nameConstraints, true, extensions.nameConstraints(nameConstraints)));
  }
  if (crlUrls.length) {
    list.push(extension(EXTENSIONS.crlDistributionPoints, false, extensions.crlDistributionPoints(crlUrls)));
  }
  if (ocspUrls.length || issuerUrls.length) {
    list.push(extension(EXTENSIONS.authorityInfoAccess, false, extensions.authorityInfoAccess(ocspUrls, issuerUrls)));
  }
  return list;
}

/** Signs what `tbsOf` made: DER of the certificate. */
export const signTbs = (tbs: Uint8Array, key: SigningKey): Promise<Buffer> => signed(tbs, key);

/** The outer structure of everything that is signed: certificates, CSRs, revocation lists. */
export async function signed(tbs: Uint8Array, key: SigningKey): Promise<Buffer> {
  return sequence(tbs, signatureIdentifier(key.algorithm), bitString(await signBytes(key, tbs)));
}

/** DER of a signed certificate. @throws X509Error `subject.<rule>` */
export const buildCertificate = (
  content: CertificateContent,
  issuer: Issuer | 'self',
  signer: SigningKey,
): Promise<Buffer> => signTbs(tbsOf(content, issuer), signer);

export interface ReadCertificate {
  readonly der: Buffer;
  /** Lower-case hexadecimal, without a leading sign octet. */
  readonly serialNumber: string;
  readonly subject: DecodedName;
  readonly issuer: DecodedName;
  /** DER. */
  readonly subjectName: Buffer;
  readonly issuerName: Buffer;
  readonly altNames: readonly AltName[];
  /** It has alternative names of kinds that have no word here. */
  readonly hasOtherAltNames: boolean;
  readonly publicKey: KeyObject;
  /** `undefined`: a key that we do not take. */
  readonly keyAlgorithm: KeyAlgorithm | undefined;
  /** The published name; an OID for what we do not know. */
  readonly signatureAlgorithm: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Empty: not restricted. */
  readonly keyUsages: readonly KeyUsage[];
  readonly extendedKeyUsages: readonly ExtendedKeyUsage[];
  /** OIDs of extended key usages that have no name here. */
  readonly otherExtendedKeyUsages: readonly string[];
  /** Of a CA. */
  readonly ca: { readonly pathLength?: number | undefined } | undefined;
  /** Constraints of the kinds that have a word here; `chain.ts` knows all of them. */
  readonly nameConstraints: NameConstraints | undefined;
  /** Subject and authority key identifiers. */
  readonly keyId: Buffer | undefined;
  readonly authorityKeyId: Buffer | undefined;
  /** id-pkix-ocsp-nocheck: revocation is not checked. */
  readonly ocspNoCheck: boolean;
  readonly crlUrls: readonly string[];
  readonly ocspUrls: readonly string[];
  readonly issuerUrls: readonly string[];
  /** OIDs of critical extensions that are not understood here. */
  readonly unknownCritical: readonly string[];
  /** OIDs of all its extensions. */
  readonly extensionIds: readonly string[];
  /** Its own key signed it, under its own name. Slow keys are not tried. */
  readonly selfSigned: boolean;
  /** Lower-case hexadecimal. */
  readonly fingerprintSha256: string;
  readonly fingerprintSha1: string;
}

const MAX_CERTIFICATE = 100_000;
const MAX_CHAIN = 20;
/** Of a certificate, or of all in a chain: names, constraints on names, usages, and what they are made of. */
const MAX_ELEMENTS = 5_000;
const LABELS = ['CERTIFICATE', 'X509 CERTIFICATE'];

/**
 * Parses exactly one certificate (PEM or DER). Strict: only DER, every extension once and well-formed, a supported key, at
 * most 5,000 elements.
 *
 * @throws X509Error `certificate.<rule>`
 */
export const readCertificate = (pemOrDer: string | Uint8Array): ReadCertificate =>
  readDer(oneOf('certificate', LABELS, pemOrDer, MAX_CERTIFICATE), new ElementCount(MAX_ELEMENTS));

/**
 * Parses up to twenty certificates, in the order of the text, with at most 5,000 elements together.
 *
 * @throws X509Error `certificate.<rule>`
 */
export function readChain(pem: string): ReadCertificate[] {
  if (pem.length > MAX_CERTIFICATE * 2) throw new X509Error('certificate.too_large', 'The chain is too long');
  const blocks = fromPem(pem, LABELS);
  if (!blocks) throw new X509Error('certificate.malformed', 'Expected PEM blocks "CERTIFICATE" and nothing else');
  if (blocks.length > MAX_CHAIN)
    throw new X509Error('certificate.too_many', `A chain can have at most ${MAX_CHAIN} certificates`);
  const count = new ElementCount(MAX_ELEMENTS);
  return blocks.map((block) => readDer(block, count));
}

/**
 * Parses a chain that was put together of certificates that were read before: it may have more of them, or more elements, than one
 * that is given.
 *
 * @throws X509Error `certificate.<rule>`
 */
export function readStoredChain(pem: string): ReadCertificate[] {
  return derOfChain(pem).map((block) => readDer(block, new ElementCount(MAX_ELEMENTS)));
}

/** The certificates (DER) of such a chain, without parsing them. @throws X509Error `certificate.malformed` */
export function derOfChain(pem: string): Buffer[] {
  const blocks = fromPem(pem, LABELS);
  if (!blocks) throw new X509Error('certificate.malformed', 'Expected PEM blocks "CERTIFICATE" and nothing else');
  return blocks;
}

const readDer = (bytes: Buffer, count: ElementCount): ReadCertificate =>
  readCanonical('certificate', 'certificate', bytes, () => read(bytes, count), count);

function read(bytes: Buffer, count: ElementCount): ReadCertificate {
  const envelope = readEnvelope(bytes);
  const tbs = readTbs(envelope.tbs);
  const known = extensions.understand(tbs.extensions, count);
  const ids = tbs.extensions.map(({ id }) => id);
  if (new Set(ids).size < ids.length) {
    throw new X509Error('certificate.duplicate_extension', 'The certificate has an extension more than once');
  }
  const [malformed] = known.malformed;
  if (malformed) throw new MalformedBer(`the extension ${malformed[0]}: ${malformed[1]}`);
  if (!envelope.signatureAlgorithm.equals(tbs.signatureAlgorithm)) {
    throw new X509Error('certificate.signature_algorithm', 'The certificate names two different signature algorithms');
  }
  if (ids.length && tbs.version !== 2) throw new X509Error('certificate.version', 'Extensions belong to version 3');
  if (tbs.version > 2) throw new X509Error('certificate.version', 'The version of the certificate is unknown');
  const publicKey = keyFromSpki(tbs.spki);
  if (!publicKey) throw new X509Error('certificate.key', 'The public key of the certificate cannot be read');
  const { named, others } = extensions.namedUsages(known.extendedKeyUsages ?? []);
  const { basicConstraints } = known;
  return {
    der: bytes,
    serialNumber: serialText(tbs.serialNumber),
    subject: readName(tbs.subjectName),
    issuer: readName(tbs.issuerName),
    subjectName: tbs.subjectName,
    issuerName: tbs.issuerName,
    altNames: extensions.altNamesOf(known),
    hasOtherAltNames: known.altNames?.some(({ type }) => type === undefined) ?? false,
    publicKey,
    keyAlgorithm: keyAlgorithmOf(publicKey),
    signatureAlgorithm: signatureName(envelope.signatureAlgorithm),
    notBefore: instantOf(tbs.notBefore),
    notAfter: instantOf(tbs.notAfter),
    keyUsages: known.keyUsages ?? [],
    extendedKeyUsages: named,
    otherExtendedKeyUsages: others,
    ca: basicConstraints?.isCa
      ? { ...(basicConstraints.pathLength !== undefined && { pathLength: basicConstraints.pathLength }) }
      : undefined,
    nameConstraints: constraintsOf(known),
    keyId: known.subjectKeyId,
    authorityKeyId: known.authorityKeyId?.keyId,
    ocspNoCheck: known.hasOcspNoCheck ?? false,
    crlUrls: extensions.urlsOf(known.crlPoints),
    ocspUrls: extensions.ocspUrlsOf(known),
    issuerUrls: extensions.issuerUrlsOf(known),
    unknownCritical: tbs.extensions
      .filter((one) => one.critical && !extensions.isKnownExtension(one.id))
      .map(({ id }) => id),
    extensionIds: ids,
    selfSigned:
      tbs.subjectName.equals(tbs.issuerName) &&
      verifyBytes(publicKey, envelope.tbs, envelope.signature, envelope.signatureAlgorithm),
    fingerprintSha256: createHash('sha256').update(bytes).digest('hex'),
    fingerprintSha1: createHash('sha1').update(bytes).digest('hex'),
  };
}

/** A serial number as text, without a leading sign octet. */
export const serialText = (octets: Buffer): string =>
  (octets.length > 1 && octets[0] === 0 ? octets.subarray(1) : octets).toString('hex');

function constraintsOf({ nameConstraints }: extensions.Extensions): NameConstraints | undefined {
  if (!nameConstraints) return undefined;
  return {
    permitted: nameConstraints.permitted.flatMap(constraintOf),
    excluded: nameConstraints.excluded.flatMap(constraintOf),
  };
}

function constraintOf({ base }: Subtree): Constraint[] {
  const { type, value } = extensions.readGeneralName(base);
  if (!type) return [];
  if (type !== 'ip') return [{ type, value }];
  const half = base.content.length / 2;
  if (half !== 4 && half !== 16) return [];
  const prefix = base.content
    .subarray(half)
    .reduce((sum, octet) => sum + octet.toString(2).replaceAll('0', '').length, 0);
  return [{ type, value: `${ipText(base.content.subarray(0, half))}/${prefix}` }];
}
