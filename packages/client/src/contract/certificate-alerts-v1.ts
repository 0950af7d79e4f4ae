// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { AlertRef } from './shared.ts';

export type CollectionAlert = {
  /** UUID */
  id: string;
  createdAt: string;
  updatedAt: string;
  /** UUID */
  projectId: string;
  /** UUID */
  pkiCollectionId: string;
  name: string;
  alertBeforeDays: number;
  /** Comma-separated */
  recipientEmails: string;
};

export type CreateCollectionAlert = {
  /** UUID */
  projectId: string;
  /** UUID */
  pkiCollectionId: string;
  name: string;
  alertBeforeDays: number;
  emails: string[];
};

export type UpdateCollectionAlert = {
  /** UUID */
  alertId: string;
  name?: string;
  alertBeforeDays?: number;
  /** UUID */
  pkiCollectionId?: string;
  emails?: string[];
};

export interface CertificateAlertsV1Api {
  /**
   * List the alerts about collections of a project.
   *
   * `GET /api/v2/workspace/{projectId}/pki-alerts`
   * Needs `read` on `pki-alerts`.
   */
  list: Query<
    {
      /** UUID */
      projectId: string;
    },
    { alerts: CollectionAlert[] }
  >;
  /**
   * Create an alert about the certificates of a collection.
   *
   * `POST /api/v1/pki/alerts`
   * Needs `create` on `pki-alerts`.
   */
  create: Mutation<CreateCollectionAlert, CollectionAlert>;
  /**
   * Read an alert about a collection.
   *
   * `GET /api/v1/pki/alerts/{alertId}`
   * Needs `read` on `pki-alerts`.
   */
  get: Query<AlertRef, CollectionAlert>;
  /**
   * Change an alert about a collection.
   *
   * `PATCH /api/v1/pki/alerts/{alertId}`
   * Needs `edit` on `pki-alerts`.
   */
  update: Mutation<UpdateCollectionAlert, CollectionAlert>;
  /**
   * Delete an alert about a collection.
   *
   * `DELETE /api/v1/pki/alerts/{alertId}`
   * Needs `delete` on `pki-alerts`.
   */
  delete: Mutation<AlertRef, CollectionAlert>;
}
