import { z } from 'zod';
import { defineEvent, record, statement, type Transaction } from '../../kernel/index.ts';

const membership = { membershipId: z.string() };
export const projectMemberRemoved = defineEvent(
  'project_member.removed',
  'remove-workspace-member',
  z.object({ ...membership, userId: z.string() }),
);
export const identityMemberRemoved = defineEvent(
  'project_identity.removed',
  'delete-identity-project-membership',
  z.object({ ...membership, identityId: z.string() }),
);
export const groupMemberRemoved = defineEvent(
  'project_group.removed',
  'delete-group-project-membership',
  z.object({ ...membership, groupId: z.string() }),
);

/** A membership in a project: its holder is one of the three. */
interface Row {
  membershipId: string;
  organizationId: string;
  projectId: string;
  userId: string | null;
  identityId: string | null;
  groupId: string | null;
}

const IN_PROJECTS = statement(
  'memberships.that_may_end',
  ['actor_id', 'group_id']
    .map(
      (holder) => `select id as "membershipId", organization_id as "organizationId", project_id as "projectId",
         user_id as "userId", identity_id as "identityId", group_id as "groupId"
       from memberships where ${holder} = any($2::uuid[]) and organization_id = any($1::uuid[]) and project_id is not null`,
    )
    .join(' union all '),
);

/**
 * Makes a change that may delete users, machine identities or groups. Each membership in a project that this ends is recorded
 * in the log of the project, because its administrators may not read the log of the organization.
 */
export async function recordingEnds<T>(
  tx: Transaction,
  { organizationIds, holderIds }: { organizationIds: readonly string[]; holderIds: readonly string[] },
  change: () => Promise<T>,
): Promise<T> {
  const of = [organizationIds, holderIds];
  const before = await tx.sql<Row>(IN_PROJECTS, of);
  const result = await change();
  if (before.length === 0) return result;
  await tx.em.flush();
  const kept = new Set((await tx.sql<Row>(IN_PROJECTS, of)).map((row) => row.membershipId));
  for (const row of before) if (!kept.has(row.membershipId)) recordEnd(tx, row);
  return result;
}

function recordEnd(tx: Transaction, { membershipId, userId, identityId, groupId, ...place }: Row): void {
  if (userId !== null) record(tx, projectMemberRemoved, { membershipId, userId }, place);
  if (identityId !== null) record(tx, identityMemberRemoved, { membershipId, identityId }, place);
  if (groupId !== null) record(tx, groupMemberRemoved, { membershipId, groupId }, place);
}
