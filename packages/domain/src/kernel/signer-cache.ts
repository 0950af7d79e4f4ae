import type { Cache, Context } from './context.ts';

type Read<Value> = Parameters<Cache<Value>['load']>[2];

/** The cache tags of what ends with a project and its organization. */
export const placeTags = ({ projectId, organizationId }: { projectId: string; organizationId: string }): string[] => [
  `access:${projectId}`,
  `access:${organizationId}`,
];

/** Something from the cache of signers. A transaction reads it anew: uncommitted data must not be cached. */
export async function loadSigner<Value>(ctx: Context, key: string, read: Read<Value>): Promise<Value | undefined> {
  if (ctx.outbox) return (await read())?.value;
  return (await ctx.signers.load(key, ctx.now().getTime(), read)) as Value | undefined;
}
