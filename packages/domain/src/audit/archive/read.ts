import { mapInTurns, requireOpenRequest, statement, type Statement } from '../../kernel/index.ts';
import { isDecidedByColumns, type Filters, type Scope } from '../page-query.ts';
import {
  eventIn,
  HEAD,
  isEvent,
  lineCost,
  NO_PROJECT,
  segmentBytes,
  unpackSegment,
  type ArchivedBlock,
  type ArchivedEvent,
} from './segment.ts';
import type { SearchRoom } from './search-room.ts';
import {
  actorTerm,
  actorTypeTerm,
  agentTerm,
  asPositions,
  dataTerms,
  mayHaveTerms,
  secretTerm,
  typeTerm,
} from './terms.ts';

/** An event of a segment: as the segment has it, and parsed. */
export interface Found {
  readonly line: string;
  readonly event: ArchivedEvent;
}

/** Of a segment, or of a part of it; nothing of segments that were passed over. */
export interface FoundInSegment {
  /** Events that may match: what filters ask of `data` is left to the database. */
  readonly events: readonly Found[];
  /** No event of what follows is newer, in milliseconds. */
  readonly earlierUntil: number;
}

/** The next segments, with the beginning of the content of those that may have events of a page. */
const NEXT = statement(
  'audit_segments.next',
  `select s.first_sequence::text as "firstSequence", (extract(epoch from s.earlier_until) * 1000)::float8 as "earlierUntil",
     length(s.content) as length, case when s.events > 0 and s.first_event_at <= $3 and ($4::uuid[] is null or s.project_ids && $4)
       and ${mayHaveTerms('$5')} then substring(s.content for ${HEAD}) end as head
   from audit_segments s
   where s.organization_id = $1 and s.first_sequence < $2 and s.first_sequence <= (
     select g.first_sequence from audit_segments g where g.organization_id = $1 and g.later_from <= $3
     order by g.later_from desc, g.first_sequence desc limit 1)
   order by s.first_sequence desc limit $6`,
);
const CONTENT = statement(
  'audit_segments.content',
  'select content from audit_segments where organization_id = $1 and first_sequence = $2',
);

interface Summary {
  readonly firstSequence: string;
  readonly earlierUntil: number;
  readonly length: number;
  /** Of a segment that may have events of the page. */
  readonly head: Buffer | null;
}

const ANY_SEQUENCE = '9223372036854775807';
/** Summaries are read so many at a time, once the first few were not enough. */
const [FEW, MANY] = [4, 100];

export type Sql = <Row extends object>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>;

/**
 * The events of a scope in segments, newest segments first. Read the rows before: what is archived meanwhile is found
 * here, and nothing is missed. What is looked at is charged to `room`.
 *
 * @throws DomainError 503 once the client has disconnected.
 */
export async function* archivedEvents(
  sql: Sql,
  scope: Scope,
  filters: Filters,
  room: SearchRoom,
): AsyncGenerator<FoundInSegment> {
  const { organizationId } = scope;
  const mayMatch = matcherOf(scope, filters);
  const asked = [newestOf(filters) ?? 'infinity', projectsOf(scope), asPositions(termsOfFilters(filters))];
  const isOver = (earlierUntil: number) => filters.startDate && earlierUntil < filters.startDate.getTime();
  let below = ANY_SEQUENCE;
  for (let limit = FEW; ; limit = MANY) {
    const summaries = await sql<Summary>(NEXT, [organizationId, below, ...asked, limit]);
    for (const { firstSequence, earlierUntil: before, length, head } of summaries) {
      requireOpenRequest();
      if (head) {
        await room.open(segmentBytes(head, length), !isDecidedByColumns(filters));
        // One that was released meanwhile has none.
        const [segment] = await sql<{ content: Buffer }>(CONTENT, [organizationId, firstSequence]);
        for (const { blocks, earlierUntil } of partsOf(segment ? await unpackSegment(segment.content) : [], before)) {
          const lines = blocks.flatMap((block) => block.lines.filter(isEvent));
          const found = await mapInTurns(lines, lineCost, (line) => ({ line, event: eventIn(line) }));
          yield { events: found.filter(({ event }) => mayMatch(event)), earlierUntil };
          if (isOver(earlierUntil)) return;
        }
      } else {
        room.passOver();
        yield { events: [], earlierUntil: before };
        if (isOver(before)) return;
      }
    }
    if (summaries.length < limit) return;
    below = summaries.at(-1)!.firstSequence;
  }
}

/** The latest time of a page that is asked for. */
export const newestOf = ({ cursor, endDate }: Filters): Date | undefined =>
  [cursor?.createdAt, endDate].filter((time) => time !== undefined).toSorted(byTime)[0];

/** The part of a segment at its end that is enough for most pages: the rest is not parsed then. */
const END = 1 / 8;

/** The end of a segment, and the rest of it; each with the latest time of what comes after it. */
function partsOf(blocks: readonly ArchivedBlock[], before: number) {
  const all = blocks.reduce((sum, { lines }) => sum + lines.length, 0);
  let cut = blocks.length;
  for (let lines = 0; cut > 0 && lines < all * END;) lines += blocks[--cut]!.lines.length;
  const rest = blocks.slice(0, cut);
  const restUntil = rest.map(({ sealed }) => Date.parse(sealed.block.lastEventAt));
  const end = { blocks: blocks.slice(cut), earlierUntil: Math.max(before, ...restUntil) };
  return rest.length > 0 ? [end, { blocks: rest, earlierUntil: before }] : [end];
}

const byTime = (one: Date, other: Date): number => one.getTime() - other.getTime();

const projectsOf = ({ projectId, visible }: Scope): string[] | null => {
  if (projectId !== undefined) return [projectId];
  return visible.all ? null : [...visible.projectIds, NO_PROJECT];
};

function termsOfFilters(filters: Filters): string[][] {
  const { eventType, actorType, actor, userAgentType, environment, secretPath, secretKey, eventMetadata } = filters;
  const one = <Value>(value: Value | undefined, terms: (value: Value) => string[]) =>
    value === undefined ? [] : [terms(value)];
  return [
    ...one(eventType, (types) => types.map(typeTerm)),
    ...one(actorType, (type) => [actorTypeTerm(type)]),
    ...one(actor, (id) => [actorTerm(id.toLowerCase())]),
    ...one(userAgentType, (type) => [agentTerm(type)]),
    ...one(environment, (slug) => dataTerms('environment', slug)),
    ...one(secretPath, (path) => dataTerms('secretPath', path)),
    ...one(secretKey, (key) => [secretTerm(key), ...dataTerms('secretKey', key)]),
    ...Object.entries(eventMetadata ?? {}).map(([name, text]) => dataTerms(name, text)),
  ];
}

/** What the columns of an event are asked; a superset of the page, since `data` is left to the database. */
function matcherOf(
  { projectId, visible }: Scope,
  { eventType, actorType, actor, userAgentType, startDate, endDate, cursor }: Filters,
): (event: ArchivedEvent) => boolean {
  const projects = visible.all ? undefined : new Set(visible.projectIds);
  const types = eventType && new Set(eventType);
  const isVisible = (event: ArchivedEvent) =>
    visible.all || (event.projectId === null ? event.actorId === visible.actorId : projects!.has(event.projectId));
  const [from, until, by] = [startDate?.getTime(), endDate?.getTime(), actor?.toLowerCase()];
  return (event) => {
    const time = Date.parse(event.createdAt);
    return (
      (projectId === undefined || event.projectId === projectId) &&
      isVisible(event) &&
      (types === undefined || types.has(event.published)) &&
      (actorType === undefined || event.actorType === actorType) &&
      (by === undefined || event.actorId === by) &&
      (userAgentType === undefined || event.userAgentType === userAgentType) &&
      (from === undefined || time >= from) &&
      (until === undefined || time <= until) &&
      (cursor === undefined || isBefore(time, event.id, cursor))
    );
  };
}

const isBefore = (time: number, id: string, cursor: { createdAt: Date; id: string }): boolean => {
  const at = cursor.createdAt.getTime();
  return time < at || (time === at && id < cursor.id.toLowerCase());
};

/** Newest first, as pages are: by times that are of one kind. */
export const newestFirst = <Time extends string | Date>(
  one: { readonly createdAt: Time; readonly id: string },
  other: { readonly createdAt: Time; readonly id: string },
): number => {
  if (one.createdAt > other.createdAt) return -1;
  if (one.createdAt < other.createdAt) return 1;
  return one.id < other.id ? 1 : -1;
};
