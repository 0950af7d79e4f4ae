import { DomainError, SMALL_ANSWER, WorkBudget, type Context } from '../../kernel/index.ts';
import { keyForUse, kmsPermissions, newestVersion, type KeyInUse } from '../key/index.ts';
import { cipherOf, decryptOne, encryptOne, eventData, recordUse, versionToEncrypt } from './encrypt.ts';
import { signingNamed, signingOf, signOne, verifyOne } from './sign.ts';
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

type Results<Result> = { results: (Result | RefusedItem)[] };

/** What an operation costs, as of `WorkBudget`: a symmetric one by its bytes, one with two keys so much that the clock is read. */
const BYTES_PER_COST = 500;
const LEAST_COST = 5;
const COST_OF_SIGNATURE = 500;

/**
 * Does one operation after the other on items of one key, and lets other requests through. The caller's rights were asked once:
 * all items are of the same key.
 */
async function each<Item, Result>(
  ctx: Context,
  items: readonly Item[],
  { bytes, cost }: { bytes: (item: Item) => number; cost: (item: Item) => number },
  work: (item: Item) => Promise<Result> | Result,
): Promise<(Result | RefusedItem)[]> {
  const total = items.reduce((sum, item) => sum + bytes(item), 0);
  if (total > SMALL_ANSWER) await ctx.announceAnswer(total);
  const pace = new WorkBudget();
  const results: (Result | RefusedItem)[] = [];
  for (const item of items) {
    results.push(await resultOf(() => work(item)));
    await pace.spendAndRest(cost(item));
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

const costOf = (bytes: number): number => LEAST_COST + bytes / BYTES_PER_COST;
const isRefused = (result: object): result is RefusedItem => 'error' in result;
const countsOf = (results: readonly object[]) => ({
  items: results.length,
  failed: results.filter(isRefused).length,
});
const eventFor = (key: KeyInUse, results: readonly object[]) => ({
  ...eventData(key, key.row.version),
  ...countsOf(results),
});

/** @throws DomainError as `kmsEncrypt` */
export async function kmsEncryptBatch(
  ctx: Context,
  { keyId, items }: KmsEncryptBatch,
): Promise<Results<{ ciphertext: string }>> {
  const key = await keyForUse(ctx, keyId, kmsPermissions.encrypt);
  const cipher = cipherOf(key);
  const version = await versionToEncrypt(ctx, cipher);
  const bytes = ({ plaintext }: KmsEncryptBatch['items'][number]) => plaintext.length;
  const results = await each(ctx, items, { bytes, cost: (item) => costOf(bytes(item)) }, (item) => ({
    ciphertext: encryptOne(ctx, cipher, version, item),
  }));
  await recordUse(ctx, key, keyEncrypted, eventFor(key, results));
  return { results };
}

/** @throws DomainError as `kmsDecrypt`, but for items that do not open. */
export async function kmsDecryptBatch(
  ctx: Context,
  { keyId, items }: KmsDecryptBatch,
): Promise<Results<{ plaintext: string }>> {
  const key = await keyForUse(ctx, keyId, kmsPermissions.decrypt);
  const cipher = cipherOf(key);
  const bytes = ({ ciphertext }: KmsDecryptBatch['items'][number]) => ciphertext.length;
  const results = await each(ctx, items, { bytes, cost: (item) => costOf(bytes(item)) }, async (item) => ({
    plaintext: (await decryptOne(ctx, cipher, item)).plaintext.toString('base64'),
  }));
  await recordUse(ctx, key, keyDecrypted, eventFor(key, results));
  return { results };
}

/** What a signature has at most, as base64 in an answer. */
const SIGNATURE = 8_192;
const OF_SIGNATURES = { bytes: () => SIGNATURE, cost: () => COST_OF_SIGNATURE };

/** @throws DomainError as `kmsSign`, but for items with another algorithm or digest. */
export async function kmsSignBatch(ctx: Context, { keyId, items }: KmsSignBatch): Promise<Results<KmsSigned>> {
  const key = await keyForUse(ctx, keyId, kmsPermissions.sign);
  const { name: signingAlgorithm } = signingOf(key)[0]!;
  const version = await newestVersion(key, ctx);
  const results = await each(ctx, items, OF_SIGNATURES, (item) => signOne(key, version, item));
  const data = { ...eventFor(key, results), signingAlgorithm: items[0]!.signingAlgorithm ?? signingAlgorithm };
  await recordUse(ctx, key, keySigned, data);
  return { results };
}

/** @throws DomainError as `kmsVerify`, but for items with another algorithm or digest. */
export async function kmsVerifyBatch(ctx: Context, { keyId, items }: KmsVerifyBatch): Promise<Results<KmsVerified>> {
  const key = await keyForUse(ctx, keyId, kmsPermissions.verify);
  const { name: signingAlgorithm } = signingOf(key)[0]!;
  const results = await each(ctx, items, { ...OF_SIGNATURES, bytes: () => 0 }, async (item) => {
    const version = await verifyOne(ctx, key, item);
    const { name } = signingNamed(key, item.signingAlgorithm);
    return { signatureValid: version !== undefined, keyId: key.row.id, signingAlgorithm: name };
  });
  const data = { ...eventFor(key, results), signingAlgorithm: items[0]!.signingAlgorithm ?? signingAlgorithm };
  await recordUse(ctx, key, keyVerified, data);
  return { results };
}
