import {
  forget,
  inTransaction,
  isId,
  notFound,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { recordForUser } from '../user/index.ts';
import { personOf } from './person.ts';
import { SessionEntity } from './session.entity.ts';
import { sessionRevoked, sessionsRevoked, userLoggedOut, type RevokeSession, type Session } from './session.ts';

/** The caller's own sessions that are not over, the one used last first. */
export async function listSessions(ctx: Context): Promise<Session[]> {
  const { id: userId } = personOf(ctx);
  await ctx.usage.flush();
  const [now, { sessionSeconds, sessionIdleSeconds }] = [ctx.now(), ctx.settings];
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  const rows = await ctx.em.find(
    SessionEntity,
    {
      userId,
      expiresAt: { $gt: now },
      createdAt: { $gt: before(sessionSeconds) },
      lastUsedAt: { $gt: before(sessionIdleSeconds) },
    },
    { orderBy: { lastUsedAt: 'desc', id: 'desc' } },
  );
  return rows.map((row) => ({
    id: row.id,
    userId,
    ip: row.ipAddress,
    userAgent: row.userAgent,
    refreshVersion: 1,
    accessVersion: 1,
    lastUsed: row.lastUsedAt,
    expiresAt: row.expiresAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }));
}

/** Ends one of the caller's own sessions with all its tokens, at once. */
export function revokeSession(ctx: Context, { sessionId }: RevokeSession): Promise<void> {
  const { id: userId } = personOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const ended = isId(sessionId) ? await tx.em.nativeDelete(SessionEntity, { id: sessionId, userId }) : 0;
    if (ended === 0) throw notFound('session');
    forget(tx, `session:${sessionId}`);
    await recordForUser(tx, userId, sessionRevoked, { userId, sessionId });
  });
}

/** Ends every session of the caller, this one too. */
export function revokeAllSessions(ctx: Context): Promise<void> {
  const { id: userId } = personOf(ctx);
  return inTransaction(ctx, async (tx) => {
    await endSessions(tx, userId);
    await recordForUser(tx, userId, sessionsRevoked, { userId });
  });
}

/** Ends the session that the caller's token belongs to. */
export function logOut(ctx: Context): Promise<void> {
  const { id: userId, sessionId } = personOf(ctx);
  return inTransaction(ctx, async (tx) => {
    await tx.em.nativeDelete(SessionEntity, { id: sessionId, userId });
    forget(tx, `session:${sessionId}`);
    await recordForUser(tx, userId, userLoggedOut, { userId, sessionId });
  });
}

const END = statement(
  'user_sessions.end',
  'delete from user_sessions where user_id = $1 and id is distinct from $2::uuid returning id',
);

/** Ends a user's sessions with all their tokens, but the one that is named. */
export async function endSessions(tx: Transaction, userId: string, except?: string): Promise<void> {
  const ended = await tx.sql<{ id: string }>(END, [userId, except ?? null]);
  forget(tx, ...ended.map(({ id }) => `session:${id}`));
}
