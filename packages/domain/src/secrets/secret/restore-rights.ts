import { filterInTurns, findInTurns, requireMayPlace } from '../../access/index.ts';
import type { Ability, Permission, Transaction } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { requireEach } from './create.ts';
import { isOther, requireNoReveal, type FieldsChange } from './reveal.ts';
import type { SecretFields } from './row.ts';
import { secretPermissions } from './secret.ts';

/** What rules see of a secret that is restored. */
export interface Restoring {
  /** The current version, if it gets a new one; absent for a deleted secret. */
  readonly now: SecretFields | undefined;
  /** The state to restore, with its former fields; all of them count. */
  readonly was: readonly SecretFields[];
  /** The current location of that secret after a move. */
  readonly elsewhere: SecretFields | undefined;
  readonly after: SecretFields;
}

/**
 * Checks the permissions of each step. A former value is checked with its former and its current fields: it must not
 * get to a location where a caller could read it who may not read it here.
 *
 * @throws DomainError 403.
 */
export async function requireMayRestore(
  tx: Transaction,
  scope: Scope,
  ability: Ability,
  { removed, restoring }: { removed: readonly SecretFields[]; restoring: readonly Restoring[] },
): Promise<void> {
  const require = async (permission: Permission, things: readonly SecretFields[]) => {
    const refused = await findInTurns(things, (fields) => !ability.can(permission, fields));
    const isSeen = refused !== undefined && ability.can(secretPermissions.describeSecret, refused);
    await requireEach(tx, ability, permission, things, isSeen ? 'name' : 'id');
  };
  await require(secretPermissions.delete, removed);
  await require(secretPermissions.edit, restoring.flatMap(({ now, after }) => (now ? [now, after] : [])));
  await require(secretPermissions.create, restoring.flatMap(({ now, after }) => (now ? [] : [after])));
  const changes = restoring.flatMap(({ now, was, elsewhere, after }): FieldsChange[] => [
    ...(now ? [{ before: now, after }] : []),
    ...[...was, ...(elsewhere ? [elsewhere] : [])].map((before) => ({ before, after, isPast: true as const })),
  ]);
  await requireNoReveal(tx, scope, changes);
  const replaced = restoring.flatMap(({ now, after }) => (now ? { before: now, after } : []));
  await requireMayPlace(ability, secretPermissions, scope.projectId, await filterInTurns(replaced, isOther));
}
