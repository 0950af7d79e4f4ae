import { requestPkiSync } from '../../connections/pki-sync/index.ts';
import { inTransaction, isId, record, statement, type Context } from '../../kernel/index.ts';
import { runAsOf } from '../../secrets/import/replication/index.ts';
import { requireMayRunAs } from './change.ts';
import { addLinks, removeLinks } from './links.ts';
import {
  pkiSyncCertificatesAdded,
  pkiSyncCertificatesRemoved,
  type ChangePkiSyncCertificates,
  type PkiSyncCertificate,
} from './pki-sync.ts';
import { linksOf } from './read.ts';
import { holdCertificates } from './source-rights.ts';
import { eventDataOf, lockPkiSync, requireMay, requireMayFollow, requirePkiSync } from './stored.ts';

const RUN_AS = statement('pki_sync.run_as', 'update pki_syncs set run_as = $2, updated_at = $3 where id = $1');
const CHANGED = statement('pki_sync.touch', 'update pki_syncs set updated_at = $2 where id = $1');

/**
 * Adds certificates to a sync, which runs as the caller from then on.
 *
 * @throws DomainError 404; 403, also if the caller may not read the private keys of these, or of what the sync has already, and by
 * a right that ends if it follows changes;
 * 400 for certificates that are not valid, or without a stored key.
 */
export async function addPkiSyncCertificates(
  ctx: Context,
  { pkiSyncId, certificateIds }: ChangePkiSyncCertificates,
): Promise<PkiSyncCertificate[]> {
  const found = await requirePkiSync(ctx, { pkiSyncId }, 'edit');
  const { projectId } = found;
  return inTransaction(ctx, async (tx) => {
    const held = await holdCertificates(tx, projectId, certificateIds);
    const row = await lockPkiSync(tx, found);
    await requireMay(tx, row, 'edit');
    await requireMayFollow(tx, row, 'edit');
    await requireMayRunAs(tx, row);
    const ids = held.map(({ id }) => id);
    await addLinks(tx, row, ids);
    const runAs = runAsOf(tx);
    await tx.sql(RUN_AS, [row.id, runAs ? JSON.stringify(runAs) : null, tx.now()]);
    if (row.isAutoSyncEnabled) await requestPkiSync(tx, row);
    record(tx, pkiSyncCertificatesAdded, { ...eventDataOf(row), certificateIds: ids }, { projectId });
    return linksOf(tx, row, new Set(ids));
  });
}

/**
 * Takes certificates out of a sync. They are removed at the destination if its options say so.
 *
 * @returns The number of those that it had.
 * @throws DomainError 404, 403
 */
export async function removePkiSyncCertificates(
  ctx: Context,
  { pkiSyncId, certificateIds }: ChangePkiSyncCertificates,
): Promise<number> {
  const found = await requirePkiSync(ctx, { pkiSyncId }, 'edit');
  const { projectId } = found;
  return inTransaction(ctx, async (tx) => {
    const row = await lockPkiSync(tx, found);
    await requireMay(tx, row, 'edit');
    const removed = await removeLinks(tx, row, certificateIds.filter(isId));
    if (removed.length === 0) return 0;
    await tx.sql(CHANGED, [row.id, tx.now()]);
    if (row.isAutoSyncEnabled) await requestPkiSync(tx, row);
    record(tx, pkiSyncCertificatesRemoved, { ...eventDataOf(row), certificateIds: removed }, { projectId });
    return removed.length;
  });
}
