import { SshError } from './error.ts';
import { Reader, string, uint32, uint64 } from './wire.ts';

// Revocation lists of OpenSSH: PROTOCOL.krl.

/** What is revoked of the certificates of one authority's key. */
export interface RevokedOfKey {
  /** The blob of the authority's key. */
  readonly issuer: Buffer;
  /** Serial numbers, 8 octets each: positive, in ascending order, each once. */
  readonly serialNumbers: Buffer;
  readonly keyIds?: readonly string[] | undefined;
}

export interface SshRevocationList {
  /** Grows with each revocation. */
  readonly version: bigint;
  readonly generatedAt: Date;
  readonly comment: string;
  readonly certificates: readonly RevokedOfKey[];
  /** Blobs of keys that are revoked as such: of an authority, with everything that it has signed. */
  readonly keys?: readonly Buffer[] | undefined;
}

const MAGIC = Buffer.from('SSHKRL\n\0', 'latin1');
const FORMAT = 1;
const [CERTIFICATES, EXPLICIT_KEY] = [1, 2];
const [SERIAL_LIST, KEY_ID] = [0x20, 0x23];
const SERIAL_OCTETS = 8;

/** Writes a list. It is not signed: hosts get it from a place that they trust. */
export function writeKrl({ version, generatedAt, comment, certificates, keys = [] }: SshRevocationList): Buffer {
  const sections = certificates.flatMap(sectionOf);
  if (keys.length > 0) {
    const sorted = keys.toSorted((one, other) => Buffer.compare(one, other));
    sections.push(section(EXPLICIT_KEY, ...sorted.map((key) => string(key))));
  }
  return Buffer.concat([
    MAGIC,
    uint32(FORMAT),
    uint64(version),
    uint64(BigInt(Math.floor(generatedAt.getTime() / 1000))),
    uint64(0n),
    string(),
    string(comment),
    ...sections,
  ]);
}

const section = (kind: number, ...parts: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.of(kind), string(...parts)]);

function sectionOf({ issuer, serialNumbers, keyIds = [] }: RevokedOfKey): Buffer[] {
  if (serialNumbers.length % SERIAL_OCTETS !== 0) throw new RangeError('Serial numbers have 8 octets each');
  const inner: Buffer[] = [];
  if (serialNumbers.length > 0) inner.push(section(SERIAL_LIST, serialNumbers));
  if (keyIds.length > 0) inner.push(section(KEY_ID, ...keyIds.map((one) => string(one))));
  return inner.length > 0 ? [section(CERTIFICATES, string(issuer), string(), ...inner)] : [];
}

/** The octets of serial numbers for a list. */
export const serialOctets = (serialNumbers: readonly bigint[]): Buffer =>
  Buffer.concat(serialNumbers.toSorted((one, other) => (one < other ? -1 : 1)).map(uint64));

/** Reads a list that `writeKrl` has written. @throws SshError `ssh_krl.malformed` */
export function readKrl(bytes: Buffer): SshRevocationList & { readonly keys: readonly Buffer[] } {
  const reader = new Reader(bytes, 'ssh_krl.malformed');
  if (!reader.octets(MAGIC.length).equals(MAGIC) || reader.uint32() !== FORMAT)
    throw new SshError('ssh_krl.malformed', 'It is no revocation list of OpenSSH');
  const version = reader.uint64();
  const generatedAt = new Date(Number(reader.uint64()) * 1000);
  reader.uint64();
  reader.string();
  const comment = reader.text();
  const certificates: RevokedOfKey[] = [];
  const keys: Buffer[] = [];
  while (!reader.isDone) {
    const kind = reader.uint8();
    const content = new Reader(reader.string(), 'ssh_krl.malformed');
    if (kind === EXPLICIT_KEY) keys.push(...content.strings());
    else if (kind === CERTIFICATES) certificates.push(readSection(content));
    else throw reader.fault('a section is of another kind');
  }
  return { version, generatedAt, comment, certificates, keys };
}

function readSection(reader: Reader): RevokedOfKey {
  const issuer = reader.string();
  reader.string();
  let serialNumbers: Buffer = Buffer.of();
  const keyIds: string[] = [];
  while (!reader.isDone) {
    const kind = reader.uint8();
    const content = reader.string();
    if (kind === SERIAL_LIST) serialNumbers = Buffer.concat([serialNumbers, content]);
    else if (kind === KEY_ID)
      keyIds.push(...new Reader(content, 'ssh_krl.malformed').strings().map((one) => one.toString('utf8')));
    else throw reader.fault('a section is of another kind');
  }
  return { issuer, serialNumbers, keyIds };
}
