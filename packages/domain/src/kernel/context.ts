import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from './actor.ts';
import type { EventPlace, EventType, PendingEvent } from './event.ts';
import type { KeySets } from './key-sets.ts';
import type { Keyring, TransactionKeyring } from './keyring.ts';
import type { SendMail } from './mail.ts';
import type { OutboundConnect, OutboundFetch, OutboundNames, Targets } from './outbound.ts';
import type { Ability } from './permission.ts';
import type { Refusal } from './refusal.ts';
import type { Statement } from './sql.ts';
import type { KeyedLimiter } from './keyed-limiter.ts';

/** What a call came with. */
export interface RequestInfo {
  /** `req-` and 14 letters and digits: the same in the answer, the log and the audit log. */
  readonly id: string;
  /** The client's address, as `clientAddress` found it. */
  readonly ipAddress: string;
  readonly userAgent: string;
  /** Whether the call came from another machine, or by a proxy, which may stand for anybody. */
  readonly isRemote?: boolean;
  /** What a trusted proxy says the client proved in the TLS handshake: a certificate in PEM form, encoded for URLs. */
  readonly clientCertificate?: string | undefined;
  /** Work that no client waits for, or that is done in the name of somebody absent: no trusted addresses bind it. */
  readonly isBackground?: true;
}

export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** What this process caches of the database, until it is invalidated; see `TaggedCache`. */
export interface Cache<Value> {
  /** The value under `key`, loaded where it is missing; `now` and `until` in milliseconds of the context's clock. */
  load(
    key: string,
    now: number,
    load: () => Promise<{ value: Value; tags: readonly string[]; until?: number } | undefined>,
  ): Promise<Value | undefined>;
}

/** Waits for events for one caller. */
export interface Watch {
  /**
   * Resolves when there may be something new since the last time, and once the watch is closed.
   *
   * @throws whatever the check threw by which the watch may not go on; DomainError 503 where the server stops.
   */
  next(): Promise<void>;
  /** Whether it is not closed, for those who have much to tell before they wait. @throws as `next`. */
  isOpen(): boolean;
  close(): void;
}

export interface Watcher {
  readonly organizationId: string;
  readonly actorId: string;
}

/** Those who wait in this process. */
export interface Watches {
  /**
   * Begins to wait for what is dropped from caches under a tag, here or elsewhere. `check` is called about twice a second
   * for as long as it lasts.
   *
   * @throws DomainError 429 where this caller, its organization, or all together have as many as may be; 503 where the
   * server stops.
   */
  open(tag: string, caller: Watcher, check: () => Promise<void>): Watch;
}

/** What all calls of one process share. */
export interface ProcessContext {
  readonly keys: Keyring;
  readonly fetch: OutboundFetch;
  readonly connect: OutboundConnect;
  readonly names: OutboundNames;
  readonly keySets: KeySets;
  readonly targets: Targets;
  /** Absent where no mail server is configured. */
  readonly sendMail: SendMail | undefined;
  readonly log: Log;
  readonly settings: Settings;
  now(): Date;
  /** Commits the event of a read, together with those of other calls; the answer waits for it. */
  commitRead(event: PendingEvent, ctx: Context): Promise<void>;
  /** Records that something was refused, with others of its kind in one event (`RefusalLog`). Never throws. */
  noteRefusal(refusal: Refusal, ctx: Context): Promise<void>;
  /** Compiled rules, from the cache or the database; throws 404 where the actor is no member. */
  ability(ctx: Context, place: { organizationId: string; projectId?: string }): Promise<Ability>;
  /** The revisions of projects, by id; `revisionOf` asks. */
  readonly revisions: Cache<string>;
  /** Keys of certificate authorities at work, parsed; `signerOf` asks. */
  readonly signers: Cache<unknown>;
  readonly watches: Watches;
  /** Commits that were just read, or are being read, for those who watch; `watchSecrets` asks. */
  readonly commitReads: Map<string, Promise<unknown>>;
  /** The uses of tokens and client secrets without a limit: counted here, written once a second and on `flush`. */
  readonly usage: Usage;
  /** Attempts at passwords take turns, by subject. */
  readonly attempts: KeyedLimiter;
  /** Invalidates everything that was cached under these tags, here at once and elsewhere within a second. */
  invalidate(tags: readonly string[]): void;
}

/** What the operator sets, as far as operations need it. */
export interface Settings {
  /** The address under which people reach Coffer, without a slash at its end. */
  readonly siteUrl: string;
  readonly emailConfigured: boolean;
  /** Leases that one dynamic secret may have at a time. */
  readonly maxLeases: number;
  /** The absolute lifetime of a session, in seconds: it ends then, however much it is used. */
  readonly sessionSeconds: number;
  /** The idle lifetime of a session, in seconds: it ends when it was not used for so long. */
  readonly sessionIdleSeconds: number;
  /** Characters that a new password has at least. */
  readonly minPasswordLength: number;
  /** Calls of one caller per minute where no limit of the class is stored; 0 for no limit. */
  readonly callLimit: number;
  /** Refused logins of one address at one subject per minute, where none is stored, and sign-ups; 0 for no limit, in tests alone. */
  readonly loginLimit: number;
}

const DAY = 24 * 3600;

/** What holds where the operator sets nothing. */
export const DEFAULT_SETTINGS = {
  siteUrl: 'http://127.0.0.1:8080',
  maxLeases: 10_000,
  sessionSeconds: 90 * DAY,
  sessionIdleSeconds: 30 * DAY,
  minPasswordLength: 12,
  callLimit: 0,
  loginLimit: 0,
} as const;

/** The shortest minimum that an operator can set for passwords, in characters. */
export const SHORTEST_PASSWORD = 8;

/** The shortest lifetime of sessions that an operator can set, in seconds. */
export const SHORTEST_SESSION = 300;

export interface Usage {
  add(tokenId: string, usedAt: Date): void;
  addLogin(clientSecretId: string, usedAt: Date): void;
  /** Of service tokens, only the time of the last use is kept. */
  addService(serviceTokenId: string, usedAt: Date): void;
  /** Of sessions of users, too. */
  addSession(sessionId: string, usedAt: Date): void;
  /** Of API keys, too. */
  addApiKey(apiKeyId: string, usedAt: Date): void;
  flush(): Promise<void>;
}

/** Everything that an operation may touch. Each call has its own. */
export interface Context extends ProcessContext {
  readonly actor: Actor;
  readonly request: RequestInfo;
  /** A fresh entity manager; inside a transaction, that transaction's. */
  readonly em: EntityManager;
  /** The permissions that this call was granted so far, by key, each after its check: compared with what its procedure declared. */
  readonly granted: Set<string>;
  /** How much comparisons of rules have taken in this call, in steps of `ComparisonBudget`. */
  readonly comparisons: { spent: number };
  /** The project in which the call last asked for rights: where it is refused, that is the place of the event. */
  readonly asked: { projectId?: string };
  /** Set inside `inTransaction`. */
  readonly outbox: Outbox | undefined;
  /** Whether change policies apply to Coffer itself at this moment; see `enforcingPolicies`. */
  isUnderPolicies?: boolean;
  /** Runs a statement with bound values, prepared outside of transactions. Timestamps come as text: `at(row.x)`. */
  sql<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /**
   * The row of one key, asked together with what other calls ask at this moment. The statement takes an array for each
   * part of the key, and answers each row with the `ordinal` of its key (see `QueryBatcher`).
   */
  one<Row extends object>(statement: Statement, key: readonly unknown[]): Promise<Row | undefined>;
  /** Runs work on one connection between begin and commit; `inTransaction` is what operations use. */
  begin<T>(outbox: Outbox, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Does work and takes all of it back. `look` is called twice on one unchanging view of the database: after the work,
   * and once more as if it had never been done. `dryRun` is what operations use.
   */
  dryRun<T>(
    outbox: Outbox,
    work: (tx: Transaction) => Promise<unknown>,
    look: (tx: Transaction) => Promise<T>,
  ): Promise<DryRunResult<T>>;
}

/** What was seen without and with some work. */
export interface DryRunResult<T> {
  readonly before: T;
  readonly after: T;
}

/** What a transaction writes besides its rows, and what it keeps for as long as it lasts. */
export interface Outbox {
  readonly events: PendingEvent[];
  readonly jobs: PendingJob[];
  readonly invalidate: Set<string>;
  /** What is announced to others after the commit; see `invalidateEventually`. */
  readonly eventualInvalidations: Set<string>;
  /** What is done last, by a name of its own; see `BeforeCommit`. */
  readonly beforeCommit: Map<string, BeforeCommit>;
  /** What was asked once, by key; see `oncePerTransaction`. */
  readonly answers: Map<string, Promise<unknown>>;
  /** How the names of projects are held, by project; see `lockNames`. */
  readonly namesLocks: Map<string, 'shared' | 'exclusive'>;
  /** Where changes are noted that policies would refuse; see `captureInto`. */
  capture?: object;
  /** Nothing of it is ever written. */
  readonly isDryRun?: true;
}

/**
 * Work of a transaction that locks what many others wait for, and so is done after everything else, its
 * events included, right before its jobs are written and it commits. `at` is the time then; `tx.now()` is when it began.
 */
export interface BeforeCommit {
  run(tx: Transaction, at: Date): Promise<void>;
}

export interface PendingJob {
  readonly name: string;
  readonly payload: unknown;
  readonly options: JobOptions;
}

export interface JobOptions {
  runAt?: Date;
  maxAttempts?: number;
  /** Jobs of one queue run one after the other. */
  queue?: string;
  /** A waiting job of the same key is replaced. */
  key?: string;
  /** Of the jobs that wait, those of the lowest number come first; 0 where absent. */
  priority?: number;
}

export interface Transaction extends Context {
  /** When it began: one time for all that it writes and answers. */
  now(): Date;
  readonly outbox: Outbox;
  readonly keys: TransactionKeyring;
}

/** Notes an event; it commits with the transaction's rows, or not at all. */
export function record<Data>(tx: Transaction, type: EventType<Data>, data: Data, place: EventPlace = {}): void {
  tx.outbox.events.push({ type: type.name, published: type.published, data, ...place });
}

/** Drops what is cached under these tags once the transaction is committed, in every process. */
export function invalidate(tx: Transaction, ...tags: string[]): void {
  for (const tag of tags) tx.outbox.invalidate.add(tag);
}

/**
 * The same for what is written often: this process drops it with the commit, others hear of it some milliseconds later, of
 * many commits at once. It is no part of the transaction, since a NOTIFY makes commits wait for one another, those of
 * other projects too. A process that is killed in between does not tell: what is kept under such a tag has to end by
 * itself within `EVENTUAL_MS`.
 */
export function invalidateEventually(tx: Transaction, tag: string): void {
  tx.outbox.eventualInvalidations.add(tag);
}

/** Milliseconds for which anything is kept under a tag that is only invalidated eventually. */
export const EVENTUAL_MS = 1_000;
