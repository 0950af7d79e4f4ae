import {
  abilityIn,
  allowsNothing,
  authorize,
  authorizeById,
  compile,
  denied,
  eachInTurns,
  forbidsAny,
  matchConditions,
  projectPermissions,
  projectSubjects,
  unlessForbidden,
  type EvaluationCost,
  type Gains,
  type GivingRule,
  type NarrowedRule,
} from '../../access/index.ts';
import {
  forbidden,
  type Ability,
  type Context,
  type DomainError,
  type Fields,
  type Permission,
  type Rule,
} from '../../kernel/index.ts';
import { folderPermissions } from './folder.ts';

/**
 * The rules of a caller for whole folders. Rules may also have conditions on single secrets (`secretName`,
 * `secretTags`); whether such a rule counts for its folder depends on the question, so that errors are on the safe
 * side.
 */
export interface RulePlace extends Fields {
  readonly environment: string;
  readonly secretPath: string;
}

/** All permissions in a folder. Reading folders comes first, because it answers most questions. */
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
/** The legacy `secrets: read` is not checked itself: a rule with it counts for both of its permissions. */
const ASKED = PERMISSIONS.filter(({ key }) => key !== projectPermissions('secrets').read.key);
const SUBJECTS = new Set(PERMISSIONS.map(({ subject }) => subject));

/** The permissions to delete the contents of a folder. */
const REMOVALS: readonly Permission[] = [
  folderPermissions.delete,
  projectPermissions('secrets').delete,
  projectPermissions('secret-imports').delete,
  projectPermissions('dynamic-secrets')['delete-root-credential'],
];

const isPlaceField = (field: string): boolean => field === 'environment' || field === 'secretPath';
const looksDeeper = ({ conditions }: Rule): boolean =>
  Object.keys(conditions ?? {}).some((field) => !isPlaceField(field));

/** Whether a rule forbids something on single resources in any location. */
const isDenialOfThings = (rule: Rule): boolean =>
  rule.inverted === true && looksDeeper(rule) && !Object.keys(rule.conditions!).some(isPlaceField);

/** The rule without its conditions on single secrets. */
function forFolders({ conditions, ...rule }: Rule): Rule {
  const kept = Object.entries(conditions ?? {}).filter(([field]) => isPlaceField(field));
  return kept.length > 0 ? { ...rule, conditions: Object.fromEntries(kept) } : rule;
}

const anything = (permissions: readonly Permission[]): Rule[] =>
  permissions.map(({ subject, action }) => ({ subject, action }));
const mentionedIn = (ability: Ability, permissions: readonly Permission[]) =>
  permissions.filter((permission) => ability.rulesFor(permission).length > 0);

/**
 * Whether the caller sees a folder: it may do something in it, to the folder or to anything there. (Roles of older
 * clients give rights in folders without the right to read them.) A rule that forbids reading the folder hides it.
 */
export function folderVisibility(ability: Ability): (place: RulePlace) => boolean {
  const lenient = rightsToSome(ability);
  const permissions = mentionedIn(lenient, PERMISSIONS);
  const notForbidden = unlessForbidden(ability, [folderPermissions.read]);
  return (place) =>
    notForbidden.can(folderPermissions.read, place) && permissions.some((permission) => lenient.can(permission, place));
}

/** Whether there may be a folder that the caller sees, under some name. */
export function seesAnyFolder(ability: Ability): boolean {
  const lenient = rightsToSome(ability);
  return PERMISSIONS.some((permission) => !allowsNothing(lenient, permission));
}

/** The caller's rights to anything that may be in a folder: conditions on single things are not evaluated. */
export const rightsToSome = (ability: Ability): Ability =>
  compile(
    ability.rules.filter((rule) => SUBJECTS.has(rule.subject) && !(rule.inverted && looksDeeper(rule))).map(forFolders),
  );

/**
 * The folder that a refusal may name to the caller: one that it sees. Whoever asks for something in a whole folder or
 * environment has named the top of it, and must not learn what a rule hides below.
 */
export const namedInRefusal = (ability: Ability, place: RulePlace): RulePlace | undefined =>
  folderVisibility(ability)(place) ? place : undefined;

/**
 * Checks a permission in a folder to which an operation on more than it comes by itself.
 *
 * @throws DomainError 403, which names the folder as `namedInRefusal` says.
 */
export async function authorizeWithin(
  ctx: Context,
  permission: Permission,
  place: RulePlace & { readonly projectId: string },
): Promise<void> {
  const isNamed = namedInRefusal(await abilityIn(ctx, place.projectId), place) !== undefined;
  await (isNamed ? authorize : authorizeById)(ctx, permission, place);
}

/** Refuses (403) to show a folder that the caller does not see. */
export function requireVisible(ability: Ability, place: RulePlace): void {
  if (!folderVisibility(ability)(place)) throw denied(ability, folderPermissions.read, place);
}

/**
 * The caller's rights to everything that may ever be in a folder: a rule with conditions on single things (`secretName`,
 * `secretTags`) allows nothing, and forbids everything.
 */
export const rightsToAll = (ability: Ability): Ability =>
  compile(
    ability.rules
      .filter(({ subject }) => SUBJECTS.has(subject))
      .flatMap((rule) => (rule.inverted || !looksDeeper(rule) ? [forFolders(rule)] : [])),
  );

/**
 * Rejects (403) a removal of contents of one of these locations that a rule forbids the caller to delete there: the
 * permission to delete a folder does not override it. Names the location if the caller sees it.
 */
export async function requireRemovable(ability: Ability, places: readonly RulePlace[]): Promise<void> {
  const guarded = REMOVALS.filter((permission) => forbidsAny(ability, permission));
  if (guarded.length === 0) return;
  const subjects = new Set(guarded.map(({ subject }) => subject));
  const rules = ability.rules
    .filter(({ subject }) => subjects.has(subject))
    .map((rule) => (rule.inverted ? forFolders(rule) : rule));
  const notForbidden = compile([...anything(guarded), ...rules]);
  await eachInTurns(places, (place) => {
    const lost = guarded.find((permission) => !notForbidden.can(permission, place));
    if (lost) throw denied(ability, lost, namedInRefusal(ability, place));
  });
}

/** A folder by the names that it has and is to have. */
export interface PlaceMove {
  readonly from: RulePlace;
  readonly to: RulePlace;
}

/**
 * Rejects (403) a new name under which some actor could do what the caller may not do under the old one (see `Gains`):
 * rules use names, and a rename must not be a way around them. Conditions on single resources (`secretName`,
 * `secretTags`, `metadata`) are not evaluated: a rule with such conditions counts for the whole folder. Gains by these
 * conditions are checked by `requireMayRename`.
 */
export async function requireNoGain(
  gains: Gains,
  moves: readonly PlaceMove[],
  among: readonly Permission[] = ASKED,
): Promise<void> {
  const byPlace = rightsBy((rule) => (isDenialOfThings(rule) ? [] : [forFolders(rule)]));
  const open = await gains.notHeld(moves, (held, { from }) => among.every((one) => byPlace(held).can(one, from)));
  await eachInTurns(open, ({ from, to }) => {
    const gained = among.find(
      (permission) =>
        !gains.holds((ability) => byPlace(ability).can(permission, from)) &&
        gains.giving(permission, from, to).length > 0,
    );
    if (gained) throw gainByRename(gains, gained, { from, to });
  });
}

/** The permissions with only the location conditions of rules, as `select` reads each of them; each is created once. */
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

/** 403 `folder.rename_gains`: names the folder if the caller sees it by both names, and no resource in it. */
export function gainByRename(gains: Gains, permission: Permission, { from, to }: PlaceMove): DomainError {
  const { action, subject } = permission;
  const isNamed = gains.holds((ability) => [from, to].every((place) => namedInRefusal(ability, place)));
  const where = isNamed ? `at ${to.secretPath}` : 'in a folder of it';
  const error = forbidden(
    'folder.rename_gains',
    `With this name, others could ${action} ${subject} ${where}, which you are not permitted to do now`,
    { name: 'PermissionDenied' },
  );
  return gains.refusal(permission, error, from);
}

/** A permission that some actor may gain by a new name of a folder, and on which resources. */
export interface PlaceGain {
  readonly permission: Permission;
  readonly given: readonly GivenInPlace[];
}

/** What a rule gives in a folder, by a list of rules. */
export interface GivenInPlace {
  readonly rules: readonly Rule[];
  /** The same exactly, by several lists, where `rules` may be more than that; each is made when it is compared. */
  readonly exactly: () => readonly (() => readonly NarrowedRule[])[];
}

/**
 * Those of some folders with permissions that some actor may gain in them by their new names, unless the caller
 * permanently has them on everything that may be in the folder. Those that `requireNoGain` rejects were rejected before.
 */
export async function gainingFolders<Folder extends PlaceMove>(
  gains: Gains,
  folders: readonly Folder[],
): Promise<(Folder & { gained: PlaceGain[] })[]> {
  const ofAll = rightsBy((rule) => (rule.inverted || !looksDeeper(rule) ? [forFolders(rule)] : []));
  const gaining: (Folder & { gained: PlaceGain[] })[] = [];
  const open = await gains.notHeld(folders, (held, { from }) => ASKED.every((one) => ofAll(held).can(one, from)));
  await eachInTurns(open, (folder) => {
    const { from, to } = folder;
    const gained = ASKED.flatMap((permission) => {
      if (gains.holds((ability) => ofAll(ability).can(permission, from))) return [];
      const given = gains.giving(permission, from, to).map((one) => givenAt(gains.cost, to, one));
      return given.length > 0 ? [{ permission, given }] : [];
    });
    if (gained.length > 0) gaining.push({ ...folder, gained });
  });
  return gaining;
}

/** The resources in a folder on which a rule gives a permission, by allowing it or no longer forbidding it. */
function givenAt(cost: EvaluationCost, place: RulePlace, { rule, overriding, allowing }: GivingRule): GivenInPlace {
  const { inverted: _, ...gained } = withoutPlace(rule, cost).rule;
  const lessLater = (one: NarrowedRule, later: GivingRule['overriding']) => [
    one,
    ...within(
      cost,
      place,
      later.toReversed().map((other) => other.rule),
    ),
  ];
  const rules = lessLater(gained, overriding);
  const both = (one: Pick<GivingRule, 'rule' | 'overriding'>) => {
    const narrowed: NarrowedRule = { ...withoutPlace(one.rule, cost).rule, where: gained.conditions };
    return lessLater(narrowed, one.overriding);
  };
  return { rules, exactly: () => allowing?.map((one) => () => both(one)) ?? [() => rules] };
}

/** The conditions on single resources of the caller's rules on a permission in a folder. */
export const rulesWithin = (gains: Gains, ability: Ability, permission: Permission, place: RulePlace): Rule[] =>
  within(gains.cost, place, ability.rulesFor(permission));

const within = (cost: EvaluationCost, place: RulePlace, rules: readonly Rule[]): Rule[] =>
  rules.map((rule) => withoutPlace(rule, cost)).flatMap(({ rule, isFor }) => (isFor(place) ? [rule] : []));

/** A rule split into its conditions on single resources, and its locations. */
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
