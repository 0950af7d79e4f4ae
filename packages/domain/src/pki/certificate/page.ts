import { filterInTurns } from '../../access/index.ts';
import { statement, type Context, type Statement } from '../../kernel/index.ts';
import type { CertificateFacts } from './right.ts';
import { factsOf, type CertificateRow } from './stored.ts';

/** A list of certificates, or of rows with one certificate each: all in SQL, with a table `certificates c`. */
export interface Listing {
  /** In the names of its statements. */
  readonly name: string;
  readonly columns: string;
  readonly from: string;
  /** By which each row is known. */
  readonly id: string;
  readonly where: string;
}

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
 * A page of a list, and the total number of visible rows.
 *
 * @param values The parameters of `where`, in order.
 * @param ask Queries the rows of the page, in order.
 */
export async function pageOf<Item>(
  ctx: Context,
  { name, columns, from, id, where }: Listing,
  values: readonly unknown[],
  { by, order, offset, limit, isShown }: Page,
  ask: (asked: Statement, values: readonly unknown[]) => Promise<Item[]>,
): Promise<{ items: Item[]; totalCount: number }> {
  const inOrder = `order by ${by} ${order}, ${id} ${order}`;
  const sort = `${by}_${order}`.replaceAll('.', '_');
  if (!isShown) {
    const [first, second] = [values.length + 1, values.length + 2];
    const text = `select ${columns} from ${from} where ${where} ${inOrder} offset $${first} limit $${second}`;
    const items = await ask(statement(`${name}.page_${sort}`, text), [...values, offset, limit]);
    const COUNT = statement(`${name}.count`, `select count(*)::integer as count from ${from} where ${where}`);
    const [counted] = await ctx.sql<{ count: number }>(COUNT, values);
    return { items, totalCount: counted!.count };
  }
  const facts = `${id}, c.common_name as "commonName", c.subject, c.names, c.friendly_name as "friendlyName", c.status,
    c.serial_number as "serialNumber"`;
  const FACTS = statement(`${name}.facts_${sort}`, `select ${facts} from ${from} where ${where} ${inOrder}`);
  const shown = await filterInTurns(await ctx.sql<Facts>(FACTS, values), (row) => isShown(factsOf(row)));
  const ids = shown.slice(offset, offset + limit).map((row) => row.id);
  const text = `select ${columns} from ${from} where ${id} = any ($1) ${inOrder}`;
  return { items: await ask(statement(`${name}.by_ids_${sort}`, text), [ids]), totalCount: shown.length };
}
