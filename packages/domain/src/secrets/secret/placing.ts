import { allowsAll, denied, findInTurns, unlessForbidden } from '../../access/index.ts';
import type { Ability, DomainError, Fields, Permission } from '../../kernel/index.ts';
import { secretPermissions } from './secret.ts';

/**
 * A name is a place: others read, under the names that they trust, what stands there. So whoever gives something another
 * environment, path, name or tag has to be allowed to put it there, and no rule may forbid to take it away from where it
 * stood. Everything that changes such names asks this here: renamed folders, environments and tags, restored ones, and
 * single secrets that are renamed, moved, tagged or overwritten.
 */
export interface Kind {
  /** What puts such a thing anywhere. */
  readonly create: Permission;
  /** What changes its name or tags where it stands. */
  readonly edit: Permission;
  readonly remove: Permission;
}

export const SECRETS: Kind = {
  create: secretPermissions.create,
  edit: secretPermissions.edit,
  remove: secretPermissions.delete,
};

/** A thing by what rules see of it, before and after. */
export interface Placement {
  readonly before: Fields;
  readonly after: Fields;
}

const PLACE = ['environment', 'secretPath'];
/** A thing that gets another one of these is no longer where it was. Other tags leave it there. */
const NAMES = [...PLACE, 'secretName', 'folderName'];

const differs = ({ before, after }: Placement, fields: readonly string[]): boolean =>
  fields.some((field) => before[field] !== after[field]);

/** Whether a rule forbids the caller some use of a permission. */
const forbidsAny = (ability: Ability, permission: Permission): boolean =>
  ability.rulesFor(permission).some((rule) => rule.inverted);

/** Whether the caller may put anything of a kind anywhere and take it from anywhere: then nothing needs to be asked. */
export const placesFreely = (ability: Ability, { create, remove }: Kind): boolean =>
  allowsAll(ability, create) && (allowsAll(ability, remove) || !forbidsAny(ability, remove));

/**
 * The right that the caller lacks for such a change, if any:
 * - In another environment or path, the right to create it there.
 * - In the same, for another name or other tags, that or the right to edit it under both, where no rule forbids to create
 *   it there.
 * - Where it leaves a place or name, no rule may forbid to remove it from there.
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

/** Refuses (403) the first of some changes of names that the caller may not make; it does not say of what, or where. */
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

/** Refuses (403) to put something over what a rule forbids the caller to remove. */
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
