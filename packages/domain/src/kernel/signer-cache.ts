import type { Cache, Context } from './context.ts';
import type { MaybePromise } from './maybe-promise.ts';

type Read<Value> = Parameters<Cache<Value>['load']>[2];

/** The cache tags of what ends with a project and its organization. */
export const placeTags = ({ projectId, organizationId }: { projectId: string; organizationId: string }): string[] => [
  `access:${projectId}`,
  `access:${organizationId}`,
];

/** `undefined` if there is none. */
export type OnceLoaded<Value> = MaybePromise<Value | undefined>;

/**
 * Something from the cache of signers, without a promise if it is there. A transaction reads it anew: uncommitted data must
 * not be cached.
 */
export function loadSigner<Value>(ctx: Context, key: string, read: Read<Value>): OnceLoaded<Value> {
  if (ctx.outbox) return read().then((loaded) => loaded?.value);
  const now = ctx.now().getTime();
  return (ctx.signers.get(key, now) ?? ctx.signers.load(key, now, read)) as OnceLoaded<Value>;
}
