import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Permission } from '../kernel/index.ts';
import { filledIn, pattern, request, rule, text } from '../testing/arbitrary-rules.ts';
import { naiveCan, naiveGlob } from '../testing/naive-rules.ts';
import { compile } from './ability.ts';
import { globOf } from './condition.ts';

const LONG = 120_000;
const asked = (subject: string, action: string): Permission => ({ scope: 'project', subject, action, key: '' });

describe('rules', () => {
  it('decide 100,000 generated requests as their plain reading does', { timeout: LONG }, () => {
    let allowed = 0;
    let total = 0;
    const subjects = fc.constantFrom(['secrets'], ['secrets', 'dynamic-secrets'], ['identity', 'tags']);
    const questions = subjects.chain((some) =>
      fc.record({
        rules: fc.array(rule(some), { maxLength: 6 }),
        requests: fc.array(request(some), { minLength: 5, maxLength: 5 }),
      }),
    );
    fc.assert(
      fc.property(questions, ({ rules, requests }) => {
        const ability = compile(rules);
        for (const { subject, action, fields } of requests) {
          const answer = ability.can(asked(subject, action), fields);
          expect(answer).toBe(naiveCan(rules, subject, action, fields));
          total++;
          if (answer) allowed++;
        }
      }),
      { numRuns: 20_000 },
    );
    expect(total).toBe(100_000);
    // Neither answer is so rare that the agreement would say nothing.
    expect(allowed / total).toBeGreaterThan(0.1);
    expect(allowed / total).toBeLessThan(0.9);
  });
});

describe('globs', () => {
  it('match 100,000 generated texts as their plain reading does', { timeout: LONG }, () => {
    let matched = 0;
    fc.assert(
      fc.property(pattern(), fc.array(text(), { minLength: 3, maxLength: 3 }), (glob, texts) => {
        for (const one of texts.flatMap((filling) => [filling, filledIn(glob, filling)])) {
          const answer = globOf(glob)?.matches(one) ?? false;
          expect({ glob, one, answer }).toEqual({ glob, one, answer: naiveGlob(glob, one) });
          if (answer) matched++;
        }
      }),
      { numRuns: 20_000 },
    );
    expect(matched).toBeGreaterThan(20_000);
  });
});
