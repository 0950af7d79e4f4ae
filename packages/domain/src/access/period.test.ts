import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../kernel/index.ts';
import { request, rule } from '../testing/arbitrary-rules.ts';
import { naiveCan } from '../testing/naive-rules.ts';
import { missingThroughout } from './boundary.ts';
import { FOREVER, piecesUntil } from './period.ts';
import { ComparisonBudget } from './region.ts';
import { MAX_RULES } from './rule-limit.ts';

const NOW = 1000;
const SUBJECTS = ['secrets', 'identity'];

interface Held {
  readonly rules: readonly Rule[];
  readonly start: number;
  readonly end: number;
}

/** Grants whose windows begin and end around NOW, and some that do not end. */
const grant: fc.Arbitrary<Held> = fc
  .record({
    rules: fc.array(rule(SUBJECTS), { minLength: 1, maxLength: 3 }),
    window: fc.oneof(
      fc.constant({ start: -Infinity, end: FOREVER }),
      fc
        .tuple(fc.integer({ min: NOW - 5, max: NOW + 5 }), fc.integer({ min: 1, max: 8 }))
        .map(([start, length]) => ({ start, end: start + length })),
    ),
  })
  .map(({ rules, window }) => ({ rules, ...window }));

const until = fc.oneof(fc.constant(FOREVER), fc.integer({ min: NOW - 2, max: NOW + 14 }));
/** By which everything that begins or ends has done so. */
const END = NOW + 20;

/** A naive implementation of what a list of grants allows at an instant. */
const mayAt = (held: readonly Held[], time: number, asked: readonly [string, string, object]) =>
  naiveCan(
    held.flatMap(({ rules, start, end }) => (start <= time && time < end ? rules : [])),
    asked[0],
    asked[1],
    asked[2] as Record<string, unknown>,
  );

const outlasts = async (held: readonly Held[], given: readonly Rule[], end: number, most?: number) => {
  const pieces = piecesUntil(held, NOW, end, undefined, most);
  return (await missingThroughout([{ rules: given, until: end }], pieces, new ComparisonBudget())) !== undefined;
};

describe('a grant until an instant', () => {
  const requests = fc
    .sample(request(SUBJECTS), 2000)
    .map(({ subject, action, fields }) => [subject, action, fields] as const);
  const cases = fc.record({
    held: fc.array(grant, { minLength: 1, maxLength: 4 }),
    end: until,
    pick: fc.nat(),
    from: fc.nat(1960),
    more: fc.array(rule(SUBJECTS), { maxLength: 1 }),
  });

  /** Samples some instants and requests; whether anything was allowed that the grantor was not allowed at that time. */
  const search = async (accepts: typeof outlasts, runs: number) => {
    let accepted = 0;
    const check = await fc.check(
      fc.asyncProperty(cases, async ({ held, end, pick, from, more }) => {
        const given = [...held[pick % held.length]!.rules, ...more.map((one) => ({ ...one, inverted: true }))];
        if (await accepts(held, given, end)) return true;
        accepted++;
        for (let time = NOW; time < Math.min(Math.max(end, NOW + 1), END); time++)
          for (const asked of requests.slice(from, from + 40))
            if (naiveCan(given, asked[0], asked[1], asked[2]) && !mayAt(held, time, asked)) return false;
        return true;
      }),
      { numRuns: runs, endOnFailure: true },
    );
    return { accepted, failed: check.failed };
  };

  it('is held by the grantor now and at every instant until then, in 3,000 generated cases', async () => {
    const { accepted, failed } = await search(outlasts, 3000);
    expect(failed).toBe(false);
    expect(accepted).toBeGreaterThan(300);
  });

  it('is so, too, where the grantor has too many windows to look at each, in 3,000 generated cases', async () => {
    const { accepted, failed } = await search((held, given, end) => outlasts(held, given, end, 1), 3000);
    expect(failed).toBe(false);
    expect(accepted).toBeGreaterThan(300);
  });

  it('would be found to outlast the grantor if only the present were compared', async () => {
    expect((await search((held, given) => outlasts(held, given, NOW), 3000)).failed).toBe(true);
  });

  it('is accepted up to the very end of the grantor’s own, and not a millisecond more', async () => {
    const rules: Rule[] = [{ subject: 'secrets', action: 'edit' }];
    const forbidding: Rule[] = [{ subject: 'secrets', action: 'edit', inverted: true }];
    const held = [{ rules, start: NOW - 5, end: NOW + 10 }];
    expect([await outlasts(held, rules, NOW + 10), await outlasts(held, rules, NOW + 11)]).toEqual([false, true]);
    // A later grant without a gap is enough; one with a gap is not.
    expect(await outlasts([...held, { rules, start: NOW + 10, end: FOREVER }], rules, FOREVER)).toBe(false);
    expect(await outlasts([...held, { rules, start: NOW + 11, end: FOREVER }], rules, FOREVER)).toBe(true);
    // Nor what is forbidden to the grantor from some time on.
    const always = { rules, start: -Infinity, end: FOREVER };
    expect(await outlasts([always, { rules: forbidding, start: NOW + 3, end: NOW + 4 }], rules, FOREVER)).toBe(true);
    // A right that begins later cannot be granted before.
    expect(await outlasts([{ rules, start: NOW + 1, end: FOREVER }], rules, FOREVER)).toBe(true);
  });
});

describe('an actor with many windows', () => {
  const named = (name: string): Rule => ({ subject: 'secrets', action: 'readValue', conditions: { secretPath: name } });
  const windows = (count: number, rules: readonly Rule[]): Held[] =>
    Array.from({ length: count }, (_, n) => ({ rules, start: NOW + n, end: NOW + 10_000 + n }));

  it('has few periods, with a limited number of rules in all together', () => {
    const rules = Array.from({ length: 20 }, (_, n) => named(`/${n}`));
    const pieces = piecesUntil(windows(480, rules), NOW, FOREVER);
    expect(pieces.reduce((sum, piece) => sum + piece.rules.length, 0)).toBeLessThan(2 * MAX_RULES);
    // Windows of few rules are no less costly each.
    expect(piecesUntil(windows(5000, [named('/')]), NOW, FOREVER).length).toBeLessThan(100);
  });

  it('holds without end what it has permanently, and nothing else', async () => {
    const all: Rule[] = [{ subject: 'secrets', action: 'readValue' }];
    const many = windows(480, [named('/x')]);
    const always = { rules: all, start: -Infinity, end: FOREVER };
    expect(await outlasts([always, ...many], all, FOREVER)).toBe(false);
    expect(await outlasts(many, [named('/x')], FOREVER)).toBe(true);
    const forbidding = { rules: [{ ...all[0]!, inverted: true }], start: NOW + 9000, end: NOW + 9001 };
    expect(await outlasts([always, ...many, forbidding], all, FOREVER)).toBe(true);
  });
});
