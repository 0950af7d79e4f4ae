import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../testing/search.ts';
import { exactGlob, glob } from './glob.ts';
import { MatchingCost } from './matching-cost.ts';
import { Substring } from './substring.ts';

const free = new MatchingCost(Infinity);

describe('glob', () => {
  it.each([
    ['*.example.com', 'a.b.example.com', true],
    ['*.example.com', 'example.com', false],
    ['a*b*c', 'A--b--C', true],
    ['a*b*b', 'ab', false],
    ['a.b', 'a.b', true],
    ['a.b', 'aXb', false],
    ['*', '', true],
  ])('%s matches %s: %s', (pattern, value, isMatched) => {
    expect(glob(pattern).matches(value, free)).toBe(isMatched);
  });

  it('distinguishes upper from lower case if it is exact', () => {
    const deploy = exactGlob('Deploy*');
    expect(['Deploy1', 'deploy1'].map((value) => deploy.matches(value, free))).toEqual([true, false]);
  });

  it.each([
    ['admin.*', true],
    ['admin.example.com', true],
    ['ADMIN*', true],
    ['*admin.example.com', true],
    ['a*n.*.com', true],
    ['*', true],
    ['admin.example.org', false],
    ['*.internal.example.com', false],
    ['a.b.example.com', false],
    ['.example.com', false],
    ['example.com', false],
  ])('%s matches one of the names that *.example.com covers: %s', (pattern, isMatched) => {
    expect(glob(pattern).matchesBelow('.example.com', free)).toBe(isMatched);
  });

  const text = (characters: string, maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...Array.from(characters)), maxLength });

  it('agrees with a plain reading of pattern and text', () => {
    /** Each star matches nothing, or one more character. */
    const means = (pattern: string, value: string): boolean => {
      if (pattern === '') return value === '';
      if (pattern[0] === '*') return means(pattern.slice(1), value) || (value !== '' && means(pattern, value.slice(1)));
      return pattern[0]!.toLowerCase() === value[0]?.toLowerCase() && means(pattern.slice(1), value.slice(1));
    };
    fc.assert(
      fc.property(text('abA*', 8), text('abAB', 12), (pattern, value) => {
        expect(glob(pattern).matches(value, free)).toBe(means(pattern, value));
      }),
      { numRuns: runs(2_000, 50_000) },
    );
  });

  it('spends a bounded number of steps for each character of text and pattern', () => {
    fc.assert(
      fc.property(text('ab*', 60), text('ab', 300), (pattern, value) => {
        const cost = new MatchingCost(Infinity);
        glob(pattern).matches(value, cost);
        expect(cost.spent).toBeLessThanOrEqual(10 + 3 * (value.length + pattern.length));
      }),
      { numRuns: runs(500, 10_000) },
    );
  });

  it('finds parts as indexOf does', () => {
    fc.assert(
      fc.property(text('ab', 6), text('ab', 40), fc.nat(40), (part, value, at) => {
        const from = Math.min(at, value.length);
        expect(new Substring(part).indexIn(value, from)).toBe(value.indexOf(part, from));
      }),
      { numRuns: runs(2_000, 50_000) },
    );
  });

  it('reads each character of a text once, for any repetitions', () => {
    const part = `${'a'.repeat(500)}b${'a'.repeat(500)}`;
    let reads = 0;
    const value = new Proxy(new String('a'.repeat(16_000)), {
      get(target, name) {
        if (name === 'length') return target.length;
        reads++;
        return (index: number) => target.charCodeAt(index);
      },
    });
    expect(new Substring(part).indexIn(value as string, 0)).toBe(-1);
    expect(reads).toBeLessThanOrEqual(16_000);
  });
});
