import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { MalformedBer } from './ber.ts';
import { X509Error } from './error.ts';
import { keyIdOf, publicKeyBits, signatureIdentifier, signBytes, type SigningKey } from './algorithm.ts';
import { encode, ocsp, octets, schema, x509 } from './asn1.ts';
import { serialText } from './certificate.ts';
import { REVOCATION_REASONS, type RevocationReason } from './content.ts';
import {
  bitString,
  content,
  der,
  element,
  octetString,
  oid,
  oidText,
  sequence,
  smallInteger,
  TAG,
  within,
} from './der.ts';
import { readExtensions } from './extension.ts';
import { readCanonical } from './structure.ts';
import { wholeSeconds } from './whole-seconds.ts';

const HASHES = new Map([
  ['1.3.14.3.2.26', 'sha1'],
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
] as const);

/** RFC 6960, section 4.1.1: identifies a certificate and its issuer. */
export interface CertId {
  /** `undefined`: a hash that is not known here, which nothing matches. */
  readonly hashAlgorithm: 'sha1' | 'sha256' | 'sha384' | 'sha512' | undefined;
  readonly issuerNameHash: Buffer;
  readonly issuerKeyHash: Buffer;
  /** Lower-case hexadecimal, as certificates have it here. */
  readonly serialNumber: string;
  /** As received: responses repeat it. */
  readonly der: Buffer;
}

export interface OcspRequest {
  /** From 1 to 20. */
  readonly certIds: readonly CertId[];
  readonly nonce: Buffer | undefined;
}

const MAX_REQUEST = 16_384;
const MAX_CERT_IDS = 20;
/** RFC 9654, section 2.1: servers take at least 32 octets, and may refuse more than 128. */
const MAX_NONCE = 128;
const NONCE = '1.3.6.1.5.5.7.48.1.2';

/**
 * Parses a request (RFC 6960, section 4.1); its signature is ignored, because responses are public.
 *
 * @throws X509Error `ocsp.malformed`, `ocsp.too_large`, `ocsp.too_many`
 */
export function readOcspRequest(request: Uint8Array): OcspRequest {
  if (request.length > MAX_REQUEST)
    throw new X509Error('ocsp.too_large', `The request is longer than ${MAX_REQUEST} bytes`);
  return readCanonical('ocsp', 'request', Buffer.from(request), read);
}

function read(bytes: Buffer): OcspRequest {
  const [tbs, signature, ...more] = within(bytes, TAG.sequence);
  if (!tbs || more.length || (signature && signature.tag !== 0xa0)) throw new MalformedBer('it has unknown parts');
  const parts = within(tbs.whole, TAG.sequence);
  if (parts[0]?.tag === 0xa0 && smallInteger(element(parts.shift()!.content)) !== 0) {
    throw new MalformedBer('its version is unknown');
  }
  if (parts[0]?.tag === 0xa1) parts.shift();
  const [list, extra, ...others] = parts;
  if (list?.tag !== TAG.sequence || others.length || (extra && extra.tag !== 0xa2))
    throw new MalformedBer('it has no list');
  const requests = within(list.whole, TAG.sequence);
  if (requests.length === 0) throw new MalformedBer('it asks for nothing');
  if (requests.length > MAX_CERT_IDS)
    throw new X509Error('ocsp.too_many', `A request can be for at most ${MAX_CERT_IDS} certificates`);
  const nonce = extra && readExtensions(extra.content).find(({ id }) => id === NONCE);
  return {
    certIds: requests.map(({ whole }) => readCertId(within(whole, TAG.sequence)[0]?.whole ?? Buffer.of())),
    nonce: nonce && readNonce(nonce.value),
  };
}

/** Older clients send the nonce without an OCTET STRING around it; it is returned in the same form. */
function readNonce(value: Buffer): Buffer {
  if (value.length > MAX_NONCE + 3 || value.length === 0) throw new MalformedBer('its nonce is too long, or empty');
  return value;
}

function readCertId(certId: Buffer): CertId {
  const [algorithm, nameHash, keyHash, serial, ...more] = within(certId, TAG.sequence);
  if (!algorithm || more.length) throw new MalformedBer('an identifier of a certificate is malformed');
  const serialNumber = content(serial, TAG.integer);
  if (serialNumber.length > 64) throw new MalformedBer('a serial number is too long');
  return {
    hashAlgorithm: (HASHES as ReadonlyMap<string, CertId['hashAlgorithm']>).get(
      oidText(within(algorithm.whole, TAG.sequence)[0]),
    ),
    issuerNameHash: content(nameHash, TAG.octetString),
    issuerKeyHash: content(keyHash, TAG.octetString),
    serialNumber: serialText(serialNumber),
    der: certId,
  };
}

/** Whether it is about a certificate of this issuer (DER of its subject, and its key). */
export function certIdMatches(
  { hashAlgorithm, issuerNameHash, issuerKeyHash }: CertId,
  { name, publicKey }: { readonly name: Uint8Array; readonly publicKey: KeyObject },
): boolean {
  if (!hashAlgorithm) return false;
  const hash = (bytes: Uint8Array) => createHash(hashAlgorithm).update(bytes).digest();
  return hash(name).equals(issuerNameHash) && hash(publicKeyBits(publicKey)).equals(issuerKeyHash);
}

export interface OcspAnswer {
  readonly certId: CertId;
  readonly status: 'good' | 'unknown' | { readonly revokedAt: Date; readonly reason?: RevocationReason | undefined };
}

export interface OcspContent {
  readonly answers: readonly OcspAnswer[];
  readonly producedAt: Date;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date;
  /** That of the request. */
  readonly nonce?: Uint8Array | undefined;
  /** DER of the certificate of a delegated responder. */
  readonly certificate?: Uint8Array | undefined;
}

/** DER of an OCSPResponse signed by the authority or a delegated responder (RFC 6960, section 4.2). */
export async function ocspResponse(
  signer: SigningKey,
  { answers, producedAt, thisUpdate, nextUpdate, nonce, certificate }: OcspContent,
): Promise<Buffer> {
  const { ResponseData, ResponderID, KeyHash, SingleResponse, CertID } = ocsp();
  const { Extension } = x509();
  const { AsnConvert, OctetString } = schema();
  const data = encode(
    new ResponseData({
      // The hash of the key, which may differ from its certificate's key identifier if another authority issued that.
      responderID: new ResponderID({ byKey: new KeyHash(octets(keyIdOf(createPublicKey(signer.privateKey)))) }),
      producedAt: wholeSeconds(producedAt),
      responses: answers.map(
        ({ certId, status }) =>
          new SingleResponse({
            certID: AsnConvert.parse(certId.der, CertID),
            certStatus: statusOf(status),
            thisUpdate: wholeSeconds(thisUpdate),
            nextUpdate: wholeSeconds(nextUpdate),
          }),
      ),
      ...(nonce && {
        responseExtensions: [new Extension({ extnID: NONCE, extnValue: new OctetString(octets(nonce)) })],
      }),
    }),
  );
  const basic = sequence(
    data,
    signatureIdentifier(signer.algorithm),
    bitString(await signBytes(signer, data)),
    ...(certificate ? [der(0xa0, sequence(certificate))] : []),
  );
  const BASIC = '1.3.6.1.5.5.7.48.1.1';
  return sequence(der(TAG.enumerated, Buffer.of(0)), der(0xa0, sequence(oid(BASIC), octetString(basic))));
}

function statusOf(status: OcspAnswer['status']) {
  const { CertStatus, RevokedInfo } = ocsp();
  const { CRLReason } = x509();
  const { AsnConvert } = schema();
  if (status === 'good') return new CertStatus({ good: null });
  if (status === 'unknown') return new CertStatus({ unknown: null });
  const { revokedAt, reason = 'UNSPECIFIED' } = status;
  const code: number = REVOCATION_REASONS[reason];
  return new CertStatus({
    revoked: new RevokedInfo({
      revocationTime: wholeSeconds(revokedAt),
      // As in revocation lists, no reason means UNSPECIFIED.
      ...(code !== 0 && { revocationReason: AsnConvert.parse(der(TAG.enumerated, Buffer.of(code)), CRLReason) }),
    }),
  });
}

/** RFC 6960, section 4.2.2.1: times are GeneralizedTime without fractions. */

const ERRORS = { malformedRequest: 1, internalError: 2, tryLater: 3, sigRequired: 5, unauthorized: 6 } as const;
export type OcspError = keyof typeof ERRORS;

/** DER of an OCSPResponse with an error status (RFC 6960, section 4.2.1), unsigned. */
export const ocspError = (status: OcspError): Buffer => sequence(der(TAG.enumerated, Buffer.of(ERRORS[status])));
