import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Permission, Rule } from '../kernel/index.ts';
import { request, type Request } from '../testing/arbitrary-rules.ts';
import { facts, templatedRule } from '../testing/arbitrary-templates.ts';
import { filledIn, pattern, text } from '../testing/arbitrary-texts.ts';
import { naiveCan } from '../testing/naive-rules.ts';
import { inTitle, runs, searchTime } from '../testing/search.ts';
import { compile } from './ability.ts';
import { missingPermissions } from './boundary.ts';
import { ComparisonBudget } from './region.ts';
import { globOf } from './condition.ts';
import { factsIn, filledRule, hasGoodTemplates, NO_FACTS, templatedGlob, type Facts } from './template.ts';

const LONG = searchTime(300_000);
const RUNS = runs(900, 20_000);
const GLOB_RUNS = runs(2_500, 50_000);
const asked = (subject: string, action: string): Permission => ({ scope: 'project', subject, action, key: '' });
const isGood = (given: string, isPattern: boolean) =>
  hasGoodTemplates(given) && (!isPattern || templatedGlob(given) !== undefined);
const filled = (rules: readonly Rule[], known: Facts) => rules.flatMap((rule) => filledRule(rule, known) ?? []);

const edit = (conditions: Record<string, unknown>, inverted?: true): Rule => ({
  subject: 'secrets',
  action: ['edit'],
  conditions,
  ...(inverted && { inverted }),
});
const conditionsOf = (conditions: Record<string, unknown>, known: Facts, inverted?: true) =>
  filledRule(edit(conditions, inverted), known)?.conditions;

describe('rules with templates', () => {
  it(`decide ${inTitle(RUNS * 5)} generated requests as their plain reading does`, { timeout: LONG }, () => {
    let [total, allowed, templated, stricter] = [0, 0, 0, 0];
    const subjects = fc.constantFrom(['secrets'], ['secrets', 'dynamic-secrets'], ['identity', 'tags']);
    const questions = subjects.chain((some) =>
      fc.record({
        rules: fc.array(templatedRule(some, isGood), { maxLength: 5 }),
        known: facts(),
        requests: fc.array(request(some), { minLength: 5, maxLength: 5 }),
      }),
    );
    fc.assert(
      fc.property(questions, ({ rules, known, requests }) => {
        const ability = compile(filled(rules, known));
        if (rules.some((rule) => factsIn(rule).size > 0)) templated++;
        for (const { subject, action, fields } of requests) {
          const answer = ability.can(asked(subject, action), fields);
          const expected = naiveCan(rules, subject, action, fields, known);
          total++;
          if (answer) allowed++;
          if (answer === expected) continue;
          // A forbidding rule with a missing value may forbid slightly more than necessary.
          expect({ rules, known, subject, action, fields, answer }).toMatchObject({ answer: false });
          stricter++;
        }
      }),
      { numRuns: RUNS },
    );
    expect(total).toBe(RUNS * 5);
    expect(templated).toBeGreaterThan(RUNS / 2);
    expect(allowed / total).toBeGreaterThan(0.1);
    expect(stricter / total).toBeLessThan(0.001);
  });

  it(
    `are never granted to anybody for whom they allow more than the grantor may do, in ${inTitle(RUNS * 5)} cases`,
    { timeout: LONG },
    () => {
      let [checked, meaningful] = [0, 0];
      const subjects = fc.constantFrom(['secrets'], ['dynamic-secrets'], ['secrets', 'identity']);
      const pools = new Map<string, Request[]>();
      const poolOf = (some: readonly string[]) => {
        const key = some.join();
        if (!pools.has(key)) pools.set(key, fc.sample(request(some), 5000));
        return pools.get(key)!;
      };
      const cases = subjects.chain((some) => {
        const one = templatedRule(some, isGood);
        return fc.array(one, { minLength: 1, maxLength: 4 }).chain((held) =>
          fc.record({
            held: fc.constant(held),
            given: fc.oneof(
              fc.array(one, { minLength: 1, maxLength: 3 }),
              fc
                .tuple(fc.subarray(held, { minLength: 1 }), fc.array(one, { maxLength: 2 }))
                .map(([kept, added]) => [...kept, ...added.map((rule) => ({ ...rule, inverted: true }))]),
              fc
                .tuple(fc.constantFrom(...held), one)
                .map(([rule, other]): Rule[] => [{ ...rule, conditions: { ...other.conditions, ...rule.conditions } }]),
            ),
            giver: facts(),
            takers: fc.array(facts(), { minLength: 2, maxLength: 2 }),
            some: fc.constant(some),
          }),
        );
      });
      fc.assert(
        fc.property(cases, fc.nat(4989), ({ held, given, giver, takers, some }, from) => {
          const own = filled(held, giver);
          if (missingPermissions(given, own, new ComparisonBudget()).length > 0) return;
          const ability = compile(own);
          for (const taker of takers) {
            const theirs = compile(filled(given, taker));
            for (const { subject, action, fields } of poolOf(some).slice(from, from + 10)) {
              checked++;
              if (!theirs.can(asked(subject, action), fields)) continue;
              if (given.some((rule) => factsIn(rule).size > 0)) meaningful++;
              expect({ held, given, giver, taker, may: ability.can(asked(subject, action), fields) }).toMatchObject({
                may: true,
              });
            }
          }
        }),
        { numRuns: RUNS },
      );
      expect(checked).toBeGreaterThan(RUNS * 5);
      expect(meaningful).toBeGreaterThan(RUNS / 10);
    },
  );

  it('match with any text what they match with some value', { timeout: LONG }, () => {
    let matched = 0;
    const cases = fc.record({ glob: pattern(), at: fc.nat(8), value: fc.oneof(text(), pattern()), filling: text() });
    fc.assert(
      fc.property(cases, ({ glob, at, value, filling }) => {
        const template = `${glob.slice(0, at)}{{identity.metadata.team}}${glob.slice(at)}`;
        if (!isGood(template, true)) return;
        const known = { metadata: { team: value } };
        const conditions = conditionsOf({ secretPath: { $glob: template } }, known);
        const any = conditionsOf({ secretPath: { $glob: template } }, NO_FACTS, true)!['secretPath'] as {
          $anyText?: string;
        };
        if (!conditions || !any.$anyText) return;
        const one = globOf((conditions['secretPath'] as { $glob: string }).$glob)!;
        const literal = `${glob.slice(0, at)}${value}${glob.slice(at)}`;
        for (const given of [filling, filledIn(literal, filling), filledIn(glob, filling)]) {
          if (!one.matches(given)) continue;
          matched++;
          expect({ template, value, given, any: globOf(any.$anyText, true)!.matches(given) }).toMatchObject({
            any: true,
          });
        }
      }),
      { numRuns: GLOB_RUNS },
    );
    expect(matched).toBeGreaterThan(GLOB_RUNS / 10);
  });
});

describe('a value', () => {
  const known: Facts = {
    id: 'i',
    name: 'n',
    metadata: { team: 'blue', stars: '**/*', again: '{{identity.id}}', 'example.com/a b': 'odd', empty: '' },
    auth: { oidc: { claims: { sub: 'me', groups: ['a'], age: 7, admin: true, none: null } } },
  };

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['in a plain text', { environment: '{{identity.metadata.team}}' }, { environment: 'blue' }],
    ['in the middle', { environment: { $eq: 'a-{{ identity.id }}-b' } }, { environment: { $eq: 'a-i-b' } }],
    ['twice', { environment: '{{identity.id}}{{identity.name}}' }, { environment: 'in' }],
    ['in a list', { environment: { $in: ['dev', '{{identity.id}}'] } }, { environment: { $in: ['dev', 'i'] } }],
    ['under a name in brackets', { environment: '{{identity.metadata.[example.com/a b]}}' }, { environment: 'odd' }],
    ['that the login proved', { environment: '{{identity.auth.oidc.claims.sub}}' }, { environment: 'me' }],
    ['that is a number', { environment: '{{identity.auth.oidc.claims.age}}' }, { environment: '7' }],
    ['that is true', { environment: '{{identity.auth.oidc.claims.admin}}' }, { environment: 'true' }],
    ['that looks like a template', { environment: '{{identity.metadata.again}}' }, { environment: '{{identity.id}}' }],
    [
      'that looks like a pattern',
      { secretPath: { $glob: '/{{identity.metadata.stars}}/**' } },
      { secretPath: { $glob: String.raw`/\*\*/\*/**` } },
    ],
    [
      'among alternatives',
      { secretPath: { $glob: '/{a,{{identity.metadata.team}}}/*' } },
      { secretPath: { $glob: '/{a,blue}/*' } },
    ],
    [
      'in metadata',
      { metadata: { $elemMatch: { key: 'team', value: { $in: ['{{identity.metadata.team}}'] } } } },
      { metadata: { $elemMatch: { key: 'team', value: { $in: ['blue'] } } } },
    ],
  ])('is literal %s', (_, given, expected) => {
    expect(conditionsOf(given, known)).toEqual(expected);
    expect(conditionsOf(given, known, true)).toEqual(expected);
  });

  it.each([
    ['is not there', '{{identity.metadata.none}}'],
    ['is empty', '{{identity.metadata.empty}}'],
    ['is a list', '{{identity.auth.oidc.claims.groups}}'],
    ['is an object', '{{identity.auth.oidc.claims}}'],
    ['is null', '{{identity.auth.oidc.claims.none}}'],
    ['is something that every object has', '{{identity.metadata.constructor}}'],
    ['is of another kind of actor', '{{identity.email}}'],
  ])('that %s is missing', (_, template) => {
    expect(conditionsOf({ environment: template }, known)).toBeUndefined();
    expect(conditionsOf({ environment: { $in: ['dev', template] } }, known)).toBeUndefined();
    expect(conditionsOf({ environment: { $ne: template } }, known)).toBeUndefined();
  });

  it('that makes a pattern too long is missing', () => {
    const conditions = { secretPath: { $glob: `/{{identity.metadata.team}}/${'a'.repeat(900)}` } };
    expect(conditionsOf(conditions, { metadata: { team: 'b'.repeat(1000) } })).toBeUndefined();
    expect(conditionsOf(conditions, { metadata: { team: 'b' } })).toBeDefined();
  });

  it('that is missing forbids wherever it could be', () => {
    const environment = '{{identity.metadata.none}}';
    const could = (conditions: Record<string, unknown>) => conditionsOf(conditions, known, true);
    expect(could({ environment })).toEqual({ environment: { $anyText: '{{*}}' } });
    expect(could({ environment: { $ne: environment } })).toEqual({ environment: { $exists: true } });
    expect(could({ environment: { $in: ['d,v', environment] } })).toEqual({
      environment: { $anyText: String.raw`{d\,v,{{*}}}` },
    });
    expect(could({ environment: 'dev', secretPath: { $glob: `/${environment}/{{identity.id}}/**` } })).toEqual({
      environment: { $eq: 'dev' },
      secretPath: { $anyText: '/{{*}}/i/**' },
    });
    const ability = compile([
      { subject: 'secrets', action: 'edit' },
      edit(could({ secretPath: { $glob: `/${environment}/x/**` } })!, true),
    ]);
    const at = (secretPath: string) => ability.can(asked('secrets', 'edit'), { secretPath });
    expect(['/a/x', '/a/b/x/c', '/a/y', '/x'].map(at)).toEqual([false, false, true, true]);
  });
});

describe('templates', () => {
  it.each([
    '{{identity.id}}',
    '{{identity.name}}-{{identity.username}}',
    '{{identity.email}}',
    '{{ identity.metadata.team_1 }}',
    '{{identity.metadata.[a.b/c d]}}',
    '{{identity.auth.kubernetes.namespace}}',
    '{{identity.auth.oidc.claims.[https://example.com/team]}}',
    '{{',
    '}} {{',
    'a {{ b',
  ])('may be %s', (given) => {
    expect(hasGoodTemplates(given)).toBe(true);
  });

  it.each([
    '{{user.id}}',
    '{{id}}',
    '{{}}',
    '{{identity}}',
    '{{identity.}}',
    '{{identity.secret}}',
    '{{identity.id.more}}',
    '{{identity.metadata}}',
    '{{identity.metadata.a.b}}',
    '{{identity.auth}}',
    '{{identity.constructor}}',
    '{{{identity.id}}}',
    '{{#if identity.id}}',
    '{{identity.id }',
    '{{ identity . id }}',
    '{{identity.id}} {{x}}',
    '{{identity.[]}}',
  ])('may not be %s', (given) => {
    const isBroken = given === '{{identity.id }';
    expect(hasGoodTemplates({ $eq: given })).toBe(isBroken);
    expect(hasGoodTemplates({ $glob: given }) && templatedGlob(given) !== undefined).toBe(false);
  });

  it.each([
    ['alternatives that begin with two braces', '/{{a,b},{c,d}}/*', true],
    ['a template among alternatives', '/{{{identity.id}},b}/*', true],
    ['a template with stars beside it', '/*{{identity.id}}*', true],
    ['a template beside two stars', '/{{identity.id}}**', false],
    ['a template beside two stars that stand among alternatives', '/{**,b}{{identity.id}}', false],
    ['a template behind a backslash', String.raw`/\{{identity.id}}`, false],
    ['a template in a set that never ends', '/[{{identity.id}}', false],
    ['any text', '/{{*}}', false],
  ])('in globs: %s', (_, given, expected) => {
    expect(hasGoodTemplates({ $glob: given }) && templatedGlob(given) !== undefined).toBe(expected);
  });

  // A slow reading, by regular expressions alone; globs of alternatives are left to the examples above.
  it(`are found in ${inTitle(GLOB_RUNS)} generated texts as their plain reading finds them`, { timeout: LONG }, () => {
    const NAME = String.raw`(?:[\p{L}\p{N}_$:@-]+|\[[^\][{}]+\])`;
    const known = new RegExp(
      String.raw`\{\{\s*identity\.(?:id|name|username|email|metadata\.${NAME}|auth(?:\.${NAME})+)\s*\}\}`,
      'gu',
    );
    const isGoodInPlainReading = (given: string) => !/\{\{.*\}\}|\{\0|\0\}/s.test(given.replaceAll(known, '\0'));
    const words = [
      '{',
      '}',
      '{{',
      '}}',
      '{{identity',
      '.id',
      '.metadata',
      '.auth',
      '.[',
      ']',
      'a',
      '.a',
      ' ',
      '\n',
      '\0',
      '😀',
    ];
    const piece = fc.oneof(
      fc.constantFrom(...words),
      fc.constantFrom('{{identity.id}}', '{{ identity.metadata.[a/b] }}'),
    );
    const answers = { true: 0, false: 0 };
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const given = pieces.join('');
        const expected = isGoodInPlainReading(given);
        answers[`${expected}`]++;
        expect({ given, isGood: hasGoodTemplates(given) }).toEqual({ given, isGood: expected });
      }),
      { numRuns: GLOB_RUNS },
    );
    expect(Math.min(answers.true, answers.false)).toBeGreaterThan(GLOB_RUNS / 10);
  });

  it('are read in bounded time', () => {
    for (const evil of ['{{identity.', '[', '{{', '\\', '{{identity.a'])
      expect(hasGoodTemplates({ $glob: `{{${evil.repeat(1_000_000)}` })).toBe(true);
    let deep: unknown = 'x';
    for (let depth = 0; depth < 100_000; depth++) deep = { $elemMatch: deep };
    expect(hasGoodTemplates(deep)).toBe(true);
  });
});
