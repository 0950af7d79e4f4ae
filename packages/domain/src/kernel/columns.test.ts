import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../testing/index.ts';
import { bytesArray, plainArray, textArray } from './columns.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = new Pool({ connectionString: database.url, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** What PostgreSQL reads of an array. */
async function read(type: string, array: unknown): Promise<unknown[]> {
  const { rows } = await pool.query<{ value: unknown }>(
    `select value from unnest($1::${type}[]) with ordinality as r (value, ordinal) order by ordinal`,
    [array],
  );
  return rows.map(({ value }) => value);
}

describe('arrays of columns', () => {
  it('hold the texts that they are made of', async () => {
    const texts = ['', 'A', 'NULL', null, '{a,b}', 'a"b', String.raw`a\b\\c"`, ' a ', 'ä 🔑', "it's", 'a\nb,c'];
    expect(await read('text', textArray(texts))).toEqual(texts);
  });

  it('hold bytes', async () => {
    const values = [Buffer.from([0, 1, 255]), null, Buffer.alloc(0), Buffer.alloc(70_000, 7)];
    expect(await read('bytea', bytesArray(values))).toEqual(values);
    expect(await read('bytea', bytesArray([Buffer.from('one')]))).toEqual([Buffer.from('one')]);
  });

  it('hold numbers, booleans, IDs and times', async () => {
    expect(await read('integer', plainArray([1, null, -3]))).toEqual([1, null, -3]);
    expect(await read('boolean', plainArray([true, null, false]))).toEqual([true, null, false]);
    const id = '0197a1c0-0000-7000-8000-000000000001';
    expect(await read('uuid', plainArray([id, null]))).toEqual([id, null]);
    const time = new Date('2026-11-29T01:02:03.456Z');
    expect(await read('timestamptz', plainArray([time.toISOString(), null]))).toEqual([time, null]);
  });

  it('are empty without values', async () => {
    for (const array of [textArray([]), plainArray([])]) expect(await read('text', array)).toEqual([]);
    expect(await read('bytea', bytesArray([]))).toEqual([]);
  });

  it('do not hold halves of characters, which PostgreSQL would get as others', () => {
    expect(() => textArray(['a\uD800'])).toThrow(expect.objectContaining({ code: 'input.unstorable' }));
  });
});
