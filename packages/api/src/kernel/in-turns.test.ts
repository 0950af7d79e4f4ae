import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hasLong, jsonInTurns, safeParseInTurns } from './in-turns.ts';

const Row = z.object({ id: z.string(), at: z.date().optional(), note: z.string().nullable().default(null) });
const Answer = z.object({
  rows: z.array(Row),
  nested: z.array(z.object({ by: z.record(z.string(), z.object({ rows: z.array(Row).nullable() })) })).optional(),
  sorted: z.array(z.string()).refine((all) => all.length !== 3000),
  plain: z.string(),
});
const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `${n}`, at: new Date(n), secret: 'not in the schema' }));
const answer = (count: number) => ({
  rows: rows(count),
  nested: [{ by: { dev: { rows: rows(count), secret: 'x' }, prod: { rows: null } } }],
  sorted: rows(2000).map(({ id }) => id),
  plain: 'text',
  absent: undefined,
  more: 1,
});

describe('a response with long arrays', () => {
  it('is validated like a short one', async () => {
    for (const count of [0, 3, 1001, 2500]) {
      const { data } = await safeParseInTurns(Answer, answer(count));
      expect(data).toEqual(Answer.parse(answer(count)));
    }
  });

  it('is rejected like a short one', async () => {
    const wrong = { ...answer(2000), rows: [...rows(2000), { id: 7 }] };
    expect((await safeParseInTurns(Answer, wrong)).success).toBe(false);
    expect((await safeParseInTurns(Answer, { ...answer(2000), plain: 1 })).success).toBe(false);
    expect((await safeParseInTurns(Answer, { ...answer(1), sorted: Array(3000).fill('') })).success).toBe(false);
  });

  it('omits fields that are not in the schema, also under names that every object has', async () => {
    const more = JSON.parse('{"toString":{"rows":[]},"constructor":{},"__proto__":{"x":[]}}') as object;
    const { data } = await safeParseInTurns(Answer, {
      ...answer(2000),
      ...more,
      ...Object.fromEntries([['valueOf', {}]]),
    });
    expect(data).toEqual(Answer.parse(answer(2000)));
  });

  it('has the same JSON as without yielding', async () => {
    for (const value of [
      answer(2500),
      { a: [undefined, ...rows(1500)], b: { c: [[1, undefined, ...Array(2000).keys()]] } },
    ]) {
      expect(hasLong(value)).toBe(true);
      expect(await jsonInTurns(value)).toBe(JSON.stringify(value));
    }
  });

  it('yields to other requests', async () => {
    let turns = 0;
    let timer = setImmediate(function count() {
      turns++;
      timer = setImmediate(count);
    });
    await safeParseInTurns(Answer, answer(2500));
    await jsonInTurns(answer(2500));
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(10);
  });
});
