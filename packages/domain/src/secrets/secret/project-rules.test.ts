import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, Gains } from '../../access/index.ts';
import { DomainError, type Rule } from '../../kernel/index.ts';
import { naiveGains } from '../../testing/naive-rules.ts';
import { requireNoGainByFields } from './project-rules.ts';
import { askedPermissions, readingPermissions } from './secret.ts';

const CODES = new Set(['secret.change_reveals', 'secret.change_gains']);

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
    fc.subarray(['describeSecret', 'readValue', 'create', 'edit', 'delete'], { minLength: 1 }),
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
  it('is rejected exactly if some actor could then do what the caller may not now', () => {
    const isRefused = (work: () => void) => {
      try {
        work();
        return false;
      } catch (error) {
        if (error instanceof DomainError && CODES.has(error.code)) return true;
        throw error;
      }
    };
    const rules = fc.array(rule, { maxLength: 4 });
    fc.assert(
      fc.property(rules, rules, fields, fields, (own, others, before, after) => {
        const gains = new Gains([[own], [others]], [{ from: 0, ability: compile(own) }]);
        for (const permissions of [askedPermissions, readingPermissions]) {
          const isGained = permissions.some(({ action }) =>
            naiveGains([own, others], own, ['secrets', action], { before, after }),
          );
          expect(isRefused(() => requireNoGainByFields(gains, permissions, before, after))).toBe(isGained);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
