import { notFound, statement, type Transaction } from '../../kernel/index.ts';

const LOCK = statement(
  'environment.lock_order',
  'select id from projects where organization_id = $1 and id = $2 for no key update',
);
const ORDER = statement(
  'environment.order',
  'select id from environments where project_id = $1 order by position, created_at, id',
);
const REORDER = statement(
  'environment.reorder',
  `update environments e set position = o.position from unnest($2::uuid[]) with ordinality as o (id, position)
   where e.project_id = $1 and e.id = o.id and e.position <> o.position`,
);

/** Locks the order of a project's environments until the end of the transaction. */
export async function lockOrder(tx: Transaction, organizationId: string, projectId: string): Promise<void> {
  const [project] = await tx.sql(LOCK, [organizationId, projectId]);
  if (!project) throw notFound('project');
}

/**
 * Numbers a project's environments from 1 without gaps, with one of them at a position (the last, if that is too high)
 * and the others in their order around it. Returns their IDs in order.
 */
export async function arrange(
  tx: Transaction,
  projectId: string,
  moved?: { readonly id: string; readonly position: number },
): Promise<string[]> {
  const rows = await tx.sql<{ id: string }>(ORDER, [projectId]);
  const ids = rows.map(({ id }) => id).filter((id) => id !== moved?.id);
  if (moved) ids.splice(moved.position - 1, 0, moved.id);
  await tx.sql(REORDER, [projectId, ids]);
  return ids;
}
