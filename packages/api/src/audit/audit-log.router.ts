import {
  AuditActor,
  AuditCheckpoint,
  AuditEventTypes,
  AuditLogPage,
  ListAuditActors,
  listAuditActors,
  ListAuditLog,
  listAuditEventTypes,
  listAuditLog,
  ListProjectAuditLog,
  listProjectAuditLog,
  organizationPermissions,
  projectPermissions,
  readCheckpoint,
  requestAuditLogVerification,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const ofProject = projectPermissions('audit-logs');
const ofOrganization = organizationPermissions('audit-logs');

export const auditLogRouter = router({
  list: procedure
    // The service checks permissions: visibility depends on the caller's rights in the organization and in each of its
    // projects.
    .meta(
      rest(
        'GET',
        '/api/v1/organization/audit-logs',
        'member',
        'List audit events of the organization or of one project',
        {
          description:
            "With `audit-logs: read-all` in the organization: all events. With `audit-logs: read`: the events of each project in which the caller is a member and holds `audit-logs: read`, and the caller's own events that belong to no project.",
        },
      ),
    )
    .input(ListAuditLog)
    .output(AuditLogPage)
    .query(({ ctx, input }) => listAuditLog(ctx, input)),
  listOfProject: procedure
    .meta(
      rest('GET', '/api/v1/workspace/{workspaceId}/audit-logs', ofProject.read, 'List the audit events of a project'),
    )
    .input(ListProjectAuditLog)
    .output(AuditLogPage)
    .query(({ ctx, input }) => listProjectAuditLog(ctx, input)),
  actors: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/workspace/{workspaceId}/audit-logs/filters/actors',
        ofProject.read,
        'List the actors in the audit log of a project',
      ),
    )
    .input(ListAuditActors)
    .output(z.object({ actors: z.array(AuditActor) }))
    .query(async ({ ctx, input }) => ({ actors: await listAuditActors(ctx, input) })),
  eventTypes: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/organization/audit-logs/event-types',
        'member',
        'List the types of events that audit logs may have',
      ),
    )
    .input(z.object({}))
    .output(AuditEventTypes)
    .query(() => listAuditEventTypes()),
  verify: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/organization/audit-logs/verify',
        ofOrganization['read-all'],
        'Start a verification of the whole audit log',
        { description: 'The result is an event `verify-audit-log` of the log.' },
      ),
    )
    .input(z.object({}))
    .output(z.object({ message: z.string() }))
    .mutation(async ({ ctx }) => {
      await requestAuditLogVerification(ctx);
      return { message: 'The verification has been requested' };
    }),
  checkpoint: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/organization/audit-logs/checkpoint',
        ofOrganization.read,
        'Read the newest signed checkpoint of the audit log',
      ),
    )
    .input(z.object({}))
    .output(z.object({ checkpoint: AuditCheckpoint }))
    .query(async ({ ctx }) => ({ checkpoint: await readCheckpoint(ctx) })),
});
