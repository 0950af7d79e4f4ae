import fc from 'fast-check';

/** Words of fields, and patterns and texts that may match them, so few that they often do. */
const ENVIRONMENTS = ['dev', 'staging', 'prod', 'prod-2'];
const PATHS = ['/', '/a', '/a/b', '/a/b/c', '/ab', '/b', '/b/a', '/a b', '/a/*', '/.a', '/a/b/ab/a'];
const NAMES = ['A', 'B', 'AB', 'DB_URL', 'DB_PASSWORD', 'ab', 'a', 'É'];
const TAGS = ['red', 'blue', 'green'];
const IDS = ['one', 'two', 'three'];
const WORDS: Readonly<Record<string, readonly string[]>> = {
  environment: ENVIRONMENTS,
  secretPath: PATHS,
  secretName: NAMES,
  secretTags: TAGS,
  identityId: IDS,
  key: ['team', 'kind'],
  value: ['a', 'b'],
};

/** Longer than a machine word. */
const LONG = 'abcdefg-'.repeat(5);
const PIECES = [
  'a',
  'b',
  'c',
  'A',
  'DB',
  'dev',
  'prod',
  '_',
  '-',
  '.',
  ' ',
  '/',
  '/',
  '/',
  '*',
  '*',
  '**',
  '/**',
  '/**/',
  '?',
  '[ab]',
  '[!a]',
  '[^/b]',
  '[a-c]',
  '[]a]',
  '{a,b}',
  '{a,}',
  '{/a,/b/**}',
  '{**,x}',
  '{a,{b,c*}}',
  '\\*',
  '\\a',
  '😀',
  ',',
  '|',
  LONG,
];
const WHOLE = [
  '**',
  '/**',
  '/a/**',
  '/a/*',
  '/*',
  '*',
  '/a/**/b',
  '**/a',
  'prod*',
  'DB_*',
  '{dev,staging}',
  '[!p]*',
  '/a/b/**',
  '/{a,b}/**',
  '/**/**',
  '/a**',
  '/a*/b',
  '?',
  '!a',
  '{a',
  '[a',
  '(a)',
  'a\\',
  '{a}',
  '[b-a]',
  'a}',
  '***',
];

/** Mostly valid globs. */
export const pattern = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...WHOLE) },
    {
      weight: 1,
      arbitrary: fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('')),
    },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 })
        .map((pieces) => `/${pieces.join('')}`),
    },
  );

/** Texts that such patterns may match. */
export const text = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...PATHS, ...NAMES, ...ENVIRONMENTS, ''),
    fc
      .array(fc.constantFrom('a', 'b', 'c', '/', 'x', '*', ' ', '-', '.', 'dev', '😀', ']', ',', LONG), {
        maxLength: 8,
      })
      .map((pieces) => pieces.join('')),
  );

/** The pattern with each of its wildcards filled in somehow: often a text that it matches. */
export const filledIn = (glob: string, filling: string): string =>
  glob
    .replaceAll(/\[[^\]]+\]|\?/g, 'a')
    .replaceAll(/\{([^,{}]*),[^{}]*\}/g, '$1')
    .replaceAll('\\', '')
    .replaceAll('**', filling)
    .replaceAll('*', filling.replaceAll('/', ''));

/** One of the few values of a field. */
export const word = (field: string): fc.Arbitrary<string> => fc.constantFrom(...(WORDS[field] ?? NAMES));
