import { badRequest, conflict, inTransaction, type Context, type Transaction } from '../../kernel/index.ts';
import { requireMayEndSource } from '../../secrets/publication/index.ts';
import { mayKnowNames, type NamedPlace } from './named-places.ts';
import type { Connection } from './others.ts';
import { perform } from './queue.ts';
import { removeAll } from './remove-all.ts';
import { lockSync } from './setup.ts';
import { requireMayRemove } from './shared-target.ts';
import type { Source } from './source.ts';
import { deactivateSync } from './stored.ts';
import type { SecretSyncEntity } from './sync.entity.ts';
import { requireMayFreeTargets } from './target-rights.ts';
import { syncWork } from './work.ts';

/** Maximum time in milliseconds that a caller waits for deletions at a target. */
const REMOVAL_MS = 25_000;

/** The end of a sync. */
export interface Ending {
  readonly row: SecretSyncEntity;
  readonly connection: Connection;
  /** Whether its items at the target are deleted first. */
  readonly isRemoving: boolean;
  /** Its source now. @throws DomainError if it was deleted. */
  sourceOf(ctx: Context, row: SecretSyncEntity): Promise<Source>;
  /** Rights, or the place of the sync, may have changed before or while its items were deleted. @throws DomainError */
  authorizeAgain(ctx: Context, source: Source): Promise<void>;
  /** Records that it no longer follows changes. */
  noteInactive(tx: Transaction, source: Source): void;
  /** Records its end. */
  noteEnd(tx: Transaction, source: Source): void;
}

/**
 * Deletes a sync. Its items at the target stay, unless they are to be deleted first: then it is deleted when all of them
 * are.
 *
 * @throws DomainError 403, also for items that the caller may not read and that stay; 400 if some could not be deleted,
 * with the error of the remote; the sync is then inactive, and the call can be repeated, also without deleting items.
 */
export async function endSync(ctx: Context, ending: Ending): Promise<void> {
  const { row: found, isRemoving } = ending;
  const { projectId } = found;
  await requireMayEnd(ctx, ending, await ending.sourceOf(ctx, found));
  if (isRemoving) await removeAtTarget(ctx, ending);
  const requireFree = await requireMayFreeTargets(ctx, { projectId, syncId: found.id });
  await inTransaction(ctx, async (tx) => {
    const row = await lockSync(tx, found.id);
    const present = await ending.sourceOf(tx, row);
    await ending.authorizeAgain(tx, present);
    await requireMayEndSource(tx, present);
    await requireFree(tx);
    await tx.em.remove(row).flush();
    ending.noteEnd(tx, present);
  });
}

const requireMayEnd = (ctx: Context, ending: Ending, source: Source): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    await requireMayEndSource(tx, source);
    if (ending.isRemoving) await requireMayRemove(tx, ending, source);
  });

async function removeAtTarget(ctx: Context, ending: Ending): Promise<void> {
  const { row } = ending;
  const claimed = await syncWork.claimAsCaller(ctx, row, async () => {
    const present = await ending.sourceOf(ctx, row);
    await ending.authorizeAgain(ctx, present);
    await requireMayEnd(ctx, ending, present);
    return present;
  });
  if (!claimed) throw conflict('secret_sync.running', 'A sync is under way at this target: ask again in a moment');
  const source = claimed.granted;
  let named: readonly NamedPlace[] | null = null;
  const removed = await perform(ctx, claimed.claim, async (run) => {
    named = run.namedPlaces;
    await inTransaction(ctx, async (tx) => {
      if (await deactivateSync(tx, row)) ending.noteInactive(tx, source);
    });
    return removeAll(ctx, run, REMOVAL_MS);
  });
  const failure = removed?.failure;
  if (failure === undefined) return;
  const why = (await mayKnowNames(ctx, source, named))
    ? failure
    : 'the reason is visible to callers who may see the secrets of this folder';
  throw badRequest('secret_sync.remove_failed', `Not everything could be removed at the target: ${why}`);
}
