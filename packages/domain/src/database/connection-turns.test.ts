import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { ConnectionTurns } from './connection-turns.ts';

const SIZE = 16;
let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let turns: ConnectionTurns;
/** Who got a connection, in order, and the connections that each has. */
let order: string[];
let held: Map<string, PoolClient[]>;

beforeAll(async () => void (database = await testDatabase()));
afterAll(() => database.drop());
beforeEach(() => open());
afterEach(async () => {
  for (const client of [...held.values()].flat()) client.release();
  await pool.end();
});

function open(max = SIZE): void {
  pool = new Pool({ connectionString: database.url, max, connectionTimeoutMillis: 60_000 });
  turns = new ConnectionTurns(pool);
  order = [];
  held = new Map();
}

/** Asks for connections for a caller, and keeps them. */
function ask(caller: string, times = 1): void {
  const keep = (client: PoolClient) => {
    order.push(caller);
    held.set(caller, [...(held.get(caller) ?? []), client]);
  };
  // Those that still wait at the end of a test get none.
  for (let i = 0; i < times; i++) turns.as(caller, () => pool.connect()).then(keep, () => undefined);
}
const release = (caller: string, error?: Error) => held.get(caller)!.pop()!.release(error);
const counts = () => Object.fromEntries([...held].map(([caller, clients]) => [caller, clients.length]));

describe('the connections of a pool', () => {
  it('are at most half those of one caller, and others get theirs at once', async () => {
    ask('slow', 100);
    await expect.poll(counts).toEqual({ slow: 7 });
    ask('other', 100);
    ask('third');
    await expect.poll(counts).toEqual({ slow: 7, other: 3, third: 1 });
    expect(turns.waiting).toBe(93 + 97);
  });

  it.each([
    [3, [1, 1]],
    [4, [1, 1, 1]],
    [5, [2, 1, 1]],
    [6, [2, 1, 1, 1]],
    [8, [3, 2, 1, 1]],
  ])('of which there are %s are shared in the same way, with one for the process', async (max, shares) => {
    await pool.end();
    open(max);
    for (const [caller, share] of shares.entries()) {
      ask(`${caller}`, 30);
      await expect.poll(() => counts()[`${caller}`]).toBe(share);
    }
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(turns.waiting).toBe(30 * shares.length - (max - 1));
  });

  it('are left over for the process, however many callers there are', async () => {
    for (let i = 0; i < 50; i++) ask(`caller ${i}`, 10);
    await expect.poll(() => order.length).toBe(14);
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(order).toHaveLength(14);
  });

  it('are handed out in turns', async () => {
    for (const caller of ['a', 'b', 'c', 'd', 'e']) ask(caller, 20);
    await expect.poll(() => order.length).toBe(14);
    expect(counts()).toEqual({ a: 7, b: 3, c: 2, d: 1, e: 1 });
    // The last ones are for callers that have none.
    ask('f');
    release('a');
    await expect.poll(() => order.at(-1)).toBe('f');
    for (const _ of ['first', 'second']) release('a');
    for (const next of ['d', 'e']) {
      release('a');
      await expect.poll(() => order.at(-1)).toBe(next);
    }
    expect(counts()).toEqual({ a: 2, b: 3, c: 2, d: 2, e: 2, f: 1 });
  });

  it('come back when they break, and when none can be opened', async () => {
    ask('a', 7);
    await expect.poll(counts).toEqual({ a: 7 });
    ask('a');
    release('a', new Error('broken'));
    await expect.poll(counts).toEqual({ a: 7 });
    await expect(turns.as('b', () => pool.query('select 1/0'))).rejects.toThrow('division by zero');
    ask('b', 3);
    await expect.poll(counts).toEqual({ a: 7, b: 3 });
    const away = new Pool({ host: '127.0.0.1', port: 1, max: 1 });
    const alone = new ConnectionTurns(away);
    for (let i = 0; i < 3; i++) await expect(alone.as('a', () => away.connect())).rejects.toThrow('ECONNREFUSED');
  });

  it('are waited for as long as the pool lets wait', async () => {
    ask('a', 7);
    await expect.poll(counts).toEqual({ a: 7 });
    pool.options.connectionTimeoutMillis = 50;
    await expect(turns.as('a', () => pool.connect())).rejects.toThrow('timeout exceeded when trying to connect');
    expect(turns.waiting).toBe(0);
    release('a');
    await turns.as('a', () => pool.query('select 1'));
  });

  it('are asked for by one caller only within its call', async () => {
    ask('a', 7);
    await expect.poll(counts).toEqual({ a: 7 });
    const waiting = turns.as('a', () => pool.query('select 1'));
    await sleep(0);
    await pool.query('select 1');
    release('a');
    await waiting;
  });
});
