import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../kernel/index.ts';
import { request, rule, type Request } from '../testing/arbitrary-rules.ts';
import { naiveCan } from '../testing/naive-rules.ts';
import { inTitle, runs, searchTime } from '../testing/search.ts';
import { missingPermissions } from './boundary.ts';
import { ComparisonBudget } from './region.ts';
import { builtInRole } from './built-in-roles.ts';

const LONG = searchTime(300_000);
const RUNS = runs(900, 20_000);
const CASES = inTitle(RUNS * 5);
const role = (slug: string) => [...builtInRole('project', slug)!.rules];
const rules = (...conditions: (Record<string, unknown> | undefined)[]): Rule[] =>
  conditions.map((one) => ({ subject: 'secrets', action: 'edit', ...(one && { conditions: one }) }));
const forbidding = (conditions?: Record<string, unknown>): Rule => ({
  subject: 'secrets',
  action: 'edit',
  inverted: true,
  ...(conditions && { conditions }),
});

const names = (start: string, count: number) => Array.from({ length: count }, (_, n) => start + n);
const holds = (given: readonly Rule[], held: readonly Rule[]) =>
  missingPermissions(given, held, new ComparisonBudget()).length === 0;

describe('missingPermissions', () => {
  it(`never accepts rules that allow anything the giver may not do, in ${CASES} cases`, { timeout: LONG }, () => {
    let checked = 0;
    let meaningful = 0;
    const subjects = fc.constantFrom(['secrets'], ['dynamic-secrets'], ['secrets', 'identity']);
    const pools = new Map<string, Request[]>();
    const poolOf = (some: readonly string[]) => {
      const key = some.join();
      if (!pools.has(key)) pools.set(key, fc.sample(request(some), 5000));
      return pools.get(key)!;
    };
    // Grants are often derived from the held rules: fewer, narrower, or with more forbidden.
    const cases = subjects.chain((some) =>
      fc.array(rule(some), { minLength: 1, maxLength: 5 }).chain((held) =>
        fc.record({
          held: fc.constant(held),
          given: fc.oneof(
            fc.array(rule(some), { minLength: 1, maxLength: 3 }),
            fc
              .tuple(fc.subarray(held, { minLength: 1 }), fc.array(rule(some), { maxLength: 2 }))
              .map(([kept, added]) => [...kept, ...added.map((one) => ({ ...one, inverted: true }))]),
            fc
              .tuple(fc.constantFrom(...held), rule(some))
              .map(([one, other]): Rule[] => [{ ...one, conditions: { ...other.conditions, ...one.conditions } }]),
          ),
          some: fc.constant(some),
        }),
      ),
    );
    fc.assert(
      fc.property(cases, fc.nat(4979), ({ held, given, some }, from) => {
        if (!holds(given, held)) return;
        for (const { subject, action, fields } of poolOf(some).slice(from, from + 20)) {
          checked++;
          if (!naiveCan(given, subject, action, fields)) continue;
          meaningful++;
          expect({ held, given, subject, action, fields, may: naiveCan(held, subject, action, fields) }).toMatchObject({
            may: true,
          });
        }
      }),
      { numRuns: RUNS },
    );
    expect(checked).toBeGreaterThan(RUNS * 5);
    expect(meaningful).toBeGreaterThan(RUNS / 2);
  });

  it.each<[string, Rule[], Rule[]]>([
    ['the same rules', role('member'), role('member')],
    [
      'anything of an administrator',
      [...role('member'), ...role('viewer'), ...rules({ environment: 'prod' })],
      role('admin'),
    ],
    ['nothing', [], []],
    [
      'a part of what a member has',
      [
        { subject: 'secrets', action: ['describeSecret', 'readValue'] },
        { subject: 'tags', action: 'read' },
      ],
      role('member'),
    ],
    ['only what is forbidden', [forbidding()], []],
    [
      'the same conditions, in another order',
      rules({ secretPath: { $glob: '/a/**' }, environment: 'dev' }),
      rules({ environment: { $eq: 'dev' }, secretPath: { $glob: '/a/**' } }),
    ],
    ['a narrower environment', rules({ environment: 'dev' }), rules({ environment: { $in: ['dev', 'staging'] } })],
    ['a shorter list', rules({ environment: { $in: ['dev'] } }), rules({ environment: { $in: ['dev', 'staging'] } })],
    [
      'a list whose parts are allowed by several rules',
      rules({ environment: { $in: ['dev', 'staging'] } }),
      rules({ environment: 'staging' }, { environment: 'dev' }),
    ],
    [
      'another environment than the excepted one',
      rules({ environment: 'dev' }),
      rules({ environment: { $ne: 'prod' } }),
    ],
    ['the same exception', rules({ environment: { $ne: 'prod' } }), rules({ environment: { $ne: 'prod' } })],
    ['a text that the glob matches', rules({ secretPath: '/a/b' }), rules({ secretPath: { $glob: '/a/**' } })],
    [
      'a list whose texts the glob matches',
      rules({ secretPath: { $in: ['/a', '/a/b/c'] } }),
      rules({ secretPath: { $glob: '/a/**' } }),
    ],
    ['a deeper glob', rules({ secretPath: { $glob: '/a/b/*' } }), rules({ secretPath: { $glob: '/a/**' } })],
    ['a glob without its exception', rules({ secretPath: { $glob: '/b/*' } }), rules({ secretPath: { $ne: '/a' } })],
    [
      'both of two alternatives',
      rules({ secretPath: { $glob: '/{a,b}/*' } }),
      rules({ secretPath: { $glob: '/a/**' } }, { secretPath: { $glob: '/b/**' } }),
    ],
    [
      'a narrower set of characters',
      rules({ secretName: { $glob: '[b-d]x' } }),
      rules({ secretName: { $glob: '[a-f]*' } }),
    ],
    ['any path, where any path is allowed', rules({ secretPath: { $glob: '**' } }), rules(undefined)],
    [
      'more conditions',
      rules({ environment: 'dev', secretPath: '/a', secretName: { $glob: 'DB_*' } }),
      rules({ environment: 'dev' }),
    ],
    [
      'the same and the same exception',
      [...rules(undefined), forbidding({ environment: 'prod' })],
      [...rules(undefined), forbidding({ environment: 'prod' })],
    ],
    [
      'the same and a larger exception',
      [...rules(undefined), forbidding({ environment: { $glob: 'prod*' } })],
      [...rules(undefined), forbidding({ environment: 'prod' })],
    ],
    [
      'what an exception does not meet',
      rules({ environment: 'dev' }),
      [...rules(undefined), forbidding({ environment: 'prod' })],
    ],
    [
      'what is allowed again after the exception',
      rules({ environment: 'prod', secretPath: '/a' }),
      [...rules(undefined), forbidding({ environment: 'prod' }), ...rules({ secretPath: '/a' })],
    ],
    ['fewer tags', rules({ secretTags: { $in: ['red'] } }), rules({ secretTags: { $in: ['red', 'blue'] } })],
    ['all of some tags', rules({ secretTags: { $all: ['red', 'blue'] } }), rules({ secretTags: { $in: ['blue'] } })],
    [
      'the same metadata',
      rules({ metadata: { $elemMatch: { key: 'team' } } }),
      rules({ metadata: { $elemMatch: { key: 'team' } } }),
    ],
    ['a condition that nothing can satisfy', rules({ environment: { $eq: 'dev', $in: ['prod'] } }), []],
    [
      'both halves of the older read',
      [{ subject: 'secrets', action: ['describeSecret', 'readValue'] }],
      [{ subject: 'secrets', action: 'read' }],
    ],
  ])('accepts %s', (_, given, held) => {
    expect(missingPermissions(given, held, new ComparisonBudget())).toEqual([]);
  });

  it.each<[string, Rule[], Rule[]]>([
    ['anything of somebody who has nothing', rules({ environment: 'dev' }), []],
    ['another action', rules(undefined), [{ subject: 'secrets', action: 'create' }]],
    ['no condition where there is one', rules(undefined), rules({ environment: 'dev' })],
    [
      'no condition where there is one that all texts satisfy',
      rules(undefined),
      rules({ secretPath: { $glob: '**' } }),
    ],
    ['a wider list', rules({ environment: { $in: ['dev', 'prod'] } }), rules({ environment: 'dev' })],
    ['a wider glob', rules({ secretPath: { $glob: '/a/**' } }), rules({ secretPath: { $glob: '/a/*' } })],
    [
      'a glob that only begins alike',
      rules({ secretPath: { $glob: '/a*/**' } }),
      rules({ secretPath: { $glob: '/a/**' } }),
    ],
    [
      'a wider set of characters',
      rules({ secretName: { $glob: '[a-e]*' } }),
      rules({ secretName: { $glob: '[a-c]*' } }),
    ],
    ['any character but one', rules({ secretName: { $glob: '?' } }), rules({ secretName: { $glob: '[!m]' } })],
    ['the root below which all is allowed', rules({ secretPath: '/' }), rules({ secretPath: { $glob: '/*' } })],
    [
      'what has no environment, by one and by all others',
      rules(undefined),
      rules({ environment: 'prod' }, { environment: { $ne: 'prod' } }),
    ],
    ['the excepted environment', rules({ environment: { $glob: 'p*' } }), rules({ environment: { $ne: 'prod' } })],
    ['what is forbidden', rules({ environment: 'prod' }), [...rules(undefined), forbidding({ environment: 'prod' })]],
    [
      'what is forbidden in part',
      rules({ secretPath: { $glob: '/a/**' } }),
      [...rules(undefined), forbidding({ secretPath: '/a/b' })],
    ],
    ['the same without its exception', rules(undefined), [...rules(undefined), forbidding({ environment: 'prod' })]],
    [
      'a smaller exception',
      [...rules(undefined), forbidding({ environment: 'prod' })],
      [...rules(undefined), forbidding({ environment: { $glob: 'prod*' } })],
    ],
    [
      'an exception that comes before',
      [forbidding({ environment: 'prod' }), ...rules(undefined)],
      [...rules(undefined), forbidding({ environment: 'prod' })],
    ],
    [
      'one of the two tags',
      rules({ secretTags: { $in: ['red', 'blue'] } }),
      rules({ secretTags: { $all: ['red', 'blue'] } }),
    ],
    [
      'a tag beside the forbidden one',
      rules({ secretTags: { $in: ['blue'] } }),
      [...rules(undefined), forbidding({ secretTags: { $in: ['red'] } })],
    ],
    [
      'other metadata',
      rules({ metadata: { $elemMatch: { key: 'team' } } }),
      rules({ metadata: { $elemMatch: { key: 'kind' } } }),
    ],
    [
      'the older read for its halves',
      [{ subject: 'secrets', action: 'read' }],
      [{ subject: 'secrets', action: ['describeSecret', 'readValue'] }],
    ],
    ['an administrator by a member', role('admin'), role('member')],
    ['a member by a viewer', role('member'), role('viewer')],
  ])('refuses %s', (_, given, held) => {
    expect(missingPermissions(given, held, new ComparisonBudget())).not.toEqual([]);
  });

  it('names missing rights with the conditions of the grant', () => {
    expect(
      missingPermissions(
        [...rules({ environment: 'prod' }), ...rules({ environment: 'dev' })],
        rules({ environment: 'dev' }),
        new ComparisonBudget(),
      ),
    ).toEqual([{ action: 'edit', subject: 'secrets', conditions: { environment: 'prod' } }]);
  });

  it('covers every grant by an unconditional rule, including ones that are expensive to compare', () => {
    const hard = Array.from({ length: 100 }, (_, at) => ({
      secretPath: { $glob: `/{a,b,c,d}*{e,f,g,h}*{i,j,k,l}?${at}/**` },
    }));
    expect(missingPermissions(rules(...hard), role('admin'), new ComparisonBudget())).toEqual([]);
    expect(holds(rules(...hard), [...role('admin'), forbidding({ environment: 'prod' })])).toBe(false);
  });

  it('rejects what it cannot compare in bounded time', () => {
    const stars = (letter: string) => `/${`*${letter}`.repeat(300)}`;
    const hard = (letters: string) =>
      Array.from(letters, (letter, index) => ({ secretPath: { $glob: stars(letter) + index } }));
    expect(holds(rules(...hard('abcdefghijklmnop')), rules(...hard('ponmlkjihgfedcba')))).toBe(false);
    const many = (letter: string) =>
      rules(
        ...Array.from({ length: 1000 }, (_unused, index) => ({
          environment: `${letter}${index}`,
          secretPath: { $glob: `/*${index}*` },
        })),
      );
    expect(holds(many('a'), many('b'))).toBe(false);
    expect(holds(rules({ secretPath: { $glob: stars('a') } }), rules(undefined))).toBe(true);
  });

  it('compares nothing more once a shared budget is used up', () => {
    const some = Array.from({ length: 300 }, (_, at) => ({ secretName: { $in: [`A${at}`, `B${at}`] } }));
    const [given, held] = [rules(...some), rules(...some.toReversed(), { secretName: 'C' })];
    const narrower = given.map((one, at) => ({ ...one, conditions: { secretName: `A${at}` } }));
    const budget = new ComparisonBudget(2_000_000);
    const missing = Array.from({ length: 10 }, () => missingPermissions(narrower, held, budget).length);
    expect([missing[0], missing.at(-1), budget.isExhausted]).toEqual([0, 300, true]);
    // A result that needs no comparison is still returned.
    expect(missingPermissions(given, rules(undefined), budget)).toEqual([]);
  });

  it.each<[string, Rule[], Rule[]]>([
    ['many texts', rules({ secretName: { $in: names('a', 20_000) } }), rules({ secretName: { $in: names('b', 9) } })],
    [
      'texts in globs',
      rules(...Array.from({ length: 40 }, (_, n) => ({ secretName: { $in: names(`${'a'.repeat(50)}${n}`, 1000) } }))),
      rules(...Array.from({ length: 100 }, (_, n) => ({ secretName: { $glob: `${'*a'.repeat(20)}${n}b*` } }))),
    ],
    [
      'many rules',
      rules(...names('a', 1000).map((secretName) => ({ secretName }))),
      rules(...names('b', 1000).map((secretName) => ({ secretName }))),
    ],
  ])('counts the cost of comparing %s', (_, given, held) => {
    const budget = new ComparisonBudget(30_000);
    missingPermissions(given, held, budget);
    expect(budget.isExhausted).toBe(true);
  });
});
