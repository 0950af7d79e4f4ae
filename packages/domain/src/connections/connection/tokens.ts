import { setTimeout as sleep } from 'node:timers/promises';
import type { SealedRow } from '../../crypto/index.ts';
import { exhausted, type OAuthTokens, type RemoteSession } from '../../family/index.ts';
import { newId, statement, type Context } from '../../kernel/index.ts';
import type { Connector, Credentials } from './connector.ts';
import { exchangeCode, refreshTokens } from './oauth.ts';
import { remoteOf, type Owner } from './remote.ts';
import { openCredentials, sealCredentials } from './seal.ts';

/** The tokens of credentials by OAuth. */
export const tokensIn = (credentials: Credentials): OAuthTokens | undefined =>
  credentials['tokens'] as OAuthTokens | undefined;

/** Credentials with the tokens for their code; others as they are. Comes before the transaction that stores them. */
export async function withTokens(
  ctx: Context,
  { methods }: Connector,
  credentials: Credentials,
  session: RemoteSession,
  owner: Owner,
): Promise<Credentials> {
  const { oauth } = methods[credentials.method]!;
  if (!oauth) return credentials;
  return { ...credentials, tokens: await exchangeCode(oauth, credentials, remoteOf(ctx, session, owner)) };
}

/** Milliseconds before its end from which an access token is replaced. */
const EARLY_MS = 120_000;
/** Lifetime of a claim in milliseconds: longer than a refresh can take. */
const CLAIM_MS = 30_000;
/** Milliseconds between looks at a claim of another process. */
const PAUSE_MS = 250;

const isCurrent = ({ expiresAt }: OAuthTokens, now: Date): boolean =>
  expiresAt === undefined || new Date(expiresAt).getTime() - EARLY_MS > now.getTime();

const CLAIM = statement(
  'app_connection.claim_tokens',
  `update app_connections set token_claim_id = $3, token_claimed_until = $4
   where organization_id = $1 and id = $2 and (token_claimed_until is null or token_claimed_until <= $5)
   returning credentials`,
);
/** Not a change of the connection: `updated_at` stays. */
const STORE = statement(
  'app_connection.store_tokens',
  `update app_connections set credentials = $3, token_claim_id = null, token_claimed_until = null
   where id = $1 and token_claim_id = $2`,
);
const RELEASE = statement(
  'app_connection.release_tokens',
  `update app_connections set token_claim_id = null, token_claimed_until = null where id = $1 and token_claim_id = $2`,
);

/**
 * Credentials with an access token that is still valid. One process at a time refreshes the tokens of a connection, and
 * stores them: servers accept a refresh token once. The others wait for it.
 *
 * @throws DomainError 400 where the app issues no more tokens.
 */
export async function withCurrentTokens(
  ctx: Context,
  row: SealedRow,
  connector: Connector,
  credentials: Credentials,
  session: RemoteSession,
): Promise<Credentials> {
  const tokens = tokensIn(credentials);
  if (tokens?.refreshToken === undefined || isCurrent(tokens, ctx.now())) return credentials;
  for (;;) {
    const claimId = newId();
    const now = ctx.now();
    const until = new Date(now.getTime() + CLAIM_MS);
    const [claimed] = await ctx.sql<{ credentials: Buffer }>(CLAIM, [row.organizationId, row.id, claimId, until, now]);
    if (claimed) return refreshClaimed(ctx, { row, claimId, sealed: claimed.credentials }, connector, session);
    if (session.left < PAUSE_MS)
      throw exhausted('Another process did not refresh the tokens of the connection in time');
    await sleep(PAUSE_MS);
  }
}

interface TokenClaim {
  readonly row: SealedRow;
  readonly claimId: string;
  readonly sealed: Uint8Array;
}

async function refreshClaimed(
  ctx: Context,
  { row, claimId, sealed }: TokenClaim,
  connector: Connector,
  session: RemoteSession,
): Promise<Credentials> {
  let isStored = false;
  try {
    const credentials = await openCredentials(ctx, row, sealed);
    const { oauth } = connector.methods[credentials.method]!;
    const { refreshToken, ...tokens } = tokensIn(credentials)!;
    // Another process has refreshed them meanwhile.
    if (!oauth || refreshToken === undefined || isCurrent(tokens, ctx.now())) return credentials;
    session.hide(refreshToken);
    const refreshed = await refreshTokens(oauth, credentials, remoteOf(ctx, session, row), refreshToken);
    const current = { ...credentials, tokens: refreshed };
    await ctx.sql(STORE, [row.id, claimId, await sealCredentials(ctx, row, current)]);
    isStored = true;
    return current;
  } finally {
    if (!isStored) await ctx.sql(RELEASE, [row.id, claimId]);
  }
}
