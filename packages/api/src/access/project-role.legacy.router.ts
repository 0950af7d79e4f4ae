import {
  createRole,
  CreateProjectRole,
  deleteRole,
  getRoleBySlug,
  listProjectRoles,
  projectIdBySlug,
  ProjectRole,
  projectRolePermissions as permissions,
  ProjectRoleSummary,
  ProjectSlug,
  RoleById,
  updateProjectRole,
  UpdateProjectRole,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const ofProject = z.object({ projectSlug: ProjectSlug });
const One = z.object({ role: ProjectRole });

/** The roles of a project that is named by its slug. */
export const projectRoleLegacyRouter = router({
  list: procedure
    .meta(
      rest('GET', '/api/v1/workspace/{projectSlug}/roles', permissions.read, 'List the roles of a project', {
        deprecated: true,
      }),
    )
    .input(ofProject)
    .output(z.object({ roles: z.array(ProjectRoleSummary) }))
    .query(async ({ ctx, input }) => ({
      roles: await listProjectRoles(ctx, { projectId: await projectIdBySlug(ctx, input.projectSlug) }),
    })),
  create: procedure
    .meta(
      rest('POST', '/api/v1/workspace/{projectSlug}/roles', permissions.create, 'Create a project role', {
        plannable: true,
        deprecated: true,
      }),
    )
    .input(CreateProjectRole.extend(ofProject.shape))
    .output(One)
    .mutation(async ({ ctx, input: { projectSlug, ...role } }) => ({
      role: await createRole(ctx, { ...role, projectId: await projectIdBySlug(ctx, projectSlug) }),
    })),
  getBySlug: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/workspace/{projectSlug}/roles/slug/{slug}',
        permissions.read,
        'Read a project role by its slug',
        { deprecated: true },
      ),
    )
    .input(z.object({ slug: z.string().trim().min(1) }).extend(ofProject.shape))
    .output(One)
    .query(async ({ ctx, input }) => ({
      role: await getRoleBySlug(ctx, {
        roleSlug: input.slug,
        projectId: await projectIdBySlug(ctx, input.projectSlug),
      }),
    })),
  update: procedure
    .meta(
      rest('PATCH', '/api/v1/workspace/{projectSlug}/roles/{roleId}', permissions.edit, 'Update a project role', {
        plannable: true,
        deprecated: true,
      }),
    )
    .input(UpdateProjectRole.extend(RoleById.shape).extend(ofProject.shape))
    .output(One)
    .mutation(async ({ ctx, input: { projectSlug, ...changes } }) => ({
      role: await updateProjectRole(ctx, { ...changes, projectId: await projectIdBySlug(ctx, projectSlug) }),
    })),
  delete: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v1/workspace/{projectSlug}/roles/{roleId}',
        permissions.delete,
        'Delete a project role that is not assigned',
        { plannable: true, deprecated: true },
      ),
    )
    .input(RoleById.extend(ofProject.shape))
    .output(One)
    .mutation(async ({ ctx, input }) => ({
      role: await deleteRole(ctx, { roleId: input.roleId, projectId: await projectIdBySlug(ctx, input.projectSlug) }),
    })),
});
