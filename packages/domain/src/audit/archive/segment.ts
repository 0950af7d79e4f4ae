import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { mapInTurns } from '../../kernel/index.ts';
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

/** Higher levels cost more than they save. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 6 } };

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

/** What reading one line costs, in steps of `WorkBudget`. */
export const LINE_COST = 3;

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
  requireSealed(blocks, await mapInTurns(lines, LINE_COST, hashIn));
  const text = Buffer.from(blocks.flatMap((block) => [blockLine(block.sealed), ...block.lines]).join('\n'));
  const content = await compress(text, LEVEL);
  if (!(await decompress(content)).equals(text))
    throw new Error('A segment of the audit log was not compressed correctly');
  const terms = new Set<string>();
  const events = await mapInTurns(lines.filter(isEvent), LINE_COST, (line) => {
    const event = eventIn(line);
    for (const term of termsOf(event)) terms.add(term);
    return { createdAt: event.createdAt, projectId: event.projectId ?? NO_PROJECT };
  });
  const times = blocks.map(({ sealed: { block } }) => block);
  return {
    ...range,
    content,
    terms: bloomOf(terms),
    summary: {
      events: events.length,
      oldestEventAt: least(events.map(({ createdAt }) => createdAt)) ?? null,
      firstEventAt: least(times.map(({ firstEventAt }) => firstEventAt))!,
      lastEventAt: times.map(({ lastEventAt }) => lastEventAt).reduce((one, other) => (one > other ? one : other)),
      projectIds: [...new Set(events.map(({ projectId }) => projectId))].toSorted(),
    },
  };
}

const least = (times: readonly string[]): string | undefined =>
  times.length === 0 ? undefined : times.reduce((one, other) => (one < other ? one : other));

export async function unpackSegment(content: Buffer): Promise<ArchivedBlock[]> {
  const blocks: { sealed: ArchivedBlock['sealed']; lines: string[] }[] = [];
  for (const line of (await decompress(content)).toString().split('\n')) {
    if (line.startsWith('{"block":')) blocks.push({ sealed: JSON.parse(line) as ArchivedBlock['sealed'], lines: [] });
    else blocks.at(-1)!.lines.push(line);
  }
  return blocks;
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
