import { randomBytes, type KeyObject } from 'node:crypto';
import type { SshCertificateType, SshOptions } from './content.ts';
import { SshError } from './error.ts';
import { blobOf, readKeyFields, readPublicKeyBlob, type SshPublicKey } from './public-key.ts';
import { signBlob, verifyBlob } from './signature.ts';
import { Reader, string, uint32, uint64 } from './wire.ts';

// Certificates of OpenSSH: PROTOCOL.certkeys.

/** The complete content of a certificate. */
export interface SshCertificateContent {
  readonly type: SshCertificateType;
  /** The blob of the certified key. */
  readonly publicKey: Buffer;
  readonly serialNumber: bigint;
  /** What sshd logs at a login. */
  readonly keyId: string;
  /** At least one: without principals, a certificate would be valid for any. */
  readonly principals: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly criticalOptions: SshOptions;
  readonly extensions: SshOptions;
}

/** The key of an authority. */
export interface SshIssuer {
  readonly privateKey: KeyObject;
  readonly publicKey: Buffer;
}

const SUFFIX = '-cert-v01@openssh.com';
const NONCE = 32;
const TYPES = { user: 1, host: 2 } as const;
const MALFORMED = 'ssh_certificate.malformed';

/** Signs a certificate; returns its blob. @throws RangeError without principals. */
export async function signCertificate(content: SshCertificateContent, issuer: SshIssuer): Promise<Buffer> {
  if (content.principals.length === 0) throw new RangeError('A certificate without principals is valid for all');
  const key = new Reader(content.publicKey, MALFORMED);
  const type = key.text();
  const tbs = Buffer.concat([
    string(`${type}${SUFFIX}`),
    string(randomBytes(NONCE)),
    key.rest,
    uint64(content.serialNumber),
    uint32(TYPES[content.type]),
    string(content.keyId),
    string(...content.principals.map((one) => string(one))),
    uint64(seconds(content.notBefore)),
    uint64(seconds(content.notAfter)),
    string(options(content.criticalOptions)),
    string(options(content.extensions)),
    string(),
    string(issuer.publicKey),
  ]);
  const signature = await signBlob(issuer.privateKey, new Reader(issuer.publicKey, MALFORMED).text(), tbs);
  return Buffer.concat([tbs, string(signature)]);
}

const seconds = (time: Date): bigint => BigInt(Math.floor(time.getTime() / 1000));

/** Sorted by the octets of their names. The value of a flag is empty; all others are strings in strings. */
const options = (given: SshOptions): Buffer =>
  Buffer.concat(
    Object.entries(given)
      .toSorted(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
      .flatMap(([name, value]) => [string(name), value === '' ? string() : string(string(value))]),
  );

export interface ReadSshCertificate extends Omit<SshCertificateContent, 'publicKey'> {
  readonly publicKey: SshPublicKey;
  readonly issuer: SshPublicKey;
}

/**
 * Reads a certificate strictly, and verifies its signature.
 *
 * @throws SshError `ssh_certificate.malformed`, `.signature`, and as `readPublicKey` for the two keys in it.
 */
export function readSshCertificate(blob: Buffer): ReadSshCertificate {
  const reader = new Reader(blob, MALFORMED);
  const name = reader.text();
  if (!name.endsWith(SUFFIX)) throw reader.fault('it is no certificate of OpenSSH');
  reader.string();
  const { key } = readKeyFields(name.slice(0, -SUFFIX.length), reader);
  const serialNumber = reader.uint64();
  const kind = reader.uint32();
  const type = kind === TYPES.user ? 'user' : kind === TYPES.host ? 'host' : undefined;
  if (!type) throw reader.fault('its type is neither user nor host');
  const read = {
    type,
    publicKey: readPublicKeyBlob(blobOf(key)),
    serialNumber,
    keyId: reader.text(),
    principals: new Reader(reader.string(), MALFORMED).strings().map((one) => one.toString('utf8')),
    notBefore: instant(reader.uint64()),
    notAfter: instant(reader.uint64()),
    criticalOptions: readOptions(reader.string()),
    extensions: readOptions(reader.string()),
  } as const;
  reader.string();
  const issuer = readPublicKeyBlob(reader.string());
  const tbs = reader.read;
  const signature = reader.string();
  reader.end();
  if (!verifyBlob(issuer.key, issuer.type, tbs, signature))
    throw new SshError('ssh_certificate.signature', 'The signature is not by the key that the certificate names');
  return { ...read, issuer };
}

const instant = (value: bigint): Date => new Date(Number(value) * 1000);

function readOptions(bytes: Buffer): SshOptions {
  const reader = new Reader(bytes, MALFORMED);
  const found: Record<string, string> = {};
  while (!reader.isDone) {
    const name = reader.text();
    const data = new Reader(reader.string(), MALFORMED);
    found[name] = data.isDone ? '' : data.text();
    data.end();
  }
  return found;
}
