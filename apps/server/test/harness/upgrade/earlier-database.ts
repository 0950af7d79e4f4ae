import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { testDatabase, type TestDatabase } from '@coffer/domain/testing';
import { Client } from 'pg';

/** The contents of a database of an earlier commit, written by `scripts/upgrade-fixture.mjs`. */
export interface EarlierDatabase {
  readonly commit: string;
  readonly madeAt: string;
  readonly rootKey: string;
  /** What its server answered. */
  readonly reads: readonly { readonly what: string; readonly path: string; readonly body: object }[];
  /** IDs and credentials in it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as the script has put it together
  readonly world: any;
  readonly migrations: readonly { readonly name: string; readonly sql: string }[];
  readonly tables: readonly { readonly name: string; readonly columns: string; readonly rows: readonly object[] }[];
  readonly sequences: readonly { readonly name: string; readonly at: number }[];
}

export const earlierDatabase = JSON.parse(
  gunzipSync(readFileSync(new URL('fixture.json.gz', import.meta.url))).toString(),
) as EarlierDatabase;

/** A database as that commit left it, but for the queue of jobs: nothing of this release has run on it. */
export async function restoreEarlier({ migrations, tables, sequences }: EarlierDatabase): Promise<TestDatabase> {
  const database = await testDatabase('template0');
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    for (const { sql } of migrations) await client.query(sql);
    await client.query(
      'create table schema_migrations (name text primary key, ran_at timestamptz(3) not null default now())',
    );
    // Rows that migrations make are among the others; triggers have done their work.
    await client.query(
      `set session_replication_role = replica; truncate ${tables.map(({ name }) => name).join(', ')} cascade`,
    );
    const known = new Set(migrations.map(({ name }) => name));
    for (const { name, columns, rows } of tables) {
      const kept =
        name === 'schema_migrations' ? rows.filter((row) => known.has((row as { name: string }).name)) : rows;
      await client.query(
        `insert into ${name} (${columns}) overriding system value
         select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
        [JSON.stringify(kept)],
      );
    }
    for (const { name, at } of sequences) await client.query('select setval($1, $2)', [name, at]);
  } finally {
    await client.end();
  }
  return database;
}
