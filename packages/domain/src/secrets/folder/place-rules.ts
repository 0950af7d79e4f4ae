import {
  compile,
  denied,
  eachInTurns,
  matchConditions,
  projectPermissions,
  projectSubjects,
  unlessForbidden,
  type EvaluationCost,
  type Gains,
  type GivingRule,
} from '../../access/index.ts';
import {
  forbidden,
  type Ability,
  type DomainError,
  type Fields,
  type Permission,
  type Rule,
} from '../../kernel/index.ts';
import { folderPermissions } from './folder.ts';

/**
 * What the rules of a caller say about whole folders. Rules may also look at single secrets (`secretName`, `secretTags`);
 * which way such a rule counts for its folder depends on the question, so that the answer errs on the safe side.
 */
export interface RulePlace extends Fields {
  readonly environment: string;
  readonly secretPath: string;
}

/** Everything that can be done in a folder. Reading folders comes first, since it answers most questions. */
const PERMISSIONS: readonly Permission[] = [
  ...Object.values(folderPermissions),
  ...Object.entries(projectSubjects)
    .filter(
      ([subject, entry]) =>
        subject !== 'secret-folders' &&
        'conditions' in entry &&
        (entry.conditions as readonly string[]).includes('secretPath'),
    )
    .flatMap(([subject]) => Object.values(projectPermissions(subject as keyof typeof projectSubjects))),
];
/** Nothing asks for the older `secrets: read` itself: a rule with it counts for the two rights that it stands for. */
const ASKED = PERMISSIONS.filter(({ key }) => key !== projectPermissions('secrets').read.key);
const SUBJECTS = new Set(PERMISSIONS.map(({ subject }) => subject));

/** What is lost with a folder. */
const REMOVALS: readonly Permission[] = [
  folderPermissions.delete,
  projectPermissions('secrets').delete,
  projectPermissions('secret-imports').delete,
  projectPermissions('dynamic-secrets')['delete-root-credential'],
];

const isPlaceField = (field: string): boolean => field === 'environment' || field === 'secretPath';
const looksDeeper = ({ conditions }: Rule): boolean =>
  Object.keys(conditions ?? {}).some((field) => !isPlaceField(field));

/** Whether a rule forbids something of single things wherever they lie. */
const isDenialOfThings = (rule: Rule): boolean =>
  rule.inverted === true && looksDeeper(rule) && !Object.keys(rule.conditions!).some(isPlaceField);

/** The rule without what it says of single secrets. */
function forFolders({ conditions, ...rule }: Rule): Rule {
  const kept = Object.entries(conditions ?? {}).filter(([field]) => isPlaceField(field));
  return kept.length > 0 ? { ...rule, conditions: Object.fromEntries(kept) } : rule;
}

const anything = (permissions: readonly Permission[]): Rule[] =>
  permissions.map(({ subject, action }) => ({ subject, action }));
const spokenOf = (ability: Ability, permissions: readonly Permission[]) =>
  permissions.filter((permission) => ability.rulesFor(permission).length > 0);

/**
 * Whether the caller sees a folder: it may do something in it, to the folder or to anything there. (Roles of older
 * clients give rights in folders without the right to read them.) A rule that forbids reading the folder hides it.
 */
export function folderVisibility(ability: Ability): (place: RulePlace) => boolean {
  const rules = ability.rules.filter(({ subject }) => SUBJECTS.has(subject));
  const lenient = compile(rules.filter((rule) => !(rule.inverted && looksDeeper(rule))).map(forFolders));
  const permissions = spokenOf(lenient, PERMISSIONS);
  const notForbidden = unlessForbidden(ability, [folderPermissions.read]);
  return (place) =>
    notForbidden.can(folderPermissions.read, place) && permissions.some((permission) => lenient.can(permission, place));
}

/** Refuses (403) to show a folder that the caller does not see. */
export function requireVisible(ability: Ability, place: RulePlace): void {
  if (!folderVisibility(ability)(place)) throw denied(ability, folderPermissions.read, place);
}

/**
 * Refuses (403) what would take away something in one of these places that a rule forbids the caller to delete there:
 * the right to delete a folder is no way round it.
 */
export async function requireRemovable(ability: Ability, places: readonly RulePlace[]): Promise<void> {
  const guarded = REMOVALS.filter((permission) => ability.rulesFor(permission).some((rule) => rule.inverted));
  if (guarded.length === 0) return;
  const subjects = new Set(guarded.map(({ subject }) => subject));
  const rules = ability.rules
    .filter(({ subject }) => subjects.has(subject))
    .map((rule) => (rule.inverted ? forFolders(rule) : rule));
  const notForbidden = compile([...anything(guarded), ...rules]);
  await eachInTurns(places, (place) => {
    const lost = guarded.find((permission) => !notForbidden.can(permission, place));
    if (lost) throw denied(ability, lost, place);
  });
}

/** A folder by the names that it has and is to have. */
export interface PlaceMove {
  readonly from: RulePlace;
  readonly to: RulePlace;
}

/**
 * Refuses (403) a new name under which somebody could do what the caller may not do under the old one (see `Gains`): rules
 * go by names, and a rename is no way into a folder or environment, nor out of what is forbidden there. Conditions on
 * single things (`secretName`, `secretTags`, `metadata`) are not evaluated: a rule that has some counts for the whole
 * folder. Whether something in the folder is gained by them is asked by `requireMayRename`.
 */
export async function requireNoGain(
  gains: Gains,
  moves: readonly PlaceMove[],
  among: readonly Permission[] = ASKED,
): Promise<void> {
  const byPlace = rightsBy((rule) => (isDenialOfThings(rule) ? [] : [forFolders(rule)]));
  await eachInTurns(moves, ({ from, to }) => {
    const gained = among.find(
      (permission) =>
        !gains.holds((ability) => byPlace(ability).can(permission, from)) &&
        gains.giving(permission, from, to).length > 0,
    );
    if (gained) throw gainByRename(gains, gained, { from, to });
  });
}

/** The rights of which only the rules on places are left, as `select` reads each of them; each is made once. */
function rightsBy(select: (rule: Rule) => Rule[]): (ability: Ability) => Ability {
  const made = new Map<Ability, Ability>();
  return (ability) => {
    let rights = made.get(ability);
    if (!rights) {
      const rules = ability.rules.filter(({ subject }) => SUBJECTS.has(subject));
      made.set(ability, (rights = compile(rules.flatMap(select))));
    }
    return rights;
  };
}

/** 403 `folder.rename_gains`: it does not say in what. */
export function gainByRename(gains: Gains, permission: Permission, { from, to }: PlaceMove): DomainError {
  const { action, subject } = permission;
  const error = forbidden(
    'folder.rename_gains',
    `With this name, others could ${action} ${subject} at ${to.secretPath}, which you are not permitted to do now`,
    { name: 'PermissionDenied' },
  );
  return gains.refusal(permission, error, from);
}

/** A permission that somebody may gain by a new name of a folder, and for which single things, by lists of rules. */
export interface PlaceGain {
  readonly permission: Permission;
  readonly given: readonly (readonly Rule[])[];
}

/**
 * The permissions that somebody may gain in a folder by its new name, as far as the caller may not do that to all that
 * may lie there, now and forever. What `requireNoGain` refuses was refused before.
 */
export function gainsOfThings(gains: Gains): (move: PlaceMove) => PlaceGain[] {
  const ofAll = rightsBy((rule) => (rule.inverted || !looksDeeper(rule) ? [forFolders(rule)] : []));
  return ({ from, to }) =>
    ASKED.flatMap((permission) => {
      if (gains.holds((ability) => ofAll(ability).can(permission, from))) return [];
      const given = gains.giving(permission, from, to).map((one) => givenAt(gains.cost, to, one));
      return given.length > 0 ? [{ permission, given }] : [];
    });
}

/** What a rule gives of single things in a folder, whether it allows that or has ceased to forbid it. */
function givenAt(cost: EvaluationCost, place: RulePlace, { rule, overriding }: GivingRule): Rule[] {
  const { inverted: _, ...gained } = withoutPlace(rule, cost).rule;
  return [
    gained,
    ...within(
      cost,
      place,
      overriding.toReversed().map((one) => one.rule),
    ),
  ];
}

/** What the rules of the caller on a permission say of single things in a folder. */
export const rulesWithin = (gains: Gains, ability: Ability, permission: Permission, place: RulePlace): Rule[] =>
  within(gains.cost, place, ability.rulesFor(permission));

const within = (cost: EvaluationCost, place: RulePlace, rules: readonly Rule[]): Rule[] =>
  rules.map((rule) => withoutPlace(rule, cost)).flatMap(({ rule, isFor }) => (isFor(place) ? [rule] : []));

/** A rule as what it says of single things, and the places where it says it. */
function withoutPlace(
  { conditions = {}, ...rule }: Rule,
  cost: EvaluationCost,
): { rule: Rule; isFor: (place: RulePlace) => boolean } {
  const [ofPlace, further] = [isPlaceField, (field: string) => !isPlaceField(field)].map((belongs) =>
    Object.fromEntries(Object.entries(conditions).filter(([field]) => belongs(field))),
  );
  return {
    rule: Object.keys(further!).length > 0 ? { ...rule, conditions: further! } : rule,
    isFor: matchConditions(ofPlace!, cost),
  };
}
