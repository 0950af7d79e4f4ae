import { describe, expect, it } from 'vitest';
import type { Rule } from '../kernel/index.ts';
import { rulesAt, rulesThroughout } from './rules-at.ts';

describe('a role that is assigned several times', () => {
  const [allow, deny]: [Rule[], Rule[]] = [
    [{ subject: 'secrets', action: ['create'] }],
    [{ subject: 'secrets', action: ['create'], inverted: true }],
  ];
  const always = { start: -Infinity, end: Infinity };

  it('counts once, where it overrides the others', () => {
    const [first, denial, last] = [
      { rules: allow, ...always, given: 1 },
      { rules: deny, ...always, given: 2 },
      { rules: allow, ...always, given: 3 },
    ];
    expect(rulesAt([first, denial, last], 0)).toMatchObject({ rules: [...deny, ...allow], sources: [denial, last] });
    expect(rulesAt([first, denial], 0).rules).toEqual([...allow, ...deny]);
  });

  it('counts while one of them has not ended', () => {
    const grants = [
      { rules: allow, ...always },
      { rules: allow, start: 0, end: 10 },
    ];
    expect([5, 10].map((time) => rulesAt(grants, time).rules)).toEqual([allow, allow]);
    expect(rulesThroughout(grants, 0, 20).rules).toEqual(allow);
  });

  it('counts as given by the first of them, beyond the limit of rules', () => {
    const many = (name: string): Rule[] =>
      Array.from({ length: 6_000 }, (_, n) => ({
        ...{ subject: 'secrets', action: ['create'], conditions: { environment: `${name}-${n}` } },
      }));
    const [own, others] = [many('own'), many('others')];
    const { sources } = rulesAt(
      [
        { rules: own, ...always, given: 1 },
        { rules: others, ...always, given: 2 },
        { rules: own, ...always, given: 3 },
      ],
      0,
    );
    expect(sources.filter(({ rules }) => rules === own)).toHaveLength(6_000);
    expect(sources.filter(({ rules }) => rules === others)).toHaveLength(4_000);
  });
});
