import type { KeyObject } from 'node:crypto';
import { berElements, MalformedBer } from './ber.ts';
import { signatureIdentifier, verifyBytes, type SigningKey } from './algorithm.ts';
import { serialText, signed } from './certificate.ts';
import { REVOCATION_REASONS, type KeyAlgorithm, type RevocationReason } from './content.ts';
import {
  content,
  der,
  element,
  instantOf,
  integer,
  integerOf,
  sequence,
  smallInteger,
  TAG,
  time,
  within,
} from './der.ts';
import * as extensions from './extension.ts';
import { EXTENSIONS, extension, readExtensions, understand } from './extension.ts';
import { oneOf } from './pem.ts';
import { readCanonical, readEnvelope } from './structure.ts';

/** An entry without a reason means UNSPECIFIED (RFC 5280, section 5.3.1), which is never encoded. */
const reasons = new Map<RevocationReason, Buffer>(
  (Object.keys(REVOCATION_REASONS) as RevocationReason[])
    .filter((reason) => reason !== 'UNSPECIFIED')
    .map((reason) => {
      const code = der(TAG.enumerated, Buffer.of(REVOCATION_REASONS[reason]));
      return [reason, sequence(extension(EXTENSIONS.reasonCode, false, code))];
    }),
);

/** DER of one element of revokedCertificates. They can be stored, and concatenated without parsing. */
export function crlEntry(serialNumber: string, revokedAt: Date, reason?: RevocationReason): Buffer {
  const extra = reason && reasons.get(reason);
  return sequence(integerOf(Buffer.from(serialNumber, 'hex')), time(revokedAt), ...(extra ? [extra] : []));
}

export interface CrlContent {
  /** DER of the issuer's subject. */
  readonly issuerName: Uint8Array;
  /** The issuer's subject key identifier. */
  readonly keyId: Uint8Array;
  /** Increases with every list of an issuer. */
  readonly number: bigint;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  /** DER of all entries, concatenated. */
  readonly entries: Buffer;
  readonly algorithm: KeyAlgorithm;
}

/** DER of the TBSCertList (RFC 5280, section 5.1). Its time is that of copying the entries once. */
export function tbsCrlOf({
  issuerName,
  keyId,
  number,
  thisUpdate,
  nextUpdate,
  entries,
  algorithm,
}: CrlContent): Buffer {
  return sequence(
    integer(1),
    signatureIdentifier(algorithm),
    issuerName,
    time(thisUpdate),
    time(nextUpdate),
    // A list of none is left out.
    ...(entries.length ? [sequence(entries)] : []),
    der(
      0xa0,
      sequence(
        extension(EXTENSIONS.authorityKeyIdentifier, false, extensions.authorityKeyIdentifier(keyId)),
        extension(EXTENSIONS.crlNumber, false, extensions.crlNumber(number)),
      ),
    ),
  );
}

/** DER of the signed list. */
export const signCrl = (tbs: Uint8Array, key: SigningKey): Promise<Buffer> => signed(tbs, key);

export interface CrlEntry {
  readonly revokedAt: Date;
  readonly reason: RevocationReason | undefined;
}

export interface ReadCrl {
  readonly der: Buffer;
  /** DER. */
  readonly issuerName: Buffer;
  readonly authorityKeyId: Buffer | undefined;
  readonly number: bigint | undefined;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  /** By serial number, as certificates have it here. */
  readonly entries: ReadonlyMap<string, CrlEntry>;
  isSignedBy(publicKey: KeyObject): boolean;
}

const MAX_CRL = 64 * 1024 * 1024;

/**
 * Parses a complete list: for lists of others, and for tests.
 *
 * @throws X509Error `crl.malformed`, `crl.too_large`
 */
export function readCrl(pemOrDer: string | Uint8Array): ReadCrl {
  const bytes = oneOf('crl', ['X509 CRL'], pemOrDer, MAX_CRL);
  return readCanonical('crl', 'revocation list', bytes, read);
}

function read(bytes: Buffer): ReadCrl {
  const { tbs, signatureAlgorithm, signature } = readEnvelope(bytes);
  const parts = within(tbs, TAG.sequence);
  if (parts[0]?.tag === TAG.integer && smallInteger(parts.shift()) !== 1)
    throw new MalformedBer('its version is unknown');
  const [algorithm, issuer, thisUpdate, ...rest] = parts;
  if (!algorithm?.whole.equals(signatureAlgorithm) || issuer?.tag !== TAG.sequence) {
    throw new MalformedBer('it lacks parts of a revocation list');
  }
  const isTime = rest[0]?.tag === TAG.utcTime || rest[0]?.tag === TAG.generalizedTime;
  const nextUpdate = isTime ? instantOf(rest.shift()) : undefined;
  const revoked = rest[0]?.tag === TAG.sequence ? rest.shift() : undefined;
  const list = rest[0]?.tag === 0xa0 ? readExtensions(rest.shift()!.content) : [];
  if (rest.length) throw new MalformedBer('it has unknown parts');
  const number = list.find(({ id }) => id === EXTENSIONS.crlNumber);
  return {
    der: bytes,
    issuerName: issuer.whole,
    authorityKeyId: understand(list).authorityKeyId?.keyId,
    number: number && bigintOf(content(element(number.value), TAG.integer)),
    thisUpdate: instantOf(thisUpdate),
    nextUpdate,
    entries: new Map(revoked ? berElements(revoked.content).map(({ whole }) => readEntry(whole)) : []),
    isSignedBy: (publicKey) => verifyBytes(publicKey, tbs, signature, signatureAlgorithm),
  };
}

const REASON_OF = new Map(
  (Object.keys(REVOCATION_REASONS) as RevocationReason[]).map((name) => [REVOCATION_REASONS[name] as number, name]),
);

function readEntry(entry: Buffer): [string, CrlEntry] {
  const [serial, revokedAt, list] = within(entry, TAG.sequence);
  const reason = list && readExtensions(list.whole).find(({ id }) => id === EXTENSIONS.reasonCode);
  return [
    serialText(content(serial, TAG.integer)),
    {
      revokedAt: instantOf(revokedAt),
      reason: reason && REASON_OF.get(smallInteger(element(reason.value), TAG.enumerated)),
    },
  ];
}

const bigintOf = (octets: Buffer) => BigInt(`0x${octets.toString('hex') || '0'}`);
