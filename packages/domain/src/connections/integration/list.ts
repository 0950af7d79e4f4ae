import { z } from 'zod';
import { tryCredentials } from '../../access/index.ts';
import { badRequest, eventOf, text, type Context } from '../../kernel/index.ts';
import { openAuth, readList, systemByFields, whileWaiting } from '../connection/index.ts';
import { requireAuth } from './find.ts';
import { integrationAuthListRead, integrationPermissions, IntegrationAuthRef } from './integration-auth.ts';
import { connectorOf } from './offered.ts';

const Name = text(255).trim().min(1);
export const ListIntegrationEnvironments = IntegrationAuthRef.extend({ repoOwner: Name, repoName: Name });
export type ListIntegrationEnvironments = z.output<typeof ListIntegrationEnvironments>;
export const ListIntegrationKeys = IntegrationAuthRef.extend({ region: Name });
export type ListIntegrationKeys = z.output<typeof ListIntegrationKeys>;

const Repositories = z.object({
  repositories: z.array(z.object({ id: z.int(), name: z.string(), owner: z.object({ login: z.string() }) })),
});
const Organizations = z.object({ organizations: z.array(z.object({ id: z.int(), login: z.string() })) });
const Environments = z.object({ environments: z.array(z.object({ id: z.int(), name: z.string() })) });
const Keys = z.object({ kmsKeys: z.array(z.object({ id: z.string(), alias: z.string() })) });

/**
 * One of the lists of the app, read there with the credentials of an integration: the use is recorded before.
 *
 * @throws DomainError 404, 403; 400 if the app has no such list, cannot be reached, refuses it, or answers something else; 429.
 */
async function listOf<Answer extends z.ZodType>(
  ctx: Context,
  { integrationAuthId }: IntegrationAuthRef,
  list: string,
  answer: Answer,
  given: object = {},
): Promise<z.output<Answer>> {
  const row = await requireAuth(ctx, integrationAuthId, integrationPermissions.read);
  const connector = connectorOf(row.integration);
  const found = connector?.lists?.[list];
  if (!connector || !found)
    throw badRequest('integration_auth.no_list', `Coffer reads no ${list} with credentials of ${row.integration}`);
  const { success, data: query } = (found.query ?? z.object({})).safeParse(given);
  if (!success)
    throw badRequest('integration_auth.query', `${Object.keys(given).join(', ')}: ${connector.title} has none such`);
  const data = { integrationAuthId: row.id, integration: row.integration, list };
  const event = eventOf(integrationAuthListRead, data, { projectId: row.projectId });
  // They were stored without being tested.
  const system = systemByFields(connector, await openAuth(ctx, row, connector));
  const { organizationId, projectId } = row;
  const tried = { organizationId, projectId, what: connector.app, target: system?.name ?? connector.app };
  return tryCredentials(ctx, tried, () =>
    whileWaiting(ctx, `${connector.title} does not list ${found.what}`, async (session) =>
      answer.parse(await readList(ctx, row, connector, { list: found, query, event }, session)),
    ),
  );
}

/** The repositories, as apps. */
export async function listIntegrationApps(ctx: Context, ref: IntegrationAuthRef) {
  const { repositories } = await listOf(ctx, ref, 'repositories', Repositories);
  return repositories.map(({ id, name, owner }) => ({ name, appId: String(id), owner: owner.login }));
}

export async function listIntegrationOrganizations(ctx: Context, ref: IntegrationAuthRef) {
  const { organizations } = await listOf(ctx, ref, 'organizations', Organizations);
  return organizations.map(({ id, login }) => ({ name: login, orgId: String(id) }));
}

/** The environments of a repository. */
export async function listIntegrationEnvironments(
  ctx: Context,
  { repoOwner: owner, repoName: repo, ...ref }: ListIntegrationEnvironments,
) {
  const { environments } = await listOf(ctx, ref, 'environments', Environments, { owner, repo });
  return environments.map(({ id, name }) => ({ name, envId: String(id) }));
}

/** The KMS keys of a region, by their aliases. */
export async function listIntegrationKeys(ctx: Context, { region, ...ref }: ListIntegrationKeys) {
  return (await listOf(ctx, ref, 'kms-keys', Keys, { region })).kmsKeys;
}
