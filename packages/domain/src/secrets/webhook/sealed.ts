import { open, seal, type SealedLocation } from '../../crypto/index.ts';
import type { Context } from '../../kernel/index.ts';

/** Where a webhook calls, and with what its calls are signed. */
export interface Target {
  readonly url: string;
  readonly secretKey: string | null;
}

interface Row {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
}

const aadOf = (column: 'url' | 'secret_key', { id, projectId }: Row): SealedLocation => ({
  column: `webhooks.${column}`,
  owner: projectId,
  row: id,
  version: 0,
});

/** The sealed columns of a webhook. */
export async function sealTarget(
  ctx: Context,
  row: Row,
  { url, secretKey }: Target,
): Promise<{ url: Buffer; secretKey: Buffer | null }> {
  const keys = await ctx.keys.sealing(row.organizationId, row.projectId);
  return {
    url: seal(keys, url, aadOf('url', row)),
    secretKey: secretKey === null ? null : seal(keys, secretKey, aadOf('secret_key', row)),
  };
}

export async function openTarget(
  ctx: Context,
  row: Row & { readonly url: Uint8Array; readonly secretKey: Uint8Array | null | undefined },
): Promise<Target> {
  const keys = await ctx.keys.project(row.organizationId, row.projectId);
  return {
    url: open(keys, Buffer.from(row.url), aadOf('url', row)),
    secretKey: row.secretKey ? open(keys, Buffer.from(row.secretKey), aadOf('secret_key', row)) : null,
  };
}
