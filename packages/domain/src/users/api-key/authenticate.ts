import type { TaggedCache } from '../../cache/index.ts';
import { hashOf, sameHash } from '../../crypto/index.ts';
import { at, isId, refusedToken, statement, type Context, type UserActor } from '../../kernel/index.ts';
import { longestLifetime, notActive } from '../session/index.ts';

interface KeyRow {
  hash: Buffer;
  userId: string;
  organizationId: string;
  expiresAt: string;
  createdAt: string;
  username: string;
  email: string | null;
  name: string;
  userTokenExpiration: string | null;
  isActive: boolean;
}

const FIND = statement(
  'user_api_keys.find',
  `select k.hash, k.user_id as "userId", k.organization_id as "organizationId", k.expires_at as "expiresAt",
     k.created_at as "createdAt", u.username, u.email,
     coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.username) as name,
     o.user_token_expiration as "userTokenExpiration", m.is_active and m.status = 'accepted' as "isActive"
   from user_api_keys k
   join users u on u.id = k.user_id and u.is_accepted
   join memberships m on m.id = k.membership_id
   join organizations o on o.id = k.organization_id
   where k.id = $1`,
);

/** The user of an API key. */
export interface KnownApiKey {
  readonly actor: UserActor & { readonly apiKeyId: string };
}

/** 64 hexadecimal digits; 256 random bits. */
const SECRET = /^[0-9a-f]{64}$/;

/** What the secret of a key that does not exist is compared with. */
const NONE = Buffer.alloc(32);

/**
 * The user of the API key `ak.<id>.<secret>`, in the key's organization.
 *
 * @throws DomainError the same 401 for a malformed key, an unknown ID, a wrong secret and an expired key; 403 if the
 * user is currently not an active member of the organization.
 */
export async function authenticateApiKey(
  ctx: Context,
  cache: TaggedCache<KnownApiKey>,
  key: string,
): Promise<UserActor> {
  const { actor } = await knownApiKey(ctx, cache, key);
  ctx.usage.addApiKey(actor.apiKeyId, ctx.now());
  return actor;
}

/** The same for a running call, which counts as one use. Throws the same. */
export const recognizeApiKey = async (ctx: Context, cache: TaggedCache<KnownApiKey>, key: string): Promise<UserActor> =>
  (await knownApiKey(ctx, cache, key)).actor;

async function knownApiKey(ctx: Context, cache: TaggedCache<KnownApiKey>, text: string): Promise<KnownApiKey> {
  const [, id = '', secret = '', ...more] = text.split('.', 4);
  // The canonical form: each key has one spelling, by which calls are counted.
  if (more.length > 0 || !isId(id) || id !== id.toLowerCase() || !SECRET.test(secret)) throw refusedToken();
  const hash = hashOf(secret);
  const cacheKey = `${id}.${hash.toString('base64')}`;
  const now = ctx.now().getTime();
  const known = cache.get(cacheKey, now) ?? (await cache.load(cacheKey, now, () => findKey(ctx, id, hash, now)));
  if (!known) throw refusedToken();
  return known;
}

async function findKey(ctx: Context, id: string, hash: Buffer, now: number) {
  const [row] = await ctx.sql<KeyRow>(FIND, [id]);
  const isRight = sameHash(row?.hash ?? NONE, hash);
  if (!row || !isRight) return undefined;
  const until = endOf(row);
  if (until <= now) return undefined;
  if (!row.isActive) throw notActive(userActor(id, row));
  const { userId, organizationId } = row;
  return {
    value: { actor: userActor(id, row) },
    until,
    tags: [`api-key:${id}`, `user:${userId}`, `actor:${userId}`, `access:${organizationId}`],
  };
}

/** An organization that shortens the tokens of its users shortens the keys that exist, too. */
const endOf = (row: KeyRow): number =>
  Math.min(at(row.expiresAt).getTime(), at(row.createdAt).getTime() + longestLifetime(row.userTokenExpiration));

const userActor = (apiKeyId: string, row: KeyRow): KnownApiKey['actor'] => ({
  type: 'user',
  id: row.userId,
  name: row.name,
  email: row.email,
  username: row.username,
  sessionId: undefined,
  apiKeyId,
  isSuperAdmin: false,
  organizationId: row.organizationId,
});
