import { z } from 'zod';
import { at, Instant } from '../../kernel/index.ts';

/** The state of the last sync, import or removal. */
export const SyncStatus = z.enum(['pending', 'running', 'succeeded', 'failed']).nullable();
export type SyncStatus = z.output<typeof SyncStatus>;

const status = (what: string) => ({
  status: SyncStatus.describe(`null: there was no ${what}`),
  jobId: z.string().nullable(),
  message: z.string().nullable().describe(`Why the last ${what} failed`),
  at: Instant.nullable(),
});
const [synced, imported, removed] = [status('sync'), status('import'), status('removal')];

/** What readers of a sync see of its last runs. */
export const statusFields = {
  syncStatus: synced.status,
  lastSyncJobId: synced.jobId,
  lastSyncMessage: synced.message,
  lastSyncedAt: synced.at,
  importStatus: imported.status,
  lastImportJobId: imported.jobId,
  lastImportMessage: imported.message,
  lastImportedAt: imported.at,
  removeStatus: removed.status,
  lastRemoveJobId: removed.jobId,
  lastRemoveMessage: removed.message,
  lastRemovedAt: removed.at,
};

export function statusOf(isRequested: boolean, isRunning: boolean, isDone: boolean | null | undefined): SyncStatus {
  if (isRequested) return isRunning ? 'running' : 'pending';
  if (isDone === null || isDone === undefined) return null;
  return isDone ? 'succeeded' : 'failed';
}

/** Of what is due while the account of the connection rests. */
export const waitingMessage = (restsUntil: string): string =>
  `Waits until ${at(restsUntil).toISOString()}: the app throttles this connection, and so all syncs that use it`;
