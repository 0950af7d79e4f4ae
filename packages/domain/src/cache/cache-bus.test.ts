import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Client, Pool } from 'pg';
import { CacheBus, type BusOptions } from './cache-bus.ts';
import { TaggedCache } from './tagged-cache.ts';
import { openGate } from '../outbound/testing/gate.ts';
import { testDatabase, type TestDatabase } from '../testing/database.ts';
import { asOptions, keepaliveOf } from '../kernel/index.ts';

const silent = () => undefined;
const LOG = { debug: silent, info: silent, warn: silent, error: silent };

let database: TestDatabase;
let owner: Pool;
beforeAll(async () => {
  database = await testDatabase();
  owner = new Pool({ connectionString: database.url, max: 1 });
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

/** A bus with a cache that has one value. */
async function hearing(options: BusOptions = {}, url = database.url) {
  const bus = new CacheBus(url, LOG, options);
  onTestFinished(() => bus.close());
  const cache = new TaggedCache<string>();
  bus.register(cache);
  await bus.open();
  const cached = () => cache.get('key', 0);
  const fill = async () => {
    await cache.load('key', 0, async () => ({ value: 'cached', tags: ['tag'] }));
    return cached();
  };
  const untilFilled = () => expect.poll(fill).toBe('cached');
  await untilFilled();
  return { cached, untilFilled };
}

const ours = `from pg_stat_activity where application_name = 'coffer-cache' and datname = current_database()`;
const connections = async () => (await owner.query(`select ${ours}`)).rowCount;
const endConnection = () => owner.query(`select pg_terminate_backend(pid) ${ours}`);

describe('a process', () => {
  it('uses what it has cached while it hears', async () => {
    const { cached } = await hearing({ heartbeatTimeout: 60_000 });
    expect(cached()).toBe('cached');
    await owner.query(`select pg_notify('coffer_forget', 'tag')`);
    await expect.poll(cached).toBeUndefined();
  });

  it('that was stopped for some time uses nothing cached before it has heard again', async () => {
    const { cached, untilFilled } = await hearing();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    expect(cached()).toBeUndefined();
    await untilFilled();
  });

  it('caches nothing from the moment in which its connection ends', async () => {
    const { cached, untilFilled } = await hearing();
    await endConnection();
    await expect.poll(cached, { interval: 1 }).toBeUndefined();
    await untilFilled();
  });

  it('leaves no connection behind where the database admits it, and does not answer any more', async () => {
    const gate = await openGate({ port: Number(new URL(database.url).port) });
    onTestFinished(() => gate.close());
    const { untilFilled } = await hearing({}, database.url.replace(/:\d+\//, `:${gate.port}/`));
    const admitted = gate.stallAt('listen', true);
    await endConnection();
    await admitted;
    await expect.poll(connections).toBe(0);
    await gate.open();
    await untilFilled();
  });

  it('learns when it lost the server, and whether another one has taken over', async () => {
    const restored: [number, boolean][] = [];
    // Stands before that of the catalogue.
    await owner.query(`
      alter database ${new URL(database.url).pathname.slice(1)} set search_path = public, pg_catalog;
      create sequence servers;
      create function public.pg_postmaster_start_time() returns timestamptz language sql as
        'select to_timestamp(last_value) from servers'`);
    const gate = await openGate({ port: Number(new URL(database.url).port) });
    onTestFinished(() => gate.close());
    const url = database.url.replace(/:\d+\//, `:${gate.port}/`);
    const { untilFilled } = await hearing({ restored: (...event) => void restored.push(event) }, url);
    const started = performance.now();
    for (const server of [1, 2]) {
      await owner.query(`select setval('servers', $1)`, [server]);
      await endConnection();
      await expect.poll(() => restored.length).toBe(server);
      await untilFilled();
    }
    // The connection that is restored is lost again before it listens, and the next one is to another server.
    const admitted = gate.stallAt('listen', true);
    await endConnection();
    await admitted;
    await owner.query(`select setval('servers', 3)`);
    await gate.open();
    await untilFilled();
    expect(restored).toEqual([
      [expect.any(Number), false],
      [expect.any(Number), true],
      [expect.any(Number), true],
    ]);
    expect(restored[0]![0]).toBeGreaterThan(started);
  });
});

describe('the settings by which a server notices that a machine is lost', () => {
  it('are taken by PostgreSQL, and not given on the machine itself', async () => {
    expect(['127.0.0.1', 'localhost', '[::1]'].map((host) => keepaliveOf(`postgres://${host}:5432/x`))).toEqual([
      {},
      {},
      {},
    ]);
    const settings = keepaliveOf('postgres://db.example.com/x');
    const client = new Client({ connectionString: database.url, options: asOptions(settings) });
    await client.connect();
    onTestFinished(() => client.end());
    const { rows } = await client.query('select name, setting from pg_settings where name = any($1) order by 1', [
      Object.keys(settings),
    ]);
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual(settings);
  });
});
