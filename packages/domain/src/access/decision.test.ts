import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fields, Permission } from '../kernel/index.ts';
import { request, rule } from '../testing/arbitrary-rules.ts';
import { naiveCan } from '../testing/naive-rules.ts';
import { runs, searchTime } from '../testing/search.ts';
import { compile } from './ability.ts';
import { HIDDEN, RuleSet } from './decision.ts';

const LONG = searchTime(300_000);
const RUNS = runs(2_000, 20_000);
const asked = (subject: string, action: string): Permission => ({ scope: 'project', subject, action, key: '' });
const subjects = fc.constantFrom(['secrets'], ['secrets', 'dynamic-secrets'], ['identity', 'tags']);
const questions = subjects.chain((some) =>
  fc.record({
    rules: fc.array(rule(some), { maxLength: 6 }),
    requests: fc.array(request(some), { minLength: 5, maxLength: 5 }),
    others: fc.array(request(some), { minLength: 5, maxLength: 5 }),
  }),
);

describe('a decision', () => {
  it('is the result of the rules, and names the rule that decides', { timeout: LONG }, () => {
    fc.assert(
      fc.property(questions, ({ rules, requests }) => {
        const [book, ability] = [new RuleSet(rules), compile(rules)];
        for (const { subject, action, fields } of requests) {
          const permission = asked(subject, action);
          const { isAllowed, decidedBy, overridden, open } = book.decide(permission, fields);
          expect(isAllowed).toBe(ability.can(permission, fields));
          expect(book.may(permission, fields)).toBe(isAllowed);
          expect(open).toEqual([]);
          const decider = decidedBy === undefined ? undefined : rules[decidedBy]!;
          expect(isAllowed).toBe(decider !== undefined && decider.inverted !== true);
          // Alone it decides the same; each overridden rule would decide without it and those after it.
          expect(naiveCan(decider ? [decider] : rules, subject, action, fields)).toBe(isAllowed);
          const next = overridden[0];
          expect(naiveCan(rules.slice(0, decidedBy ?? 0), subject, action, fields)).toBe(
            next !== undefined && rules[next]!.inverted !== true,
          );
          for (const index of overridden) {
            const { inverted: _, ...plain } = rules[index]!;
            expect(naiveCan([plain], subject, action, fields)).toBe(true);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('about partly known resources holds for any hidden fields', { timeout: LONG }, () => {
    let [certain, uncertain] = [0, 0];
    fc.assert(
      fc.property(questions, fc.nat(15), ({ rules, requests, others }, mask) => {
        const book = new RuleSet(rules);
        for (const { subject, action, fields } of requests) {
          const names = ['environment', 'secretPath', 'secretName', 'secretTags', 'metadata', 'identityId'];
          const isHidden = (field: string) => (mask >> (names.indexOf(field) % 4)) % 2 === 1;
          const known: Fields = Object.fromEntries(
            Object.entries(fields).map(([field, value]) => [field, isHidden(field) ? HIDDEN : value]),
          );
          const answer = book.may(asked(subject, action), known);
          expect(book.decide(asked(subject, action), known).isAllowed).toBe(answer);
          if (answer === undefined) {
            uncertain++;
            continue;
          }
          certain++;
          for (const { fields: rest } of [{ fields }, ...others]) {
            const thing = Object.fromEntries(
              Object.entries(fields).map(([field, value]) => [field, isHidden(field) ? rest[field] : value]),
            );
            expect(naiveCan(rules, subject, action, thing)).toBe(answer);
          }
        }
      }),
      { numRuns: RUNS / 2 },
    );
    expect(certain).toBeGreaterThan(RUNS / 2);
    expect(uncertain).toBeGreaterThan(RUNS / 20);
  });
});
