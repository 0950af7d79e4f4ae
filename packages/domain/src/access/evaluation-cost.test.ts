// @long: large values, many callers
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DomainError, type Fields, type Permission, type Rule } from '../kernel/index.ts';
import { compile } from './ability.ts';
import { matchConditions } from './condition.ts';
import { EvaluationCost } from './evaluation-cost.ts';
import { eachInTurns } from './in-turns.ts';

const asked = (action: string): Permission => ({ scope: 'project', subject: 'secrets', action, key: '' });
const rules = (count: number, conditions: (n: number) => Record<string, unknown>): Rule[] =>
  Array.from({ length: count }, (_, n) => ({
    subject: 'secrets',
    action: ['describeSecret', 'readValue', 'edit'],
    conditions: conditions(n),
  }));
const texts = (start: string) => Array.from({ length: 100 }, (_, n) => start + n);

/** Number of evaluations before the error. */
function answersOf(ask: () => unknown): number {
  for (let n = 0; n < 10_000; n++) {
    try {
      ask();
    } catch (error) {
      if (error instanceof DomainError && error.code === 'permission.too_costly') return n;
      throw error;
    }
  }
  return Infinity;
}

describe('what rules may cost', () => {
  it('is sufficient for lists of 10,200 secrets with 50 ordinary rules, also for two of them concurrently', async () => {
    const ability = compile(
      rules(50, (n) => ({ environment: { $glob: '{dev,staging}' }, secretPath: { $glob: `/team-*/${n}/**` } })),
    );
    const place = { environment: 'dev', secretPath: '/team-a/app' };
    let asking = 0;
    for (const action of ['describeSecret', 'readValue', 'edit', 'describeSecret', 'readValue', 'edit'])
      await eachInTurns(Array(10_200).keys(), (n) => {
        if (!ability.can(asked(action), { ...place, secretName: `KEY_${n}`, secretTags: [] })) asking++;
      });
    expect(asking).toBe(6 * 10_200);
  });

  it('is limited for many resources together, over many turns', async () => {
    const ability = compile(rules(100, (n) => ({ secretName: { $glob: `${'*A'.repeat(200)}B${n}*` } })));
    let answered = 0;
    const ask = (n: number) => {
      ability.can(asked('edit'), { secretName: 'A'.repeat(200) + n });
      answered++;
    };
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await expect(eachInTurns(Array(10_000).keys(), ask)).rejects.toThrow('take too long to evaluate');
    clearImmediate(timer);
    expect(answered).toBeGreaterThan(20);
    expect(turns).toBeGreaterThan(20);
  });

  it('is limited for one ability, in each turn of the event loop', async () => {
    const ability = compile(rules(200, (n) => ({ secretName: { $glob: `${'*A'.repeat(400)}B${n}*` } })));
    const other = compile(rules(1, () => ({ secretName: 'A' })));
    let named = 0;
    const ask = () => ability.can(asked('edit'), { secretName: 'A'.repeat(400) + named++ });
    const rounds = [];
    for (let round = 0; round < 2; round++) {
      rounds.push(answersOf(ask));
      expect(ask).toThrow('take too long to evaluate');
      expect(other.can(asked('edit'), { secretName: 'A' })).toBe(true);
      await nextTurn();
    }
    // The globs are compiled in the first round.
    expect(rounds[0]).toBeGreaterThan(0);
    expect(rounds[1]).toBeGreaterThanOrEqual(rounds[0]!);
  });

  it.each<[string, Record<string, unknown>, Fields]>([
    ['a long glob', { name: { $glob: `${'*A'.repeat(500)}B*` } }, { name: 'A'.repeat(200) }],
    [
      'sets of characters, and texts of many',
      { name: { $glob: `*${'[a-cx-z]'.repeat(100)}*` } },
      { name: String.fromCharCode(...Array.from({ length: 500 }, (_, at) => 256 + at)) },
    ],
    ['many tags', { secretTags: { $in: texts('one ') } }, { secretTags: texts('other ') }],
    [
      'globs for each pair of long metadata',
      { metadata: { $elemMatch: { key: 'a', value: { $glob: '*A*B*' } } } },
      { metadata: texts('A').map((value) => ({ key: 'a', value })) },
    ],
  ])('includes %s', (_, conditions, fields) => {
    const limited = new EvaluationCost(100_000);
    const matches = matchConditions(conditions, limited);
    let named = 0;
    const changing = (value: unknown): unknown => (typeof value === 'string' ? value + named++ : value);
    const ask = () =>
      matches(Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, changing(value)])));
    expect(answersOf(ask)).toBeLessThan(50);
  });

  it('includes the compiling of globs', () => {
    const limited = new EvaluationCost(100_000);
    let compiled = 0;
    const compileOne = () => matchConditions({ name: { $glob: `{compiled,anew}${compiled++}`.repeat(5) } }, limited);
    expect(answersOf(compileOne)).toBeLessThan(20);
  });
});
