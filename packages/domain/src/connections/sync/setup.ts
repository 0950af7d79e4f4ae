import { LockMode } from '@mikro-orm/core';
import { organizationOf, requireLasting, type AskedRight } from '../../access/index.ts';
import { conflict, newId, notFound, type Context, type Transaction } from '../../kernel/index.ts';
import { follow } from '../../secrets/commit/index.ts';
import { EnvironmentEntity } from '../../secrets/environment/index.ts';
import { holdFolderAt } from '../../secrets/folder/index.ts';
import { runAsOf } from '../../secrets/import/replication/index.ts';
import { requireMayReplaceSource } from '../../secrets/publication/index.ts';
import { sealNewHashKey } from './hash.ts';
import { endsOf } from './naming.ts';
import type { TargetUse } from './others.ts';
import { requestSync } from './queue.ts';
import { beginAnew } from './run.ts';
import {
  requireMayRunAs,
  requireMayUseTarget,
  requireReadableTarget,
  requireSource,
  type Readable,
} from './shared-target.ts';
import type { Source } from './source.ts';
import { addSync } from './stored.ts';
import { SecretSyncEntity } from './sync.entity.ts';
import type { ConfiguredSync } from './sync.ts';
import { requireMayFreeTargets } from './target-rights.ts';
import { targetOf } from './target.ts';

/** What a sync has besides what the engine needs. */
export type OwnFields = Partial<
  Pick<SecretSyncEntity, 'name' | 'description' | 'given' | 'isActive' | 'isAutoSyncEnabled'>
>;

/** What creating and changing a sync write, in the transaction of their event. */
export type Setup = (
  tx: Transaction,
  own: OwnFields,
  /** Locks the connection, before the sync. @throws DomainError if it is not as expected any more. */
  requireConnection: (tx: Transaction) => Promise<unknown>,
) => Promise<SecretSyncEntity>;

/**
 * Prepares a sync that writes a folder's secrets to a target, now and after each change, while the caller may read all of
 * them.
 *
 * @param right By which the caller sets it up; that the caller has it now was checked.
 * @returns What adds it, in a transaction.
 * @throws DomainError 404 for an unknown environment or folder; 403 if the caller may not read everything that would be
 * written, or not write what others write there, and by a right that ends if it follows changes.
 */
export async function prepareSync(ctx: Context, use: TargetUse, right: AskedRight): Promise<Setup> {
  const { connection, configured, source, keyEnvironment = source.environment } = use;
  await requireSource(ctx, source, configured.options);
  const readable = await requireReadableTarget(ctx, use);
  return async (tx, own, requireConnection) => {
    await requireMayUseTarget(tx, use, readable);
    const { environment, folderId } = await findSource(tx, source);
    await requireConnection(tx);
    const { projectId, secretPath } = source;
    const place = { id: newId(), organizationId: organizationOf(tx), projectId };
    const { config, options } = configured;
    const running = { isActive: true, isAutoSyncEnabled: true, ...own };
    await requireMayFollow(tx, projectId, running, right);
    const row = await addSync(tx, {
      ...place,
      ...running,
      connectionId: connection.id,
      destination: configured.sync.destination,
      ...{ environmentId: environment.id, folderId, secretPath, keyEnvironment, config, options },
      runAs: runAsOf(tx) ?? null,
      hashKey: await sealNewHashKey(tx, place),
      target: targetOf(configured, place.id),
      namedPlaces: [],
    });
    if (row.isAutoSyncEnabled) await requestSync(tx, place.organizationId, row.id);
    await follow(tx, { organizationId: place.organizationId, projectId });
    return row;
  };
}

/**
 * A sync that follows changes runs again and again: each run checks the right to read its source, and not the right by
 * which it was set up.
 *
 * @throws DomainError 403 `PermissionBoundaryError`
 */
async function requireMayFollow(
  tx: Transaction,
  projectId: string,
  { isActive, isAutoSyncEnabled }: Pick<SecretSyncEntity, 'isActive' | 'isAutoSyncEnabled'>,
  right: AskedRight,
): Promise<void> {
  if (isActive && isAutoSyncEnabled) await requireLasting(tx, projectId, right);
}

/** A sync before a change, and after it. */
export interface SyncChange {
  readonly found: SecretSyncEntity;
  readonly present: Source;
  readonly before: ConfiguredSync;
  readonly after: TargetUse;
  /** As for a new sync. */
  readonly right: AskedRight;
}

/**
 * Prepares a change, after which the sync runs as the caller. If the target changes, items at the previous target stay and
 * are no longer managed.
 *
 * @returns What carries it out, in a transaction.
 * @throws DomainError as for a new sync; also if the caller may not lead it away from its target.
 */
export async function prepareChange(
  ctx: Context,
  { found, present, before, after, right }: SyncChange,
): Promise<Setup> {
  const { configured, source, connection, keyEnvironment = source.environment } = after;
  const use = { ...after, syncId: found.id };
  await requireSource(ctx, source, configured.options);
  const isElsewhere = connection.id !== found.connectionId;
  const isLeaving =
    isElsewhere ||
    source.environment !== present.environment ||
    source.secretPath !== present.secretPath ||
    !isSameTarget(
      { ...before, environment: keyEnvironmentOf(found, present) },
      { ...configured, environment: keyEnvironment },
    );
  const isAnother =
    isLeaving ||
    !found.isActive ||
    configured.options.initialSyncBehavior !== before.options.initialSyncBehavior ||
    configured.options.keySchema !== before.options.keySchema;
  const readable: Readable =
    isAnother || !found.isInitialized ? await requireReadableTarget(ctx, use) : new Set<string>();
  const { projectId } = found;
  const requireFree = isLeaving && (await requireMayFreeTargets(ctx, { projectId, syncId: found.id }));
  return async (tx, own, requireConnection) => {
    if (isLeaving) await requireMayReplaceSource(tx, present);
    await (isAnother ? requireMayUseTarget(tx, use, readable) : requireMayRunAs(tx, use));
    // Connections are locked before their syncs, here and where they are updated, so that there are no deadlocks.
    await requireConnection(tx);
    const row = await lockAsFound(tx, found);
    const { isActive = row.isActive, isAutoSyncEnabled = row.isAutoSyncEnabled } = own;
    await requireMayFollow(tx, projectId, { isActive, isAutoSyncEnabled }, right);
    if (requireFree) await requireFree(tx);
    const place = await findSource(tx, source);
    const { config, options } = configured;
    const target = targetOf(configured, row.id);
    const isMoved = isElsewhere || target !== row.target;
    tx.em.assign(row, {
      ...own,
      connectionId: connection.id,
      environmentId: place.environment.id,
      folderId: place.folderId,
      secretPath: source.secretPath,
      keyEnvironment,
      runAs: runAsOf(tx) ?? null,
      ...{ config, options, target },
      version: row.version + 1,
      // It was about another source or target.
      ...(isLeaving && { isSynced: null, syncMessage: null }),
    });
    await tx.em.flush();
    if (isMoved) await beginAnew(tx, row.id);
    if (row.isAutoSyncEnabled) await requestSync(tx, row.organizationId, row.id);
    return row;
  };
}

/**
 * Locks a sync. Of two concurrent updates, the later one was made without seeing the earlier one.
 *
 * @throws DomainError 404 if it was deleted meanwhile; 400 if it was changed.
 */
export async function lockAsFound(tx: Transaction, found: SecretSyncEntity): Promise<SecretSyncEntity> {
  const row = await lockSync(tx, found.id);
  if (row.updatedAt.getTime() !== found.updatedAt.getTime())
    throw conflict('secret_sync.changed', 'The sync was changed meanwhile: ask again');
  return row;
}

/** @throws DomainError 404 if it was deleted meanwhile. */
export async function lockSync(tx: Transaction, id: string): Promise<SecretSyncEntity> {
  const row = await tx.em.findOne(SecretSyncEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!row) throw notFound('secret sync');
  return row;
}

/** What `{{environment}}` in the key schema of a sync stands for; of one that an earlier release has stored, the present slug. */
export const keyEnvironmentOf = (row: Pick<SecretSyncEntity, 'keyEnvironment'>, { environment }: Source): string =>
  row.keyEnvironment ?? environment;

type Located = ConfiguredSync & { readonly environment: string };

/** Whether two configurations of one sync write the same items. */
const isSameTarget = (one: Located, other: Located): boolean => {
  const [a, b] = [endsOf(one), endsOf(other)];
  return (
    one.layout.as === other.layout.as &&
    one.layout.location === other.layout.location &&
    a.prefix === b.prefix &&
    a.suffix === b.suffix
  );
};

/** The folder keeps its path until the transaction ends: the rights to what goes on there were checked by it. */
async function findSource(tx: Transaction, { projectId, environment: slug, secretPath }: Source) {
  const environment = await tx.em.findOne(EnvironmentEntity, { organizationId: organizationOf(tx), projectId, slug });
  if (!environment) throw notFound('environment', { slug });
  const folder = await holdFolderAt(tx, { projectId, environment: slug, path: secretPath });
  return { environment, folderId: folder.id };
}
