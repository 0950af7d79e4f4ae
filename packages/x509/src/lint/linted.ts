import type { Issuer, KeyAlgorithm, PublicKey } from '../content.ts';
import { isWrittenAs, keyAlgorithmOf, keyFromSpki } from '../algorithm.ts';
import { instantOf, nonCanonical } from '../der.ts';
import { understand, type Extensions } from '../extension.ts';
import { attributesOf, textOf, type Attribute } from '../name.ts';
import { isSigned, readEnvelope, readTbs, type TbsStructure } from '../structure.ts';

export interface LintOptions {
  /** The future signer: names, key identifiers, validity and signature must match it. */
  readonly issuer?: Pick<Issuer, 'name' | 'keyId' | 'algorithm' | 'notBefore' | 'notAfter'> | undefined;
  /** The key that it should certify: it is not read again where these are its octets. */
  readonly publicKey?: PublicKey | undefined;
}

export interface LintedAttribute extends Attribute {
  /** `undefined`: not a string, or not in the declared encoding. */
  readonly text: string | undefined;
}

/** A certificate for rules: its encoding, and its content as far as it can be parsed. */
export interface Linted extends TbsStructure {
  readonly der: Buffer;
  /** The outer signature algorithm; `undefined` if it is not signed yet. */
  readonly outerAlgorithm: Buffer | undefined;
  readonly from: Date | undefined;
  readonly until: Date | undefined;
  readonly subject: readonly LintedAttribute[] | undefined;
  readonly issuer: readonly LintedAttribute[] | undefined;
  readonly publicKey: PublicKey | undefined;
  readonly keyAlgorithm: KeyAlgorithm | undefined;
  readonly known: Extensions;
  readonly isCa: boolean;
  readonly isSelfIssued: boolean;
  /** The first violation of DER. */
  readonly notCanonical: string | undefined;
}

/** @throws MalformedBer if it does not have the structure of a certificate */
export function readLinted(der: Buffer, { publicKey: expected }: LintOptions = {}): Linted {
  const envelope = isSigned(der) ? readEnvelope(der) : undefined;
  const structure = readTbs(envelope?.tbs ?? der);
  const known = understand(structure.extensions);
  const isExpected = expected !== undefined && isWrittenAs(expected, structure.spki);
  const publicKey = isExpected ? expected : keyFromSpki(structure.spki);
  return {
    ...structure,
    der,
    outerAlgorithm: envelope?.signatureAlgorithm,
    from: tried(() => instantOf(structure.notBefore)),
    until: tried(() => instantOf(structure.notAfter)),
    subject: tried(() => attributes(structure.subjectName)),
    issuer: tried(() => attributes(structure.issuerName)),
    publicKey,
    keyAlgorithm: publicKey && keyAlgorithmOf(publicKey),
    known,
    isCa: known.basicConstraints?.isCa ?? false,
    isSelfIssued: structure.subjectName.equals(structure.issuerName),
    notCanonical: nonCanonical(der),
  };
}

const attributes = (name: Buffer): LintedAttribute[] =>
  attributesOf(name).map((one) => ({ ...one, text: tried(() => textOf(one.value)) }));

function tried<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
