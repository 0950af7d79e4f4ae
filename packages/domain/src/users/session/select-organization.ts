import { inTransaction, isId, notFound, record, statement, unauthenticated, type Context } from '../../kernel/index.ts';
import { sessionOf } from './person.ts';
import { organizationSelected, type SelectedOrganization, type SelectOrganization } from './session.ts';
import { issueUserToken, notActive } from './user-token.ts';

const MEMBERSHIP = statement(
  'memberships.of_user',
  `select is_active and status = 'accepted' as is_active from memberships
   where user_id = $1 and organization_id = $2 and project_id is null`,
);
const CHOOSE = statement(
  'user_sessions.choose',
  `update user_sessions set organization_id = $2, last_used_at = $3, updated_at = $3 where id = $1 and expires_at > $3 returning id`,
);

/**
 * A token of the caller's session that speaks for an organization; the session remembers the choice.
 *
 * @throws DomainError 404 for an organization that the caller does not belong to, 403 where it was deactivated there or
 * has not accepted the invitation yet.
 */
export async function selectOrganization(
  ctx: Context,
  { organizationId }: SelectOrganization,
): Promise<SelectedOrganization> {
  const { id: userId, sessionId } = sessionOf(ctx);
  if (!isId(organizationId)) throw notFound('organization');
  return inTransaction(ctx, async (tx) => {
    const [membership] = await tx.sql<{ is_active: boolean }>(MEMBERSHIP, [userId, organizationId]);
    if (!membership) throw notFound('organization');
    if (!membership.is_active) throw notActive();
    const chosen = await tx.sql(CHOOSE, [sessionId, organizationId, tx.now()]);
    if (chosen.length === 0) throw unauthenticated('auth.stale_session', 'The session is over; log in again');
    const token = await issueUserToken(tx, { sessionId, userId, organizationId });
    record(tx, organizationSelected, { userId, sessionId }, { organizationId });
    return { token, isMfaEnabled: false, mfaMethod: null };
  });
}
