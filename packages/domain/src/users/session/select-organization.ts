import {
  at,
  inTransaction,
  isId,
  notFound,
  record,
  statement,
  unauthenticated,
  type Context,
} from '../../kernel/index.ts';
import { sessionOf } from './person.ts';
import { sessionIsOver } from './refresh.ts';
import { organizationSelected, type SelectedOrganization, type SelectOrganization } from './session.ts';
import { issueUserToken, notActive, tokenLifetime } from './user-token.ts';

const MEMBERSHIP = statement(
  'memberships.of_user',
  `select m.is_active and m.status = 'accepted' as "isActive", o.user_token_expiration as "userTokenExpiration"
   from memberships m join organizations o on o.id = m.organization_id
   where m.user_id = $1 and m.organization_id = $2 and m.project_id is null`,
);
const CHOOSE = statement(
  'user_sessions.choose',
  `update user_sessions set organization_id = $2, last_used_at = $3, updated_at = $3 where id = $1 and expires_at > $3
   returning coalesce(refreshed_at, created_at) as "provedAt"`,
);

interface Membership {
  isActive: boolean;
  userTokenExpiration: string | null;
}

/**
 * Creates a token of the caller's session for an organization; the session stores the selection. Its lifetime starts
 * with the last login or refresh of the session: an access token cannot extend itself.
 *
 * @throws DomainError 404 for an organization that the caller does not belong to, 403 if it is deactivated there or has
 * not accepted the invitation yet, 401 if the last login or refresh is too long ago for the organization.
 */
export async function selectOrganization(
  ctx: Context,
  { organizationId }: SelectOrganization,
): Promise<SelectedOrganization> {
  const user = sessionOf(ctx);
  const { id: userId, sessionId } = user;
  if (!isId(organizationId)) throw notFound('organization');
  return inTransaction(ctx, async (tx) => {
    const [membership] = await tx.sql<Membership>(MEMBERSHIP, [userId, organizationId]);
    if (!membership) throw notFound('organization');
    if (!membership.isActive) throw notActive({ ...user, organizationId });
    const [session] = await tx.sql<{ provedAt: string }>(CHOOSE, [sessionId, organizationId, tx.now()]);
    if (!session) throw sessionIsOver();
    const provedAt = at(session.provedAt);
    if (provedAt.getTime() + tokenLifetime(membership.userTokenExpiration) <= tx.now().getTime())
      throw unauthenticated('auth.stale_session', 'The last login is too old; refresh the session or log in again');
    const token = await issueUserToken(tx, { sessionId, userId, organizationId, provedAt });
    record(tx, organizationSelected, { userId, sessionId }, { organizationId });
    return { token, isMfaEnabled: false, mfaMethod: null };
  });
}
