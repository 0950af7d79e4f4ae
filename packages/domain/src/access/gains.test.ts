import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fields, Rule } from '../kernel/index.ts';
import { naiveCan, naiveGains } from '../testing/naive-rules.ts';
import { runs } from '../testing/search.ts';
import { compile } from './ability.ts';
import { Gains } from './gains.ts';
import { FOREVER, piecesUntil } from './period.ts';

const NOW = 1000;
const END = NOW + 4;

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const fields = fc.record({
  environment: oneOf(['dev', 'prod']),
  secretPath: oneOf(['/', '/a', '/ann/x']),
  secretName: oneOf(['A', 'B']),
});
const rule: fc.Arbitrary<Rule> = fc.record({
  subject: fc.constant('secrets'),
  action: oneOf(['readValue', 'delete']),
  conditions: fc.record(
    {
      environment: oneOf<string | object>(['dev', 'prod', { $ne: 'dev' }]),
      secretPath: oneOf<string | object>(['/', { $glob: '/*' }, { $glob: '/{{identity.username}}/**' }]),
      secretName: oneOf<string | object>(['A', '{{identity.username}}', { $in: ['A', 'B'] }]),
    },
    { requiredKeys: [] },
  ),
  inverted: fc.boolean(),
});
const window = fc.record({ start: oneOf([-Infinity, NOW + 1, NOW + 2]), end: oneOf([FOREVER, NOW + 1, NOW + 3]) });
const grant = fc.record({ rules: fc.array(rule, { minLength: 1, maxLength: 2 }), window });
const holder = fc.record({ grants: fc.array(grant, { maxLength: 3 }), username: oneOf(['ann', 'A', undefined]) });
type Holder = typeof holder extends fc.Arbitrary<infer T> ? T : never;

const factsOf = ({ username }: Holder) => (username === undefined ? {} : { username });
const may = (one: Holder, time: number, action: string, asked: Fields): boolean => {
  const rules = one.grants.flatMap(({ rules: own, window: { start, end } }) =>
    start <= time && time < end ? own : [],
  );
  return naiveCan(rules, 'secrets', action, asked, factsOf(one));
};
const instants = Array.from({ length: END - NOW }, (_, index) => NOW + index);

const gainsOf = (holders: readonly Holder[]) => {
  const [caller] = holders as [Holder];
  const grants = caller.grants.map(({ rules, window: { start, end } }) => ({ rules, start, end }));
  const held = piecesUntil(grants, NOW, FOREVER, factsOf(caller)).map(({ from, rules }) => ({
    from,
    ability: compile(rules),
  }));
  return new Gains(
    holders.map(({ grants: its }) => its.map(({ rules }) => rules)),
    held,
  );
};

describe('the gains of a change of names', () => {
  const action = oneOf(['readValue', 'delete']);
  const holders = fc.array(holder, { minLength: 1, maxLength: 3 });
  const permission = (its: string) => ({ scope: 'project' as const, subject: 'secrets', action: its, key: '' });

  it('is found wherever anybody, at any instant, could do what the caller may not do at that instant', () => {
    const found = { gained: 0, given: 0 };
    fc.assert(
      fc.property(holders, action, fields, fields, (all, its, before, after) => {
        const isGiven = gainsOf(all).gives(permission(its), before, after);
        const isGained = instants.some((time) =>
          all.some(
            (one) => may(one, time, its, after) && !may(one, time, its, before) && !may(all[0]!, time, its, before),
          ),
        );
        expect({ isGained, isGiven }).not.toEqual({ isGained: true, isGiven: false });
        if (isGained) found.gained++;
        if (isGiven) found.given++;
      }),
      { numRuns: runs(2_000, 200_000) },
    );
    expect(found.gained).toBeGreaterThan(found.given / 10);
  });

  it('are none if no rule distinguishes the two, or the caller holds the right permanently', () => {
    const plain = rule.map(({ conditions, ...one }) => ({ ...one, conditions: withoutTemplates(conditions!) }));
    fc.assert(
      fc.property(
        fc.array(plain, { maxLength: 4 }),
        fc.array(plain, { maxLength: 4 }),
        action,
        fields,
        fields,
        (own, others, its, before, after) => {
          const gains = new Gains([[own], [others]], [{ from: 0, ability: compile(own) }]);
          expect(gains.gives(permission(its), before, after)).toBe(
            naiveGains([own, others], own, ['secrets', its], { before, after }),
          );
        },
      ),
      { numRuns: runs(1_000, 50_000) },
    );
  });

  it('does not depend on unchanged unknown fields', () => {
    const open: Rule = {
      subject: 'secrets',
      action: 'readValue',
      conditions: { environment: 'open', secretName: 'A' },
    };
    const gives = (before: Fields, after: Fields) =>
      new Gains([[[open]]], [{ from: 0, ability: compile([]) }]).gives(permission('readValue'), before, after);
    expect(gives({ environment: 'dev' }, { environment: 'open' })).toBe(true);
    expect(gives({ environment: 'dev', secretName: 'B' }, { environment: 'open', secretName: 'B' })).toBe(false);
    expect(gives({ secretName: 'B' }, { secretName: 'A' })).toBe(true);
    expect(gives({ secretTags: ['a'] }, { secretTags: ['b'] })).toBe(false);
  });
});

const withoutTemplates = (conditions: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(conditions).filter(([, one]) => !JSON.stringify(one).includes('{{')));
