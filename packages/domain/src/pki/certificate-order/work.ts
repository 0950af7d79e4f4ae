import { BUDGET_MS } from '../../connections/connection/index.ts';
import { lanes, WorkTable } from '../../jobs/index.ts';

/** Orders as work: due when something is to be done for one, until nothing remains to be removed elsewhere either. */
export const orders = new WorkTable({
  table: 'certificate_orders',
  claimMs: 3 * BUDGET_MS,
  orphanedAfterMs: 60_000,
  job: {
    name: 'pki.certificate_order',
    idName: 'orderId',
    key: 'certificate-order',
    // Behind what people wait for.
    priority: 10,
    maxAttempts: 3,
    queueOf: lanes('certificate-orders'),
  },
});
