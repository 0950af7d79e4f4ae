import fc from 'fast-check';
import type { Fields, Rule } from '../kernel/index.ts';

/**
 * Rules and things to ask about, for property tests: from words so few that they often meet, with every operator,
 * forbidding rules, lists of actions, the older `read`, tags, metadata, and fields that are missing.
 */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  secrets: ['read', 'describeSecret', 'readValue', 'create', 'edit'],
  'dynamic-secrets': ['lease', 'read-root-credential'],
  identity: ['read', 'edit'],
  tags: ['read', 'create'],
};
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  secrets: ['environment', 'secretPath', 'secretName', 'secretTags'],
  'dynamic-secrets': ['environment', 'secretPath', 'metadata'],
  identity: ['identityId'],
  tags: [],
};

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

/** Mostly globs, some of them refused ones. */
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

const word = (field: string): fc.Arbitrary<string> => fc.constantFrom(...(WORDS[field] ?? NAMES));

function condition(field: string): fc.Arbitrary<unknown> {
  if (field === 'metadata') {
    const pairs = fc.record({ key: condition('key'), value: condition('value') }, { requiredKeys: [] });
    return fc.oneof(fc.record({ $elemMatch: pairs }), fc.constant('team'), fc.record({ $ne: fc.constant('team') }));
  }
  const words = fc.uniqueArray(word(field), { minLength: 1, maxLength: 3 });
  const operators = {
    $eq: word(field),
    $ne: word(field),
    $in: words,
    $glob: pattern(),
    ...(field === 'secretTags' && { $all: words }),
  };
  return fc.oneof(
    word(field),
    ...Object.entries(operators).map(([operator, operand]) => fc.record({ [operator]: operand })),
    fc.record(operators, { requiredKeys: [] }).filter((given) => Object.keys(given).length > 0),
  );
}

export const rule = (subjects: readonly string[] = Object.keys(ACTIONS)): fc.Arbitrary<Rule> =>
  fc.oneof(
    ...subjects.map((subject) => {
      const actions = ACTIONS[subject]!;
      const conditions = Object.fromEntries(FIELDS[subject]!.map((field) => [field, condition(field)]));
      return fc.record(
        {
          subject: fc.constant(subject),
          action: fc.oneof(fc.constantFrom(...actions), fc.uniqueArray(fc.constantFrom(...actions), { minLength: 1 })),
          conditions: fc.record(conditions, { requiredKeys: [] }),
          inverted: fc.oneof({ weight: 2, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
        },
        { requiredKeys: ['subject', 'action'] },
      );
    }),
  );

export interface Request {
  readonly subject: string;
  readonly action: string;
  readonly fields: Fields;
}

const sometimes = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof(
    { weight: 20, arbitrary },
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant(null) },
  );

const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  environment: word('environment'),
  secretPath: fc.oneof(word('secretPath'), text()),
  secretName: fc.oneof(word('secretName'), text()),
  secretTags: fc.uniqueArray(word('secretTags'), { maxLength: 3 }),
  metadata: fc.array(fc.record({ key: word('key'), value: word('value') }), { maxLength: 2 }),
  identityId: word('identityId'),
};

export const request = (subjects: readonly string[] = Object.keys(ACTIONS)): fc.Arbitrary<Request> =>
  fc.oneof(
    ...subjects.map((subject) =>
      fc.record({
        subject: fc.constant(subject),
        action: fc.constantFrom(...ACTIONS[subject]!),
        fields: fc.record(Object.fromEntries(FIELDS[subject]!.map((field) => [field, sometimes(VALUES[field]!)])), {
          requiredKeys: [],
        }),
      }),
    ),
  );
