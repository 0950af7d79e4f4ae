import {
  abilityIn,
  allowsAll,
  authorize,
  authorizeById,
  compilePart,
  costOf,
  denied,
  gainByChange,
  gainsIn,
  matchConditions,
  misplaced,
  permissionsOnSubject,
  readable,
  readableAtAll,
  unlessForbidden,
  type EvaluationCost,
} from '../../access/index.ts';
import type { Ability, Context, Fields, Permission, Rule } from '../../kernel/index.ts';
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
function askedOf({ names, subject, ...facts }: CertificateFacts): Fields[] {
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

/**
 * Checks a permission on a certificate.
 *
 * @throws DomainError 403, 404 as `authorize`.
 */
export async function authorizeCertificate(
  ctx: Context,
  permission: Permission,
  projectId: string,
  facts: CertificateFacts,
): Promise<void> {
  for (const fields of await askedIn(ctx, permission, projectId, facts))
    await authorize(ctx, permission, { ...fields, projectId });
}

/** The same for one that was named by its ID; see `authorizeById`. */
export async function authorizeCertificateById(
  ctx: Context,
  permission: Permission,
  projectId: string,
  facts: CertificateFacts,
): Promise<void> {
  for (const fields of await askedIn(ctx, permission, projectId, facts))
    await authorizeById(ctx, permission, { ...fields, projectId });
}

/** The fields by which rules speak of names. */
const NAMES = new Set(['commonName', 'altNames', ...Object.values(CONDITION_FIELDS)]);

/**
 * Checks a permission on a certificate with names that rules do not see: a second common name, a mailbox in the subject, alternative
 * names of other kinds. Rules that allow some names do not allow it, and rules that forbid some names forbid it.
 *
 * @throws DomainError 403
 */
export async function requireMayHaveAnyName(
  ctx: Context,
  permission: Permission,
  projectId: string,
  facts: CertificateFacts,
): Promise<void> {
  const ability = await abilityIn(ctx, projectId);
  const whatever = ability.rulesFor(permission).flatMap((rule) => {
    const others = Object.entries(rule.conditions ?? {}).filter(([field]) => !NAMES.has(field));
    if (others.length === Object.keys(rule.conditions ?? {}).length) return [rule];
    return rule.inverted ? [{ ...rule, conditions: Object.fromEntries(others) }] : [];
  });
  const by = compilePart(ability, whatever);
  if (askedOf(facts).every((fields) => by.can(permission, fields))) return;
  const message =
    'The certificate has names that rules cannot compare, such as a second common name: the right to all names is required';
  throw denied(ability, permission, undefined, { message, projectId });
}

const askedIn = async (ctx: Context, permission: Permission, projectId: string, facts: CertificateFacts) =>
  allAsked(await abilityIn(ctx, projectId), permission, facts);

const allAsked = (ability: Ability, permission: Permission, facts: CertificateFacts): Fields[] => [
  ...askedOfNew(ability, permission, facts),
  ...forbiddenIn(ability, permission, facts),
  ...exceptedIn(ability, permission, facts),
  ...partlyMatchedIn(ability, permission, facts),
];

/**
 * The filter for lists of a project's certificates; absent if the caller may read all.
 *
 * @throws DomainError 404 if the caller is not a member of the project, 403 if it may read none.
 */
export async function shownCertificates(
  ctx: Context,
  projectId: string,
): Promise<((facts: CertificateFacts) => boolean) | undefined> {
  const { read } = certificatePermissions;
  await readableAtAll(ctx, read, { projectId });
  return allowsAll(await abilityIn(ctx, projectId), read) ? undefined : readableCertificates(ctx, read, projectId);
}

/**
 * As `authorizeChange`, for data stored with a certificate.
 *
 * @throws DomainError 404, 403.
 */
export async function authorizeCertificateChange(
  ctx: Context,
  projectId: string,
  before: CertificateFacts,
  after: CertificateFacts,
): Promise<void> {
  const { edit } = certificatePermissions;
  for (const facts of [before, after]) await authorizeCertificateById(ctx, edit, projectId, facts);
  await requireNoCertificateGain(ctx, projectId, before, after);
  if (before.friendlyName !== after.friendlyName) await requireMayName(ctx, projectId, before, after);
}

/** As `requireMayPlace`, for another friendly name; the right to edit the certificate with both was asked. */
async function requireMayName(
  ctx: Context,
  projectId: string,
  before: CertificateFacts,
  after: CertificateFacts,
): Promise<void> {
  const { create, delete: remove } = certificatePermissions;
  const ability = await abilityIn(ctx, projectId);
  const notForbidden = unlessForbidden(ability, [create, remove]);
  const require = (permission: Permission, facts: CertificateFacts) => {
    if (!allowsCertificate(notForbidden, permission, facts))
      throw misplaced(ability, certificatePermissions, permission, projectId);
  };
  require(create, after);
  require(remove, before);
}

/**
 * Checks that a change of its friendly name or status gives nobody a right to the certificate that the caller does not
 * hold. Its names are unchanged. Call it after locking the certificate.
 *
 * @throws DomainError 403 `access.change_gains`.
 */
export async function requireNoCertificateGain(
  ctx: Context,
  projectId: string,
  before: CertificateFacts,
  after: CertificateFacts,
): Promise<void> {
  const gains = await gainsIn(ctx, projectId);
  const isAllowed = (ability: Ability, permission: Permission) => allowsCertificate(ability, permission, before);
  const asked = await gains.notHeld(permissionsOnSubject(certificatePermissions.edit), isAllowed);
  const gained = asked.find((permission) => {
    const rules = gains.rulesFor(permission);
    const now = variantsOf(before, rules);
    return variantsOf(after, rules).some((fields, index) => gains.giving(permission, now[index]!, fields).length > 0);
  });
  if (gained) throw gains.refusal(gained, gainByChange(gained), (held) => isAllowed(held, gained));
}

/** Whether rights allow this to a certificate. */
export const allowsCertificate = (ability: Ability, permission: Permission, facts: CertificateFacts): boolean =>
  allAsked(ability, permission, facts).every((fields) => ability.can(permission, fields));

/** A filter for the certificates of a project on which the caller has a permission. */
export async function readableCertificates(
  ctx: Context,
  permission: Permission,
  projectId: string,
): Promise<(facts: CertificateFacts) => boolean> {
  await readable(ctx, permission, { projectId });
  const ability = await abilityIn(ctx, projectId);
  return (facts) => allowsCertificate(ability, permission, facts);
}

/** The permission to issue by a resource that restricts certificates: a template, a profile. */
export interface IssuingRight {
  readonly permission: Permission;
  /** Its fields that rules use. */
  readonly fields: Fields;
}

/**
 * Checks the permission to create exactly this certificate. The permission to issue by a template or profile is also
 * sufficient, unless a rule forbids the caller to create such a certificate.
 *
 * @returns The subject attributes that the caller's own rules allow: see `attributesFound`.
 * @throws DomainError 404, 403.
 */
export async function authorizeIssue(
  ctx: Context,
  projectId: string,
  by: IssuingRight | undefined,
  facts: CertificateFacts,
): Promise<Subject> {
  const { create } = certificatePermissions;
  const ability = await abilityIn(ctx, projectId);
  if (by && ability.can(by.permission, by.fields) && !isForbidden(ability, create, facts))
    await authorizeById(ctx, by.permission, { ...by.fields, projectId });
  else await authorizeCertificate(ctx, create, projectId, facts);
  return allowedSubject(ability, facts);
}

/** Whether rights allow to issue exactly this certificate: as `authorizeIssue`. */
export const mayIssue = (ability: Ability, by: IssuingRight | undefined, facts: CertificateFacts): boolean => {
  const { create } = certificatePermissions;
  const isBy = by !== undefined && ability.can(by.permission, by.fields) && !isForbidden(ability, create, facts);
  return isBy || allowsCertificate(ability, create, facts);
};

/**
 * The attributes in the rule that lets the caller create the certificate. A rule without a condition on an attribute
 * does not allow it: its author may not have considered it.
 */
function allowedSubject(ability: Ability, facts: CertificateFacts): Subject {
  const { create } = certificatePermissions;
  const asked = askedOfNew(ability, create, facts);
  const isAllowed = (attribute: Attribute) => asked.every(allowedBy(ability, create, CONDITION_FIELDS[attribute]));
  const said = attributes.filter((attribute) => facts.subject[attribute] && isAllowed(attribute));
  return Object.fromEntries(said.map((attribute) => [attribute, facts.subject[attribute]]));
}

/** Faults of an order are reported only to callers who may issue there. @throws DomainError 404, 403. */
export async function requireAnyIssuingRight(
  ctx: Context,
  projectId: string,
  by: IssuingRight | undefined,
): Promise<void> {
  const ability = await abilityIn(ctx, projectId);
  if (!by || !ability.can(by.permission, by.fields))
    await readableAtAll(ctx, certificatePermissions.create, { projectId });
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

/** Made once for all certificates of a list. */
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
  /** Whether these fields have one of the names that it leaves out, whatever else they have. */
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
 * A certificate as clients read it, and for each name that its wildcards cover, where a rule that allows it leaves that out:
 * another rule has to allow this.
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

/** The rules that allow certificates, each apart. */
interface Allowing {
  /** Those that may match the asterisk of a wildcard, and not all that it stands for: by `?` or a set in a glob. */
  readonly partial: readonly ((fields: Fields) => boolean)[];
  readonly whole: readonly ((fields: Fields) => boolean)[];
}

const allowingOf = ofAbility((ability, permission): Allowing => {
  const rules = ability.rulesFor(permission).filter(({ inverted }) => !inverted);
  const isPartial = rules.map(hasPartialGlob);
  if (!isPartial.includes(true)) return { partial: [], whole: [] };
  const matchers = rules.map(({ conditions = {} }) => matchConditions(conditions, costOf(ability)));
  return {
    partial: matchers.filter((_, index) => isPartial[index]),
    whole: matchers.filter((_, index) => !isPartial[index]),
  };
});

/** The cost of one name that a wildcard covers, in steps of `EvaluationCost`, besides that of the rules. */
const COST_OF_COVERED = 100;

/**
 * A certificate for names that its wildcards cover, where the rules that allow it match the asterisk as they match any
 * character: the first of these names that is not allowed, if there is one.
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
  /** The most characters of such a name. */
  readonly longest: number;
  /** The same resource with another name instead. */
  readonly called: (name: string) => Fields;
}

/** The wildcards among the names of a resource. */
function wildcardsIn(fields: Fields): Wildcard[] {
  const { commonName, altNames } = fields as { commonName: string; altNames: readonly string[] };
  return [
    { wildcard: commonName, longest: LONGEST_COMMON_NAME, called: (commonName: string) => ({ ...fields, commonName }) },
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
  return [
    ...(isReadOtherwise(facts, read) ? askedOf(read) : []),
    ...(hasWildcard(read) ? askedBelow(read, rules) : []),
  ];
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
const variantsOf = (facts: CertificateFacts, rules: readonly Rule[]): Fields[] => [
  ...askedOf(facts),
  ...askedBesides(facts, rules),
];
