import { pkiSyncWork, requestPkiSync } from '../../connections/pki-sync/index.ts';
import type { Due } from '../../jobs/index.ts';
import { inTransaction, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { pkiSyncRequested, type PkiSyncRef } from './pki-sync.ts';
import { eventDataOf, lockPermittedPkiSync, requirePkiSync, type PkiSyncRow } from './stored.ts';

type Action = 'sync-certificates' | 'remove-certificates';

/** Requests a sync as soon as possible, also without changes. @throws DomainError 404, 403 */
export const syncCertificatesNow = (ctx: Context, ref: PkiSyncRef): Promise<void> =>
  request(ctx, ref, 'sync-certificates', requestPkiSync);

/**
 * Requests the removal of all that a sync has written at its destination. The next change, or the next manual sync, writes
 * it again.
 *
 * @throws DomainError 404, 403
 */
export const removeCertificatesNow = (ctx: Context, ref: PkiSyncRef): Promise<void> =>
  request(ctx, ref, 'remove-certificates', requestRemoval);

async function request(
  ctx: Context,
  ref: PkiSyncRef,
  action: Action,
  enqueue: (tx: Transaction, row: PkiSyncRow) => Promise<void>,
): Promise<void> {
  const found = await requirePkiSync(ctx, ref, action);
  await inTransaction(ctx, async (tx) => {
    const row = await lockPermittedPkiSync(tx, found, action);
    await enqueue(tx, row);
    record(tx, pkiSyncRequested, { ...eventDataOf(row), action }, { projectId: row.projectId });
  });
}

/** A sync that is due would write again what is removed. */
const REMOVE = statement(
  'pki_sync.request_removal',
  `update pki_syncs set remove_requested = true, skips_sync = true, failures = 0,
     due_at = $3 where organization_id = $1 and id = $2 returning id, organization_id as "organizationId"`,
);

async function requestRemoval(tx: Transaction, { organizationId, id }: PkiSyncRow): Promise<void> {
  for (const due of await tx.sql<Due>(REMOVE, [organizationId, id, tx.now()])) pkiSyncWork.enqueue(tx, due);
}
