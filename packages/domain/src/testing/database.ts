import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

export const TEMPLATE = 'coffer_template';

/** A database of its own for one test file, with this release's schema and no rows; `drop` removes it. */
export async function testDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env['COFFER_TEST_DATABASE_URL'];
  if (!server) throw new Error('There is no test database: run the tests with npm test');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(server, `create database ${name} template ${TEMPLATE}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).toString();
  return { url, drop: () => administer(server, `drop database if exists ${name} with (force)`) };
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Copying a template is refused while another copy of it is being made.
    await client.query('select pg_advisory_lock(7)');
    await client.query(sql);
  } finally {
    await client.end();
  }
}
