import { invalidate, inTransaction, isId, notFound, type Context } from '../../kernel/index.ts';
import { forgetGuessesOfSessions } from '../password/index.ts';
import { recordForUser } from '../user/index.ts';
import { endCredentials } from './end-credentials.ts';
import { livingAt } from './lifetime.ts';
import { sessionOf } from './person.ts';
import { lockSessions, provenSession } from './refresh.ts';
import { SessionEntity } from './session.entity.ts';
import { sessionRevoked, sessionsRevoked, userLoggedOut, type RevokeSession, type Session } from './session.ts';

const MAX_LISTED = 1_000;

/** The caller's own open sessions, last used first; at most a thousand. */
export async function listSessions(ctx: Context): Promise<Session[]> {
  const { id: userId, sessionId } = sessionOf(ctx);
  await ctx.usage.flush();
  const rows = await ctx.em.find(
    SessionEntity,
    { userId, ...livingAt(ctx.now(), ctx.settings) },
    { orderBy: { lastUsedAt: 'desc', id: 'desc' }, limit: MAX_LISTED },
  );
  return rows.map((row) => ({
    id: row.id,
    userId,
    name: row.name ?? null,
    ip: row.ipAddress,
    userAgent: row.userAgent,
    isCurrent: row.id === sessionId,
    refreshVersion: 1,
    accessVersion: 1,
    lastUsed: row.lastUsedAt,
    expiresAt: row.expiresAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }));
}

/** Ends one of the caller's own sessions with all its tokens, immediately. */
export function revokeSession(ctx: Context, { sessionId }: RevokeSession): Promise<void> {
  const { id: userId } = sessionOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const ended = isId(sessionId) ? await tx.em.nativeDelete(SessionEntity, { id: sessionId, userId }) : 0;
    if (ended === 0) throw notFound('session');
    invalidate(tx, `session:${sessionId}`);
    await recordForUser(tx, userId, sessionRevoked, { userId, sessionId });
  });
}

/** Ends every session of the caller, including this one, and every API key. */
export function revokeAllSessions(ctx: Context): Promise<void> {
  const { id: userId, email, username } = sessionOf(ctx);
  return inTransaction(ctx, async (tx) => {
    await endCredentials(tx, userId);
    await forgetGuessesOfSessions(tx, email ?? username);
    await recordForUser(tx, userId, sessionsRevoked, { userId });
  });
}

/**
 * Ends the session that the caller's token belongs to, if there is one, and those of refresh tokens.
 *
 * @returns Whether there was one. The session of a refresh token that was replaced has ended, and does not count.
 */
export function logOut(ctx: Context, refreshTokens: readonly string[]): Promise<boolean> {
  const own = ctx.actor.type === 'anonymous' ? undefined : sessionOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const ending = new Map(own && [[own.sessionId, own.id]]);
    await lockSessions(tx, refreshTokens, own?.sessionId);
    for (const presented of refreshTokens) {
      const proven = await provenSession(tx, presented);
      if (proven) ending.set(proven.sessionId, proven.userId);
    }
    for (const [sessionId, userId] of ending) {
      await tx.em.nativeDelete(SessionEntity, { id: sessionId, userId });
      invalidate(tx, `session:${sessionId}`);
      await recordForUser(tx, userId, userLoggedOut, { userId, sessionId });
    }
    return ending.size > 0;
  });
}
