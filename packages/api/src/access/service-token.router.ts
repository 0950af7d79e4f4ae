import {
  CreatedServiceToken,
  CreateServiceToken,
  createServiceToken,
  deleteServiceToken,
  getOwnServiceToken,
  Id,
  listServiceTokens,
  OwnServiceToken,
  ServiceToken,
  serviceTokenPermissions as permissions,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router, USERS, Workspace } from '../kernel/index.ts';

/** Legacy tokens, which belong to one project. */
export const serviceTokenRouter = router({
  create: procedure
    .meta(rest('POST', '/api/v2/service-token', permissions.create, 'Create a service token', { actors: USERS }))
    .input(CreateServiceToken)
    .output(CreatedServiceToken)
    .mutation(({ ctx, input }) => createServiceToken(ctx, input)),
  own: procedure
    .meta(
      rest('GET', '/api/v2/service-token', 'member', 'Read the service token of the caller', { actors: ['service'] }),
    )
    .input(z.object({}))
    .output(OwnServiceToken)
    .query(({ ctx }) => getOwnServiceToken(ctx)),
  list: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/workspace/{workspaceId}/service-token-data',
        permissions.read,
        'List the service tokens of a project',
      ),
    )
    .input(Workspace)
    .output(z.object({ serviceTokenData: z.array(ServiceToken) }))
    .query(async ({ ctx, input }) => ({
      serviceTokenData: await listServiceTokens(ctx, { projectId: input.workspaceId }),
    })),
  delete: procedure
    .meta(rest('DELETE', '/api/v2/service-token/{serviceTokenId}', permissions.delete, 'Delete a service token'))
    .input(z.object({ serviceTokenId: Id }))
    .output(z.object({ serviceTokenData: ServiceToken }))
    .mutation(async ({ ctx, input }) => ({ serviceTokenData: await deleteServiceToken(ctx, input) })),
});
