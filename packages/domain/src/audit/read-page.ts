import {
  answerTooLarge,
  at,
  badRequest,
  isId,
  MAX_ANSWER,
  portionsOf,
  SMALL_ANSWER,
  type Context,
} from '../kernel/index.ts';
import { archivedEvents, newestFirst, newestOf, type Found } from './archive/read.ts';
import type { SearchRoom } from './archive/search-room.ts';
import type { LogCursor } from './audit-log.ts';
import { MAX_EVENT_DATA } from './event-parts.ts';
import {
  archivedQuery,
  archivedUntilQuery,
  countQuery,
  isDecidedByColumns,
  pageQuery,
  sharedPageQuery,
  shortPageQuery,
  sizeQuery,
  type Filters,
  type PageRow,
  type Query,
  type Range,
  type Scope,
} from './page-query.ts';

/** The time, in milliseconds, up to which segments may have events. */
type ArchivedUntil = { archivedUntil: number | null };

/** Rows of a page. */
interface RowPage extends ArchivedUntil {
  readonly rows: readonly PageRow[];
}

export interface EventPage {
  /** Newest first. */
  readonly rows: readonly PageRow[];
  /** Where to search on, if the page ends before the log does: it has fewer rows than were asked for. */
  readonly searchOn?: LogCursor;
}

interface Search {
  readonly ctx: Pick<Context, 'sql' | 'one'>;
  readonly scope: Scope;
  readonly filters: Filters;
  /** What the page may look through, and its memory. */
  readonly room: SearchRoom;
}

/**
 * A page of events: of rows, and of segments where these do not suffice. A search by cursors ends early where it would look
 * through too much; other pages are complete, or refused.
 *
 * @throws DomainError 400 `audit_log.search_too_large`, `answer.too_large`; 503 once the client has disconnected.
 */
export async function readEvents(search: Search, range: Range): Promise<EventPage> {
  const { filters } = search;
  if (filters.actor !== undefined && !isId(filters.actor)) return { rows: [] };
  const page = await readRows(search, range);
  const last = page.rows.at(-1);
  const isComplete = page.rows.length === range.limit && last && isNewer(last, page.archivedUntil);
  if (isComplete) return { rows: page.rows };
  if (range.offset === 0) return addArchived(search, { rows: page.rows, range });
  const skipped = await countNewer(search, range.offset);
  const left = range.offset - skipped;
  const { rows } = await readRows(search, { offset: skipped, limit: left + range.limit });
  return addArchived(search, { rows, range: { offset: left, limit: range.limit } });
}

const run = <Answer extends object>({ ctx }: Pick<Search, 'ctx'>, { statement, values }: Query): Promise<Answer[]> =>
  ctx.sql<Answer>(statement, values);

/** Pages of so many rows are small, whatever their events are. */
const SMALL_PAGE = SMALL_ANSWER / MAX_EVENT_DATA;

async function readRows(search: Search, range: Range): Promise<RowPage> {
  const { scope, filters, room } = search;
  if (range.limit <= SMALL_PAGE) {
    const page = await readShort(search, range);
    return { rows: page.events, archivedUntil: page.archivedUntil };
  }
  const [size] = await run<{ bytes: number }>(search, sizeQuery(scope, filters, range));
  if (size!.bytes > SMALL_ANSWER) await room.read(size!.bytes);
  const rows = await run<PageRow & ArchivedUntil>(search, pageQuery(scope, filters, range));
  return { rows, archivedUntil: rows.at(-1)?.archivedUntil ?? null };
}

async function readShort(
  { ctx, scope, filters }: Search,
  range: Range,
): Promise<{ events: PageRow[] } & ArchivedUntil> {
  const shared = sharedPageQuery(scope, filters, range);
  if (shared) return (await ctx.one<{ events: PageRow[] } & ArchivedUntil>(shared.statement, shared.values))!;
  const [page] = await run<{ events: PageRow[] } & ArchivedUntil>({ ctx }, shortPageQuery(scope, filters, range));
  return page!;
}

/** How many rows, up to a number, are newer than all segments: these are skipped without being read. */
async function countNewer(search: Search, limit: number): Promise<number> {
  const [archived] = await run<{ until: number }>(search, archivedUntilQuery(search.scope));
  const query = countQuery(search.scope, search.filters, archived?.until ?? -Infinity, limit);
  const [newer] = await run<{ events: number }>(search, query);
  return newer!.events;
}

/** An event of a page, as a row or as its line in a segment. */
interface Entry {
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly row?: PageRow;
  readonly line?: string;
}

/** Opens segments until none can have an event of the page any more. */
async function addArchived(
  search: Search,
  { rows, range: { offset, limit } }: { readonly rows: readonly PageRow[]; readonly range: Range },
): Promise<EventPage> {
  const { ctx, scope, filters, room } = search;
  const from = newestOf(filters)?.getTime() ?? Infinity;
  let found: Entry[] = rows.map((row) => ({ id: row.id, createdAt: at(row.createdAt).toISOString(), row }));
  let skipped = 0;
  for await (const { events, earlierUntil } of archivedEvents((...query) => ctx.sql(...query), scope, filters, room)) {
    const needed = offset - skipped + limit;
    if (events.length > 0) found = merged(found, await matching(search, events)).slice(0, needed);
    const settled = found.filter(({ createdAt }) => Date.parse(createdAt) > earlierUntil).length;
    if (settled >= needed) break;
    // Events of one time may be more than it may look through: without progress, it continues, as it does where nothing follows.
    if (room.isExhausted && earlierUntil < from && earlierUntil > -Infinity) {
      if (!filters.cursor || offset > 0) throw searchTooLarge();
      const page = await shown(search, found.slice(0, settled));
      return { rows: page, searchOn: { createdAt: new Date(earlierUntil), id: LAST_ID } };
    }
    // What is before the page for certain need not be kept.
    const dropped = Math.min(settled, offset - skipped);
    found = found.slice(dropped);
    skipped += dropped;
  }
  return { rows: await shown(search, found.slice(offset - skipped, offset - skipped + limit)) };
}

/** No id comes after it. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const searchTooLarge = () =>
  badRequest(
    'audit_log.search_too_large',
    'Too much of the log would have to be searched for this page. Give startDate and endDate, or page by cursor instead of offset: cursor is empty for the first page, then the nextCursor of the page before, until that is null; pages may have fewer events than limit',
  );

/** An event can be found twice if it is archived meanwhile. */
function merged(found: readonly Entry[], more: readonly Found[]): Entry[] {
  const known = new Set(found.map(({ id }) => id));
  const added = more.filter(({ event }) => !known.has(event.id));
  return [...found, ...added.map(({ line, event: { id, createdAt } }) => ({ id, createdAt, line }))].toSorted(
    newestFirst,
  );
}

/** Of events that may match, those that do: the database is asked where that depends on `data`. */
async function matching(search: Search, events: readonly Found[]): Promise<readonly Found[]> {
  if (isDecidedByColumns(search.filters)) return events;
  const rows = await rowsOf(search, events);
  const ids = new Set(rows.map(({ id }) => id));
  return events.filter(({ event }) => ids.has(event.id));
}

/** The rows of a page. @throws DomainError 400 `answer.too_large`. */
async function shown(search: Search, entries: readonly Entry[]): Promise<PageRow[]> {
  const archived = entries.flatMap(({ line }) => (line === undefined ? [] : [{ line }]));
  if (archived.reduce((sum, { line }) => sum + line.length, 0) > MAX_ANSWER) throw answerTooLarge();
  const rows = new Map((await rowsOf(search, archived)).map((row) => [row.id, row]));
  return entries.flatMap(({ id, row }) => row ?? rows.get(id) ?? []);
}

/** Those lines that match, as rows; some lines at a time. */
async function rowsOf(
  { ctx, scope, filters }: Search,
  events: readonly { readonly line: string }[],
): Promise<PageRow[]> {
  const rows: PageRow[] = [];
  for (const portion of portionsOf(events, ({ line }) => line.length)) {
    const lines = portion.map(({ line }) => line);
    rows.push(...(await run<PageRow>({ ctx }, archivedQuery(scope, filters, lines, lines.length))));
  }
  return rows;
}

const isNewer = ({ createdAt }: PageRow, time: number | null): boolean =>
  time === null || at(createdAt).getTime() > time;
