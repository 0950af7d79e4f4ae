import { eventJson, eventRow, insertEvents } from '../../audit/index.ts';
import { makeToken } from '../../crypto/index.ts';
import { keyRows, newId, statement, type Context, type IdentityActor, type PendingEvent } from '../../kernel/index.ts';
import { IDENTITY_TOKEN, type IssuedToken } from './access-token.ts';
import { expiryOf, secondsUntil, type TokenSettings } from './expiry.ts';

/** The columns of a new token, and its login's event, as the statements below take them: an array for each. */
const GIVEN = keyRows('g', {
  ...{ id: 'uuid', organization_id: 'uuid', identity_id: 'uuid', auth_method_id: 'uuid', auth_method: 'text' },
  ...{ client_secret_id: 'uuid', hash: 'bytea', name: 'text', ttl: 'integer', max_ttl: 'integer', period: 'integer' },
  ...{
    num_uses_limit: 'integer',
    claims: 'jsonb',
    expires_at: 'timestamptz',
    created_at: 'timestamptz',
    event: 'json',
  },
});

/**
 * One statement writes tokens and the events of their logins, in one round trip. `allowed` are those that may be written
 * at that moment.
 */
const issuing = (name: string, allowed: string) =>
  statement(
    `identity_access_tokens.issue_${name}`,
    `with allowed as (${allowed}), token as (
       insert into identity_access_tokens (id, organization_id, identity_id, auth_method_id, auth_method, client_secret_id,
         hash, name, ttl, max_ttl, period, num_uses_limit, claims, expires_at, created_at, updated_at)
       select id, organization_id, identity_id, auth_method_id, auth_method, client_secret_id, hash, name, ttl, max_ttl,
         period, num_uses_limit, claims, expires_at, created_at, created_at from allowed),
     event as (${insertEvents('(select json_agg(event) from allowed where event is not null)')})
     select id, ordinal::integer from allowed`,
  );

const ISSUE = issuing('token', `select * from ${GIVEN}`);
/** For one token: two of one secret in a statement would be one use. */
const ISSUE_FOR_LIMITED_SECRET = issuing(
  'for_limited_secret',
  `update client_secrets s set num_uses = s.num_uses + 1, last_used_at = g.created_at from ${GIVEN}
   where s.id = g.client_secret_id and not s.is_revoked and s.num_uses < s.num_uses_limit returning g.*`,
);

export interface IssueToken {
  readonly organizationId: string;
  readonly identityId: string;
  readonly method: TokenSettings & { readonly id: string; readonly kind: string };
  readonly name?: string | undefined;
  /** Facts of the login that rules and audit may use (`oidc.claims`, …). */
  readonly claims?: Record<string, unknown> | undefined;
  /** The event of the login, as the identity's own deed. */
  readonly login?: { readonly actor: IdentityActor; readonly event: PendingEvent } | undefined;
}

/** A client secret that requests a token; its expiry was checked. */
export interface AskingSecret {
  readonly id: string;
  readonly hasUseLimit: boolean;
}

/** Creates an access token, in the caller's transaction if there is one. */
export async function issueToken(ctx: Context, issue: IssueToken): Promise<{ id: string; issued: IssuedToken }> {
  const { id, token, issued } = await prepare(ctx, issue, null);
  await ctx.one(ISSUE, token, issue.method.id);
  return { id, issued };
}

/**
 * Creates an access token for a client secret and counts a use of a limited one. `undefined`, without any change, if
 * the secret was used up or revoked meanwhile. Concurrent logins by one method share a statement: what one of them waits
 * for, such as a method that is being detached, all of them wait for.
 */
export async function issueTokenForSecret(
  ctx: Context,
  issue: IssueToken,
  secret: AskingSecret,
): Promise<IssuedToken | undefined> {
  const { token, issued } = await prepare(ctx, issue, secret.id);
  const written = secret.hasUseLimit
    ? (
        await ctx.sql(
          ISSUE_FOR_LIMITED_SECRET,
          token.map((part) => [part]),
        )
      )[0]
    : await ctx.one(ISSUE, token, issue.method.id);
  return written && issued;
}

async function prepare(ctx: Context, issue: IssueToken, clientSecretId: string | null) {
  const { method, login } = issue;
  const now = ctx.now();
  const expiry = expiryOf(method, now, now);
  const id = newId();
  const { token: text, hash } = makeToken(IDENTITY_TOKEN);
  if (login) await ctx.takeAuditSpace(login.event, { actor: login.actor, sql: (...query) => ctx.sql(...query) });
  const event = login && eventRow({ actor: login.actor, request: ctx.request, now: () => now }, login.event);
  const columns = [
    id,
    issue.organizationId,
    issue.identityId,
    method.id,
    method.kind,
    clientSecretId,
    hash,
    issue.name ?? null,
    method.accessTokenTTL,
    method.accessTokenMaxTTL,
    method.accessTokenPeriod,
    method.accessTokenNumUsesLimit,
    issue.claims ? JSON.stringify(issue.claims) : null,
    expiry,
    now,
    event ? eventJson(event) : null,
  ];
  return { id, token: columns, issued: issuedToken(text, method, expiry, now) };
}

export const issuedToken = (token: string, settings: TokenSettings, expiry: Date | null, now: Date): IssuedToken => ({
  accessToken: token,
  expiresIn: secondsUntil(expiry, now),
  accessTokenMaxTTL: settings.accessTokenMaxTTL,
  tokenType: 'Bearer',
});
