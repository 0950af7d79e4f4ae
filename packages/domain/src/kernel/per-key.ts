import type { Context } from './context.ts';
import { statement, type Statement } from './sql.ts';

type Parts = Readonly<Record<string, string>>;

/**
 * A statement that runs a select once for each key, for `Context.one`: concurrent calls share it. The select names the
 * parts of its key `k.…`, and returns at most one row.
 *
 * @param parts The parts of a key with their types.
 */
export function perKey(name: string, parts: Parts, select: string): Statement {
  const lists = Object.values(parts).map((type, index) => `$${index + 1}::${type}[]`);
  const names = [...Object.keys(parts), 'ordinal'];
  return statement(
    name,
    `select k.ordinal::integer, r.*
   from unnest(${lists.join(', ')}) with ordinality as k (${names.join(', ')})
   cross join lateral (${select}) r`,
  );
}

/**
 * The SQL of all rows of a select as one value: the driver reads a short list in one step, instead of each column of each
 * row. Times are read by `at`, numbers of 64 bits arrive as numbers.
 */
export const listOf = (select: string): string => `(select coalesce(json_agg(item), '[]') from (${select}) item)`;

/** Which rows of a list: absent `limit` for all from `offset` on. */
export interface PageRange {
  readonly offset: number;
  readonly limit?: number | undefined;
}

/** The rows of a page, in order, and how many the list has. */
export interface PageOf<Row> {
  readonly rows: readonly Row[];
  readonly totalCount: number;
}

/** A list that is read in pages. */
export interface Pages<Row> {
  /**
   * The page of a key. Concurrent calls share the statement of short pages near the beginning.
   *
   * @param isSearch Whether it reads more than the page: then it is run for this call alone, in the name of its caller.
   */
  read(ctx: Context, key: readonly unknown[], range: PageRange, isSearch?: boolean): Promise<PageOf<Row>>;
}

/** Rows of a short page: these are one value. */
const SHORT = 100;

/**
 * A list that is read in pages, by one statement for a short page. `select` is the SQL of a page of a key `k`, in order, which
 * ends with `offset k.skipped limit k.most`; `count` that of the total number of rows, if anybody asks for it.
 */
export function definePages<Row>(
  name: string,
  parts: Parts,
  { select, count = 'null::integer' }: { readonly select: string; readonly count?: string },
): Pages<Row> {
  const own = { ...parts, skipped: 'integer', most: 'integer' };
  const SHORT_PAGE = perKey(`${name}.page`, own, `select ${listOf(select)} as rows, ${count} as "totalCount"`);
  const LONG_PAGE = perKey(`${name}.long_page`, own, select);
  const COUNT = perKey(`${name}.count`, parts, `select ${count} as "totalCount"`);
  return {
    async read(ctx, key, { offset, limit }, isSearch = false) {
      const whole = [...key, offset, limit ?? null];
      const alone = <Found extends object>(asked: Statement, values: readonly unknown[]) =>
        ctx.sql<Found>(
          asked,
          values.map((value) => [value]),
        );
      if (limit !== undefined && limit <= SHORT) {
        const isShared = !isSearch && offset <= SHORT;
        return isShared
          ? (await ctx.one<PageOf<Row>>(SHORT_PAGE, whole))!
          : (await alone<PageOf<Row>>(SHORT_PAGE, whole))[0]!;
      }
      const rows = (await alone<Row & object>(LONG_PAGE, whole)) as readonly Row[];
      if (limit === undefined && offset === 0) return { rows, totalCount: rows.length };
      const [counted] = await alone<{ totalCount: number }>(COUNT, key);
      return { rows, totalCount: counted!.totalCount };
    },
  };
}
