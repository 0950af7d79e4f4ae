// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export type AddPkiCollectionItem = {
  /** UUID */ collectionId: string;
  type: 'certificate' | 'ca';
  /** A certificate or an authority of the same project */ itemId: string;
};

export type CreatePkiCollection = {
  /** UUID */ projectId: string;
  /** Need not be unique */ name: string;
  /** Default: `''` */ description?: string;
};

export type DescribedPkiCollectionItem = PkiCollectionItem & { notBefore: string | null; notAfter: string | null; friendlyName: string };

export type ListPkiCollectionItems = {
  /** UUID */ collectionId: string;
  type?: 'certificate' | 'ca';
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `25`) */ limit?: number;
};

export type PkiCollection = {
  /** UUID */ id: string;
  createdAt: string;
  updatedAt: string;
  /** UUID */ projectId: string;
  name: string;
  description: string;
};

export type PkiCollectionItem = {
  /** UUID */ id: string;
  createdAt: string;
  updatedAt: string;
  /** UUID */ pkiCollectionId: string;
  type: 'certificate' | 'ca';
  /** UUID */ itemId: string;
};

export type PkiCollectionItemRef = {
  /** UUID */ collectionId: string;
  /** UUID */ collectionItemId: string;
};

export type PkiCollectionItems = { collectionItems: DescribedPkiCollectionItem[]; totalCount: number };

export type PkiCollectionRef = {
  /** UUID */ collectionId: string;
};

export type UpdatePkiCollection = {
  /** UUID */ collectionId: string;
  /** Need not be unique */ name?: string;
  description?: string;
};

export interface CertificateCollectionsApi {
  /**
   * List the certificate collections of a project.
   * `GET /api/v2/workspace/{projectId}/pki-collections`. Needs `read` on `pki-collections`.
   */
  list: Query<
    {
      /** UUID */ projectId: string;
    },
    { collections: PkiCollection[] }
  >;
  /** Create a certificate collection. `POST /api/v1/pki/collections`. Needs `create` on `pki-collections`. */
  create: Mutation<CreatePkiCollection, PkiCollection>;
  /** Read a certificate collection. `GET /api/v1/pki/collections/{collectionId}`. Needs `read` on `pki-collections`. */
  get: Query<PkiCollectionRef, PkiCollection>;
  /** Update a certificate collection. `PATCH /api/v1/pki/collections/{collectionId}`. Needs `edit` on `pki-collections`. */
  update: Mutation<UpdatePkiCollection, PkiCollection>;
  /**
   * Delete a certificate collection and its alerts; its items stay.
   * `DELETE /api/v1/pki/collections/{collectionId}`. Needs `delete` on `pki-collections`.
   */
  delete: Mutation<PkiCollectionRef, PkiCollection>;
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
  removeItem: Mutation<PkiCollectionItemRef, PkiCollectionItem>;
}
