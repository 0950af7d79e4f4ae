import { compile, denied, projectPermissions, projectSubjects } from '../../access/index.ts';
import { forbidden, type Ability, type Fields, type Permission, type Rule } from '../../kernel/index.ts';
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
export function folderSight(ability: Ability): (place: RulePlace) => boolean {
  const rules = ability.rules.filter(({ subject }) => SUBJECTS.has(subject));
  const lenient = compile(rules.filter((rule) => !(rule.inverted && looksDeeper(rule))).map(forFolders));
  const permissions = spokenOf(lenient, PERMISSIONS);
  const unlessForbidden = compile([...anything([folderPermissions.read]), ...ability.rulesFor(folderPermissions.read)]);
  return (place) =>
    unlessForbidden.can(folderPermissions.read, place) &&
    permissions.some((permission) => lenient.can(permission, place));
}

/** Refuses (403) to show a folder that the caller does not see. */
export function requireSight(ability: Ability, place: RulePlace): void {
  if (!folderSight(ability)(place)) throw denied(ability, folderPermissions.read, place);
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

/**
 * Refuses (403) a new name under which the caller could do what it may not do under the old one: rules go by names, and
 * a rename is no way into a folder or environment, nor out of what is forbidden there.
 */
export function requireNoGain(
  ability: Ability,
  moves: readonly { readonly from: RulePlace; readonly to: RulePlace }[],
  among: readonly Permission[] = PERMISSIONS,
): void {
  const rules = ability.rules.filter(({ subject }) => SUBJECTS.has(subject)).map(forFolders);
  const byPlace = compile(rules);
  const permissions = among.filter((permission) => byPlace.rulesFor(permission).some((rule) => rule.conditions));
  for (const { from, to } of moves) {
    const gained = permissions.find((permission) => byPlace.can(permission, to) && !byPlace.can(permission, from));
    if (!gained) continue;
    throw forbidden(
      'folder.rename_gains',
      `Under this name you could ${gained.action} ${gained.subject} at ${to.secretPath}, which you may not do now`,
      {
        name: 'PermissionDenied',
      },
    );
  }
}
