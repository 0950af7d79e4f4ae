import { EqualityFilter, FilterParser } from 'ldapts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillFilter, isFilterTemplate } from './filter.ts';

describe('isFilterTemplate', () => {
  it.each([
    '(uid={{username}})',
    'uid={{username}}',
    '(&(objectClass=person)(|(uid={{username}})(mail={{username}})))',
    '(mail={{username}}@example.com)',
    '(cn=svc-{{username}}-*)',
    '(memberOf:1.2.840.113556.1.4.1941:={{username}})',
  ])('accepts %s', (template) => {
    expect(isFilterTemplate(template)).toBe(true);
  });

  it.each([
    '',
    '(uid=alice)',
    '{{username}}',
    '({{username}}=alice)',
    '({{username}})',
    '({{username}}={{username}})',
    '(&{{username}}(uid=x))',
    '(uid={{username}}',
    '(uid={{username}}))',
    '(uid={{username}})(uid=x)',
    '(uid={{ username }})',
    '(uid={{Username}})',
    '()={{username}}',
  ])('refuses %s', (template) => {
    expect(isFilterTemplate(template)).toBe(false);
  });
});

describe('fillFilter', () => {
  it('inserts any name as a value', () => {
    const pieces = [
      '*',
      '(',
      ')',
      '\\',
      '\0',
      '&',
      '|',
      '!',
      '=',
      '\\2a',
      '$&',
      "$'",
      '{{username}}',
      'a',
      'é',
      '😀',
      ' ',
      '\n',
    ];
    const names = fc.oneof(
      fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join('')),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(names, (name) => {
        const filter = FilterParser.parseString(fillFilter('(uid={{username}})', name)) as EqualityFilter;
        expect(filter).toBeInstanceOf(EqualityFilter);
        expect([filter.attribute, filter.value]).toEqual(['uid', name]);
      }),
      { numRuns: 5000 },
    );
  });
});
