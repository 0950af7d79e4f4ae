import { conflict, statement, type Transaction } from '../../kernel/index.ts';

const LOCK = statement(
  'groups.lock_names',
  `select pg_advisory_xact_lock(hashtextextended('names of groups ' || $1::text, 0))`,
);

/** Locks the names of all groups of an organization until the transaction ends. Taken before its other locks. */
export const lockGroupNames = async (tx: Transaction, organizationId: string): Promise<void> =>
  void (await tx.sql(LOCK, [organizationId]));

const TAKEN = statement(
  'groups.taken_names',
  'select 1 from groups where organization_id = $1 and id <> $2 and (slug = $3 or name = $4) limit 1',
);

/**
 * Names and slugs of groups are one namespace, so that either identifies one group. Constraints make each of them
 * unique; that neither equals the other of another group is checked here, under `lockGroupNames`.
 *
 * @throws DomainError 400 `groups_names_unique`.
 */
export async function requireFreeNames(
  tx: Transaction,
  { organizationId, id, name, slug }: { organizationId: string; id: string; name: string; slug: string },
): Promise<void> {
  const taken = await tx.sql(TAKEN, [organizationId, id, name, slug]);
  if (taken.length > 0)
    throw conflict(
      'groups_names_unique',
      'The name is the slug of another group of the organization, or the slug is its name: choose another one',
    );
}
