import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { globOf } from './condition.ts';
import { countNodes, isSpecific } from './glob-pattern.ts';
import { Glob } from './glob.ts';

describe('Glob', () => {
  it.each<[string, string[], string[]]>([
    ['/app', ['/app'], ['/app/', '/App', '/app/x', 'app', '']],
    ['/', ['/'], ['', '/a', '//']],
    ['*', ['dev', '.env', 'a b'], ['/', 'a/b', '']],
    ['/*', ['/a', '/.a'], ['/', '/a/b', '/a/', 'a']],
    ['/app/*', ['/app/a'], ['/app', '/app/', '/app/a/b']],
    ['/**', ['/', '/a', '/a/b/c', '/.a/..'], ['a', 'a/b']],
    ['**', ['', '/', 'a', '/a/b', 'a\nb'], []],
    ['/app/**', ['/app', '/app/a', '/app/a/b'], ['/', '/application', '/app2/a', '/x/app/a']],
    ['/app/**/db', ['/app/db', '/app/a/db', '/app/a/b/db'], ['/app', '/appdb', '/app/dbx', '/app/db/x']],
    ['**/db', ['db', '/db', '/a/db', 'a/b/db'], ['adb', '/db/a']],
    ['/app/**/**', ['/app', '/app/a/b'], ['/apps']],
    ['/a**/b', ['/a/b', '/axx/b'], ['/a/x/b', '/ax/y/b']],
    ['prod*', ['prod', 'prod-2'], ['preprod', 'prod/x']],
    ['DB_?', ['DB_A', 'DB_É', 'DB_😀'], ['DB_', 'DB_AB', 'DB_/']],
    ['[ab]c', ['ac', 'bc'], ['cc', 'c', '[ab]c']],
    ['[a-c]', ['a', 'b', 'c'], ['d', 'B', '-']],
    ['[!a]', ['b', '!', 'é'], ['a', '/', '']],
    ['[^a]', ['b', '^'], ['a', '/']],
    ['[]-]', [']', '-'], ['a']],
    ['[!]a]', ['b'], [']', 'a']],
    ['{dev,staging}', ['dev', 'staging'], ['prod', '{dev,staging}', 'devstaging']],
    ['{dev,}', ['dev', ''], ['d']],
    ['{/a/**,/b}', ['/a', '/a/x', '/b'], ['/b/x']],
    ['{a,{b,c*}}/{x,y}', ['a/x', 'b/y', 'cc/x'], ['a', 'a/z', 'bb/x']],
    ['\\*\\{\\[\\!\\\\', ['*{[!\\'], ['x{[!\\']],
    ['a.b+c|$^"', ['a.b+c|$^"'], ['axb+c|$^"', 'a']],
    [
      `?${'x'.repeat(70)}*${'y'.repeat(70)}`,
      [`a${'x'.repeat(70)}${'y'.repeat(70)}`, `a${'x'.repeat(71)}${'y'.repeat(71)}`],
      [`a${'x'.repeat(69)}${'y'.repeat(70)}`, `a${'x'.repeat(70)}${'y'.repeat(69)}`],
    ],
  ])('%s', (pattern, matching, other) => {
    const glob = new Glob(pattern);
    expect(matching.filter((text) => !glob.matches(text))).toEqual([]);
    expect(other.filter((text) => glob.matches(text))).toEqual([]);
  });

  it.each([
    ...['*', '**', '/**', '?*', '*/*', '[!a]*', '[a-z]', '', '{a,*}', '{a,/**}'].map((glob) => [glob, false] as const),
    ...['a', 'a*', '*a', '**/a', '{a,b*}', '?x', '\\*'].map((glob) => [glob, true] as const),
  ])('%s requires a certain character: %s', (pattern, expected) => {
    expect(isSpecific(pattern)).toBe(expected);
  });

  it.each([
    '!a',
    '!(a)',
    '@(a|b)',
    '(a)',
    'a)',
    '[a',
    '[]',
    '[!]',
    '{a',
    '{a,b',
    'a}',
    '{a}',
    '{1..3}',
    '{}',
    'a\\',
    '[b-a]',
    '[a/b]',
    '[a\\/]',
    '\ud800',
    '{a,b}'.repeat(12),
  ])('refuses %s', (pattern) => {
    expect(globOf(pattern)).toBeUndefined();
  });

  it('counts the nodes of its alternatives without expanding them, never less and seldom more than twice as many', () => {
    const part = fc.constantFrom(
      'a',
      '*',
      '**',
      '/',
      '/*/',
      '/**',
      '?',
      '[a-z]',
      '[]x]',
      '{a,b}',
      '{a,{b,c*}}',
      '\\{',
      'ab',
    );
    const found = { patterns: 0, doubled: 0 };
    const property = fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const pattern = parts.join('');
      const glob = globOf(pattern);
      if (!glob) return;
      found.patterns++;
      const nodes = glob.size - (pattern.match(/\[/g)?.length ?? 0) * 2;
      expect({ pattern, isFew: countNodes(pattern) >= Math.min(nodes, 2048) }).toEqual({ pattern, isFew: true });
      if (countNodes(pattern) > 2 * glob.size + 4) found.doubled++;
    });
    fc.assert(property, { numRuns: 5_000 });
    expect(found.patterns).toBeGreaterThan(1_000);
    expect(found.doubled).toBeLessThan(found.patterns / 10);
    expect(countNodes('{a,b}'.repeat(7))).toBeGreaterThan(1_000);
    expect(countNodes('{a,b}'.repeat(200))).toBe(2048);
    expect(countNodes('{a')).toBe(0);
  });

  it('reads a text once, for any number of ways to match it', () => {
    const glob = new Glob(`${'*a'.repeat(500)}b`);
    expect(glob.matches('a'.repeat(10_000))).toBe(false);
    expect(glob.matches(`${'a'.repeat(10_000)}b`)).toBe(true);
    expect(new Glob('{*a*b,**/*b*a}'.repeat(3)).matches('ab/'.repeat(3000))).toBe(false);
  });

  // `**` is omitted where it can match no segment: other implementations match `/app` with `/app/**`, too, but not
  // `/ab` with `/a*/**`.
  it('means the same as elsewhere on ordinary paths, names and patterns', () => {
    const segment = fc.constantFrom('a', 'b', 'ab', '.a', 'a-b', 'app');
    const part = fc.constantFrom(
      'a',
      'b',
      'ab',
      'app',
      '*',
      'a*',
      '*b',
      'a?p',
      '?',
      '[ab]*',
      '{a,b}',
      'a{b,pp}',
      '{a*,b}',
      '.*',
      'a*b',
    );
    const path = fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`);
    const pattern = fc.oneof(
      fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
      path.map((one) => (one === '/' ? '/**' : `${one}/**`)),
    );
    fc.assert(
      fc.property(fc.oneof(fc.tuple(pattern, path), fc.tuple(part, segment)), ([glob, text]) => {
        expect({ glob, text, matches: new Glob(glob).matches(text) }).toEqual({
          glob,
          text,
          matches: picomatch(glob, { dot: true })(text),
        });
      }),
      { numRuns: 20_000 },
    );
  });
});
