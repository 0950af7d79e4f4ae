import { orphanJob, reconcileJob, retry, WorkTable, type Claimed, type Due } from '../../jobs/index.ts';
import { DomainError, inTransaction, record, type Context, type Transaction } from '../../kernel/index.ts';
import { AppConnectionEntity, beginWork, connect, storeCheck, sealedAt } from '../connection/index.ts';
import { connectors } from '../registry.ts';
import { appConnectionCheckFailed } from './app-connection.ts';
import { notifyOfFailure } from './check-mail.ts';
import { credentialsOf, isNamed, type ConnectionRow } from './find.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Deadline of one check in milliseconds. */
const CHECK_MS = 20_000;
/** After a failure: an hour, doubled each time, at most a day. */
const AFTER_FAILURE = { firstMs: HOUR, longestMs: DAY };

/** Checks of an organization take no more than one at a time of what runs the jobs of all: an app may be slow. */
const laneOf = ({ organizationId }: Due): string => `app-connections:${organizationId.slice(-2)}`;

/** Named connections, each of which is checked daily. Others are checked by their syncs. */
const checks = new WorkTable({
  table: 'app_connections',
  columns: {
    due: 'check_due_at',
    failures: 'check_failures',
    claimId: 'check_claim_id',
    claimedUntil: 'check_claimed_until',
  },
  where: 't.name is not null',
  claimMs: 3 * CHECK_MS,
  orphanedAfterMs: 300_000,
  job: {
    name: 'app_connection.check',
    idName: 'connectionId',
    key: 'app_connection_check',
    // Behind everything that somebody waits for.
    priority: 12,
    maxAttempts: 3,
    queueOf: laneOf,
  },
});

/** What is stored with credentials that the app has just accepted. Supersedes a check that is under way. */
export const acceptedAt = (now: Date) => ({
  checkedAt: now,
  checkError: null,
  checkFailures: 0,
  checkClaimId: null,
  checkClaimedUntil: null,
  checkDueAt: new Date(now.getTime() + DAY),
});

/** Enqueues the next check of a connection that was just stored. */
export const enqueueCheck = (
  tx: Transaction,
  { id, organizationId, checkDueAt }: Pick<ConnectionRow, 'id' | 'organizationId' | 'checkDueAt'>,
): void => checks.enqueue(tx, { id, organizationId, dueAt: checkDueAt });

/** Checks that the app still accepts the credentials of a connection, if that is due. */
export const checkConnection = reconcileJob(checks, { attempt });

/** Requeues checks that were lost with a process, and those of connections that an earlier release has added. */
export const overdueChecks = orphanJob(checks, { name: 'app_connection.overdue_checks', schedule: '*/10 * * * *' });

async function attempt(ctx: Context, { claim }: Claimed<object>): Promise<void> {
  const { id, organizationId } = claim;
  const row = (await ctx.em.findOne(AppConnectionEntity, { id, organizationId, ...isNamed })) as ConnectionRow | null;
  if (!row) return;
  const failure = await failureOf(ctx, row);
  await inTransaction(ctx, async (tx) => {
    const now = tx.now();
    const next = failure
      ? retry(claim.failures, now, { policy: AFTER_FAILURE, retryAfterMs: (failure.retryAfter ?? 0) * 1000 })
      : { failures: 0, dueAt: new Date(now.getTime() + DAY) };
    // Other credentials were stored meanwhile.
    if (!(await checks.settle(tx, claim, next))) return;
    await storeCheck(tx, id, failure?.message ?? null);
    if (!failure || claim.failures > 0) return;
    const { name, app, projectId } = row;
    record(tx, appConnectionCheckFailed, { connectionId: id, name, app }, { projectId: projectId ?? undefined });
    notifyOfFailure(tx, { organizationId, connectionId: id });
  });
}

/** Why the app does not accept the credentials, redacted; absent where it does. */
async function failureOf(
  ctx: Context,
  row: ConnectionRow,
): Promise<{ message: string; retryAfter: number | undefined } | undefined> {
  const session = beginWork(ctx, CHECK_MS);
  try {
    const connector = connectors.require(row.app);
    const stored = { ...sealedAt(row), credentials: row.credentials };
    await connector.check(await connect(ctx, stored, connector, session), await credentialsOf(ctx, row));
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { message: await session.redact(error.message), retryAfter: error.retryAfter };
  }
}
