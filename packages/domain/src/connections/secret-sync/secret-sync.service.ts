import { isDeepStrictEqual } from 'node:util';
import { authorize, authorizeById, organizationOf, requireNotForbidden, unlessHidden } from '../../access/index.ts';
import { withChanges } from '../../family/index.ts';
import {
  givenFields,
  badRequest,
  conflict,
  explainConstraint,
  inTransaction,
  isId,
  notFound,
  record,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { isOutward } from '../../secrets/import/replication/index.ts';
import { connectionPermission } from '../app-connection/index.ts';
import { AppConnectionEntity, lockConnection } from '../connection/index.ts';
import { syncs } from '../registry.ts';
import {
  canImport,
  endSync,
  firstImport,
  keyEnvironmentOf,
  lockAsFound,
  placesOf,
  prepareChange,
  prepareSync,
  type ConfiguredSync,
  type OwnFields,
  type SecretSyncEntity,
  type Source,
} from '../sync/index.ts';
import { asConnection, connectionRowOf, requireMay, requireSecretSync, sourceOf, type SyncRow } from './find.ts';
import { answer } from './read.ts';
import {
  secretSyncCreated,
  secretSyncDeleted,
  secretSyncPermissions,
  secretSyncUpdated,
  type CreateSecretSync,
  type DeleteSecretSync,
  type SecretSync,
  type UpdateSecretSync,
} from './secret-sync.ts';

explainConstraint('secret_syncs_name_unique', 'A secret sync with this name already exists in the project');

/**
 * Creates a sync: writes a folder's secrets to a destination, now and after each change, while the caller may read all of
 * them.
 *
 * @throws DomainError 404 for an unknown project, environment, folder or connection; 403 without the permission to do this
 * there or to use the connection, if the caller may not read everything that would be written, if a rule forbids them to import
 * where the first sync does, and by a right that ends for one that follows changes; 400 for a connection to
 * another app, for what the destination cannot do, and `secret_syncs_name_unique`.
 */
export async function createSecretSync(
  ctx: Context,
  destination: string,
  input: CreateSecretSync,
): Promise<SecretSync> {
  const { name, description = null, connectionId, isAutoSyncEnabled } = input;
  const { projectId, environment, secretPath } = input;
  const source = { projectId, environment, secretPath };
  await authorize(ctx, secretSyncPermissions.create, source);
  const configured = configure(destination, input.destinationConfig, input.syncOptions);
  await requireMayImportFirst(ctx, source, configured);
  const connection = await requireUsable(ctx, { connectionId, projectId, configured });
  const right = { permission: secretSyncPermissions.create, fields: source };
  const add = await prepareSync(ctx, { connection: asConnection(connection), configured, source }, right);
  return inTransaction(ctx, async (tx) => {
    const row = await add(tx, { name, description, isAutoSyncEnabled }, () => requireUnchanged(tx, connection));
    record(tx, secretSyncCreated, eventData(row, source), { projectId });
    return answerFor(tx, row);
  });
}

/** @throws DomainError 400 */
function configure(destination: string, config: unknown, options: unknown): ConfiguredSync {
  const sync = syncs.require(destination);
  const configured = sync.configure(config, options);
  if (configured.options.initialSyncBehavior !== 'overwrite-destination' && !canImport(configured))
    throw badRequest(
      'secret_sync.initial_sync',
      `${sync.title} cannot be read back: initialSyncBehavior has to be overwrite-destination`,
    );
  return configured;
}

/** The first sync may import. What that writes takes the rights of that moment (see `importInto`). @throws DomainError 403 */
async function requireMayImportFirst(ctx: Context, source: Source, { options }: ConfiguredSync): Promise<void> {
  if (firstImport(options)) await requireNotForbidden(ctx, secretSyncPermissions['import-secrets'], { ...source });
}

interface Usage {
  readonly connectionId: string;
  readonly projectId: string;
  readonly configured: ConfiguredSync;
}

/** The connection, if the caller may use it for a sync of the project. @throws DomainError 404, 403, 400 */
async function requireUsable(ctx: Context, { connectionId: id, projectId, configured }: Usage) {
  const THING = 'app connection';
  const where = { id, organizationId: organizationOf(ctx), name: { $ne: null } };
  const row = isId(id) ? await ctx.em.findOne(AppConnectionEntity, where) : null;
  if (!row) throw notFound(THING);
  const place = { connectionId: id, ...(row.projectId && { projectId: row.projectId }) };
  await unlessHidden(THING, authorizeById(ctx, connectionPermission('connect', row.projectId), place));
  const { connector, title } = configured.sync;
  if (row.projectId && row.projectId !== projectId)
    throw badRequest('secret_sync.connection', 'The connection belongs to another project');
  if (row.app !== connector.app)
    throw badRequest('secret_sync.connection', `${title} takes a connection to ${connector.title}`);
  return row;
}

/** Locks the connection of a sync; what was checked is still so. @throws DomainError 400 */
async function requireUnchanged(tx: Transaction, { id, updatedAt }: AppConnectionEntity): Promise<void> {
  const row = await lockConnection(tx, id, 'read');
  if (row?.updatedAt.getTime() !== updatedAt.getTime())
    throw conflict('secret_sync.changed', 'The connection was changed meanwhile: ask again');
}

/**
 * Updates the given fields, and syncs; from then on it runs as the caller. If the target changes, items at the previous
 * target stay and are no longer managed. Another name or description, and an end of following changes, need no right to
 * read, and do not change the actor that it runs as.
 *
 * @throws DomainError as creating does.
 */
export async function updateSecretSync(
  ctx: Context,
  destination: string,
  input: UpdateSecretSync,
): Promise<SecretSync> {
  const { syncId, ...changes } = input;
  const { name, description, isAutoSyncEnabled } = changes;
  const { row: found, source: present } = await requireSecretSync(ctx, { destination, syncId }, 'edit');
  const own = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(isAutoSyncEnabled !== undefined && { isAutoSyncEnabled }),
  };
  if (isOutward(changes, 'isAutoSyncEnabled')) return renameSync(ctx, found, own);
  const { projectId } = found;
  const source = {
    projectId,
    environment: input.environment ?? present.environment,
    secretPath: input.secretPath ?? present.secretPath,
  };
  await authorize(ctx, secretSyncPermissions.edit, source);
  const before = configure(destination, found.config, found.options);
  const config = input.destinationConfig ?? found.config;
  const configured = configure(destination, config, withChanges(found.options, input.syncOptions));
  const connectionId = input.connectionId ?? found.connectionId;
  const isSameTarget = connectionId === found.connectionId && isDeepStrictEqual(before.config, configured.config);
  if (!found.isInitialized || !isSameTarget) await requireMayImportFirst(ctx, source, configured);
  // A slug that has changed since names other items only for those who may use the connection, and say what it is to write.
  const { environment, syncOptions, destinationConfig } = input;
  const isNamedAnew = [environment, syncOptions, destinationConfig].some((given) => given !== undefined);
  const named = keyEnvironmentOf(found, present);
  const keyEnvironment = isNamedAnew ? source.environment : named;
  const used = isUsedAlike(before, configured) && keyEnvironment === named && connectionId === found.connectionId;
  const connection = used
    ? await connectionRowOf(ctx, found)
    : await requireUsable(ctx, { connectionId, projectId, configured });
  const after = { connection: asConnection(connection), configured, source, keyEnvironment };
  const right = { permission: secretSyncPermissions.edit, fields: source };
  const change = await prepareChange(ctx, { found, present, before, after, right });
  return inTransaction(ctx, async (tx) => {
    const row = await change(tx, own, () => requireUnchanged(tx, connection));
    record(tx, secretSyncUpdated, { ...eventData(row, source), changed: givenFields(changes) }, { projectId });
    return answerFor(tx, row);
  });
}

/** Whether a sync does with its connection what it did before. */
const isUsedAlike = (before: ConfiguredSync, after: ConfiguredSync): boolean =>
  isDeepStrictEqual([before.config, before.options], [after.config, after.options]);

async function renameSync(ctx: Context, found: SyncRow, own: OwnFields): Promise<SecretSync> {
  return inTransaction(ctx, async (tx) => {
    const row = await lockAsFound(tx, found);
    const source = await sourceOf(tx, row as SyncRow);
    await requireMay(tx, source, 'edit');
    tx.em.assign(row, { ...own, version: row.version + 1 });
    await tx.em.flush();
    const data = { ...eventData(row, source), changed: givenFields(own) };
    record(tx, secretSyncUpdated, data, { projectId: row.projectId });
    return answerFor(tx, row);
  });
}

/**
 * Deletes a sync. Its items at the destination stay, unless they are to be removed first: then it is deleted when all of
 * them are.
 *
 * @throws DomainError 404; 403; 400 if some could not be removed, with the error of the destination; the sync then no
 * longer follows changes, and the call can be repeated, also without removing.
 */
export async function deleteSecretSync(ctx: Context, { removeSecrets, ...ref }: DeleteSecretSync): Promise<SecretSync> {
  const placed = await requireSecretSync(ctx, ref, 'delete');
  const { row, source: found } = placed;
  const { projectId } = row;
  if (removeSecrets) await requireMay(ctx, found, 'remove-secrets');
  const last = await answer(ctx, placed);
  await endSync(ctx, {
    row,
    connection: asConnection(await connectionRowOf(ctx, row)),
    isRemoving: removeSecrets,
    sourceOf: (at, present) => sourceOf(at, present as SyncRow),
    authorizeAgain: async (again, source) => {
      await requireMay(again, source, 'delete');
      if (removeSecrets) await requireMay(again, source, 'remove-secrets');
    },
    noteInactive: (tx, source) =>
      record(tx, secretSyncUpdated, { ...eventData(row, source), changed: ['isAutoSyncEnabled'] }, { projectId }),
    noteEnd: (tx, source) => record(tx, secretSyncDeleted, { ...eventData(row, source), removeSecrets }, { projectId }),
  });
  return last;
}

/** The published form of a sync that this transaction has written. */
export async function answerFor(tx: Transaction, row: SecretSyncEntity): Promise<SecretSync> {
  const [placed] = await placesOf(tx, [row as SyncRow]);
  if (!placed) throw notFound('secret sync');
  return answer(tx, placed);
}

export const eventData = (row: SecretSyncEntity, { environment, secretPath }: Source) => ({
  syncId: row.id,
  name: row.name!,
  destination: row.destination,
  connectionId: row.connectionId,
  environment,
  secretPath,
});
