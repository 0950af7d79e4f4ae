import type { Configuration } from '../../../family/index.ts';
import { retry, type Next } from '../../../jobs/index.ts';
import {
  at,
  DomainError,
  inTransaction,
  record,
  statement,
  type Context,
  type TargetLimits,
  type Transaction,
} from '../../../kernel/index.ts';
import { callProvider, wordsOf, type Called } from '../call.ts';
import { DELETING, dynamicSecretDeleted, FAILED_TO_DELETE } from '../dynamic-secret.ts';
import { eventData, lockDynamicSecret, type DynamicSecretRow } from '../find.ts';
import type { AnyProvider } from '../provider.ts';
import { providers } from '../registry.ts';
import { openInputs } from '../stored.ts';
import { leaseFailed, leaseRevocationFailed, leaseRevoked } from './lease.ts';
import { leaseData, leaseOf, removeLease, type FoundLease, type LeaseRow } from './row.ts';
import { CLAIM_MS, claimOf, leases } from './work.ts';

/** The outcome of a revocation; `error` is absent after success. */
export interface Ending {
  readonly error?: Error;
}

/** Revokes a lease in the remote. The caller holds the lease's claim. Never throws. */
export async function revokeThere(
  ctx: Context,
  { lease, of }: FoundLease,
  { learned, ...limits }: TargetLimits & Pick<Called, 'learned'> = {},
): Promise<Ending> {
  try {
    const provider = providers.require(of.type);
    const inputs = await openInputs(ctx, provider, of);
    const called = { ...calledFor(of, provider, inputs), ...(learned && { learned }) };
    await callProvider(ctx, called, (given, io) => provider.revoke(given, leaseOf(lease), io), limits);
    return {};
  } catch (error) {
    return { error: error instanceof Error ? error : new Error('A value that is not an error was thrown') };
  }
}

/** With what the provider of a dynamic secret is called. */
export const calledFor = (
  { id, version, organizationId }: DynamicSecretRow,
  provider: AnyProvider,
  inputs: Configuration,
): Called => ({
  organizationId,
  provider,
  inputs,
  // For the current inputs: each change of them is a new version.
  key: `dynamic-secret:${id}:${version}`,
});

const DELETE_EMPTY = statement(
  'dynamic_secret.delete_empty',
  `delete from dynamic_secrets where id = $1 and leases = 0 and status in ('${DELETING}', '${FAILED_TO_DELETE}') returning id`,
);

/** Closes the books on a lease that was revoked, or given up. */
export const closeLease = (ctx: Context, found: FoundLease, how: { isForced: boolean; isRevoked: boolean }) =>
  remove(ctx, found, (tx) =>
    record(tx, leaseRevoked, { ...leaseData(found), ...how }, { projectId: found.of.projectId }),
  );

/** Closes failed leases. */
export const discardLease = (ctx: Context, found: FoundLease, failure: unknown) =>
  remove(ctx, found, (tx) =>
    record(tx, leaseFailed, { ...leaseData(found), code: codeOf(failure) }, { projectId: found.of.projectId }),
  );

const codeOf = (error: unknown): string => (error instanceof DomainError ? error.code : 'unknown');

/** Deletes a lease, and its dynamic secret if that was waiting for its last one. */
function remove(ctx: Context, { lease, of }: FoundLease, write: (tx: Transaction) => void): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    if (!(await removeLease(tx, lease))) return;
    write(tx);
    const [gone] = await tx.sql(DELETE_EMPTY, [of.id]);
    if (gone)
      record(tx, dynamicSecretDeleted, { ...eventData(of), isForced: false, leases: 0 }, { projectId: of.projectId });
  });
}

const ENDING = statement(
  'lease.ending',
  `update dynamic_secret_leases set phase = 'ending', due_at = coalesce(held_until, $2) where id = $1
   returning id, organization_id as "organizationId", due_at as "dueAt"`,
);
const KEEP = statement(
  'lease.keep',
  `update dynamic_secret_leases set phase = 'ending', status = coalesce($2, status), status_details = coalesce($3, status_details),
     updated_at = $4 where id = $1 returning id`,
);
const POSTPONE = statement(
  'lease.postpone',
  `update dynamic_secret_leases set due_at = $3 where dynamic_secret_id = $1 and due_at <= $2 and phase <> 'issuing'
     and (held_until is null or held_until <= $2)`,
);
const NOTE_DELETION = statement(
  'dynamic_secret.note_deletion',
  `update dynamic_secrets set status = '${FAILED_TO_DELETE}', status_details = $2 where id = $1 and status = '${DELETING}'`,
);

/** Delay of a lease with an ambiguous outcome; milliseconds. */
export const SETTLING = CLAIM_MS;

/** Requests the end of a lease as soon as it is unclaimed. */
export async function endWhenReleased(ctx: Context, { id }: LeaseRow): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const [row] = await tx.sql<{ id: string; organizationId: string; dueAt: string }>(ENDING, [id, tx.now()]);
    if (row) leases.enqueue(tx, { ...row, dueAt: at(row.dueAt) });
  });
}

/** The next attempt at a lease; an outcome without failure counts as none. */
function nextOf({ attempts }: LeaseRow, { error }: Ending, now: Date): Next {
  const soon = (ms: number) => ({ failures: attempts, dueAt: new Date(now.getTime() + ms) });
  if (error === undefined) return soon(SETTLING);
  return isTargetBusy(error) ? soon(5_000 + Math.random() * 10_000) : retry(attempts, now);
}

const isTargetBusy = (error: unknown): boolean => codeOf(error) === 'outbound.busy';

/**
 * Keeps a lease whose revocation failed, or whose creation may still finish in the remote. It is retried; while its
 * target is unreachable, so are others there. After a forced revocation it has ended for its holder.
 */
export function retryLater(ctx: Context, found: FoundLease, ending: Ending, { isForced = false } = {}): Promise<void> {
  const { lease, of } = found;
  const { error } = ending;
  const code = codeOf(error);
  const failed = error !== undefined && !isTargetBusy(error);
  return inTransaction(ctx, async (tx) => {
    // As everywhere, the dynamic secret comes before its leases.
    await lockDynamicSecret(tx, of.id);
    const now = tx.now();
    const next = nextOf(lease, ending, now);
    // If its claim is lost, another worker processes or has confirmed it: it ends all the same.
    if (!(await leases.settle(tx, claimOf(lease), next))) await endWhenReleased(tx, lease);
    const words = failed ? wordsOf(error) : null;
    const [kept] = await tx.sql(KEEP, [lease.id, failed ? FAILED_TO_DELETE : null, words, now]);
    if (!kept) return;
    const { projectId } = of;
    if (isForced) record(tx, leaseRevoked, { ...leaseData(found), isForced, isRevoked: false }, { projectId });
    if (!failed) return;
    if (code.startsWith('outbound.')) await tx.sql(POSTPONE, [of.id, now, next.dueAt]);
    await tx.sql(NOTE_DELETION, [of.id, words]);
    // Once: how often it is tried is seen in the log.
    if (lease.status === null) record(tx, leaseRevocationFailed, { ...leaseData(found), code }, { projectId });
  });
}
