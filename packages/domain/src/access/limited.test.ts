import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Permission } from '../kernel/index.ts';
import { request, rule } from '../testing/arbitrary-rules.ts';
import { word } from '../testing/arbitrary-texts.ts';
import { naiveCan } from '../testing/naive-rules.ts';
import { compile } from './ability.ts';
import { limited } from './limited.ts';
import { serviceRules } from './service-rules.ts';

const asked = (subject: string, action: string): Permission => ({ scope: 'project', subject, action, key: '' });
const scope = fc.record({
  environment: word('environment'),
  secretPath: fc.oneof(fc.constant('/**'), word('secretPath')),
});

describe('rights that depend on those of another actor', () => {
  it('allow what both allow, evaluated by both or as one list of rules, in 5,000 generated cases', () => {
    let allowed = 0;
    const cases = fc.record({
      scopes: fc.array(scope, { minLength: 1, maxLength: 3 }),
      permissions: fc.subarray(['read', 'write', 'readValue'], { minLength: 1 }),
      by: fc.array(rule(['secrets']), { maxLength: 5 }),
      requests: fc.array(request(['secrets']), { minLength: 10, maxLength: 10 }),
    });
    fc.assert(
      fc.property(cases, ({ scopes, permissions, by, requests }) => {
        const own = serviceRules({ scopes, permissions });
        const ability = limited(compile(own), compile(by));
        const asList = compile(ability.rules);
        for (const { subject, action, fields } of requests) {
          const expected = naiveCan(own, subject, action, fields) && naiveCan(by, subject, action, fields);
          expect(ability.can(asked(subject, action), fields)).toBe(expected);
          expect(asList.can(asked(subject, action), fields)).toBe(expected);
          if (expected) allowed++;
        }
      }),
      { numRuns: 5000 },
    );
    expect(allowed).toBeGreaterThan(200);
  });

  it('decide about a location as both do, and list the own ones separately', () => {
    const own = compile([{ subject: 'secrets', action: ['edit'], conditions: { secretPath: { $glob: '/app/**' } } }]);
    const by = compile([
      { subject: 'secrets', action: ['edit', 'delete'], conditions: { secretPath: { $glob: '/**' } } },
      { subject: 'tags', action: ['read'] },
    ]);
    const ability = limited(own, by);
    expect(ability.rules).toEqual([
      {
        subject: 'secrets',
        action: ['edit'],
        conditions: { secretPath: { $and: [{ $glob: '/app/**' }, { $glob: '/**' }] } },
      },
    ]);
    expect(ability.rulesFor(asked('secrets', 'delete'))).toEqual([]);
    expect(ability.own).toBe(own);
  });
});
