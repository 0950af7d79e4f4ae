import { der, integer, oid, sequence, TAG } from './der.ts';

const SIGNED_DATA = '1.2.840.113549.1.7.2';
const DATA = '1.2.840.113549.1.7.1';

/** Certificates (DER), byte for byte, in an unsigned message (RFC 5652, section 5; «certs-only» in RFC 7030). */
export function certsOnly(certificates: readonly Uint8Array[]): Buffer {
  const none = der(TAG.set);
  const signedData = sequence(integer(1), none, sequence(oid(DATA)), der(0xa0, ...certificates), none);
  return sequence(oid(SIGNED_DATA), der(0xa0, signedData));
}
