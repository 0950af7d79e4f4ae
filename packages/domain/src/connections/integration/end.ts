import { authorizeById } from '../../access/index.ts';
import { badRequest, conflict, inTransaction, record, type Context, type Transaction } from '../../kernel/index.ts';
import { requireMayEndSource } from '../../secrets/publication/index.ts';
import {
  configuredAs,
  deactivateSync,
  mayKnowNames,
  perform,
  removeAll,
  requireMayFreeTargets,
  syncsIn,
  syncWork,
  type NamedPlace,
  type Source,
} from '../sync/index.ts';
import { answer, eventData, sourceOf } from './answer.ts';
import { authOf, lockIntegration, requireIntegration, type IntegrationRow } from './find.ts';
import { integrationPermissions } from './integration-auth.ts';
import { requireMayRunAs } from './shared-target.ts';
import { integrationDeleted, integrationUpdated, type DeleteIntegration, type Integration } from './integration.ts';

/** Maximum time in milliseconds that a caller waits for deletions at a target. */
const REMOVAL_MS = 25_000;

/**
 * Deletes an integration. Its items at the target stay, unless they are to be deleted first: then the integration is
 * deleted when all of them are.
 *
 * @throws DomainError 403, also for items that the caller may not read and that stay; 400 if some could not be deleted, with the error of the remote; the integration is then disabled,
 * and the call can be repeated, also without deleting items.
 */
export async function deleteIntegration(
  ctx: Context,
  { integrationId, shouldDeleteIntegrationSecrets }: DeleteIntegration,
): Promise<Integration> {
  const found = await requireIntegration(ctx, integrationId, integrationPermissions.delete);
  const { projectId } = found;
  const source = await sourceOf(ctx, found);
  const last = await answer(ctx, found);
  await inTransaction(ctx, async (tx) => {
    await requireMayEndSource(tx, source);
    if (shouldDeleteIntegrationSecrets) await requireMayRemove(tx, found, source);
  });
  if (shouldDeleteIntegrationSecrets) await removeAtTarget(ctx, found, source);
  const requireFree = await requireMayFreeTargets(ctx, { projectId, syncId: found.id });
  return inTransaction(ctx, async (tx) => {
    const row = await lockIntegration(tx, found.id);
    // Rights, and the source, may have changed while its items were deleted.
    await authorizeById(tx, integrationPermissions.delete, { projectId });
    const present = await sourceOf(tx, row);
    await requireMayEndSource(tx, present);
    await requireFree(tx);
    await tx.em.remove(row).flush();
    const data = { ...eventData(row, present), shouldDeleteIntegrationSecrets };
    record(tx, integrationDeleted, data, { projectId });
    return last;
  });
}

/** Others may have written under the same names. */
async function requireMayRemove(tx: Transaction, row: IntegrationRow, source: Source): Promise<void> {
  const connection = await authOf(tx, row);
  for (const sync of await syncsIn(tx, { projectId: row.projectId, syncId: row.id })) {
    const configured = configuredAs(sync);
    if (configured) await requireMayRunAs(tx, { connection, configured, syncId: sync.id }, source);
  }
}

async function removeAtTarget(ctx: Context, row: IntegrationRow, source: Source): Promise<void> {
  const claimed = await syncWork.claim(ctx, row, { isAlways: true });
  if (!claimed) throw conflict('integration.running', 'A sync is under way at this target: ask again in a moment');
  let named: readonly NamedPlace[] | null = null;
  const removed = await perform(ctx, claimed.claim, async (run) => {
    named = run.namedPlaces;
    await inTransaction(ctx, async (tx) => {
      if (await deactivateSync(tx, row))
        record(tx, integrationUpdated, eventData(row, source), { projectId: row.projectId });
    });
    return removeAll(ctx, run, REMOVAL_MS);
  });
  const failure = removed?.failure;
  if (failure === undefined) return;
  const why = (await mayKnowNames(ctx, source, named))
    ? failure
    : 'the reason is visible to callers who may see the secrets of this folder';
  throw badRequest('integration.remove_failed', `Not everything could be removed at the target: ${why}`);
}
