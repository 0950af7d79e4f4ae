import { columnSeal, type SealedRow } from '../../crypto/index.ts';
import type { Context } from '../../kernel/index.ts';

/** Where a webhook calls, and with what its calls are signed. */
export interface Target {
  readonly url: string;
  readonly secretKey: string | null;
}

const urls = columnSeal('webhooks.url');
const secretKeys = columnSeal('webhooks.secret_key');

/** The sealed columns of a webhook. */
export const sealTarget = async (ctx: Context, row: SealedRow, { url, secretKey }: Target) => ({
  url: await urls.seal(ctx, row, url),
  secretKey: secretKey === null ? null : await secretKeys.seal(ctx, row, secretKey),
});

export const openTarget = async (
  ctx: Context,
  row: SealedRow & { readonly url: Uint8Array; readonly secretKey: Uint8Array | null | undefined },
): Promise<Target> => ({
  url: await urls.open(ctx, row, row.url),
  secretKey: row.secretKey ? await secretKeys.open(ctx, row, row.secretKey) : null,
});
