import { describe, expect, it } from 'vitest';
import type { Catalogue } from './catalogue.ts';
import { checkRules } from './check.ts';
import { testsOf, toConditions } from './rule.ts';

const catalogue: Catalogue = new Map([
  ['secrets', { actions: ['readValue', 'edit'], conditions: ['environment', 'secretPath', 'secretTags'] }],
  ['member', { actions: ['read'], conditions: [] }],
]);
const check = (rules: unknown) => checkRules(JSON.stringify(rules), catalogue);

describe('checkRules', () => {
  it('reads rules, with one action as a list', () => {
    expect(check([{ subject: 'secrets', action: 'edit', conditions: {}, inverted: false }])).toEqual({
      rules: [{ subject: 'secrets', action: ['edit'] }],
      faults: [],
    });
  });

  it.each([
    [{ subject: 'secret', action: 'edit' }, 'there is no subject secret'],
    [{ subject: 'secrets', action: ['fly'] }, 'secrets has no action fly; use readValue, edit'],
    [{ subject: 'secrets', action: [] }, 'choose an action: readValue, edit'],
    [
      { subject: 'secrets', action: 'edit', condition: {} },
      'condition is unknown; use subject, action, conditions, inverted',
    ],
    [{ subject: 'member', action: 'read', conditions: { environment: 'dev' } }, 'member takes no conditions'],
    [
      { subject: 'secrets', action: 'edit', conditions: { secretPath: 'app' } },
      'secretPath begins with / and does not end with it',
    ],
    [
      { subject: 'secrets', action: 'edit', conditions: { environment: { $in: [] } } },
      'environment is one of: a list of texts is missing',
    ],
    [{ subject: 'secrets', action: 'edit', conditions: { secretTags: 'x' } }, 'secretTags needs $in'],
    [
      { subject: 'secrets', action: 'edit', conditions: { environment: { $regex: 'x' } } },
      'environment has no comparison $regex; use $eq, $ne, $in, $glob',
    ],
  ])('names what is wrong: %j', (rule, fault) => {
    expect(check([rule])).toEqual({ faults: [`Rule 1: ${fault}`] });
  });

  it('says where text is no JSON', () => {
    expect(checkRules('[\n  {"subject": x}\n]', catalogue).faults[0]).toContain('line 2');
  });
});

it('splits conditions into comparisons, and joins them to the same', () => {
  const conditions = {
    environment: 'dev',
    secretPath: { $glob: '/a/**', $ne: '/a/b' },
    secretTags: { $in: ['x', 'y'] },
  };
  expect(toConditions(testsOf(conditions))).toEqual(conditions);
});
