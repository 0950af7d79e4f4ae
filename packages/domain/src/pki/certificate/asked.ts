import { compilePart, costOf, matchConditions, type EvaluationCost } from '../../access/index.ts';
import type { Ability, Fields, Permission, Rule } from '../../kernel/index.ts';
import { coveredBy, hostBeside, LONGEST_COMMON_NAME, LONGEST_HOST, withOtherCharacters } from '../constraint/index.ts';
import { isHostName, isWildcard, type AltName, type Subject } from '../x509.ts';
import { certificatePermissions } from './certificate.ts';
import { asCompared, isReadOtherwise } from './compared.ts';
import { exceptedTexts, hasPartialGlob, NamesBelow } from './wildcard.ts';

/** The fields of a certificate that rules use. */
export interface CertificateFacts {
  readonly commonName: string;
  readonly subject: Subject;
  readonly names: readonly AltName[];
  readonly friendlyName: string;
  readonly status: string;
  /** Absent before it is issued. */
  readonly serialNumber?: string | undefined;
}

/** The subject attributes, besides the common name, that conditions can use. */
type Attribute = Exclude<keyof Subject, 'commonName' | 'domainComponents'>;

/** The fields that conditions name them by: each is a condition of `certificates` in the catalogue. */
export const CONDITION_FIELDS: Readonly<Record<Attribute, string>> = {
  organization: 'organization',
  organizationalUnit: 'organizationalUnit',
  country: 'country',
  province: 'state',
  locality: 'locality',
};
const attributes = Object.keys(CONDITION_FIELDS) as Attribute[];

/**
 * The resources of a check: the certificate once for each of its alternative names. All must be allowed, and a rule
 * that forbids one forbids the certificate.
 */
export function askedOf({ names, subject, ...facts }: CertificateFacts): Fields[] {
  const said = attributes.map((attribute) => [CONDITION_FIELDS[attribute], subject[attribute] || undefined]);
  const fields: Fields = { ...facts, ...Object.fromEntries(said) };
  if (names.length === 0) return [{ ...fields, altNames: [] }];
  return names.map(({ value }) => ({ ...fields, altNames: [value] }));
}

/** Actions that bring a certificate into a project. */
const BRINGING: ReadonlySet<string> = new Set([
  certificatePermissions.create.action,
  certificatePermissions.import.action,
]);

/**
 * The same, with what has to be allowed of a new certificate besides: the host that its common name is for is an alternative
 * name too, unless rules about common names allow the certificate. A name of one label may be any other name.
 */
function askedOfNew(ability: Ability, permission: Permission, facts: CertificateFacts): Fields[] {
  const asked = askedOf(facts);
  const host = BRINGING.has(permission.action) ? hostBeside(facts.commonName, facts.names) : undefined;
  if (
    !host ||
    (host.type === 'dns' && !isHostName(host.value)) ||
    asked.every(allowedBy(ability, permission, 'commonName'))
  )
    return asked;
  return [...asked, ...askedOf({ ...facts, names: [host] })];
}

/** By the rules that have a condition on a field, whatever others allow; those that forbid count all. */
function allowedBy(ability: Ability, permission: Permission, field: string): (fields: Fields) => boolean {
  const by = speakingOf(ability, permission, field);
  return (fields) => by.can(permission, fields);
}

const speakingOf = ofAbility((ability, permission, field): Ability => {
  const speaks = ({ inverted, conditions }: Rule) => inverted || Object.hasOwn(conditions ?? {}, field);
  return compilePart(ability, ability.rulesFor(permission).filter(speaks));
});

/** All resources of a check of a permission on a certificate: the caller may do it if all of them are allowed. */
export const allAsked = (ability: Ability, permission: Permission, facts: CertificateFacts): Fields[] => [
  ...askedOfNew(ability, permission, facts),
  ...forbiddenIn(ability, permission, facts),
  ...exceptedIn(ability, permission, facts),
  ...partlyMatchedIn(ability, permission, facts),
];

/**
 * The attributes in the rule that lets the caller create the certificate. A rule without a condition on an attribute
 * does not allow it: its author may not have considered it.
 */
export function allowedSubject(ability: Ability, facts: CertificateFacts): Subject {
  const { create } = certificatePermissions;
  const asked = askedOfNew(ability, create, facts);
  const isAllowed = (attribute: Attribute) => asked.every(allowedBy(ability, create, CONDITION_FIELDS[attribute]));
  const said = attributes.filter((attribute) => facts.subject[attribute] && isAllowed(attribute));
  return Object.fromEntries(said.map((attribute) => [attribute, facts.subject[attribute]]));
}

/** Whether a rule forbids this, whatever others allow. */
export function isForbidden(ability: Ability, permission: Permission, facts: CertificateFacts): boolean {
  const { forbids } = denialsOf(ability, permission);
  return askedOf(facts).some(forbids) || forbiddenIn(ability, permission, facts).length > 0;
}

interface Denials {
  readonly rules: readonly Rule[];
  /** Whether one of them is about these fields. */
  readonly forbids: (fields: Fields) => boolean;
}

/** Caches what is made of an ability, by action and field: once for all certificates of a list. */
function ofAbility<Made>(make: (ability: Ability, permission: Permission, field: string) => Made) {
  const madeBy = new WeakMap<Ability, Map<string, Made>>();
  return (ability: Ability, permission: Permission, field = ''): Made => {
    const made = madeBy.get(ability) ?? new Map<string, Made>();
    madeBy.set(ability, made);
    const key = `${permission.action} ${field}`;
    const known = made.get(key) ?? make(ability, permission, field);
    made.set(key, known);
    return known;
  };
}

/** The rules that forbid something. */
const denialsOf = ofAbility((ability, permission): Denials => {
  const rules = ability.rulesFor(permission).filter(({ inverted }) => inverted);
  return { rules, forbids: deniedBy(ability, rules, permission) };
});

function deniedBy(ability: Ability, denials: readonly Rule[], permission: Permission): (fields: Fields) => boolean {
  if (denials.length === 0) return () => false;
  const { subject, action } = permission;
  const unless = compilePart(ability, [{ subject, action }, ...denials]);
  return (fields) => !unless.can(permission, fields);
}

/** A rule that allows all names but some. */
interface Exception {
  readonly rule: Rule;
  readonly allows: (fields: Fields) => boolean;
  /** Whether these fields contain one of the excepted names. */
  readonly leavesOut: (fields: Fields) => boolean;
}

const exceptionsOf = ofAbility((ability, permission): readonly Exception[] =>
  ability.rulesFor(permission).flatMap((rule) => exceptionOf(rule, costOf(ability)) ?? []),
);

function exceptionOf(rule: Rule, cost: EvaluationCost): Exception | undefined {
  if (rule.inverted) return undefined;
  const conditions = Object.fromEntries(
    (['commonName', 'altNames'] as const).flatMap((field) => {
      const $and = exceptedTexts(rule.conditions?.[field]).map(($ne) => ({ $ne }));
      return $and.length > 0 ? [[field, { $and }]] : [];
    }),
  );
  if (Object.keys(conditions).length === 0) return undefined;
  const names = matchConditions(conditions, cost);
  return { rule, allows: matchConditions(rule.conditions ?? {}, cost), leavesOut: (fields) => !names(fields) };
}

/**
 * The variants of a certificate that another rule has to allow: as clients read it, or with a name that its wildcards cover,
 * if a rule that allows the certificate excepts that name.
 */
function exceptedIn(ability: Ability, permission: Permission, facts: CertificateFacts): Fields[] {
  const exceptions = exceptionsOf(ability, permission);
  if (exceptions.length === 0) return [];
  const asked = askedOf(facts);
  const allowing = exceptions.filter(({ allows }) => asked.some(allows));
  const besides = askedBesides(
    facts,
    allowing.map(({ rule }) => rule),
  );
  return besides.filter((fields) => allowing.some(({ leavesOut }) => leavesOut(fields)));
}

/** The rules that allow certificates, as one test each. */
interface Allowing {
  /** Those that may match the asterisk of a wildcard, but not all names that this covers: by `?` or a set in a glob. */
  readonly partial: readonly ((fields: Fields) => boolean)[];
  readonly whole: readonly ((fields: Fields) => boolean)[];
}

const allowingOf = ofAbility((ability, permission): Allowing => {
  const rules = ability.rulesFor(permission).filter(({ inverted }) => !inverted);
  const isPartial = rules.map(hasPartialGlob);
  if (!isPartial.includes(true)) return { partial: [], whole: [] };
  const tests = rules.map(({ conditions = {} }) => matchConditions(conditions, costOf(ability)));
  return {
    partial: tests.filter((_, index) => isPartial[index]),
    whole: tests.filter((_, index) => !isPartial[index]),
  };
});

/** The cost of one covered name, in steps of `EvaluationCost`, besides that of the rules. */
const COST_OF_COVERED = 100;

/**
 * The certificate with a name that its wildcards cover, if the rules that allow it match the asterisk only as a character, and
 * do not allow that name: all covered names have to be allowed, and the first that is not decides.
 */
function partlyMatchedIn(ability: Ability, permission: Permission, facts: CertificateFacts): Fields[] {
  if (!hasWildcard(facts)) return [];
  const { partial, whole } = allowingOf(ability, permission);
  if (partial.length === 0) return [];
  for (const fields of askedOf(facts)) {
    const allowing = partial.filter((allows) => allows(fields));
    if (allowing.length === 0 || whole.some((allows) => allows(fields))) continue;
    for (const { wildcard, longest, called } of wildcardsIn(fields)) {
      const others = withOtherCharacters(wildcard).map(called);
      if (allowing.some((allows) => !others.some(allows))) continue;
      for (const name of coveredBy(wildcard, longest)) {
        costOf(ability).spend(COST_OF_COVERED);
        const covered = called(name);
        if (!ability.can(permission, covered)) return [covered];
      }
    }
  }
  return [];
}

interface Wildcard {
  readonly wildcard: string;
  /** The maximum length of such a name. */
  readonly longest: number;
  /** The resource with another name in its place. */
  readonly called: (name: string) => Fields;
}

/** The wildcards among the names of a resource. */
function wildcardsIn(fields: Fields): Wildcard[] {
  const { commonName, altNames } = fields as { commonName: string; altNames: readonly string[] };
  return [
    { wildcard: commonName, longest: LONGEST_COMMON_NAME, called: (name: string) => ({ ...fields, commonName: name }) },
    { wildcard: altNames[0] ?? '', longest: LONGEST_HOST, called: (name: string) => ({ ...fields, altNames: [name] }) },
  ].filter(({ wildcard }) => isWildcard(wildcard));
}

const hasWildcard = ({ commonName, names }: CertificateFacts): boolean =>
  isWildcard(commonName) || names.some(({ value }) => isWildcard(value));

/** A certificate as clients read it, and expanded by each name that its wildcards cover, where a rule forbids that. */
function forbiddenIn(ability: Ability, permission: Permission, facts: CertificateFacts): Fields[] {
  const { rules, forbids } = denialsOf(ability, permission);
  return rules.length === 0 ? [] : askedBesides(facts, rules).filter(forbids);
}

/** What a certificate is besides what is written in it: as clients read it, and for the covered names that rules mention. */
function askedBesides(facts: CertificateFacts, rules: readonly Rule[]): Fields[] {
  const read = asCompared(facts);
  // Rules on what has no alternative name also mean it with a common name in other letters.
  const isRenamed = facts.names.length === 0 && facts.commonName !== read.commonName;
  return [read, ...(isRenamed ? [{ ...read, names: [] }] : [])].flatMap((one) => [
    ...(isReadOtherwise(facts, one) ? askedOf(one) : []),
    ...(hasWildcard(one) ? askedBelow(one, rules) : []),
  ]);
}

/** A certificate with wildcards, expanded by each covered name that rules mention. */
function askedBelow(facts: CertificateFacts, rules: readonly Rule[]): Fields[] {
  const { commonName, names } = facts;
  const below = new NamesBelow(rules);
  return [
    ...below.of(commonName, Math.max(1, names.length)).flatMap((one) => askedOf({ ...facts, commonName: one })),
    ...names.flatMap((name) =>
      below.of(name.value).flatMap((value) => askedOf({ ...facts, names: [{ ...name, value }] })),
    ),
  ];
}

/** All that a certificate may be to some rules: the same number, in the same order, as long as its names are the same. */
export const variantsOf = (facts: CertificateFacts, rules: readonly Rule[]): Fields[] => [
  ...askedOf(facts),
  ...askedBesides(facts, rules),
];
