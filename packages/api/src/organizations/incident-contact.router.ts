import {
  CreateIncidentContact,
  createIncidentContact,
  deleteIncidentContact,
  IncidentContact,
  IncidentContactRef,
  listIncidentContacts,
  organizationPermissions,
  OrganizationRef,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const contacts = organizationPermissions('incident-contact');
const Wrapped = z.object({ incidentContactsOrg: IncidentContact });

export const incidentContactRouter = router({
  list: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/organization/{organizationId}/incidentContactOrg',
        contacts.read,
        'List the incident contacts',
      ),
    )
    .input(OrganizationRef)
    .output(z.object({ incidentContactsOrg: z.array(IncidentContact) }))
    .query(async ({ ctx, input }) => ({ incidentContactsOrg: await listIncidentContacts(ctx, input) })),
  create: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/organization/{organizationId}/incidentContactOrg',
        contacts.create,
        'Add an incident contact',
      ),
    )
    .input(CreateIncidentContact)
    .output(Wrapped)
    .mutation(async ({ ctx, input }) => ({ incidentContactsOrg: await createIncidentContact(ctx, input) })),
  delete: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v1/organization/{organizationId}/incidentContactOrg/{incidentContactId}',
        contacts.delete,
        'Delete an incident contact',
      ),
    )
    .input(IncidentContactRef)
    .output(Wrapped)
    .mutation(async ({ ctx, input }) => ({ incidentContactsOrg: await deleteIncidentContact(ctx, input) })),
});
