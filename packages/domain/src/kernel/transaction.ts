import { setTimeout as sleep } from 'node:timers/promises';
import type { BeginOptions, Context, Outbox, DryRunResult, Share, Transaction } from './context.ts';
import { badRequest, conflict, databaseFault, DomainError, notFound, unavailable } from './errors.ts';
import { RightsChanged } from './still-permitted.ts';

const messages = new Map<string, string>();

/** The message for callers when a write violates the named constraint. */
export function explainConstraint(name: string, message: string): void {
  messages.set(name, message);
}

/**
 * Thrown with its cause where the wait for a lock has ended, whose holder may need longer than that (`lockNames`). The transaction
 * waits again, as a new one: meanwhile others have had its connection, and whoever comes after it is behind it.
 */
export class StillHeld extends Error {}
/**
 * Thrown with its cause where others hold a lock of the last statements for longer than a commit takes. These are sent together
 * with the commit, so nothing is checked after that wait. The transaction is begun again, and waits for them before its
 * rights are compared.
 */
export class LastLockHeld extends Error {}
/**
 * How often a transaction waits for such a lock; how often it is begun after deadlocks and serialization failures; and, of
 * background work, after rights have changed.
 */
const [WAITS, ATTEMPTS, BY_RIGHTS] = [4, 5, 3];
/** The maximum delay before the first retry in milliseconds; each further retry adds as much. */
const PAUSE_MS = 20;

/**
 * Runs `work` in one transaction with its events, jobs and invalidations: all or nothing. Inside a transaction it
 * joins. A unique violation becomes a conflict (400) named after its constraint. A deadlock or serialization failure is
 * retried, and finally a 503; so `work` must not change anything outside of its `tx`. Of background work, so is one whose rights
 * have changed before its commit; a request is begun again as a whole.
 */
export async function inTransaction<T>(ctx: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
  if (ctx.outbox?.isDryRun) return joinDryRun(ctx as Transaction, work);
  if (ctx.outbox) return work(ctx as Transaction);
  return trying(ctx, (again) => ctx.begin(emptyOutbox(), work, again));
}

/**
 * The same for small work that many calls do at the same time: those of a group share a transaction (`SharedTransactions`).
 * Each has its own checks, events and result; where anything fails, each has its own transaction.
 */
export const inSharedTransaction = <T>(
  ctx: Context,
  share: Share,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => {
  const alone = () => inTransaction(ctx, work);
  return ctx.outbox || ctx.request.isBackground ? alone() : ctx.beginShared(share, work, alone);
};

/** Thrown by work that cannot be done in a shared transaction: its call has its own then. */
export class NotTogether extends Error {}

/**
 * The same for long work, such as the deletion of an environment: it waits for locks as long as a statement may take,
 * because a refusal would waste what was done before.
 */
export async function inLongTransaction<T>(
  ctx: Context,
  work: (tx: Transaction) => Promise<T>,
  { ends }: Pick<BeginOptions, 'ends'> = {},
): Promise<T> {
  if (ctx.outbox) return inTransaction(ctx, work);
  return trying(ctx, () => ctx.begin(emptyOutbox(), work, { isLong: true, ends, waitsForLast: true }));
}

/**
 * The same for what ends work that the caller was permitted to begin, such as the release of a claim: it is done although the
 * caller's rights may have ended meanwhile.
 */
export async function inReleasingTransaction<T>(ctx: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
  if (ctx.outbox) return inTransaction(ctx, work);
  return trying(ctx, () => ctx.begin(emptyOutbox(), work, { isReleasing: true }));
}

/**
 * The same for the deletion of an organization or project. It waits until no other call works there, and no further one
 * begins before it has ended: otherwise they would lock rows and the place in another order than the deletion.
 */
export const inLastTransaction = <T>(ctx: Context, place: string, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  inLongTransaction(ctx, work, { ends: place });

/** The effects that would be committed here are visible to the following work. */
async function joinDryRun<T>(tx: Transaction, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const result = await work(tx);
  await tx.em.flush();
  return result;
}

/**
 * Runs an operation with all of its checks and rolls it back: without rows, events, jobs, mail and invalidations, and
 * without outbound calls. `work` gets a context for the operation, whose transactions all join this one; `look` sees
 * the database after it and, in a second call, without it.
 *
 * @throws whatever the operation throws.
 */
export const dryRun = <T>(
  ctx: Context,
  work: (tx: Transaction) => Promise<unknown>,
  look: (tx: Transaction) => Promise<T>,
): Promise<DryRunResult<T>> => trying(ctx, () => ctx.dryRun({ ...emptyOutbox(), isDryRun: true }, work, look));

export const emptyOutbox = (): Outbox => ({
  events: [],
  jobs: [],
  invalidate: new Set(),
  eventualInvalidations: new Set(),
  withCommit: new Map(),
  answers: new Map(),
  namesLocks: new Map(),
});

async function trying<T>(
  { request }: Context,
  transaction: (again: Pick<BeginOptions, 'waitsForLast'>) => Promise<T>,
): Promise<T> {
  let [attempt, waits, byRights, waitsForLast] = [0, 0, 0, false];
  for (;;) {
    try {
      return await transaction({ waitsForLast });
    } catch (error) {
      if (error instanceof LastLockHeld && !waitsForLast) {
        waitsForLast = true;
        continue;
      }
      if (error instanceof StillHeld && ++waits < WAITS) continue;
      if (error instanceof RightsChanged && request.isBackground && ++byRights < BY_RIGHTS) continue;
      attempt++;
      const fault = error instanceof DomainError ? undefined : databaseFault(error);
      const isTransient = fault?.sqlState === '40P01' || fault?.sqlState === '40001';
      if (!isTransient) throw translate(error);
      if (attempt === ATTEMPTS)
        throw unavailable('database.contended', 'The same data is being changed by others; try again', error);
      await sleep(Math.random() * PAUSE_MS * attempt);
    }
  }
}

/** A database error that the caller's input caused, as a 4xx; a lock that others hold too long, as a 503; other errors unchanged. */
export function translate(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  const fault = databaseFault(error);
  if (!fault) return error;
  const { sqlState, constraint } = fault;
  if (sqlState === '23505') {
    const name = constraint ?? 'unique';
    return conflict(name, messages.get(name) ?? 'This already exists');
  }
  if (sqlState === '55P03')
    return unavailable(
      'database.locked',
      'The same data is being changed by others, which takes long; try again',
      error,
    );
  // 23001: the code since PostgreSQL 18 for violations of `on delete restrict`.
  if (sqlState === '23503' || sqlState === '23001') {
    const explained = constraint && messages.get(constraint);
    return explained ? conflict(constraint, explained) : notFound('referenced entity');
  }
  if (sqlState === '23514' && constraint && messages.has(constraint))
    return badRequest(constraint, messages.get(constraint)!);
  // Class 22: data exceptions. 08P01: the entity manager writes values into the text of its statements, where a NUL ends it.
  if (sqlState.startsWith('22') || sqlState === '08P01')
    return badRequest('input.unstorable', 'A text or number in the input cannot be stored');
  return error;
}

/** The result of `load`, loaded once per transaction and key. The key must identify the query and its arguments. */
export function oncePerTransaction<T>(tx: Transaction, key: string, load: () => Promise<T>): Promise<T> {
  const { answers } = tx.outbox;
  const answer = (answers.get(key) as Promise<T> | undefined) ?? load();
  answers.set(key, answer);
  return answer;
}
