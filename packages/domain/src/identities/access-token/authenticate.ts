import type { TaggedCache } from '../../cache/index.ts';
import { hashOf, isToken, knownByToken, type HashedToken } from '../../crypto/index.ts';
import {
  addressMatcher,
  at,
  atOrNull,
  badRequest,
  forbidden,
  refusedToken,
  statement,
  type Context,
  type IdentityActor,
  type MaybePromise,
  type TrustedAddress,
} from '../../kernel/index.ts';
import { IDENTITY_TOKEN } from './access-token.ts';
import type { TokenSettings } from './expiry.ts';

interface TokenRow {
  id: string;
  organizationId: string;
  identityId: string;
  identityName: string;
  projectId: string | null;
  isSuperAdmin: boolean;
  authMethod: string;
  authMethodId: string;
  clientSecretId: string | null;
  name: string | null;
  ttl: number;
  maxTtl: number;
  period: number;
  numUsesLimit: number;
  isUsedUp: boolean;
  createdAt: string;
  expiresAt: string | null;
  trustedIps: TrustedAddress[];
}

/**
 * A valid token by its hash. The token before the last renewal stays valid until its own expiry, because its holder may
 * be using it. Revoking a client secret revokes its tokens.
 */
const FIND = statement(
  'identity_access_tokens.find',
  `select t.id, t.organization_id as "organizationId", t.identity_id as "identityId", i.name as "identityName", i.project_id as "projectId",
     i.is_super_admin as "isSuperAdmin", t.auth_method as "authMethod", t.auth_method_id as "authMethodId",
     t.client_secret_id as "clientSecretId", t.name, t.ttl, t.max_ttl as "maxTtl", t.period,
     t.num_uses_limit as "numUsesLimit", t.created_at as "createdAt",
     t.num_uses_limit > 0 and t.num_uses >= t.num_uses_limit as "isUsedUp", m.access_token_trusted_ips as "trustedIps",
     case when t.hash = $1 then t.expires_at else t.previous_expires_at end as "expiresAt"
   from identity_access_tokens t
   join identities i on i.id = t.identity_id
   join identity_auth_methods m on m.id = t.auth_method_id
   left join client_secrets s on s.id = t.client_secret_id
   where (t.hash = $1 or t.previous_hash = $1) and not t.is_revoked and s.revoked_at is null
     and exists (select 1 from memberships o where o.identity_id = t.identity_id and o.organization_id = t.organization_id
       and o.project_id is null and o.is_active)`,
);

const USE_ONCE = statement(
  'identity_access_tokens.use',
  `update identity_access_tokens set num_uses = num_uses + 1, last_used_at = $2
   where id = $1 and num_uses < num_uses_limit and not is_revoked returning id`,
);

/** A valid token, with the data for checking its use. */
export interface KnownToken {
  readonly actor: IdentityActor;
  readonly hasUseLimit: boolean;
  readonly mayComeFrom: (address: string) => boolean;
}

/** The same with the data for renewing it. */
export interface PresentedToken extends KnownToken {
  /** Of an identity that belongs to one. */
  readonly projectId: string | null;
  readonly hash: Buffer;
  readonly name: string | null;
  readonly settings: TokenSettings;
  readonly createdAt: Date;
  readonly isUsedUp: boolean;
}

/** The cache tags of a token. Changes of its identity's memberships are covered by the tags of its rights. */
const tagsOf = (row: TokenRow): string[] => [
  `token:${row.id}`,
  `identity:${row.identityId}`,
  `actor:${row.identityId}`,
  `auth-method:${row.authMethodId}`,
  ...(row.clientSecretId ? [`client-secret:${row.clientSecretId}`] : []),
];

async function findRow(ctx: Context, hash: Buffer): Promise<TokenRow | undefined> {
  const [row] = await ctx.sql<TokenRow>(FIND, [hash]);
  return row && endOf(row) > ctx.now().getTime() ? row : undefined;
}

const endOf = (row: TokenRow): number => atOrNull(row.expiresAt)?.getTime() ?? Infinity;

/**
 * The identity of a token, without a promise if it is cached; counts one use.
 *
 * @throws DomainError 401 for an invalid token, 403 from an address that the method does not trust.
 */
export function authenticateIdentity(
  ctx: Context,
  cache: TaggedCache<KnownToken>,
  token: HashedToken,
): MaybePromise<IdentityActor> {
  const known = findToken(ctx, cache, token);
  return known instanceof Promise ? known.then((found) => useToken(ctx, found)) : useToken(ctx, known);
}

function useToken(ctx: Context, { actor, hasUseLimit, mayComeFrom }: KnownToken): MaybePromise<IdentityActor> {
  requireTrusted(mayComeFrom, ctx.request.ipAddress, actor);
  if (hasUseLimit) return useOnce(ctx, actor);
  ctx.usage.add(actor.tokenId, ctx.now());
  return actor;
}

async function useOnce(ctx: Context, actor: IdentityActor): Promise<IdentityActor> {
  const used = await ctx.sql(USE_ONCE, [actor.tokenId, ctx.now()]);
  if (used.length === 0) throw refusedToken();
  return actor;
}

/**
 * The same for a running call that was authenticated with the token before: counts no use.
 *
 * @throws DomainError as `authenticateIdentity` does.
 */
export async function recognizeIdentity(
  ctx: Context,
  cache: TaggedCache<KnownToken>,
  token: HashedToken,
): Promise<IdentityActor> {
  const { actor, mayComeFrom } = await findToken(ctx, cache, token);
  requireTrusted(mayComeFrom, ctx.request.ipAddress, actor);
  return actor;
}

function findToken(ctx: Context, cache: TaggedCache<KnownToken>, token: HashedToken) {
  const find = async (hash: Buffer) => {
    const row = await findRow(ctx, hash);
    return row && { value: knownToken(row), until: endOf(row), tags: tagsOf(row) };
  };
  return knownByToken(ctx, { prefix: IDENTITY_TOKEN, cache, find }, token);
}

const knownToken = (row: TokenRow): KnownToken => ({
  actor: {
    type: 'identity',
    id: row.identityId,
    name: row.identityName,
    organizationId: row.organizationId,
    tokenId: row.id,
    authMethod: row.authMethod,
    isSuperAdmin: row.isSuperAdmin,
  },
  hasUseLimit: row.numUsesLimit > 0,
  mayComeFrom: addressMatcher(row.trustedIps),
});

/** The prefixes of other credentials: access tokens of users, service tokens, and API keys. */
const OTHER_KINDS = /^(?:cf(?!i_)[a-z]+_|st\.|ak\.)/;

/**
 * A token to renew or revoke. Counts no use and does not check the address.
 *
 * @throws DomainError 401 for an invalid token, 400 for another type of credential.
 */
export async function findPresented(ctx: Context, token: string): Promise<PresentedToken> {
  if (OTHER_KINDS.test(token)) {
    throw badRequest(
      'access_token.wrong_kind',
      'Only access tokens of machine identities can be renewed or revoked here',
    );
  }
  const hash = hashOf(token);
  const row = isToken(IDENTITY_TOKEN, token) ? await findRow(ctx, hash) : undefined;
  if (!row) throw refusedToken();
  return {
    ...knownToken(row),
    projectId: row.projectId,
    hash,
    name: row.name,
    settings: {
      accessTokenTTL: row.ttl,
      accessTokenMaxTTL: row.maxTtl,
      accessTokenNumUsesLimit: row.numUsesLimit,
      accessTokenPeriod: row.period,
    },
    createdAt: at(row.createdAt),
    isUsedUp: row.isUsedUp,
  };
}

/**
 * `caller` is whose credential it is, if it is valid: the log of its organization has the refusal.
 *
 * @throws DomainError 403 for an address from which the credential may not be used.
 */
export function requireTrusted(
  mayComeFrom: (address: string) => boolean,
  address: string,
  caller?: IdentityActor,
): void {
  if (mayComeFrom(address)) return;
  throw forbidden('auth.untrusted_address', `This credential may not be used from ${address}`, {
    name: 'ForbiddenError',
    ...(caller && { caller }),
  });
}
