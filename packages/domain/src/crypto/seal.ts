import { createCipheriv, createDecipheriv, randomFillSync, type CipherGCMTypes, type KeyObject } from 'node:crypto';
import type { KeySet, SealingKey, SealingKeys } from '../kernel/index.ts';

/**
 * A sealed value: format (1 byte), version of the data key (4 bytes, big-endian), nonce (12), ciphertext, tag (16).
 * AES-256-GCM with a random nonce (NIST SP 800-38D, section 8.2.2). The associated data names the place that the value
 * was sealed for, so that a ciphertext in another row, column, project or version does not open.
 */
const FORMAT = 1;
const HEADER = 5;
const NONCE = 12;
const TAG = 16;

/** The location of a sealed value. `version` is that of the row, 0 for rows without one. */
export interface SealedLocation {
  readonly column: `${string}.${string}`;
  /** The project, or the organization where the row belongs to no project. */
  readonly owner: string;
  readonly row: string;
  readonly version: number;
}

/** Node reads the associated data synchronously, so one buffer is enough. Tables, columns and IDs are ASCII. */
const scratch = Buffer.allocUnsafe(512);

function associatedData(place: SealedLocation): Buffer {
  const text = `${place.column}:${place.owner}:${place.row}:${place.version}`;
  if (text.length > scratch.length) throw new Error('The place of a sealed value is too long');
  return scratch.subarray(0, scratch.write(text, 0, 'latin1'));
}

const nonces = Buffer.allocUnsafe(NONCE * 512);
let nonceAt = nonces.length;

function nextNonce(): Buffer {
  if (nonceAt === nonces.length) {
    randomFillSync(nonces);
    nonceAt = 0;
  }
  return nonces.subarray(nonceAt, (nonceAt += NONCE));
}

/** A new random nonce for `encrypt`, in bytes of its own. */
export const randomNonce = (): Buffer => Buffer.from(nextNonce());

/** AES-GCM with keys of these many bytes. */
const CIPHERS: Readonly<Record<number, CipherGCMTypes>> = { 16: 'aes-128-gcm', 32: 'aes-256-gcm' };
const cipherOf = ({ symmetricKeySize: size = 0 }: KeyObject): CipherGCMTypes => CIPHERS[size]!;

/** AES-GCM, with 128 or 256 bits as the key has: the ciphertext and the tag of 16 bytes. */
export function encrypt(
  key: KeyObject,
  nonce: Uint8Array,
  plaintext: Uint8Array | string,
  associated: Uint8Array,
): [ciphertext: Buffer, tag: Buffer] {
  const cipher = createCipheriv(cipherOf(key), key, nonce);
  cipher.setAAD(associated);
  const ciphertext = typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext);
  cipher.final();
  return [ciphertext, cipher.getAuthTag()];
}

/** AES-GCM: the plaintext; `undefined` where the tag is not that of this ciphertext, nonce and associated data. */
export function decrypt(
  key: KeyObject,
  nonce: Uint8Array,
  ciphertext: Uint8Array,
  tag: Uint8Array,
  associated: Uint8Array,
): Buffer | undefined {
  const decipher = createDecipheriv(cipherOf(key), key, nonce, { authTagLength: TAG });
  decipher.setAAD(associated);
  decipher.setAuthTag(tag);
  const plaintext = decipher.update(ciphertext);
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return plaintext;
}

/** @throws DomainError 503 where the key must not be used now (`KeyUses`). */
export function sealBytes(sealing: SealingKey, plaintext: Uint8Array | string, place: SealedLocation): Buffer {
  const { key, version } = sealing;
  sealing.use();
  const header = Buffer.allocUnsafe(HEADER + NONCE);
  header[0] = FORMAT;
  header.writeUInt32BE(version, 1);
  nextNonce().copy(header, HEADER);
  return Buffer.concat([header, ...encrypt(key, header.subarray(HEADER), plaintext, associatedData(place))]);
}

/** Seals text under the newest key of a set. */
export const seal = (keys: SealingKeys, plaintext: string, place: SealedLocation): Buffer =>
  sealBytes(keys.newest, plaintext, place);

/**
 * Opens a sealed value.
 *
 * @throws Error if the key's version is unknown, or the value was changed or moved: corrupt data and not an error of
 * the caller, so it is not a `DomainError`. Its message has the location and nothing of the value.
 */
export function openBytes(keys: KeySet, sealed: Buffer, place: SealedLocation): Buffer {
  if (sealed.length < HEADER + NONCE + TAG || sealed[0] !== FORMAT) throw broken(place, 'not a sealed value');
  const key = keys.version(sealed.readUInt32BE(1));
  if (!key) throw broken(place, `key version ${sealed.readUInt32BE(1)} is unknown`);
  const [nonce, ciphertext, tag] = [
    sealed.subarray(HEADER, HEADER + NONCE),
    sealed.subarray(HEADER + NONCE, -TAG),
    sealed.subarray(-TAG),
  ];
  const plaintext = decrypt(key.key, nonce, ciphertext, tag, associatedData(place));
  if (!plaintext) throw broken(place, 'it was changed, or belongs to another column, row or version');
  return plaintext;
}

/** Opens sealed text. */
export const open = (keys: KeySet, sealed: Buffer, place: SealedLocation): string =>
  openBytes(keys, sealed, place).toString('utf8');

/** The version of the data key that a value is sealed under. */
export const keyVersionOf = (sealed: Buffer): number => sealed.readUInt32BE(1);

const broken = (place: SealedLocation, why: string) =>
  new Error(`${place.column} of ${place.row} (version ${place.version}) does not open: ${why}`);
