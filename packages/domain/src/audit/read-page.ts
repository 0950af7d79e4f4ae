import { at, isId, type Context } from '../kernel/index.ts';
import { archivedEvents, newestFirst, type Found } from './archive/read.ts';
import { archivedQuery, pageQuery, type Filters, type PageRow, type Range, type Scope } from './page-query.ts';

/** Events of a page, newest first: of rows, and of segments where these do not suffice. */
export async function readEvents(ctx: Context, scope: Scope, filters: Filters, range: Range): Promise<PageRow[]> {
  if (filters.actor !== undefined && !isId(filters.actor)) return [];
  const page = await readRows(ctx, scope, filters, range);
  const last = page.at(-1);
  const isComplete = page.length === range.limit && last && isNewer(last, last.archivedUntil);
  if (isComplete) return page;
  const needed = range.offset + range.limit;
  const rows = range.offset === 0 ? page : await readRows(ctx, scope, filters, { offset: 0, limit: needed });
  return addArchived(ctx, scope, filters, { rows, range });
}

type Row = PageRow & { archivedUntil: number | null };

async function readRows(ctx: Context, scope: Scope, filters: Filters, range: Range): Promise<Row[]> {
  const { statement, values } = pageQuery(scope, filters, range);
  return ctx.sql<Row>(statement, values);
}

/** Opens segments until none can have an event of the page any more. */
async function addArchived(
  ctx: Context,
  scope: Scope,
  filters: Filters,
  { rows, range: { offset, limit } }: { readonly rows: readonly PageRow[]; readonly range: Range },
): Promise<PageRow[]> {
  let found = [...rows];
  let skipped = 0;
  for await (const { events, earlierUntil } of archivedEvents((...query) => ctx.sql(...query), scope, filters)) {
    const needed = offset - skipped + limit;
    found = merged(found, await matching(ctx, scope, filters, { events, limit: needed })).slice(0, needed);
    const last = found[needed - 1];
    if (last && isNewer(last, earlierUntil)) break;
    // What is before the page for certain need not be kept.
    const settled = found.filter((row) => isNewer(row, earlierUntil)).length;
    const dropped = Math.min(settled, offset - skipped);
    found = found.slice(dropped);
    skipped += dropped;
  }
  return found.slice(offset - skipped, offset - skipped + limit);
}

/** An event can be found twice if it is archived meanwhile. */
function merged(one: readonly PageRow[], other: readonly PageRow[]): PageRow[] {
  const known = new Set(one.map(({ id }) => id));
  return [...one, ...other.filter(({ id }) => !known.has(id))].toSorted(newestFirst);
}

async function matching(
  ctx: Context,
  scope: Scope,
  filters: Filters,
  { events, limit }: { readonly events: readonly Found[]; readonly limit: number },
): Promise<PageRow[]> {
  const { environment, secretPath, secretKey, eventMetadata } = filters;
  const isDecided = [environment, secretPath, secretKey, eventMetadata].every((filter) => filter === undefined);
  const candidates = isDecided
    ? events.toSorted((one, other) => newestFirst(one.event, other.event)).slice(0, limit)
    : events;
  if (candidates.length === 0) return [];
  const { statement, values } = archivedQuery(
    scope,
    filters,
    candidates.map(({ line }) => line),
    limit,
  );
  return ctx.sql<PageRow>(statement, values);
}

const isNewer = ({ createdAt }: PageRow, time: number | null): boolean =>
  time === null || at(createdAt).getTime() > time;
