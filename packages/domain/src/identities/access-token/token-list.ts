import {
  at,
  atOrNull,
  definePages,
  invalidate,
  isId,
  notFound,
  statement,
  withUses,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import type { AccessToken } from './access-token.ts';

interface TokenRow {
  id: string;
  identityId: string;
  name: string | null;
  authMethod: string;
  clientSecretId: string | null;
  ttl: number;
  maxTtl: number;
  period: number;
  /** Text in a row, a number in a list. */
  numUses: string | number;
  numUsesLimit: number;
  isRevoked: boolean;
  lastUsedAt: string | null;
  lastRenewedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

const COLUMNS = `id, identity_id as "identityId", name, auth_method as "authMethod", client_secret_id as "clientSecretId",
  ttl, max_ttl as "maxTtl", period, num_uses as "numUses", num_uses_limit as "numUsesLimit",
  is_revoked as "isRevoked", last_used_at as "lastUsedAt", last_renewed_at as "lastRenewedAt", created_at as "createdAt",
  updated_at as "updatedAt"`;

const LIST = definePages<TokenRow>(
  'identity_access_tokens.list',
  { method_id: 'uuid' },
  {
    select: `select ${COLUMNS} from identity_access_tokens where auth_method_id = w.method_id
      order by updated_at desc, id desc offset w.skipped limit w.most`,
  },
);
const GET = statement(
  'identity_access_tokens.get',
  `select ${COLUMNS} from identity_access_tokens where id = $1 and organization_id = $2 and auth_method = $3`,
);
const RENAME = statement(
  'identity_access_tokens.rename',
  `update identity_access_tokens set name = coalesce($2, name), updated_at = $3 where id = $1 returning ${COLUMNS}`,
);

const REVOKE = statement(
  'identity_access_tokens.revoke',
  'update identity_access_tokens set is_revoked = true, updated_at = $2 where id = $1 and not is_revoked returning id',
);

/** The tokens of a login method, including revoked ones, last changed first; their counters are exact. */
export async function tokensOf(
  ctx: Context,
  authMethodId: string,
  offset: number,
  limit: number,
): Promise<AccessToken[]> {
  const rows = await withUses(ctx, async () => (await LIST.read(ctx, [authMethodId], { offset, limit })).rows);
  return rows.map(toAccessToken);
}

/**
 * A token of the organization that was issued by a method of this kind.
 *
 * @throws DomainError 404.
 */
export async function findIssuedToken(
  ctx: Context,
  organizationId: string,
  kind: string,
  tokenId: string,
): Promise<AccessToken> {
  const read = () => ctx.sql<TokenRow>(GET, [tokenId, organizationId, kind]);
  const [row] = isId(tokenId) ? await (ctx.outbox ? read() : withUses(ctx, read)) : [];
  if (!row) throw notFound('access token');
  return toAccessToken(row);
}

export async function renameIssuedToken(
  tx: Transaction,
  tokenId: string,
  name: string | undefined,
): Promise<AccessToken> {
  const [row] = await tx.sql<TokenRow>(RENAME, [tokenId, name ?? null, tx.now()]);
  if (!row) throw notFound('access token');
  return toAccessToken(row);
}

/** Revokes a token, in every process once the transaction is committed. Returns whether it was active before. */
export async function revokeIssuedToken(tx: Transaction, tokenId: string): Promise<boolean> {
  const revoked = await tx.sql(REVOKE, [tokenId, tx.now()]);
  invalidate(tx, `token:${tokenId}`);
  return revoked.length > 0;
}

const toAccessToken = (row: TokenRow): AccessToken => ({
  id: row.id,
  identityId: row.identityId,
  name: row.name,
  authMethod: row.authMethod,
  accessTokenTTL: row.ttl,
  accessTokenMaxTTL: row.maxTtl,
  accessTokenNumUses: Number(row.numUses),
  accessTokenNumUsesLimit: row.numUsesLimit,
  accessTokenPeriod: row.period,
  accessTokenLastUsedAt: atOrNull(row.lastUsedAt),
  accessTokenLastRenewedAt: atOrNull(row.lastRenewedAt),
  isAccessTokenRevoked: row.isRevoked,
  identityUAClientSecretId: row.clientSecretId,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});
