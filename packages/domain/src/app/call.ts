import type { EntityManager } from '@mikro-orm/postgresql';
import { beforeOwnChanges, type Place } from '../access/index.ts';
import type { KnownServiceToken } from '../access/service-token/index.ts';
import type { TaggedCache } from '../cache/index.ts';
import type { StoredKeyring } from '../crypto/index.ts';
import { entityManager, type Database } from '../database/database.ts';
import { TransactionConnection } from '../database/transaction-connection.ts';
import type { KnownToken } from '../identities/access-token/authenticate.ts';
import {
  asQuery,
  badRequest,
  callerKeyOf,
  emptyOutbox,
  requireRowsAgain,
  requireStillPermitted,
  type Ability,
  type Actor,
  type Attempts,
  type CallerLimiter,
  type BeginOptions,
  type Context,
  type ProcessContext,
  type Keyring,
  type Cache,
  type KeySets,
  type Log,
  type MaybePromise,
  type Outbox,
  type OutboundConnect,
  type OutboundFetch,
  type OutboundNames,
  type PendingEvent,
  type Refusal,
  type DryRunResult,
  type RequestInfo,
  type SendMail,
  type Settings,
  type Share,
  type Statement,
  type Targets,
  type Transaction,
  type Usage,
  type UseCounter,
  type Watches,
} from '../kernel/index.ts';
import type { KnownApiKey } from '../users/api-key/index.ts';
import type { KnownUserToken } from '../users/session/index.ts';
import { commitAll } from './commit.ts';
import { TransactionCall, type Connected } from './transaction-call.ts';

const SAVEPOINT: Statement = { name: 'dry_run.begin', text: 'savepoint dry_run' };
/** What would only be checked at the commit, which does not come. */
const CHECK_NOW: Statement = { name: 'dry_run.check', text: 'set constraints all immediate' };
const TAKE_BACK: Statement = { name: 'dry_run.roll_back', text: 'rollback to savepoint dry_run' };

const notInDryRuns = () =>
  Promise.reject(
    badRequest(
      'plan.outbound',
      'The operation would call other hosts, which a dry run does not do; send it without dryRun',
    ),
  );

/** What calls take from the process that they run in, beyond what operations may touch. */
export interface CallProcess extends ProcessContext {
  readonly database: Database;
  readonly keys: StoredKeyring;
  /** Actors by identity access tokens, by hash. */
  readonly identityTokens: TaggedCache<KnownToken>;
  /** Actors by user access tokens, by hash. */
  readonly userTokens: TaggedCache<KnownUserToken>;
  /** Actors by service tokens, by hash. */
  readonly serviceTokens: TaggedCache<KnownServiceToken>;
  /** Actors by API keys, by ID and hash. */
  readonly apiKeys: TaggedCache<KnownApiKey>;
  /** Invalidates in this process immediately, and in other processes soon. */
  invalidateEventually(tags: readonly string[]): void;
  /** See `SharedTransactions`. */
  readonly shared: {
    run<T>(call: Call, share: Share, work: (tx: Transaction) => Promise<T>, alone: () => Promise<T>): Promise<T>;
  };
  /** See `Context.one`. */
  one<Row extends object>(statement: Statement, key: readonly unknown[], group?: string): Promise<Row | undefined>;
  /**
   * A short statement outside of the transaction that waits for it, on a connection that no transaction holds: it sees what
   * is committed.
   */
  readonly queryAside: Context['sql'];
}

/** So many projects are held from the beginning of a transaction: the last ones in which its call asked for rights. */
const FEW_PROJECTS = 4;

/** Milliseconds. Work that takes longer may have waited for a connection, a lock or its turn. */
const AT_ONCE_MS = 100;

/** The context of one call; see `Context`. */
export class Call implements Context {
  actor: Actor;
  readonly request: RequestInfo;
  readonly granted = new Set<string>();
  readonly passed: Context['passed'] = [];
  readonly passedByRows: Context['passedByRows'] = [];
  readonly comparisons = { spent: 0 };
  readonly asked: { projectId?: string } = {};
  /** The projects in which rights were asked for, the last ones at the end. */
  readonly projects = new Set<string>();
  readonly outbox: Outbox | undefined = undefined;
  isUnderPolicies = false;
  /** Whether it has stored something: its work cannot be done again from the beginning. */
  hasStored = false;
  /** When its work began, or its last transaction was committed; in milliseconds of `performance.now`. */
  protected begunAt = performance.now();
  readonly coffer: CallProcess;
  // Not `#`: contexts with another actor are made from calls by `Object.create`, and have no such fields.
  private entities: EntityManager | undefined;

  constructor(coffer: CallProcess, actor: Actor, request: RequestInfo) {
    this.coffer = coffer;
    this.actor = actor;
    this.request = request;
  }

  get em(): EntityManager {
    return (this.entities ??= entityManager(
      this.coffer.database,
      (text, values) => this.connections.query(text, values as unknown[]),
      () => this.coffer.now(),
    ));
  }
  /** Connections for the caller as it is known at this moment. */
  private get connections() {
    return this.coffer.database.of(this.caller);
  }
  /** Who this call counts for. */
  get caller(): string {
    return callerKeyOf(this.actor, this.request);
  }
  get keys(): Keyring {
    return this.coffer.keys;
  }
  get fetch(): OutboundFetch {
    return this.coffer.fetch;
  }
  get connect(): OutboundConnect {
    return this.coffer.connect;
  }
  get names(): OutboundNames {
    return this.coffer.names;
  }
  get keySets(): KeySets {
    return this.coffer.keySets;
  }
  get targets(): Targets {
    return this.coffer.targets;
  }
  get revisions(): Cache<string> {
    return this.coffer.revisions;
  }
  get signers(): Cache<unknown> {
    return this.coffer.signers;
  }
  get kmsUses(): UseCounter {
    return this.coffer.kmsUses;
  }
  get watches(): Watches {
    return this.coffer.watches;
  }
  get commitReads(): Map<string, Promise<unknown>> {
    return this.coffer.commitReads;
  }
  get documentsBeingMade(): Map<string, Promise<unknown>> {
    return this.coffer.documentsBeingMade;
  }
  get sendMail(): SendMail | undefined {
    return this.coffer.sendMail;
  }
  get log(): Log {
    return this.coffer.log;
  }
  get settings(): Settings {
    return this.coffer.settings;
  }
  get usage(): Usage {
    return this.coffer.usage;
  }
  get threadTurns(): CallerLimiter {
    return this.coffer.threadTurns;
  }
  get largeAnswers(): CallerLimiter {
    return this.coffer.largeAnswers;
  }
  get passwordTurns(): Context['passwordTurns'] {
    return this.coffer.passwordTurns;
  }
  get attempts(): Attempts {
    return this.coffer.attempts;
  }
  now(): Date {
    return this.coffer.now();
  }
  commitRead(event: PendingEvent, ctx: Context): Promise<void> {
    return this.coffer.commitRead(event, ctx);
  }
  takeAuditSpace(event: PendingEvent, by: Pick<Context, 'actor' | 'sql'>): Promise<void> | undefined {
    return this.coffer.takeAuditSpace(event, by);
  }
  noteRefusal(refusal: Refusal, by: Pick<Context, 'actor' | 'request' | 'now'>): Promise<void> {
    return this.coffer.noteRefusal(refusal, by);
  }
  requireStillCalling(): Promise<void> {
    return Promise.resolve();
  }
  requireUnchangedRights(): Promise<void> {
    return requireStillPermitted(this);
  }
  announceAnswer(_bytes: number): Promise<void> {
    return Promise.resolve();
  }
  /**
   * Called before a transaction is committed: checks that everybody by whose right it was done still has the rights that it
   * used. Those of Coffer itself, whose call this is, do not end. Returns no promise if nothing has to be awaited.
   *
   * @throws DomainError 403, 404, 503.
   */
  requireSameRights(tx: Transaction): Promise<void> | undefined {
    if (tx.passedByRows.length === 0 || !this.mayHaveWaited) return undefined;
    const { outside } = this;
    return requireRowsAgain(beforeOwnChanges(tx, outside), outside);
  }
  /** Called after each commit of a transaction of this call. */
  noteCommit(_tx: Transaction): void {
    this.hasStored = true;
    this.begunAt = performance.now();
  }
  /** Whether its work has taken so long that rights may have changed since they were used. */
  get mayHaveWaited(): boolean {
    return performance.now() - this.begunAt > AT_ONCE_MS;
  }
  /** This call for what its transactions ask outside of themselves. */
  protected get outside(): this {
    return Object.create(this, { sql: { value: this.coffer.queryAside } }) as this;
  }
  ability(ctx: Context, place: Place): MaybePromise<Ability> {
    if (place.projectId !== undefined) {
      this.asked.projectId = place.projectId;
      this.projects.delete(place.projectId);
      this.projects.add(place.projectId);
    }
    return this.coffer.ability(ctx, place);
  }
  /** Where the call works, as far as it is known. */
  get places(): string[] {
    const organizationId = 'organizationId' in this.actor ? this.actor.organizationId : undefined;
    const projects = [...this.projects].slice(-FEW_PROJECTS);
    return organizationId === undefined ? projects : [organizationId, ...projects];
  }
  invalidate(tags: readonly string[]): void {
    this.coffer.invalidate(tags);
  }
  async sql<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await this.connections.query<Row>(asQuery(statement, values));
    return rows;
  }

  one<Row extends object>(statement: Statement, key: readonly unknown[], group?: string): Promise<Row | undefined> {
    if (group !== undefined) this.hasStored = true;
    return this.coffer.one(statement, key, group);
  }

  async begin<T>(
    outbox: Outbox,
    work: (tx: Transaction) => Promise<T>,
    { isLong = false, ends, isReleasing = false, waitsForLast = false }: BeginOptions = {},
  ): Promise<T> {
    const connection = await TransactionConnection.open(this.coffer.database, this.caller, {
      isPatient: isLong || this.request.isBackground === true,
      places: this.places,
      ends,
    });
    try {
      const tx = this.transactionOn(connection, outbox);
      const result = await work(tx);
      await tx.flush();
      await commitAll(this.coffer, connection, [tx], {
        check: () => (isReleasing ? undefined : this.requireSameRights(tx)),
        last: isReleasing ? 'unchecked' : waitsForLast ? 'before the check' : 'briefly',
      });
      this.noteCommit(tx);
      return result;
    } catch (error) {
      await connection.rollback();
      throw error;
    }
  }

  beginShared<T>(share: Share, work: (tx: Transaction) => Promise<T>, alone: () => Promise<T>): Promise<T> {
    return this.coffer.shared.run(this, share, work, alone);
  }

  async dryRun<T>(
    outbox: Outbox,
    work: (tx: Transaction) => Promise<unknown>,
    look: (tx: Transaction) => Promise<T>,
  ): Promise<DryRunResult<T>> {
    const connection = await TransactionConnection.open(this.coffer.database, this.caller, {
      isolation: 'repeatable read',
      places: this.places,
    });
    try {
      const inner = this.transactionOn(connection, outbox);
      const tx = this.#dry(inner);
      await tx.sql(SAVEPOINT, []);
      await work(tx);
      await inner.flush();
      await tx.sql(CHECK_NOW, []);
      const after = await look(tx);
      await tx.sql(TAKE_BACK, []);
      return { before: await look(tx), after };
    } finally {
      await connection.rollback();
    }
  }

  /** The transaction of this call on a connection. */
  transactionOn(connection: Connected, outbox = emptyOutbox()): TransactionCall {
    return new TransactionCall(this, { connection, outbox, keys: this.coffer.keys.within(connection.query) });
  }

  /** The transaction of a dry run. It is a call, too: its procedure may look at what that has of its request. */
  #dry(inner: TransactionCall): Transaction {
    const { outbox } = inner;
    return Object.create(this, {
      em: { get: () => inner.em },
      now: { value: () => inner.now() },
      outbox: { value: outbox },
      sql: { value: inner.sql },
      ability: { value: (ctx: Context, place: Place) => inner.ability(ctx, place) },
      one: { value: inner.one },
      write: { value: inner.write },
      isShared: { value: false },
      // What is read there of rows by which others may do something is gone after it.
      passedByRows: { value: inner.passedByRows },
      keys: { value: inner.keys },
      commitRead: { value: () => Promise.resolve() },
      noteRefusal: { value: () => Promise.resolve() },
      invalidate: { value: (tags: readonly string[]) => tags.forEach((tag) => outbox.invalidate.add(tag)) },
      fetch: { value: notInDryRuns },
      connect: { value: notInDryRuns },
      sendMail: { value: this.sendMail && notInDryRuns },
    }) as Transaction;
  }
}
