// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export type CollectionAlert = {
  id: string;
  createdAt: string;
  updatedAt: string;
  projectId: string;
  pkiCollectionId: string;
  name: string;
  alertBeforeDays: number;
  /** Comma-separated */ recipientEmails: string;
};

export type CreateCollectionAlert = { projectId: string; pkiCollectionId: string; name: string; alertBeforeDays: number; emails: string[] };

export type UpdateCollectionAlert = { alertId: string; name?: string; alertBeforeDays?: number; pkiCollectionId?: string; emails?: string[] };

export interface CertificateAlertsV1Api {
  /** List the collection alerts of a project. `GET /api/v2/workspace/{projectId}/pki-alerts`. Needs `read` on `pki-alerts`. */
  list: Query<{ projectId: string }, { alerts: CollectionAlert[] }>;
  /** Create a collection alert. `POST /api/v1/pki/alerts`. Needs `create` on `pki-alerts`. */
  create: Mutation<CreateCollectionAlert, CollectionAlert>;
  /** Read a collection alert. `GET /api/v1/pki/alerts/{alertId}`. Needs `read` on `pki-alerts`. */
  get: Query<{ alertId: string }, CollectionAlert>;
  /** Update a collection alert. `PATCH /api/v1/pki/alerts/{alertId}`. Needs `edit` on `pki-alerts`. */
  update: Mutation<UpdateCollectionAlert, CollectionAlert>;
  /** Delete a collection alert. `DELETE /api/v1/pki/alerts/{alertId}`. Needs `delete` on `pki-alerts`. */
  delete: Mutation<{ alertId: string }, CollectionAlert>;
}
