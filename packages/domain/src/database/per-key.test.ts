import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definePages } from '../kernel/index.ts';
import { testCoffer, type TestCoffer } from '../testing/index.ts';

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer();
});
afterAll(() => test.close());

describe('a statement', () => {
  it('is planned once for each connection, also where plans become dearer', async () => {
    const { owner, coffer } = test;
    await owner.query('create table test_growing (n integer); grant select on test_growing to public');
    const client = await coffer.pool.connect();
    try {
      const query = { name: 'test.grows', text: 'select count(*) from test_growing where n = any ($1)' };
      const run = async (times: number) => {
        for (let i = 0; i < times; i++) await client.query({ ...query, values: [[i]] });
      };
      await run(6);
      await owner.query('insert into test_growing select generate_series(1, 10000)');
      await owner.query('analyze test_growing');
      await run(20);
      const { rows } = await client.query<{ once: number; again: number }>(
        `select generic_plans::integer as once, custom_plans::integer as again from pg_prepared_statements where name = $1`,
        [query.name],
      );
      expect(rows).toEqual([{ once: 26, again: 0 }]);
    } finally {
      client.release();
    }
  });
});

describe('a list in pages', () => {
  const NUMBERS = definePages<{ n: number; half: string | number; at: string | null }>(
    'test.numbers',
    { most_of: 'integer', text: 'text' },
    {
      select: `select n, n::bigint / 2 as half, null::timestamptz as at from generate_series(1, w.most_of) n
        where w.text = 'all' order by n desc offset w.skipped limit w.most`,
      count: `(select count(*)::integer from generate_series(1, w.most_of) n where w.text = 'all')`,
    },
  );
  const read = async (of: number, offset: number, limit: number | undefined, isSearch?: boolean) => {
    const ctx = test.coffer.contextFor({ type: 'platform', organizationId: '019a0000-0000-7000-8000-000000000000' });
    const { rows, totalCount } = await NUMBERS.read(ctx, [of, 'all'], { offset, limit }, isSearch);
    return { ns: rows.map(({ n }) => n), totalCount };
  };
  const expected = (of: number, offset: number, limit = Infinity) => ({
    ns: Array.from({ length: of }, (_, n) => of - n).slice(offset, offset + limit),
    totalCount: of,
  });

  it.for([
    [0, 0, 20],
    [30, 0, 20],
    [30, 20, 20],
    [300, 150, 100],
    [300, 10, 101],
    [300, 0, undefined],
    [300, 290, undefined],
  ] as const)('of %i rows has those from %i on, %i at most, read in either way', async ([of, offset, limit]) => {
    for (const isSearch of [false, true])
      expect(await read(of, offset, limit, isSearch)).toEqual(expected(of, offset, limit));
  });

  it('gives each of many concurrent calls the page of its own', async () => {
    const asked = Array.from({ length: 40 }, (_, n) => [n, n % 7, 1 + (n % 5)] as const);
    const pages = await Promise.all(asked.map((one) => read(...one)));
    expect(pages).toEqual(asked.map((one) => expected(...one)));
  });
});
