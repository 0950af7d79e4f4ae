import { filterInTurns } from '../../access/index.ts';
import { listOf, statement, type Context } from '../../kernel/index.ts';
import type { CertificateFacts } from './asked.ts';
import { factsOf, type CertificateRow } from './stored.ts';

/** A list of certificates, or of rows with one certificate each: all in SQL, with a table `certificates c`. */
export interface Listing {
  /** In the names of its statements. */
  readonly name: string;
  readonly columns: string;
  readonly from: string;
  /** By which each row is known. */
  readonly id: string;
}

/** Makes parameters of values. */
class Bindings {
  readonly values: unknown[] = [];
  readonly bind = (value: unknown): string => `$${this.values.push(value)}`;
  /** A condition on a value; none without the value. */
  readonly given = (value: unknown, sql: (place: string) => string): string | false =>
    value !== undefined && sql(this.bind(value));
}

/**
 * The conditions of a search in SQL, and `false` for those that are not asked for: each set of conditions has a statement of
 * its own, so that the database plans for exactly these.
 */
export type Conditions = (bindings: Bindings) => readonly (string | false)[];

export interface Page {
  /** SQL: what rows are sorted by. */
  readonly by: string;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
  /** Whether it is shown to the caller. Absent: all are, so that nothing but the page is read. */
  readonly isShown?: ((facts: CertificateFacts) => boolean) | undefined;
}

type Facts = Pick<
  CertificateRow,
  'id' | 'commonName' | 'subject' | 'names' | 'friendlyName' | 'status' | 'serialNumber'
>;

/**
 * A page of a list, in order, and the total number of visible rows. Pages have a hundred rows at most.
 *
 * @param publish Takes a row with the columns of the list.
 */
export async function pageOf<Item>(
  ctx: Context,
  { name, columns, from, id }: Listing,
  conditions: Conditions,
  { by, order, offset, limit, isShown }: Page,
  publish: (row: never) => Item,
): Promise<{ items: Item[]; totalCount: number }> {
  const bindings = new Bindings();
  const { bind, values } = bindings;
  const asked = conditions(bindings);
  const found = `from ${from} where ${asked.filter((condition) => condition !== false).join(' and ')}`;
  const inOrder = `order by ${by} ${order}, ${id} ${order}`;
  const shape = `${asked.map((condition) => Number(condition !== false)).join('')}_${by}_${order}`.replaceAll('.', '_');
  if (!isShown) {
    const page = `select ${columns} ${found} ${inOrder} offset ${bind(offset)} limit ${bind(limit)}`;
    const text = `select ${listOf(page)} as rows, (select count(*)::integer ${found}) as "totalCount"`;
    const [read] = await ctx.sql<{ rows: never[]; totalCount: number }>(
      statement(`${name}.page_${shape}`, text),
      values,
    );
    return { items: read!.rows.map(publish), totalCount: read!.totalCount };
  }
  const facts = `${id}, c.common_name as "commonName", c.subject, c.names, c.friendly_name as "friendlyName", c.status,
    c.serial_number as "serialNumber"`;
  const FACTS = statement(`${name}.facts_${shape}`, `select ${facts} ${found} ${inOrder}`);
  const shown = await filterInTurns(await ctx.sql<Facts>(FACTS, values), (row) => isShown(factsOf(row)));
  const ids = shown.slice(offset, offset + limit).map((row) => row.id);
  const text = `select ${listOf(`select ${columns} from ${from} where ${id} = any ($1) ${inOrder}`)} as rows`;
  const BY_IDS = statement(`${name}.by_ids_${by}_${order}`.replaceAll('.', '_'), text);
  const [read] = await ctx.sql<{ rows: never[] }>(BY_IDS, [ids]);
  return { items: read!.rows.map(publish), totalCount: shown.length };
}
