import {
  inLastTransaction,
  invalidate,
  record,
  statement,
  type Context,
  type LeftElsewhere,
  type Transaction,
} from '../../kernel/index.ts';
import { removeEverybody } from '../../access/membership/index.ts';
import { loadOrganization } from './organization.service.ts';
import { organizationDeleted, toOrganization, type Organization, type OrganizationRef } from './organization.ts';
import { ownOrganization, requireAdmin } from './own.ts';

const IDENTITIES = statement('identities.of_organization', 'select id from identities where organization_id = $1');

/** Also for those who work in no organization, as logins do. */
const LOCK = statement('organizations.lock_to_delete', 'select id from organizations where id = $1 for update');
// An organization can be large, and is deleted by one statement.
const TAKE_TIME = statement('organizations.take_time', "set local statement_timeout = '10min'");
const DELETE = statement('organizations.delete', 'delete from organizations where id = $1');

/** What other areas check before an organization is deleted. Returns what stays at other systems, for the event. @throws DomainError 400 */
export type OrganizationEnd = (tx: Transaction, organizationId: string) => Promise<LeftElsewhere>;

/**
 * Deletes an organization with everything in it: projects, secrets, identities and their tokens, and the keys without
 * which no copy of them opens. The people and the audit log stay.
 *
 * @throws DomainError 403 unless the caller administers it with all rights of an administrator; 400 while something stands elsewhere that only what is stored here can end.
 */
export async function deleteOrganization(
  ctx: Context,
  input: OrganizationRef,
  end: OrganizationEnd,
): Promise<Organization> {
  const organizationId = ownOrganization(ctx, input.organizationId);
  await requireAdmin(ctx, organizationId);
  return inLastTransaction(ctx, organizationId, async (tx) => {
    await tx.sql(LOCK, [organizationId]);
    // It may have waited for that.
    await requireAdmin(tx, organizationId);
    const organization = toOrganization(await loadOrganization(tx, organizationId));
    await tx.sql(TAKE_TIME, []);
    const left = await end(tx, organizationId);
    await invalidateOrganization(tx, organizationId);
    await removeEverybody(tx, { organizationId });
    await tx.sql(DELETE, [organizationId]);
    const { name, slug } = organization;
    record(
      tx,
      organizationDeleted,
      { organizationId, name, slug, ...(left.length > 0 && { left }) },
      { organizationId },
    );
    return organization;
  });
}

async function invalidateOrganization(tx: Transaction, organizationId: string): Promise<void> {
  const identities = await tx.sql<{ id: string }>(IDENTITIES, [organizationId]);
  invalidate(tx, `access:${organizationId}`, `keys:${organizationId}`, ...identities.map(({ id }) => `identity:${id}`));
}
