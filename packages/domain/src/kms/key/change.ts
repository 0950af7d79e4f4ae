import { authorize, authorizeById, authorizeChange, requireLasting } from '../../access/index.ts';
import { generateInTurn } from '../../crypto/index.ts';
import {
  badRequest,
  conflict,
  fewIn,
  inTransaction,
  invalidate,
  record,
  statement,
  type Context,
  type Permission,
  type Transaction,
} from '../../kernel/index.ts';
import { algorithmOf, type KeyMaterial } from '../algorithm/index.ts';
import { fieldsOf, requireKey } from './find.ts';
import {
  keyCreated,
  keyDeleted,
  keyDeletionCancelled,
  keyRotated,
  keyUpdated,
  kindOf,
  kmsPermissions,
  type CreateKmsKey,
  type DeleteKmsKey,
  type KmsKey,
  type KmsKeyRef,
  type UpdateKmsKey,
} from './key.ts';
import {
  insertKey,
  insertVersion,
  dayAfter,
  KEY_COLUMNS,
  lockKey,
  requirePresent,
  requireUsable,
  toKey,
  withMaterial,
  type KeyRow,
  type NewKeyRow,
} from './stored.ts';
import { tagOf, tagOfProject } from './tags.ts';

const requireFewKeys = fewIn('project', {
  table: 'kms_keys',
  most: 5_000,
  code: 'kms_key.too_many',
  of: 'keys, deleted ones included,',
});

/** The most versions of a key; each is a row that is deleted with its key and not before. */
const MOST_VERSIONS = 10_000;

const eventData = ({ id, name }: KeyRow) => ({ keyId: id, keyName: name });

/** The usage and algorithm of a new key. @throws DomainError 400 `kms_key.algorithm` */
export function requireKind(input: Parameters<typeof kindOf>[0]) {
  const kind = kindOf(input);
  if (kind) return kind;
  const { algorithm = input.encryptionAlgorithm, keyUsage } = input;
  throw badRequest('kms_key.algorithm', `Keys of ${algorithm} are not for ${keyUsage ?? input.encryptionAlgorithm}`);
}

/** @throws DomainError 404, 403, also for a schedule by a right that ends; 400 `kms_key.algorithm`, `kms_keys_name_unique`, `kms_key.too_many` */
export async function createKmsKey(ctx: Context, input: CreateKmsKey): Promise<KmsKey> {
  const { projectId, name, description = null, rotationPeriodDays = null } = input;
  const { create, rotate: schedule } = kmsPermissions;
  const needed = rotationPeriodDays === null ? [create] : [create, schedule];
  await authorizeNew(ctx, needed, input);
  if (rotationPeriodDays !== null) await requireMaySchedule(ctx, input);
  const kind = requireKind(input);
  const material = await generateInTurn(ctx, kind.algorithm, () => algorithmOf(kind.algorithm).generate());
  const { isExportable, hasDeleteProtection } = input;
  const given = { ...kind, projectId, name, description, isExportable, hasDeleteProtection };
  return withMaterial(material, () =>
    inTransaction(ctx, async (tx) =>
      toKey(await addKey(tx, { ...given, isImported: false, rotationDays: rotationPeriodDays }, material, needed)),
    ),
  );
}

/** A schedule rotates keys without a caller whose right could be checked. @throws DomainError 403 */
async function requireMaySchedule(ctx: Context, key: Pick<KeyRow, 'projectId' | 'name'>): Promise<void> {
  const right = { permission: kmsPermissions.rotate, fields: fieldsOf(key) };
  await authorizeById(ctx, right.permission, right.fields);
  await requireLasting(ctx, key.projectId, right);
}

/** Checks the permissions that a new key needs. */
export async function authorizeNew(
  ctx: Context,
  needed: readonly Permission[],
  { projectId, name }: { readonly projectId: string; readonly name: string },
): Promise<void> {
  for (const permission of needed) await authorize(ctx, permission, { projectId, keyName: name });
}

/**
 * Stores a new key with its event. The permissions are checked again, since it takes a second and more to generate a key, and
 * others may hold its name.
 */
export async function addKey(
  tx: Transaction,
  given: NewKeyRow,
  material: KeyMaterial,
  needed: readonly Permission[],
): Promise<KeyRow> {
  const row = await insertKey(tx, given, material);
  await authorizeNew(tx, needed, given);
  await requireFewKeys(tx, row.projectId);
  const { algorithm, version } = row;
  record(tx, keyCreated, { ...eventData(row), keyVersion: version, algorithm }, { projectId: row.projectId });
  invalidate(tx, tagOfProject(row.projectId));
  return row;
}

/** Changes a key on which the caller has this permission, also at the time at which nobody else changes it. */
async function changing(
  ctx: Context,
  keyId: string,
  permission: Permission,
  change: (tx: Transaction, row: KeyRow) => Promise<KeyRow>,
): Promise<KmsKey> {
  await requireKey(ctx, keyId, permission);
  return inTransaction(ctx, async (tx) => {
    const row = await lockKey(tx, keyId);
    await authorizeById(tx, permission, fieldsOf(row));
    const changed = await change(tx, row);
    invalidateKey(tx, row);
    return toKey(changed);
  });
}

const UPDATE = statement(
  'kms_keys.update',
  `update kms_keys k set name = $2, description = $3, is_disabled = $4, has_delete_protection = $5, rotation_days = $6,
     rotates_at = $7, updated_at = $8 where id = $1 returning ${KEY_COLUMNS}`,
);

/**
 * Updates the given fields. Another name needs the rights of the new name, too; a key with a schedule that gets another name, or
 * is enabled, needs the right to the schedule.
 *
 * @throws DomainError 404, 403, also for a schedule by a right that ends; 400 `kms_keys_name_unique`, `kms_key.pending_deletion`
 */
export const updateKmsKey = (ctx: Context, { keyId, ...given }: UpdateKmsKey): Promise<KmsKey> =>
  changing(ctx, keyId, kmsPermissions.edit, async (tx, row) => {
    requirePresent(row);
    const { name = row.name, description = row.description, rotationPeriodDays: days } = given;
    const { isDisabled = row.isDisabled, hasDeleteProtection = row.hasDeleteProtection } = given;
    const { projectId } = row;
    if (days !== undefined) await authorizeById(tx, kmsPermissions.rotate, fieldsOf(row));
    const isSame = days === undefined || days === row.rotationDays;
    const isResumed = row.isDisabled && !isDisabled;
    const isScheduled = (days === undefined ? row.rotationDays : days) !== null;
    await authorizeChange(tx, kmsPermissions, { projectId, before: { keyName: row.name }, after: { keyName: name } });
    if (isScheduled && (!isSame || isResumed || name !== row.name)) await requireMaySchedule(tx, { projectId, name });
    const rotation = isSame ? [row.rotationDays, row.rotatesAt] : [days, dayAfter(tx.now(), days)];
    const values = [row.id, name, description, isDisabled, hasDeleteProtection, ...rotation, tx.now()];
    const [changed] = await tx.sql<KeyRow>(UPDATE, values);
    const names = Object.keys(given).filter((field) => given[field as keyof typeof given] !== undefined);
    record(tx, keyUpdated, { ...eventData(changed!), changed: names }, { projectId });
    return changed!;
  });

const END = statement(
  'kms_keys.end',
  `update kms_keys k set deletion_at = $2, updated_at = $3 where id = $1 returning ${KEY_COLUMNS}`,
);

/** Lets a key end at this time, or not. */
async function endAt(tx: Transaction, { id }: KeyRow, end: Date | null): Promise<KeyRow> {
  const [row] = await tx.sql<KeyRow>(END, [id, end, tx.now()]);
  return row!;
}

/**
 * Deletes a key: it is not used any more and its name is free. It is destroyed after some days, until which the deletion
 * can be cancelled.
 *
 * @throws DomainError 404, 403; 400 `kms_key.protected`, `kms_key.pending_deletion`
 */
export const deleteKmsKey = (ctx: Context, { keyId, pendingDays }: DeleteKmsKey): Promise<KmsKey> =>
  changing(ctx, keyId, kmsPermissions.delete, async (tx, row) => {
    requirePresent(row);
    if (row.hasDeleteProtection)
      throw conflict('kms_key.protected', 'This key is protected against deletion; disable hasDeleteProtection first');
    const deletionDate = dayAfter(tx.now(), pendingDays)!;
    const data = { ...eventData(row), deletionDate: deletionDate.toISOString() };
    record(tx, keyDeleted, data, { projectId: row.projectId });
    return endAt(tx, row, deletionDate);
  });

/**
 * Cancels the deletion of a key, which has its name again: whoever uses keys by that name gets this one, as if it were created. Its
 * schedule goes on, as if it were set.
 *
 * @throws DomainError 404, 403, also for a schedule by a right that ends; 400 `kms_key.not_deleted`, `kms_keys_name_unique` if another
 * key has the name now.
 */
export const cancelKmsKeyDeletion = (ctx: Context, { keyId }: KmsKeyRef): Promise<KmsKey> =>
  changing(ctx, keyId, kmsPermissions.delete, async (tx, row) => {
    await authorizeById(tx, kmsPermissions.create, fieldsOf(row));
    if (row.rotationDays !== null) await authorizeById(tx, kmsPermissions.rotate, fieldsOf(row));
    if (row.deletionAt === null) throw badRequest('kms_key.not_deleted', 'The deletion of this key is not pending');
    if (row.rotationDays !== null) await requireMaySchedule(tx, row);
    record(tx, keyDeletionCancelled, eventData(row), { projectId: row.projectId });
    return endAt(tx, row, null);
  });

const ROTATE = statement(
  'kms_keys.rotate',
  `update kms_keys k set version = version + 1, rotates_at = $2, updated_at = $3 where id = $1 returning ${KEY_COLUMNS}`,
);

/**
 * Gives a key a new version, which is used from now on. Older versions decrypt and verify.
 *
 * @throws DomainError 404, 403; 400 `kms_key.pending_deletion`, `kms_key.disabled`, `kms_key.too_many_versions`
 */
export async function rotateKmsKey(ctx: Context, { keyId }: KmsKeyRef): Promise<KmsKey> {
  const seen = await requireKey(ctx, keyId, kmsPermissions.rotate);
  const rotated = await rotate(ctx, seen, async (tx, row) => {
    await authorizeById(tx, kmsPermissions.rotate, fieldsOf(row));
    return true;
  });
  return toKey(rotated);
}

/** The same where `isWanted`, which is asked of the locked key: generating a key takes a second and more. */
export async function rotate(
  ctx: Context,
  seen: KeyRow,
  isWanted: (tx: Transaction, row: KeyRow) => Promise<boolean> | boolean,
): Promise<KeyRow> {
  const material = await generateInTurn(ctx, seen.algorithm, () => algorithmOf(seen.algorithm).generate());
  const work = async (tx: Transaction): Promise<KeyRow> => {
    const row = await lockKey(tx, seen.id);
    if (!(await isWanted(tx, row))) return row;
    requireUsable(row);
    if (row.version >= MOST_VERSIONS)
      throw badRequest('kms_key.too_many_versions', `A key has at most ${MOST_VERSIONS} versions; create another one`);
    const [rotated] = await tx.sql<KeyRow>(ROTATE, [row.id, dayAfter(tx.now(), row.rotationDays), tx.now()]);
    await insertVersion(tx, rotated!, rotated!.version, material);
    const data = { ...eventData(row), keyVersion: rotated!.version };
    record(tx, keyRotated, data, { organizationId: row.organizationId, projectId: row.projectId });
    invalidateKey(tx, row);
    return rotated!;
  };
  return withMaterial(material, () => inTransaction(ctx, work));
}

const invalidateKey = (tx: Transaction, { id, projectId }: KeyRow) =>
  invalidate(tx, tagOf(id), tagOfProject(projectId));
