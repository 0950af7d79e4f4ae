import { sameHash } from '../../crypto/index.ts';
import {
  at,
  invalidate,
  inTransaction,
  notFound,
  record,
  statement,
  unauthenticated,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { recordForUser, UserEntity } from '../user/index.ts';
import { continueAs } from './continue-as.ts';
import { endInOrganization, type SessionTimes } from './lifetime.ts';
import { makeNonce, readRefreshToken, successorOf, type RefreshToken } from './refresh-token.ts';
import { refreshTokenReused, sessionRefreshed, type RefreshedSession } from './session.ts';
import { issueUserToken } from './user-token.ts';

/** How long a replaced token is still accepted: for tabs that refresh concurrently, and for lost responses. */
const GRACE_MS = 10_000;

interface SessionRow extends SessionTimes {
  readonly id: string;
  readonly userId: string;
  /** Null also if the user is not an active member, and must select another organization. */
  readonly organizationId: string | null;
  readonly userTokenExpiration: string | null;
  readonly refreshHash: Buffer;
  readonly previousRefreshHash: Buffer | null;
  readonly refreshNonce: string | null;
  readonly refreshedAt: string | null;
}

/** Serializes parallel refreshes of one session, in all processes. */
const LOCK = statement(
  'user_sessions.lock_by_token',
  `select s.id, s.user_id as "userId", s.created_at as "createdAt", s.last_used_at as "lastUsedAt",
     s.expires_at as "expiresAt", s.refresh_hash as "refreshHash", s.previous_refresh_hash as "previousRefreshHash",
     s.refresh_nonce as "refreshNonce", s.refreshed_at as "refreshedAt", m.organization_id as "organizationId",
     o.user_token_expiration as "userTokenExpiration"
   from user_sessions s
   left join lateral (
     select organization_id from memberships where user_id = s.user_id and organization_id = s.organization_id
       and project_id is null and status = 'accepted' and is_active limit 1
   ) m on true
   left join organizations o on o.id = m.organization_id
   where s.refresh_hash = $1 or s.refresh_family_hash = $2 for update of s`,
);

export const sessionIsOver = () => unauthenticated('auth.stale_session', 'The session has ended; log in again');

/**
 * Creates a new access token of a session, in its selected organization, and the refresh token that replaces the
 * presented one. A replaced token is accepted for ten more seconds, unless its successor was replaced too, and gets
 * that same successor. Presented at any other time, it was copied: the session ends.
 *
 * @throws DomainError 404 without a refresh token, 401 if its session has ended or expired, or the token was replaced.
 */
export async function refreshToken(ctx: Context, presented: string | undefined): Promise<RefreshedSession> {
  if (!presented) throw notFound('refresh token');
  const token = readRefreshToken(presented);
  if (!token) throw sessionIsOver();
  // The revocation is committed before the error is thrown, because the error rolls back its transaction.
  const refreshed = await inTransaction(ctx, (tx) => useToken(tx, token));
  if (!refreshed) throw sessionIsOver();
  return refreshed;
}

async function useToken(tx: Transaction, token: RefreshToken): Promise<RefreshedSession | undefined> {
  const [session] = await tx.sql<SessionRow>(LOCK, [token.hash, token.family]);
  const successor = session && successorFor(tx, session, token);
  if (!successor) {
    await revokeFamily(tx, token);
    return undefined;
  }
  const { id: sessionId, userId, organizationId } = session;
  const end = endInOrganization(session, session.userTokenExpiration, tx.settings);
  if (end <= tx.now().getTime()) return undefined;
  await noteUse(tx, session, token, successor);
  const accessToken = await issueUserToken(tx, { sessionId, userId, organizationId });
  if (organizationId) {
    continueAs(tx, await tx.em.findOneOrFail(UserEntity, { id: userId }), { sessionId, organizationId });
    record(tx, sessionRefreshed, { userId, sessionId }, { organizationId });
  } else await recordForUser(tx, userId, sessionRefreshed, { userId, sessionId });
  const seconds = Math.ceil((at(session.expiresAt).getTime() - tx.now().getTime()) / 1000);
  return {
    token: accessToken,
    organizationId,
    subOrganizationId: null,
    refreshToken: successor.token,
    refreshSeconds: seconds,
  };
}

/**
 * The session that accepts a refresh token now, locked. The token is not replaced. One that was replaced before ends its session
 * here, too: return without throwing, so that this is committed.
 */
export async function provenSession(tx: Transaction, presented: string): Promise<ProvenSession | undefined> {
  const token = readRefreshToken(presented);
  if (!token) return undefined;
  const [session] = await tx.sql<SessionRow>(LOCK, [token.hash, token.family]);
  if (session && successorFor(tx, session, token)) return { sessionId: session.id, userId: session.userId };
  await revokeFamily(tx, token);
  return undefined;
}

const ofEach = (values: string, column: string) =>
  `select s.id from unnest(${values}::bytea[]) hash
   cross join lateral (select id from user_sessions where ${column} = hash offset 0) s`;
const LOCK_ALL = statement(
  'user_sessions.lock_all',
  `select id from user_sessions where id = any(array(select $1::uuid union all ${ofEach('$2', 'refresh_hash')}
     union all ${ofEach('$3', 'refresh_family_hash')} union all ${ofEach('$3', 'opener_family_hash')}))
   order by id for update`,
);

/**
 * Locks the sessions of some refresh tokens, with those opened in them, and a further one, in the order of their IDs: two who end the
 * same ones do not wait for each other.
 */
export async function lockSessions(
  tx: Transaction,
  presented: readonly string[],
  sessionId: string | undefined,
): Promise<void> {
  const tokens = presented.flatMap((one) => readRefreshToken(one) ?? []);
  const [hashes, families] = [tokens.map(({ hash }) => hash), tokens.map(({ family }) => family)];
  await tx.sql(LOCK_ALL, [sessionId ?? null, hashes, families]);
}

export interface ProvenSession {
  readonly sessionId: string;
  readonly userId: string;
}

/** Whether a refresh token is accepted by this session, as `provenSession`. */
export async function provesSession(
  tx: Transaction,
  presented: string,
  { sessionId, userId }: ProvenSession,
): Promise<boolean> {
  const proven = await provenSession(tx, presented);
  return proven?.sessionId === sessionId && proven.userId === userId;
}

interface Successor extends RefreshToken {
  /** The nonce of a new token. */
  readonly nonce: string | undefined;
}

/** The token to return: a new one, the one of a parallel refresh, or none for a replaced token. */
function successorFor(tx: Transaction, session: SessionRow, { token, hash }: RefreshToken): Successor | undefined {
  if (sameHash(hash, session.refreshHash)) {
    const nonce = makeNonce();
    return { ...successorOf(token, nonce), nonce };
  }
  const { previousRefreshHash: previous, refreshNonce: nonce, refreshedAt } = session;
  if (!previous || !nonce || refreshedAt === null || !sameHash(hash, previous)) return undefined;
  if (tx.now().getTime() >= at(refreshedAt).getTime() + GRACE_MS) return undefined;
  return { ...successorOf(token, nonce), nonce: undefined };
}

const ROTATE = statement(
  'user_sessions.rotate',
  `update user_sessions set refresh_hash = $2, refresh_family_hash = $3, previous_refresh_hash = $4, refresh_nonce = $5,
     refreshed_at = $6, last_used_at = greatest(last_used_at, $6), updated_at = $6, ip_address = $7, user_agent = $8 where id = $1`,
);
const USE = statement(
  'user_sessions.use',
  `update user_sessions set last_used_at = greatest(last_used_at, $2), updated_at = $2, ip_address = $3, user_agent = $4 where id = $1`,
);

async function noteUse(tx: Transaction, { id }: SessionRow, used: RefreshToken, successor: Successor): Promise<void> {
  const from = [tx.request.ipAddress, tx.request.userAgent.slice(0, 500)];
  const { nonce, hash, family } = successor;
  if (nonce) await tx.sql(ROTATE, [id, hash, family, used.hash, nonce, tx.now(), ...from]);
  else await tx.sql(USE, [id, tx.now(), ...from]);
}

/** A session of a release before families has none, and is found by the token of now alone, which is not revoked here. */
const REVOKE = statement(
  'user_sessions.revoke_family',
  `delete from user_sessions where id = any(array(
     select id from user_sessions where refresh_family_hash = $1 or opener_family_hash = $1 order by id for update))
   returning id, user_id as "userId"`,
);

/**
 * Ends the session of a refresh token that was replaced, with all its tokens: one of the two users has stolen them. So do the
 * sessions that were opened in it, also where it has ended before: its thief could have done that.
 */
async function revokeFamily(tx: Transaction, { family }: RefreshToken): Promise<void> {
  for (const { id: sessionId, userId } of await tx.sql<{ id: string; userId: string }>(REVOKE, [family])) {
    invalidate(tx, `session:${sessionId}`);
    await recordForUser(tx, userId, refreshTokenReused, { userId, sessionId });
  }
}
