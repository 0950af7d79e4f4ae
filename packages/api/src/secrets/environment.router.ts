import {
  createEnvironment,
  CreateEnvironment,
  deleteEnvironment,
  DeletedEnvironment,
  Environment,
  environmentPermissions,
  EnvironmentsOfProject,
  getEnvironment,
  getEnvironmentById,
  Id,
  listDeletedEnvironments,
  RESTORABLE_DAYS,
  NamedEnvironment,
  requireMayFreeTargets,
  restoreEnvironment,
  updateEnvironment,
  UpdateEnvironment,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const One = z.object({ environment: Environment });
const Changed = One.extend({ message: z.string(), workspace: z.string().describe('The ID of the project') });

const changed = (message: string, environment: Environment) => ({
  message,
  workspace: environment.projectId,
  environment,
});

export const environmentRouter = router({
  create: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/projects/{projectId}/environments',
        environmentPermissions.create,
        'Create an environment',
        {
          aliases: ['/api/v1/workspace/{projectId}/environments'],
        },
      ),
    )
    .input(CreateEnvironment)
    .output(Changed)
    .mutation(async ({ ctx, input }) =>
      changed('Successfully created new environment', await createEnvironment(ctx, input)),
    ),
  update: procedure
    .meta(
      rest(
        'PATCH',
        '/api/v1/projects/{projectId}/environments/{id}',
        environmentPermissions.edit,
        'Update an environment or its position',
        {
          aliases: ['/api/v1/workspace/{projectId}/environments/{id}'],
        },
      ),
    )
    .input(UpdateEnvironment)
    .output(Changed)
    .mutation(async ({ ctx, input }) =>
      changed('Successfully updated environment', await updateEnvironment(ctx, input)),
    ),
  delete: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v1/projects/{projectId}/environments/{id}',
        environmentPermissions.delete,
        'Delete an environment with its folders and secrets',
        {
          aliases: ['/api/v1/workspace/{projectId}/environments/{id}'],
        },
      ),
    )
    .input(NamedEnvironment)
    .output(Changed)
    .mutation(async ({ ctx, input }) =>
      changed('Successfully deleted environment', await deleteEnvironment(ctx, input, requireMayFreeTargets)),
    ),
  get: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/projects/{projectId}/environments/{id}',
        environmentPermissions.read,
        'Read an environment',
        {
          aliases: ['/api/v1/workspace/{projectId}/environments/{id}'],
        },
      ),
    )
    .input(NamedEnvironment)
    .output(One)
    .query(async ({ ctx, input }) => ({ environment: await getEnvironment(ctx, input) })),
  getById: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/projects/environments/{id}',
        environmentPermissions.read,
        'Read an environment by its ID alone',
        {
          aliases: ['/api/v1/workspace/environments/{id}'],
        },
      ),
    )
    .input(z.object({ id: Id }))
    .output(One)
    .query(async ({ ctx, input }) => ({ environment: await getEnvironmentById(ctx, input) })),
  listDeleted: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/projects/{projectId}/environments/deleted',
        environmentPermissions.read,
        'List the deleted environments that can be restored',
      ),
    )
    .input(EnvironmentsOfProject)
    .output(z.object({ environments: z.array(DeletedEnvironment) }))
    .query(async ({ ctx, input }) => ({ environments: await listDeletedEnvironments(ctx, input) })),
  restore: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/projects/{projectId}/environments/{id}/restore',
        environmentPermissions.create,
        `Restore an environment that was deleted in the last ${RESTORABLE_DAYS} days`,
        {
          description:
            'Restores its folders, secrets (with the personal values of all users) and imports, and the imports from it. Does not restore dynamic secrets, replications, webhooks, integrations and policies.',
          aliases: ['/api/v1/workspace/{projectId}/environments/{id}/restore'],
        },
      ),
    )
    .input(NamedEnvironment)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ environment: await restoreEnvironment(ctx, input) })),
});
