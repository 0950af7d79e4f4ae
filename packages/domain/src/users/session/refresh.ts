import { hashOf, isToken } from '../../crypto/index.ts';
import { inTransaction, notFound, record, statement, unauthenticated, type Context } from '../../kernel/index.ts';
import { REFRESH_TOKEN } from './open-session.ts';
import { sessionRefreshed, type RefreshedToken } from './session.ts';
import { issueUserToken } from './user-token.ts';

interface RefreshedRow {
  id: string;
  user_id: string;
  organization_id: string | null;
}

/** The organization counts while the person is an active member of it; afterwards it has to choose another one. */
const USE = statement(
  'user_sessions.use',
  `update user_sessions s set last_used_at = $2, updated_at = $2, ip_address = $3, user_agent = $4
   where refresh_hash = $1 and expires_at > $2
   returning s.id, s.user_id, (select m.organization_id from memberships m where m.user_id = s.user_id
     and m.organization_id = s.organization_id and m.project_id is null and m.status = 'accepted' and m.is_active)`,
);

/**
 * A new access token for a session, in the organization that the session has chosen.
 *
 * @throws DomainError 404 without a refresh token, 401 where its session is over or was ended.
 */
export async function refreshToken(ctx: Context, presented: string | undefined): Promise<RefreshedToken> {
  if (!presented) throw notFound('refresh token');
  const hash = isToken(REFRESH_TOKEN, presented) ? hashOf(presented) : undefined;
  return inTransaction(ctx, async (tx) => {
    const { ipAddress, userAgent } = tx.request;
    const [session] = hash ? await tx.sql<RefreshedRow>(USE, [hash, tx.now(), ipAddress, userAgent.slice(0, 500)]) : [];
    if (!session) throw unauthenticated('auth.stale_session', 'The session is over; log in again');
    const { id: sessionId, user_id: userId, organization_id: organizationId } = session;
    const token = await issueUserToken(tx, { sessionId, userId, organizationId });
    if (organizationId) record(tx, sessionRefreshed, { userId, sessionId }, { organizationId });
    return { token, organizationId, subOrganizationId: null };
  });
}
