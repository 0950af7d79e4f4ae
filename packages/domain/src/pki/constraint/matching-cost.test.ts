import { setImmediate } from 'node:timers';
import { describe, expect, it } from 'vitest';
import { processorTime } from '../../testing/processor-time.ts';
import { isLongSearch } from '../../testing/search.ts';
import type { CertificateContent } from '../x509.ts';
import { check, type Constraints } from './constraint.ts';
import { expression } from './expression.ts';
import { glob } from './glob.ts';
import type { Matcher } from './matcher.ts';
import { MatchingCost } from './matching-cost.ts';

/** Notes the most that was spent between two turns of the event loop. */
class Measured extends MatchingCost {
  worst = 0;
  #turn = 0;

  override spend(steps: number): void {
    if (this.#turn === 0) setImmediate(() => (this.#turn = 0));
    this.#turn += steps;
    super.spend(steps);
    this.worst = Math.max(this.worst, this.#turn);
  }
}

let seed = 1;
const random = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
const letters = (length: number) => Array.from({ length }, () => (random() < 0.5 ? 'a' : 'b')).join('');

const asked = (values: readonly string[]) =>
  ({ subject: {}, altNames: values.map((value) => ({ type: 'uri', value })) }) as unknown as CertificateContent;
const constraintsOf = (rule: object) =>
  ({
    origin: 'policy',
    subject: { rules: {}, others: 'allowed' },
    altNames: { rules: { uri: rule }, others: 'denied' },
  }) as Constraints;

async function spentOn(rule: object, values: readonly string[]) {
  const cost = new Measured();
  const code = await outcomeOf(check(constraintsOf(rule), asked(values), cost));
  return { code, spent: cost.spent, worst: cost.worst };
}
const outcomeOf = (checked: Promise<unknown>) =>
  checked.then(
    () => 'checked',
    (error: { code?: string }) => error.code ?? 'fault',
  );

const MOST_IN_A_TURN = 8_000_000;

/** For each kind of instruction an expression that consists of it, and a character that all of them are tested with. */
const KINDS: Readonly<Record<string, readonly [string, string]>> = {
  'any character': [`(?s)(?:${'.?'.repeat(300)})*`, 'k'],
  'any but a line feed': [`(?:${'.?'.repeat(300)})*`, 'k'],
  'a character': [`(?:${'k?'.repeat(300)})*`, 'k'],
  'another character': [`(?:${'a?'.repeat(300)}.?)*`, 'k'],
  'a letter in both cases': [`(?i)(?:${'a?'.repeat(300)}.?)*`, 'k'],
  'a letter in three cases, and another beyond ASCII': [`(?i)(?:${'k?'.repeat(300)}.?)*`, 'ж'],
  'a letter in four cases': [`(?i)(?:${'θ?'.repeat(300)}.?)*`, 'ж'],
  'a letter in four cases, and ASCII': [`(?i)(?:${'\u0345?'.repeat(300)}.?)*`, 'k'],
  'a range': [`(?:${'[a-c]?'.repeat(150)}.?)*`, 'k'],
  'four ranges': [`(?:${'[a-cegi]?'.repeat(100)}.?)*`, 'k'],
  'five ranges': [`(?:${'[acegi]?'.repeat(100)}.?)*`, 'k'],
  'hundreds of ranges': [`(?:${'[\\pL]?'.repeat(20)}.?)*`, 'ж'],
  'a group': [`(?:${'()'.repeat(300)}.)*`, 'k'],
  'an assertion': [`(?:${'\\B?'.repeat(300)}.)*`, 'k'],
  'an alternative of nothing': [`(?:${'(?:|)'.repeat(150)}.)*`, 'k'],
  'one instruction': ['k*', 'k'],
};

/** Nanoseconds of a step, the least of some times. */
function timeOfStep([text, character]: readonly [string, string]): number {
  const [matcher, value] = [expression(text), character.repeat(500)];
  let least = Infinity;
  for (let time = 0; time < 5; time++) {
    let steps = 0;
    const start = processorTime();
    while (steps < 4_000_000) {
      const cost = new MatchingCost();
      matcher.matches(value, cost);
      steps += cost.spent;
    }
    least = Math.min(least, ((processorTime() - start) * 1e6) / steps);
  }
  return least;
}

describe('what names and patterns cost', () => {
  it.runIf(isLongSearch)('is about the same for a step of each kind of instruction', { timeout: 300_000 }, () => {
    const times = Object.entries(KINDS).map(([kind, of]) => [kind, timeOfStep(of)] as const);
    const [least, most] = [Math.min, Math.max].map((of) => of(...times.map(([, time]) => time)));
    expect([most! / least!, times]).toEqual([expect.toSatisfy((ratio: number) => ratio < 3), times]);
  });

  const many = (matcher: (number: number) => Matcher) => Array.from({ length: 100 }, (_, number) => matcher(number));
  const periodic = (half: number) => many((number) => glob(`*${'a'.repeat(half)}b${'a'.repeat(half)}*${number}`));

  it.each(['(?:.{0,300}a.{0,300}b)*c', '.*a(?:.{1,600})x', `.*${'\\pL?'.repeat(240)}!`, '.*a(?:.?){470}x'])(
    'is bounded for random names under %s',
    async (text) => {
      const allowed = [expression(text)];
      const { code, worst } = await spentOn(
        { allowed },
        Array.from({ length: 8 }, (_, n) => `urn:x:${n}${letters(2_035)}`),
      );
      expect(code).toBe('certificate.too_costly');
      expect(worst).toBeLessThanOrEqual(MOST_IN_A_TURN);
    },
  );

  it('is limited for names of one letter under globs of the same', async () => {
    const rule = { allowed: periodic(500), required: periodic(500), denied: periodic(500) };
    const values = Array.from({ length: 200 }, (_, number) => `urn:x:${number}${'a'.repeat(1_014)}`);
    const { code, worst } = await spentOn(rule, values);
    expect(code).toBe('certificate.too_costly');
    expect(worst).toBeLessThanOrEqual(MOST_IN_A_TURN);
  });

  it('is a small part of the limit for twenty patterns and a hundred names of 253 characters', async () => {
    const globs = Array.from({ length: 20 }, (_, number) => glob(`*.team-${number}.*.example.com`));
    const values = Array.from({ length: 100 }, (_, number) => `${letters(220)}.team-19.${number}.example.com`);
    for (const rule of [
      { allowed: globs, denied: globs.slice(0, 10) },
      { allowed: [expression('[a-z0-9.-]+\\.example\\.com')] },
    ]) {
      const { code, spent, worst } = await spentOn(rule, values);
      expect(code).toBe('checked');
      expect(spent).toBeLessThan(2_500_000);
      expect(worst).toBeLessThanOrEqual(MOST_IN_A_TURN);
    }
  });

  it('yields to others in between', async () => {
    const cost = new MatchingCost();
    let turns = 0;
    const count = () => {
      turns++;
      if (turns < 1_000) setImmediate(count);
    };
    setImmediate(count);
    for (let number = 0; number < 8; number++) {
      cost.spend(1_200_000);
      await cost.rest();
    }
    expect(turns).toBeGreaterThanOrEqual(4);
    turns = 1_000;
  });
});
