import { abilityIn, allowsAll, authorizeById, readable, filterInTurns } from '../../access/index.ts';
import {
  at,
  atOrNull,
  explainConstraint,
  inTransaction,
  isId,
  newId,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { authorityPermissions } from '../authority/index.ts';
import {
  authorizeCertificateById,
  certificatePermissions,
  readableCertificates,
  type CertificateFacts,
} from '../certificate/index.ts';
import type { PkiCollectionEntity } from './collection.entity.ts';
import { requireCollection } from './collection.service.ts';
import {
  collectionItemAdded,
  collectionItemRemoved,
  collectionPermissions,
  type AddPkiCollectionItem,
  type DescribedPkiCollectionItem,
  type ListPkiCollectionItems,
  type PkiCollectionItem,
  type PkiCollectionItemRef,
  type PkiCollectionItems,
  type PkiItemType,
} from './collection.ts';

const IS_IN_IT = 'The item is already in the collection';
explainConstraint('pki_collection_items_certificate_unique', IS_IN_IT);
explainConstraint('pki_collection_items_ca_unique', IS_IN_IT);

interface ItemRow {
  id: string;
  createdAt: string;
  updatedAt: string;
  pkiCollectionId: string;
  type: PkiItemType;
  itemId: string;
}
const COLUMNS = `i.id, i.created_at as "createdAt", i.updated_at as "updatedAt",
  i.pki_collection_id as "pkiCollectionId", case when i.ca_id is null then 'certificate' else 'ca' end as type,
  coalesce(i.certificate_id, i.ca_id) as "itemId"`;

const toItem = ({ id, createdAt, updatedAt, pkiCollectionId, type, itemId }: ItemRow): PkiCollectionItem => ({
  id,
  createdAt: at(createdAt),
  updatedAt: at(updatedAt),
  pkiCollectionId,
  type,
  itemId,
});
const eventData = ({ id, pkiCollectionId, type, itemId }: PkiCollectionItem) => ({
  pkiCollectionId,
  collectionItemId: id,
  type,
  itemId,
});

const CERTIFICATE_FACTS = `c.common_name as "commonName", c.subject, c.names, c.friendly_name as "friendlyName", c.status,
  c.serial_number as "serialNumber"`;
const CERTIFICATE = statement(
  'pki_collection_items.certificate',
  `select ${CERTIFICATE_FACTS} from certificates c where c.organization_id = $1 and c.project_id = $2 and c.id = $3
   for share`,
);
const AUTHORITY = statement(
  'pki_collection_items.authority',
  'select name from certificate_authorities where organization_id = $1 and project_id = $2 and id = $3 for share',
);

/** Alerts disclose the items of a collection: adding an item needs the right to see it, by the names that it has then. */
async function requireThing(
  tx: Transaction,
  of: PkiCollectionEntity,
  type: PkiItemType,
  itemId: string,
): Promise<void> {
  const { organizationId, projectId } = of;
  const place = [organizationId, projectId, itemId];
  if (type === 'certificate') {
    const [facts] = isId(itemId) ? await tx.sql<CertificateFacts>(CERTIFICATE, place) : [];
    if (!facts) throw notFound('certificate');
    return authorizeCertificateById(tx, certificatePermissions.read, projectId, facts);
  }
  const [authority] = isId(itemId) ? await tx.sql<{ name: string }>(AUTHORITY, place) : [];
  if (!authority) throw notFound('certificate authority');
  await authorizeById(tx, authorityPermissions.read, { projectId, name: authority.name });
}

const ADD = statement(
  'pki_collection_items.add',
  `insert into pki_collection_items as i
     (id, organization_id, project_id, pki_collection_id, certificate_id, ca_id, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7) returning ${COLUMNS}`,
);

/** @throws DomainError 404 if the project has no such item; 400 if it is in the collection already; 403. */
export async function addCollectionItem(ctx: Context, input: AddPkiCollectionItem): Promise<PkiCollectionItem> {
  const { collectionId, type, itemId } = input;
  const collection = await requireCollection(ctx, collectionId, collectionPermissions.create);
  const { id, organizationId, projectId } = collection;
  return inTransaction(ctx, async (tx) => {
    await requireThing(tx, collection, type, itemId);
    const ids = type === 'certificate' ? [itemId, null] : [null, itemId];
    const [row] = await tx.sql<ItemRow>(ADD, [newId(), organizationId, projectId, id, ...ids, tx.now()]);
    const item = toItem(row!);
    record(tx, collectionItemAdded, eventData(item), { projectId });
    return item;
  });
}

interface DescribedRow extends ItemRow {
  notBefore: string | null;
  notAfter: string | null;
  friendlyName: string;
}
const DESCRIBED = `select ${COLUMNS}, coalesce(c.not_before, a.not_before) as "notBefore",
     coalesce(c.not_after, a.not_after) as "notAfter", coalesce(c.friendly_name, a.friendly_name) as "friendlyName"
   from pki_collection_items i left join certificates c on c.id = i.certificate_id
   left join certificate_authorities a on a.id = i.ca_id`;
const WHERE = `i.pki_collection_id = $1 and ($2::text is null or (i.ca_id is null) = ($2 = 'certificate'))`;
const LIST = statement('pki_collection_items.list', `${DESCRIBED} where ${WHERE} order by i.id offset $3 limit $4`);
const COUNT = statement(
  'pki_collection_items.count',
  `select count(*)::integer as count from pki_collection_items i where ${WHERE}`,
);
/** The fields that rules use, for all requested items. */
const FACTS = statement(
  'pki_collection_items.facts',
  `select i.id, a.name, ${CERTIFICATE_FACTS} from pki_collection_items i
   left join certificates c on c.id = i.certificate_id left join certificate_authorities a on a.id = i.ca_id
   where ${WHERE} order by i.id`,
);
const BY_IDS = statement('pki_collection_items.by_ids', `${DESCRIBED} where i.id = any ($1::uuid[]) order by i.id`);

/** The items of a collection that the caller may read, in the order in which they were added. */
export async function listCollectionItems(ctx: Context, input: ListPkiCollectionItems): Promise<PkiCollectionItems> {
  const { collectionId, type, offset, limit } = input;
  const { id, projectId } = await requireCollection(ctx, collectionId, collectionPermissions.read);
  const wanted = [id, type ?? null];
  const ability = await abilityIn(ctx, projectId);
  if (allowsAll(ability, certificatePermissions.read) && allowsAll(ability, authorityPermissions.read)) {
    const [counted] = await ctx.sql<{ count: number }>(COUNT, wanted);
    const rows = await ctx.sql<DescribedRow>(LIST, [...wanted, offset, limit]);
    return { collectionItems: rows.map(toDescribed), totalCount: counted!.count };
  }
  const isReadable = await readableItems(ctx, projectId);
  const ids = (await filterInTurns(await ctx.sql<FactsRow>(FACTS, wanted), isReadable)).map((row) => row.id);
  const rows = await ctx.sql<DescribedRow>(BY_IDS, [ids.slice(offset, offset + limit)]);
  return { collectionItems: rows.map(toDescribed), totalCount: ids.length };
}

const toDescribed = (row: DescribedRow): DescribedPkiCollectionItem => ({
  ...toItem(row),
  notBefore: atOrNull(row.notBefore),
  notAfter: atOrNull(row.notAfter),
  friendlyName: row.friendlyName,
});

/** The fields of a certificate; for an authority its name. */
type FactsRow = CertificateFacts & { readonly id: string; readonly name: string | null };

async function readableItems(ctx: Context, projectId: string): Promise<(row: FactsRow) => boolean> {
  const certificate = await readableCertificates(ctx, certificatePermissions.read, projectId);
  const authority = await readable(ctx, authorityPermissions.read, { projectId });
  return (row) => (row.name === null ? certificate(row) : authority({ name: row.name }));
}

const REMOVE = statement(
  'pki_collection_items.remove',
  `delete from pki_collection_items i where i.pki_collection_id = $1 and i.id = $2 returning ${COLUMNS}`,
);

/** Removes an item from a collection; the item itself stays. */
export async function removeCollectionItem(ctx: Context, input: PkiCollectionItemRef): Promise<PkiCollectionItem> {
  const { collectionId, collectionItemId } = input;
  const { id, projectId } = await requireCollection(ctx, collectionId, collectionPermissions.delete);
  return inTransaction(ctx, async (tx) => {
    const [row] = isId(collectionItemId) ? await tx.sql<ItemRow>(REMOVE, [id, collectionItemId]) : [];
    if (!row) throw notFound('pki collection item');
    const item = toItem(row);
    record(tx, collectionItemRemoved, eventData(item), { projectId });
    return item;
  });
}
