import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../../kernel/index.ts';
import type { MacAlgorithm } from '../algorithm/index.ts';
import { keyForUse, kmsPermissions, newestVersion, type KeyInUse } from '../key/index.ts';
import { bytesOf, eventData, recordUse, wrongUsage } from './encrypt.ts';
import {
  keyMacGenerated,
  keyMacVerified,
  type KmsGenerateMac,
  type KmsMac,
  type KmsMacVerified,
  type KmsVerifyMac,
} from './use.ts';
import { Versions } from './versions.ts';

function macOf(key: KeyInUse): MacAlgorithm {
  if (key.algorithm.usage !== 'generate-verify-mac') throw wrongUsage(key, 'authenticate');
  return key.algorithm;
}

/** @throws DomainError 404, 403; 400 as `keyForUse`, `kms_key.usage` */
export async function kmsGenerateMac(ctx: Context, { keyId, data }: KmsGenerateMac): Promise<KmsMac> {
  const key = await keyForUse(ctx, keyId, kmsPermissions['generate-mac']);
  const algorithm = macOf(key);
  const { version, key: secret } = await newestVersion(key, ctx);
  const mac = algorithm.mac(secret, bytesOf(data)).toString('base64');
  await recordUse(ctx, key, keyMacGenerated, eventData(key, version));
  return { mac, keyId: key.row.id, macAlgorithm: key.row.algorithm, keyVersion: version };
}

/** A wrong MAC is an answer, not an error; a part of one is wrong. @throws DomainError as `kmsGenerateMac` */
export async function kmsVerifyMac(ctx: Context, { keyId, ...input }: KmsVerifyMac): Promise<KmsMacVerified> {
  const key = await keyForUse(ctx, keyId, kmsPermissions['verify-mac']);
  const version = await versionOfMac(new Versions(key, ctx), key, input);
  const isValid = version !== undefined;
  const event = { ...eventData(key, version ?? key.row.version), isValid };
  await recordUse(ctx, key, keyMacVerified, event);
  return { macValid: isValid, keyId: key.row.id, macAlgorithm: key.row.algorithm };
}

function versionOfMac(
  versions: Versions,
  key: KeyInUse,
  { keyVersion: named, ...input }: Omit<KmsVerifyMac, 'keyId'>,
): Promise<number | undefined> {
  const algorithm = macOf(key);
  const [data, given] = [bytesOf(input.data), bytesOf(input.mac)];
  return versions.find({ cost: algorithm.costOf(data.length), named }, (version) => {
    const right = algorithm.mac(version.key, data);
    return right.length === given.length && timingSafeEqual(right, given);
  });
}
