import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openCoffer } from '../app/coffer.ts';
import { makeRootKey, parseRootKey } from '../crypto/index.ts';
import { debianProgram, freePorts, startServer, temporaryDirectory } from '../outbound/testing/server-process.ts';
import { testDatabase, type TestDatabase } from '../testing/database.ts';

const PGBOUNCER = '/usr/sbin/pgbouncer';
const program = debianProgram(PGBOUNCER, 'pgbouncer');

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Opens Coffer through a PgBouncer with these settings. */
async function openThrough(settings: readonly string[], more = '', ofOwner = false): Promise<void> {
  const { hostname, port, username, password, pathname } = new URL(database.url);
  const [listenPort] = (await freePorts(1)) as [number];
  const directory = await temporaryDirectory('pgbouncer');
  const file = join(directory, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `coffer = host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${decodeURIComponent(password)} ${more}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${listenPort}`, 'unix_socket_dir =', 'auth_type = any', ...settings],
  ];
  await writeFile(file, lines.join('\n'));
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const pgbouncer = await startServer(PGBOUNCER, [...asUser, file], { port: listenPort, directory });
  onTestFinished(() => pgbouncer.stop());
  const url = `postgres://coffer@127.0.0.1:${listenPort}/coffer`;
  const coffer = await openCoffer({
    ...(ofOwner ? { databaseUrl: database.servingUrl, migrationUrl: url } : { databaseUrl: url }),
    rootKey: parseRootKey(makeRootKey()),
    fetch: () => Promise.reject(new Error('This test reaches no network')),
    poolSize: 4,
  });
  await coffer.close();
}

const REFUSED = { code: 'database.pooler', message: expect.stringContaining('PgBouncer') as string };
const SETTINGS_OF_ALL =
  "connect_query='set enable_seqscan = off; set jit = off; set plan_cache_mode = force_generic_plan; set timezone = UTC'";

describe.skipIf(program.isMissing)(`a start through PgBouncer is refused with one message${program.orSkipped}`, () => {
  beforeAll(() => program.require());

  it('where it does not take the settings of a session', async () => {
    await expect(openThrough(['pool_mode = transaction'])).rejects.toMatchObject(REFUSED);
  });

  it('where it ignores them, also with a session for each client', async () => {
    const ignoring = ['pool_mode = session', 'ignore_startup_parameters = options'];
    await expect(openThrough(ignoring)).rejects.toMatchObject(REFUSED);
  });

  it('where all sessions have them, but clients share sessions between transactions', async () => {
    const sharing = ['pool_mode = transaction', 'ignore_startup_parameters = options'];
    await expect(openThrough(sharing, SETTINGS_OF_ALL)).rejects.toMatchObject(REFUSED);
    await expect(openThrough(sharing, SETTINGS_OF_ALL, true)).rejects.toMatchObject({
      message: expect.stringContaining('COFFER_MIGRATION_DATABASE_URL') as string,
    });
    // With sessions of their own, they are refused for nothing.
    const apart = ['pool_mode = session', 'ignore_startup_parameters = options'];
    await expect(openThrough(apart, SETTINGS_OF_ALL)).resolves.toBeUndefined();
  });
});
