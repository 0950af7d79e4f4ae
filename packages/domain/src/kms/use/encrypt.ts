import { badRequest, eventOf, restBeforeLong, type Context, type EventType } from '../../kernel/index.ts';
import type { CipherAlgorithm } from '../algorithm/index.ts';
import { keyForUse, kmsPermissions, newestVersion, type KeyInUse, type OpenVersion } from '../key/index.ts';
import { associatedData, bytesOfPlace, readCiphertext, writeCiphertext } from './ciphertext.ts';
import { keyDecrypted, keyEncrypted, type KmsDecrypt, type KmsEncrypt } from './use.ts';
import { Versions } from './versions.ts';

/** A key that encrypts. */
interface Cipher {
  readonly key: KeyInUse;
  readonly algorithm: CipherAlgorithm;
}

export const wrongUsage = ({ row }: KeyInUse, what: string) =>
  badRequest('kms_key.usage', `This key is for ${row.usage} (${row.algorithm}): it does not ${what}`);

/** @throws DomainError 400 `kms_key.usage` */
export function cipherOf(key: KeyInUse): Cipher {
  const { algorithm } = key;
  if (algorithm.usage !== 'encrypt-decrypt') throw wrongUsage(key, 'encrypt');
  return { key, algorithm };
}

/** What a caller gives, base64. */
type PlaintextInput = Omit<KmsEncrypt, 'keyId'>;
type CiphertextInput = Omit<KmsDecrypt, 'keyId'>;

export const bytesOf = (base64: string | undefined): Buffer => Buffer.from(base64 ?? '', 'base64');

const places = new WeakMap<OpenVersion, Buffer>();

/** What the place of a ciphertext, and of its key, adds to the associated data; made once for a version. */
function placeOf({ key: { row }, algorithm }: Cipher, opened: OpenVersion): Buffer {
  let place = places.get(opened);
  if (!place) {
    const { version } = opened;
    place = bytesOfPlace({ projectId: row.projectId, keyId: row.id, version, code: algorithm.code });
    places.set(opened, place);
  }
  return place;
}

/** Encrypts with a version of which a use is reserved. @throws DomainError 400 `kms_key.exhausted` */
export function encryptBytes(
  ctx: Context,
  cipher: Cipher,
  version: OpenVersion,
  plaintext: Buffer,
  associated: string | undefined,
): string {
  if (cipher.algorithm.isCounted) ctx.kmsUses.use(version.id);
  const { algorithm } = cipher;
  const data = associatedData(placeOf(cipher, version), bytesOf(associated));
  const sealed = algorithm.encrypt(version.key, plaintext, data);
  return writeCiphertext({ version: version.version, code: algorithm.code }, sealed);
}

/** The same for what a caller gives. */
export const encryptOne = (ctx: Context, cipher: Cipher, version: OpenVersion, input: PlaintextInput): string =>
  encryptBytes(ctx, cipher, version, bytesOf(input.plaintext), input.associatedData);

/** The newest version of a key, ready to encrypt. */
export async function versionToEncrypt(ctx: Context, { key, algorithm }: Cipher): Promise<OpenVersion> {
  const version = await newestVersion(key, ctx);
  if (algorithm.isCounted) await ctx.kmsUses.reserve(version.id);
  return version;
}

/** One answer for whatever does not open: it does not tell which part is wrong. */
const unopened = () =>
  badRequest(
    'kms.ciphertext',
    'The ciphertext does not open: it was changed, or made with another key or other associated data',
  );

interface Decrypted {
  readonly plaintext: Buffer;
  readonly version: number;
}

/** @throws DomainError 400 `kms.ciphertext` */
export async function decryptOne(versions: Versions, cipher: Cipher, input: CiphertextInput): Promise<Decrypted> {
  const parts = readCiphertext(bytesOf(input.ciphertext));
  const version = parts?.code === cipher.algorithm.code ? await versions.open(parts.version) : undefined;
  if (!parts || !version) throw unopened();
  const associated = associatedData(placeOf(cipher, version), bytesOf(input.associatedData));
  const plaintext = cipher.algorithm.decrypt(version.key, parts.sealed, associated);
  if (!plaintext) throw unopened();
  return { plaintext, version: version.version };
}

export const eventData = ({ row }: KeyInUse, keyVersion: number) => ({
  keyId: row.id,
  keyName: row.name,
  keyVersion,
});

/** Records a use of a key; the answer waits until the event is stored. */
export const recordUse = <Data>(ctx: Context, { row }: KeyInUse, type: EventType<Data>, data: Data): Promise<void> =>
  ctx.commitRead(eventOf(type, data, { projectId: row.projectId }), ctx);

/** The cost of encrypting, in microseconds, by the characters that are given. */
export const costOfEncrypting =
  ({ algorithm }: Cipher) =>
  ({ plaintext, associatedData: data = '' }: PlaintextInput): number =>
    algorithm.costOf(plaintext.length + data.length);

/** The same of decrypting. */
export const costOfDecrypting =
  ({ algorithm }: Cipher) =>
  ({ ciphertext, associatedData: data = '' }: CiphertextInput): number =>
    algorithm.costOf(ciphertext.length + data.length);

/** @throws DomainError 404, 403; 400 `kms_key.disabled`, `kms_key.pending_deletion`, `kms_key.usage`, `kms_key.exhausted` */
export async function kmsEncrypt(ctx: Context, input: KmsEncrypt): Promise<{ ciphertext: string }> {
  const key = await keyForUse(ctx, input.keyId, kmsPermissions.encrypt);
  const cipher = cipherOf(key);
  const version = await versionToEncrypt(ctx, cipher);
  await restBeforeLong(costOfEncrypting(cipher)(input));
  const ciphertext = encryptOne(ctx, cipher, version, input);
  await recordUse(ctx, key, keyEncrypted, eventData(key, version.version));
  return { ciphertext };
}

/** @throws DomainError as `kmsEncrypt`, and 400 `kms.ciphertext` */
export async function kmsDecrypt(ctx: Context, input: KmsDecrypt): Promise<{ plaintext: string }> {
  const key = await keyForUse(ctx, input.keyId, kmsPermissions.decrypt);
  const cipher = cipherOf(key);
  await restBeforeLong(costOfDecrypting(cipher)(input));
  const { plaintext, version } = await decryptOne(new Versions(key, ctx), cipher, input);
  await recordUse(ctx, key, keyDecrypted, eventData(key, version));
  return { plaintext: plaintext.toString('base64') };
}
