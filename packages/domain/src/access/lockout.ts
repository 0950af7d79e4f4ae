import {
  atOrNull,
  statement,
  unauthenticated,
  type Context,
  type DomainError,
  type Transaction,
} from '../kernel/index.ts';

/**
 * Guesses against a subject are counted in one place over all ways of logging in as it. A subject is a text that names
 * what is guessed at in its canonical form: `user:ann@example.com`, `universal-auth:<client id>`. Count unknown subjects
 * as known ones are counted, and give both the same refusal, so that no answer tells which exist.
 */
export interface LockoutPolicy {
  /** The failure that locks. */
  readonly threshold: number;
  /** How long it locks, in seconds. */
  readonly durationSeconds: number;
  /** Failures further apart than this do not add up, in seconds; at most a day. */
  readonly resetSeconds: number;
}

const LOCKED = statement(
  'lockouts.locked',
  'select 1 as locked from lockouts where subject = $1 and locked_until > $2',
);

/**
 * Counted in one statement, so that parallel guesses all count. While a subject is locked nothing is added, and a lock
 * that is over starts the count afresh. Each failure also takes away up to two rows that are over, other subjects' or
 * not, so that guesses at made-up subjects cannot fill the table.
 */
const FAIL = statement(
  'lockouts.fail',
  `with over as (
     delete from lockouts where subject in (
       select subject from lockouts
       where last_failure_at < $2::timestamptz - interval '2 days' and coalesce(locked_until < $2, true) and subject <> $1
       order by last_failure_at limit 2 for update skip locked))
   insert into lockouts as l (subject, failures, last_failure_at, locked_until)
   values ($1, 1, $2, case when $3::integer <= 1 then $2::timestamptz + $4::integer * interval '1 second' end)
   on conflict (subject) do update set (failures, last_failure_at, locked_until) = (
     select n.failures, $2::timestamptz,
       case
         when l.locked_until > $2 then l.locked_until
         when n.failures >= $3 then $2::timestamptz + $4 * interval '1 second'
       end
     from (select case
       when l.locked_until > $2 then l.failures
       when l.locked_until is not null or l.last_failure_at <= $2::timestamptz - $5::integer * interval '1 second' then 1
       else l.failures + 1
     end as failures) n)
   returning failures, locked_until`,
);

const CLEAR = statement(
  'lockouts.clear',
  'delete from lockouts where subject = $1 and coalesce(locked_until <= $2, true)',
);

const locked = () => unauthenticated('auth.locked', 'There were too many failed attempts: try again later');

/**
 * Asks before a credential is checked.
 *
 * @throws DomainError 401, or what `refusal` makes, while the subject is locked.
 */
export async function requireNotLocked(
  ctx: Context,
  subject: string,
  refusal: () => DomainError = locked,
): Promise<void> {
  const rows = await ctx.sql(LOCKED, [subject, ctx.now()]);
  if (rows.length > 0) throw refusal();
}

/** Counts a failure: outside of transactions, since what is rolled back does not count. Tells whether it is locked now. */
export async function recordFailure(
  ctx: Context,
  subject: string,
  { threshold, durationSeconds, resetSeconds }: LockoutPolicy,
): Promise<{ failures: number; lockedUntil: Date | null }> {
  const [row] = await ctx.sql<{ failures: number; locked_until: string | null }>(FAIL, [
    subject,
    ctx.now(),
    threshold,
    durationSeconds,
    resetSeconds,
  ]);
  return { failures: row!.failures, lockedUntil: atOrNull(row!.locked_until) };
}

/**
 * Ends the count, in the transaction of the login that succeeded. A right guess among many parallel ones counts only
 * as long as the failures that were committed before it have not locked the subject.
 *
 * @throws DomainError 401, or what `refusal` makes, where the subject was locked in the meantime.
 */
export async function clearFailures(
  tx: Transaction,
  subject: string,
  refusal: () => DomainError = locked,
): Promise<void> {
  await tx.sql(CLEAR, [subject, tx.now()]);
  await requireNotLocked(tx, subject, refusal);
}
