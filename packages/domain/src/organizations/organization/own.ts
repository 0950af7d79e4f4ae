import { organizationOf, requireAuthorityOverEverybody } from '../../access/index.ts';
import { forbidden, notFound, statement, type Context } from '../../kernel/index.ts';

/**
 * The organization in a path, which must be the caller's.
 *
 * @throws DomainError 404 for another one, 401 for a token without an organization.
 */
export function ownOrganization(ctx: Context, organizationId: string): string {
  const own = organizationOf(ctx);
  if (organizationId !== own) throw notFound('organization');
  return own;
}

const IS_ADMIN = statement(
  'organizations.is_admin',
  `select 1 as yes from effective_memberships h join membership_roles r on r.membership_id = h.membership_id
   where h.organization_id = $1 and h.project_id is null and h.actor_id = $2 and r.role = 'admin'
     and (not r.is_temporary or (r.temporary_access_start_time <= $3 and r.temporary_access_end_time > $3)) limit 1`,
);

/**
 * @throws DomainError 403 unless the caller currently has the built-in role `admin` of the organization, itself or by a
 * group, and no rule takes any right of this role from it.
 */
export async function requireAdmin(ctx: Context, organizationId: string): Promise<void> {
  const rows = 'id' in ctx.actor ? await ctx.sql(IS_ADMIN, [organizationId, ctx.actor.id, ctx.now()]) : [];
  if (rows.length === 0)
    throw forbidden('organization.not_admin', 'Only an administrator of the organization may do this');
  await requireAuthorityOverEverybody(ctx, { organizationId }, 'now');
}
