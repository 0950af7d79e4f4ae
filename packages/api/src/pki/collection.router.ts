import {
  addCollectionItem,
  AddPkiCollectionItem,
  collectionPermissions,
  createCollection,
  CreatePkiCollection,
  deleteCollection,
  getCollection,
  Id,
  listCollectionItems,
  listCollections,
  ListPkiCollectionItems,
  PkiCollection,
  PkiCollectionItem,
  PkiCollectionItemRef,
  PkiCollectionItems,
  PkiCollectionRef,
  removeCollectionItem,
  updateCollection,
  UpdatePkiCollection,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const { read, create, edit, delete: remove } = collectionPermissions;

export const collectionRouter = router({
  list: procedure
    .meta(
      rest(
        'GET',
        '/api/v2/workspace/{projectId}/pki-collections',
        read,
        'List the certificate collections of a project',
        {
          aliases: ['/api/v1/projects/{projectId}/pki-collections'],
        },
      ),
    )
    .input(z.object({ projectId: Id }))
    .output(z.object({ collections: z.array(PkiCollection) }))
    .query(async ({ ctx, input }) => ({ collections: await listCollections(ctx, input) })),
  create: procedure
    .meta(rest('POST', '/api/v1/pki/collections', create, 'Create a certificate collection'))
    .input(CreatePkiCollection)
    .output(PkiCollection)
    .mutation(({ ctx, input }) => createCollection(ctx, input)),
  get: procedure
    .meta(rest('GET', '/api/v1/pki/collections/{collectionId}', read, 'Read a certificate collection'))
    .input(PkiCollectionRef)
    .output(PkiCollection)
    .query(({ ctx, input }) => getCollection(ctx, input)),
  update: procedure
    .meta(rest('PATCH', '/api/v1/pki/collections/{collectionId}', edit, 'Update a certificate collection'))
    .input(UpdatePkiCollection)
    .output(PkiCollection)
    .mutation(({ ctx, input }) => updateCollection(ctx, input)),
  delete: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v1/pki/collections/{collectionId}',
        remove,
        'Delete a certificate collection and its alerts; its items stay',
      ),
    )
    .input(PkiCollectionRef)
    .output(PkiCollection)
    .mutation(({ ctx, input }) => deleteCollection(ctx, input)),
  addItem: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/pki/collections/{collectionId}/items',
        create,
        'Add a certificate or an authority to a collection',
      ),
    )
    .input(AddPkiCollectionItem)
    .output(PkiCollectionItem)
    .mutation(({ ctx, input }) => addCollectionItem(ctx, input)),
  listItems: procedure
    .meta(rest('GET', '/api/v1/pki/collections/{collectionId}/items', read, 'List the items of a collection'))
    .input(ListPkiCollectionItems)
    .output(PkiCollectionItems)
    .query(({ ctx, input }) => listCollectionItems(ctx, input)),
  removeItem: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v1/pki/collections/{collectionId}/items/{collectionItemId}',
        remove,
        'Remove an item from a collection',
      ),
    )
    .input(PkiCollectionItemRef)
    .output(PkiCollectionItem)
    .mutation(({ ctx, input }) => removeCollectionItem(ctx, input)),
});
