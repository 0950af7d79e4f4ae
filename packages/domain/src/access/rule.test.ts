import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rule } from '../testing/arbitrary-rules.ts';
import { compile } from './ability.ts';
import { projectRoles, organizationRoles } from './built-in-roles.ts';
import { OrganizationRules, ProjectRules, publishRules } from './rule.ts';

const secrets = (conditions: unknown) => ({ subject: 'secrets', action: 'edit', conditions });

describe('ProjectRules', () => {
  it.each([
    ['one action as a list', { subject: 'secrets', action: 'edit' }, { subject: 'secrets', action: ['edit'] }],
    ['plain texts', secrets({ environment: 'dev', secretPath: '/' }), undefined],
    ['every operator', secrets({ environment: { $eq: 'dev', $ne: 'prod', $in: ['dev'], $glob: 'd*' } }), undefined],
    ['tags', secrets({ secretTags: { $in: ['red'] } }), undefined],
    [
      'templates',
      secrets({ environment: '{{identity.metadata.env}}', secretPath: { $glob: '/{{identity.id}}/**' } }),
      undefined,
    ],
    ['a path that is a template', secrets({ secretPath: '{{identity.metadata.path}}' }), undefined],
    [
      'metadata',
      {
        subject: 'dynamic-secrets',
        action: ['lease'],
        conditions: { metadata: { $elemMatch: { key: { $eq: 'team' }, value: 'a' } } },
      },
      undefined,
    ],
    ['a forbidding rule', { subject: 'secrets', action: ['edit'], inverted: true }, undefined],
    [
      'conditions that are null',
      { subject: 'tags', action: ['read'], conditions: null },
      { subject: 'tags', action: ['read'] },
    ],
    [
      'conditions that are empty',
      { subject: 'tags', action: ['read'], conditions: {} },
      { subject: 'tags', action: ['read'] },
    ],
  ])('accepts %s', (_, given, expected) => {
    const read = ProjectRules.parse([given]);
    expect(read).toEqual([expected ?? { ...given, action: [given.action].flat() }]);
    expect(JSON.parse(JSON.stringify(publishRules(read)))).toEqual(read);
  });

  it.each([
    ['an unknown subject', { subject: 'nothing', action: 'read' }],
    ['a name that every object has', { subject: 'constructor', action: 'read' }],
    ['a subject of organizations', { subject: 'billing', action: 'read' }],
    ['an unknown action', { subject: 'tags', action: ['read', 'write'] }],
    ['no action', { subject: 'tags', action: [] }],
    [
      'conditions on a subject that takes none',
      { subject: 'tags', action: 'read', conditions: { environment: 'dev' } },
    ],
    ['a field of another subject', secrets({ identityId: 'x' })],
    ['an unknown operator', secrets({ environment: { $regex: '.*' } })],
    ['an operator that is a name which every object has', secrets({ environment: { constructor: 'x' } })],
    ['an empty condition', secrets({ environment: {} })],
    ['an empty list', secrets({ environment: { $in: [] } })],
    ['a number', secrets({ environment: 7 })],
    ['nothing at all', secrets({ environment: null })],
    ['an empty text', secrets({ environment: '' })],
    ['tags that are no list', secrets({ secretTags: 'red' })],
    ['tags with another operator', secrets({ secretTags: { $in: ['red'], $ne: 'blue' } })],
    ['a path without its slash', secrets({ secretPath: 'app' })],
    ['a path without its slash in a list', secrets({ secretPath: { $in: ['/app', 'db'] } })],
    ['a path with a slash at its end', secrets({ secretPath: { $ne: '/app/' } })],
    ['a glob that is none', secrets({ secretPath: { $glob: '/a/[b' } })],
    ['a glob of another language', secrets({ secretPath: { $glob: '!(prod)' } })],
    ['a text that is too long', secrets({ environment: 'x'.repeat(1025) })],
    [
      'metadata with an unknown field',
      { subject: 'dynamic-secrets', action: 'lease', conditions: { metadata: { $elemMatch: { constructor: 'x' } } } },
    ],
    [
      'metadata that asks for nothing',
      { subject: 'dynamic-secrets', action: 'lease', conditions: { metadata: { $elemMatch: {} } } },
    ],
  ])('refuses %s', (_, given) => {
    expect(ProjectRules.safeParse([given]).success).toBe(false);
  });

  it('refuses the older read beside its halves as a fault of the request', () => {
    expect(() => ProjectRules.parse([{ subject: 'secrets', action: ['read', 'readValue'] }])).toThrow(
      expect.objectContaining({ kind: 'bad_request' }),
    );
    expect(
      ProjectRules.safeParse([
        { subject: 'secrets', action: 'read' },
        { subject: 'secrets', action: 'readValue', inverted: true },
      ]).success,
    ).toBe(true);
  });

  it('refuses other templates as a fault of the request', () => {
    for (const conditions of [
      { environment: '{{user.id}}' },
      { secretTags: { $in: ['red', '{{identity}}'] } },
      { secretPath: { $glob: '/{{identity.metadata}}/*' } },
    ])
      expect(() => ProjectRules.parse([secrets(conditions)])).toThrow(
        expect.objectContaining({ kind: 'bad_request', code: 'rule.template' }),
      );
  });

  it('accepts the built-in roles as custom ones', () => {
    for (const { rules } of projectRoles) {
      const taken = rules.map((one) =>
        one.subject === 'secrets' ? { ...one, action: [one.action].flat().filter((action) => action !== 'read') } : one,
      );
      expect(ProjectRules.parse(taken)).toHaveLength(rules.length);
    }
    for (const { rules } of organizationRoles) expect(OrganizationRules.parse(rules)).toHaveLength(rules.length);
  });
});

describe('compile', () => {
  it('tolerates any rules in the database', () => {
    const anything = fc.record({
      subject: fc.constant('secrets'),
      action: fc.constant('edit'),
      conditions: fc.dictionary(fc.constantFrom('environment', 'secretTags', '$eq'), fc.anything()),
    });
    const asked = { scope: 'project', subject: 'secrets', action: 'edit', key: '' } as const;
    fc.assert(
      fc.property(fc.array(fc.oneof(anything, rule(['secrets'])), { maxLength: 4 }), fc.anything(), (rules, value) => {
        expect(typeof compile(rules).can(asked, { environment: value, secretTags: [value] })).toBe('boolean');
      }),
      { numRuns: 2000 },
    );
  });
});
