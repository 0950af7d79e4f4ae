import type { KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { eachAlone, type Log } from '../kernel/index.ts';
import { appendBlocks } from './append.ts';
import { expireArchived, type RetentionRule } from './archive/expire.ts';
import { ARCHIVE_LOCK } from './archive/store.ts';
import { INSTANCE_LOG } from './instance-log.ts';
import { dropEmptyPartitions } from './partitions.ts';
import { CHAIN_LOCK, transaction, type Connection } from './transaction.ts';

export interface RetentionDeps {
  readonly pool: Pool;
  /** The Ed25519 key of `auditSigningKey`: removals are recorded in the chain. */
  readonly signingKey: KeyObject;
  readonly log: Log;
  now(): Date;
}

/** Events per transaction. Deleted rows are never written again, so no writer waits. */
const BATCH = 5_000;

/**
 * The retention of an event: that of its project; if it has none, or the project was deleted, that of the organization;
 * otherwise forever. The instance's own log has its own setting.
 */
const RULES = `
  select organization_id as "organizationId", project_id as "projectId", audit_retention_days(organization_id, project_id) as days from (
    select organization_id, id as project_id from projects
    union all select id, null from organizations
    union all select '${INSTANCE_LOG}', null
  ) places where audit_retention_days(organization_id, project_id) is not null
  order by 1, 2`;

/** The same for one event `e`, in days. */
export const RETENTION_DAYS =
  'coalesce(audit_retention_days(e.organization_id, e.project_id), audit_retention_days(e.organization_id, null))';

/**
 * Removes expired events, of rows and of segments, and empty partitions. Only sealed events are removed, and each removal is a signed block of
 * the organization's chain, so that a verifier can tell expiry from tampering. Blocks stay; their hashes of single
 * events are removed when the last of their events is removed. Can be interrupted and repeated at any time. What fails at one place
 * keeps no other from being done.
 *
 * @throws Afterwards, the first of these failures.
 */
export async function dropExpired(deps: RetentionDeps): Promise<{ events: number; partitions: string[] }> {
  const { rows: rules } = await deps.pool.query<RetentionRule>(RULES);
  let events = 0;
  const drop = async (rule: RetentionRule) => {
    const before = new Date(deps.now().getTime() - rule.days * 86_400_000);
    for (;;) {
      const removed = await transaction(deps.pool, (client) => removeBatch(client, deps, rule, before));
      events += removed;
      if (removed < BATCH) break;
    }
    events += await expireArchived(deps, rule);
  };
  let partitions: string[] = [];
  try {
    await eachAlone(rules, drop, (err, { organizationId, projectId }) => {
      deps.log.error({ err, organizationId, projectId }, 'Events whose retention is over could not be removed');
    });
  } finally {
    partitions = await dropEmptyPartitions(deps.pool, deps.now());
  }
  return { events, partitions };
}

/** The owner's function, which reads the rule itself and removes nothing that is not due. */
const REMOVE = `select events, audit_time(first) as first, audit_time(last) as last from audit_expire($1, $2, $3, $4)`;

async function removeBatch(
  client: Connection,
  deps: RetentionDeps,
  rule: RetentionRule,
  before: Date,
): Promise<number> {
  await client.query(`select pg_advisory_xact_lock(${ARCHIVE_LOCK})`);
  await client.query(`select pg_advisory_xact_lock(${CHAIN_LOCK})`);
  const { organizationId, projectId } = rule;
  const { rows } = await client.query<{ events: number; first: string; last: string }>(REMOVE, [
    organizationId,
    projectId,
    before,
    BATCH,
  ]);
  const { events, first, last } = rows[0]!;
  if (events === 0) return 0;
  const range = await blocksBetween(client, organizationId, first, last);
  await client.query('select audit_forget_blocks($1, $2, $3)', [
    organizationId,
    range.firstSequence,
    range.lastSequence,
  ]);
  await appendBlocks(client, deps.signingKey, [
    {
      kind: 'expiry',
      organizationId,
      projectId,
      before: before.toISOString(),
      events,
      ...range,
      sealedAt: deps.now().toISOString(),
    },
  ]);
  return events;
}

/** The blocks that may hold events of these times. */
async function blocksBetween(client: Connection, organizationId: string, first: string, last: string) {
  const { rows } = await client.query<{ first: string; last: string }>(
    `select min(sequence)::text as first, max(sequence)::text as last from audit_blocks
     where organization_id = $1 and kind = 'events' and first_event_at <= $3 and last_event_at >= $2`,
    [organizationId, first, last],
  );
  return { firstSequence: Number(rows[0]!.first), lastSequence: Number(rows[0]!.last) };
}
