import { LockMode } from '@mikro-orm/core';
import {
  abilityIn,
  authorize,
  authorizeById,
  organizationOf,
  projectPermissions,
  requireMayRemove,
  unlessHidden,
} from '../../access/index.ts';
import {
  givenFields,
  fewIn,
  inTransaction,
  isId,
  newId,
  notFound,
  record,
  statement,
  type Context,
  type Permission,
  type Transaction,
} from '../../kernel/index.ts';
import { PkiCollectionEntity } from './collection.entity.ts';
import {
  collectionCreated,
  collectionDeleted,
  collectionPermissions,
  collectionUpdated,
  type CreatePkiCollection,
  type PkiCollection,
  type PkiCollectionRef,
  type UpdatePkiCollection,
} from './collection.ts';
import { COLLECTION } from './find.ts';

const requireFewCollections = fewIn('project', {
  table: 'pki_collections',
  most: 1_000,
  code: 'pki_collection.too_many',
  of: 'certificate collections',
});

const toCollection = (row: PkiCollectionEntity): PkiCollection => {
  const { id, createdAt, updatedAt, projectId, name, description } = row;
  return { id, createdAt, updatedAt, projectId, name, description };
};
const eventData = ({ id, name }: PkiCollectionEntity) => ({ pkiCollectionId: id, name });

/**
 * A collection, for callers with this right to the collections of its project. A collection in a foreign project does
 * not exist for the caller.
 *
 * @throws DomainError 404, 403
 */
export async function requireCollection(
  ctx: Context,
  id: string,
  permission: Permission,
): Promise<PkiCollectionEntity> {
  const row = isId(id) ? await ctx.em.findOne(PkiCollectionEntity, { id, organizationId: organizationOf(ctx) }) : null;
  if (!row) throw notFound(COLLECTION);
  await unlessHidden(COLLECTION, authorizeById(ctx, permission, { projectId: row.projectId }));
  return row;
}

async function lock(tx: Transaction, id: string): Promise<PkiCollectionEntity> {
  const row = await tx.em.findOne(PkiCollectionEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!row) throw notFound(COLLECTION);
  return row;
}

/** The collections of a project, oldest first. */
export async function listCollections(ctx: Context, { projectId }: { projectId: string }): Promise<PkiCollection[]> {
  await authorize(ctx, collectionPermissions.read, { projectId });
  const of = { organizationId: organizationOf(ctx), projectId };
  return (await ctx.em.find(PkiCollectionEntity, of, { orderBy: { id: 'asc' } })).map(toCollection);
}

/** @throws DomainError 404, 403 */
export async function getCollection(ctx: Context, { collectionId }: PkiCollectionRef): Promise<PkiCollection> {
  return toCollection(await requireCollection(ctx, collectionId, collectionPermissions.read));
}

/** @throws DomainError 404, 403 */
export async function createCollection(ctx: Context, input: CreatePkiCollection): Promise<PkiCollection> {
  const { projectId, name, description } = input;
  await authorize(ctx, collectionPermissions.create, { projectId });
  return inTransaction(ctx, async (tx) => {
    const place = { id: newId(), organizationId: organizationOf(ctx), projectId };
    const row = tx.em.create(PkiCollectionEntity, { ...place, name, description });
    await tx.em.persist(row).flush();
    await requireFewCollections(tx, projectId);
    record(tx, collectionCreated, eventData(row), { projectId });
    return toCollection(row);
  });
}

/** Updates the given fields. */
export async function updateCollection(ctx: Context, input: UpdatePkiCollection): Promise<PkiCollection> {
  const { collectionId, name, description } = input;
  const { projectId } = await requireCollection(ctx, collectionId, collectionPermissions.edit);
  return inTransaction(ctx, async (tx) => {
    const row = await lock(tx, collectionId);
    tx.em.assign(row, { ...(name !== undefined && { name }), ...(description !== undefined && { description }) });
    await tx.em.flush();
    const changed = givenFields({ name, description });
    record(tx, collectionUpdated, { ...eventData(row), changed }, { projectId });
    return toCollection(row);
  });
}

const ALERTS = statement(
  'pki_collections.alerts',
  'select id from pki_alerts where pki_collection_id = $1 order by id',
);

/**
 * Deletes a collection and the alerts about it; its items stay.
 *
 * @throws DomainError 404; 403 also if a rule forbids the caller to delete an alert about it.
 */
export async function deleteCollection(ctx: Context, { collectionId }: PkiCollectionRef): Promise<PkiCollection> {
  const { projectId } = await requireCollection(ctx, collectionId, collectionPermissions.delete);
  return inTransaction(ctx, async (tx) => {
    const row = await lock(tx, collectionId);
    const collection = toCollection(row);
    const alerts = await tx.sql<{ id: string }>(ALERTS, [collectionId]);
    await requireMayRemove(
      await abilityIn(tx, projectId),
      projectPermissions('pki-alerts').delete,
      projectId,
      alerts.map(() => ({})),
    );
    const data = { ...eventData(row), pkiAlertIds: alerts.map(({ id }) => id) };
    await tx.em.remove(row).flush();
    record(tx, collectionDeleted, data, { projectId });
    return collection;
  });
}
