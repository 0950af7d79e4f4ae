// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { OrganizationRef } from './shared.ts';

export type CreateIncidentContact = {
  /** UUID */ organizationId: string;
  email: string;
};

export type IncidentContact = {
  /** UUID */ id: string;
  email: string;
  /** UUID */ orgId: string;
  createdAt: string;
  updatedAt: string;
};

export type IncidentContactRef = {
  /** UUID */ organizationId: string;
  /** UUID */ incidentContactId: string;
};

export interface IncidentContactsApi {
  /** List the incident contacts. `GET /api/v1/organization/{organizationId}/incidentContactOrg`. Needs `read` on `incident-contact`. */
  list: Query<OrganizationRef, { incidentContactsOrg: IncidentContact[] }>;
  /** Add an incident contact. `POST /api/v1/organization/{organizationId}/incidentContactOrg`. Needs `create` on `incident-contact`. */
  create: Mutation<CreateIncidentContact, { incidentContactsOrg: IncidentContact }>;
  /**
   * Delete an incident contact.
   * `DELETE /api/v1/organization/{organizationId}/incidentContactOrg/{incidentContactId}`. Needs `delete` on `incident-contact`.
   */
  delete: Mutation<IncidentContactRef, { incidentContactsOrg: IncidentContact }>;
}
