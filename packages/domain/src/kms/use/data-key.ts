import { randomBytes } from 'node:crypto';
import { restBeforeLong, type Context } from '../../kernel/index.ts';
import { keyForUse, kmsPermissions } from '../key/index.ts';
import {
  cipherOf,
  costOfDecrypting,
  decryptOne,
  encryptBytes,
  eventData,
  recordUse,
  versionToEncrypt,
} from './encrypt.ts';
import {
  keyMadeDataKey,
  keyReEncrypted,
  type KmsDataKey,
  type KmsDecrypt,
  type KmsMadeDataKey,
  type KmsRandom,
  type KmsRandomBytes,
  type KmsReEncrypted,
} from './use.ts';
import { Versions } from './versions.ts';

/**
 * Encrypts what a ciphertext holds with the newest version of its key. The plaintext is not answered, and the associated
 * data stay: so the right to encrypt is enough.
 *
 * @throws DomainError as `kmsDecrypt`
 */
export async function kmsReEncrypt(ctx: Context, { keyId, ...input }: KmsDecrypt): Promise<KmsReEncrypted> {
  const key = await keyForUse(ctx, keyId, kmsPermissions.encrypt);
  const cipher = cipherOf(key);
  await restBeforeLong(2 * costOfDecrypting(cipher)(input));
  const { plaintext, version: fromVersion } = await decryptOne(new Versions(key, ctx), cipher, input);
  const version = await versionToEncrypt(ctx, cipher);
  const ciphertext = encryptBytes(ctx, cipher, version, plaintext, input.associatedData);
  plaintext.fill(0);
  const data = { ...eventData(key, version.version), fromVersion };
  await recordUse(ctx, key, keyReEncrypted, data);
  return { ciphertext, keyVersion: version.version };
}

/**
 * A new key for the caller to encrypt with, as it is and encrypted by this key (envelope encryption). It is not stored.
 *
 * @throws DomainError as `kmsEncrypt`
 */
export async function kmsGenerateDataKey(ctx: Context, { keyId, ...input }: KmsDataKey): Promise<KmsMadeDataKey> {
  const key = await keyForUse(ctx, keyId, kmsPermissions.encrypt);
  const cipher = cipherOf(key);
  const version = await versionToEncrypt(ctx, cipher);
  const made = randomBytes(input.numberOfBytes);
  const ciphertext = encryptBytes(ctx, cipher, version, made, input.associatedData);
  await recordUse(ctx, key, keyMadeDataKey, eventData(key, version.version));
  const plaintext = input.withoutPlaintext ? undefined : made.toString('base64');
  made.fill(0);
  return { ciphertext, keyVersion: version.version, ...(plaintext !== undefined && { plaintext }) };
}

/** Random bytes of the server, for callers whose own are poor. */
export const kmsRandom = ({ numberOfBytes }: KmsRandom): KmsRandomBytes => ({
  randomBytes: randomBytes(numberOfBytes).toString('base64'),
});
