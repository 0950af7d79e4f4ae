import type { Ability, DomainError, Fields, Permission } from '../kernel/index.ts';
import { allowsAll, unlessForbidden } from './ability.ts';
import { findInTurns } from './in-turns.ts';
import { denied } from './refusal.ts';

/**
 * The permissions on a kind of resource that has names. A name is a location: others use what is under the names that they
 * trust. So a caller that gives a resource another environment, path, name, tag or other metadata must be allowed to create
 * it there, and no rule may forbid to delete it from the old location. All changes of such names are checked here: renamed
 * folders and environments, renamed and deleted tags, restored ones, single secrets that are renamed, moved, tagged or
 * overwritten, and, through `authorizeChange`, dynamic secrets and certificate resources.
 */
export interface PlacingPermissions {
  /** The permission to create such a resource. */
  readonly create: Permission;
  /** The permission to change its name or tags in place. */
  readonly edit: Permission;
  /** Removes it. */
  readonly delete: Permission;
}

/** A resource with the fields that rules use, before and after. */
export interface Placement {
  readonly before: Fields;
  readonly after: Fields;
}

const PLACE = ['environment', 'secretPath'];
/** A change of one of these fields is a move, also if no condition can use the field. A change of tags or metadata is not. */
const NAMES = [...PLACE, 'secretName', 'folderName', 'name', 'slug', 'friendlyName', 'hostname', 'keyName'];

const differs = ({ before, after }: Placement, fields: readonly string[]): boolean =>
  fields.some((field) => before[field] !== after[field]);

/** Whether a rule forbids the caller some use of a permission. */
export const forbidsAny = (ability: Ability, permission: Permission): boolean =>
  ability.rulesFor(permission).some((rule) => rule.inverted);

/** Whether the caller may create and delete any resource of a kind anywhere: then nothing needs to be checked. */
export const placesFreely = (ability: Ability, { create, delete: remove }: PlacingPermissions): boolean =>
  allowsAll(ability, create) && (allowsAll(ability, remove) || !forbidsAny(ability, remove));

/**
 * The permission that the caller lacks for such a change, if any:
 * - For another environment or path, the permission to create it there.
 * - For another name or other tags at the same location, that or the permission to edit it under both, unless a rule
 *   forbids to create it there.
 * - If it leaves a location or name, no rule may forbid to delete it from there.
 */
function missingRight(
  ability: Ability,
  { create, edit, delete: remove }: PlacingPermissions,
): (change: Placement) => Permission | undefined {
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
  permissions: PlacingPermissions,
  projectId: string | undefined,
  changes: readonly Placement[],
): Promise<void> {
  if (changes.length === 0 || placesFreely(ability, permissions)) return;
  const missing = missingRight(ability, permissions);
  let permission: Permission | undefined;
  await findInTurns(changes, (change) => (permission = missing(change)) !== undefined);
  if (permission) throw misplaced(ability, permissions, permission, projectId);
}

/**
 * Rejects (403) removing something that a rule forbids the caller to delete, by a right to something else: what is overwritten, or
 * is deleted with what it belongs to.
 */
export async function requireMayRemove(
  ability: Ability,
  remove: Permission,
  projectId: string,
  things: readonly Fields[],
): Promise<void> {
  if (!forbidsAny(ability, remove)) return;
  const notForbidden = unlessForbidden(ability, [remove]);
  const guarded = await findInTurns(things, (fields) => !notForbidden.can(remove, fields));
  if (guarded) throw irremovable(ability, remove, projectId);
}

/** The 403 for a change of names that needs `permission`, which is `create` or `delete`. */
export function misplaced(
  ability: Ability,
  { create }: PlacingPermissions,
  permission: Permission,
  projectId: string | undefined,
): DomainError {
  if (permission !== create) return irremovable(ability, permission, projectId);
  const { subject, action } = permission;
  const message = `This change would put something where you do not have the permission ${subject}: ${action}`;
  return denied(ability, permission, undefined, { message, projectId });
}

/** The 403 for a change that removes what a rule forbids to delete. */
export function irremovable(ability: Ability, permission: Permission, projectId: string | undefined): DomainError {
  const { subject, action } = permission;
  const message = `This change would remove something from where a rule forbids you ${subject}: ${action}`;
  return denied(ability, permission, undefined, { message, projectId });
}
