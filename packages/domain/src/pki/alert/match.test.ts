import { describe, expect, it } from 'vitest';
import { MatchingCost } from '../constraint/index.ts';
import type { AlertFilter } from './alert.ts';
import { comparisonsOf, passes } from './match.ts';

const thing = (...names: readonly string[]) => ({
  commonName: 'App.example.com',
  names: names.map((value) => ({ value })),
  profileName: null,
});
const ask = (filter: AlertFilter, names: readonly string[], cost = new MatchingCost(2_000_000)) =>
  passes(comparisonsOf([filter]), thing(...names), cost);

describe('filters of alerts', () => {
  it.each([
    ['equals', 'APP.example.com', true],
    ['equals', 'example.com', false],
    ['matches', '*.Example.com', true],
    ['matches', '*.example', false],
    ['contains', 'EXAMPLE', true],
    ['contains', 'exemple', false],
    ['starts_with', 'app.', true],
    ['ends_with', '.COM', true],
    ['ends_with', '.org', false],
  ] as const)('compare without regard to case: %s %s: %s', async (operator, value, isPassed) => {
    expect(await ask({ field: 'common_name', operator, value }, [])).toBe(isPassed);
    expect(await ask({ field: 'san', operator, value: ['other', value] }, ['x', 'app.example.COM'])).toBe(isPassed);
  });

  it.each(['matches', 'contains'] as const)('match what is too expensive to compare: %s', async (operator) => {
    const part = (number: number) => `${'a'.repeat(120)}b${'a'.repeat(120)}${number}`;
    const value = Array.from({ length: 50 }, (_, number) =>
      operator === 'matches' ? `*${part(number)}*` : part(number),
    );
    const names = Array.from({ length: 16 }, (_, number) => `${number}${'a'.repeat(1_000)}`);
    const filter = { field: 'san', operator, value } as const;
    const cost = new MatchingCost(1_000_000);
    expect(await ask(filter, names, cost)).toBe(true);
    expect(cost.spent).toBeGreaterThan(1_000_000);
    expect(await ask(filter, names.slice(0, 2))).toBe(false);
  });

  it('charge each of many certificates only its own cost', async () => {
    const comparisons = comparisonsOf([{ field: 'san', operator: 'contains', value: 'b' }]);
    const cost = new MatchingCost(2_000_000);
    const judge = (name: string) => {
      cost.renew();
      return passes(comparisons, thing(name), cost);
    };
    for (let number = 0; number < 500; number++) expect(await judge(`${'a'.repeat(10_000)}b`)).toBe(true);
    expect(await judge('a'.repeat(10_000))).toBe(false);
  });
});
