import fc from 'fast-check';
import type { Facts } from '../access/template.ts';
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

const TEMPLATES = [
  '{{identity.id}}',
  '{{identity.metadata.team}}',
  '{{ identity.metadata.[a/b c] }}',
  '{{identity.auth.oidc.claims.sub}}',
  '{{identity.metadata.never}}',
];

interface Insertion {
  readonly template: string;
  readonly where: 'nowhere' | 'instead' | 'before' | 'behind' | number;
}

const insertion: fc.Arbitrary<Insertion> = fc.record({
  template: fc.constantFrom(...TEMPLATES),
  where: fc.oneof(fc.constantFrom<Insertion['where'][]>('nowhere', 'instead', 'before', 'behind'), fc.nat(8)),
});

function insert(given: string, { template, where }: Insertion): string {
  if (where === 'nowhere') return given;
  if (where === 'instead') return template;
  const characters = Array.from(given);
  const at = where === 'before' ? 0 : where === 'behind' ? characters.length : where;
  return [...characters.slice(0, at), template, ...characters.slice(at)].join('');
}

function withTemplates(
  conditions: unknown,
  insertions: Iterator<Insertion>,
  isGood: IsGood,
  isPattern = false,
): unknown {
  if (typeof conditions === 'string') {
    const inserted = insert(conditions, insertions.next().value as Insertion);
    return isGood(inserted, isPattern) ? inserted : conditions;
  }
  if (Array.isArray(conditions)) return conditions.map((one) => withTemplates(one, insertions, isGood));
  return Object.fromEntries(
    Object.entries(conditions as object).map(([key, value]) => [
      key,
      withTemplates(value, insertions, isGood, key === '$glob'),
    ]),
  );
}

type IsGood = (given: string, isPattern: boolean) => boolean;

/** Rules with templates in their texts, at any place where `isGood` accepts them. */
export const templatedRule = (subjects: readonly string[], isGood: IsGood): fc.Arbitrary<Rule> =>
  fc.tuple(rule(subjects), fc.array(insertion, { minLength: 3, maxLength: 3 })).map(([one, insertions]) => {
    const endless = (function* () {
      for (;;) yield* insertions;
    })();
    const conditions = one.conditions && withTemplates(one.conditions, endless, isGood);
    return { ...one, ...(conditions !== undefined && { conditions: conditions as Record<string, unknown> }) };
  });

/** Texts that would be more than themselves, were they read as patterns or templates. */
const HOSTILE = [
  '*',
  '**',
  '/',
  '/**',
  '**/',
  '?',
  '[a]',
  '{a,b}',
  'a,b',
  '!a',
  '\\',
  ']',
  '}',
  '{{identity.id}}',
  '',
  '\ud800',
];

const fact = (): fc.Arbitrary<string> => fc.oneof(word('secretName'), text(), pattern(), fc.constantFrom(...HOSTILE));

/** What is known of an actor; sometimes less than rules ask for. */
export const facts = (): fc.Arbitrary<Facts> =>
  fc.record(
    {
      id: fc.oneof(word('identityId'), word('secretName')),
      metadata: fc.record({ team: fact(), 'a/b c': fact() }, { requiredKeys: [] }),
      auth: fc.record({ oidc: fc.record({ claims: fc.record({ sub: fact() }, { requiredKeys: [] }) }) }),
    },
    { requiredKeys: [] },
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
