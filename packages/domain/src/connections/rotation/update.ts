import { isDeepStrictEqual } from 'node:util';
import { organizationOf } from '../../access/index.ts';
import { at, conflict, inTransaction, record, type Context, type Transaction } from '../../kernel/index.ts';
import { requireNoPolicyAt } from '../../secrets/coverage/index.ts';
import { lockNames } from '../../secrets/meaning/index.ts';
import { renameRotated, requireMayKeepRotating, requireMayRotateInto } from '../../secrets/secret/index.ts';
import { rotations } from '../registry.ts';
import { requireOwnAccounts } from './accounts.ts';
import { configure, type Configured } from './configure.ts';
import { minutesOf } from './create.ts';
import {
  eventData,
  lockRotation,
  fieldsOf,
  requireMay,
  requireMayAutomate,
  requireRotation,
  rotationById,
  toRotation,
  type RotationRow,
} from './find.ts';
import { isRunning } from './perform.ts';
import type { Credential } from './rotation.ts';
import { nextRotation } from './schedule.ts';
import { scheduleAt } from './scheduled.ts';
import { rotationUpdated, type SecretRotation, type UpdateSecretRotation } from './secret-rotation.ts';
import { SecretRotationEntity } from './secret-rotation.entity.ts';

/**
 * Updates the given fields. Other parameters take effect with the next rotation; another mapping renames the secrets.
 *
 * @throws DomainError 404, 403, also for names that the caller may not give the secrets, and by a right that ends for one that
 * goes on by itself; 400 as for creation, `secret_rotation.changed`, and `secret_rotation.running` for other parameters.
 */
export async function updateSecretRotation(
  ctx: Context,
  type: string,
  { rotationId, ...changes }: UpdateSecretRotation,
): Promise<SecretRotation> {
  const found = await requireRotation(ctx, { rotationType: type, rotationId }, 'edit');
  const { parameters } = changes;
  const configured = parameters && (await configure(ctx, rotations.require(type), { ...found, parameters }, found));
  return inTransaction(ctx, async (tx) => {
    await lockNames(tx, 'exclusive', found);
    const row = await lockRotation(tx, found);
    await requireMay(tx, row, 'edit');
    if (row.updatedAt !== found.updatedAt)
      throw conflict('secret_rotation.changed', 'The rotation was changed meanwhile: ask again');
    if (changes.isAutoRotationEnabled ?? row.isAutoRotationEnabled) await requireMayGoOn(tx, row, changes);
    if (configured) await requireMayConfigure(tx, row, configured);
    if (changes.secretsMapping) await rename(tx, row, changes.secretsMapping);
    await store(tx, row, { ...changes, ...configured });
    const stored = (await rotationById(tx, row.organizationId, row.id))!;
    await reschedule(tx, row, stored);
    const changed = Object.entries(changes).flatMap(([field, value]) => (value === undefined ? [] : [field]));
    record(tx, rotationUpdated, { ...eventData(stored), changed }, { projectId: row.projectId });
    return toRotation((await rotationById(tx, row.organizationId, row.id))!);
  });
}

/** It writes by itself from then on, or secrets with other names. */
async function requireMayGoOn(
  tx: Transaction,
  row: RotationRow,
  { secretsMapping: mapping = row.secretsMapping }: Pick<UpdateSecretRotation, 'secretsMapping'>,
): Promise<void> {
  await requireMayAutomate(tx, row, 'edit');
  const before = new Set(row.isAutoRotationEnabled ? Object.values(row.secretsMapping) : []);
  const others = Object.values(mapping).filter((name) => !before.has(name));
  await requireMayKeepRotating(tx, fieldsOf(row), others, row.id);
}

/** Readers of the secrets get the credentials of other accounts then. What is under way may have planned one of the former. */
async function requireMayConfigure(tx: Transaction, row: RotationRow, configured: Configured): Promise<void> {
  const isSame = isDeepStrictEqual(row.parameters, configured.parameters);
  if (!isSame && row.claimedUntil !== null && at(row.claimedUntil) > tx.now()) throw isRunning();
  const { organizationId, projectId, environment, secretPath: path } = row;
  await requireOwnAccounts(tx, { organizationId, rotationId: row.id, type: row.type, ...configured });
  await requireNoPolicyAt(tx, { organizationId, projectId }, { environment, path });
}

async function rename(tx: Transaction, row: RotationRow, mapping: Credential): Promise<void> {
  const { secretsMapping: before } = row;
  if (isDeepStrictEqual(before, mapping)) return;
  const names = new Map(Object.entries(before).map(([field, name]) => [name, mapping[field] ?? name]));
  if (row.lastRotatedAt === null) await requireMayRotateInto(tx, fieldsOf(row), [...names.values()]);
  else await renameRotated(tx, { rotationId: row.id, place: fieldsOf(row) }, names);
}

async function store(
  tx: Transaction,
  { id }: RotationRow,
  { rotateAtUtc, ...changes }: Omit<UpdateSecretRotation, 'rotationId'> & Partial<Configured>,
): Promise<void> {
  const entity = await tx.em.findOneOrFail(SecretRotationEntity, { organizationId: organizationOf(tx), id });
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  tx.em.assign(entity, { ...Object.fromEntries(given), ...(rotateAtUtc && { rotateAt: minutesOf(rotateAtUtc) }) });
  await tx.em.flush();
}

/** What failed is tried again when it was to be. */
async function reschedule(tx: Transaction, before: RotationRow, after: RotationRow): Promise<void> {
  const next = (row: RotationRow) => nextRotation(at(row.lastRotatedAt ?? row.createdAt), row);
  if (after.failures === 0 && next(before)?.getTime() !== next(after)?.getTime())
    await scheduleAt(tx, after, next(after));
}
