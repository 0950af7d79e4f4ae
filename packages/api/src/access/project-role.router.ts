import {
  createRole,
  CreateProjectRole,
  deleteRole,
  getRoleBySlug,
  Id,
  listProjectRoles,
  ProjectRole,
  projectRolePermissions as permissions,
  ProjectRoleSummary,
  RoleById,
  RoleBySlug,
  updateProjectRole,
  UpdateProjectRole,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const ofProject = z.object({ projectId: Id });
const One = z.object({ role: ProjectRole });

export const projectRoleRouter = router({
  list: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/projects/{projectId}/roles',
        permissions.read,
        'List the roles of a project, built-in roles first',
        {
          aliases: ['/api/v2/workspace/{projectId}/roles'],
        },
      ),
    )
    .input(ofProject)
    .output(z.object({ roles: z.array(ProjectRoleSummary) }))
    .query(async ({ ctx, input }) => ({ roles: await listProjectRoles(ctx, input) })),
  create: procedure
    .meta(
      rest('POST', '/api/v1/projects/{projectId}/roles', permissions.create, 'Create a project role', {
        plannable: true,
        aliases: ['/api/v2/workspace/{projectId}/roles'],
      }),
    )
    .input(CreateProjectRole.extend(ofProject.shape))
    .output(One)
    .mutation(async ({ ctx, input }) => ({ role: await createRole(ctx, input) })),
  getBySlug: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/projects/{projectId}/roles/slug/{roleSlug}',
        permissions.read,
        'Read a project role by its slug',
        {
          aliases: ['/api/v2/workspace/{projectId}/roles/slug/{roleSlug}'],
        },
      ),
    )
    .input(RoleBySlug.extend(ofProject.shape))
    .output(One)
    .query(async ({ ctx, input }) => ({ role: await getRoleBySlug(ctx, input) })),
  update: procedure
    .meta(
      rest(
        'PATCH',
        '/api/v1/projects/{projectId}/roles/{roleId}',
        permissions.edit,
        'Update a project role; the change applies from the next request',
        { plannable: true, aliases: ['/api/v2/workspace/{projectId}/roles/{roleId}'] },
      ),
    )
    .input(UpdateProjectRole.extend(RoleById.shape).extend(ofProject.shape))
    .output(One)
    .mutation(async ({ ctx, input }) => ({ role: await updateProjectRole(ctx, input) })),
  delete: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v1/projects/{projectId}/roles/{roleId}',
        permissions.delete,
        'Delete a project role that is not assigned',
        { plannable: true, aliases: ['/api/v2/workspace/{projectId}/roles/{roleId}'] },
      ),
    )
    .input(RoleById.extend(ofProject.shape))
    .output(One)
    .mutation(async ({ ctx, input }) => ({ role: await deleteRole(ctx, input) })),
});
