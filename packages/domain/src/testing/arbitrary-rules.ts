import fc from 'fast-check';
import type { Fields, Rule } from '../kernel/index.ts';
import { pattern, text, word } from './arbitrary-texts.ts';

/**
 * Rules and resources for property tests: from few words, so that they often match, with every operator, forbidding
 * rules, lists of actions, the legacy `read`, tags, metadata, and missing fields.
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
