import { invalidate, record, statement, type ServiceScope, type Transaction } from '../../kernel/index.ts';
import { serviceTokenDeleted } from '../service-token-events.ts';

/** Where actors may have left: some projects, or all of some organizations. */
export interface Left {
  readonly organizationIds: readonly string[];
  /** Default: all. */
  readonly projectIds?: readonly string[];
  /** Default: everybody. */
  readonly actorIds?: readonly string[];
}

/** A deactivated actor keeps its memberships. */
const DELETE_TOKENS = statement(
  'service_tokens.delete_of_leavers',
  `delete from service_tokens t using projects p
   where p.organization_id = any($1::uuid[]) and ($2::uuid[] is null or p.id = any($2)) and t.project_id = p.id
     and ($3::uuid[] is null or t.created_by = any($3))
     and not exists (select 1 from memberships m where m.actor_id = t.created_by and m.project_id = t.project_id)
     and not exists (select 1 from memberships m join group_members g on g.group_id = m.group_id
       where g.actor_id = t.created_by and m.project_id = t.project_id)
   returning t.id, t.organization_id as "organizationId", t.project_id as "projectId", t.name, t.scopes, t.permissions`,
);

interface Row {
  id: string;
  organizationId: string;
  projectId: string;
  name: string;
  scopes: ServiceScope[];
  permissions: string[];
}

/**
 * Deletes the service tokens of users who no longer belong to their projects, by own membership or by a group. Like API
 * keys, they do not come back with a later membership. Call it in the transaction of every change that ends
 * memberships; and before an actor is added, for tokens of releases that did not delete them.
 */
export async function endTokensOfLeavers(
  tx: Transaction,
  { organizationIds, projectIds, actorIds }: Left,
): Promise<void> {
  const rows = await tx.sql<Row>(DELETE_TOKENS, [organizationIds, projectIds ?? null, actorIds ?? null]);
  for (const { id, organizationId, projectId, ...data } of rows) {
    invalidate(tx, `token:${id}`, `actor:${id}`);
    record(tx, serviceTokenDeleted, { serviceTokenId: id, ...data }, { projectId, organizationId });
  }
}
