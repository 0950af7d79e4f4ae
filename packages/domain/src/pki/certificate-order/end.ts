import { reconcile } from '../../jobs/index.ts';
import { DomainError, statement, type Context } from '../../kernel/index.ts';
import { defineDeletionBlocker } from '../../projects/project/index.ts';
import { IS_UNFINISHED } from '../external-authority/index.ts';
import { cancelOrder } from './cancel.ts';
import { attemptOrder } from './run.ts';
import { orders } from './work.ts';

const UNFINISHED = statement(
  'certificate_orders.unfinished',
  `select t.id from certificate_orders t
   where t.organization_id = $1 and t.project_id = $2 and ${IS_UNFINISHED} order by t.id`,
);
const CODE = 'certificate_order.unfinished';
/** Milliseconds that a caller waits until what was made elsewhere is removed. */
const PATIENCE_MS = 20_000;

interface ProjectOf {
  readonly organizationId: string;
  readonly projectId: string;
}

/** What orders have made elsewhere until they are finished: records in DNS, orders at authorities. */
export const unfinishedOrders = defineDeletionBlocker({
  name: 'certificate_orders.unfinished',
  code: CODE,
  from: 'certificate_orders t',
  where: IS_UNFINISHED,
  inProject:
    'Certificate orders of the project have left records or orders elsewhere, which are being removed: ask again in a moment',
  inOrganization:
    'Certificate orders of these projects have left records or orders elsewhere: delete the projects first',
});

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
