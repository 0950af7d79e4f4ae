import { readInstanceLog, type AuditLogPage, type ListInstanceAuditLog } from '../audit/index.ts';
import type { Context } from '../kernel/index.ts';
import { requireSuperAdmin } from '../users/user/index.ts';

/**
 * A page of the events that belong to no organization: rejected tokens, rejected logins of unknown clients, and changes
 * of the instance by super admins without an organization.
 *
 * @throws DomainError 403 for callers that do not administer the instance.
 */
export async function listInstanceAuditLog(ctx: Context, input: ListInstanceAuditLog): Promise<AuditLogPage> {
  requireSuperAdmin(ctx);
  return readInstanceLog(ctx, input);
}
