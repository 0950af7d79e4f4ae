import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { defineEvent, defineUpdate, Id, Instant, page, text, Timestamps, Uuid } from '../../kernel/schema.ts';

export const collectionPermissions = projectPermissions('pki-collections');

/** Certificates and authorities of one project, grouped for management. */
export const PkiCollection = z.object({
  id: Uuid,
  ...Timestamps.shape,
  projectId: Uuid,
  name: z.string(),
  description: z.string(),
});
export type PkiCollection = z.output<typeof PkiCollection>;

const CollectionName = text(255).trim().describe('Need not be unique');
const Description = text(1000);

export const CreatePkiCollection = z.object({
  projectId: Id,
  name: CollectionName,
  description: Description.default(''),
});
export type CreatePkiCollection = z.output<typeof CreatePkiCollection>;

export const PkiCollectionRef = z.object({ collectionId: Id });
export type PkiCollectionRef = z.output<typeof PkiCollectionRef>;

export const UpdatePkiCollection = PkiCollectionRef.extend({
  name: CollectionName.optional(),
  description: Description.optional(),
});
export type UpdatePkiCollection = z.output<typeof UpdatePkiCollection>;

export const PkiItemType = z.enum(['certificate', 'ca']);
export type PkiItemType = z.output<typeof PkiItemType>;

export const PkiCollectionItem = z.object({
  id: Uuid,
  ...Timestamps.shape,
  pkiCollectionId: Uuid,
  type: PkiItemType,
  itemId: Uuid,
});
export type PkiCollectionItem = z.output<typeof PkiCollectionItem>;

/** With its item: a certificate, or an authority with its current certificate. */
export const DescribedPkiCollectionItem = PkiCollectionItem.extend({
  notBefore: Instant.nullable(),
  notAfter: Instant.nullable(),
  friendlyName: z.string(),
});
export type DescribedPkiCollectionItem = z.output<typeof DescribedPkiCollectionItem>;

export const AddPkiCollectionItem = PkiCollectionRef.extend({
  type: PkiItemType.meta({ examples: ['ca'] }),
  itemId: Id.describe('A certificate or an authority of the same project'),
});
export type AddPkiCollectionItem = z.output<typeof AddPkiCollectionItem>;

export const ListPkiCollectionItems = PkiCollectionRef.extend({
  type: PkiItemType.optional(),
  ...page({ limit: 25 }).shape,
});
export type ListPkiCollectionItems = z.output<typeof ListPkiCollectionItems>;

export const PkiCollectionItems = z.object({
  collectionItems: z.array(DescribedPkiCollectionItem),
  totalCount: z.int(),
});
export type PkiCollectionItems = z.output<typeof PkiCollectionItems>;

export const PkiCollectionItemRef = PkiCollectionRef.extend({ collectionItemId: Id });
export type PkiCollectionItemRef = z.output<typeof PkiCollectionItemRef>;

const named = z.object({ pkiCollectionId: z.string(), name: z.string() });
export const collectionCreated = defineEvent('pki_collection.created', 'create-pki-collection', named);
export const collectionUpdated = defineUpdate('pki_collection.updated', 'update-pki-collection', named);
/** With the alerts about it, which go with it. */
export const collectionDeleted = defineEvent(
  'pki_collection.deleted',
  'delete-pki-collection',
  named.extend({ pkiAlertIds: z.array(z.string()) }),
);
const item = z.object({
  pkiCollectionId: z.string(),
  collectionItemId: z.string(),
  type: PkiItemType,
  itemId: z.string(),
});
export const collectionItemAdded = defineEvent('pki_collection.item_added', 'add-pki-collection-item', item);
export const collectionItemRemoved = defineEvent('pki_collection.item_removed', 'delete-pki-collection-item', item);
