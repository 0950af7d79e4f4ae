// @long: large values, many callers
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Permission, Rule } from '../kernel/index.ts';
import { request, rule } from '../testing/arbitrary-rules.ts';
import { naiveCan } from '../testing/naive-rules.ts';
import { inTitle, runs } from '../testing/search.ts';
import { compile } from './ability.ts';
import { MAX_RULES, withinLimit, type GivenSource } from './rule-limit.ts';

const RUNS = runs(2_500, 400_000);
const FAULTY_RUNS = 1_500;
const SUBJECTS = ['secrets', 'dynamic-secrets'];

interface Grant extends GivenSource {
  readonly rules: readonly Rule[];
}
type Order = (source: Grant) => GivenSource;

const asked = (subject: string, action: string): Permission => ({ scope: 'project', subject, action, key: '' });

const withoutDenials = (rules: readonly Rule[]) => rules.map(({ inverted: _, ...allowing }): Rule => allowing);

const grant = fc.record({
  given: fc.integer({ min: 0, max: 5 }),
  rules: fc.array(rule(SUBJECTS), { maxLength: 3 }),
});

const cases = fc.record({
  grants: fc.array(grant, { minLength: 1, maxLength: 5 }),
  added: grant.map((one) => ({ ...one, given: 9, rules: withoutDenials(one.rules) })),
  place: fc.nat(5),
  most: fc.integer({ min: 0, max: 4 }),
  requests: fc.array(request(SUBJECTS), { minLength: 8, maxLength: 8 }),
});

const rulesOf = (grants: readonly Grant[], most: number, order: Order): Rule[] => {
  const all = grants.flatMap((one) => one.rules.map((its) => ({ rule: its, source: one })));
  const sources = new Map(grants.map((one) => [one, order(one)]));
  return withinLimit(
    all.map((one) => one.rule),
    all.map((one) => sources.get(one.source)!),
    most,
  ).rules;
};

/** How many cases were limited, and how many rights a further grant took, or the limit gave. */
function search(order: Order, numRuns = FAULTY_RUNS): { limited: number; taken: number; gained: number } {
  const found = { limited: 0, taken: 0, gained: 0 };
  const property = fc.property(cases, ({ grants, added, place, most, requests }) => {
    const rules = rulesOf(grants, most, order);
    const [before, after] = [compile(rules), compile(rulesOf(grants.toSpliced(place, 0, added), most, order))];
    const all = grants.flatMap((one) => one.rules);
    if (JSON.stringify(rules) !== JSON.stringify(all)) found.limited++;
    for (const { subject, action, fields } of requests) {
      const had = before.can(asked(subject, action), fields);
      if (had && !naiveCan(all, subject, action, fields)) found.gained++;
      if (had && !after.can(asked(subject, action), fields)) found.taken++;
    }
  });
  fc.assert(property, { numRuns });
  return found;
}

describe('rules beyond the limit', () => {
  it(`allow nothing more, and a further grant that forbids nothing takes nothing, in ${inTitle(RUNS)} cases`, () => {
    const { limited, ...wrong } = search((source) => source, RUNS);
    expect(limited).toBeGreaterThan(RUNS / 10);
    expect(wrong).toEqual({ taken: 0, gained: 0 });
  });

  it('are found to be taken where the order of evaluation decides, or where the smallest grants come first', () => {
    expect(search(() => ({})).taken).toBeGreaterThan(0);
    expect(search((source) => ({ given: source.rules.length })).taken).toBeGreaterThan(0);
    expect(search(({ given }) => ({ given: -given! })).taken).toBeGreaterThan(0);
  });

  it('are none of an actor with as many as the limit', () => {
    const rules = Array.from({ length: MAX_RULES + 1 }, (_, n) => ({
      ...{ subject: 'secrets', action: 'readValue', conditions: { secretName: `${n}` } },
    }));
    const sources = rules.map(() => ({}));
    const countOf = (some: Rule[]) => withinLimit(some, sources).rules.length;
    expect(countOf(rules.slice(1))).toBe(MAX_RULES);
    expect(countOf(rules)).toBe(MAX_RULES);
    expect(countOf([...rules.slice(1), { subject: 'secrets', action: 'edit' }])).toBe(MAX_RULES + 1);
  });
});
