import { eventRows, eventsJson, INSERT_EVENTS } from '../../audit/index.ts';
import { makeToken } from '../../crypto/index.ts';
import {
  eventOf,
  invalidate,
  inTransaction,
  refusedToken,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import {
  IDENTITY_TOKEN,
  tokenRenewed,
  tokenRevoked,
  type IssuedToken,
  type PresentedToken as PresentedText,
} from './access-token.ts';
import { findPresented, requireTrusted, type PresentedToken } from './authenticate.ts';
import { expiryOf } from './expiry.ts';
import { issuedToken } from './issue.ts';
import { revokeIssuedToken } from './token-list.ts';

/** The current hash becomes the previous one, also if the previous token was presented. */
const RENEW = statement(
  'identity_access_tokens.renew',
  `update identity_access_tokens
   set previous_hash = hash, previous_expires_at = expires_at, hash = $3, expires_at = $4, last_renewed_at = $5, updated_at = $5
   where id = $1 and (hash = $2 or previous_hash = $2) and not is_revoked
     and (num_uses_limit = 0 or num_uses < num_uses_limit)
   returning id`,
);

/**
 * Renews a valid token: a new token for another TTL, or for the rest until creation + max TTL. The presented token
 * stays valid until its own expiry, or until the next renewal. A refusal changes nothing.
 *
 * @throws DomainError 401 for an invalid token; 403 from an address that its method does not trust.
 */
export async function renewToken(ctx: Context, { accessToken }: PresentedText): Promise<IssuedToken> {
  const known = await findPresented(ctx, accessToken);
  requireTrusted(known.mayComeFrom, ctx.request.ipAddress, known.actor);
  if (known.isUsedUp) throw refusedToken();
  const now = ctx.now();
  const expiry = expiryOf(known.settings, known.createdAt, now);
  const { token, hash } = makeToken(IDENTITY_TOKEN);
  return inTransaction(ctx, async (tx) => {
    const renewed = await tx.sql(RENEW, [known.actor.tokenId, known.hash, hash, expiry, now]);
    if (renewed.length === 0) throw refusedToken();
    await recordAs(tx, known, tokenRenewed);
    invalidate(tx, `token:${known.actor.tokenId}`);
    return issuedToken(token, known.settings, expiry, now);
  });
}

/**
 * Revokes the presented token: its holder may do so from any address.
 *
 * @throws DomainError 401 for an invalid token.
 */
export async function revokePresentedToken(ctx: Context, { accessToken }: PresentedText): Promise<void> {
  const known = await findPresented(ctx, accessToken);
  await inTransaction(ctx, (tx) => endToken(tx, known));
}

async function endToken(tx: Transaction, known: PresentedToken): Promise<void> {
  if (!(await revokeIssuedToken(tx, known.actor.tokenId))) throw refusedToken();
  await recordAs(tx, known, tokenRevoked);
}

const eventData = ({ actor, name }: PresentedToken) => ({ identityId: actor.id, tokenId: actor.tokenId, name });

/** The deed of an identity that proves itself by the token it presents, not by its header. */
async function recordAs(tx: Transaction, known: PresentedToken, type: typeof tokenRenewed): Promise<void> {
  const { actor, projectId } = known;
  const event = eventOf(type, eventData(known), { projectId });
  await tx.takeAuditSpace(event, { actor, sql: (...query) => tx.sql(...query) });
  await tx.sql(INSERT_EVENTS, [eventsJson(eventRows({ actor, request: tx.request, now: () => tx.now() }, event))]);
}
