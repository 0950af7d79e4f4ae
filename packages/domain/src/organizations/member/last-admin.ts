import { badRequest, statement, type Transaction } from '../../kernel/index.ts';

/** Also keeps a second change of members waiting until this one is done. In one order, so that no two wait for each other. */
const LOCK = statement(
  'organizations.lock',
  'select id from organizations where id = any($1::uuid[]) order by id for no key update',
);

/** Those organizations that a person can administer: a role for a time does not count, since it ends. */
const ADMINISTERED = statement(
  'organizations.administered',
  `select distinct h.organization_id as id from effective_memberships h
   join membership_roles r on r.membership_id = h.membership_id and r.role = 'admin' and not r.is_temporary
   join users u on u.id = h.actor_id and u.is_accepted
   where h.organization_id = any($1::uuid[]) and h.project_id is null`,
);

/**
 * Changes memberships so that each organization which had an administrator among its people has one afterwards, also
 * when two administrators remove each other at the same time.
 *
 * @throws DomainError 400 `organization.last_admin` with the organizations that would be left without one.
 */
export async function keepingAnAdmin<T>(
  tx: Transaction,
  organizationIds: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  await tx.sql(LOCK, [organizationIds]);
  const before = await administered(tx, organizationIds);
  const result = await change();
  await tx.em.flush();
  const after = new Set(await administered(tx, organizationIds));
  const abandoned = before.filter((id) => !after.has(id));
  if (abandoned.length > 0) {
    throw badRequest(
      'organization.last_admin',
      'This is the only administrator of the organization; appoint another one first',
      {
        organizationIds: abandoned,
      },
    );
  }
  return result;
}

async function administered(tx: Transaction, organizationIds: readonly string[]): Promise<string[]> {
  const rows = await tx.sql<{ id: string }>(ADMINISTERED, [organizationIds]);
  return rows.map(({ id }) => id);
}
