import {
  createProjectIdentity,
  CreateProjectIdentity,
  deleteProjectIdentity,
  getProjectIdentity,
  listProjectIdentities,
  ListProjectIdentities,
  ProjectIdentity,
  projectIdentityPermissions as permissions,
  ProjectIdentityRef,
  updateProjectIdentity,
  UpdateProjectIdentity,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const base = '/api/v1/projects/{projectId}/identities';
const one = `${base}/{identityId}` as const;
const One = z.object({ identity: ProjectIdentity });

/** The machine identities that belong to a project. */
export const projectIdentityRouter = router({
  list: procedure
    .meta(rest('GET', base, permissions.read, 'List the machine identities that a project owns'))
    .input(ListProjectIdentities)
    .output(z.object({ identities: z.array(ProjectIdentity), totalCount: z.int() }))
    .query(({ ctx, input }) => listProjectIdentities(ctx, input)),
  create: procedure
    .meta(
      rest('POST', base, permissions.create, 'Create a machine identity that a project owns', {
        plannable: true,
      }),
    )
    .input(CreateProjectIdentity)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ identity: await createProjectIdentity(ctx, input) })),
  get: procedure
    .meta(rest('GET', one, permissions.read, 'Read a machine identity that a project owns'))
    .input(ProjectIdentityRef)
    .output(One)
    .query(async ({ ctx, input }) => ({ identity: await getProjectIdentity(ctx, input) })),
  update: procedure
    .meta(rest('PATCH', one, permissions.edit, 'Update a machine identity that a project owns', { plannable: true }))
    .input(UpdateProjectIdentity)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ identity: await updateProjectIdentity(ctx, input) })),
  delete: procedure
    .meta(
      rest('DELETE', one, permissions.delete, 'Delete a machine identity that a project owns and revoke its tokens', {
        plannable: true,
      }),
    )
    .input(ProjectIdentityRef)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ identity: await deleteProjectIdentity(ctx, input) })),
});
