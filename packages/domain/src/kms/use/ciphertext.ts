/**
 * A ciphertext: format (1 byte), code of the algorithm (1), version of the key (4, big-endian), and what the algorithm makes.
 */
const FORMAT = 1;
const HEADER = 6;

/** What the key and its version add to the associated data of a caller. */
interface CipherPlace {
  readonly projectId: string;
  readonly keyId: string;
  readonly version: number;
  /** Of the algorithm. */
  readonly code: number;
}

const LABEL = Buffer.from('coffer kms\0');
const UUID_BYTES = 16;

/**
 * The associated data of a ciphertext: it opens with no other project, key, version, algorithm or data. All parts but the
 * last have a fixed length.
 */
export const associatedData = (place: Buffer, given: Buffer): Buffer =>
  given.length === 0 ? place : Buffer.concat([place, given]);

/** The parts of it that are the same for all uses of a version. */
export function bytesOfPlace({ projectId, keyId, version, code }: CipherPlace): Buffer {
  const place = Buffer.alloc(LABEL.length + 2 * UUID_BYTES + 5);
  LABEL.copy(place);
  place.write(projectId.replaceAll('-', ''), LABEL.length, 'hex');
  place.write(keyId.replaceAll('-', ''), LABEL.length + UUID_BYTES, 'hex');
  place.writeUInt32BE(version, LABEL.length + 2 * UUID_BYTES);
  place[place.length - 1] = code;
  return place;
}

/** `sealed`: what the algorithm makes, in its parts. */
export function writeCiphertext(
  { version, code }: Pick<CipherPlace, 'version' | 'code'>,
  sealed: readonly Buffer[],
): string {
  const header = Buffer.allocUnsafe(HEADER);
  header[0] = FORMAT;
  header[1] = code;
  header.writeUInt32BE(version, 2);
  return Buffer.concat([header, ...sealed]).toString('base64');
}

/** The parts of a ciphertext; `undefined` for bytes that are none. */
export function readCiphertext(bytes: Buffer): { code: number; version: number; sealed: Buffer } | undefined {
  if (bytes.length < HEADER || bytes[0] !== FORMAT) return undefined;
  return { code: bytes[1]!, version: bytes.readUInt32BE(2), sealed: bytes.subarray(HEADER) };
}
