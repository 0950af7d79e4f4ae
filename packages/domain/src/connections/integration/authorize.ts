import { authorize, organizationOf } from '../../access/index.ts';
import { mergeConfiguration } from '../../family/index.ts';
import { badRequest, inTransaction, newId, record, type Context, type Transaction } from '../../kernel/index.ts';
import { toAuth } from './answer.ts';
import { beginAnew } from './claim.ts';
import { readCredentials } from './destination.ts';
import { lockAuth, requireAuth, unlessNotFound, usesOf } from './find.ts';
import { IntegrationAuthEntity } from './integration-auth.entity.ts';
import {
  integrationAuthorized,
  integrationAuthUpdated,
  integrationPermissions,
  type CreateIntegrationAuth,
  type CreateIntegrationAuthByCode,
  type DuplicateIntegrationAuth,
  type IntegrationAuth,
  type IntegrationCredentials,
  type UpdateIntegrationAuth,
} from './integration-auth.ts';
import { requestSync } from './queue.ts';
import { destinations, requirePublished } from './registry.ts';
import { requireVisible } from './source.ts';
import { openCredentials, sealCredentials } from './stored.ts';

const CREDENTIALS = ['accessId', 'accessToken', 'awsAssumeIamRoleArn', 'url', 'namespace'] as const;
type Given = Partial<Record<(typeof CREDENTIALS)[number] | 'refreshToken', string | undefined>>;

/**
 * Keeps credentials of another service, a new row each time. They are not tried.
 *
 * @throws DomainError 404 for an unknown project; 403; 400 for an unknown integration, for what the integration needs
 * and lacks, and for a refresh token that nobody exchanges.
 */
export async function createIntegrationAuth(ctx: Context, input: CreateIntegrationAuth): Promise<IntegrationAuth> {
  const { workspaceId: projectId, integration } = input;
  await authorize(ctx, integrationPermissions.create, { projectId });
  requirePublished(integration);
  refuseRefreshToken(integration, input);
  const credentials = credentialsOf(input);
  requireComplete(integration, credentials);
  return inTransaction(ctx, async (tx) => {
    const row = await addAuth(tx, { projectId, integration }, credentials);
    const data = { integrationAuthId: row.id, integration };
    record(tx, integrationAuthorized, data, { projectId });
    return toAuth(row);
  });
}

/**
 * For services that authorize by a code of OAuth. None is configured, so all of them are told what to do instead.
 *
 * @throws DomainError 404, 403, 400: always one of them.
 */
export async function createIntegrationAuthByCode(
  ctx: Context,
  { workspaceId: projectId, integration }: CreateIntegrationAuthByCode,
): Promise<never> {
  await authorize(ctx, integrationPermissions.create, { projectId });
  requirePublished(integration);
  throw badRequest(
    'integration_auth.no_oauth',
    `No OAuth application is configured for ${integration}: send a token to /api/v1/integration-auth/access-token`,
  );
}

/** The fields that say where the credential is sent, or as whom: whoever changes one gives the credential again. */
const LEADING = ['url', 'namespace', 'awsAssumeIamRoleArn', 'integration'] as const;
const SENT_TO = new Map([['accessToken', { sentTo: LEADING }]]);

/**
 * Changes what is given; an empty text takes a field away. The integrations with these credentials are synced anew.
 *
 * @throws DomainError 400 where the credential would go elsewhere and is not given again, as on creating, and where it
 * would become one of another service while integrations use it; 403 also where the caller could not read what those
 * integrations write.
 */
export async function updateIntegrationAuth(ctx: Context, input: UpdateIntegrationAuth): Promise<IntegrationAuth> {
  const { integrationAuthId, integration: wanted } = input;
  const found = await requireAuth(ctx, integrationAuthId, integrationPermissions.edit);
  if (wanted !== undefined) requirePublished(wanted);
  refuseRefreshToken(wanted ?? found.integration, input);
  const uses = await usesOf(ctx, found.id);
  for (const { environment, secretPath } of uses)
    // Where a folder is gone, the right to it was asked for before that was found out.
    await requireVisible(ctx, { projectId: found.projectId, environment, secretPath }).catch(unlessNotFound);
  return inTransaction(ctx, async (tx) => {
    const row = await lockAuth(tx, found.id);
    const users = await usesOf(tx, row.id);
    // Somebody began to use it in between: what that one writes was not asked about.
    if (users.some(({ id }) => !uses.some((use) => use.id === id)))
      throw badRequest('integration_auth.in_use', 'An integration has just begun to use this: ask again');
    const before = await openCredentials(tx, row);
    const integration = wanted ?? row.integration;
    if (integration !== row.integration && users.length > 0)
      throw badRequest('integration_auth.in_use', 'Integrations use this: it stays what it is');
    const old = { ...before, integration: row.integration };
    const changes = { ...given(input), integration };
    const after = mergeConfiguration(SENT_TO, old, changes, 'integration_auth.credential_needed');
    const isMoved = LEADING.some((name) => after[name] !== old[name]);
    requireComplete(integration, after);
    tx.em.assign(row, {
      integration,
      url: after.url,
      namespace: after.namespace,
      sealed: await sealCredentials(tx, row, after),
    });
    await tx.em.flush();
    for (const { id } of users) {
      if (isMoved) await beginAnew(tx, id);
      await requestSync(tx, row.organizationId, id);
    }
    const changed = CREDENTIALS.filter((name) => after[name] !== before[name]);
    record(
      tx,
      integrationAuthUpdated,
      { integrationAuthId: row.id, integration, changed },
      { projectId: row.projectId },
    );
    return toAuth(row);
  });
}

/**
 * Copies credentials to another project of the organization. Whoever uses them there can reach what integrations of this
 * project have written, so it takes the right to make integrations in both.
 */
export async function duplicateIntegrationAuth(
  ctx: Context,
  { integrationAuthId, projectId }: DuplicateIntegrationAuth,
): Promise<IntegrationAuth> {
  const found = await requireAuth(ctx, integrationAuthId, integrationPermissions.create);
  await authorize(ctx, integrationPermissions.create, { projectId });
  const credentials = await openCredentials(ctx, found);
  return inTransaction(ctx, async (tx) => {
    const row = await addAuth(tx, { projectId, integration: found.integration }, credentials);
    const data = { integrationAuthId: row.id, integration: row.integration, copyOf: found.id };
    record(tx, integrationAuthorized, data, { projectId });
    return toAuth(row);
  });
}

async function addAuth(
  tx: Transaction,
  { projectId, integration }: { projectId: string; integration: string },
  credentials: IntegrationCredentials,
): Promise<IntegrationAuthEntity> {
  const place = { id: newId(), organizationId: organizationOf(tx), projectId };
  const { url, namespace } = credentials;
  const sealed = await sealCredentials(tx, place, credentials);
  const row = tx.em.create(IntegrationAuthEntity, { ...place, integration, url, namespace, sealed });
  await tx.em.persist(row).flush();
  return row;
}

/** The credentials that a caller named; nothing is as good as an empty text. */
const given = (input: Given): Partial<IntegrationCredentials> =>
  Object.fromEntries(
    CREDENTIALS.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name] || null] as const])),
  );

const credentialsOf = (input: Given): IntegrationCredentials => ({
  accessId: null,
  accessToken: null,
  awsAssumeIamRoleArn: null,
  url: null,
  namespace: null,
  ...given(input),
});

/** Of a service that is not offered nothing is known: what is given is kept. */
function requireComplete(integration: string, credentials: IntegrationCredentials): void {
  const destination = destinations.find(integration);
  if (destination) readCredentials(destination, credentials);
}

function refuseRefreshToken(integration: string, { refreshToken }: Given): void {
  if (!refreshToken) return;
  throw badRequest(
    'integration_auth.no_exchange',
    `Refresh tokens of ${integration} are not exchanged here: send the token itself as accessToken`,
  );
}
