import { WorkTable, type Due } from '../../jobs/index.ts';
import { BUDGET_MS } from '../connection/index.ts';

/** An organization's syncs take no more than two at a time of what runs the jobs of all: a target may be slow. */
const laneOf = ({ id, organizationId }: Due): string =>
  `integrations:${organizationId.slice(-2)}${Number.parseInt(id.slice(-1), 16) % 2}`;

/**
 * Syncs, as work that is due when something has changed. Of those that write one document, one is claimed at a time: two
 * would each lose the other's. The names of the job stay: the release before this one makes and takes it, too.
 */
export const syncWork = new WorkTable({
  table: 'secret_syncs',
  where: 't.is_active',
  // Longer than a sync may take: whoever still holds a claim then is dead.
  claimMs: 3 * BUDGET_MS,
  isRepeated: true,
  exclusiveBy: 'target',
  orphanedAfterMs: 60_000,
  job: {
    name: 'integration.sync',
    idName: 'integrationId',
    key: 'integration',
    // Behind what people wait for.
    priority: 10,
    maxAttempts: 3,
    queueOf: laneOf,
  },
});
