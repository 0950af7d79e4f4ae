import { isDeepStrictEqual } from 'node:util';
import { authorize, authorizeChange, organizationOf } from '../../access/index.ts';
import { holdConnection } from '../../connections/app-connection/index.ts';
import { requestPkiSync } from '../../connections/pki-sync/index.ts';
import { withChanges } from '../../family/index.ts';
import {
  givenFields,
  conflict,
  explainConstraint,
  fewIn,
  inTransaction,
  newId,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { isOutward, runAsOf } from '../../secrets/import/replication/index.ts';
import { certificatesById } from '../certificate/index.ts';
import type { ConfiguredPkiSync } from './destination.ts';
import { dropAllItems } from './items.ts';
import { addLinks, certificateIdsOf, forgetLinks, removeLinksOf } from './links.ts';
import {
  MAX_CERTIFICATES,
  pkiSyncCreated,
  pkiSyncDeleted,
  pkiSyncPermissions,
  pkiSyncUpdated,
  type CreatePkiSync,
  type PkiSync,
  type PkiSyncRef,
  type UpdatePkiSync,
} from './pki-sync.ts';
import { toPkiSync } from './read.ts';
import { pkiSyncs } from './registry.ts';
import { certificatesOfSubscriber, holdCertificates, requireMayLeave } from './source-rights.ts';
import {
  eventDataOf,
  lockPermittedPkiSync,
  lockPkiSync,
  requireMayFollow,
  requirePkiSync,
  type PkiSyncRow,
} from './stored.ts';

explainConstraint('pki_syncs_name_unique', 'A PKI sync with this name already exists in the project');
explainConstraint('pki_syncs_connection', 'The connection is used: delete what uses it first');

const requireFew = fewIn('project', { table: 'pki_syncs', most: 1_000, code: 'pki_sync.too_many', of: 'PKI syncs' });

const INSERT = statement(
  'pki_sync.insert',
  `insert into pki_syncs (id, organization_id, project_id, connection_id, subscriber_id, destination, name, description,
     is_auto_sync_enabled, config, options, run_as, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)`,
);

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

/**
 * Creates a sync: keeps certificates with their private keys at a destination, now and after each renewal, while the caller
 * may read these keys.
 *
 * @throws DomainError 404 for an unknown project, connection, subscriber or certificate; 403 without the permission to do
 * this, to use the connection, or to read the private keys, and by a right that ends for one that follows changes; 400 for what
 * the destination cannot do, certificates that are not valid or without a stored key, and `pki_syncs_name_unique`.
 */
export async function createPkiSync(ctx: Context, destination: string, input: CreatePkiSync): Promise<PkiSync> {
  const { projectId, name, description = null, connectionId, subscriberId = null, isAutoSyncEnabled } = input;
  await authorize(ctx, pkiSyncPermissions.create, { projectId, name });
  const configured = pkiSyncs.require(destination).configure(input.destinationConfig, input.syncOptions);
  const id = newId();
  return inTransaction(ctx, async (tx) => {
    const place = { id, organizationId: organizationOf(tx) };
    await requireMayFollow(tx, { projectId, name, isAutoSyncEnabled }, 'create');
    await holdConnection(tx, { app: configured.sync.connector.app, connectionId, projectId });
    const certificateIds = await holdSource(tx, projectId, { given: input.certificateIds, subscriberId });
    await tx.sql(INSERT, [
      ...[id, place.organizationId, projectId, connectionId, subscriberId, destination, name, description],
      ...[isAutoSyncEnabled, json(configured.config), json(configured.options), json(runAsOf(tx)), tx.now()],
    ]);
    await requireFew(tx, projectId);
    await addLinks(tx, place, certificateIds);
    if (isAutoSyncEnabled) await requestPkiSync(tx, place);
    const row = await lockPkiSync(tx, place);
    record(tx, pkiSyncCreated, { ...eventDataOf(row), subscriberId, certificateIds }, { projectId });
    return toPkiSync(row, tx.now());
  });
}

interface ChosenSource {
  readonly given: readonly string[] | undefined;
  readonly subscriberId: string | null;
}

/** The IDs of the certificates that a sync begins with. @throws DomainError 404, 403, 400 */
async function holdSource(tx: Transaction, projectId: string, { given = [], subscriberId }: ChosenSource) {
  const held = await holdCertificates(tx, projectId, given);
  const others =
    subscriberId === null ? [] : await certificatesOfSubscriber(tx, projectId, subscriberId, MAX_CERTIFICATES);
  await requireMayLeave(tx, projectId, await certificatesById(tx, organizationOf(tx), others));
  return [...new Set([...held.map(({ id }) => id), ...others])];
}

const UPDATE = statement(
  'pki_sync.update',
  `update pki_syncs set name = $2, description = $3, is_auto_sync_enabled = $4, connection_id = $5, subscriber_id = $6,
     config = $7, options = $8, run_as = $9, updated_at = $10 where id = $1`,
);
/** Its status is about the former place, and a running worker loses the claim. */
const BEGIN_ANEW = statement(
  'pki_sync.begin_anew',
  `update pki_syncs set is_synced = null, sync_message = null, claim_id = null, claimed_until = null,
     remove_requested = false where id = $1`,
);

/**
 * Updates the given fields; from then on the sync runs as the caller. If the destination changes, what was written to the
 * previous one stays and is no longer managed. Another name or description, and an end of following changes, need no right
 * to read keys, and do not change the actor that it runs as.
 *
 * @throws DomainError as creating does; 400 `pki_sync.changed`.
 */
export async function updatePkiSync(ctx: Context, destination: string, input: UpdatePkiSync): Promise<PkiSync> {
  const { pkiSyncId, ...changes } = input;
  const found = await requirePkiSync(ctx, { destination, pkiSyncId }, 'edit');
  const { projectId } = found;
  const before = pkiSyncs.require(destination).configure(found.config, found.options);
  const options = withChanges(found.options, input.syncOptions);
  const after = pkiSyncs.require(destination).configure(input.destinationConfig ?? found.config, options);
  return inTransaction(ctx, async (tx) => {
    const more = isOutward(changes, 'isAutoSyncEnabled')
      ? undefined
      : await holdChange(tx, found, input, { before, after });
    const row = await lockPkiSync(tx, found);
    if (row.updatedAt !== found.updatedAt) throw changed();
    const { name = row.name, description = row.description, connectionId = row.connectionId } = input;
    const { isAutoSyncEnabled = row.isAutoSyncEnabled, subscriberId = row.subscriberId } = input;
    await authorizeChange(tx, pkiSyncPermissions, { projectId, before: { name: row.name }, after: { name } });
    if (more || name !== row.name) await requireMayFollow(tx, { projectId, name, isAutoSyncEnabled }, 'edit');
    const runAs = more ? runAsOf(tx) : row.runAs;
    await tx.sql(UPDATE, [
      ...[row.id, name, description, isAutoSyncEnabled, connectionId, subscriberId],
      ...[json(after.config), json(after.options), json(runAs ?? undefined), tx.now()],
    ]);
    if (subscriberId !== row.subscriberId) {
      if (row.subscriberId !== null) await removeLinksOf(tx, row, row.subscriberId);
      await addLinks(tx, row, more ?? []);
    }
    if (connectionId !== row.connectionId || !isDeepStrictEqual(before.config, after.config)) {
      await tx.sql(BEGIN_ANEW, [row.id]);
      await dropAllItems(tx, row.id);
      await forgetLinks(tx, row.id);
    }
    if (more && isAutoSyncEnabled) await requestPkiSync(tx, row);
    const names = givenFields(changes);
    const stored = await lockPkiSync(tx, row);
    record(tx, pkiSyncUpdated, { ...eventDataOf(stored), changed: names }, { projectId });
    return toPkiSync(stored, tx.now());
  });
}

const changed = () => conflict('pki_sync.changed', 'The sync was changed meanwhile: ask again');

interface Configurations {
  readonly before: ConfiguredPkiSync;
  readonly after: ConfiguredPkiSync;
}

/** The certificates that a change adds, if the caller may have all keys of the sync leave. @throws DomainError 404, 403 */
async function holdChange(
  tx: Transaction,
  found: PkiSyncRow,
  input: UpdatePkiSync,
  { before, after }: Configurations,
): Promise<string[]> {
  const { projectId } = found;
  const { connectionId = found.connectionId, subscriberId = found.subscriberId } = input;
  const isUsedAlike = isDeepStrictEqual([before.config, before.options], [after.config, after.options]);
  if (connectionId !== found.connectionId || !isUsedAlike)
    await holdConnection(tx, { app: after.sync.connector.app, connectionId, projectId });
  await requireMayRunAs(tx, found);
  const isAnother = subscriberId !== found.subscriberId;
  return holdSource(tx, projectId, { given: [], subscriberId: isAnother ? subscriberId : null });
}

/** What is in a sync leaves with the rights of the caller from now on. @throws DomainError 403 */
export async function requireMayRunAs(tx: Transaction, row: PkiSyncRow): Promise<void> {
  const ids = await certificateIdsOf(tx, row);
  await requireMayLeave(tx, row.projectId, await certificatesById(tx, row.organizationId, ids));
}

const DELETE = statement('pki_sync.delete', 'delete from pki_syncs where organization_id = $1 and id = $2');

/** Deletes a sync. What it has written at its destination stays. @throws DomainError 404, 403 */
export async function deletePkiSync(ctx: Context, ref: PkiSyncRef): Promise<PkiSync> {
  const found = await requirePkiSync(ctx, ref, 'delete');
  return inTransaction(ctx, async (tx) => {
    const row = await lockPermittedPkiSync(tx, found, 'delete');
    await tx.sql(DELETE, [row.organizationId, row.id]);
    record(tx, pkiSyncDeleted, eventDataOf(row), { projectId: row.projectId });
    return toPkiSync(row, tx.now());
  });
}
