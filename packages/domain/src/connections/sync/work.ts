import { lanes, WorkTable } from '../../jobs/index.ts';
import { BUDGET_MS, CONNECTION_ACCOUNT } from '../connection/index.ts';

/**
 * Syncs as reconciled work, due after a change. Of those with the same document, one is claimed at a time: two would
 * lose each other's writes. The names of the job stay: the previous release creates and takes it, too.
 */
export const syncWork = new WorkTable({
  table: 'secret_syncs',
  where: 't.is_active',
  // Longer than the maximum time of a sync: the holder of an older claim is dead.
  claimMs: 3 * BUDGET_MS,
  isRepeated: true,
  exclusiveBy: 'target',
  account: CONNECTION_ACCOUNT,
  orphanedAfterMs: 60_000,
  job: {
    name: 'integration.sync',
    idName: 'integrationId',
    key: 'integration',
    // Behind what people wait for.
    priority: 10,
    maxAttempts: 3,
    queueOf: lanes('integrations'),
  },
});
