import { misplaced, unlessForbidden } from '../../access/index.ts';
import type { Ability } from '../../kernel/index.ts';
import { rightsToAll, type RulePlace } from '../folder/index.ts';
import { secretPermissions } from './secret.ts';

/**
 * Rejects (403) a caller who may not put any secret under any name in a folder, or whom a rule forbids to delete one
 * there. Call it for changes after which readers get something else in place of the contents of the folder.
 */
export function requireMayReplaceAll(ability: Ability, projectId: string, place: RulePlace): void {
  const rights = rightsToAll(ability);
  const { create, edit, delete: remove } = secretPermissions;
  const lacking = [create, edit].find((permission) => !rights.can(permission, place));
  const permission = lacking ?? (unlessForbidden(rights, [remove]).can(remove, place) ? undefined : remove);
  if (permission) throw misplaced(ability, secretPermissions, permission === remove ? remove : create, projectId);
}
