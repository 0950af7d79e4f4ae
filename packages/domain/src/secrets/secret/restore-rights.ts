import { findInTurns } from '../../access/index.ts';
import type { Ability, Permission, Transaction } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { requireEach } from './create.ts';
import { requireMayPlace, SECRETS } from './placing.ts';
import { isOther, requireNoReveal, type FieldsChange } from './reveal.ts';
import type { SecretFields } from './row.ts';
import { secretPermissions } from './secret.ts';

/** What rules see of a secret that is restored. */
export interface Restoring {
  /** Of the one that gets a new version; absent where one comes back. */
  readonly now: SecretFields | undefined;
  /** When it was what it becomes again; all of it counts. */
  readonly was: readonly SecretFields[];
  /** Where that secret has been moved to meanwhile. */
  readonly elsewhere: SecretFields | undefined;
  readonly after: SecretFields;
}

/**
 * Asks for each step what it needs alone. A value of the past counts as what it was then and as what it is now: it does
 * not come to where the caller could read it who may not read it there.
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
  await requireMayPlace(ability, SECRETS, scope.projectId, replaced.filter(isOther));
}
