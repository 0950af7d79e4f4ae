import { timingSafeEqual } from 'node:crypto';
import { eventOf, WorkBudget, type Context } from '../../kernel/index.ts';
import type { MacAlgorithm } from '../algorithm/index.ts';
import { keyForUse, kmsPermissions, newestVersion, openVersion, type KeyInUse } from '../key/index.ts';
import { bytesOf, eventData, placeOfEvent, wrongUsage } from './encrypt.ts';
import {
  keyMacGenerated,
  keyMacVerified,
  type KmsGenerateMac,
  type KmsMac,
  type KmsMacVerified,
  type KmsVerifyMac,
} from './use.ts';

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
  await ctx.commitRead(eventOf(keyMacGenerated, eventData(key, version), placeOfEvent(key)), ctx);
  return { mac, keyId: key.row.id, macAlgorithm: key.row.algorithm, keyVersion: version };
}

/** How many versions a MAC is compared with: it does not name the one that made it. */
const MOST_VERSIONS = 100;

/** A wrong MAC is an answer, not an error; a part of one is wrong. @throws DomainError as `kmsGenerateMac` */
export async function kmsVerifyMac(ctx: Context, { keyId, data, mac }: KmsVerifyMac): Promise<KmsMacVerified> {
  const key = await keyForUse(ctx, keyId, kmsPermissions['verify-mac']);
  const version = await versionOfMac(ctx, key, bytesOf(data), bytesOf(mac));
  const isValid = version !== undefined;
  const event = { ...eventData(key, version ?? key.row.version), isValid };
  await ctx.commitRead(eventOf(keyMacVerified, event, placeOfEvent(key)), ctx);
  return { macValid: isValid, keyId: key.row.id, macAlgorithm: key.row.algorithm };
}

async function versionOfMac(ctx: Context, key: KeyInUse, data: Buffer, given: Buffer): Promise<number | undefined> {
  const algorithm = macOf(key);
  const oldest = Math.max(1, key.row.version - MOST_VERSIONS + 1);
  const pace = new WorkBudget();
  for (let version = key.row.version; version >= oldest; version--) {
    const opened = await openVersion(key, ctx, version);
    if (!opened) continue;
    const right = algorithm.mac(opened.key, data);
    if (right.length === given.length && timingSafeEqual(right, given)) return version;
    await pace.spendAndRest(data.length);
  }
  return undefined;
}
