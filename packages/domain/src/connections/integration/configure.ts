import { authorize, organizationOf } from '../../access/index.ts';
import {
  conflict,
  inTransaction,
  newId,
  notFound,
  record,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { follow } from '../../secrets/commit/index.ts';
import { folderAt } from '../../secrets/folder/index.ts';
import { runAsOf } from '../../secrets/import/replication/index.ts';
import { requireMayReplaceSource } from '../../secrets/publication/index.ts';
import { secretPermissions } from '../../secrets/secret/index.ts';
import { EnvironmentEntity } from '../../secrets/environment/index.ts';
import {
  addSync,
  beginAnew,
  requestSync,
  requireMayFreeTargets,
  requireVisible,
  sealNewHashKey,
  targetOf,
  type ConfiguredSync,
  type Source,
  type SyncOptions,
} from '../sync/index.ts';
import { answer, eventData, nameOf, sourceOf } from './answer.ts';
import { authOf, lockAuth, lockIntegration, requireAuth, requireIntegration, type IntegrationRow } from './find.ts';
import { integrationPermissions } from './integration-auth.ts';
import {
  integrationCreated,
  integrationUpdated,
  type CreateIntegration,
  type IntegrationWithEnvironment,
  type UpdateIntegration,
} from './integration.ts';
import { configure, merged } from './offered.ts';
import { requireMayRunAs, requireMayUseTarget, requireReadableTarget } from './shared-target.ts';

/**
 * Creates an integration: writes a folder's secrets to a remote, now and after each change, while the caller may read
 * all of them.
 *
 * @throws DomainError 404 unknown credentials, environment or folder; 403 without the permission, or if the caller may
 * not read everything that would be written; 400 for an unsupported service, and for missing fields.
 */
export async function createIntegration(ctx: Context, input: CreateIntegration): Promise<IntegrationWithEnvironment> {
  const auth = await requireAuth(ctx, input.integrationAuthId, integrationPermissions.create);
  const { projectId, organizationId, integration } = auth;
  const source = { projectId, environment: input.sourceEnvironment, secretPath: input.secretPath };
  const given = { fields: merged({}, input), metadata: input.metadata ?? {} };
  const configured = configure(integration, given);
  const { sync, config, options } = configured;
  await requireSource(ctx, source, options);
  const use = { connection: auth, configured };
  const readable = await requireReadableTarget(ctx, use);
  return inTransaction(ctx, async (tx) => {
    await requireMayUseTarget(tx, use, source, readable);
    const { environment, folderId } = await findSource(tx, source);
    const used = await lockAuth(tx, auth.id, 'read');
    if (used.integration !== integration)
      throw conflict('integration.changed', 'The credentials have just become those of another service: ask again');
    const place = { id: newId(), organizationId, projectId };
    const row = (await addSync(tx, {
      ...place,
      connectionId: auth.id,
      destination: sync.destination,
      isActive: input.isActive,
      environmentId: environment.id,
      folderId,
      secretPath: source.secretPath,
      runAs: runAsOf(ctx) ?? null,
      ...{ config, options, given },
      hashKey: await sealNewHashKey(tx, place),
      target: targetOf(configured, place.id),
      namedPlaces: [],
    })) as IntegrationRow;
    record(tx, integrationCreated, eventData(row, source), { projectId });
    await requestSync(tx, organizationId, row.id);
    await follow(tx, { organizationId, projectId });
    return answer(tx, row);
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
  const { projectId, organizationId } = found;
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
  const { config, options } = configured;
  await requireSource(ctx, source, options);
  const before = configure(nameOf(found), found.given);
  const isLeaving =
    source.environment !== present.environment ||
    source.secretPath !== present.secretPath ||
    !isSameTarget(before, configured);
  const isAnother = isLeaving || !found.isActive || options.initialSyncBehavior !== before.options.initialSyncBehavior;
  const use = { connection: await authOf(ctx, found), configured, syncId: found.id };
  const readable = isAnother || !found.isInitialized ? await requireReadableTarget(ctx, use) : new Set<string>();
  const requireFree = isLeaving && (await requireMayFreeTargets(ctx, { projectId, syncId: found.id }));
  return inTransaction(ctx, async (tx) => {
    if (isLeaving) await requireMayReplaceSource(tx, present);
    if (isAnother) await requireMayUseTarget(tx, use, source, readable);
    else await requireMayRunAs(tx, use, source);
    // Credentials are locked before their integrations, here and where they are updated, so that there are no
    // deadlocks.
    await lockAuth(tx, found.connectionId, 'read');
    const row = await lockIntegration(tx, found.id);
    // Two concurrent updates: the later one was made without seeing the earlier one.
    if (row.updatedAt.getTime() !== found.updatedAt.getTime())
      throw conflict('integration.changed', 'The integration was changed meanwhile: ask again');
    if (requireFree) await requireFree(tx);
    const place = await findSource(tx, source);
    const target = targetOf(configured, row.id);
    const isMoved = target !== row.target;
    tx.em.assign(row, {
      ...(isActive !== undefined && { isActive }),
      environmentId: place.environment.id,
      folderId: place.folderId,
      secretPath: source.secretPath,
      runAs: runAsOf(ctx) ?? null,
      ...{ config, options, given, target },
      // It was about another source or target.
      ...(isLeaving && { isSynced: null, syncMessage: null }),
    });
    await tx.em.flush();
    if (isMoved) await beginAnew(tx, row.id);
    await requestSync(tx, organizationId, row.id);
    record(tx, integrationUpdated, eventData(row, source), { projectId });
    return answer(tx, row);
  });
}

/** Whether two configurations of one integration write the same items. */
const isSameTarget = (one: ConfiguredSync, other: ConfiguredSync): boolean =>
  one.layout.as === other.layout.as &&
  one.layout.location === other.layout.location &&
  one.options.prefix === other.options.prefix &&
  one.options.suffix === other.options.suffix;

const isSwitchingOff = ({ integrationId: _, isActive, ...others }: UpdateIntegration): boolean =>
  isActive === false && Object.values(others).every((value) => value === undefined);

async function switchOff(ctx: Context, found: IntegrationRow): Promise<IntegrationWithEnvironment> {
  const source = await sourceOf(ctx, found);
  const row = await inTransaction(ctx, async (tx) => {
    const locked = await lockIntegration(tx, found.id);
    tx.em.assign(locked, { isActive: false });
    await tx.em.flush();
    record(tx, integrationUpdated, eventData(locked, source), { projectId: locked.projectId });
    return locked;
  });
  return answer(ctx, row);
}

/** Checks the caller's rights to everything that an integration with these options will do as the caller. */
export async function requireSource(ctx: Context, source: Source, { initialSyncBehavior }: SyncOptions): Promise<void> {
  await requireVisible(ctx, source);
  if (initialSyncBehavior === 'overwrite-destination') return;
  const { projectId, environment, secretPath } = source;
  const every = { projectId, environment, secretPath, secretName: '*', secretTags: [] };
  await authorize(ctx, secretPermissions.create, every);
  if (initialSyncBehavior === 'import-prioritize-destination') await authorize(ctx, secretPermissions.edit, every);
}

async function findSource(tx: Transaction, { projectId, environment: slug, secretPath }: Source) {
  const environment = await tx.em.findOne(EnvironmentEntity, { organizationId: organizationOf(tx), projectId, slug });
  if (!environment) throw notFound('environment', { slug });
  const folder = await folderAt(tx, { projectId, environment: slug, path: secretPath });
  return { environment, folderId: folder.id };
}
