import { newId, record, statement, type Transaction } from '../../kernel/index.ts';
import { collectionItemAdded } from './collection.ts';
import { requireCollectionIn } from './find.ts';

const ADD = statement(
  'pki_collection_items.add_issued',
  `insert into pki_collection_items
     (id, organization_id, project_id, pki_collection_id, certificate_id, created_at, updated_at)
   select $1, c.organization_id, c.project_id, c.id, $5, $6, $6 from pki_collections c
   where c.organization_id = $2 and c.project_id = $3 and c.id = $4
   on conflict (pki_collection_id, certificate_id) do nothing
   returning id`,
);

export interface AddToCollection {
  readonly organizationId: string;
  readonly projectId: string;
  readonly pkiCollectionId: string;
  readonly certificateId: string;
}

/**
 * Adds a new certificate to a collection of the same project; no effect if it is in it. The caller's permission on the
 * collection is not checked.
 *
 * @throws DomainError 404 if the project has no such collection.
 */
export async function addToCollection(tx: Transaction, input: AddToCollection): Promise<void> {
  const { organizationId, projectId, pkiCollectionId, certificateId } = input;
  await requireCollectionIn(tx, input, pkiCollectionId);
  const values = [newId(), organizationId, projectId, pkiCollectionId, certificateId, tx.now()];
  const [item] = await tx.sql<{ id: string }>(ADD, values);
  if (item) {
    const data = { pkiCollectionId, itemId: certificateId, type: 'certificate' as const, collectionItemId: item.id };
    record(tx, collectionItemAdded, data, { organizationId, projectId });
  }
}
