import { hashOf } from '../crypto/index.ts';
import {
  at,
  atOrNull,
  DomainError,
  statement,
  type Context,
  type PasswordCaller,
  type Transaction,
} from '../kernel/index.ts';

/**
 * Throttling of failed guesses. Guesses are counted by subject: a text that names the target in canonical form, such as
 * `user:ann@example.com`. Count unknown subjects like known ones, and refuse both alike, so that responses do not
 * disclose which exist.
 */
export interface ThrottlePolicy {
  /** The failure from which on attempts have to wait. */
  readonly threshold: number;
  /** How long they wait after it, in seconds. */
  readonly delaySeconds: number;
  /**
   * The delay doubles with each further failure, up to this. If omitted, the delay is constant, and the count restarts
   * after it.
   */
  readonly maxDelaySeconds?: number;
  /**
   * Failures further apart than this do not add up, in seconds; at most a day. With a growing delay, the count also falls
   * evenly, by `threshold` within this time: a trickle of failures never reaches it.
   */
  readonly resetSeconds: number;
}

/** SQL: by how much a count has fallen since its last failure; of numbers in SQL. */
const fallen = ({ now, threshold, reset }: { now: string; threshold: string; reset: string }) =>
  `greatest(0, floor(extract(epoch from ${now}::timestamptz - l.last_failure_at)::float8 * ${threshold} / ${reset}))`;

/**
 * One statement, so that all parallel guesses count: with a growing delay also those that were under way when it began, so
 * that bursts at many subjects are not one guess. While a constant delay lasts, nothing is added. Each failure also deletes
 * up to two expired rows of any subject, so that guesses at invented subjects cannot fill the table.
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
     select n.failures, n.since,
       case
         when $6 = $4 and l.locked_until > $2 then l.locked_until
         when n.failures >= $3
           then $2::timestamptz + least($6::integer, $4 * 2 ^ least(n.failures - $3, 20)) * interval '1 second'
       end
     from (
       select ${fallen({ now: '$2', threshold: '$3', reset: '$5::integer' })} as fallen
     ) f cross join lateral (select
       case
         when $6 = $4 and l.locked_until > $2 then l.failures
         when l.locked_until is not null and $6 = $4 then 1
         when greatest(l.last_failure_at, l.locked_until) <= $2::timestamptz - $5 * interval '1 second' then 1
         when $6 = $4 then l.failures + 1
         else least(greatest(l.failures - f.fallen, 0)::integer + 1, $3 + 20)
       end as failures,
       -- The time by which the count has not fallen yet is kept.
       case
         when $6 = $4 and l.locked_until > $2 then l.last_failure_at
         when $6 = $4 or l.failures <= f.fallen then $2::timestamptz
         else l.last_failure_at + f.fallen * $5 / $3 * interval '1 second'
       end as since) n)
   returning failures, locked_until as "lockedUntil"`,
);

/** Counts a failure; returns how many there are. Call it outside of transactions, because a rollback would lose it. */
export async function countFailure(ctx: Context, subject: string, policy: ThrottlePolicy): Promise<number> {
  const { threshold, delaySeconds, maxDelaySeconds = delaySeconds, resetSeconds } = policy;
  const counted = [subject, ctx.now(), threshold, delaySeconds, resetSeconds, maxDelaySeconds];
  return (await ctx.sql<{ failures: number }>(FAIL, counted))[0]!.failures;
}

/** Rows of a kind for all subjects that do not exist. */
const UNKNOWN_ROWS = 64;

/**
 * The subject of failures at something that does not exist, where nobody reads their count: strangers invent any number of names,
 * which share few rows. The same name has the same row, so that a failure takes the same work as at a known subject.
 */
export const unknownSubject = (kind: string, name: string): string =>
  `${kind}:unknown-${hashOf(name)[0]! % UNKNOWN_ROWS}`;

const PRESENT = statement(
  'lockouts.present',
  `select case
     when l.locked_until > $2 then l.failures
     else greatest(l.failures - ${fallen({ now: '$2', threshold: '$3::integer', reset: '$4::integer' })}, 0)::integer
   end as failures, case when l.locked_until > $2 then l.locked_until end as "lockedUntil"
   from lockouts l where l.subject = $1`,
);

/** How many failures count now under a policy with a growing delay, and until when attempts have to wait. */
export async function presentFailures(
  ctx: Context,
  subject: string,
  { threshold, resetSeconds }: ThrottlePolicy,
): Promise<{ failures: number; lockedUntil: Date | null }> {
  const [row] = await ctx.sql<{ failures: number; lockedUntil: string | null }>(PRESENT, [
    subject,
    ctx.now(),
    threshold,
    resetSeconds,
  ]);
  return { failures: row?.failures ?? 0, lockedUntil: atOrNull(row?.lockedUntil ?? null) };
}

const STATE = statement(
  'lockouts.state',
  `select
     exists (select 1 from known_clients where subject = $1 and client = $2 and last_seen_at > $7) as "isKnown",
     (select locked_until from lockouts where subject = $3 and locked_until > $6) as "knownUntil",
     (select max(locked_until) from lockouts where subject = any($4::text[] || $5::text)
       and locked_until > $6) as "strangersUntil"`,
);
const CLEAR = statement(
  'lockouts.clear',
  'delete from lockouts where subject = $1 and coalesce(locked_until <= $2, true)',
);
const RESET_CLIENT = statement('lockouts.reset_client', 'delete from lockouts where subject = $1');
const REMEMBER = statement(
  'known_clients.remember',
  `insert into known_clients as k (subject, client, last_seen_at) values ($1, $2, $3)
   on conflict (subject, client) do update set last_seen_at = excluded.last_seen_at
   where k.last_seen_at < excluded.last_seen_at - interval '1 day'`,
);
const DELETE_CLIENTS = statement('known_clients.delete', 'delete from known_clients where subject = $1');
/** A subject, and all that begin with it and a `|`; `}` is the character after that one. */
const RESET = statement(
  'lockouts.reset',
  `delete from lockouts
   where subject = $1 or (subject collate "C" >= $1 || '|' and subject collate "C" < $1 || '}')`,
);

/** How long a client stays known after its last login, in seconds. */
export const KNOWN_CLIENT_SECONDS = 365 * 86_400;

/** Who makes an attempt. A client is known to a subject by a login that succeeded. */
export interface AttemptClient {
  /** The identifier of a known client: a device, or an address. */
  readonly known: string;
  /** The identifier of an unknown client: its address. */
  readonly unknown: string;
  /** Known by other means than an earlier login; it is not remembered. */
  readonly isKnown?: boolean;
}

/** For the attempts of an unknown client at all subjects of a kind: one secret is tried at many of them (password spraying). */
export interface SprayingPolicy extends ThrottlePolicy {
  /** The kind. Failures at subjects of other kinds do not count. */
  readonly of: string;
}

/** An unknown client has a few hundred failures at all subjects whose secrets people choose. */
export const sprayingOf = (kind: string): SprayingPolicy => ({
  of: kind,
  threshold: 300,
  delaySeconds: 2,
  maxDelaySeconds: 300,
  resetSeconds: 7_200,
});

/** Without one of them, such failures are not counted, and delay nobody. */
export interface AttemptPolicies {
  /** The policy for attempts of one client, known or not. */
  readonly client?: ThrottlePolicy;
  /** For the attempts of all unknown clients at the subject together. */
  readonly strangers?: ThrottlePolicy;
  readonly spraying?: SprayingPolicy;
}

/**
 * One attempt at a subject. Guesses of a client delay that client; guesses of many unknown clients delay all unknown
 * ones. Clients that have logged in before are not affected by the guesses of others (OWASP, «Slow Down Online Guessing
 * Attacks with Device Cookies»).
 */
export class Attempt {
  readonly #ctx: Context;
  readonly #subject: string;
  readonly #client: AttemptClient;
  readonly #policies: AttemptPolicies;
  #isKnown = false;

  constructor(ctx: Context, subject: string, client: AttemptClient, policies: AttemptPolicies) {
    this.#ctx = ctx;
    this.#subject = subject;
    this.#client = client;
    this.#policies = policies;
  }

  /**
   * Call it before checking a credential.
   *
   * @throws DomainError 429 while attempts of this client are delayed.
   */
  async requireAllowed(ctx: Context = this.#ctx): Promise<void> {
    const now = ctx.now();
    const { client, strangers } = this.#policies;
    const [state] = await ctx.sql<{ isKnown: boolean; knownUntil: string | null; strangersUntil: string | null }>(
      STATE,
      [
        this.#subject,
        this.#client.known,
        client ? this.#keyOf(this.#client.known) : null,
        [...(strangers ? [this.#subject] : []), ...(client ? [this.#keyOf(this.#client.unknown)] : [])],
        this.#sprayingKey,
        now,
        new Date(now.getTime() - KNOWN_CLIENT_SECONDS * 1000),
      ],
    );
    this.#isKnown = this.#client.isKnown || state!.isKnown;
    const until = this.#isKnown ? state!.knownUntil : state!.strangersUntil;
    if (until !== null) throw throttled(at(until), now);
  }

  /**
   * Checks a credential by the given work. Checks of one subject take turns, so that parallel guesses count; those of a known
   * client are not in the line of the others, whose guesses would keep it waiting, or out.
   *
   * @throws DomainError 429 while attempts of this client are delayed, or too many are waiting; whatever the work throws.
   */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    // Also says whether the client is known. Who has to wait anyway takes nobody's turn.
    await this.requireAllowed();
    return this.#ctx.attempts.run(this.#isKnown ? this.#key : this.#subject, async () => {
      await this.requireAllowed();
      return work();
    });
  }

  /** Whether the client is known, as `requireAllowed` has found. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Whose turn it is to have a password hashed: all known clients of a subject have one turn, since each login makes another one. */
  get caller(): PasswordCaller {
    return this.#isKnown ? { key: this.#subject, isStranger: false } : { key: this.#client.unknown, isStranger: true };
  }

  async countFailure(): Promise<void> {
    const { client, strangers, spraying } = this.#policies;
    if (client) await countFailure(this.#ctx, this.#key, client);
    if (this.#isKnown) return;
    if (strangers) await countFailure(this.#ctx, this.#subject, strangers);
    if (spraying) await countFailure(this.#ctx, this.#sprayingKey!, spraying);
  }

  /**
   * Resets the count of this client and remembers the client, in the transaction of its login. Of many parallel
   * guesses, a right one counts only if the failures committed before it do not delay it.
   *
   * @throws DomainError 429
   */
  async succeed(tx: Transaction): Promise<void> {
    await tx.sql(CLEAR, [this.#key, tx.now()]);
    await this.requireAllowed(tx);
    if (!this.#client.isKnown) await this.remember(tx);
  }

  /** Remembers the client, and resets no count. */
  async remember(ctx: Pick<Context, 'sql' | 'now'>): Promise<void> {
    await ctx.sql(REMEMBER, [this.#subject, this.#client.known, ctx.now()]);
  }

  get #key(): string {
    return this.#keyOf(this.#isKnown ? this.#client.known : this.#client.unknown);
  }

  get #sprayingKey(): string | null {
    const { spraying } = this.#policies;
    return spraying ? `spraying:${spraying.of}|${this.#client.unknown}` : null;
  }

  #keyOf(client: string): string {
    return `${this.#subject}|${client}`;
  }
}

/** Clears the guesses of one client at a subject. */
export async function resetClient(tx: Transaction, subject: string, client: string): Promise<void> {
  await tx.sql(RESET_CLIENT, [`${subject}|${client}`]);
}

/** Clears the guesses at a credential that is no more, and the clients that knew it. */
export async function resetAttempts(tx: Transaction, subject: string): Promise<void> {
  await tx.sql(RESET, [subject]);
  await tx.sql(DELETE_CLIENTS, [subject]);
}

/** Those of the errors that refuse an attempt without looking at its credential. */
const NOT_LOOKED_AT: ReadonlySet<string> = new Set(['auth.throttled', 'auth.busy']);

/**
 * Does work with an attempt. One that is not looked at, since others were wrong before or too many wait, is a refusal, too: `note`
 * records it, so that the log counts all guesses.
 */
export async function notingThrottled<T>(
  work: () => Promise<T>,
  note: (refusal: DomainError) => Promise<void>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && NOT_LOOKED_AT.has(error.code)) await note(error);
    throw error;
  }
}

export function throttled(until: Date, now: Date): DomainError {
  const retryAfter = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return new DomainError(
    'rate_limited',
    'auth.throttled',
    `Too many failed attempts: try again in ${retryAfter} seconds`,
    { retryAfter },
  );
}
