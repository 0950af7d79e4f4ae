import { authorize, organizationOf, requireLasting } from '../../access/index.ts';
import type { SealedRow } from '../../crypto/index.ts';
import { badRequest, inTransaction, newId, record, type Context, type Transaction } from '../../kernel/index.ts';
import {
  addConnection,
  INTEGRATION_AUTH_FIELDS,
  NO_FIELDS,
  NO_ORIGIN,
  openAuth,
  sealAuth,
  type IntegrationAuthField,
  type IntegrationAuthFields,
  type Origin,
} from '../connection/index.ts';
import { originOfCopies } from '../sync/index.ts';
import { toAuth } from './answer.ts';
import { requireAuth, type AuthRow } from './find.ts';
import {
  integrationAuthCopied,
  integrationAuthorized,
  integrationPermissions,
  type CreateIntegrationAuth,
  type CreateIntegrationAuthByCode,
  type DuplicateIntegrationAuth,
  type IntegrationAuth,
} from './integration-auth.ts';
import { connectorOf, requirePublished } from './offered.ts';
import { requireMayCopy } from './copied-credentials.ts';

export type Given = Partial<Record<IntegrationAuthField | 'refreshToken', string | undefined>>;

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
 * Copies credentials to another project of the organization. Its members can then use them for any place that no
 * integration of this project writes, so this needs the right to create integrations in both. The copy keeps the projects
 * that it comes from.
 *
 * @throws DomainError 404, 403: also if the caller may not read and write what the integrations of this project write to
 * the system that they reach; ApprovalNeeded.
 */
export async function duplicateIntegrationAuth(
  ctx: Context,
  { integrationAuthId, projectId }: DuplicateIntegrationAuth,
): Promise<IntegrationAuth> {
  const found = await requireAuth(ctx, integrationAuthId, integrationPermissions.create);
  // A copy outlasts a temporary right to use the original.
  await requireLasting(ctx, found.projectId, { permission: integrationPermissions.create, fields: {} });
  await authorize(ctx, integrationPermissions.create, { projectId });
  const { integration } = found;
  const requireMayCopyIn = await requireMayCopy(ctx, found);
  const fields = await openAuth(ctx, found, connectorOf(integration));
  return inTransaction(ctx, async (tx) => {
    await requireMayCopyIn(tx);
    const row = await addAuth(tx, { projectId, integration }, fields, originOfCopies(found));
    const data = { integrationAuthId: row.id, integration, copyOf: found.id };
    record(tx, integrationAuthorized, data, { projectId });
    const copied = { integrationAuthId: found.id, integration, copyId: row.id, copyProjectId: projectId };
    record(tx, integrationAuthCopied, copied, { projectId: found.projectId });
    return toAuth(row);
  });
}

async function addAuth(
  tx: Transaction,
  { projectId, integration }: { projectId: string; integration: string },
  fields: IntegrationAuthFields,
  origin: Origin = NO_ORIGIN,
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
export async function stored(
  tx: Transaction,
  place: SealedRow,
  integration: string,
  fields: IntegrationAuthFields,
  { connectionId: origin, projectIds }: Origin,
) {
  const connector = connectorOf(integration);
  const { url, namespace } = fields;
  return {
    app: connector?.app ?? integration,
    given: { url, namespace, ...(origin !== undefined && { origin }) },
    originProjectIds: [...projectIds],
    credentials: await sealAuth(tx, place, connector, fields),
  };
}

/** The fields that a caller named; nothing is as good as an empty text. */
export const given = (input: Given): Partial<IntegrationAuthFields> =>
  Object.fromEntries(
    INTEGRATION_AUTH_FIELDS.flatMap((name) =>
      input[name] === undefined ? [] : [[name, input[name] || null] as const],
    ),
  );

export function refuseRefreshToken(integration: string, { refreshToken }: Given): void {
  if (!refreshToken) return;
  throw badRequest(
    'integration_auth.no_exchange',
    `Refresh tokens of ${integration} are not exchanged here: send the token itself as accessToken`,
  );
}
