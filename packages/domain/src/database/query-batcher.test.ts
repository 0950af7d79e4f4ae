import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statement } from '../kernel/index.ts';
import { testCoffer, type TestCoffer } from '../testing/index.ts';
import { QueryBatcher } from './query-batcher.ts';

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer();
});
afterAll(() => test.close());

const DOUBLE = statement(
  'test.double',
  'select w.ordinal::integer, 2 * w.n as double from unnest($1::integer[]) with ordinality as w (n, ordinal) where n > 0',
);
const double = (n: unknown) => test.coffer.one<{ double: number }>(DOUBLE, [n]);
const LOCK = statement(
  'test.lock',
  'select w.ordinal::integer, pg_advisory_xact_lock(w.n)::text from unnest($1::integer[]) with ordinality as w (n, ordinal)',
);

describe('rows that concurrent calls ask for', () => {
  it('each belong to their key, or are missing', async () => {
    const rows = await Promise.all([1, -1, 3].map(double));
    expect(rows.map((row) => row?.double)).toEqual([2, undefined, 6]);
  });

  it('come also beside a key that PostgreSQL rejects', async () => {
    const [first, wrong, last] = await Promise.allSettled([1, 'x', 3].map(double));
    expect([first, last]).toMatchObject([{ value: { double: 2 } }, { value: { double: 6 } }]);
    expect(wrong).toMatchObject({ status: 'rejected', reason: { code: '22P02' } });
  });

  it('do not wait for locks that another group waits for', async () => {
    const holder = await test.coffer.pool.connect();
    await holder.query('select pg_advisory_lock(1)');
    const waiting = test.coffer.one(LOCK, [1], 'one');
    expect(await test.coffer.one(LOCK, [2], 'another')).toMatchObject({ ordinal: 1 });
    await holder.query('select pg_advisory_unlock(1)');
    holder.release();
    expect(await waiting).toMatchObject({ ordinal: 1 });
  });

  it('wait for a lock once, however many they are', async () => {
    const timed = statement(
      'test.lock_for_a_moment',
      `select w.ordinal::integer, set_config('lock_timeout', '50', true), pg_advisory_xact_lock(w.n + 0 * length(current_setting('lock_timeout')))::text
       from unnest($1::integer[]) with ordinality as w (n, ordinal)`,
    );
    const holder = await test.coffer.pool.connect();
    await holder.query('select pg_advisory_lock(7)');
    let asked = 0;
    const batcher = new QueryBatcher(timed, (...call) => (asked++, test.coffer.query(...call)));
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => batcher.one([7])));
    expect(
      new Set(answers.map((answer) => answer.status === 'rejected' && (answer.reason as { code: string }).code)),
    ).toEqual(new Set(['55P03']));
    expect(asked).toBe(1);
    await holder.query('select pg_advisory_unlock(7)');
    holder.release();
  });

  it('are asked for once by calls that wait for the same key, and anew by those that come later', async () => {
    const asked: unknown[] = [];
    const batcher = new QueryBatcher(DOUBLE, (of, values) => (asked.push(values[0]), test.coffer.query(of, values)), {
      sharesRows: true,
    });
    const waiting = [4, 4, 5].map((n) => batcher.one<{ double: number }>([n]));
    await new Promise(setImmediate);
    const later = batcher.one<{ double: number }>([4]);
    expect((await Promise.all([...waiting, later])).map((row) => row?.double)).toEqual([8, 8, 10, 8]);
    expect(asked).toEqual([[4, 5], [4]]);
  });

  it('are not asked for again where the connection broke, since they may have been written', async () => {
    let runs = 0;
    const batcher = new QueryBatcher(DOUBLE, () => {
      runs++;
      return Promise.reject(new Error('Connection terminated unexpectedly'));
    });
    const outcomes = await Promise.allSettled([batcher.one([1]), batcher.one([2])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(runs).toBe(1);
  });
});
