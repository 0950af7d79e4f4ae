import { eventRow, eventsJson, INSERT_EVENTS } from '../../audit/index.ts';
import { makeToken } from '../../crypto/index.ts';
import { newId, statement, type Context, type IdentityActor, type PendingEvent } from '../../kernel/index.ts';
import { IDENTITY_TOKEN, type IssuedToken } from './access-token.ts';
import { expiryOf, secondsUntil, type TokenSettings } from './expiry.ts';

/**
 * One statement writes the token and the event of its login, in one round trip. `allowed` is a condition that the login
 * checks at that moment; if it has no row, nothing is written.
 */
const issuing = (name: string, allowed: string) =>
  statement(
    `identity_access_tokens.issue_${name}`,
    `with ${allowed}, token as (
       insert into identity_access_tokens (id, organization_id, identity_id, auth_method_id, auth_method, client_secret_id,
         hash, name, ttl, max_ttl, period, num_uses_limit, claims, expires_at, created_at, updated_at)
       select $1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::text, $6::uuid, $7::bytea, $8::text, $9::integer, $10::integer,
         $11::integer, $12::integer, $13::jsonb, $14::timestamptz, $15::timestamptz, $15::timestamptz from allowed
       returning id),
     event as (${INSERT_EVENTS.text.replaceAll('$1', '$16')} where exists (select 1 from token))
     select id from token`,
  );

const ISSUE = issuing('token', 'allowed as (select 1)');
const ISSUE_FOR_LIMITED_SECRET = issuing(
  'for_limited_secret',
  `allowed as (
     update client_secrets set num_uses = num_uses + 1, last_used_at = $15
     where id = $6 and not is_revoked and num_uses < num_uses_limit returning id)`,
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
  const { id, values, issued } = prepare(ctx, issue, null);
  await ctx.sql(ISSUE, values);
  return { id, issued };
}

/**
 * Creates an access token for a client secret and counts a use of a limited one. `undefined`, without any change, if
 * the secret was used up or revoked meanwhile.
 */
export async function issueTokenForSecret(
  ctx: Context,
  issue: IssueToken,
  secret: AskingSecret,
): Promise<IssuedToken | undefined> {
  const { values, issued } = prepare(ctx, issue, secret.id);
  const made = await ctx.sql(secret.hasUseLimit ? ISSUE_FOR_LIMITED_SECRET : ISSUE, values);
  return made.length > 0 ? issued : undefined;
}

function prepare(ctx: Context, issue: IssueToken, clientSecretId: string | null) {
  const { method, login } = issue;
  const now = ctx.now();
  const expiry = expiryOf(method, now, now);
  const id = newId();
  const { token, hash } = makeToken(IDENTITY_TOKEN);
  if (login) ctx.requireAuditSpace(login.event, login.actor);
  const events = login ? [eventRow({ actor: login.actor, request: ctx.request, now: () => now }, login.event)] : [];
  const values = [
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
    eventsJson(events),
  ];
  return { id, values, issued: issuedToken(token, method, expiry, now) };
}

export const issuedToken = (token: string, settings: TokenSettings, expiry: Date | null, now: Date): IssuedToken => ({
  accessToken: token,
  expiresIn: secondsUntil(expiry, now),
  accessTokenMaxTTL: settings.accessTokenMaxTTL,
  tokenType: 'Bearer',
});
