import { SEGMENT_BYTES, unpackSegment, type ArchivedBlock } from './archive/segment.ts';
import { eventLines, hashesOf, readBlocks, sealedBlock, type BlockRow } from './block-rows.ts';
import { asQuery, statement } from '../kernel/index.ts';
import type { Connection } from './transaction.ts';
import { ALL_EXPIRED, expiredLine, type SealedBlock } from './verify.ts';

/** A link of a chain, with the lines of its events in the sealed order; none for an expiry block. */
export interface ChainBlock {
  readonly sealed: SealedBlock;
  readonly lines: readonly string[];
}

/** Blocks are read so many at a time, and their events in groups of about these bytes. */
export const BLOCKS = 50;
/** An event of a block of an earlier release, about. */
const EVENT_BYTES = 2_000;

const RANGE = statement(
  'audit_chain.range',
  `select least(
         (select g.first_sequence from audit_segments g where g.organization_id = $1 order by g.first_sequence limit 1),
         (select b.sequence from audit_blocks b where b.organization_id = $1 order by b.sequence limit 1))::float8 as first,
       (select max(sequence) from audit_blocks where organization_id = $1 and kind = 'events')::float8 as last`,
);

/** The whole chain that is here: from the first block that was not removed to the last one. */
async function chainRange(client: Connection, organizationId: string): Promise<{ first: number; last: number }> {
  const { rows } = await client.query<{ first: number | null; last: number | null }>(asQuery(RANGE, [organizationId]));
  return { first: rows[0]!.first ?? 1, last: rows[0]!.last ?? 0 };
}

/**
 * The blocks from one sequence to another, in order, of rows and of segments. Blocks may be archived meanwhile: what is
 * not found as a row then is in a segment.
 */
export async function* blocksBetween(
  client: Connection,
  organizationId: string,
  first: number,
  last: number,
): AsyncGenerator<ChainBlock> {
  let opened: OpenSegment | undefined;
  for (let next = first; next <= last;) {
    const start = next;
    for await (const block of fromRows(client, organizationId, next, last)) {
      yield block;
      next = block.sealed.block.sequence + 1;
    }
    if (next > last) return;
    if (!opened || next < opened.firstSequence || next > opened.lastSequence)
      opened = await openSegment(client, organizationId, next);
    for (const block of opened?.blocks ?? []) {
      if (block.sealed.block.sequence !== next || next > last) continue;
      yield block;
      next++;
    }
    if (next > start) continue;
    // A gap, which the verifier reports.
    const following = await nextPresent(client, organizationId, next);
    if (following === undefined) return;
    next = following;
  }
}

/** Blocks from this one on, up to the first that is not a row, or not any more. */
async function* fromRows(
  client: Connection,
  organizationId: string,
  next: number,
  last: number,
): AsyncGenerator<ChainBlock> {
  const found = await readBlocks(client, organizationId, { after: next - 1, last, limit: BLOCKS });
  const rows = found.filter((row, index) => Number(row.sequence) === next + index);
  for (const group of groupsOf(rows)) {
    const lines = await eventLines(client, organizationId, group);
    const isIncomplete = group.some(({ eventIds }) => eventIds?.some((id) => !lines.has(id)));
    if (isIncomplete && (await openSegment(client, organizationId, Number(group[0]!.sequence)))) return;
    for (const row of group)
      yield { sealed: sealedBlock(organizationId, row), lines: row.kind === 'events' ? linesOfRow(row, lines) : [] };
  }
}

/** Of an event that has expired, the hash. */
export function linesOfRow(row: BlockRow, lines: ReadonlyMap<string, string>): string[] {
  const hashes = hashesOf(row);
  return row.eventIds?.map((id, index) => lines.get(id) ?? expiredLine(hashes[index]!)) ?? [ALL_EXPIRED];
}

/** Groups of blocks with about as many bytes as are read at once. */
function groupsOf(blocks: readonly BlockRow[]): BlockRow[][] {
  const groups: BlockRow[][] = [];
  let room = 0;
  for (const block of blocks) {
    if (room <= 0) {
      groups.push([]);
      room = SEGMENT_BYTES;
    }
    groups.at(-1)!.push(block);
    room -= block.bytes ?? (block.eventIds?.length ?? 0) * EVENT_BYTES;
  }
  return groups;
}

interface OpenSegment {
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly blocks: readonly ArchivedBlock[];
}

const SEGMENT = statement(
  'audit_segments.of_block',
  `select first_sequence::float8 as "firstSequence", last_sequence::float8 as "lastSequence", content
     from audit_segments s where organization_id = $1 and first_sequence <= $2 order by s.first_sequence desc limit 1`,
);

/** The segment that has a block. */
async function openSegment(
  client: Connection,
  organizationId: string,
  sequence: number,
): Promise<OpenSegment | undefined> {
  const { rows } = await client.query<{ firstSequence: number; lastSequence: number; content: Buffer }>(
    asQuery(SEGMENT, [organizationId, sequence]),
  );
  const row = rows[0];
  if (!row || row.lastSequence < sequence) return undefined;
  return { ...row, blocks: await unpackSegment(row.content) };
}

const NEXT = statement(
  'audit_chain.next',
  `select least(
       (select g.first_sequence from audit_segments g where g.organization_id = $1 and g.first_sequence > $2 order by g.first_sequence limit 1),
       (select b.sequence from audit_blocks b where b.organization_id = $1 and b.sequence > $2 order by b.sequence limit 1))::float8 as next`,
);

async function nextPresent(client: Connection, organizationId: string, after: number): Promise<number | undefined> {
  const { rows } = await client.query<{ next: number | null }>(asQuery(NEXT, [organizationId, after]));
  return rows[0]!.next ?? undefined;
}

/** The first block with an event at or after a time, and the last one with an event at or before another. */
export async function periodRange(
  client: Connection,
  organizationId: string,
  { startDate, endDate }: { readonly startDate?: Date | undefined; readonly endDate?: Date | undefined },
): Promise<{ first: number; last: number }> {
  const chain = await chainRange(client, organizationId);
  const first = startDate ? await boundary(client, organizationId, 'first', startDate) : chain.first;
  const last = endDate ? await boundary(client, organizationId, 'last', endDate) : chain.last;
  return first === undefined || last === undefined ? { first: 1, last: 0 } : { first, last };
}

const BOUNDARIES = {
  first: {
    rows: statement(
      'audit_blocks.first_in_period',
      `select min(sequence)::float8 as sequence from audit_blocks where organization_id = $1 and kind = 'events' and last_event_at >= $2`,
    ),
    segment: statement(
      'audit_segments.first_in_period',
      `select content from audit_segments where organization_id = $1 and last_event_at >= $2 order by first_sequence limit 1`,
    ),
    fits: (block: { lastEventAt: string }, time: string) => block.lastEventAt >= time,
    find: (sequences: readonly number[]) => Math.min(...sequences),
  },
  last: {
    rows: statement(
      'audit_blocks.last_in_period',
      `select max(sequence)::float8 as sequence from audit_blocks where organization_id = $1 and kind = 'events' and first_event_at <= $2`,
    ),
    segment: statement(
      'audit_segments.last_in_period',
      `select content from audit_segments where organization_id = $1 and first_event_at <= $2 order by first_sequence desc limit 1`,
    ),
    fits: (block: { firstEventAt: string }, time: string) => block.firstEventAt <= time,
    find: (sequences: readonly number[]) => Math.max(...sequences),
  },
};

async function boundary(
  client: Connection,
  organizationId: string,
  side: 'first' | 'last',
  time: Date,
): Promise<number | undefined> {
  const { rows: inRows, segment, fits, find } = BOUNDARIES[side];
  const [row] = (await client.query<{ sequence: number | null }>(asQuery(inRows, [organizationId, time]))).rows;
  const [found] = (await client.query<{ content: Buffer }>(asQuery(segment, [organizationId, time]))).rows;
  const sequences = found
    ? (await unpackSegment(found.content))
        .map(({ sealed }) => sealed.block)
        .filter((block) => fits(block, time.toISOString()))
        .map(({ sequence }) => sequence)
    : [];
  const all = [...sequences, ...(row!.sequence === null ? [] : [row!.sequence])];
  return all.length === 0 ? undefined : find(all);
}
