import {
  accessAllProjects,
  AllProjects,
  requestEntry,
  RequestEntry,
  EnteredMembership,
  enterProject,
  listAllProjects,
  ListAllProjects,
  MembersOfProject,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router, USERS, Workspace } from '../kernel/index.ts';

const base = '/api/v1/organization-admin/projects';

/** Ways into a project without being added: those who may enter all projects directly, others by a request. */
export const projectEntryRouter = router({
  list: procedure
    .meta(rest('GET', base, accessAllProjects, 'List all projects of the organization'))
    .input(ListAllProjects)
    .output(AllProjects)
    .query(({ ctx, input }) => listAllProjects(ctx, input)),
  enter: procedure
    .meta(
      rest(
        'POST',
        `${base}/{projectId}/grant-admin-access`,
        accessAllProjects,
        'Join a project of the organization as its administrator',
        { plannable: true },
      ),
    )
    .input(MembersOfProject)
    .output(z.object({ membership: EnteredMembership }))
    .mutation(async ({ ctx, input }) => ({ membership: await enterProject(ctx, input) })),
  ask: procedure
    .meta(
      rest('POST', '/api/v1/workspace/{workspaceId}/project-access', 'member', 'Request access to a project', {
        actors: USERS,
        strictlyLimited: true,
        description:
          'The administrators of the project get an e-mail. The response does not reveal whether the project exists.',
      }),
    )
    .input(RequestEntry.omit({ projectId: true }).extend(Workspace.shape))
    .output(z.object({ message: z.string() }))
    .mutation(async ({ ctx, input: { workspaceId: projectId, ...input } }) => {
      await requestEntry(ctx, { projectId, ...input });
      return { message: 'If your organization has this project, its administrators get your request' };
    }),
});
