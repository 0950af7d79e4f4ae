import { countFailure, unknownSubject } from '../../../../access/index.ts';
import { noteUnknownLogin } from '../../../../audit/index.ts';
import { hashOf, sameHash } from '../../../../crypto/index.ts';
import {
  addressMatcher,
  at,
  databaseFault,
  isId,
  perKey,
  statement,
  unauthenticated,
  type Context,
  type TrustedAddress,
} from '../../../../kernel/index.ts';
import { issueTokenForSecret, requireTrusted, type IssuedToken } from '../../../access-token/index.ts';
import type { DefinedMethod } from '../../auth-method.ts';
import { LOCKOUT_DEFAULTS } from '../../settings.ts';
import { IS_MEMBER, issueFor, LOGIN_COLUMNS, loginOf, noteFailure, type LoginRow } from '../../log-in.ts';

interface Config {
  clientSecretTrustedIps: TrustedAddress[];
  lockoutThreshold: number;
  lockoutDurationSeconds: number;
  lockoutCounterResetSeconds: number;
}

interface ClientRow extends LoginRow {
  config: LoginRow['config'] & Config;
  secretId: string | null;
  hash: Buffer | null;
  numUsesLimit: number;
  isUsedUp: boolean;
  ttl: number;
  isRevoked: boolean;
  secretCreatedAt: string;
}

const FIND = perKey(
  'client_secrets.for_login',
  { client_id: 'uuid', hash: 'bytea' },
  `select ${LOGIN_COLUMNS}, s.id as "secretId", s.hash, s.num_uses_limit as "numUsesLimit", s.ttl,
       s.is_revoked as "isRevoked", s.created_at as "secretCreatedAt",
       s.num_uses_limit > 0 and s.num_uses >= s.num_uses_limit as "isUsedUp"
     from identity_auth_methods m
     join identities i on i.id = m.identity_id
     left join client_secrets s on s.auth_method_id = m.id and s.hash = w.hash
     where m.client_id = w.client_id and ${IS_MEMBER} limit 1`,
);

/** SQL: that a client secret admits no login any more, by its uses or its time. `$2` is now. */
export const IS_OVER = `(num_uses_limit > 0 and num_uses >= num_uses_limit
  or ttl > 0 and created_at + ttl * interval '1 second' <= $2)`;

const RETIRE = statement(
  'client_secrets.retire',
  `update client_secrets set is_revoked = true, updated_at = $2 where id = $1 and not is_revoked and ${IS_OVER}`,
);

/** An unknown client is refused with the same work and message as a known one. */
const NO_SECRET = Buffer.alloc(32);

const refused = () => unauthenticated('auth.invalid_credentials', 'The client ID or the client secret is wrong');

/**
 * Issues a token for a client ID and one of its secrets. A secret has 256 random bits: wrong ones are counted, so that
 * administrators see guesses, but never lock out the right one.
 *
 * @throws DomainError 401, always the same, for an unknown client and for a wrong, revoked, expired or used-up secret;
 * 403 for a right secret from an untrusted address.
 */
export async function logInByClientSecret(
  ctx: Context,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  method: DefinedMethod,
): Promise<IssuedToken> {
  if (!isId(clientId)) {
    await noteUnknownLogin(ctx, method.kind, clientId);
    throw refused();
  }
  const hash = hashOf(clientSecret);
  const row = await ctx.one<ClientRow>(FIND, [clientId, hash]);
  const mayComeFrom = addressMatcher(row?.config.clientSecretTrustedIps ?? []);
  const isTrusted = mayComeFrom(ctx.request.ipAddress);
  if (!sameHash(row?.hash ?? NO_SECRET, hash) || !row?.secretId) {
    await countFailure(ctx, subjectOf(clientId.toLowerCase(), row && { isTrusted }), lockoutOf(row?.config));
    await (row ? noteFailure(ctx, method, row, 'auth.wrong_secret') : noteUnknownLogin(ctx, method.kind, clientId));
    throw refused();
  }
  if (!isTrusted) await noteFailure(ctx, method, row, 'auth.untrusted_address');
  requireTrusted(() => isTrusted, ctx.request.ipAddress);
  const secret = { id: row.secretId, hasUseLimit: row.numUsesLimit > 0 };
  const issued = isOver(row, ctx.now()) ? undefined : await issue(ctx, method, row, secret);
  if (!issued) {
    await ctx.sql(RETIRE, [secret.id, ctx.now()]);
    await noteFailure(ctx, method, row, 'auth.secret_over');
    throw refused();
  }
  if (!secret.hasUseLimit) ctx.usage.addLogin(secret.id, ctx.now());
  return issued;
}

/** Guesses from untrusted addresses are counted separately, so that they are not shown as guesses at the client. */
function subjectOf(clientId: string, known: { readonly isTrusted: boolean } | undefined): string {
  if (!known) return unknownSubject('universal-auth', clientId);
  return `universal-auth:${clientId}${known.isTrusted ? '' : ':untrusted'}`;
}

async function issue(
  ctx: Context,
  method: DefinedMethod,
  row: ClientRow,
  secret: Parameters<typeof issueTokenForSecret>[2],
) {
  const data = { identityId: row.identityId, authMethodId: row.id, clientSecretId: secret.id };
  const login = loginOf(method, row, data);
  try {
    return await issueTokenForSecret(ctx, { ...issueFor(row, method.kind), login }, secret);
  } catch (error) {
    // The method was detached between the two statements.
    if (databaseFault(error)?.sqlState === '23503') return undefined;
    throw error;
  }
}

const isOver = (row: ClientRow, now: Date): boolean =>
  row.isRevoked || row.isUsedUp || (row.ttl > 0 && at(row.secretCreatedAt).getTime() + row.ttl * 1000 <= now.getTime());

/** Guesses are counted whether or not they are shown (`lockoutEnabled`), so that both take the same time. */
const lockoutOf = (config: Omit<Config, 'clientSecretTrustedIps'> = LOCKOUT_DEFAULTS) => ({
  threshold: config.lockoutThreshold,
  delaySeconds: config.lockoutDurationSeconds,
  resetSeconds: config.lockoutCounterResetSeconds,
});
