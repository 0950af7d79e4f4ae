import {
  createIntegration,
  CreateIntegration,
  deleteIntegration,
  DeleteIntegration,
  getIntegration,
  Id,
  Integration,
  integrationPermissions,
  IntegrationRef,
  IntegrationWithEnvironment,
  listIntegrations,
  syncIntegrationNow,
  updateIntegration,
  UpdateIntegration,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const One = z.object({ integration: IntegrationWithEnvironment });
/** Where the published answer has no environment. */
const Bare = z.object({ integration: Integration });
const path = '/api/v1/integration' as const;
const { read, create, edit, delete: remove } = integrationPermissions;

export const integrationRouter = router({
  list: procedure
    .meta(rest('GET', '/api/v1/workspace/{workspaceId}/integrations', read, 'List the integrations of a project'))
    .input(z.object({ workspaceId: Id }))
    .output(z.object({ integrations: z.array(IntegrationWithEnvironment) }))
    .query(async ({ ctx, input }) => ({ integrations: await listIntegrations(ctx, { projectId: input.workspaceId }) })),
  create: procedure
    .meta(rest('POST', path, create, 'Create an integration that syncs the secrets of a folder to a service'))
    .input(CreateIntegration)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ integration: await createIntegration(ctx, input) })),
  get: procedure
    .meta(rest('GET', `${path}/{integrationId}`, read, 'Read an integration with the result of its last sync'))
    .input(IntegrationRef)
    .output(One)
    .query(async ({ ctx, input }) => ({ integration: await getIntegration(ctx, input) })),
  update: procedure
    .meta(rest('PATCH', `${path}/{integrationId}`, edit, 'Update an integration; omitted fields stay unchanged'))
    .input(UpdateIntegration)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ integration: await updateIntegration(ctx, input) })),
  delete: procedure
    .meta(rest('DELETE', `${path}/{integrationId}`, remove, 'Delete an integration'))
    .input(DeleteIntegration)
    .output(Bare)
    .mutation(async ({ ctx, input }) => ({ integration: await deleteIntegration(ctx, input) })),
  sync: procedure
    .meta(rest('POST', `${path}/{integrationId}/sync`, edit, 'Start a sync of an integration'))
    .input(IntegrationRef)
    .output(Bare)
    .mutation(async ({ ctx, input }) => ({ integration: await syncIntegrationNow(ctx, input) })),
});
