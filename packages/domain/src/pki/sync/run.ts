import { restAccount } from '../../connections/connection/index.ts';
import { pkiSyncWork } from '../../connections/pki-sync/index.ts';
import { nextRun } from '../../connections/sync/index.ts';
import { DONE, orphanJob, reconcileJob, type Claim, type Due, type Next } from '../../jobs/index.ts';
import { inTransaction, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { noteLinks, removeLinks } from './links.ts';
import { pkiSyncRemoved, pkiSyncSynced } from './pki-sync.ts';
import { beginRun, type Run } from './stored.ts';
import { removeAll, synchronize, type Synced } from './synchronize.ts';

const FAULT = 'Coffer failed at this; the log of the server says why';

/** Does what is due of a sync: the removal that was requested, and the sync. */
export const runPkiSync = reconcileJob(pkiSyncWork, {
  attempt: async (ctx, { claim }) => {
    const run = await beginRun(ctx, claim);
    if (!run) return void (await pkiSyncWork.settle(ctx, claim, DONE));
    if (run.removeRequested && !(await attempt(ctx, claim, run, removeAll, settleRemoval))) return;
    if (!run.skipsSync) await attempt(ctx, claim, run, synchronize, settleSync);
  },
});

/** Requeues due syncs that were lost with a process. */
export const orphanedPkiSyncs = orphanJob(pkiSyncWork, { name: 'pki.overdue_syncs', schedule: '*/5 * * * *' });

type Settle = (tx: Transaction, claim: Claim, run: Run, synced: Synced) => Promise<boolean>;

/**
 * One part of the work, with its outcome. Returns whether the claim is held afterwards.
 *
 * @throws what the work throws: an internal error. Errors of the destination are in the outcome.
 */
async function attempt(
  ctx: Context,
  claim: Claim,
  run: Run,
  work: (ctx: Context, run: Run) => Promise<Synced>,
  settle: Settle,
): Promise<boolean> {
  let synced: Synced = { failure: FAULT, written: 0, removed: 0 };
  try {
    synced = await work(ctx, run);
  } finally {
    const { id: syncId, destination } = run;
    if (synced.failure !== undefined)
      ctx.log.warn({ syncId, destination, failures: claim.failures, reason: synced.failure }, 'A PKI sync failed');
    await inTransaction(ctx, (tx) => settle(tx, claim, run, synced));
  }
  return synced.failure === undefined && !synced.isHalfway;
}

const NOTE_REMOVAL = statement(
  'pki_sync.note_removal',
  `update pki_syncs set remove_requested = $3, is_removed = $4, remove_message = $5, last_removed_at = $6
   where id = $1 and claim_id = $2 returning id`,
);
const REMOVED = statement(
  'pki_sync.note_removed',
  `update pki_sync_certificates set is_synced = null, message = 'It was removed at the destination' where sync_id = $1`,
);

/** A failure is tried again. After success the claim is kept where a sync is due, too. */
async function settleRemoval(tx: Transaction, claim: Claim, run: Run, synced: Synced): Promise<boolean> {
  const next = nextRun(tx.now(), claim, synced);
  const isDone = synced.failure === undefined;
  const values = [next.dueAt !== null, isDone, synced.failure ?? null, tx.now()];
  await restAccount(tx, run.connectionId, synced.retryAfter);
  if ((await tx.sql(NOTE_REMOVAL, [claim.id, claim.claimId, ...values])).length === 0) return false;
  if (isDone) await tx.sql(REMOVED, [run.id]);
  const { id: pkiSyncId, destination, projectId } = run;
  record(tx, pkiSyncRemoved, { pkiSyncId, destination, isDone, removed: synced.removed }, { projectId });
  return isDone && !run.skipsSync ? true : pkiSyncWork.settle(tx, claim, next);
}

const NOTE = statement(
  'pki_sync.note',
  `update pki_syncs set is_synced = $3, sync_message = $4, last_synced_at = $5
   where id = $1 and claim_id = $2 returning id`,
);

async function settleSync(tx: Transaction, claim: Claim, run: Run, synced: Synced): Promise<boolean> {
  const { failure, written, removed } = synced;
  const isDone = failure === undefined;
  const values = [isDone, failure ?? null, tx.now()];
  await restAccount(tx, run.connectionId, synced.retryAfter);
  if ((await tx.sql(NOTE, [claim.id, claim.claimId, ...values])).length === 0) return false;
  await noteCertificates(tx, run, synced);
  const isIdle = isDone && run.isSynced === true && written + removed === 0;
  const { id: pkiSyncId, destination, projectId } = run;
  if (!isIdle) record(tx, pkiSyncSynced, { pkiSyncId, destination, isDone, written, removed }, { projectId });
  const next = nextRun(tx.now(), claim, synced);
  const isHeld = await pkiSyncWork.settle(tx, claim, next);
  if (next.dueAt === null && synced.until) await waitUntil(tx, run, synced.until);
  return isHeld;
}

async function noteCertificates(tx: Transaction, run: Run, synced: Synced): Promise<void> {
  const { placed = new Set(), faults = new Map(), over = new Map(), superseded = [] } = synced;
  await noteLinks(tx, run.id, [
    ...Array.from(placed, (certificateId) => ({ certificateId, isSynced: true, message: null })),
    ...Array.from(faults, ([certificateId, message]) => ({ certificateId, isSynced: false, message })),
    ...Array.from(over, ([certificateId, message]) => ({ certificateId, isSynced: null, message })),
  ]);
  if (superseded.length > 0) await removeLinks(tx, run, superseded);
}

/** Unless something is due before. */
const WAIT = statement(
  'pki_sync.wait',
  `update pki_syncs set due_at = $3 where organization_id = $1 and id = $2 and due_at is null and is_auto_sync_enabled
   returning id, organization_id as "organizationId"`,
);

/** An expired certificate is removed then. */
async function waitUntil(
  tx: Transaction,
  { organizationId, id }: Run,
  until: NonNullable<Next['dueAt']>,
): Promise<void> {
  for (const row of await tx.sql<Due>(WAIT, [organizationId, id, until]))
    pkiSyncWork.enqueue(tx, { ...row, dueAt: until });
}
