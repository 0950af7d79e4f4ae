import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, Gains } from '../../access/index.ts';
import { DomainError, type Rule } from '../../kernel/index.ts';
import { naiveGains } from '../../testing/naive-rules.ts';
import { requireNoNewVisibility } from './project-rules.ts';

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const fields = fc.record({
  environment: oneOf(['dev', 'prod']),
  secretPath: oneOf(['/', '/a']),
  secretName: oneOf(['A', 'B']),
  secretTags: fc.subarray(['red', 'blue']),
});
const rule: fc.Arbitrary<Rule> = fc.record({
  subject: fc.constant('secrets'),
  action: fc.oneof(
    fc.constant<string | string[]>('read'),
    fc.subarray(['describeSecret', 'readValue', 'edit'], { minLength: 1 }),
  ),
  conditions: fc.record(
    {
      environment: oneOf(['dev', 'prod']),
      secretPath: oneOf(['/', '/a']),
      secretName: oneOf(['A', 'B']),
      secretTags: oneOf(['red', 'blue']).map((slug) => ({ $in: [slug] })),
    },
    { requiredKeys: [] },
  ),
  inverted: fc.boolean(),
});

describe('another name, place or tag of a secret', () => {
  it('is refused exactly where somebody could then describe or read what the caller may not now', () => {
    const isRefused = (work: () => void) => {
      try {
        work();
        return false;
      } catch (error) {
        if (error instanceof DomainError && error.code === 'secret.change_reveals') return true;
        throw error;
      }
    };
    const rules = fc.array(rule, { maxLength: 4 });
    fc.assert(
      fc.property(rules, rules, fields, fields, (own, others, before, after) => {
        const isGained = ['describeSecret', 'readValue'].some((action) =>
          naiveGains([own, others], own, ['secrets', action], { before, after }),
        );
        const gains = new Gains([[own], [others]], [{ from: 0, ability: compile(own) }]);
        expect(isRefused(() => requireNoNewVisibility(gains, before, after))).toBe(isGained);
      }),
      { numRuns: 2000 },
    );
  });
});
