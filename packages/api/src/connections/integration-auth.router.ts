import {
  createIntegrationAuth,
  CreateIntegrationAuth,
  createIntegrationAuthByCode,
  CreateIntegrationAuthByCode,
  deleteIntegrationAuth,
  deleteIntegrationAuths,
  DeleteIntegrationAuths,
  duplicateIntegrationAuth,
  DuplicateIntegrationAuth,
  getIntegrationAuth,
  Id,
  IntegrationAuth,
  IntegrationAuthRef,
  integrationOptions,
  integrationPermissions,
  listIntegrationAuths,
  listOrganizationIntegrationAuths,
  updateIntegrationAuth,
  UpdateIntegrationAuth,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const One = z.object({ integrationAuth: IntegrationAuth });
const Many = z.object({ integrationAuth: z.array(IntegrationAuth) });
const Authorizations = z.object({ authorizations: z.array(IntegrationAuth) });
const path = '/api/v1/integration-auth' as const;
const { read, create, edit, delete: remove } = integrationPermissions;

const Option = z.object({
  name: z.string(),
  slug: z.string(),
  syncSlug: z.string().nullable(),
  clientSlug: z.string().nullable(),
  image: z.string(),
  isAvailable: z.boolean().describe('Whether secrets can be synced to this service'),
  type: z.string(),
  clientId: z.string().nullable(),
  docsLink: z.string().nullable(),
});

export const integrationAuthRouter = router({
  options: procedure
    .meta(rest('GET', `${path}/integration-options`, 'member', 'List the available integrations'))
    .input(z.object({}))
    .output(z.object({ integrationOptions: z.array(Option) }))
    .query(() => ({ integrationOptions: integrationOptions() })),
  createWithToken: procedure
    .meta(rest('POST', `${path}/access-token`, create, 'Store credentials for an integration'))
    .input(CreateIntegrationAuth)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ integrationAuth: await createIntegrationAuth(ctx, input) })),
  createWithCode: procedure
    .meta(
      rest(
        'POST',
        `${path}/oauth-token`,
        create,
        'Store credentials for an integration by an OAuth code; OAuth is not configured',
      ),
    )
    .input(CreateIntegrationAuthByCode)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ integrationAuth: await createIntegrationAuthByCode(ctx, input) })),
  list: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/workspace/{workspaceId}/authorizations',
        read,
        'List the integration credentials of a project',
      ),
    )
    .input(z.object({ workspaceId: Id }))
    .output(Authorizations)
    .query(async ({ ctx, input }) => ({
      authorizations: await listIntegrationAuths(ctx, { projectId: input.workspaceId }),
    })),
  listOfOrganization: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/organization/{organizationId}/integration-authorizations',
        'member',
        'List the integration credentials of all projects in which the caller may read them',
      ),
    )
    .input(z.object({ organizationId: Id }))
    .output(Authorizations)
    .query(async ({ ctx, input }) => ({ authorizations: await listOrganizationIntegrationAuths(ctx, input) })),
  get: procedure
    .meta(rest('GET', `${path}/{integrationAuthId}`, read, 'Read integration credentials, without secret values'))
    .input(IntegrationAuthRef)
    .output(One)
    .query(async ({ ctx, input }) => ({ integrationAuth: await getIntegrationAuth(ctx, input) })),
  update: procedure
    .meta(
      rest(
        'PATCH',
        `${path}/{integrationAuthId}`,
        edit,
        'Update integration credentials; omitted fields stay unchanged',
      ),
    )
    .input(UpdateIntegrationAuth)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ integrationAuth: await updateIntegrationAuth(ctx, input) })),
  delete: procedure
    .meta(
      rest(
        'DELETE',
        `${path}/{integrationAuthId}`,
        remove,
        'Delete integration credentials and the integrations that use them',
      ),
    )
    .input(IntegrationAuthRef)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ integrationAuth: await deleteIntegrationAuth(ctx, input) })),
  deleteMany: procedure
    .meta(rest('DELETE', path, remove, 'Delete all credentials of one service in a project'))
    .input(DeleteIntegrationAuths)
    .output(Many)
    .mutation(async ({ ctx, input }) => ({ integrationAuth: await deleteIntegrationAuths(ctx, input) })),
  duplicate: procedure
    .meta(
      rest('POST', `${path}/{integrationAuthId}/duplicate`, create, 'Copy integration credentials to another project'),
    )
    .input(DuplicateIntegrationAuth)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ integrationAuth: await duplicateIntegrationAuth(ctx, input) })),
});
