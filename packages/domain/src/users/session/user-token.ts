import type { TaggedCache } from '../../cache/index.ts';
import { knownByToken, makeToken, type HashedToken } from '../../crypto/index.ts';
import {
  at,
  forbidden,
  isRecent,
  parseDuration,
  SHORTEST_SESSION,
  statement,
  type Context,
  type SessionActor,
  type Settings,
  type Transaction,
  type UserActor,
} from '../../kernel/index.ts';
import { endOfSession, type SessionTimes } from './lifetime.ts';

/** The prefix of the access tokens of people. */
export const USER_TOKEN = 'cfu_';

/** Default lifetime of an access token, unless its organization has a shorter one; milliseconds. */
const LIFETIME = 10 * 24 * 3600 * 1000;

const INSERT = statement(
  'user_access_tokens.insert',
  `insert into user_access_tokens (hash, session_id, user_id, organization_id, expires_at, created_at) values ($1, $2, $3, $4, $5, $6)`,
);
const PRUNE = statement(
  'user_access_tokens.prune',
  'delete from user_access_tokens where session_id = $1 and expires_at <= $2',
);

export interface IssueUserToken {
  readonly sessionId: string;
  readonly userId: string;
  /** Absent for a token without a selected organization. */
  readonly organizationId: string | null;
  /** The last login or refresh of the session, from which the lifetime counts. Default: now. */
  readonly provedAt?: Date;
}

/** Creates an access token of a session, and deletes the expired ones of the session. */
export async function issueUserToken(
  tx: Transaction,
  { sessionId, userId, organizationId, provedAt = tx.now() }: IssueUserToken,
): Promise<string> {
  const now = tx.now();
  const { token, hash } = makeToken(USER_TOKEN);
  await tx.sql(PRUNE, [sessionId, now]);
  await tx.sql(INSERT, [hash, sessionId, userId, organizationId, new Date(provedAt.getTime() + LIFETIME), provedAt]);
  return token;
}

interface TokenRow extends SessionTimes {
  sessionId: string;
  userId: string;
  organizationId: string | null;
  tokenCreatedAt: string;
  tokenExpiresAt: string;
  username: string;
  email: string | null;
  name: string;
  isSuperAdmin: boolean;
  userTokenExpiration: string | null;
  /** Null where the user is no member (any more). */
  isActive: boolean | null;
}

/** Lifetimes are checked at use, so that a shorter one applies to existing tokens. */
const FIND = statement(
  'user_access_tokens.find',
  `select t.session_id as "sessionId", t.user_id as "userId", t.organization_id as "organizationId",
     t.created_at as "tokenCreatedAt", t.expires_at as "tokenExpiresAt",
     s.created_at as "createdAt", s.last_used_at as "lastUsedAt", s.expires_at as "expiresAt",
     u.username, u.email, coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.username) as name,
     u.is_super_admin as "isSuperAdmin",
     o.user_token_expiration as "userTokenExpiration", m.is_active and m.status = 'accepted' as "isActive"
   from user_access_tokens t
   join user_sessions s on s.id = t.session_id
   join users u on u.id = t.user_id and u.is_accepted
   left join organizations o on o.id = t.organization_id
   left join memberships m on m.user_id = t.user_id and m.organization_id = t.organization_id and m.project_id is null
   where t.hash = $1`,
);

/** The use of a session is noted once in so many milliseconds: several times within the shortest idle lifetime. */
const NOTED_EVERY_MS = (SHORTEST_SESSION * 1000) / 5;

/** The data of a user's access token. */
export interface KnownUserToken {
  readonly actor: SessionActor;
  /** When this process noted last that the session is used. */
  notedAt: number;
}

/**
 * The user of an access token. Using it resets the idle time of its session.
 *
 * @throws DomainError 401 for an invalid token; 403 if the user is currently not an active member of the organization
 * of the token.
 */
export async function authenticateUser(
  ctx: Context,
  cache: TaggedCache<KnownUserToken>,
  token: HashedToken,
): Promise<SessionActor> {
  const known = await knownToken(ctx, cache, token);
  const now = ctx.now().getTime();
  if (!isRecent(known.notedAt, NOTED_EVERY_MS, now)) {
    known.notedAt = now;
    ctx.usage.addSession(known.actor.sessionId, new Date(now));
  }
  return known.actor;
}

/** The same for a running call: an open stream does not count as use. Throws the same. */
export const recognizeUser = async (
  ctx: Context,
  cache: TaggedCache<KnownUserToken>,
  token: HashedToken,
): Promise<SessionActor> => (await knownToken(ctx, cache, token)).actor;

const knownToken = (ctx: Context, cache: TaggedCache<KnownUserToken>, token: HashedToken) =>
  knownByToken(ctx, { prefix: USER_TOKEN, cache, find: (hash, now) => findToken(ctx, hash, now) }, token);

async function findToken(ctx: Context, hash: Buffer, now: number) {
  const [row] = await ctx.sql<TokenRow>(FIND, [hash]);
  if (!row) return undefined;
  const until = endOf(row, ctx.settings);
  if (until <= now) return undefined;
  if (row.organizationId !== null && row.isActive !== true) throw notActive(userActor(row));
  return {
    value: { actor: userActor(row), notedAt: at(row.lastUsedAt).getTime() },
    until,
    tags: [
      `session:${row.sessionId}`,
      `user:${row.userId}`,
      `actor:${row.userId}`,
      ...(row.organizationId ? [`access:${row.organizationId}`] : []),
    ],
  };
}

/** @param caller The refused user, with the organization in which they are not active: its log has the refusal. */
export const notActive = (caller: UserActor) =>
  forbidden('membership.inactive', 'You are not an active member of this organization', {
    name: 'ForbiddenError',
    caller,
  });

/** Lifetime of access tokens in an organization, in milliseconds. */
export const tokenLifetime = (userTokenExpiration: string | null): number =>
  (userTokenExpiration === null ? undefined : parseDuration(userTokenExpiration)) ?? LIFETIME;

const endOf = (row: TokenRow, settings: Settings): number =>
  Math.min(
    endOfSession(row, settings),
    at(row.tokenExpiresAt).getTime(),
    at(row.tokenCreatedAt).getTime() + tokenLifetime(row.userTokenExpiration),
  );

const userActor = (row: TokenRow): SessionActor => ({
  type: 'user',
  id: row.userId,
  name: row.name,
  email: row.email,
  username: row.username,
  sessionId: row.sessionId,
  isSuperAdmin: row.isSuperAdmin,
  organizationId: row.organizationId ?? undefined,
});
