import { invalidate, newId, statement, type Transaction } from '../../kernel/index.ts';
import { recordForUser, type UserEntity } from '../user/index.ts';
import { continueAs } from './continue-as.ts';
import { makeRefreshToken } from './refresh-token.ts';
import { SessionEntity } from './session.entity.ts';
import { sessionRevoked, type OpenedSession } from './session.ts';
import { issueUserToken } from './user-token.ts';

/** Beyond this number of sessions, the least recently used one ends. */
const MAX_SESSIONS = 100;

const TRIM = statement(
  'user_sessions.trim',
  `delete from user_sessions where id = any(array(
     select id from user_sessions where user_id = $1 and (expires_at <= $2 or id in (
       select id from user_sessions where user_id = $1 order by last_used_at desc, id desc offset $3))
     order by id for update)) returning id, expires_at > $2 as "isRevoked"`,
);

interface SessionOptions {
  /** What uses it, unless it is a browser. */
  readonly name?: string;
  /** When it ends at the latest; default: after its absolute lifetime. */
  readonly until?: Date;
  /** The family of refresh tokens of the session in which it is opened: it ends with a stolen one. */
  readonly openerFamily?: Uint8Array;
}

/**
 * Opens a session for a user who was just authenticated, and continues the call as that user. The session's first
 * access token is for the given organization, or for none.
 */
export async function openSession(
  tx: Transaction,
  user: UserEntity,
  organizationId: string | null = null,
  { name, until, openerFamily }: SessionOptions = {},
): Promise<OpenedSession> {
  const now = tx.now();
  const lifetime = tx.settings.sessionSeconds * 1000;
  const expiresAt = new Date(Math.min(now.getTime() + lifetime, until?.getTime() ?? Infinity));
  const { token: refreshToken, hash, family } = makeRefreshToken();
  const session = tx.em.create(SessionEntity, {
    id: newId(),
    userId: user.id,
    refreshHash: hash,
    refreshFamilyHash: family,
    organizationId,
    ipAddress: tx.request.ipAddress,
    userAgent: tx.request.userAgent.slice(0, 500),
    lastUsedAt: now,
    createdAt: now,
    expiresAt,
    name: name ?? null,
    openerFamilyHash: openerFamily ? Buffer.from(openerFamily) : null,
  });
  await tx.em.persist(session).flush();
  const trimmed = await tx.sql<{ id: string; isRevoked: boolean }>(TRIM, [user.id, now, MAX_SESSIONS]);
  invalidate(tx, ...trimmed.map(({ id }) => `session:${id}`));
  for (const { id: sessionId, isRevoked } of trimmed)
    if (isRevoked) await recordForUser(tx, user.id, sessionRevoked, { userId: user.id, sessionId });
  const accessToken = await issueUserToken(tx, { sessionId: session.id, userId: user.id, organizationId });
  continueAs(tx, user, { sessionId: session.id, organizationId });
  const refreshSeconds = Math.ceil((expiresAt.getTime() - now.getTime()) / 1000);
  return { sessionId: session.id, accessToken, refreshToken, refreshSeconds };
}
