import { reconcile } from '../../jobs/index.ts';
import { conflict, DomainError, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { cancelOrder } from './cancel.ts';
import { attemptOrder } from './run.ts';
import { orders } from './work.ts';

/** The orders of a project that wait, or that have left something to be removed elsewhere. */
const UNFINISHED = statement(
  'certificate_orders.unfinished',
  `select id from certificate_orders
   where organization_id = $1 and project_id = $2 and (status = 'pending' or due_at is not null) order by id`,
);
const CODE = 'certificate_order.unfinished';
/** Milliseconds that a caller waits until what was made elsewhere is removed. */
const PATIENCE_MS = 20_000;

interface ProjectOf {
  readonly organizationId: string;
  readonly projectId: string;
}

/**
 * A project that is deleted would leave what its orders have made elsewhere: records in DNS, orders at authorities.
 *
 * @throws DomainError 400 while orders are not finished.
 */
export async function requireFinishedOrders(tx: Transaction, { organizationId, projectId }: ProjectOf): Promise<void> {
  const unfinished = await tx.sql(UNFINISHED, [organizationId, projectId]);
  if (unfinished.length > 0)
    throw conflict(
      CODE,
      'Certificate orders of the project have left records or orders elsewhere, which are being removed: ask again in a moment',
      { orders: unfinished.length },
    );
}

const IN_ORGANIZATION = statement(
  'certificate_orders.unfinished_in',
  `select distinct p.name from certificate_orders o join projects p on p.id = o.project_id
   where o.organization_id = $1 and (o.status = 'pending' or o.due_at is not null) order by p.name`,
);

/** The same for an organization. @throws DomainError 400 */
export async function requireFinishedOrdersIn(tx: Transaction, organizationId: string): Promise<void> {
  const projects = (await tx.sql<{ name: string }>(IN_ORGANIZATION, [organizationId])).map(({ name }) => name);
  if (projects.length > 0)
    throw conflict(
      CODE,
      `Certificate orders of these projects have left records or orders elsewhere: delete the projects first: ${projects.join(', ')}`,
    );
}

/** Whether something was refused because orders are not finished. */
export const isUnfinished = (error: unknown): boolean => error instanceof DomainError && error.code === CODE;

/** Cancels the orders of a project, and removes what they have made elsewhere, as far as that does not take long. */
export async function finishOrders(ctx: Context, { organizationId, projectId }: ProjectOf): Promise<void> {
  const unfinished = await ctx.sql<{ id: string }>(UNFINISHED, [organizationId, projectId]);
  for (const { id } of unfinished) await cancelOrder(ctx, id);
  const end = performance.now() + PATIENCE_MS;
  for (const { id } of unfinished)
    if (performance.now() < end) await reconcile(ctx, orders, { id, organizationId }, { attempt: attemptOrder });
}
