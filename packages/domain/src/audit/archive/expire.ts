import type { KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { asQuery, mapInTurns, statement } from '../../kernel/index.ts';
import { appendBlocks } from '../append.ts';
import { CHAIN_LOCK, transaction, type Connection } from '../transaction.ts';
import { ArchiveProofs } from './proof.ts';
import {
  isEvent,
  lineCost,
  packSegment,
  unpackSegment,
  withExpired,
  type ArchivedBlock,
  type ArchivedEvent,
} from './segment.ts';
import { ARCHIVE_LOCK, storeSegment } from './store.ts';

export interface ExpiryDeps {
  readonly pool: Pool;
  readonly signingKey: KeyObject;
  now(): Date;
}

/** The retention of one project, or of an organization without its projects that have their own. */
export interface RetentionRule {
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly days: number;
}

/**
 * Removes expired events from segments. Each segment is one transaction, with the signed block that accounts for what it
 * lost. Returns the number of events.
 */
export async function expireArchived(deps: ExpiryDeps, rule: RetentionRule): Promise<number> {
  const proofs = new ArchiveProofs(deps.signingKey);
  const before = new Date(deps.now().getTime() - rule.days * 86_400_000);
  let events = 0;
  for (let after = 0; ;) {
    const next = await nextDue(deps.pool, rule, before, after);
    if (next === undefined) return events;
    events += await transaction(deps.pool, (client) =>
      expireIn(client, { deps, proofs, rule, before, sequence: next }),
    );
    after = next;
  }
}

const DUE = statement(
  'audit_segments.due',
  `select s.first_sequence::float8 as sequence from audit_segments s
     where s.organization_id = $1 and s.first_sequence > $2 and s.later_from < $3 and s.oldest_event_at < $3 and s.events > 0
       and case when $4::uuid is not null then s.project_ids @> array[$4::uuid] else exists (
         select from unnest(s.project_ids) of (id) where not exists (
           select from projects p where p.id = of.id and p.audit_logs_retention_days > 0)) end
     order by s.first_sequence limit 1`,
);

/** The next segment that may have something to expire. */
async function nextDue(
  pool: Pool,
  { organizationId, projectId }: RetentionRule,
  before: Date,
  after: number,
): Promise<number | undefined> {
  const { rows } = await pool.query<{ sequence: number }>(asQuery(DUE, [organizationId, after, before, projectId]));
  return rows[0]?.sequence;
}

interface Work {
  readonly deps: ExpiryDeps;
  readonly proofs: ArchiveProofs;
  readonly rule: RetentionRule;
  readonly before: Date;
  readonly sequence: number;
}

async function expireIn(client: Connection, { deps, proofs, rule, before, sequence }: Work): Promise<number> {
  const { organizationId, projectId, days } = rule;
  await client.query(`select pg_advisory_xact_lock(${ARCHIVE_LOCK})`);
  await client.query(`select pg_advisory_xact_lock(${CHAIN_LOCK})`);
  const segment = await readSegment(client, organizationId, sequence);
  if (!segment) return 0;
  const expiredBefore = await earlier(client, before, days);
  const isDue = await dueBy(client, rule, expiredBefore);
  const changed = await mapInTurns(segment.blocks, costOf, (block) => withExpired(block, isDue));
  const numbers = changed.map((block, index) => eventsOf(segment.blocks[index]!) - eventsOf(block));
  const affected = segment.blocks.filter((_, index) => numbers[index]! > 0).map(({ sealed }) => sealed.block.sequence);
  const events = numbers.reduce((sum, number) => sum + number, 0);
  if (events === 0) return 0;
  const packed = await packSegment(changed, segment);
  await storeSegment(client, proofs, organizationId, packed, { expiredOf: projectId, expiredBefore });
  await appendBlocks(client, deps.signingKey, [
    {
      kind: 'expiry',
      organizationId,
      projectId,
      before: expiredBefore,
      events,
      firstSequence: Math.min(...affected),
      lastSequence: Math.max(...affected),
      sealedAt: deps.now().toISOString(),
    },
  ]);
  return events;
}

const costOf = ({ lines }: ArchivedBlock): number => lines.reduce((sum, line) => sum + lineCost(line), 0);
const eventsOf = ({ lines }: ArchivedBlock): number => lines.filter(isEvent).length;

const SEGMENT = statement(
  'audit_segments.by_sequence',
  `select last_sequence::float8 as "lastSequence", content from audit_segments where organization_id = $1 and first_sequence = $2`,
);

async function readSegment(client: Connection, organizationId: string, sequence: number) {
  const { rows } = await client.query<{ lastSequence: number; content: Buffer }>(
    asQuery(SEGMENT, [organizationId, sequence]),
  );
  const row = rows[0];
  return row && { firstSequence: sequence, lastSequence: row.lastSequence, blocks: await unpackSegment(row.content) };
}

/** The time before which events are due by the clock of the database, too. */
async function earlier(client: Connection, before: Date, days: number): Promise<string> {
  const { rows } = await client.query<{ time: string }>(
    'select audit_time(least($1::timestamptz, clock_timestamp() - make_interval(days => $2))) as time',
    [before, days],
  );
  return rows[0]!.time;
}

/** Whether an event falls under the rule: of the project, or of no project with a retention of its own. */
async function dueBy(
  client: Connection,
  { organizationId, projectId }: RetentionRule,
  before: string,
): Promise<(event: ArchivedEvent) => boolean> {
  if (projectId !== null) return (event) => event.projectId === projectId && event.createdAt < before;
  const { rows } = await client.query<{ id: string }>(
    'select id from projects where organization_id = $1 and audit_logs_retention_days > 0',
    [organizationId],
  );
  const own = new Set(rows.map(({ id }) => id));
  return (event) => !own.has(event.projectId ?? '') && event.createdAt < before;
}
