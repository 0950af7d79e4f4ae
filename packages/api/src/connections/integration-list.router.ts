import {
  IntegrationAuthRef,
  integrationPermissions,
  listIntegrationApps,
  ListIntegrationEnvironments,
  listIntegrationEnvironments,
  ListIntegrationKeys,
  listIntegrationKeys,
  listIntegrationOrganizations,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const path = '/api/v1/integration-auth/{integrationAuthId}' as const;
const { read } = integrationPermissions;

/** What is at a service, read there with stored credentials. */
export const integrationListRouter = router({
  apps: procedure
    .meta(rest('GET', `${path}/apps`, read, 'List the repositories that integration credentials reach'))
    .input(IntegrationAuthRef)
    .output(z.object({ apps: z.array(z.object({ name: z.string(), appId: z.string(), owner: z.string() })) }))
    .query(async ({ ctx, input }) => ({ apps: await listIntegrationApps(ctx, input) })),
  organizations: procedure
    .meta(rest('GET', `${path}/github/orgs`, read, 'List the GitHub organizations that integration credentials reach'))
    .input(IntegrationAuthRef)
    .output(z.object({ orgs: z.array(z.object({ name: z.string(), orgId: z.string() })) }))
    .query(async ({ ctx, input }) => ({ orgs: await listIntegrationOrganizations(ctx, input) })),
  environments: procedure
    .meta(rest('GET', `${path}/github/envs`, read, 'List the environments of a GitHub repository'))
    .input(ListIntegrationEnvironments)
    .output(z.object({ envs: z.array(z.object({ name: z.string(), envId: z.string() })) }))
    .query(async ({ ctx, input }) => ({ envs: await listIntegrationEnvironments(ctx, input) })),
  kmsKeys: procedure
    .meta(rest('GET', `${path}/aws-secrets-manager/kms-keys`, read, 'List the keys of AWS KMS in a region'))
    .input(ListIntegrationKeys)
    .output(z.object({ kmsKeys: z.array(z.object({ id: z.string(), alias: z.string() })) }))
    .query(async ({ ctx, input }) => ({ kmsKeys: await listIntegrationKeys(ctx, input) })),
});
