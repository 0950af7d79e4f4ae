import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { keyAlgorithmOf } from '@coffer/x509';
import { SshError } from './error.ts';
import { blobOfSpki, CURVES, ED25519, RSA, spkiOfFields } from './key-type.ts';
import { Reader } from './wire.ts';

/** A public key that was checked. */
export interface SshPublicKey {
  /** `ssh-ed25519` */
  readonly type: string;
  /** As on the wire, beginning with the type. */
  readonly blob: Buffer;
  readonly key: KeyObject;
  /** What follows the key in its line. */
  readonly comment: string;
}

const MALFORMED = 'ssh_public_key.malformed';
const MAX_LINE = 16_384;
const SUPPORTED = `${RSA}, ${CURVES.map(({ type }) => type).join(', ')} and ${ED25519}`;
const SIZES = [2048, 3072, 4096];

/**
 * Reads a line as `ssh-keygen` writes it to a `.pub` file: type, base64 and comment.
 *
 * @throws SshError `ssh_public_key.malformed`, `.private` (never to be sent to anybody), `.certificate`, `.type`,
 * `.too_short` and `.size` of RSA keys, `.weak`.
 */
export function readPublicKey(line: string): SshPublicKey {
  const text = line.trim();
  if (text.includes('PRIVATE KEY'))
    throw new SshError('ssh_public_key.private', 'This is a private key; only the public key (.pub) is needed');
  const [, type = '', base64 = '', comment = ''] =
    (text.length <= MAX_LINE &&
      /^([a-z0-9@.-]+)[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t]+([^ \t\r\n][^\r\n]*))?$/.exec(text)) ||
    [];
  if (!type) throw new SshError(MALFORMED, 'Expected one public key in the form of OpenSSH: ssh-ed25519 AAAA… comment');
  requireSupported(type);
  const blob = Buffer.from(base64, 'base64');
  if (blob.toString('base64').replace(/=+$/, '') !== base64.replace(/=+$/, ''))
    throw new SshError(MALFORMED, 'The base64 of the public key is malformed');
  const read = readPublicKeyBlob(blob);
  if (read.type !== type) throw new SshError(MALFORMED, `The line says ${type}, the key in it is ${read.type}`);
  return { ...read, comment };
}

/** @throws SshError as `readPublicKey`. */
export function readPublicKeyBlob(blob: Buffer): SshPublicKey {
  const reader = new Reader(blob, MALFORMED);
  const type = reader.text();
  const { key } = readKeyFields(type, reader);
  reader.end();
  if (!blobOf(key).equals(blob)) throw new SshError(MALFORMED, 'The public key is not in its canonical encoding');
  return { type, blob: Buffer.from(blob), key, comment: '' };
}

/** The key in the fields that follow a type; also those of a certificate. */
export function readKeyFields(type: string, reader: Reader): { readonly key: KeyObject } {
  requireSupported(type);
  const spki = spkiOfFields(type, reader);
  if (type === RSA) requireModulus(spki);
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    if (keyAlgorithmOf(key)) return { key };
  } catch {
    throw new SshError(MALFORMED, 'The public key is not valid');
  }
  throw new SshError('ssh_public_key.weak', 'The public key is known to be weak, or has an unusual exponent');
}

/** @throws SshError for certificates, and for types that are not certified. */
function requireSupported(type: string): void {
  if (type.includes('-cert-v'))
    throw new SshError('ssh_public_key.certificate', `A public key is expected; ${type} is a certificate`);
  if (type !== RSA && type !== ED25519 && !CURVES.some((one) => one.type === type))
    throw new SshError(
      'ssh_public_key.type',
      `Keys of the type ${type.slice(0, 64)} are not supported; use ${SUPPORTED}`,
    );
}

/** Before OpenSSL sees the key: its work grows with the modulus. */
function requireModulus(spki: Buffer): void {
  const bits = modulusBits(spki);
  if (bits < SIZES[0]!)
    throw new SshError('ssh_public_key.too_short', `The RSA key has ${bits} bits; the minimum is ${SIZES[0]}`);
  if (!SIZES.includes(bits))
    throw new SshError('ssh_public_key.size', `The RSA key has ${bits} bits; use ${SIZES.join(', ')} bits`);
}

function modulusBits(spki: Buffer): number {
  const reader = new Reader(blobOfSpki(spki), MALFORMED);
  reader.string();
  reader.string();
  const modulus = reader.mpint();
  return modulus.length === 0 ? 0 : modulus.length * 8 - (Math.clz32(modulus[0]!) - 24);
}

/** The blob of a supported public key. */
export const blobOf = (key: KeyObject): Buffer => blobOfSpki(key.export({ type: 'spki', format: 'der' }));

/** The line of a public key or a certificate, without a line feed. */
export function lineOf(blob: Buffer, comment = ''): string {
  const type = new Reader(blob, MALFORMED).text();
  return `${type} ${blob.toString('base64')}${comment && ` ${comment}`}`;
}

/** As `ssh-keygen -l` shows it. */
export const fingerprintOf = (blob: Buffer): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
