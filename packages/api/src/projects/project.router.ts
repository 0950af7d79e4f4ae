import {
  createProject,
  createProjectPermissions,
  CreateProject,
  deleteProject,
  endOfProject,
  FoundProjects,
  getProject,
  getProjectBySlug,
  ListedProject,
  listProjects,
  ListProjects,
  Project,
  ProjectById,
  projectPermission,
  ProjectSlug,
  searchProjects,
  SearchProjects,
  settingsPermissions,
  updateProject,
  UpdateProject,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const One = z.object({ project: Project });

export const projectRouter = router({
  create: procedure
    .meta(
      rest('POST', '/api/v1/projects', createProjectPermissions, 'Create a project', {
        aliases: ['/api/v2/workspace'],
      }),
    )
    .input(CreateProject)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ project: await createProject(ctx, input) })),
  list: procedure
    .meta(rest('GET', '/api/v1/projects', 'member', 'List the projects that the caller is a member of'))
    .input(ListProjects)
    .output(z.object({ projects: z.array(ListedProject) }))
    .query(async ({ ctx, input }) => ({ projects: await listProjects(ctx, input) })),
  search: procedure
    .meta(
      rest('POST', '/api/v1/workspace/search', 'member', 'Search projects by name', {
        aliases: ['/api/v1/projects/search'],
      }),
    )
    .input(SearchProjects)
    .output(FoundProjects)
    .mutation(({ ctx, input }) => searchProjects(ctx, input)),
  get: procedure
    .meta(rest('GET', '/api/v1/projects/{projectId}', 'member', 'Read a project'))
    .input(ProjectById)
    .output(One)
    .query(async ({ ctx, input }) => ({ project: await getProject(ctx, input) })),
  getBySlug: procedure
    .meta(
      rest('GET', '/api/v1/projects/slug/{slug}', 'member', 'Read a project by its slug', {
        aliases: ['/api/v1/workspace/slug/{slug}', '/api/v2/workspace/{slug}'],
      }),
    )
    .input(z.object({ slug: ProjectSlug }))
    .output(Project)
    .query(({ ctx, input }) => getProjectBySlug(ctx, input)),
  update: procedure
    .meta(rest('PATCH', '/api/v1/projects/{projectId}', settingsPermissions.edit, 'Update a project'))
    .input(UpdateProject)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ project: await updateProject(ctx, input) })),
  delete: procedure
    .meta(rest('DELETE', '/api/v1/projects/{projectId}', projectPermission.delete, 'Delete a project and all its data'))
    .input(ProjectById)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ project: await deleteProject(ctx, input, endOfProject) })),
});
