import { z } from 'zod';
import { defineJob, retry, turnsOf, WorkTable, type Due } from '../../../jobs/index.ts';
import { DomainError, inTransaction, record, statement, type Context } from '../../../kernel/index.ts';
import { isProposed, submitChange, withdrawReplication } from '../../approval/index.ts';
import type { SecretsChange } from '../../commit/index.ts';
import { ApprovalNeeded, enforcingPolicies } from '../../coverage/index.ts';
import { lookNow, replicateImport, type Replicate, type Seen } from './copy.ts';
import { replicationFailed, replicationProposed, statusText } from './replication.ts';

// One at a time: two would each make the same request.
const turns = turnsOf('secret_import.replicate');

/**
 * Replications as reconciled work: due at their time, or when the project has changed since the last run. An attempt is
 * one transaction, which locks its row.
 */
export const replications = new WorkTable({
  table: 'secret_imports',
  columns: { due: 'replication_due', failures: 'replication_failures' },
  where: 't.replicated_by is not null',
  due: `case when t.replication_due is not null then t.replication_due
     else (select p.changed_at from project_revisions p
       where p.project_id = t.project_id and p.revision is distinct from t.replication_revision) end`,
  orphanedAfterMs: 60_000,
  job: {
    name: 'secret_import.replicate',
    idName: 'importId',
    key: 'replication',
    // Behind what people wait for.
    priority: 10,
    maxAttempts: 3,
    queueOf: turns.queueOf,
  },
});

/** Updates the copies of one import. It reads the newest state, so it may run twice, or late. */
export const replicationJob = defineJob({
  name: replications.job.name,
  payload: z.object({ organizationId: z.string(), importId: z.string() }),
  turns,
  run: async (ctx, input) => {
    try {
      await attempt(ctx, input);
    } catch (error) {
      await fail(ctx, input, error);
      if (!(error instanceof DomainError)) throw error;
    }
  },
});

/**
 * Requeues what was lost with a process: due replications, those that have not seen the last change of their project,
 * and requests that nobody can approve any more.
 */
export const overdueReplications = defineJob({
  name: 'secret_import.overdue',
  payload: z.object({}),
  schedule: '*/2 * * * *',
  run: async (ctx) => {
    await inTransaction(ctx, async (tx) => {
      for (const row of await tx.sql<Due>(UNASKED, [tx.now()])) replications.enqueue(tx, row);
      await replications.requeueOrphaned(tx);
    });
  },
});

/** What waits under a policy that has been deleted, and its request closed with it. */
const UNASKED = statement(
  'replication.unasked',
  `update secret_imports i set replication_due = $1, replication_digest = null
   where i.replicated_by is not null and i.replication_due is null
     and i.is_replication_success is null and i.replication_status is not null
     and (select p.deleted_at is not null from secret_approval_requests r join approval_policies p on p.id = r.policy_id
       where r.project_id = i.project_id and r.replicates = i.id::text order by r.created_at desc, r.id desc limit 1)
   returning i.id, i.organization_id as "organizationId"`,
);

const REQUEST_ALL = statement(
  'replication.request_all',
  `update secret_imports set replication_due = $3
   where organization_id = $1 and project_id = $2 and replicated_by is not null
   returning id, organization_id as "organizationId"`,
);

/**
 * Follows the secrets of projects: enqueues each of their replications, which end immediately if nothing is to be done.
 * It waits for running ones, so that changes that they may have missed are read.
 */
export async function replicate(ctx: Context, { organizationId, projectId }: SecretsChange): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    for (const row of await tx.sql<Due>(REQUEST_ALL, [organizationId, projectId, tx.now()]))
      replications.enqueue(tx, row);
  });
}

async function attempt(ctx: Context, input: Replicate): Promise<void> {
  try {
    await enforcingPolicies(ctx, () => replicateImport.run(ctx, input));
    return await inTransaction(ctx, (tx) => withdrawReplication(tx, input.importId));
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error;
  }
  const seen = await lookNow(ctx, input);
  if (!seen || (await isAskedFor(ctx, input, seen))) return;
  const answer = await submitChange(ctx, replicateImport, input, { replicates: input.importId });
  if (isProposed(answer)) await wait(ctx, input, answer.approval, seen);
}

const SAME = statement(
  'replication.same',
  `update secret_imports set replication_due = null, replication_revision = $3
   where id = $1 and is_replication_success is null and replication_status is not null and replication_digest = $2
   returning id`,
);
const WAIT = statement(
  'replication.wait',
  `update secret_imports i set is_replication_success = null, replication_status = $2, replication_digest = $3,
     replication_revision = $4, replication_failures = 0, replication_due = null
   from folders f, environments e
   where i.id = $1 and f.id = i.folder_id and e.id = f.environment_id
   returning i.project_id as "projectId", e.slug as environment, f.path as "secretPath"`,
);

/** Whether exactly this was requested already, and perhaps rejected: it is requested once, or by a resync. */
async function isAskedFor(ctx: Context, { importId }: Replicate, { digest, revision }: Seen): Promise<boolean> {
  const same = await inTransaction(ctx, (tx) => tx.sql(SAME, [importId, digest, revision]));
  return same.length > 0;
}

async function wait(
  ctx: Context,
  { importId }: Replicate,
  { id: requestId, slug }: { id: string; slug: string },
  { digest, revision }: Seen,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const status = statusText(`Waits for the approval of change request ${slug}`);
    const [row] = await tx.sql<Placed>(WAIT, [importId, status, digest, revision]);
    if (!row) return;
    const { projectId, environment, secretPath } = row;
    record(tx, replicationProposed, { environment, secretPath, secretImportId: importId, requestId }, { projectId });
  });
}

interface Placed {
  projectId: string;
  environment: string;
  secretPath: string;
}

const PRESENT = statement(
  'replication.present',
  `select i.replication_failures as failures, i.replication_status as status, i.project_id as "projectId",
     e.slug as environment, f.path as "secretPath"
   from secret_imports i join folders f on f.id = i.folder_id join environments e on e.id = f.environment_id
   where i.organization_id = $1 and i.id = $2 and i.replicated_by is not null for update of i`,
);
const FAILED = statement(
  'replication.failed',
  `update secret_imports set is_replication_success = false, replication_status = $2, replication_digest = null
   where id = $1`,
);

/** Stores the error of a replication and its next attempt; the copies are unchanged. */
async function fail(ctx: Context, { organizationId, importId }: Replicate, error: unknown): Promise<void> {
  const status = statusText(reasonOf(error));
  await inTransaction(ctx, async (tx) => {
    const [row] = await tx.sql<Placed & { failures: number; status: string | null }>(PRESENT, [
      organizationId,
      importId,
    ]);
    if (!row) return;
    const next = retry(row.failures, tx.now());
    await tx.sql(FAILED, [importId, status]);
    await replications.settle(tx, { id: importId, organizationId, claimId: null, failures: row.failures }, next);
    const { projectId, environment, secretPath } = row;
    if (row.status !== status)
      record(tx, replicationFailed, { environment, secretPath, secretImportId: importId, status }, { projectId });
    ctx.log.warn({ secretImportId: importId, failures: next.failures, reason: status }, 'A replication failed');
  });
}

/** Errors whose messages say nothing about the source. */
const SAID = ['secret_import.run_as', 'secret_import.too_many', 'secret_import.too_large'];

/** A separate message: that of an error may contain what readers of the import may not know. */
function reasonOf(error: unknown): string {
  if (!(error instanceof DomainError)) return 'Internal error; the log of the server has the details';
  if (SAID.includes(error.code)) return error.message;
  return `The copies could not be written: ${error.code}`;
}
