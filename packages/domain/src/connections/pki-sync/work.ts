import { lanes, WorkTable } from '../../jobs/index.ts';
import { BUDGET_MS, CONNECTION_ACCOUNT } from '../connection/index.ts';

/** PKI syncs as reconciled work: due after a change, a request or a failure, and when a certificate expires. */
export const pkiSyncWork = new WorkTable({
  table: 'pki_syncs',
  // Longer than a sync can take.
  claimMs: 3 * BUDGET_MS,
  isRepeated: true,
  account: CONNECTION_ACCOUNT,
  orphanedAfterMs: 60_000,
  job: {
    name: 'pki.sync',
    idName: 'syncId',
    key: 'pki-sync',
    // Behind what people wait for.
    priority: 10,
    maxAttempts: 3,
    queueOf: lanes('pki-syncs'),
  },
});
