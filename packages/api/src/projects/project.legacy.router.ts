import {
  deleteProject,
  endOfProject,
  getProject,
  ListedProject,
  listProjects,
  ListProjects,
  Project,
  ProjectChanges,
  projectIdBySlug,
  projectPermission,
  ProjectSlug,
  settingsPermissions,
  updateProject,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router, Workspace } from '../kernel/index.ts';

const BySlug = z.object({ slug: ProjectSlug });
const One = z.object({ workspace: Project });
const Changed = z.object({ message: z.string(), workspace: Project });

/** Projects were workspaces once. */
export const projectLegacyRouter = router({
  list: procedure
    .meta(
      rest('GET', '/api/v1/workspace', 'member', 'List the projects that the caller is a member of', {
        deprecated: true,
      }),
    )
    .input(ListProjects)
    .output(z.object({ workspaces: z.array(ListedProject) }))
    .query(async ({ ctx, input }) => ({ workspaces: await listProjects(ctx, input) })),
  get: procedure
    .meta(rest('GET', '/api/v1/workspace/{workspaceId}', 'member', 'Read a project', { deprecated: true }))
    .input(Workspace)
    .output(One)
    .query(async ({ ctx, input }) => ({ workspace: await getProject(ctx, { projectId: input.workspaceId }) })),
  update: procedure
    .meta(
      rest('PATCH', '/api/v1/workspace/{workspaceId}', settingsPermissions.edit, 'Update a project', {
        deprecated: true,
      }),
    )
    .input(ProjectChanges.omit({ auditLogsRetentionDays: true }).extend(Workspace.shape))
    .output(One)
    .mutation(async ({ ctx, input: { workspaceId, ...changes } }) => ({
      workspace: await updateProject(ctx, { projectId: workspaceId, ...changes }),
    })),
  delete: procedure
    .meta(
      rest('DELETE', '/api/v1/workspace/{workspaceId}', projectPermission.delete, 'Delete a project and all its data', {
        deprecated: true,
      }),
    )
    .input(Workspace)
    .output(One)
    .mutation(async ({ ctx, input }) => ({
      workspace: await deleteProject(ctx, { projectId: input.workspaceId }, endOfProject),
    })),
  rename: procedure
    .meta(
      rest('POST', '/api/v1/workspace/{workspaceId}/name', settingsPermissions.edit, 'Rename a project', {
        deprecated: true,
      }),
    )
    .input(ProjectChanges.pick({ name: true }).required().extend(Workspace.shape))
    .output(Changed)
    .mutation(async ({ ctx, input }) => ({
      message: 'Successfully changed workspace name',
      workspace: await updateProject(ctx, { projectId: input.workspaceId, name: input.name }),
    })),
  setAutoCapitalization: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/workspace/{workspaceId}/auto-capitalization',
        settingsPermissions.edit,
        'Set whether secret names are capitalized',
        { deprecated: true },
      ),
    )
    .input(ProjectChanges.pick({ autoCapitalization: true }).required().extend(Workspace.shape))
    .output(Changed)
    .mutation(async ({ ctx, input }) => ({
      message: 'Successfully changed workspace settings',
      workspace: await updateProject(ctx, {
        projectId: input.workspaceId,
        autoCapitalization: input.autoCapitalization,
      }),
    })),
  setVersionLimit: procedure
    .meta(
      rest(
        'PUT',
        '/api/v1/workspace/{workspaceSlug}/version-limit',
        projectPermission.edit,
        'Set how many versions of a secret are kept',
      ),
    )
    .input(ProjectChanges.pick({ pitVersionLimit: true }).required().extend({ workspaceSlug: ProjectSlug }))
    .output(Changed)
    .mutation(async ({ ctx, input }) => ({
      message: 'Successfully changed workspace version limit',
      workspace: await updateProject(ctx, {
        projectId: await projectIdBySlug(ctx, input.workspaceSlug),
        pitVersionLimit: input.pitVersionLimit,
      }),
    })),
  setAuditLogsRetention: procedure
    .meta(
      rest(
        'PUT',
        '/api/v1/workspace/{workspaceSlug}/audit-logs-retention',
        projectPermission.edit,
        'Set the retention of audit events',
      ),
    )
    .input(ProjectChanges.pick({ auditLogsRetentionDays: true }).required().extend({ workspaceSlug: ProjectSlug }))
    .output(Changed)
    .mutation(async ({ ctx, input }) => ({
      message: "Successfully updated project's audit logs retention period",
      workspace: await updateProject(ctx, {
        projectId: await projectIdBySlug(ctx, input.workspaceSlug),
        auditLogsRetentionDays: input.auditLogsRetentionDays,
      }),
    })),
  updateBySlug: procedure
    .meta(rest('PATCH', '/api/v2/workspace/{slug}', settingsPermissions.edit, 'Update a project', { deprecated: true }))
    .input(ProjectChanges.pick({ name: true, description: true, autoCapitalization: true }).extend(BySlug.shape))
    .output(Project)
    .mutation(async ({ ctx, input: { slug, ...changes } }) =>
      updateProject(ctx, { projectId: await projectIdBySlug(ctx, slug), ...changes }),
    ),
  deleteBySlug: procedure
    .meta(
      rest('DELETE', '/api/v2/workspace/{slug}', projectPermission.delete, 'Delete a project and all its data', {
        deprecated: true,
      }),
    )
    .input(BySlug)
    .output(Project)
    .mutation(async ({ ctx, input }) =>
      deleteProject(ctx, { projectId: await projectIdBySlug(ctx, input.slug) }, endOfProject),
    ),
});
