// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export type IncidentContact = { id: string; email: string; orgId: string; createdAt: string; updatedAt: string };

export interface IncidentContactsApi {
  /** List the incident contacts. `GET /api/v1/organization/{organizationId}/incidentContactOrg`. Needs `read` on `incident-contact`. */
  list: Query<{ organizationId: string }, { incidentContactsOrg: IncidentContact[] }>;
  /** Add an incident contact. `POST /api/v1/organization/{organizationId}/incidentContactOrg`. Needs `create` on `incident-contact`. */
  create: Mutation<{ organizationId: string; email: string }, { incidentContactsOrg: IncidentContact }>;
  /**
   * Delete an incident contact.
   * `DELETE /api/v1/organization/{organizationId}/incidentContactOrg/{incidentContactId}`. Needs `delete` on `incident-contact`.
   */
  delete: Mutation<{ organizationId: string; incidentContactId: string }, { incidentContactsOrg: IncidentContact }>;
}
