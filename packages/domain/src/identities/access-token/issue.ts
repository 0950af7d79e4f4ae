import { makeToken } from '../../crypto/index.ts';
import { newId, statement, type Transaction } from '../../kernel/index.ts';
import { IDENTITY_TOKEN, type IssuedToken } from './access-token.ts';

/** The settings that a login method gives the tokens it issues; seconds. */
export interface TokenSettings {
  readonly accessTokenTTL: number;
  readonly accessTokenMaxTTL: number;
  readonly accessTokenNumUsesLimit: number;
  readonly accessTokenPeriod: number;
}

const INSERT = statement(
  'identity_access_tokens.insert',
  `insert into identity_access_tokens (id, organization_id, identity_id, auth_method_id, auth_method, client_secret_id, hash,
     name, ttl, max_ttl, period, num_uses_limit, claims, expires_at, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)`,
);

/**
 * When a token ends that is issued or renewed at `now`: after its TTL (0: it has none), and in any case at creation +
 * max TTL (0: no cap); a periodic token lives one period and has no cap. `null` where nothing ends it.
 */
export function expiryOf(settings: TokenSettings, createdAt: Date, now: Date): Date | null {
  const { accessTokenTTL: ttl, accessTokenMaxTTL: maxTtl, accessTokenPeriod: period } = settings;
  if (period > 0) return new Date(now.getTime() + period * 1000);
  const ends = [ttl > 0 ? now.getTime() + ttl * 1000 : Infinity, maxTtl > 0 ? createdAt.getTime() + maxTtl * 1000 : Infinity];
  const end = Math.min(...ends);
  return end === Infinity ? null : new Date(end);
}

export interface IssueToken {
  readonly organizationId: string;
  readonly identityId: string;
  readonly method: TokenSettings & { readonly id: string; readonly kind: string };
  readonly name?: string | undefined;
  readonly clientSecretId?: string | undefined;
  /** Facts of the login that rules and audit may use (`oidc.claims`, …). */
  readonly claims?: Record<string, unknown> | undefined;
}

/** Makes an access token in the transaction of the login that earned it. */
export async function issueToken(tx: Transaction, issue: IssueToken): Promise<{ id: string; issued: IssuedToken }> {
  const { method } = issue;
  const now = tx.now();
  const id = newId();
  const { token, hash } = makeToken(IDENTITY_TOKEN);
  await tx.sql(INSERT, [
    id, issue.organizationId, issue.identityId, method.id, method.kind, issue.clientSecretId ?? null, hash, issue.name ?? null,
    method.accessTokenTTL, method.accessTokenMaxTTL, method.accessTokenPeriod, method.accessTokenNumUsesLimit,
    issue.claims ? JSON.stringify(issue.claims) : null, expiryOf(method, now, now), now,
  ]);
  return { id, issued: issuedToken(token, method) };
}

export const issuedToken = (token: string, settings: TokenSettings): IssuedToken => ({
  accessToken: token,
  expiresIn: settings.accessTokenPeriod || settings.accessTokenTTL,
  accessTokenMaxTTL: settings.accessTokenMaxTTL,
  tokenType: 'Bearer',
});
