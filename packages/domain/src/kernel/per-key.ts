import type { Context } from './context.ts';
import { statement, type Statement } from './sql.ts';

type Parts = Readonly<Record<string, string>>;

/** The SQL of the keys of a statement for `Context.one`, as rows with an `ordinal`: an array for each part. */
export function keyRows(alias: string, parts: Parts): string {
  const lists = Object.values(parts).map((type, index) => `$${index + 1}::${type}[]`);
  return `unnest(${lists.join(', ')}) with ordinality as ${alias} (${[...Object.keys(parts), 'ordinal'].join(', ')})`;
}

/**
 * A statement that runs a select once for each key, for `Context.one`: concurrent calls share it. The select names the
 * parts of its key `w.…`, and returns at most one row.
 *
 * @param parts The parts of a key with their types.
 */
export function perKey(name: string, parts: Parts, select: string): Statement {
  return statement(name, `select w.ordinal::integer, r.* from ${keyRows('w', parts)} cross join lateral (${select}) r`);
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
 * A list that is read in pages, by one statement for a short page. `select` is the SQL of a page of a key `w`, in order, which
 * ends with `offset w.skipped limit w.most`; `count` that of the total number of rows, if anybody asks for it.
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
