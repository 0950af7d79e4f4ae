import { requireLasting } from '../../access/index.ts';
import { mergeConfiguration } from '../../family/index.ts';
import { badRequest, DomainError, inTransaction, record, type Context, type Transaction } from '../../kernel/index.ts';
import { runAsOf } from '../../secrets/import/replication/index.ts';
import { requireMayEndSource } from '../../secrets/publication/index.ts';
import { INTEGRATION_AUTH_FIELDS, NO_ORIGIN, openAuth, secretFieldsOf, systemByFields } from '../connection/index.ts';
import {
  beginAnew,
  configuredAs,
  lockTargets,
  requestSync,
  requireMayFreeTargets,
  requireMayRunAs,
  requireMayUseTarget,
  requireSource,
  runAllAs,
  syncsBy,
  type OtherSync,
} from '../sync/index.ts';
import { toAuth } from './answer.ts';
import { given, refuseRefreshToken, stored } from './authorize.ts';
import { lockAuth, requireAuth, type AuthRow } from './find.ts';
import {
  integrationAuthUpdated,
  integrationPermissions,
  type IntegrationAuth,
  type UpdateIntegrationAuth,
} from './integration-auth.ts';
import { connectorOf, requirePublished } from './offered.ts';

/**
 * The fields that determine the target or the identity of the credential: a change of one requires the credential
 * again.
 */
const LEADING = ['url', 'namespace', 'awsAssumeIamRoleArn', 'integration'] as const;
const SENT_TO = new Map([
  ['accessToken', { sentTo: LEADING }],
  ['accessId', { sentTo: ['url'] }],
]);

/**
 * Updates the given fields; an empty string removes a field. The integrations with these credentials sync again, and run
 * as the caller from then on.
 *
 * @throws DomainError 400 if the target changes and the credential is not given again, as on creation, if it would
 * become a credential of another service while integrations use it, and if the source of one of these is gone; 403 also
 * if the caller may not read what those integrations write, may edit integrations only for a time, or, with other credentials,
 * may not delete them.
 */
export async function updateIntegrationAuth(ctx: Context, input: UpdateIntegrationAuth): Promise<IntegrationAuth> {
  const { integrationAuthId, integration: wanted } = input;
  const found = await requireAuth(ctx, integrationAuthId, integrationPermissions.edit);
  if (wanted !== undefined) requirePublished(wanted);
  refuseRefreshToken(wanted ?? found.integration, input);
  const users = await syncsBy(ctx, found.id);
  for (const user of users) await requireSource(ctx, user, user.options).catch(refuseGone);
  const { before, after, integration, isMoved, isGivenAgain } = await changeOf(ctx, found, input);
  if (integration !== found.integration && users.length > 0)
    throw badRequest('integration_auth.in_use', 'Integrations use this: it stays what it is');
  const requireFree =
    isMoved && (await requireMayFreeTargets(ctx, { projectId: found.projectId, connectionId: found.id }));
  const changed = INTEGRATION_AUTH_FIELDS.filter((name) => after[name] !== before[name]);
  return inTransaction(ctx, async (tx) => {
    await lockTargets(tx);
    const row = await lockAuth(tx, found.id);
    const isAsFound = row.updatedAt.getTime() === found.updatedAt.getTime();
    // The caller's right to what another integration writes was not checked.
    if (!isAsFound || (await syncsBy(tx, row.id)).some(({ id }) => !users.some((user) => user.id === id)))
      throw badRequest(
        'integration_auth.changed',
        'This was changed, or used by another integration, meanwhile: ask again',
      );
    const { projectId } = found;
    const right = { permission: integrationPermissions.edit, fields: { projectId } };
    if (users.some(({ isActive }) => isActive)) await requireLasting(tx, projectId, right);
    if (requireFree) await requireFree(tx);
    // Other credentials end what is published with these, and may separate copies that are known to reach the same.
    if (changed.length > 0) for (const user of users) await requireMayEndSource(tx, user);
    // Whoever gives all secrets again has the credentials without the copy.
    const isCopy = !isGivenAgain || (!isMoved && users.length > 0);
    const origin = isCopy ? { connectionId: row.given?.origin, projectIds: row.originProjectIds } : NO_ORIGIN;
    tx.em.assign(row, { integration, ...(await stored(tx, row, integration, after, origin)) });
    await tx.em.flush();
    await runAllAs(tx, row.id, runAsOf(tx));
    for (const user of users) {
      await requireMayUse(tx, row, user, isMoved);
      if (isMoved) await beginAnew(tx, user.id);
      await requestSync(tx, row.organizationId, user.id);
    }
    const data = { integrationAuthId: row.id, integration, changed };
    record(tx, integrationAuthUpdated, data, { projectId: row.projectId });
    return toAuth(row);
  });
}

/**
 * The fields that an update results in, whether these reach another target, for all that is known, and whether the caller
 * gives all that is secret in them.
 */
async function changeOf(ctx: Context, row: AuthRow, input: UpdateIntegrationAuth) {
  const integration = input.integration ?? row.integration;
  const before = await openAuth(ctx, row, connectorOf(row.integration));
  const old = { ...before, integration: row.integration };
  const changes = { ...given(input), integration };
  const after = mergeConfiguration(SENT_TO, old, changes, 'integration_auth.credential_needed');
  const connector = connectorOf(integration);
  const isMoved =
    LEADING.some((name) => after[name] !== old[name]) ||
    (connector && systemByFields(connector, after)?.name !== systemByFields(connector, before)?.name) === true;
  const isGivenAgain = secretFieldsOf(connector, after).every((name) => changes[name] !== undefined);
  return { before, after, integration, isMoved, isGivenAgain };
}

/** Checks the rights of the caller, as whom an integration will run, at the target that it has by these credentials. */
async function requireMayUse(tx: Transaction, auth: AuthRow, sync: OtherSync, isMoved: boolean): Promise<void> {
  const configured = configuredAs(sync);
  if (!configured) return;
  const { id: syncId, keyEnvironment } = sync;
  const use = { connection: auth, configured, source: sync, keyEnvironment, syncId };
  // Whether it may import there is asked by its first sync.
  await (isMoved ? requireMayUseTarget(tx, use) : requireMayRunAs(tx, use));
}

function refuseGone(error: unknown): never {
  if (!(error instanceof DomainError && error.kind === 'not_found')) throw error;
  throw badRequest(
    'integration_auth.source_gone',
    'The source of an integration with these credentials is gone: delete that integration, or lead it to another folder, first',
  );
}
