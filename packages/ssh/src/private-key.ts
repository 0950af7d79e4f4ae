import { randomBytes } from 'node:crypto';
import { berElements, der } from '@coffer/x509/ber';
import { SshError } from './error.ts';
import {
  BIT_STRING,
  blobOfSpki,
  CURVES,
  ED25519,
  ED25519_OID,
  INTEGER,
  integer,
  OCTET_STRING,
  OID,
  parts,
  RSA,
  RSA_OID,
  SEQUENCE,
} from './key-type.ts';
import { mpint, Reader, string, uint32 } from './wire.ts';

// Private keys in the form of OpenSSH (PROTOCOL.key), without a passphrase.

const MAGIC = Buffer.from('openssh-key-v1\0', 'latin1');
const LABEL = 'OPENSSH PRIVATE KEY';
const NONE = 'none';
/** Of the cipher `none`. */
const BLOCK = 8;
const MALFORMED = 'ssh_private_key.malformed';
const MAX_RSA_OCTETS = 512;

/** A key from PKCS #8 and SubjectPublicKeyInfo (DER, made here), as `ssh-keygen` writes one; every release of it reads this. */
export function opensshPrivateKey(pkcs8: Buffer, spki: Buffer, comment = ''): string {
  const blob = blobOfSpki(spki);
  const check = randomBytes(4);
  const unpadded = Buffer.concat([check, check, privateFields(pkcs8, blob), string(comment)]);
  const missing = (BLOCK - (unpadded.length % BLOCK)) % BLOCK;
  const padded = Buffer.concat([unpadded, Buffer.from(Array.from({ length: missing }, (_, at) => at + 1))]);
  const whole = [MAGIC, string(NONE), string(NONE), string(), uint32(1), string(blob), string(padded)];
  return pem(LABEL, Buffer.concat(whole));
}

function privateFields(pkcs8: Buffer, blob: Buffer): Buffer {
  const [, identifier, octets] = parts(pkcs8);
  const id = berElements(identifier!.content)[0]!.content;
  const key = octets!.content;
  if (id.equals(RSA_OID)) {
    const [, n, e, d, p, q, , , inverse] = parts(key).map(({ content }) => mpint(content));
    return Buffer.concat([string(RSA), n!, e!, d!, inverse!, p!, q!]);
  }
  if (id.equals(ED25519_OID)) {
    const point = blob.subarray(-32);
    return Buffer.concat([blob, string(berElements(key)[0]!.content, point)]);
  }
  return Buffer.concat([blob, mpint(parts(key)[1]!.content)]);
}

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{1,70}/g, '$&\n')}-----END ${label}-----\n`;

/** Whether a text is a private key in the form of OpenSSH. */
export const isOpensshPrivateKey = (text: string): boolean => text.includes(`-----BEGIN ${LABEL}-----`);

/**
 * The same key in PEM of PKCS #1, SEC 1 or PKCS #8. Its numbers are not checked here.
 *
 * @throws SshError `ssh_private_key.malformed`, `.passphrase`, `.type`
 */
export function pemOfOpenssh(text: string): string {
  const [, body] =
    new RegExp(`^\\s*-----BEGIN ${LABEL}-----([A-Za-z0-9+/=\\s]+)-----END ${LABEL}-----\\s*$`).exec(text) ?? [];
  if (!body) throw new SshError(MALFORMED, 'Expected one private key in PEM');
  const reader = new Reader(Buffer.from(body, 'base64'), MALFORMED);
  if (!reader.octets(MAGIC.length).equals(MAGIC)) throw reader.fault('it does not begin with openssh-key-v1');
  const cipher = reader.text();
  if (cipher !== NONE || reader.text() !== NONE)
    throw new SshError('ssh_private_key.passphrase', 'The private key is encrypted: remove its passphrase first');
  reader.string();
  if (reader.uint32() !== 1) throw reader.fault('it does not have one key');
  reader.string();
  const inner = new Reader(reader.string(), MALFORMED);
  reader.end();
  if (inner.uint32() !== inner.uint32()) throw inner.fault('its check numbers differ');
  const type = inner.text();
  if (type === RSA) return pem('RSA PRIVATE KEY', rsa(inner));
  if (type === ED25519) return pem('PRIVATE KEY', ed25519(inner));
  const on = CURVES.find((one) => one.type === type);
  if (!on) throw new SshError('ssh_private_key.type', `Keys of the type ${type.slice(0, 64)} are not supported`);
  inner.string();
  const point = inner.string();
  const number = inner.mpint();
  if (number.length > on.octets) throw inner.fault('its number is too long');
  const scalar = Buffer.concat([Buffer.alloc(on.octets - number.length), number]);
  const [parameters, publicKey] = [der(0xa0, der(OID, on.oid)), der(0xa1, der(BIT_STRING, Buffer.of(0), point))];
  return pem(
    'EC PRIVATE KEY',
    der(SEQUENCE, der(INTEGER, Buffer.of(1)), der(OCTET_STRING, scalar), parameters, publicKey),
  );
}

function ed25519(reader: Reader): Buffer {
  reader.string();
  const seed = reader.string().subarray(0, 32);
  const identifier = der(SEQUENCE, der(OID, ED25519_OID));
  return der(SEQUENCE, der(INTEGER, Buffer.of(0)), identifier, der(OCTET_STRING, der(OCTET_STRING, seed)));
}

function rsa(reader: Reader): Buffer {
  const [n, e, d, inverse, p, q] = Array.from({ length: 6 }, () => reader.mpint());
  const numbers = [n!, e!, d!, inverse!, p!, q!];
  // The remainders below take longer with longer numbers.
  if (numbers.some(({ length }) => length === 0 || length > MAX_RSA_OCTETS))
    throw reader.fault('a number of the RSA key is empty or too long');
  const [exponent1, exponent2] = [p!, q!].map((prime) => remainder(d!, prime, reader));
  const all = [Buffer.of(), n!, e!, d!, p!, q!, exponent1!, exponent2!, inverse!];
  return der(SEQUENCE, ...all.map(integer));
}

/** d mod (prime - 1) */
function remainder(d: Buffer, prime: Buffer, reader: Reader): Buffer {
  const modulus = toBigInt(prime) - 1n;
  if (modulus < 2n) throw reader.fault('a prime of the RSA key is too small');
  const hex = (toBigInt(d) % modulus).toString(16);
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
}

const toBigInt = (octets: Buffer): bigint => BigInt(`0x${octets.toString('hex')}`);
