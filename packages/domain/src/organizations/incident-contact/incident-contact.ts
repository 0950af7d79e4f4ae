import { z } from 'zod';
import { defineEvent, Email, Id, Timestamps, Uuid } from '../../kernel/schema.ts';

/** An address to notify of incidents in the organization. */
export const IncidentContact = z.object({ id: Uuid, email: z.string(), orgId: Uuid, ...Timestamps.shape });
export type IncidentContact = z.output<typeof IncidentContact>;

export const CreateIncidentContact = z.object({ organizationId: Id, email: Email });
export type CreateIncidentContact = z.output<typeof CreateIncidentContact>;
export const IncidentContactRef = z.object({ organizationId: Id, incidentContactId: Id });
export type IncidentContactRef = z.output<typeof IncidentContactRef>;

const ContactEvent = z.object({ incidentContactId: z.string(), email: z.string() });
export const incidentContactCreated = defineEvent('incident_contact.created', 'create-incident-contact', ContactEvent);
export const incidentContactDeleted = defineEvent('incident_contact.deleted', 'delete-incident-contact', ContactEvent);
