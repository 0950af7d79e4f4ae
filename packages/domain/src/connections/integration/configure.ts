import { givenFields, conflict, inTransaction, record, type Context } from '../../kernel/index.ts';
import { lockSync, prepareChange, prepareSync } from '../sync/index.ts';
import { answer, eventData, nameOf, sourceOf } from './answer.ts';
import { authOf, lockAuth, requireAuth, requireIntegration, type IntegrationRow } from './find.ts';
import { integrationPermissions } from './integration-auth.ts';
import {
  integrationCreated,
  integrationUpdated,
  type CreateIntegration,
  type IntegrationWithEnvironment,
  type UpdateIntegration,
} from './integration.ts';
import { configure, merged } from './offered.ts';

/**
 * Creates an integration: writes a folder's secrets to a remote, now and after each change, while the caller may read
 * all of them.
 *
 * @throws DomainError 404 unknown credentials, environment or folder; 403 without the permission, or by one that ends unless
 * it is switched off, or if the caller may not read everything that would be written; 400 for an unsupported service, and for missing fields.
 */
export async function createIntegration(ctx: Context, input: CreateIntegration): Promise<IntegrationWithEnvironment> {
  const auth = await requireAuth(ctx, input.integrationAuthId, integrationPermissions.create);
  const { projectId, integration } = auth;
  const source = { projectId, environment: input.sourceEnvironment, secretPath: input.secretPath };
  const given = { fields: merged({}, input), metadata: input.metadata ?? {} };
  const configured = configure(integration, given);
  const right = { permission: integrationPermissions.create, fields: { projectId } };
  const add = await prepareSync(ctx, { connection: auth, configured, source }, right);
  return inTransaction(ctx, async (tx) => {
    const row = await add(tx, { isActive: input.isActive, given }, async () => {
      const used = await lockAuth(tx, auth.id, 'read');
      if (used.integration !== integration)
        throw conflict('integration.changed', 'The credentials have just become those of another service: ask again');
    });
    record(tx, integrationCreated, eventData(row as IntegrationRow, source), { projectId });
    return answer(tx, row as IntegrationRow);
  });
}

/**
 * Updates the given fields, and syncs; from then on it runs as the caller. If the target changes, items at the previous
 * target stay and are no longer managed. Disabling needs no right to read, and does not change the actor that it runs
 * as.
 *
 * @throws DomainError as creating does.
 */
export async function updateIntegration(ctx: Context, input: UpdateIntegration): Promise<IntegrationWithEnvironment> {
  const { integrationId, environment, secretPath, isActive, metadata } = input;
  const found = await requireIntegration(ctx, integrationId, integrationPermissions.edit);
  if (isSwitchingOff(input)) return switchOff(ctx, found);
  const { projectId } = found;
  const present = await sourceOf(ctx, found);
  const source = {
    projectId,
    environment: environment ?? present.environment,
    secretPath: secretPath ?? present.secretPath,
  };
  const given = {
    fields: merged(found.given.fields, input),
    metadata: { ...found.given.metadata, ...metadata },
  };
  const configured = configure(nameOf(found), given);
  const before = configure(nameOf(found), found.given);
  const after = { connection: await authOf(ctx, found), configured, source };
  const right = { permission: integrationPermissions.edit, fields: { projectId } };
  const change = await prepareChange(ctx, { found, present, before, after, right });
  return inTransaction(ctx, async (tx) => {
    const own = { ...(isActive !== undefined && { isActive }), given };
    const row = (await change(tx, own, () => lockAuth(tx, found.connectionId, 'read'))) as IntegrationRow;
    const { integrationId: _, ...changes } = input;
    record(tx, integrationUpdated, { ...eventData(row, source), changed: givenFields(changes) }, { projectId });
    return answer(tx, row);
  });
}

const isSwitchingOff = ({ integrationId: _, isActive, ...others }: UpdateIntegration): boolean =>
  isActive === false && Object.values(others).every((value) => value === undefined);

async function switchOff(ctx: Context, found: IntegrationRow): Promise<IntegrationWithEnvironment> {
  const source = await sourceOf(ctx, found);
  const row = await inTransaction(ctx, async (tx) => {
    const locked = (await lockSync(tx, found.id)) as IntegrationRow;
    tx.em.assign(locked, { isActive: false });
    await tx.em.flush();
    const data = { ...eventData(locked, source), changed: ['isActive'] };
    record(tx, integrationUpdated, data, { projectId: locked.projectId });
    return locked;
  });
  return answer(ctx, row);
}
