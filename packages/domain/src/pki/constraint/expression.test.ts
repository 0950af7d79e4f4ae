import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { runs } from '../../testing/search.ts';
import { expression } from './expression.ts';
import { estimateExpression } from './estimate.ts';
import { MatchingCost } from './matching-cost.ts';

const free = () => new MatchingCost(Infinity);

const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '\\w',
      '\\b',
      '\\B',
      '^',
      '$',
      '\\.',
      '\\pL',
      '(?i:B)',
      '\\x61',
      '[[:alpha:]]',
      '\\Qa+\\E',
      '(?s:.)',
      '(?m:^)',
      '(?m:$)',
      '\\A',
      '\\z',
      '[\\pL\\pN]',
      '😀',
      '(?i:k)',
    ),
    fc.tuple(tie('tree'), tie('tree')).map((parts) => parts.join('')),
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `(${a}|${b})`),
    fc
      .tuple(tie('tree'), fc.constantFrom('*', '+', '?', '{2}', '{1,}', '{0,3}', '*?', '{0}'))
      .map(([a, b]) => `(?:${a})${b}`),
  ),
}));

describe('expression', () => {
  it('agrees with the engine that compiles it', () => {
    const unit = fc.constantFrom('a', 'b', 'B', '.', '\n', 'é', 'K', '😀', '\ud800', '-');
    fc.assert(
      fc.property(tree, fc.array(fc.string({ unit, maxLength: 8 }), { minLength: 1, maxLength: 6 }), (text, values) => {
        const [ours, theirs] = [expression(text), RE2JS.compile(text)];
        for (const value of values)
          expect([text, value, ours.matches(value, free())]).toEqual([text, value, theirs.matches(value)]);
      }),
      { numRuns: runs(700, 50_000) },
    );
  });

  it('is invalid where it is for the engine', () => {
    const unit = fc.constantFrom(...'ab*+?{2}()|[^]-\\^$:Qpid'.split(''), '(?i)', '{1,2}', '\\p{Lu}');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 8 }), (text) => {
        const messageOf = (compile: (text: string) => unknown) => {
          try {
            return void compile(text);
          } catch (error) {
            return /error parsing.*/s.exec(String(error))?.[0].slice(0, 100);
          }
        };
        expect([text, messageOf(expression)]).toEqual([text, messageOf((one) => RE2JS.compile(one))]);
      }),
      { numRuns: runs(1_500, 100_000) },
    );
  });

  it.each([
    ['(?i)[a-z0-9-]+\\.example\\.com', 500],
    ['(?i)[^\\x00-\\x1f]', 500],
    ['[B-\\x{1e000}]', 500],
    ['(?i)[B-\\x{1e000}]', 140_000],
    ['(?i)[\\x{0}-\\x{10ffff}]', 500],
    ['(?i)[A-[:][B-\\x{1e000}:]', 140_000],
    ['(?i)\\Q[\\E[]\\]B-\\x{1e000}]', 140_000],
    ['\\pL', 2_000],
    ['[\\pL]', 10_000],
    ['(?:\\pL|a)', 10_000],
  ])('%s has at most %i steps of work to compile, and not much less', (text, most) => {
    const { work } = estimateExpression(text);
    expect(work).toBeLessThanOrEqual(most);
    expect(work).toBeGreaterThan(most > 500 ? most / 2 : 0);
  });

  it('spends a bounded number of steps for each character and instruction', () => {
    fc.assert(
      fc.property(tree, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 200 }), (text, value) => {
        const cost = free();
        expression(text).matches(value, cost);
        // Each instruction is tested, leads to at most two others, and a class is searched.
        const each = 2 + 2 + 12;
        expect(cost.spent).toBeLessThanOrEqual(
          10 + (value.length + 1) * (4 + each * RE2JS.compile(text).programSize()),
        );
      }),
      { numRuns: runs(300, 10_000) },
    );
  });

  it('is not compiled where its size, found by its text, is too large', () => {
    for (const text of [
      '[^a]{0,1000}'.repeat(80),
      'a{1000}'.repeat(140),
      '((a{20}){20}){20}',
      '(?:\\pL{10}[x]{9}){100}',
    ])
      expect(() => expression(text)).toThrow('has too many repetitions');
  });

  it('has an estimated size that is at least a fraction of the compiled one', () => {
    fc.assert(
      fc.property(tree, (text) => {
        // A program has two more instructions, one that fails and one that matches.
        expect(RE2JS.compile(text).programSize()).toBeLessThanOrEqual(2 + 4 * estimateExpression(text).size);
      }),
      { numRuns: runs(2_000, 50_000) },
    );
  });

  it.each([
    ['[]{9}]{3}', 3],
    ['[^]\\]]{3}', 3],
    ['\\p{Greek}{3}', 3],
    ['\\x{61}{4}', 4],
    ['(?P<n>ab){5}', 15],
    ['(?i)a{2,}', 5],
    ['[[:alpha:]{9}]', 1],
    ['a{,3}', 5],
  ])('%s has the size %i', (text, size) => {
    expect(estimateExpression(text).size).toBe(size);
  });
});
