import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isLong, jsonInTurns, safeParseInTurns } from './in-turns.ts';

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

describe('a long response', () => {
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
    const text = `${'é"\n'.repeat(60_000)}${'\u{1f600}'.repeat(200_000)}\ud83d`;
    for (const value of [
      answer(5000),
      { a: [undefined, ...rows(6000)], b: { c: [[1, undefined, ...Array(30_000).keys()]] } },
      { many: Array.from({ length: 500 }, () => rows(20)), ['__proto__']: rows(1000), empty: [{}, [], ''] },
      { text, list: [text, 1, [text], { text }], no: undefined, not: () => 1, bytes: Buffer.alloc(2_000_000, 7) },
    ]) {
      expect(isLong(value)).toBe(true);
      expect(Buffer.concat(await jsonInTurns(value)).toString()).toBe(JSON.stringify(value));
    }
  });

  it('is long by the sum of its contents at every depth', () => {
    expect(isLong({ groups: Array.from({ length: 100 }, () => rows(20)) })).toBe(false);
    expect(isLong({ groups: Array.from({ length: 100 }, () => rows(100)) })).toBe(true);
    expect(isLong({ values: Array.from({ length: 9 }, () => 'x'.repeat(100_000)) })).toBe(false);
    expect(isLong({ values: Array.from({ length: 9 }, () => 'x'.repeat(1_000_000)) })).toBe(true);
  });

  it('is rejected if it has more bytes than the limit, not characters', async () => {
    const value = { values: Array.from({ length: 10 }, () => 'é'.repeat(100_000)) };
    const size = Buffer.byteLength(JSON.stringify(value));
    expect(Buffer.concat(await jsonInTurns(value, { left: size }))).toHaveLength(size);
    const tooSmall = jsonInTurns(value, { left: size - 1 });
    await expect(tooSmall).rejects.toMatchObject({ kind: 'bad_request', code: 'answer.too_large' });
  });

  it('yields to other requests', async () => {
    let turns = 0;
    let timer = setImmediate(function count() {
      turns++;
      timer = setImmediate(count);
    });
    await safeParseInTurns(Answer, answer(50_000));
    await jsonInTurns(answer(50_000));
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(10);
  });
});
