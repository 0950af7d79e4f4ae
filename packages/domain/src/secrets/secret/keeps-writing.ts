import { requireLasting } from '../../access/index.ts';
import { statement, type Ability, type Permission, type Transaction } from '../../kernel/index.ts';
import type { SecretFields } from './row.ts';
import { secretPermissions } from './secret.ts';

/** One of these rights is enough to have a rotation write a secret. */
export const WRITING: readonly [Permission, ...Permission[]] = [secretPermissions.create, secretPermissions.edit];

/**
 * Checks that the caller may write some secrets without an end, before a rotation writes them again and again as Coffer itself.
 *
 * @throws DomainError 403 `PermissionBoundaryError`
 */
export async function requireMayKeepWriting(
  tx: Transaction,
  projectId: string,
  things: readonly SecretFields[],
): Promise<void> {
  for (const fields of things) {
    const writes = (held: Ability) => WRITING.some((permission) => held.can(permission, fields));
    await requireLasting(tx, projectId, { permission: WRITING[0], fields }, writes);
  }
}

const AUTOMATIC = statement(
  'secrets.rotated_automatically',
  'select id from secret_rotations where id = any($1::uuid[]) and is_auto_rotation_enabled',
);

/** A secret that gets other tags, or is known by other slugs of these. */
interface Retagged {
  /** Of the rotation that writes it, if one does. */
  readonly rotationId: string | null | undefined;
  readonly after: SecretFields;
}

/** The same for secrets that rotations with a schedule write, and that get other tags: rules look at these. */
export async function requireMayRetag(tx: Transaction, projectId: string, all: readonly Retagged[]): Promise<void> {
  const ids = new Set(all.flatMap(({ rotationId }) => rotationId ?? []));
  if (ids.size === 0) return;
  const automatic = new Set((await tx.sql<{ id: string }>(AUTOMATIC, [[...ids]])).map(({ id }) => id));
  const written = all.filter(({ rotationId }) => rotationId && automatic.has(rotationId));
  await requireMayKeepWriting(
    tx,
    projectId,
    written.map(({ after }) => after),
  );
}
