import { createHmac, randomBytes } from 'node:crypto';
import { columnSeal, type SealedRow } from '../../crypto/index.ts';
import type { Context } from '../../kernel/index.ts';

/** The name of the column when the first rows were sealed. */
const column = columnSeal('integrations.sealed');

/** A new key for the hashes of a sync, sealed under the key of the project. */
export const sealNewHashKey = (ctx: Context, row: SealedRow): Promise<Buffer> =>
  column.seal(ctx, row, randomBytes(32).toString('base64url'));

/** Hashes texts under the key of a sync; the same texts of another sync have another hash. */
export type Hash = (...texts: readonly string[]) => Buffer;

export async function openHash(ctx: Context, row: SealedRow & { hashKey: Uint8Array }): Promise<Hash> {
  const key = await column.open(ctx, row, row.hashKey);
  return (...texts) => {
    const hmac = createHmac('sha256', key);
    // With their lengths: no two lists of texts are hashed alike.
    for (const text of texts) hmac.update(`${Buffer.byteLength(text)}:`).update(text);
    return hmac.digest();
  };
}
