import { badRequest, statement, type Transaction } from '../../kernel/index.ts';

/** Keeps a second change of the project's members waiting until this one is done. */
const LOCK = statement(
  'project_members.lock',
  'select id from projects where organization_id = $1 and id = $2 for no key update',
);

/** A role for a time does not count, since it ends; nor does a member whom the organization does not let in, nor an empty group. */
const HAS_ADMIN = statement(
  'project_members.has_admin',
  `select 1 from effective_memberships h
   join membership_roles r on r.membership_id = h.membership_id and r.role = 'admin' and not r.is_temporary
   where h.organization_id = $1 and h.project_id = $2 limit 1`,
);

/**
 * Changes the members of a project so that one that had an administrator, person or machine, has one afterwards, also
 * when two administrators remove each other at the same time.
 *
 * @throws DomainError 400 `project.last_admin`.
 */
export async function keepingAnAdmin<T>(
  tx: Transaction,
  organizationId: string,
  projectId: string,
  change: () => Promise<T>,
): Promise<T> {
  const place = [organizationId, projectId];
  await tx.sql(LOCK, place);
  const before = await tx.sql(HAS_ADMIN, place);
  const result = await change();
  await tx.em.flush();
  if (before.length > 0 && (await tx.sql(HAS_ADMIN, place)).length === 0) {
    throw badRequest('project.last_admin', 'This is the only administrator of the project; appoint another one first');
  }
  return result;
}
