import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { fixedWork, processorTime } from '../../testing/processor-time.ts';
import { isLongSearch, runs, SEARCH_SEED, searchTime } from '../../testing/search.ts';
import { estimateExpression } from './estimate.ts';
import { expression } from './expression.ts';

/** The maximum length of a pattern of a template. */
const LONGEST = 1_024;

const member = fc.constantFrom(
  ...[
    'a',
    'k',
    'θ',
    '\\x{345}',
    '-',
    ']',
    '\\]',
    '0-9',
    'а-я',
    'B-𞀀',
    'B-\\x{1e000}',
    '\\101-\\x{ffff}',
    '\\n-\\x{2fff}',
  ],
  ...[
    '\\pL',
    '\\PN',
    '\\pC',
    '\\p{Ll}',
    '\\P{Lu}',
    '\\p{^Greek}',
    '\\w',
    '\\W',
    '\\S',
    '[:alpha:]',
    '[:^print:]',
    'A-[:',
  ],
);
const group = fc.constantFrom('(', '(?:', '(?i:', '(?s:', '(?U-i:');
const repetition = fc.constantFrom('', '*', '+', '?', '{2}', '{0,9}', '{1,}', '*?');
const atom = fc.oneof(
  fc.constantFrom('a', 'k', 'ж', 'ab', '.', '^', '$', '\\b', '\\A', '\\x{1e921}', '\\Qa]\\E'),
  member.filter((text) => /^\\[pPwWS]/.test(text)),
  fc
    .tuple(fc.constantFrom('[', '[^'), fc.array(member, { minLength: 1, maxLength: 3 }))
    .map(([open, all]) => `${open}${all.join('')}]`),
);
const { motif } = fc.letrec<{ motif: string }>((tie) => ({
  motif: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    atom,
    fc.tuple(atom, repetition).map((parts) => parts.join('')),
    fc.tuple(tie('motif'), fc.constantFrom('', '|'), tie('motif')).map((parts) => parts.join('')),
    fc.tuple(group, tie('motif'), repetition).map(([open, text, times]) => `${open}${text})${times}`),
  ),
}));

/** As often as it fits. */
const filled = (text: string, between = '') =>
  Array(Math.floor(1_000 / (text.length + between.length)))
    .fill(text)
    .join(between);
/** Expressions of about the maximum length, each of which repeats something small: costs are products. */
const long = fc
  .tuple(
    fc.constantFrom('', '(?i)', '^', '(?i)^', '(?i)(?:'),
    fc.oneof(
      fc.tuple(motif, fc.constantFrom('', '|')).map(([text, between]) => filled(text, between)),
      fc
        .tuple(fc.constantFrom('[', '[^'), fc.array(member, { minLength: 1, maxLength: 2 }))
        .map(([open, all]) => `${open}${filled(all.join(''))}]`),
      fc
        .tuple(group, motif, fc.constantFrom('', '|', 'a|'), motif, repetition)
        .map(([open, inner, between, each, times]) => {
          const depth = Math.floor(
            (1_000 - inner.length) / (open.length + between.length + each.length + 1 + times.length),
          );
          return open.repeat(depth) + inner + `${between}${each})${times}`.repeat(depth);
        }),
      fc
        .tuple(
          fc.constantFrom(0x61, 0x100, 0x4e00, 0xac00),
          fc.constantFrom(1, 2),
          repetition,
          fc.constantFrom('', '|', 'a|'),
        )
        .map(([first, step, times, between]) => {
          const count = Math.floor(990 / (1 + times.length + between.length));
          return Array.from({ length: count }, (_, n) => String.fromCodePoint(first + n * step) + times).join(between);
        }),
    ),
    fc.constantFrom('', '$', '$', ')', '){2}', '){30}'),
  )
  .map((parts) => parts.join(''))
  .filter((text) => text.length <= LONGEST);

/**
 * The maximum of an expression, in parts of the fixed piece of work: half a turn, since a template has two. The short
 * form looks for what takes seconds, on any machine.
 */
const MOST = isLongSearch ? 0.5 : 5;
/** How often what took too long is measured again. */
const AGAIN = isLongSearch ? 3 : 1;

/** The first expressions of the search that take too long, measured again where one does. */
function tooSlow(
  compile: (text: string) => unknown,
  { numRuns, seed, most = 1 }: { numRuns: number; seed: number; most?: number },
) {
  const found: string[] = [];
  for (const text of fc.sample(long, { numRuns, seed })) {
    for (let time = 0; isSlow(compile, text + '(?:)'.repeat(time)); time++)
      if (time === AGAIN) {
        found.push(text);
        break;
      }
    if (found.length === most) break;
  }
  return found;
}

function isSlow(compile: (text: string) => unknown, text: string): boolean {
  const start = processorTime();
  try {
    compile(text);
  } catch {
    // It takes its time as well.
  }
  const taken = processorTime() - start;
  return taken > 15 && taken > MOST * fixedWork();
}

describe('the cost of compiling an expression', () => {
  it('is bounded for all that are not rejected before', { timeout: searchTime(300_000) }, () => {
    const found = tooSlow(expression, { numRuns: runs(300, 200_000), seed: SEARCH_SEED });
    expect(found).toEqual([]);
  });

  // Their seeds begin with few expressions that take long. The short form is not precise enough to find them on any machine.
  it.runIf(isLongSearch).each([
    ['no work is counted', () => 0, '(?i', 5],
    ['the expression may begin with `^`', (text: string) => estimateExpression(text).work, '^', 1],
  ] as const)('is found by the search where %s', { timeout: searchTime(0) }, (_, workOf, part, seed) => {
    const compile = (text: string) => {
      if (estimateExpression(text).size <= 6_000 && workOf(text) <= 400_000) RE2JS.compile(text);
    };
    expect(tooSlow(compile, { numRuns: 600, seed })).toEqual([expect.stringContaining(part)]);
  });
});
