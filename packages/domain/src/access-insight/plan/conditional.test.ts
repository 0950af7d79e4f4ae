import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../kernel/index.ts';
import { request, rule } from '../../testing/arbitrary-rules.ts';
import { naiveCan } from '../../testing/naive-rules.ts';
import { runs, searchTime } from '../../testing/search.ts';
import { gainedBetween, type OpenRule } from './conditional.ts';

const LONG = searchTime(300_000);
const RUNS = runs(2_000, 10_000);
const toRules = (rules: readonly OpenRule[]): Rule[] =>
  rules.map(({ conditions, isInverted }) => ({
    subject: 'secrets',
    action: 'create',
    conditions,
    inverted: isInverted,
  }));
const open: fc.Arbitrary<OpenRule> = rule(['secrets']).map(({ conditions = {}, inverted = false }) => ({
  conditions,
  isInverted: inverted,
}));

describe('what one list of rules allows and another does not', () => {
  it('is reported by conditions that match everything that is gained', { timeout: LONG }, () => {
    let [gained, told] = [0, 0];
    const lists = fc.tuple(fc.array(open, { maxLength: 3 }), fc.array(open, { maxLength: 3 })).map(
      // Most rules stay when a role is changed.
      ([before, added]) => [before, [...before.slice(0, 2), ...added]] as const,
    );
    const things = fc.array(
      request(['secrets']).map(({ fields }) => fields),
      { minLength: 8, maxLength: 8 },
    );
    fc.assert(
      fc.property(lists, things, ([before, after], some) => {
        const limits = gainedBetween(before, after);
        if (limits.length > 0) told++;
        for (const fields of some) {
          const may = (rules: readonly OpenRule[]) => naiveCan(toRules(rules), 'secrets', 'create', fields);
          if (!may(after) || may(before)) continue;
          gained++;
          const fits = limits.some((conditions) =>
            naiveCan(toRules([{ conditions: conditions ?? {}, isInverted: false }]), 'secrets', 'create', fields),
          );
          expect({ before, after, fields, limits, fits }).toMatchObject({ fits: true });
        }
      }),
      { numRuns: RUNS },
    );
    expect(gained).toBeGreaterThan(RUNS / 10);
    expect(told).toBeGreaterThan(RUNS / 10);
  });

  it('is nothing where the second allows no more', () => {
    const all: OpenRule = { conditions: {}, isInverted: false };
    const some: OpenRule = { conditions: { secretName: { $glob: 'DB_*' } }, isInverted: false };
    const not: OpenRule = { ...some, isInverted: true };
    expect(gainedBetween([all], [all, some])).toEqual([]);
    expect(gainedBetween([not], [some, not])).toEqual([]);
    expect(gainedBetween([], [some])).toEqual([some.conditions]);
    expect(gainedBetween([all, not], [all])).toEqual([some.conditions]);
    expect(gainedBetween([], [all])).toEqual([null]);
  });
});
