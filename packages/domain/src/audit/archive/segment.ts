import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress, type ZstdOptions } from 'node:zlib';
import { mapInTurns, WorkBudget } from '../../kernel/index.ts';
import { INSTANCE_LOG } from '../instance-log.ts';
import {
  ALL_EXPIRED,
  blockHash,
  blockLine,
  contentHash,
  eventHash,
  expiredLine,
  type EventsBlock,
  type SealedBlock,
} from '../verify.ts';
import { bloomOf, termsOf, type Filterable } from './terms.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Higher levels cost more than they save. The size is noted in the compressed form. */
const optionsFor = (size: number): ZstdOptions & { readonly pledgedSrcSize: number } => ({
  params: { [constants.ZSTD_c_compressionLevel]: 6 },
  pledgedSrcSize: size,
});

/**
 * The maximum of one segment in bytes of its lines: what a page opens at a time. A block with more is a segment of its own; the
 * sealer makes none, unless a single event is as large.
 */
export const SEGMENT_BYTES = 4 * 1024 * 1024;

/** A block of events with their lines in the sealed order, or what is left of those that have expired; see `verify.ts`. */
export interface ArchivedBlock {
  readonly sealed: SealedBlock & { readonly block: EventsBlock };
  readonly lines: readonly string[];
}

/** An event as its line says it. */
export interface ArchivedEvent extends Filterable {
  readonly id: string;
  readonly projectId: string | null;
  readonly createdAt: string;
  readonly actor: Record<string, unknown>;
}

export const isEvent = (line: string): boolean => line.startsWith('{"event":');
export const eventIn = (line: string): ArchivedEvent => (JSON.parse(line) as { event: ArchivedEvent }).event;

/** Of a segment, what the database keeps beside its content. */
export interface SegmentSummary {
  readonly events: number;
  readonly oldestEventAt: string | null;
  readonly firstEventAt: string;
  readonly lastEventAt: string;
  readonly projectIds: readonly string[];
}

export interface Segment {
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly summary: SegmentSummary;
  readonly terms: Buffer;
  readonly content: Buffer;
}

/** The id that stands for no project. */
export const NO_PROJECT = INSTANCE_LOG;

/** What reading a line costs, in steps of `WorkBudget`. */
export const lineCost = (line: { readonly length: number }): number => 1 + line.length / 300;

const LINE_FEED = 10;
/** Lines are put together in pieces of so many characters. */
const PIECE = 65_536;

/**
 * Compresses blocks in the order of their chain; other requests are let through in between.
 *
 * @throws Error if a block is not what was sealed, or the compressed form is not the same again.
 */
export async function packSegment(
  blocks: readonly ArchivedBlock[],
  range: { readonly firstSequence: number; readonly lastSequence: number },
): Promise<Segment> {
  const lines = blocks.flatMap((block) => block.lines);
  requireSealed(blocks, await mapInTurns(lines, lineCost, hashIn));
  const text = await textOf(blocks);
  const content = await compress(text, optionsFor(text.length));
  if (!(await decompress(content)).equals(text))
    throw new Error('A segment of the audit log was not compressed correctly');
  const terms = new Set<string>();
  const events = await mapInTurns(lines.filter(isEvent), lineCost, (line) => {
    const event = eventIn(line);
    for (const term of termsOf(event)) terms.add(term);
    return { createdAt: event.createdAt, projectId: event.projectId ?? NO_PROJECT };
  });
  const times = blocks.map(({ sealed: { block } }) => block);
  return {
    ...range,
    content,
    terms: await bloomOf(terms),
    summary: {
      events: events.length,
      oldestEventAt: least(events.map(({ createdAt }) => createdAt)) ?? null,
      firstEventAt: least(times.map(({ firstEventAt }) => firstEventAt))!,
      lastEventAt: times.map(({ lastEventAt }) => lastEventAt).reduce((one, other) => (one > other ? one : other)),
      projectIds: [...new Set(events.map(({ projectId }) => projectId))].toSorted(),
    },
  };
}

/** The lines of blocks and their events, without a line feed at the end. */
async function textOf(blocks: readonly ArchivedBlock[]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const pace = new WorkBudget();
  let piece = '';
  for (const { sealed, lines } of blocks)
    for (const line of [blockLine(sealed), ...lines]) {
      piece += `\n${line}`;
      if (piece.length < PIECE) continue;
      pieces.push(Buffer.from(piece));
      await pace.spendAndRest(lineCost(piece));
      piece = '';
    }
  return Buffer.concat([...pieces, Buffer.from(piece)]).subarray(1);
}

const least = (times: readonly string[]): string | undefined =>
  times.length === 0 ? undefined : times.reduce((one, other) => (one < other ? one : other));

export async function unpackSegment(content: Buffer): Promise<ArchivedBlock[]> {
  const text = await decompress(content);
  const blocks: { sealed: ArchivedBlock['sealed']; lines: string[] }[] = [];
  const pace = new WorkBudget();
  for (let start = 0; start <= text.length;) {
    const found = text.indexOf(LINE_FEED, start);
    const end = found === -1 ? text.length : found;
    const line = text.toString('utf8', start, end);
    if (line.startsWith('{"block":')) blocks.push({ sealed: JSON.parse(line) as ArchivedBlock['sealed'], lines: [] });
    else blocks.at(-1)!.lines.push(line);
    pace.spend(lineCost(line));
    if (pace.shouldYield) await pace.rest();
    start = end + 1;
  }
  return blocks;
}

/** So many bytes at its beginning say how large the content of a segment is. */
export const HEAD = 18;
/** Segments of an earlier release do not say it: an estimate, by how well lines are compressed. */
const RATIO = 12;

/** The bytes of the lines of a segment, by the first bytes of its content and its length (RFC 8878, section 3.1.1.1). */
export function segmentBytes(head: Buffer, length: number): number {
  const descriptor = head[4]!;
  const isSingle = (descriptor >> 5) & 1;
  const size = [isSingle, 2, 4, 8][descriptor >> 6]!;
  if (size === 0) return length * RATIO;
  const start = 6 - isSingle + [0, 1, 2, 4][descriptor & 3]!;
  if (size === 8) return Number(head.readBigUInt64LE(start));
  return head.readUIntLE(start, size) + (size === 2 ? 256 : 0);
}

/** The lines of a block some of whose events have expired. */
export function withExpired(
  { sealed, lines }: ArchivedBlock,
  hasExpired: (event: ArchivedEvent) => boolean,
): ArchivedBlock {
  const left = lines.map((line) => (isEvent(line) && hasExpired(eventIn(line)) ? expiredLine(eventHash(line)) : line));
  return { sealed, lines: left.some(isEvent) ? left : [ALL_EXPIRED] };
}

/** Of an event, or of what is left of it. */
const hashIn = (line: string): string =>
  isEvent(line) ? eventHash(line) : (JSON.parse(line) as { expired: string }).expired;

/** @param hashes Of the lines of all blocks, in order. */
function requireSealed(blocks: readonly ArchivedBlock[], hashes: readonly string[]): void {
  let at = 0;
  for (const { sealed, lines } of blocks) {
    const { block, hash } = sealed;
    const own = hashes.slice(at, (at += lines.length));
    const isWhole = own.join() === 'all' || contentHash(Buffer.from(own.join(''), 'hex')) === block.contentHash;
    if (!isWhole || blockHash(block) !== hash)
      throw new Error(`Block ${block.sequence} of the audit log of ${block.organizationId} is not what was sealed`);
  }
}
