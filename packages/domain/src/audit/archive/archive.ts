import type { KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { eventLines, readBlocks, sealedBlock } from '../block-rows.ts';
import { linesOfRow } from '../chain.ts';
import { organizationsIn } from '../organizations-in.ts';
import { transaction, type Connection } from '../transaction.ts';
import { asQuery, statement, type Log } from '../../kernel/index.ts';
import { ArchiveProofs } from './proof.ts';
import { HEAD, packSegment, SEGMENT_BYTES, segmentBytes, unpackSegment, type ArchivedBlock } from './segment.ts';
import { ARCHIVE_LOCK, storeSegment } from './store.ts';

export interface ArchiveDeps {
  readonly pool: Pool;
  readonly log: Log;
  /** The Ed25519 key of `auditSigningKey`. */
  readonly signingKey: KeyObject;
  now(): Date;
}

export interface ArchiveOptions {
  /** Milliseconds since the sealing of a block. */
  readonly age?: number;
  /** Milliseconds after which no further segment is begun. */
  readonly patience?: number;
  /** A segment is full with so many events. */
  readonly full?: number;
}

export interface Archived {
  readonly events: number;
  readonly segments: number;
}

/** The job runs every ten minutes: within an hour, all is archived. */
const AGE_MS = 30 * 60_000;
const PATIENCE_MS = 8 * 60_000;

/** A page opens one or two segments, in a few milliseconds each; `SEGMENT_BYTES` bounds those of large events. */
const FULL = 2_000;
/** Segments that are half full are merged with what comes next, unless they have many blocks. */
const SMALL_BYTES = 65_536;
/** Blocks of a quiet organization have one or two events each. */
const MAX_BLOCKS = 2_000;

/**
 * Moves sealed events into segments. Each segment is one transaction: it is stored and its rows are removed, or
 * nothing is done. Every process may call it at any time; a lock lets one work at a time.
 */
export async function archiveSealed(
  deps: ArchiveDeps,
  { age = AGE_MS, patience = PATIENCE_MS, full = FULL }: ArchiveOptions = {},
): Promise<Archived> {
  const proofs = new ArchiveProofs(deps.signingKey);
  const before = new Date(deps.now().getTime() - age);
  const end = performance.now() + patience;
  const total = { events: 0, segments: 0 };
  for (const organizationId of await organizationsWithBlocks(deps.pool)) {
    try {
      for (;;) {
        if (performance.now() > end) return total;
        const events = await transaction(deps.pool, (client) =>
          archiveNext(client, { proofs, organizationId, before, full }),
        );
        if (events === undefined) break;
        total.events += events;
        total.segments++;
      }
    } catch (error) {
      deps.log.error(
        { err: error, organizationId },
        'Events of the audit log could not be archived; they stay as they are',
      );
    }
  }
  return total;
}

/**
 * Whether all processes read segments: from a day after the migration on, when those of the release before it have ended.
 * An instance that began with this release has no others.
 */
export async function mayArchive(pool: Pool, signingKey: KeyObject): Promise<boolean> {
  const { rows } = await pool.query<{ isTime: boolean }>(
    `select max(ran_at) filter (where name = '0058-audit-segments') < greatest(now() - interval '1 day', min(ran_at) + interval '1 hour')
       as "isTime" from schema_migrations`,
  );
  return rows[0]!.isTime && new ArchiveProofs(signingKey).areAccepted(pool);
}

const ORGANIZATIONS = statement(
  'audit_blocks.organizations',
  `select id from ${organizationsIn('audit_blocks')} order by random()`,
);

/** All that have blocks which are not archived, in no order: the time may not suffice for all, and not always the same ones are left. */
async function organizationsWithBlocks(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(asQuery(ORGANIZATIONS, []));
  return rows.map(({ id }) => id);
}

interface Work {
  readonly organizationId: string;
  readonly before: Date;
  readonly full: number;
}

/** Stores the next segment of an organization; `undefined` if nothing is due, or another process is at it. */
async function archiveNext(
  client: Connection,
  { proofs, ...work }: Work & { readonly proofs: ArchiveProofs },
): Promise<number | undefined> {
  const { organizationId } = work;
  const { rows: locks } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(${ARCHIVE_LOCK}) as locked`,
  );
  if (!locks[0]!.locked) return undefined;
  const tail = await readTail(client, work);
  const last = await lastDue(client, work, tail);
  if (last === undefined) return undefined;
  const rows = await readBlocks(client, organizationId, { after: tail?.lastSequence ?? 0, last, limit: MAX_BLOCKS });
  const lines = await eventLines(client, organizationId, rows);
  const blocks = rows
    .filter(({ kind }) => kind === 'events')
    .map((row) => ({
      sealed: sealedBlock(organizationId, row) as ArchivedBlock['sealed'],
      lines: linesOfRow(row, lines),
    }));
  const merged = tail?.content ? await unpackSegment(tail.content) : undefined;
  const segment = await packSegment([...(merged ?? []), ...blocks], {
    firstSequence: merged ? tail!.firstSequence : Number(rows[0]!.sequence),
    lastSequence: last,
  });
  return storeSegment(client, proofs, organizationId, segment);
}

interface Tail {
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** Of a small segment, which the next events are added to. */
  readonly content: Buffer | null;
  /** Of its lines; nothing for one that stays as it is. */
  readonly bytes: number;
}

const TAIL = statement(
  'audit_segments.tail',
  `select first_sequence::float8 as "firstSequence", last_sequence::float8 as "lastSequence",
       case when events < $2 and length(content) < ${SMALL_BYTES} then content end as content
     from audit_segments s where organization_id = $1 order by s.first_sequence desc limit 1`,
);

async function readTail(client: Connection, { organizationId, full }: Work): Promise<Tail | undefined> {
  const { rows } = await client.query<Omit<Tail, 'bytes'>>(asQuery(TAIL, [organizationId, full / 2]));
  const [row] = rows;
  if (!row) return undefined;
  const bytes = row.content ? segmentBytes(row.content.subarray(0, HEAD), row.content.length) : 0;
  return bytes < SEGMENT_BYTES / 2 ? { ...row, bytes } : { ...row, content: null, bytes: 0 };
}

const DUE = statement(
  'audit_blocks.due',
  `select sequence::float8 as sequence, kind, events, bytes::float8 as bytes, sealed_at < $3 and sequence < (
         select n.sequence from audit_blocks n where n.organization_id = $1 order by n.sequence desc limit 1) as "isDue"
       from audit_blocks b where organization_id = $1 and sequence > $2 order by b.sequence limit ${MAX_BLOCKS}`,
);

interface DueBlock {
  readonly sequence: number;
  readonly kind: string;
  readonly events: number;
  readonly bytes: number | null;
  readonly isDue: boolean;
}

/** The last block of events of the next segment. The newest block of a chain is never moved: the next one refers to it. */
async function lastDue(
  client: Connection,
  { organizationId, before, full }: Work,
  tail: Tail | undefined,
): Promise<number | undefined> {
  const after = tail?.lastSequence ?? 0;
  const { rows } = await client.query<DueBlock>(asQuery(DUE, [organizationId, after, before]));
  let events = 0;
  let bytes = tail?.bytes ?? 0;
  let last: number | undefined;
  for (const row of rows) {
    if (!row.isDue || events >= full) break;
    if (row.kind !== 'events') continue;
    bytes += row.bytes ?? (await measured(client, organizationId, row.sequence));
    if (last !== undefined && bytes > SEGMENT_BYTES) break;
    events += row.events;
    last = row.sequence;
  }
  return last;
}

const MEASURED = statement(
  'audit_blocks.measured',
  `select coalesce(sum(octet_length(audit_event_line(e))), 0)::float8 as bytes from audit_blocks b
     join audit_events e on e.id = any (b.event_ids) and e.organization_id = b.organization_id
       and e.created_at between b.first_event_at and b.last_event_at
     where b.organization_id = $1 and b.sequence = $2`,
);

/** The bytes of the lines of a block that an earlier release has sealed. */
async function measured(client: Connection, organizationId: string, sequence: number): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(asQuery(MEASURED, [organizationId, sequence]));
  return rows[0]!.bytes;
}
