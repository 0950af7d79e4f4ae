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
import { versionThat } from './versions.ts';

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
export async function kmsVerifyMac(ctx: Context, { keyId, data, mac }: KmsVerifyMac): Promise<KmsMacVerified> {
  const key = await keyForUse(ctx, keyId, kmsPermissions['verify-mac']);
  const version = await versionOfMac(ctx, key, bytesOf(data), bytesOf(mac));
  const isValid = version !== undefined;
  const event = { ...eventData(key, version ?? key.row.version), isValid };
  await recordUse(ctx, key, keyMacVerified, event);
  return { macValid: isValid, keyId: key.row.id, macAlgorithm: key.row.algorithm };
}

function versionOfMac(ctx: Context, key: KeyInUse, data: Buffer, given: Buffer): Promise<number | undefined> {
  const algorithm = macOf(key);
  return versionThat(ctx, key, data.length, (version) => {
    const right = algorithm.mac(version.key, data);
    return right.length === given.length && timingSafeEqual(right, given);
  });
}
