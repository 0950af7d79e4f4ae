import { authorize, organizationOf } from '../../access/index.ts';
import type { SealedRow } from '../../crypto/index.ts';
import { mergeConfiguration } from '../../family/index.ts';
import { badRequest, inTransaction, newId, record, type Context, type Transaction } from '../../kernel/index.ts';
import { requireMayReplaceSource } from '../../secrets/publication/index.ts';
import {
  addConnection,
  INTEGRATION_AUTH_FIELDS,
  NO_FIELDS,
  openAuth,
  sealAuth,
  type Connector,
  type IntegrationAuthField,
  type IntegrationAuthFields,
} from '../connection/index.ts';
import { beginAnew, requestSync } from '../sync/index.ts';
import { toAuth } from './answer.ts';
import { requireSource } from './configure.ts';
import { lockAuth, requireAuth, unlessNotFound, usesOf, type AuthRow } from './find.ts';
import {
  integrationAuthorized,
  integrationAuthUpdated,
  integrationPermissions,
  type CreateIntegrationAuth,
  type CreateIntegrationAuthByCode,
  type DuplicateIntegrationAuth,
  type IntegrationAuth,
  type UpdateIntegrationAuth,
} from './integration-auth.ts';
import { integrations, requirePublished } from './offered.ts';
import { originOf, requireMayCopy } from './shared-target.ts';

type Given = Partial<Record<IntegrationAuthField | 'refreshToken', string | undefined>>;

/** Nothing if the service is not supported: its fields are unknown and stored as given. */
const connectorOf = (integration: string): Connector | undefined => integrations.find(integration)?.sync.connector;

/**
 * Stores credentials of a remote, always as a new row. They are not tested.
 *
 * @throws DomainError 404 for an unknown project; 403; 400 for an unknown integration, for missing fields, and for a
 * refresh token, which Coffer does not exchange.
 */
export async function createIntegrationAuth(ctx: Context, input: CreateIntegrationAuth): Promise<IntegrationAuth> {
  const { workspaceId: projectId, integration } = input;
  await authorize(ctx, integrationPermissions.create, { projectId });
  requirePublished(integration);
  refuseRefreshToken(integration, input);
  const fields = { ...NO_FIELDS, ...given(input) };
  return inTransaction(ctx, async (tx) => {
    const row = await addAuth(tx, { projectId, integration }, fields);
    const data = { integrationAuthId: row.id, integration };
    record(tx, integrationAuthorized, data, { projectId });
    return toAuth(row);
  });
}

/**
 * For services with OAuth authorization codes. None is configured, so the error names the alternative.
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

/**
 * The fields that determine the target or the identity of the credential: a change of one requires the credential
 * again.
 */
const LEADING = ['url', 'namespace', 'awsAssumeIamRoleArn', 'integration'] as const;
const SENT_TO = new Map([['accessToken', { sentTo: LEADING }]]);

/**
 * Updates the given fields; an empty string removes a field. The integrations with these credentials sync again.
 *
 * @throws DomainError 400 if the target changes and the credential is not given again, as on creation, and if it would
 * become a credential of another service while integrations use it; 403 also if the caller may not read what those
 * integrations write.
 */
export async function updateIntegrationAuth(ctx: Context, input: UpdateIntegrationAuth): Promise<IntegrationAuth> {
  const { integrationAuthId, integration: wanted } = input;
  const found = await requireAuth(ctx, integrationAuthId, integrationPermissions.edit);
  if (wanted !== undefined) requirePublished(wanted);
  refuseRefreshToken(wanted ?? found.integration, input);
  const uses = await usesOf(ctx, found.id);
  const { projectId } = found;
  for (const { environment, secretPath, options } of uses)
    // If a folder was deleted, the right to it was checked before.
    await requireSource(ctx, { projectId, environment, secretPath }, options).catch(unlessNotFound);
  return inTransaction(ctx, async (tx) => {
    const row = await lockAuth(tx, found.id);
    const users = await usesOf(tx, row.id);
    // An integration that started to use it meanwhile: the caller's right to what it writes was not checked.
    if (users.some(({ id }) => !uses.some((use) => use.id === id)))
      throw badRequest('integration_auth.in_use', 'An integration has just begun to use this: ask again');
    const before = await openAuth(tx, row, connectorOf(row.integration));
    const integration = wanted ?? row.integration;
    if (integration !== row.integration && users.length > 0)
      throw badRequest('integration_auth.in_use', 'Integrations use this: it stays what it is');
    const old = { ...before, integration: row.integration };
    const changes = { ...given(input), integration };
    const after = mergeConfiguration(SENT_TO, old, changes, 'integration_auth.credential_needed');
    const isMoved = LEADING.some((name) => after[name] !== old[name]);
    if (isMoved) for (const use of users) await requireMayReplaceSource(tx, { projectId, ...use });
    const isSameCredential = after.accessToken === before.accessToken;
    const origin = isSameCredential ? row.given?.origin : undefined;
    tx.em.assign(row, { integration, ...(await stored(tx, row, integration, after, origin)) });
    await tx.em.flush();
    for (const { id } of users) {
      if (isMoved) await beginAnew(tx, id);
      await requestSync(tx, row.organizationId, id);
    }
    const changed = INTEGRATION_AUTH_FIELDS.filter((name) => after[name] !== before[name]);
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
 * Copies credentials to another project of the organization. Its members can then reach what integrations of this
 * project have written, so this needs the right to create integrations in both.
 */
export async function duplicateIntegrationAuth(
  ctx: Context,
  { integrationAuthId, projectId }: DuplicateIntegrationAuth,
): Promise<IntegrationAuth> {
  const found = await requireAuth(ctx, integrationAuthId, integrationPermissions.create);
  await authorize(ctx, integrationPermissions.create, { projectId });
  const { integration } = found;
  const requireMayCopyIn = await requireMayCopy(ctx, found);
  const fields = await openAuth(ctx, found, connectorOf(integration));
  return inTransaction(ctx, async (tx) => {
    await requireMayCopyIn(tx);
    const row = await addAuth(tx, { projectId, integration }, fields, originOf(found));
    const data = { integrationAuthId: row.id, integration, copyOf: found.id };
    record(tx, integrationAuthorized, data, { projectId });
    return toAuth(row);
  });
}

async function addAuth(
  tx: Transaction,
  { projectId, integration }: { projectId: string; integration: string },
  fields: IntegrationAuthFields,
  origin?: string,
): Promise<AuthRow> {
  const place = { id: newId(), organizationId: organizationOf(tx), projectId };
  const row = await addConnection(tx, {
    ...place,
    integration,
    ...(await stored(tx, place, integration, fields, origin)),
  });
  return row as AuthRow;
}

/**
 * The stored form of the fields of an integration authentication.
 *
 * @throws DomainError 400 for missing fields.
 */
async function stored(
  tx: Transaction,
  place: SealedRow,
  integration: string,
  fields: IntegrationAuthFields,
  origin?: string,
) {
  const connector = connectorOf(integration);
  const { url, namespace } = fields;
  return {
    app: connector?.app ?? integration,
    given: { url, namespace, ...(origin !== undefined && { origin }) },
    credentials: await sealAuth(tx, place, connector, fields),
  };
}

/** The fields that a caller named; nothing is as good as an empty text. */
const given = (input: Given): Partial<IntegrationAuthFields> =>
  Object.fromEntries(
    INTEGRATION_AUTH_FIELDS.flatMap((name) =>
      input[name] === undefined ? [] : [[name, input[name] || null] as const],
    ),
  );

function refuseRefreshToken(integration: string, { refreshToken }: Given): void {
  if (!refreshToken) return;
  throw badRequest(
    'integration_auth.no_exchange',
    `Refresh tokens of ${integration} are not exchanged here: send the token itself as accessToken`,
  );
}
