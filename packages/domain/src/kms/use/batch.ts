import { badRequest, DomainError, SMALL_ANSWER, WorkBudget, type Context } from '../../kernel/index.ts';
import type { SigningAlgorithmName } from '../algorithm/index.ts';
import { keyForUse, kmsPermissions, newestVersion, type KeyInUse } from '../key/index.ts';
import {
  cipherOf,
  costOfDecrypting,
  costOfEncrypting,
  decryptOne,
  encryptOne,
  eventData,
  recordUse,
  versionToEncrypt,
} from './encrypt.ts';
import { costOfSigning, costOfVerifying, signingNamed, signOne, verifyOne } from './sign.ts';
import {
  keyDecrypted,
  keyEncrypted,
  keySigned,
  keyVerified,
  type KmsDecryptBatch,
  type KmsEncryptBatch,
  type KmsSignBatch,
  type KmsSigned,
  type KmsVerified,
  type KmsVerifyBatch,
  type RefusedItem,
} from './use.ts';
import { Versions } from './versions.ts';

type Results<Result> = { results: (Result | RefusedItem)[] };

/** The most that a batch may cost, in microseconds of a processor. */
const MAX_COST = 10_000_000;
const SECOND = 1_000_000;

/** What an item takes: `bytes` in the answer, and its cost, both at most. */
interface Load<Item> {
  readonly bytes: (item: Item) => number;
  readonly cost: (item: Item) => number;
}

/** @throws DomainError 400 `kms.batch_cost` */
function requireAffordable(costs: readonly number[]): void {
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  if (total <= MAX_COST) return;
  const items = Math.max(1, Math.floor((costs.length * MAX_COST) / total));
  const [wanted, most] = [Math.ceil(total / SECOND), MAX_COST / SECOND];
  throw badRequest(
    'kms.batch_cost',
    `These ${costs.length} items may take ${wanted} seconds of work, of which a batch has ${most}: send about ${items}. ` +
      'To verify takes less of whole messages than of digests, and less with the keyVersion that signed.',
    { items },
  );
}

/**
 * Does one operation after the other on items of one key, and lets other requests through. The caller's rights were asked once:
 * all items are of the same key.
 *
 * @throws DomainError 400 `kms.batch_cost`, before anything is done.
 */
async function each<Item, Result>(
  ctx: Context,
  items: readonly Item[],
  { bytes, cost }: Load<Item>,
  work: (item: Item) => Promise<Result> | Result,
): Promise<(Result | RefusedItem)[]> {
  const costs = items.map(cost);
  requireAffordable(costs);
  const total = items.reduce((sum, item) => sum + bytes(item), 0);
  if (total > SMALL_ANSWER) await ctx.announceAnswer(total);
  const pace = new WorkBudget();
  const results: (Result | RefusedItem)[] = [];
  for (const [index, item] of items.entries()) {
    results.push(await resultOf(() => work(item)));
    await pace.spendAndRest(costs[index]!);
  }
  return results;
}

/** What is wrong with one item does not hinder the others; what is wrong with the server does. */
async function resultOf<Result>(work: () => Promise<Result> | Result): Promise<Result | RefusedItem> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'bad_request') throw error;
    return { error: { code: error.code, message: error.message } };
  }
}

const isRefused = (result: object): result is RefusedItem => 'error' in result;

/** The data of the event of a batch, with the versions of the key that were used. */
const eventFor = (key: KeyInUse, results: readonly object[], versions: Iterable<number>) => ({
  ...eventData(key, key.row.version),
  keyVersions: [...new Set(versions)].toSorted((a, b) => a - b),
  items: results.length,
  failed: results.filter(isRefused).length,
});

/** All algorithms of a batch of signatures. */
const algorithmsOf = (results: readonly ({ signingAlgorithm: SigningAlgorithmName } | RefusedItem)[]) => ({
  signingAlgorithms: [...new Set(results.flatMap((one) => (isRefused(one) ? [] : one.signingAlgorithm)))].toSorted(),
});

/** @throws DomainError as `kmsEncrypt`; 400 `kms.batch_cost` */
export async function kmsEncryptBatch(
  ctx: Context,
  { keyId, items }: KmsEncryptBatch,
): Promise<Results<{ ciphertext: string }>> {
  const key = await keyForUse(ctx, keyId, kmsPermissions.encrypt);
  const cipher = cipherOf(key);
  const version = await versionToEncrypt(ctx, cipher);
  const load: Load<KmsEncryptBatch['items'][number]> = {
    bytes: ({ plaintext }) => plaintext.length,
    cost: costOfEncrypting(cipher),
  };
  const results = await each(ctx, items, load, (item) => ({ ciphertext: encryptOne(ctx, cipher, version, item) }));
  await recordUse(ctx, key, keyEncrypted, eventFor(key, results, [version.version]));
  return { results };
}

/** @throws DomainError as `kmsDecrypt`, but for items that do not open; 400 `kms.batch_cost` */
export async function kmsDecryptBatch(
  ctx: Context,
  { keyId, items }: KmsDecryptBatch,
): Promise<Results<{ plaintext: string }>> {
  const key = await keyForUse(ctx, keyId, kmsPermissions.decrypt);
  const cipher = cipherOf(key);
  const versions = new Versions(key, ctx);
  const used: number[] = [];
  const load: Load<KmsDecryptBatch['items'][number]> = {
    bytes: ({ ciphertext }) => ciphertext.length,
    cost: costOfDecrypting(cipher),
  };
  const results = await each(ctx, items, load, async (item) => {
    const { plaintext, version } = await decryptOne(versions, cipher, item);
    used.push(version);
    return { plaintext: plaintext.toString('base64') };
  });
  await recordUse(ctx, key, keyDecrypted, eventFor(key, results, used));
  return { results };
}

/** What a signature has at most, as base64 in an answer. */
const SIGNATURE = 8_192;

/** @throws DomainError as `kmsSign`, but for items with another algorithm or digest; 400 `kms.batch_cost` */
export async function kmsSignBatch(ctx: Context, { keyId, items }: KmsSignBatch): Promise<Results<KmsSigned>> {
  const key = await keyForUse(ctx, keyId, kmsPermissions.sign);
  const cost = costOfSigning(key);
  const version = await newestVersion(key, ctx);
  const results = await each(ctx, items, { bytes: () => SIGNATURE, cost }, (item) => signOne(key, version, item));
  const data = { ...eventFor(key, results, [version.version]), ...algorithmsOf(results) };
  await recordUse(ctx, key, keySigned, data);
  return { results };
}

/** @throws DomainError as `kmsVerify`, but for items with another algorithm or digest; 400 `kms.batch_cost` */
export async function kmsVerifyBatch(ctx: Context, { keyId, items }: KmsVerifyBatch): Promise<Results<KmsVerified>> {
  const key = await keyForUse(ctx, keyId, kmsPermissions.verify);
  const cost = costOfVerifying(key);
  const versions = new Versions(key, ctx);
  const used: number[] = [];
  const results = await each(ctx, items, { bytes: () => 0, cost }, async (item) => {
    const version = await verifyOne(versions, key, item);
    if (version !== undefined) used.push(version);
    const { name } = signingNamed(key, item.signingAlgorithm);
    return { signatureValid: version !== undefined, keyId: key.row.id, signingAlgorithm: name };
  });
  const invalid = results.filter((one) => !isRefused(one) && !one.signatureValid).length;
  const data = { ...eventFor(key, results, used), ...algorithmsOf(results), invalid };
  await recordUse(ctx, key, keyVerified, data);
  return { results };
}
