import {
  AuditActor,
  AuditCheckpoint,
  AuditLogPage,
  ListAuditActors,
  listAuditActors,
  ListAuditLog,
  listAuditLog,
  ListProjectAuditLog,
  listProjectAuditLog,
  organizationPermissions,
  projectPermissions,
  readCheckpoint,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const ofProject = projectPermissions('audit-logs');
const ofOrganization = organizationPermissions('audit-logs');

export const auditLogRouter = router({
  list: procedure
    // Asks by itself: what is visible depends on the caller's rights in the organization and in each of its projects.
    .meta(
      rest(
        'GET',
        '/api/v1/organization/audit-logs',
        'member',
        'Read the audit log of the organization, or of one project',
        {
          description:
            'With `audit-logs: read-all` of the organization: every event. With `audit-logs: read`: those of the projects that the caller belongs to and has `audit-logs: read` in, and its own events that belong to no project.',
        },
      ),
    )
    .input(ListAuditLog)
    .output(AuditLogPage)
    .query(({ ctx, input }) => listAuditLog(ctx, input)),
  listOfProject: procedure
    .meta(rest('GET', '/api/v1/workspace/{workspaceId}/audit-logs', ofProject.read, 'Read the audit log of a project'))
    .input(ListProjectAuditLog)
    .output(AuditLogPage)
    .query(({ ctx, input }) => listProjectAuditLog(ctx, input)),
  actors: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/workspace/{workspaceId}/audit-logs/filters/actors',
        ofProject.read,
        'List who acted in a project',
      ),
    )
    .input(ListAuditActors)
    .output(z.object({ actors: z.array(AuditActor) }))
    .query(async ({ ctx, input }) => ({ actors: await listAuditActors(ctx, input) })),
  checkpoint: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/organization/audit-logs/checkpoint',
        ofOrganization.read,
        'Read the newest signed link of the audit log',
      ),
    )
    .input(z.object({}))
    .output(z.object({ checkpoint: AuditCheckpoint }))
    .query(async ({ ctx }) => ({ checkpoint: await readCheckpoint(ctx) })),
});
