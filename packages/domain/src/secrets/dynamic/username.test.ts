import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeUsername, requireTemplate } from './username.ts';

const rules = { maxLength: 32, alphabet: /[A-Za-z0-9_-]/ };
const now = new Date('2031-02-03T04:05:06.789Z');
const make = (template: string | null, identityName = 'ci deploy') =>
  makeUsername(template, rules, { identityName, now });

describe('the name of a login', () => {
  it('is random where nobody says how it is made', () => {
    const names = Array.from({ length: 1000 }, () => make(null));
    expect(new Set(names).size).toBe(1000);
    expect(names.every((name) => /^[a-z][a-z0-9]{23}$/.test(name))).toBe(true);
  });

  it.each([
    ['app-{{randomUsername}}', /^app-[a-z][a-z0-9]{23}$/],
    ['v_{{unixTimestamp}}_{{random 8}}', /^v_1927857906_[a-z][a-z0-9]{7}$/],
    ['{{identity.name}}-{{ random 12 }}', /^cideploy-[a-z][a-z0-9]{11}$/],
    ['{{uppercase identity.name}}_{{random 12}}', /^CIDEPLOY_[a-z][a-z0-9]{11}$/],
    ['{{truncate identity.name 3}}_{{random 10}}', /^cid_[a-z][a-z0-9]{9}$/],
  ])('is made by %s', (template, pattern) => {
    expect(() => requireTemplate(template, rules)).not.toThrow();
    expect(make(template)).toMatch(pattern);
  });

  it.each([
    ['app', 'randomUsername'],
    ['{{unixTimestamp}}', 'randomUsername'],
    ['{{identity.name}}', 'randomUsername'],
    ['{{random 7}}', 'at least {{random 8}}'],
    ['{{random 0}}{{randomUsername}}', 'does not know {{random 0}}'],
    ['{{random 100}}', 'does not know {{random 100}}'],
    ['{{random 33}}', 'at most 32 characters, not 33'],
    ['a-long-prefix-{{randomUsername}}', 'at most 32 characters, not 38'],
    [`it's-{{random 8}}`, `cannot contain "'"`],
    ['a b{{random 8}}', 'cannot contain " "'],
    ['{{constructor}}{{random 8}}', 'does not know {{constructor}}'],
    ['{{truncate identity.name}}{{random 8}}', 'does not know'],
    ['{{random 8}}{{', 'not closed'],
    ['{{random 8}}}}', 'not closed'],
  ])('is not made by %s: %s', (template, why) => {
    expect(() => requireTemplate(template, rules)).toThrow(why);
  });

  it('is one that the target takes, whoever asks', () => {
    const template = '{{lowercase identity.name}}-{{identity.name}}-{{random 10}}';
    requireTemplate(template, rules);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => {
        expect(make(template, name)).toMatch(/^[A-Za-z0-9_-]{12,32}$/);
        expect(make(template, name)).toMatch(/-[a-z][a-z0-9]{9}$/);
      }),
    );
  });
});
