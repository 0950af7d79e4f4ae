import { MalformedBer, type BerElement, type ElementCount } from './ber.ts';
import { X509Error } from './error.ts';
import { bits, element, nonCanonical, smallInteger, TAG, within } from './der.ts';
import { readExtensions, type ReadExtension } from './extension.ts';

/** A TBSCertificate as it was serialised: everything that matters for its octets is still there. */
export interface TbsStructure {
  readonly tbs: Buffer;
  /** 0 for version 1, which is what no version means. */
  readonly version: number;
  /** The octets of the number. */
  readonly serialNumber: Buffer;
  readonly signatureAlgorithm: Buffer;
  readonly issuerName: Buffer;
  readonly notBefore: BerElement;
  readonly notAfter: BerElement;
  readonly subjectName: Buffer;
  readonly spki: Buffer;
  readonly hasUniqueIds: boolean;
  readonly extensions: readonly ReadExtension[];
}

/** The tag that a certificate wraps around it. */
export interface Envelope {
  readonly tbs: Buffer;
  readonly signatureAlgorithm: Buffer;
  readonly signature: Buffer;
}

/**
 * Parses a received structure, strictly as DER: a certificate, a CSR, a list.
 *
 * @param code The prefix of the error: `csr` for `csr.malformed`.
 * @param count Limits the elements; the values of extensions are counted where they are read (`understand`).
 * @throws X509Error
 */
export function readCanonical<T>(
  code: string,
  what: string,
  der: Buffer,
  read: (der: Buffer) => T,
  count?: ElementCount,
): T {
  try {
    const problem = nonCanonical(der, count);
    if (problem) throw new MalformedBer(problem);
    return read(der);
  } catch (error) {
    if (!(error instanceof MalformedBer)) throw error;
    throw new X509Error(`${code}.malformed`, `The ${what} is malformed: ${error.message}`);
  }
}

/** The three parts of a certificate, a revocation list or a request. @throws MalformedBer */
export function readEnvelope(der: Buffer): Envelope {
  const [tbs, algorithm, signature, ...more] = within(der, TAG.sequence);
  if (tbs?.tag !== TAG.sequence || algorithm?.tag !== TAG.sequence || more.length) {
    throw new MalformedBer('Expected a signed structure');
  }
  return { tbs: tbs.whole, signatureAlgorithm: algorithm.whole, signature: bits(signature) };
}

/**
 * Whether these octets are a complete certificate and not a TBSCertificate.
 *
 * @throws MalformedBer
 */
export const isSigned = (der: Buffer): boolean => within(der, TAG.sequence)[0]?.tag === TAG.sequence;

const VERSION = 0xa0;
const UNIQUE_IDS = [0x81, 0x82];
const EXTENSIONS = 0xa3;

/** RFC 5280, section 4.1. @throws MalformedBer */
export function readTbs(tbs: Buffer): TbsStructure {
  const parts = within(tbs, TAG.sequence);
  const next = (tag: number): BerElement => {
    const part = parts.shift();
    if (part?.tag !== tag) throw new MalformedBer(`A part with the tag ${tag} is missing`);
    return part;
  };
  const version = parts[0]?.tag === VERSION ? smallInteger(element(next(VERSION).content)) : 0;
  const serialNumber = next(TAG.integer).content;
  if (serialNumber.length === 0) throw new MalformedBer('The serial number is empty');
  const signatureAlgorithm = next(TAG.sequence).whole;
  const issuerName = next(TAG.sequence).whole;
  const [notBefore, notAfter, ...moreTimes] = within(next(TAG.sequence).whole, TAG.sequence);
  if (!notBefore || !notAfter || moreTimes.length) throw new MalformedBer('The validity is not two times');
  const subjectName = next(TAG.sequence).whole;
  const spki = next(TAG.sequence).whole;
  const uniqueIds = UNIQUE_IDS.filter((tag) => parts[0]?.tag === tag && parts.shift() !== undefined);
  const extensions = parts[0]?.tag === EXTENSIONS ? readExtensions(next(EXTENSIONS).content) : [];
  if (parts.length) throw new MalformedBer('It has unknown parts');
  return {
    tbs,
    version,
    serialNumber,
    signatureAlgorithm,
    issuerName,
    notBefore,
    notAfter,
    subjectName,
    spki,
    hasUniqueIds: uniqueIds.length > 0,
    extensions,
  };
}
