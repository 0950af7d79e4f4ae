import fc from 'fast-check';
import type { Facts } from '../access/template.ts';
import type { Rule } from '../kernel/index.ts';
import { rule } from './arbitrary-rules.ts';
import { pattern, text, word } from './arbitrary-texts.ts';

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

/** The facts of an actor; sometimes fewer than rules use. */
export const facts = (): fc.Arbitrary<Facts> =>
  fc.record(
    {
      id: fc.oneof(word('identityId'), word('secretName')),
      metadata: fc.record({ team: fact(), 'a/b c': fact() }, { requiredKeys: [] }),
      auth: fc.record({ oidc: fc.record({ claims: fc.record({ sub: fact() }, { requiredKeys: [] }) }) }),
    },
    { requiredKeys: [] },
  );
