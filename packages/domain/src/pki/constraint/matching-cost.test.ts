import { setImmediate } from 'node:timers';
import { describe, expect, it } from 'vitest';
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

describe('what names and patterns cost', () => {
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
