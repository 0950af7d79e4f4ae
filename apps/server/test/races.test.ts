import { appRouter, openApiDocument, operationsOf } from '@coffer/api';
import { runs, sampleOf } from '@coffer/domain/testing';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Sample } from './harness/matrix-sample.ts';
import { makeWorld, type World } from './harness/matrix-world.ts';
import { recordedCommits } from './harness/recorded-commits.ts';
import { testServer, type TestServer } from './harness/test-server.ts';

// The same change several times at once, for every operation with changes. Checks before a write do not see concurrent
// processes: uniqueness and order are kept by constraints and locks.

const AT_ONCE = runs(3, 5);
const PATIENCE = 300_000;

let test: TestServer;
let world: World;
let commits: string[][];
beforeAll(async () => {
  test = await testServer({ poolSize: 10 });
  commits = recordedCommits(test.coffer);
  world = await makeWorld(test, 'zracez');
}, PATIENCE);
afterAll(() => test.close());

/** Tables without a natural key, in which each request creates a row. */
const MADE_EACH_TIME: ReadonlySet<string> = new Set([
  'app_connections',
  'ca_certificates',
  'certificates',
  'commits',
  'identities',
  'identity_access_tokens',
  'kms_key_versions',
  'pki_alerts',
  'pki_collections',
  'service_tokens',
  'ssh_ca_keys',
  'ssh_certificate_authorities',
  'ssh_certificates',
  'ssh_retired_ca_keys',
  'user_api_keys',
  'webhooks',
]);

/**
 * What calls another system stores what is intended, and then its outcome: durable work, which another process continues
 * after a kill. Everything else is done in one transaction, so that a kill leaves nothing half done.
 */
const DURABLE: readonly RegExp[] = [
  /dynamic-secrets\/leases\/|dynamic-secrets\/\{name\}$/,
  /secret-rotations\/.*\{rotationId\}/,
  /app-connections\/.*\/check$/,
];

/**
 * A statement that counts, by table, the rows of an organization ($1) that differ only in IDs, times, hashes and
 * ciphertexts.
 */
async function countTwins(): Promise<string> {
  const { rows } = await test.coffer.pool.query<{ sql: string }>(
    `select string_agg(format('select %L as "table", coalesce(sum(n), 0)::int as count from (select count(*) as n from %I t
         where organization_id = $1 group by to_jsonb(t) - %L::text[] having count(*) > 1) twins', name, name, ignored), ' union all ') as sql
     from (select t.table_name as name, array_agg(c.column_name::text) filter (where c.data_type in ('bytea', 'timestamp with time zone')
         or c.column_name in ('id', 'version', 'revision', 'position') or c.column_name ~ '(hash|thumbprint|serial_number|fingerprint.*)$') as ignored
       from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
       where t.table_schema = 'public' and t.table_type = 'BASE TABLE' and t.table_name not like 'audit%'
       group by 1 having bool_or(c.column_name = 'organization_id') and bool_or(c.column_name = 'id')) tables`,
  );
  return rows[0]!.sql;
}

/** It is prepared on one connection: to plan a query of all tables takes longer than to run it. */
async function twins(client: PoolClient, sql: string): Promise<Map<string, number>> {
  const query = { name: 'twins', text: sql, values: [world.organizationId] };
  const { rows } = await client.query<{ table: string; count: number }>(query);
  return new Map(rows.map(({ table, count }) => [table, count]));
}

describe('an order', () => {
  it('is kept by a constraint for everything with a position', async () => {
    const { rows } = await test.coffer.pool.query<{ table: string }>(
      `select c.relname as table from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname = 'position'
         and not exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any(i.indkey))`,
    );
    expect(rows).toEqual([]);
  });
});

describe('several concurrent equal changes', () => {
  it(
    'create nothing twice, cause no internal error, and are each one transaction',
    async () => {
      const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
      const changing = operationsOf(appRouter)
        .filter(({ method, meta }) => method !== 'GET' && meta.needs !== 'public' && !meta.rest?.strictlyLimited)
        // Deletions come last.
        .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
      const found: Record<string, unknown> = {};
      const sql = await countTwins();
      const client = await test.owner.connect();
      onTestFinished(() => client.release());
      let before = await twins(client, sql);
      /** Changes whose commits were seen. */
      let committing = 0;
      for (const operation of sampleOf(changing, 2)) {
        const sample = new Sample(operation, document);
        const { url, body } = sample.request(sample.input((thing) => world.has[thing]));
        const { actors } = operation.meta.rest ?? {};
        const caller = actors && !actors.includes('identity') ? world.person : world.machine;
        commits.length = 0;
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => caller(operation.method, url, body)));
        if (commits.length > 0) committing++;
        const isDivided = commits.length > AT_ONCE && !DURABLE.some((pattern) => pattern.test(operation.url));
        const faults = answers.filter(({ status }) => status >= 500).map((answer) => answer.body);
        const after = await twins(client, sql);
        const made = [...after].filter(([table, count]) => count > before.get(table)! && !MADE_EACH_TIME.has(table));
        before = after;
        if (faults.length > 0 || made.length > 0 || isDivided)
          found[`${operation.method} ${operation.url}`] = {
            statuses: answers.map(({ status }) => status),
            faults,
            made,
            ...(isDivided && { commits: [...commits] }),
          };
      }
      expect(found).toEqual({});
      expect(committing).toBeGreaterThan(changing.length / 10);
    },
    PATIENCE,
  );
});
