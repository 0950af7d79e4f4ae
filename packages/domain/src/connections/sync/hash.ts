import { createHmac, randomBytes } from 'node:crypto';
import { columnSeal, type SealedRow } from '../../crypto/index.ts';
import { WorkBudget, type Context } from '../../kernel/index.ts';

/** The name of the column when the first rows were sealed. */
const column = columnSeal('integrations.sealed');
/** So many characters are hashed in the time of one unit of a `WorkBudget`, roughly. */
const CHARACTERS_PER_COST = 500;

/** A new key for the hashes of a sync, sealed under the key of the project. */
export const sealNewHashKey = (ctx: Context, row: SealedRow): Promise<Buffer> =>
  column.seal(ctx, row, randomBytes(32).toString('base64url'));

/** Hashes texts under the key of a sync; the same texts of another sync have another hash. */
export type Hash = (...texts: readonly string[]) => Buffer;

/** The hashes of a sync. Its texts may be many and long: others have their turns in between. */
export interface Hashes {
  /** Of all texts together. */
  ofAll(texts: Iterable<string>): Promise<Buffer>;
  /** Hashes of items by name and value: those of these items are known. */
  ofItems(items: Iterable<readonly [name: string, value: string | undefined]>): Promise<Hash>;
}

/** `last`: a text that is part of each hash, if any. */
export async function openHashes(
  ctx: Context,
  row: SealedRow & { hashKey: Uint8Array },
  last: readonly string[] = [],
): Promise<Hashes> {
  const key = await column.open(ctx, row, row.hashKey);
  return hashesBy(() => createHmac('sha256', key), last);
}

interface Digest {
  update(text: string): Digest;
  digest(): Buffer;
}

export function hashesBy(begin: () => Digest, last: readonly string[] = []): Hashes {
  // With their lengths: no two lists of texts are hashed alike.
  const add = (digest: Digest, text: string) => digest.update(`${Buffer.byteLength(text)}:`).update(text);
  const hash: Hash = (...texts) => [...texts, ...last].reduce(add, begin()).digest();
  const costOf = (text: string) => 1 + text.length / CHARACTERS_PER_COST;
  return {
    async ofAll(texts) {
      const work = new WorkBudget();
      const digest = begin();
      for (const text of [...texts, ...last]) {
        add(digest, text);
        await work.spendAndRest(costOf(text));
      }
      return digest.digest();
    },
    async ofItems(items) {
      const work = new WorkBudget();
      const known = new Map<string, { readonly value: string; readonly hash: Buffer }[]>();
      for (const [name, value] of items) {
        if (value === undefined) continue;
        const of = { value, hash: hash(name, value) };
        known.set(name, [...(known.get(name) ?? []), of]);
        await work.spendAndRest(costOf(value));
      }
      return (...texts) => known.get(texts[0]!)?.find(({ value }) => value === texts[1])?.hash ?? hash(...texts);
    },
  };
}
