import type { TaggedCache } from '../cache/index.ts';
import { refusedToken, type Context, type MaybePromise } from '../kernel/index.ts';
import { isToken, type HashedToken } from './token.ts';

type Loaded<Known> = Awaited<ReturnType<Parameters<TaggedCache<Known>['load']>[2]>>;

/** A kind of tokens: its prefix, what is cached of them by hash, and how one is found (`now` in milliseconds). */
interface TokenKind<Known> {
  readonly prefix: string;
  readonly cache: TaggedCache<Known>;
  readonly find: (hash: Buffer, now: number) => Promise<Loaded<Known>>;
}

/**
 * What a token stands for, without a promise if it is cached: under the hash of its text, so that its form was checked before.
 *
 * @throws DomainError 401 for a token that is malformed or unknown.
 */
export function knownByToken<Known>(
  ctx: Context,
  { prefix, cache, find }: TokenKind<Known>,
  token: HashedToken,
): MaybePromise<Known> {
  const { key } = token;
  const now = ctx.now().getTime();
  const cached = cache.get(key, now);
  if (cached !== undefined) return cached;
  if (!isToken(prefix, token.text)) throw refusedToken();
  return loaded(cache.load(key, now, () => find(Buffer.from(key, 'base64'), now)));
}

async function loaded<Known>(loading: Promise<Known | undefined>): Promise<Known> {
  const known = await loading;
  if (!known) throw refusedToken();
  return known;
}
