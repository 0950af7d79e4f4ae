import {
  createProjectTemplate,
  CreateProjectTemplate,
  deleteProjectTemplate,
  getProjectTemplate,
  listProjectTemplates,
  ListProjectTemplates,
  ProjectTemplate,
  ProjectTemplateRef,
  templatePermissions as permissions,
  updateProjectTemplate,
  UpdateProjectTemplate,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const base = '/api/v1/project-templates';
const one = `${base}/{templateId}` as const;
const One = z.object({ projectTemplate: ProjectTemplate });

/** What new projects of the organization can start with. */
export const projectTemplateRouter = router({
  list: procedure
    .meta(rest('GET', base, permissions.read, 'List the project templates, built-in templates first'))
    .input(ListProjectTemplates)
    .output(z.object({ projectTemplates: z.array(ProjectTemplate) }))
    .query(async ({ ctx, input }) => ({ projectTemplates: await listProjectTemplates(ctx, input) })),
  create: procedure
    .meta(rest('POST', base, permissions.create, 'Create a project template'))
    .input(CreateProjectTemplate)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ projectTemplate: await createProjectTemplate(ctx, input) })),
  get: procedure
    .meta(rest('GET', one, permissions.read, 'Read a project template'))
    .input(ProjectTemplateRef)
    .output(One)
    .query(async ({ ctx, input }) => ({ projectTemplate: await getProjectTemplate(ctx, input) })),
  update: procedure
    .meta(rest('PATCH', one, permissions.edit, 'Update a project template; existing projects stay unchanged'))
    .input(UpdateProjectTemplate)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ projectTemplate: await updateProjectTemplate(ctx, input) })),
  delete: procedure
    .meta(rest('DELETE', one, permissions.delete, 'Delete a project template; existing projects stay unchanged'))
    .input(ProjectTemplateRef)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ projectTemplate: await deleteProjectTemplate(ctx, input) })),
});
