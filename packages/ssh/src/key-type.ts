import { berElements, der, type BerElement } from '@coffer/x509/ber';
import { SshError } from './error.ts';
import { mpint, Reader, string } from './wire.ts';

// Public keys in two encodings: SubjectPublicKeyInfo (RFC 5280), and the blob of SSH (RFC 4253, 5656, 8709).

export const [INTEGER, BIT_STRING, OCTET_STRING, OID, SEQUENCE] = [2, 3, 4, 6, 0x30] as const;
const NULL = 5;

export const RSA_OID = Buffer.from('2a864886f70d010101', 'hex');
const EC_OID = Buffer.from('2a8648ce3d0201', 'hex');
export const ED25519_OID = Buffer.from('2b6570', 'hex');

export const RSA = 'ssh-rsa';
export const ED25519 = 'ssh-ed25519';

/** A curve of NIST: its SSH names, its OID, and the octets of a number on it. */
export interface Curve {
  readonly type: string;
  readonly name: string;
  readonly oid: Buffer;
  readonly octets: number;
  readonly hash: string;
}
export const CURVES: readonly Curve[] = [
  curve('nistp256', '2a8648ce3d030107', 32, 'sha256'),
  curve('nistp384', '2b81040022', 48, 'sha384'),
];

function curve(name: string, oid: string, octets: number, hash: string): Curve {
  return { type: `ecdsa-sha2-${name}`, name, oid: Buffer.from(oid, 'hex'), octets, hash };
}

/** The elements inside a DER SEQUENCE of ours or of OpenSSL. */
export const parts = (bytes: Buffer): BerElement[] => berElements(berElements(bytes)[0]!.content);

/** The SSH blob of a DER SubjectPublicKeyInfo that was made or checked here. @throws SshError for other algorithms. */
export function blobOfSpki(spki: Buffer): Buffer {
  const [identifier, bits] = parts(spki);
  const [id, parameters] = berElements(identifier!.content);
  const key = bits!.content.subarray(1);
  if (id!.content.equals(RSA_OID)) {
    const [modulus, exponent] = parts(key);
    return Buffer.concat([string(RSA), mpint(exponent!.content), mpint(modulus!.content)]);
  }
  if (id!.content.equals(ED25519_OID)) return Buffer.concat([string(ED25519), string(key)]);
  const on = CURVES.find(({ oid }) => parameters?.content.equals(oid));
  if (!on) throw new SshError('ssh_key.algorithm', 'SSH keys are RSA, P-256, P-384 and Ed25519');
  return Buffer.concat([string(on.type), string(on.name), string(key)]);
}

/** DER of the SubjectPublicKeyInfo of the key whose type was read already, from the fields that follow it. */
export function spkiOfFields(type: string, reader: Reader): Buffer {
  if (type === RSA) {
    const exponent = reader.mpint();
    const modulus = reader.mpint();
    const key = der(SEQUENCE, integer(modulus), integer(exponent));
    return spki([der(OID, RSA_OID), der(NULL)], key);
  }
  if (type === ED25519) return spki([der(OID, ED25519_OID)], reader.string());
  const on = CURVES.find((one) => one.type === type)!;
  if (reader.text() !== on.name) throw reader.fault('its curve is not that of its type');
  return spki([der(OID, EC_OID), der(OID, on.oid)], reader.string());
}

const spki = (identifier: readonly Buffer[], key: Buffer): Buffer =>
  der(SEQUENCE, der(SEQUENCE, ...identifier), der(BIT_STRING, Buffer.of(0), key));

/** A number that is not negative, from its octets without leading zeros. */
export const integer = (octets: Uint8Array): Buffer =>
  der(INTEGER, octets.length === 0 || octets[0]! >= 0x80 ? Buffer.concat([Buffer.of(0), octets]) : octets);
