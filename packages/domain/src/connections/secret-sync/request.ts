import {
  badRequest,
  eventOf,
  forbidden,
  inTransaction,
  notFound,
  record,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { requireMayEndSource } from '../../secrets/publication/index.ts';
import {
  canImport,
  lookAt,
  mayKnowNames,
  planSync,
  requestImport,
  requestRemoval,
  requestSync,
  requireMayImport,
  requireMayRemove,
  type SyncPlan,
} from '../sync/index.ts';
import { syncs } from '../registry.ts';
import { asConnection, connectionRowOf, requireMay, requireSecretSync, sourceOf, type PlacedSync } from './find.ts';
import { answerFor, eventData } from './secret-sync.service.ts';
import { secretSyncRequested, type ImportSecrets, type SecretSync, type SecretSyncRef } from './secret-sync.ts';

type Action = 'sync-secrets' | 'import-secrets' | 'remove-secrets';

/** Requests a sync as soon as possible, also without changes. @throws DomainError 404, 403 */
export async function syncSecretsNow(ctx: Context, ref: SecretSyncRef): Promise<SecretSync> {
  const placed = await requireSecretSync(ctx, ref, 'sync-secrets');
  return request(ctx, placed, 'sync-secrets', ({ organizationId, id }, tx) => requestSync(tx, organizationId, id));
}

/**
 * Requests an import from the destination into the folder. It runs as the actor that the sync runs as; the caller needs
 * the rights to write the folder as well.
 *
 * @throws DomainError 404; 403; 400 if values cannot be read back there.
 */
export async function importSecretsNow(ctx: Context, { importBehavior, ...ref }: ImportSecrets): Promise<SecretSync> {
  const placed = await requireSecretSync(ctx, ref, 'import-secrets');
  const { destination, config, options } = placed.row;
  const configured = syncs.require(destination).configure(config, options);
  if (!canImport(configured))
    throw badRequest('secret_sync.no_import', `${configured.sync.title} cannot be read back: nothing is imported`);
  await requireMayImport(ctx, placed.source, importBehavior);
  return request(ctx, placed, 'import-secrets', (row, tx) => requestImport(tx, row, importBehavior));
}

/**
 * Requests the removal of all that the sync has written at its destination. The next change of the folder, or the next
 * manual sync, writes it again.
 *
 * @throws DomainError 404; 403
 */
export async function removeSecretsNow(ctx: Context, ref: SecretSyncRef): Promise<SecretSync> {
  const placed = await requireSecretSync(ctx, ref, 'remove-secrets');
  const { row, source } = placed;
  const connection = asConnection(await connectionRowOf(ctx, row));
  return request(ctx, placed, 'remove-secrets', async (_, tx) => {
    await requireMayEndSource(tx, source);
    await requireMayRemove(tx, { row, connection }, source);
    await requestRemoval(tx, row);
  });
}

const request = (
  ctx: Context,
  { row, source }: PlacedSync,
  action: Action,
  enqueue: (row: PlacedSync['row'], tx: Transaction) => Promise<void>,
): Promise<SecretSync> =>
  inTransaction(ctx, async (tx) => {
    await enqueue(row, tx);
    record(tx, secretSyncRequested, { ...eventData(row, source), action }, { projectId: row.projectId });
    const present = await tx.em.refresh(row);
    if (!present) throw notFound('secret sync');
    // It may have waited for a change, and its folder may have another name.
    await requireMay(tx, await sourceOf(tx, present), action);
    return answerFor(tx, row);
  });

/**
 * What the next sync would do, without doing it: also before the first one. It reads at the destination, which is recorded.
 *
 * @throws DomainError 404; 403, also if the caller may not see the secrets of the folder; 400 where the sync would fail.
 */
export async function planSecretSync(ctx: Context, ref: SecretSyncRef): Promise<SyncPlan> {
  const { row, source } = await requireSecretSync(ctx, ref, 'sync-secrets');
  const requireNames = async () => {
    if (await mayKnowNames(ctx, source, row.namedPlaces)) return;
    const message = 'A plan names secrets of the folder and its imports that you may not see';
    throw forbidden('secret_sync.hidden_names', message, { name: 'PermissionDenied' });
  };
  await requireNames();
  const run = await lookAt(ctx, row);
  if (!run) throw notFound('secret sync');
  const data = { ...eventData(row, source), action: 'plan' } as const;
  await ctx.commitRead(eventOf(secretSyncRequested, data, { projectId: row.projectId }), ctx);
  const plan = await planSync(ctx, run);
  // The other system may have taken long.
  await requireNames();
  return plan;
}
