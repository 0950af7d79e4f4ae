import { allowsAll, denied, findInTurns, unlessForbidden } from '../../access/index.ts';
import type { Ability, DomainError, Fields, Permission } from '../../kernel/index.ts';
import { secretPermissions } from './secret.ts';

/**
 * A name is a location: others read what is under the names that they trust. So a caller that gives a resource another
 * environment, path, name or tag must be allowed to create it there, and no rule may forbid to delete it from the old
 * location. All changes of such names are checked here: renamed folders, environments and tags, restored ones, and
 * single secrets that are renamed, moved, tagged or overwritten.
 */
export interface Kind {
  /** The permission to create such a resource. */
  readonly create: Permission;
  /** The permission to change its name or tags in place. */
  readonly edit: Permission;
  readonly remove: Permission;
}

export const SECRETS: Kind = {
  create: secretPermissions.create,
  edit: secretPermissions.edit,
  remove: secretPermissions.delete,
};

/** A resource with the fields that rules use, before and after. */
export interface Placement {
  readonly before: Fields;
  readonly after: Fields;
}

const PLACE = ['environment', 'secretPath'];
/** A change of one of these fields is a move. A change of tags is not. */
const NAMES = [...PLACE, 'secretName', 'folderName'];

const differs = ({ before, after }: Placement, fields: readonly string[]): boolean =>
  fields.some((field) => before[field] !== after[field]);

/** Whether a rule forbids the caller some use of a permission. */
const forbidsAny = (ability: Ability, permission: Permission): boolean =>
  ability.rulesFor(permission).some((rule) => rule.inverted);

/** Whether the caller may create and delete any resource of a kind anywhere: then nothing needs to be checked. */
export const placesFreely = (ability: Ability, { create, remove }: Kind): boolean =>
  allowsAll(ability, create) && (allowsAll(ability, remove) || !forbidsAny(ability, remove));

/**
 * The permission that the caller lacks for such a change, if any:
 * - For another environment or path, the permission to create it there.
 * - For another name or other tags at the same location, that or the permission to edit it under both, unless a rule
 *   forbids to create it there.
 * - If it leaves a location or name, no rule may forbid to delete it from there.
 */
function missingRight(ability: Ability, { create, edit, remove }: Kind): (change: Placement) => Permission | undefined {
  const notForbidden = unlessForbidden(ability, [create, remove]);
  const mayEdit = ({ before, after }: Placement) => ability.can(edit, before) && ability.can(edit, after);
  const mayPut = (change: Placement) =>
    ability.can(create, change.after) ||
    (!differs(change, PLACE) && notForbidden.can(create, change.after) && mayEdit(change));
  return (change) => {
    if (!mayPut(change)) return create;
    return differs(change, NAMES) && !notForbidden.can(remove, change.before) ? remove : undefined;
  };
}

/**
 * Rejects (403) the first of some renames that the caller may not make; the error does not name the resource or its
 * location.
 */
export async function requireMayPlace(
  ability: Ability,
  kind: Kind,
  projectId: string,
  changes: readonly Placement[],
): Promise<void> {
  if (changes.length === 0 || placesFreely(ability, kind)) return;
  const missing = missingRight(ability, kind);
  let permission: Permission | undefined;
  await findInTurns(changes, (change) => (permission = missing(change)) !== undefined);
  if (permission) throw refusal(ability, kind, permission, projectId);
}

/** Rejects (403) overwriting something that a rule forbids the caller to delete. */
export async function requireMayOverwrite(
  ability: Ability,
  kind: Kind,
  projectId: string,
  things: readonly Fields[],
): Promise<void> {
  const { remove } = kind;
  if (!forbidsAny(ability, remove)) return;
  const notForbidden = unlessForbidden(ability, [remove]);
  const guarded = await findInTurns(things, (fields) => !notForbidden.can(remove, fields));
  if (guarded) throw refusal(ability, kind, remove, projectId);
}

function refusal(ability: Ability, { create }: Kind, permission: Permission, projectId: string): DomainError {
  const { subject, action } = permission;
  const message =
    permission === create
      ? `This change would put something where you do not have the permission ${subject}: ${action}`
      : `This change would remove something from where a rule forbids you ${subject}: ${action}`;
  return denied(ability, permission, undefined, { message, projectId });
}
