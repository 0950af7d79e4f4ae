// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export type AddPkiCollectionItem = {
  collectionId: string;
  type: 'certificate' | 'ca';
  /** A certificate or an authority of the same project */ itemId: string;
};

export type CreatePkiCollection = {
  projectId: string;
  /** Need not be unique */ name: string;
  /** Default: `''` */ description?: string;
};

export type DescribedPkiCollectionItem = PkiCollectionItem & { notBefore: string | null; notAfter: string | null; friendlyName: string };

export type ListPkiCollectionItems = {
  collectionId: string;
  type?: 'certificate' | 'ca';
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `25`) */ limit?: number;
};

export type PkiCollection = { id: string; createdAt: string; updatedAt: string; projectId: string; name: string; description: string };

export type PkiCollectionItem = {
  id: string;
  createdAt: string;
  updatedAt: string;
  pkiCollectionId: string;
  type: 'certificate' | 'ca';
  itemId: string;
};

export type PkiCollectionItems = { collectionItems: DescribedPkiCollectionItem[]; totalCount: number };

export type UpdatePkiCollection = { collectionId: string; /** Need not be unique */ name?: string; description?: string };

export interface CertificateCollectionsApi {
  /**
   * List the certificate collections of a project.
   * `GET /api/v2/workspace/{projectId}/pki-collections`. Needs `read` on `pki-collections`.
   */
  list: Query<{ projectId: string }, { collections: PkiCollection[] }>;
  /** Create a certificate collection. `POST /api/v1/pki/collections`. Needs `create` on `pki-collections`. */
  create: Mutation<CreatePkiCollection, PkiCollection>;
  /** Read a certificate collection. `GET /api/v1/pki/collections/{collectionId}`. Needs `read` on `pki-collections`. */
  get: Query<{ collectionId: string }, PkiCollection>;
  /** Update a certificate collection. `PATCH /api/v1/pki/collections/{collectionId}`. Needs `edit` on `pki-collections`. */
  update: Mutation<UpdatePkiCollection, PkiCollection>;
  /**
   * Delete a certificate collection and its alerts; its items stay.
   * `DELETE /api/v1/pki/collections/{collectionId}`. Needs `delete` on `pki-collections`.
   */
  delete: Mutation<{ collectionId: string }, PkiCollection>;
  /**
   * Add a certificate or an authority to a collection.
   * `POST /api/v1/pki/collections/{collectionId}/items`. Needs `create` on `pki-collections`.
   */
  addItem: Mutation<AddPkiCollectionItem, PkiCollectionItem>;
  /** List the items of a collection. `GET /api/v1/pki/collections/{collectionId}/items`. Needs `read` on `pki-collections`. */
  listItems: Query<ListPkiCollectionItems, PkiCollectionItems>;
  /**
   * Remove an item from a collection.
   * `DELETE /api/v1/pki/collections/{collectionId}/items/{collectionItemId}`. Needs `delete` on `pki-collections`.
   */
  removeItem: Mutation<{ collectionId: string; collectionItemId: string }, PkiCollectionItem>;
}
