import { statement, type Transaction } from '../../kernel/index.ts';

// Project memberships are deleted with that of the organization.
const OF_USERS = statement(
  'memberships.remove',
  'delete from memberships where organization_id = $1 and user_id = any($2::uuid[])',
);
const OF_ORGANIZATION = statement(
  'memberships.remove_of_organization',
  'delete from memberships where organization_id = $1',
);
const OF_PROJECT = statement(
  'memberships.remove_of_project',
  'delete from memberships where organization_id = $1 and project_id = $2',
);

/** Deletes the memberships of users in an organization and all its projects. The right was checked before. */
export async function removeUsers(tx: Transaction, organizationId: string, userIds: readonly string[]): Promise<void> {
  await tx.sql(OF_USERS, [organizationId, userIds]);
}

/** Deletes all memberships of an organization or project that is deleted next: its roles are in use until then. */
export async function removeEverybody(
  tx: Transaction,
  { organizationId, projectId }: { organizationId: string; projectId?: string },
): Promise<void> {
  if (projectId === undefined) await tx.sql(OF_ORGANIZATION, [organizationId]);
  else await tx.sql(OF_PROJECT, [organizationId, projectId]);
}
