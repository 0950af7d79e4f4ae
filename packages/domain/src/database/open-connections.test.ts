import { Pool, type PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { OpenConnections } from './open-connections.ts';
import { openGate } from '../outbound/testing/gate.ts';
import { testDatabase, type TestDatabase } from '../testing/database.ts';

const PATIENCE = 2_000;
let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase()));
afterAll(() => database.drop());

/** Connections to a database, of which the first ones can be lost. */
async function connections() {
  const gate = await openGate({ port: Number(new URL(database.url).port) });
  onTestFinished(() => gate.close());
  const all = new OpenConnections(PATIENCE);
  const open = (url: string) => {
    const pool = new Pool({ connectionString: url, max: 3 });
    pool.on('error', () => undefined);
    all.follow(pool);
    onTestFinished(() => pool.end());
    return pool;
  };
  const use = async (pool: Pool): Promise<PoolClient> => {
    const client = await pool.connect();
    client.on('error', () => undefined);
    onTestFinished(() => client.release(true));
    return client;
  };
  const [early, direct] = [open(database.url.replace(/:\d+\//, `:${gate.port}/`)), open(database.url)];
  const [lost, used] = [await use(early), await use(direct)];
  await Promise.all([early.query('select 1'), direct.query('select 1')]);
  const at = performance.now();
  gate.stall();
  const asked = lost.query('select 1');
  asked.catch(() => undefined);
  return { all, at, early, direct, asked, used };
}

describe('connections to a server that is lost without saying so', () => {
  it('are ended where another one has taken over, and later ones are not', async () => {
    const { all, at, early, direct, asked } = await connections();
    expect(all.endOlder(at)).toBe(4);
    await expect(asked).rejects.toThrow('Connection terminated');
    await expect.poll(() => early.totalCount + direct.idleCount).toBe(1);
    await direct.query('select 1');
    expect(all.endOlder(at)).toBe(0);
  });

  it('are ended where they are idle, or do not answer in time', async () => {
    const { all, at, early, direct, asked, used } = await connections();
    const slow = used.query('select pg_sleep(0.1)');
    all.verifyOlder(at);
    await expect.poll(() => early.idleCount + direct.idleCount).toBe(0);
    await slow;
    await expect(asked).rejects.toThrow('Connection terminated');
    expect((await used.query('select 1')).rowCount).toBe(1);
  });

  it('are handed out to nobody once they are ended', async () => {
    const { all, direct } = await connections();
    for (const lose of [() => all.verifyOlder(performance.now()), () => all.endOlder(performance.now())]) {
      expect(direct.idleCount).toBeGreaterThan(0);
      lose();
      const answers = await Promise.all([1, 2, 3].map(() => direct.query('select 1')));
      expect(answers.map(({ rowCount }) => rowCount)).toEqual([1, 1, 1]);
    }
  });
});
