import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import {
  blockLine,
  endLine,
  expiredLine,
  headerLine,
  type AuditBlock,
  type SealedBlock,
  AUDIT_FORMAT,
} from './verify.ts';

/** The range of an export: whole blocks, from the one with the first event of the period to the one with the last. */
export interface ExportPeriod {
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
}

/** Blocks are read so many at a time, and their events in groups of about this size. */
const BLOCKS = 50;
const EVENTS = 2_000;

interface BlockRow {
  sequence: string;
  kind: 'events' | 'expiry';
  events: number;
  eventIds: string[] | null;
  eventHashes: Buffer | null;
  contentHash: string | null;
  firstEventAt: string | null;
  lastEventAt: string | null;
  expiry: { projectId: string | null; before: string; firstSequence: number; lastSequence: number } | null;
  previousHash: string;
  hash: string;
  signature: string;
  sealedAt: string;
}

const COLUMNS = `sequence::text, kind, events, event_ids as "eventIds", event_hashes as "eventHashes",
  encode(content_hash, 'hex') as "contentHash", audit_time(first_event_at) as "firstEventAt",
  audit_time(last_event_at) as "lastEventAt", expiry, encode(previous_hash, 'hex') as "previousHash",
  encode(hash, 'hex') as hash, encode(signature, 'base64') as signature, audit_time(sealed_at) as "sealedAt"`;

/**
 * The lines of an organization's export (for the format, see `verify.ts`), read on demand: memory does not grow with
 * the log.
 */
export async function* exportLines(
  pool: Pick<Pool, 'query'>,
  organizationId: string,
  period: ExportPeriod = {},
): AsyncGenerator<string> {
  const digest = createHash('sha256');
  const noted = (line: string): string => {
    digest.update(line).update('\n');
    return line;
  };
  const totals = { blocks: 0, events: 0, expired: 0, sequence: null as number | null, hash: null as string | null };
  yield noted(headerLine(organizationId, await publicKey(pool)));
  const { first, last } = await rangeOf(pool, organizationId, period);
  for (let after = first - 1; ;) {
    const blocks = await readBlocks(pool, organizationId, after, last);
    for (const group of groupsOf(blocks)) {
      const lines = await eventLines(pool, organizationId, group);
      for (const row of group) {
        const sealed = sealedBlock(organizationId, row);
        yield noted(blockLine(sealed));
        totals.blocks++;
        totals.sequence = sealed.block.sequence;
        totals.hash = sealed.hash;
        if (row.kind === 'expiry') continue;
        if (!row.eventIds) {
          totals.expired += row.events;
          yield noted(expiredLine('all'));
        }
        for (const [index, id] of (row.eventIds ?? []).entries()) {
          const line = lines.get(id);
          if (line === undefined) totals.expired++;
          else totals.events++;
          yield noted(line ?? expiredLine(row.eventHashes!.toString('hex', index * 32, index * 32 + 32)));
        }
      }
    }
    if (blocks.length < BLOCKS) break;
    after = Number(blocks.at(-1)!.sequence);
  }
  if (totals.sequence !== null) {
    for await (const row of laterExpiries(pool, organizationId, first, totals.sequence))
      yield noted(blockLine(sealedBlock(organizationId, row), 'later'));
  }
  yield endLine(totals, digest.digest('hex'));
}

/** Characters per chunk; one line would be too small. */
const CHUNK = 64 * 1024;

/** Lines in chunks, each after a call of `ask`, which throws to stop the export. */
export async function* chunksOf(lines: AsyncIterable<string>, ask: () => Promise<void>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK) continue;
    await ask();
    yield chunk;
    chunk = '';
  }
  if (chunk === '') return;
  await ask();
  yield chunk;
}

async function publicKey(pool: Pick<Pool, 'query'>): Promise<string> {
  const { rows } = await pool.query<{ key: string }>('select audit_public_key as key from instance');
  return rows[0]!.key;
}

/** The first and last block of a period; without an end, the current last one. */
async function rangeOf(
  pool: Pick<Pool, 'query'>,
  organizationId: string,
  { startDate, endDate }: ExportPeriod,
): Promise<{ first: number; last: number }> {
  const { rows } = await pool.query<{ first: string | null; last: string | null }>(
    `select (select min(sequence)::text from audit_blocks where organization_id = $1 and kind = 'events' and last_event_at >= $2) as first,
       (select max(sequence)::text from audit_blocks where organization_id = $1 and kind = 'events' and first_event_at <= $3) as last`,
    [organizationId, startDate ?? '-infinity', endDate ?? 'infinity'],
  );
  const { first, last } = rows[0]!;
  const isEmpty = (startDate && first === null) || (endDate && last === null);
  if (isEmpty) return { first: 1, last: 0 };
  return { first: startDate ? Number(first) : 1, last: Number(last) };
}

async function readBlocks(
  pool: Pick<Pool, 'query'>,
  organizationId: string,
  after: number,
  last: number,
): Promise<BlockRow[]> {
  const { rows } = await pool.query<BlockRow>(
    `select ${COLUMNS} from audit_blocks where organization_id = $1 and sequence > $2 and sequence <= $3
     order by audit_blocks.sequence limit ${BLOCKS}`,
    [organizationId, after, last],
  );
  return rows;
}

/** Expiry blocks after the period that account for events which it lacks. */
async function* laterExpiries(
  pool: Pick<Pool, 'query'>,
  organizationId: string,
  first: number,
  last: number,
): AsyncGenerator<BlockRow> {
  for (let after = last; ;) {
    const { rows } = await pool.query<BlockRow>(
      `select ${COLUMNS} from audit_blocks where organization_id = $1 and kind = 'expiry' and sequence > $2
         and (expiry ->> 'firstSequence')::bigint <= $4 and (expiry ->> 'lastSequence')::bigint >= $3
       order by audit_blocks.sequence limit ${BLOCKS}`,
      [organizationId, after, first, last],
    );
    yield* rows;
    if (rows.length < BLOCKS) return;
    after = Number(rows.at(-1)!.sequence);
  }
}

/** Groups of blocks with about as many events as are read at once. */
function groupsOf(blocks: readonly BlockRow[]): BlockRow[][] {
  const groups: BlockRow[][] = [];
  let room = 0;
  for (const block of blocks) {
    if (room <= 0) {
      groups.push([]);
      room = EVENTS;
    }
    groups.at(-1)!.push(block);
    room -= block.eventIds?.length ?? 0;
  }
  return groups;
}

async function eventLines(
  pool: Pick<Pool, 'query'>,
  organizationId: string,
  blocks: readonly BlockRow[],
): Promise<Map<string, string>> {
  const ids = blocks.flatMap((block) => block.eventIds ?? []);
  if (ids.length === 0) return new Map();
  const times = blocks
    .filter((block) => block.eventIds)
    .flatMap((block) => [block.firstEventAt!, block.lastEventAt!])
    .toSorted();
  const { rows } = await pool.query<{ id: string; line: string }>(
    `select id, audit_event_line(e) as line from audit_events e
     where organization_id = $1 and id = any ($2::uuid[]) and created_at between $3 and $4`,
    [organizationId, ids, times[0], times.at(-1)],
  );
  return new Map(rows.map(({ id, line }) => [id, line]));
}

function sealedBlock(organizationId: string, row: Omit<BlockRow, 'eventIds' | 'eventHashes'>): SealedBlock {
  const place = {
    version: AUDIT_FORMAT,
    organizationId,
    sequence: Number(row.sequence),
    previousHash: row.previousHash,
    sealedAt: row.sealedAt,
  };
  const block: AuditBlock =
    row.kind === 'events'
      ? {
          ...place,
          kind: 'events',
          events: row.events,
          contentHash: row.contentHash!,
          firstEventAt: row.firstEventAt!,
          lastEventAt: row.lastEventAt!,
        }
      : { ...place, kind: 'expiry', events: row.events, ...row.expiry! };
  return { block, hash: row.hash, signature: row.signature.replaceAll('\n', '') };
}
