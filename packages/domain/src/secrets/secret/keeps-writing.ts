import { allowsAll, findInTurns, requireLasting } from '../../access/index.ts';
import { statement, type Ability, type Fields, type Permission, type Transaction } from '../../kernel/index.ts';
import type { SecretFields } from './row.ts';
import { secretPermissions } from './secret.ts';

/** One of these rights is enough to have a rotation write a secret. */
export const WRITING: readonly [Permission, ...Permission[]] = [secretPermissions.create, secretPermissions.edit];

/**
 * Checks that the caller holds one of some rights without an end on each of some things. The error names none of them, since the caller
 * may not see all.
 *
 * @throws DomainError 403 `PermissionBoundaryError`
 */
export async function requireLastingOnAll(
  tx: Transaction,
  projectId: string,
  rights: readonly [Permission, ...Permission[]],
  things: readonly Fields[],
): Promise<void> {
  if (things.length === 0) return;
  const isHeld = async (held: Ability) =>
    rights.some((right) => allowsAll(held, right)) ||
    (await findInTurns(things, (fields) => !rights.some((right) => held.can(right, fields)))) === undefined;
  await requireLasting(tx, projectId, { permission: rights[0], fields: {} }, isHeld);
}

/** The same for secrets that a rotation then writes again and again as Coffer itself. */
export const requireMayKeepWriting = (
  tx: Transaction,
  projectId: string,
  things: readonly SecretFields[],
): Promise<void> => requireLastingOnAll(tx, projectId, WRITING, things);

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
