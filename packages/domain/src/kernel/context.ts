import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from './actor.ts';
import { NO_APP_SETTINGS, type AppSettings } from './app-settings.ts';
import type { EventPlace, EventType, PendingEvent } from './event.ts';
import type { KeySets } from './key-sets.ts';
import type { Keyring, TransactionKeyring, UseCounter } from './keyring.ts';
import type { SendMail } from './mail.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type { OutboundConnect, OutboundFetch, OutboundNames, Targets } from './outbound.ts';
import type { Ability } from './permission.ts';
import type { Refusal } from './refusal.ts';
import type { BoundStatement, RecordStatement, Statement } from './sql.ts';
import type { CallerLimiter } from './caller-limiter.ts';
import type { Attempts } from './keyed-limiter.ts';
import type { PasswordTurns } from './password-turns.ts';

/** The properties of the request. */
export interface RequestInfo {
  /** `req-` and 14 letters and digits: the same in the answer, the log and the audit log. */
  readonly id: string;
  /** The client's address, as `clientAddress` found it. */
  readonly ipAddress: string;
  readonly userAgent: string;
  /** Whether the request came from another machine, or through a proxy, which forwards for anybody. */
  readonly isRemote?: boolean;
  /** The client certificate of the TLS handshake of a trusted proxy: PEM, URL-encoded. */
  readonly clientCertificate?: string | undefined;
  /** Background work, or work as an absent actor: not subject to trusted addresses. */
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
  /** The value under `key`, if it is there. */
  get(key: string, now: number): Value | undefined;
  /** The value under `key`, loaded if missing; `now` and `until` in milliseconds of the context's clock. */
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
  /**
   * Checks that it is not closed, for callers with long work between waits.
   *
   * @throws as `next`.
   */
  isOpen(): boolean;
  close(): void;
}

export interface Watcher {
  readonly organizationId: string;
  readonly actorId: string;
}

/** The watches of this process. */
export interface Watches {
  /**
   * Begins to watch for invalidations of a tag, in any process. `check` is called about twice a second during the
   * watch.
   *
   * @throws DomainError 429 if this caller, its organization, or all together have too many watches; 503 while the
   * server stops.
   */
  open(tag: string, caller: Watcher, check: () => Promise<void>): Watch;
}

/** Shared by all calls of one process. */
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
  /** Commits the event of a read, together with those of other calls; the response waits for it. */
  commitRead(event: PendingEvent, ctx: Context): Promise<void>;
  /**
   * Takes room in the audit log for an event (`AuditSpace`); without a limit, or with enough room, immediately.
   *
   * @throws DomainError 503 `audit.full` where it has none for an event of this actor.
   */
  takeAuditSpace(event: PendingEvent, by: Pick<Context, 'actor' | 'sql'>): Promise<void> | undefined;
  /** Records a refusal, with others of its kind in one event (`RefusalLog`). Never throws. */
  noteRefusal(refusal: Refusal, by: Pick<Context, 'actor' | 'request' | 'now'>): Promise<void>;
  /** Compiled rules, from the cache or the database. Rejects, and never throws, with 404 where the actor is no member. */
  ability(ctx: Context, place: { organizationId: string; projectId?: string }): MaybePromise<Ability>;
  /** The revisions of projects, by ID; used by `revisionOf`. */
  readonly revisions: Cache<string>;
  /** Parsed keys of certificate authorities, used by `signerOf`, and of the KMS, used by `keyForUse`. */
  readonly signers: Cache<unknown>;
  /** The encryptions with keys of the KMS, by key version. */
  readonly kmsUses: UseCounter;
  readonly watches: Watches;
  /** Recently read commits for watches; used by `watchSecrets`. */
  readonly commitReads: Map<string, Promise<unknown>>;
  /** Documents that this process makes at the moment, by a key that names their state; used by `getSshRevocationList`. */
  readonly documentsBeingMade: Map<string, Promise<unknown>>;
  /** The uses of tokens and client secrets without a limit: counted here, written once a second and on `flush`. */
  readonly usage: Usage;
  /** Work that fills a thread for long takes turns by caller; used by `inThreadTurn`. */
  readonly threadTurns: CallerLimiter;
  /** Work with large answers of other systems takes turns by organization; used by `RemoteSession`. */
  readonly largeAnswers: CallerLimiter;
  /** Hashing passwords takes turns by caller; used by `hashPassword` and `verifyPassword`. */
  readonly passwordTurns: Pick<PasswordTurns, 'run'>;
  /** Attempts at passwords take turns, by subject. */
  readonly attempts: Attempts;
  /**
   * Invalidates everything that was cached under these tags, here immediately and in other processes within a second.
   */
  invalidate(tags: readonly string[]): void;
}

/** The operator's settings that operations use. */
export interface Settings {
  /** The address under which people reach Coffer, without a slash at its end. */
  readonly siteUrl: string;
  readonly emailConfigured: boolean;
  /** Maximum number of leases of one dynamic secret. */
  readonly maxLeases: number;
  /** The absolute lifetime of a session, in seconds: it ends then, however much it is used. */
  readonly sessionSeconds: number;
  /** The idle lifetime of a session, in seconds: it ends when it was not used for so long. */
  readonly sessionIdleSeconds: number;
  /** Characters that a new password has at least. */
  readonly minPasswordLength: number;
  /** Calls of one caller per minute, unless a limit of the class is stored; 0 for no limit. */
  readonly callLimit: number;
  /**
   * Refused logins of one address for one subject per minute, unless a limit is stored, and sign-ups; 0 for no limit,
   * only in tests.
   */
  readonly loginLimit: number;
  readonly apps: AppSettings;
}

const DAY = 24 * 3600;

/** The defaults of the operator's settings. */
export const DEFAULT_SETTINGS = {
  siteUrl: 'http://127.0.0.1:8080',
  maxLeases: 10_000,
  sessionSeconds: 90 * DAY,
  sessionIdleSeconds: 30 * DAY,
  minPasswordLength: 12,
  callLimit: 0,
  loginLimit: 0,
  apps: NO_APP_SETTINGS,
} as const;

/** The shortest minimum that an operator can set for passwords, in characters. */
export const SHORTEST_PASSWORD = 8;

/** The shortest lifetime of sessions that an operator can set, in seconds. */
export const SHORTEST_SESSION = 300;

export interface Usage {
  add(tokenId: string, usedAt: Date): void;
  addLogin(clientSecretId: string, usedAt: Date): void;
  /** Of service tokens, only the time of the last use is stored. */
  addService(serviceTokenId: string, usedAt: Date): void;
  /** Of sessions of users, too. */
  addSession(sessionId: string, usedAt: Date): void;
  /** Of API keys, too. */
  addApiKey(apiKeyId: string, usedAt: Date): void;
  /** Tells of which IDs uses of until now are not written; lists use `withUses`. */
  unwritten(): (id: string) => boolean;
  flush(): Promise<void>;
}

/** How a transaction begins. It holds the organization and the projects in which its call asked for rights. */
export interface BeginOptions {
  /** Waits for locks as long as a statement may take. */
  readonly isLong?: boolean;
  /** The ID of the organization or project that it deletes; see `inLastTransaction`. */
  readonly ends?: string | undefined;
  /** Waits for the locks of its last statements before its rights are compared; see `LastLockHeld`. */
  readonly waitsForLast?: boolean;
  /** Is committed whatever has become of the caller's rights; see `inReleasingTransaction`. */
  readonly isReleasing?: boolean;
}

/** Which concurrent work may be done in one transaction. */
export interface Share {
  /** Work of one group shares transactions. */
  readonly group: string;
  /** What it writes, by names: of two that write the same, the second one has its turn later. */
  readonly names: readonly string[];
}

/** Repeats a check of rights that a call has passed. @throws DomainError 403, 404 if it is not passed any more. */
export type PassedCheck = (ctx: Context) => MaybePromise<unknown>;

/**
 * Repeats a check that equal rules of the caller do not answer: it looks at rows, or at rights of others.
 *
 * @param committed As `ctx`, but sees what is committed: without the changes of the transaction that asks.
 * @throws DomainError if it is not passed any more.
 */
export type CheckOfRows = (ctx: Context, committed: Context) => MaybePromise<unknown>;

/** Everything that an operation may touch. Each call has its own. */
export interface Context extends ProcessContext {
  readonly actor: Actor;
  readonly request: RequestInfo;
  /** A fresh entity manager; inside a transaction, that transaction's. */
  readonly em: EntityManager;
  /** The permissions that this call was granted so far, by key, each after its check: compared with what its procedure declared. */
  readonly granted: Set<string>;
  /**
   * Checks that the token of the caller is still valid after a wait; see `requireStillPermitted`.
   *
   * @throws DomainError 401, 403.
   */
  requireStillCalling(): Promise<void>;
  /**
   * Checks that the rights of the caller are those that it has used, after a wait of its own process, before anything is stored:
   * otherwise the work is done again by the present ones. In background work as `requireStillPermitted`.
   *
   * @throws DomainError 401, 403, 404, 503.
   */
  requireUnchangedRights(): Promise<void>;
  /** The checks of rights that this call has passed, to be asked again after a wait; see `requireStillPermitted`. */
  readonly passed: PassedCheck[];
  /**
   * Those that equal rules do not answer. A transaction has its own list, which is repeated before its commit if it may have waited.
   */
  readonly passedByRows: CheckOfRows[];
  /** How much comparisons of rules have taken in this call, in steps of `ComparisonBudget`. */
  readonly comparisons: { spent: number };
  /** The project of the last permission check of this call: the project of an event about its refusal. */
  readonly asked: { projectId?: string };
  /**
   * Waits until the process has memory for an answer with so many bytes of values, before they are read: only with more
   * than `SMALL_ANSWER`, once in a call, and outside of transactions. Rows and rights may have changed meanwhile.
   *
   * @throws DomainError 401 if the caller's token ended meanwhile; 429 if too many of its requests wait.
   */
  announceAnswer(bytes: number): Promise<void>;
  /** Set inside `inTransaction`. */
  readonly outbox: Outbox | undefined;
  /** Whether change policies apply to Coffer itself at this moment; see `enforcingPolicies`. */
  isUnderPolicies?: boolean;
  /** Runs a statement with bound values, prepared outside of transactions. Timestamps come as text: `at(row.x)`. */
  sql<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /**
   * The row of one key, batched with those of other concurrent calls. The statement takes an array for each part of the
   * key, and returns each row with the `ordinal` of its key (see `QueryBatcher`).
   *
   * @param group Only calls of the same group are batched: for writes, which wait for locks. Default: all calls.
   */
  one<Row extends object>(statement: Statement, key: readonly unknown[], group?: string): Promise<Row | undefined>;
  /** Runs work on one connection between begin and commit; operations use `inTransaction`. */
  begin<T>(outbox: Outbox, work: (tx: Transaction) => Promise<T>, options?: BeginOptions): Promise<T>;
  /** Runs work in a transaction that other calls may share, or `alone`; operations use `inSharedTransaction`. */
  beginShared<T>(share: Share, work: (tx: Transaction) => Promise<T>, alone: () => Promise<T>): Promise<T>;
  /**
   * Runs work and rolls it back. `look` is called twice on one snapshot of the database: after the work, and as if it
   * had not been done. Operations use `dryRun`.
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

/** The further output of a transaction besides its rows, and its state. */
export interface Outbox {
  readonly events: PendingEvent[];
  readonly jobs: PendingJob[];
  readonly invalidate: Set<string>;
  /** Invalidations to announce after the commit; see `invalidateEventually`. */
  readonly eventualInvalidations: Set<string>;
  /** What is written with the commit, by unique name; see `WithCommit`. */
  readonly withCommit: Map<string, WithCommit>;
  /** Results of queries, by key; see `oncePerTransaction`. */
  readonly answers: Map<string, Promise<unknown>>;
  /** The held name locks of projects; see `lockNames`. */
  readonly namesLocks: Map<string, 'shared' | 'exclusive'>;
  /** Where changes are noted that policies would refuse; see `captureInto`. */
  capture?: object;
  /** Nothing of it is ever written. */
  readonly isDryRun?: true;
}

/**
 * A statement that takes a contended lock, and is therefore sent last, together with the commit: the lock is held for no
 * round trip. It is prepared after everything else, once for all calls of a shared transaction; `at` is the current time,
 * `tx.now()` is the start.
 */
export interface WithCommit {
  prepare(txs: readonly Transaction[], at: Date): Promise<BoundStatement>;
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
  /** Waiting jobs with a lower number run first; default 0. */
  priority?: number;
}

export interface Transaction extends Context {
  /** The start of the transaction: the time of everything that it writes and returns. */
  now(): Date;
  readonly outbox: Outbox;
  readonly keys: TransactionKeyring;
  /** Whether other calls work in it, too; see `inSharedTransaction`. */
  readonly isShared: boolean;
  /**
   * Runs a statement for some records: in a shared transaction, once for the records of all that have the same further
   * values. Returns the rows of all of them.
   */
  write<Row extends object, Written = unknown>(
    statement: RecordStatement<Written>,
    records: readonly Written[],
    values: readonly unknown[],
  ): Promise<Row[]>;
}

/** What only a call outside of transactions has: work that takes long keeps no connection from others. */
export type Outside<Part> = Part & { readonly write?: never };

/** Notes an event; it commits with the transaction's rows, or not at all. */
export function record<Data>(tx: Transaction, type: EventType<Data>, data: Data, place: EventPlace = {}): void {
  tx.outbox.events.push({ type: type.name, published: type.published, data, ...place });
}

/** Invalidates these tags after the commit, in every process. */
export function invalidate(tx: Transaction, ...tags: string[]): void {
  for (const tag of tags) tx.outbox.invalidate.add(tag);
}

/**
 * The same for frequent writes: this process invalidates at the commit, others some milliseconds later, for many
 * commits at once. It is not part of the transaction, because a NOTIFY serializes the commits of all projects. A
 * process that is killed in between does not announce it: entries under such a tag must expire within `EVENTUAL_MS`.
 */
export function invalidateEventually(tx: Transaction, tag: string): void {
  tx.outbox.eventualInvalidations.add(tag);
}

/** The maximum age in milliseconds of entries under a tag that is only invalidated eventually. */
export const EVENTUAL_MS = 1_000;
