import { randomUUID } from 'node:crypto';
import type { Operation } from '@coffer/api';
import type { Sample } from './matrix-sample.ts';
import type { Thing, World } from './matrix-world.ts';
import type { Answer, Caller, TestServer } from './test-server.ts';

export const nameOf = ({ method, url }: Operation) => `${method} ${url}`;

export const ask = (
  caller: Caller,
  sample: Sample,
  input: Record<string, unknown>,
  headers?: Record<string, string>,
): Promise<Answer> => {
  const { url, body } = sample.request(input);
  return caller(sample.operation.method, url, body, headers);
};

export const without = ({ status, body }: Answer) => {
  const { reqId: _, ...rest } = typeof body === 'object' && body !== null ? body : { text: body };
  return { status, body: rest };
};

/** Two responses are equal if they differ only in what the callers themselves sent. */
export const comparable = (answer: Answer, sent: Record<string, unknown>) => {
  let text = JSON.stringify(without(answer));
  for (const [field, value] of Object.entries(sent))
    for (const one of [value].flat())
      if (typeof one === 'string' && one.length > 5) text = text.replaceAll(one, `<${field}>`);
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
};

/** Something of this kind that nobody has. `mark` begins all names of a world. */
export function unknownLike({ has }: World, mark: string, thing: Thing): string {
  const looks = has[thing];
  if (looks.includes('@')) return `${randomUUID()}@example.com`;
  return looks.startsWith(mark) ? `unknown-${randomUUID().slice(0, 8)}` : randomUUID();
}

/** Every row of an organization, or of a project, table by table. */
export async function fingerprintsOf(
  { coffer: { pool, usage } }: TestServer,
  column: 'organization_id' | 'project_id',
  id: string,
): Promise<Record<string, string>> {
  await usage.flush();
  const { rows } = await pool.query<{ table: string }>(
    `select c.table_name as table from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.column_name = $1 and c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name not like 'audit%' order by 1`,
    [column],
  );
  const found: Record<string, string> = {};
  for (const { table } of rows) {
    const { rows: sums } = await pool.query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from ${table} t where ${column} = $1`,
      [id],
    );
    found[table] = sums[0]!.sum;
  }
  return found;
}
