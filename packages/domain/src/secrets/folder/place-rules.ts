import { compile, denied, matchConditions, projectPermissions, projectSubjects } from '../../access/index.ts';
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
  const unlessForbidden = compile([...anything([folderPermissions.read]), ...ability.rulesFor(folderPermissions.read)]);
  return (place) =>
    unlessForbidden.can(folderPermissions.read, place) &&
    permissions.some((permission) => lenient.can(permission, place));
}

/** Refuses (403) to show a folder that the caller does not see. */
export function requireVisible(ability: Ability, place: RulePlace): void {
  if (!folderVisibility(ability)(place)) throw denied(ability, folderPermissions.read, place);
}

/**
 * Refuses (403) what would take away something in one of these places that a rule forbids the caller to delete there:
 * the right to delete a folder is no way round it.
 */
export function requireRemovable(ability: Ability, places: readonly RulePlace[]): void {
  const guarded = REMOVALS.filter((permission) => ability.rulesFor(permission).some((rule) => rule.inverted));
  if (guarded.length === 0) return;
  const subjects = new Set(guarded.map(({ subject }) => subject));
  const rules = ability.rules
    .filter(({ subject }) => subjects.has(subject))
    .map((rule) => (rule.inverted ? forFolders(rule) : rule));
  const unlessForbidden = compile([...anything(guarded), ...rules]);
  for (const place of places) {
    const lost = guarded.find((permission) => !unlessForbidden.can(permission, place));
    if (lost) throw denied(ability, lost, place);
  }
}

/** A folder by the names that it has and is to have. */
export interface PlaceMove {
  readonly from: RulePlace;
  readonly to: RulePlace;
}

/**
 * Refuses (403) a new name under which the caller could do what it may not do under the old one: rules go by names, and
 * a rename is no way into a folder or environment, nor out of what is forbidden there. Conditions on single things
 * (`secretName`, `secretTags`, `metadata`) are not evaluated: a rule that has some counts for the whole folder. Whether
 * something in the folder is gained by them is asked by `requireNoGainByRename`.
 */
export function requireNoGain(
  ability: Ability,
  moves: readonly PlaceMove[],
  among: readonly Permission[] = ASKED,
): void {
  const rules = ability.rules.filter(({ subject }) => SUBJECTS.has(subject)).map(forFolders);
  const byPlace = compile(rules);
  const permissions = among.filter((permission) => byPlace.rulesFor(permission).some((rule) => rule.conditions));
  for (const { from, to } of moves) {
    const gained = permissions.find((permission) => byPlace.can(permission, to) && !byPlace.can(permission, from));
    if (gained) throw gainByRename(gained, to);
  }
}

/** 403 `folder.rename_gains`: it does not say in what. */
export const gainByRename = ({ action, subject }: Permission, { secretPath }: RulePlace): DomainError =>
  forbidden(
    'folder.rename_gains',
    `Under this name you could ${action} ${subject} at ${secretPath}, which you may not do now`,
    { name: 'PermissionDenied' },
  );

/** The rules on single things of a folder that are evaluated under its old name, and under its new one, for a permission. */
export interface RuleDifference {
  readonly permission: Permission;
  readonly before: readonly Rule[];
  readonly after: readonly Rule[];
}

/**
 * For which permissions other rules are evaluated in a folder under its new name than under its old one, where some of
 * them have conditions on single things. Of all other permissions, what `requireNoGain` says is exact.
 */
export function ruleDifferences(ability: Ability): (move: PlaceMove) => RuleDifference[] {
  const deep = ASKED.flatMap((permission) => {
    const rules = ability.rulesFor(permission);
    return rules.some(looksDeeper) ? [{ permission, rules: rules.map(withoutPlace) }] : [];
  });
  return ({ from, to }) =>
    deep.flatMap(({ permission, rules }) => {
      const at = (place: RulePlace) => rules.flatMap((one) => (one.isFor(place) ? one.rule : []));
      const [before, after] = [at(from), at(to)];
      const isSame = before.length === after.length && before.every((rule, index) => rule === after[index]);
      return isSame ? [] : [{ permission, before, after }];
    });
}

/** A rule as what it says of single things, and the places where it says it. */
function withoutPlace({ conditions = {}, ...rule }: Rule): { rule: Rule; isFor: (place: RulePlace) => boolean } {
  const [ofPlace, further] = [isPlaceField, (field: string) => !isPlaceField(field)].map((belongs) =>
    Object.fromEntries(Object.entries(conditions).filter(([field]) => belongs(field))),
  );
  return {
    rule: Object.keys(further!).length > 0 ? { ...rule, conditions: further! } : rule,
    isFor: matchConditions(ofPlace!),
  };
}
