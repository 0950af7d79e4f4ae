import {
  lanes,
  orphanJob,
  reconcileJob,
  retry,
  WorkTable,
  type Claim,
  type Claimed,
  type Next,
} from '../../jobs/index.ts';
import { conflict, DomainError, inTransaction, record, type Context, type Transaction } from '../../kernel/index.ts';
import {
  AppConnectionEntity,
  beginWork,
  connect,
  sealedAt,
  storeCheck,
  type Credentials,
} from '../connection/index.ts';
import { connectors } from '../registry.ts';
import { appConnectionCheckFailed } from './app-connection.ts';
import { notifyOfFailure } from './check-mail.ts';
import { credentialsOf, isNamed, type ConnectionRow } from './find.ts';
import { changePassword, isPending, sealPresent, storeChanged } from './managed-password.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Deadline of one check in milliseconds, with a change of the password. */
const CHECK_MS = 20_000;
/** Longer than a check can take. */
const CLAIM_MS = 3 * CHECK_MS;
/** After a failure: an hour, doubled each time, at most a day. */
const AFTER_FAILURE = { firstMs: HOUR, longestMs: DAY };

/** Named connections, each of which is checked daily. Others are checked by their syncs. */
export const checks = new WorkTable({
  table: 'app_connections',
  columns: {
    due: 'check_due_at',
    failures: 'check_failures',
    claimId: 'check_claim_id',
    claimedUntil: 'check_claimed_until',
  },
  where: 't.name is not null',
  claimMs: CLAIM_MS,
  orphanedAfterMs: 300_000,
  job: {
    name: 'app_connection.check',
    idName: 'connectionId',
    key: 'app_connection_check',
    // Behind everything that somebody waits for.
    priority: 12,
    maxAttempts: 3,
    queueOf: lanes('app-connections', 1),
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
  await check(ctx, claim);
}

interface Failure {
  /** Redacted. */
  readonly error: DomainError;
}

/** Of somebody who waits for a connection that was stored just now. */
interface Waiting {
  readonly isFirst: boolean;
}

/**
 * Checks a claimed connection, after a change of its password where that is pending, and stores the outcome.
 *
 * @param waiting Who gets the failure instead of a message by mail.
 */
async function check(ctx: Context, claim: Claim, waiting?: Waiting): Promise<Failure | undefined> {
  const { id, organizationId } = claim;
  const row = (await ctx.em.findOne(
    AppConnectionEntity,
    { id, organizationId, ...isNamed },
    { refresh: true },
  )) as ConnectionRow | null;
  if (!row) return undefined;
  const { failure, changed } = await outcomeOf(ctx, row, waiting?.isFirst ?? false);
  const sealed = changed && (await sealPresent(ctx, row, changed));
  await inTransaction(ctx, async (tx) => {
    const now = tx.now();
    const next = failure
      ? retryOf(row, claim, now, failure.error)
      : { failures: 0, dueAt: new Date(now.getTime() + DAY) };
    // Other credentials were stored meanwhile.
    if (!(await checks.settle(tx, claim, next))) return;
    if (sealed) await storeChanged(tx, row, sealed);
    await storeCheck(tx, id, failure?.error.message ?? null);
    if (!failure || claim.failures > 0 || waiting) return;
    const { name, app, projectId } = row;
    record(tx, appConnectionCheckFailed, { connectionId: id, name, app }, { projectId: projectId ?? undefined });
    notifyOfFailure(tx, { organizationId, connectionId: id });
  });
  return failure;
}

/** A pending password is tried again soon: as long as it is pending, nothing may be able to log in. */
function retryOf(row: ConnectionRow, { failures }: Claim, now: Date, { retryAfter = 0 }: DomainError): Next {
  const policy = isPending(row) ? undefined : AFTER_FAILURE;
  return retry(failures, now, { ...(policy && { policy }), retryAfterMs: retryAfter * 1000 });
}

interface Outcome {
  /** Why the app does not accept the credentials. */
  readonly failure?: Failure;
  /** Those that it accepts since its password was changed. */
  readonly changed?: Credentials;
}

async function outcomeOf(ctx: Context, row: ConnectionRow, isFirst: boolean): Promise<Outcome> {
  using session = beginWork(ctx, CHECK_MS);
  try {
    const connector = connectors.require(row.app);
    if (isPending(row)) return { changed: await changePassword(ctx, row, connector, session, { isFirst }) };
    const stored = { ...sealedAt(row), credentials: row.credentials };
    await connector.check(await connect(ctx, stored, connector, session), await credentialsOf(ctx, row));
    return {};
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { failure: { error: await session.redacted(error) } };
  }
}

/** What is stored with a connection whose next password is pending: its job continues what is interrupted. */
export const pendingAt = (now: Date) => ({ ...acceptedAt(now), checkDueAt: new Date(now.getTime() + CLAIM_MS) });

/**
 * Claims a connection that is locked, whatever is due of it.
 *
 * @throws DomainError 409 `app_connection.being_checked`
 */
export async function claimCheck(tx: Transaction, { id, organizationId }: ConnectionRow): Promise<Claim> {
  const claimed = await checks.claim(tx, { id, organizationId }, { isAlways: true });
  if (!claimed)
    throw conflict('app_connection.being_checked', 'This connection is being checked: ask again in a minute');
  return claimed.claim;
}

/** Checks a claimed connection for somebody who waits. Returns why the app does not accept its credentials, redacted. */
export const checkClaimed = async (ctx: Context, claim: Claim): Promise<DomainError | undefined> =>
  (await check(ctx, claim, { isFirst: false }))?.error;

/** Changes the password of a claimed connection, whose next one is stored. Returns why that failed; it is tried again then. */
export const takeOver = async (ctx: Context, claim: Claim): Promise<DomainError | undefined> =>
  (await check(ctx, claim, { isFirst: true }))?.error;
