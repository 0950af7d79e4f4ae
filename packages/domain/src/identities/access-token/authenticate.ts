import type { TaggedCache } from '../../cache/index.ts';
import { hashOf, isToken } from '../../crypto/index.ts';
import { addressMatcher, type TrustedAddress } from '../../kernel/address.ts';
import { atOrNull, forbidden, statement, unauthenticated, type Context, type IdentityActor } from '../../kernel/index.ts';
import { IDENTITY_TOKEN } from './access-token.ts';

interface TokenRow {
  id: string;
  organization_id: string;
  identity_id: string;
  identity_name: string;
  is_super_admin: boolean;
  auth_method: string;
  auth_method_id: string;
  client_secret_id: string | null;
  num_uses_limit: number;
  expires_at: string | null;
  trusted_ips: TrustedAddress[];
}

/** A token that lives, with what its use is checked against. */
export interface KnownToken {
  readonly actor: IdentityActor;
  readonly hasUseLimit: boolean;
  readonly mayComeFrom: (address: string) => boolean;
}

/** The token before the last renewal lives on until its own end, since its holder may be in the middle of its work. */
const FIND = statement(
  'identity_access_tokens.find',
  `select t.id, t.organization_id, t.identity_id, i.name as identity_name, i.is_super_admin, t.auth_method, t.auth_method_id,
     t.client_secret_id, t.num_uses_limit, m.access_token_trusted_ips as trusted_ips,
     case when t.hash = $1 then t.expires_at else t.previous_expires_at end as expires_at
   from identity_access_tokens t
   join identities i on i.id = t.identity_id
   join identity_auth_methods m on m.id = t.auth_method_id
   where (t.hash = $1 or t.previous_hash = $1) and not t.is_revoked
     and exists (select 1 from memberships o where o.identity_id = t.identity_id and o.organization_id = t.organization_id
       and o.project_id is null and o.is_active)`,
);

const USE_ONCE = statement(
  'identity_access_tokens.use',
  `update identity_access_tokens set num_uses = num_uses + 1, last_used_at = $2
   where id = $1 and num_uses < num_uses_limit and not is_revoked returning id`,
);

const refused = () => unauthenticated('auth.invalid_token', 'The access token is not valid: it is unknown, expired, revoked or used up');

export const tokenTags = (row: { id: string; identity_id: string; auth_method_id: string; client_secret_id: string | null }): string[] => [
  `token:${row.id}`,
  `identity:${row.identity_id}`,
  `auth-method:${row.auth_method_id}`,
  ...(row.client_secret_id ? [`client-secret:${row.client_secret_id}`] : []),
];

/** Looks a token up; 401 where it is unknown, revoked or over. Does not count a use. */
export async function findToken(ctx: Context, cache: TaggedCache<KnownToken>, token: string): Promise<KnownToken> {
  if (!isToken(IDENTITY_TOKEN, token)) throw refused();
  const hash = hashOf(token);
  const now = ctx.now().getTime();
  const key = hash.toString('base64');
  const known =
    cache.get(key, now) ??
    (await cache.load(key, now, async () => {
      const [row] = await ctx.sql<TokenRow>(FIND, [hash]);
      const until = row && (atOrNull(row.expires_at)?.getTime() ?? Infinity);
      return row && until !== undefined && until > now ? { value: knownToken(row), until, tags: tokenTags(row) } : undefined;
    }));
  if (!known) throw refused();
  return known;
}

const knownToken = (row: TokenRow): KnownToken => ({
  actor: {
    type: 'identity',
    id: row.identity_id,
    name: row.identity_name,
    organizationId: row.organization_id,
    tokenId: row.id,
    authMethod: row.auth_method,
    isSuperAdmin: row.is_super_admin,
  },
  hasUseLimit: row.num_uses_limit > 0,
  mayComeFrom: addressMatcher(row.trusted_ips),
});

/**
 * The identity that a token stands for, its use counted.
 *
 * @throws DomainError 401 for a token that is none or no longer one, 403 from an address that the method does not trust.
 */
export async function authenticateIdentity(ctx: Context, cache: TaggedCache<KnownToken>, token: string): Promise<IdentityActor> {
  const { actor, hasUseLimit, mayComeFrom } = await findToken(ctx, cache, token);
  requireTrusted(mayComeFrom, ctx.request.ipAddress);
  if (hasUseLimit) {
    const used = await ctx.sql(USE_ONCE, [actor.tokenId, ctx.now()]);
    if (used.length === 0) throw refused();
  } else ctx.usage.add(actor.tokenId, ctx.now());
  return actor;
}

export function requireTrusted(mayComeFrom: (address: string) => boolean, address: string): void {
  if (!mayComeFrom(address)) throw forbidden('auth.untrusted_address', `This credential may not be used from ${address}`, { name: 'ForbiddenError' });
}
