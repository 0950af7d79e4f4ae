import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

export const TEMPLATE = 'coffer_template';

export interface TestDatabase {
  /** A connection as the owner of the tables, without restrictions. */
  readonly url: string;
  /** For the role that serves. */
  readonly servingUrl: string;
  drop(): Promise<void>;
}

/**
 * A separate database for one test file, with this release's schema and no rows, or the content of another template;
 * `drop` removes it.
 */
export async function testDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const server = process.env['COFFER_TEST_DATABASE_URL'];
  const serving = process.env['COFFER_TEST_SERVING_URL'];
  if (!server || !serving) throw new Error('There is no test database: run the tests with npm test');
  const name = `test_${randomBytes(8).toString('hex')}`;
  // What the owner of a database revokes when it migrates (database/roles.ts) is not copied with a template.
  await administer(
    server,
    `create database ${name} template ${template} strategy file_copy`,
    `revoke temporary on database ${name} from public`,
  );
  const at = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).toString();
  return {
    url: at(server),
    servingUrl: at(serving),
    drop: async () => {
      await waitUntilClosed(server, name);
      await administer(server, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Milliseconds. */
const CLOSING = 2_000;

/** The pool has ended before its connections are closed, so their errors need a handler. */
async function waitUntilClosed(url: string, name: string): Promise<void> {
  const client = await administrator(url);
  for (const end = Date.now() + CLOSING; Date.now() < end; await sleep(10)) {
    const { rowCount } = await client.query('select from pg_stat_activity where datname = $1 limit 1', [name]);
    if (rowCount === 0) return;
  }
}

async function administer(url: string, ...statements: string[]): Promise<void> {
  const client = await administrator(url);
  // Copying a template is refused while another copy of it is being made.
  await client.query('select pg_advisory_lock(7)');
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.query('select pg_advisory_unlock(7)');
  }
}

let connected: Promise<Client> | undefined;

/** One connection for all test files of a worker, which ends with it. */
function administrator(url: string): Promise<Client> {
  connected ??= (async () => {
    const client = new Client({ connectionString: url });
    client.on('error', () => (connected = undefined));
    await client.connect();
    return client;
  })();
  return connected;
}
