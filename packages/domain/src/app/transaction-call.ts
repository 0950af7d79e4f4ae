import type { EntityManager } from '@mikro-orm/postgresql';
import type { Place } from '../access/index.ts';
import type { TransactionConnection } from '../database/transaction-connection.ts';
import { at, requireStillPermitted } from '../kernel/index.ts';
import type {
  Ability,
  Actor,
  BeginOptions,
  Context,
  DryRunResult,
  MaybePromise,
  Outbox,
  PendingEvent,
  Refusal,
  Share,
  Transaction,
} from '../kernel/index.ts';

/** What a transaction uses of its connection, which it may share. */
export type Connected = Pick<TransactionConnection, 'query' | 'one' | 'write' | 'hold' | 'entityManager' | 'isShared'>;

/**
 * The context of a transaction: that of its call, but with the transaction's connection, outbox, keys and time.
 *
 * All of them have the same hidden class of V8. Objects derived from each call would have one each, and every look at
 * them would miss the inline caches. Contexts that act as somebody else are derived from this (`actingAs`), so its
 * fields are not `#private`.
 */
export class TransactionCall implements Transaction {
  readonly outbox: Outbox;
  readonly sql: Context['sql'];
  readonly one: Context['one'];
  readonly write: Transaction['write'];
  readonly keys: Transaction['keys'];
  readonly passedByRows: Context['passedByRows'];
  private readonly call: Context;
  private readonly connection: Connected;
  private readonly startedAt: Date;
  private entities: EntityManager | undefined;
  private actingActor: Actor | undefined;
  private underPolicies: boolean | undefined;

  constructor(
    call: Context,
    { connection, outbox, keys }: Pick<Transaction, 'outbox' | 'keys'> & { readonly connection: Connected },
  ) {
    this.call = call;
    this.connection = connection;
    this.outbox = outbox;
    this.sql = connection.query;
    this.one = connection.one;
    this.write = connection.write;
    this.keys = keys;
    this.passedByRows = [];
    this.startedAt = at(call.now().toISOString());
    this.entities = undefined;
    this.actingActor = undefined;
    this.underPolicies = undefined;
  }

  get em(): EntityManager {
    return (this.entities ??= this.connection.entityManager(() => this.call.now()));
  }
  /** Sends what was changed by the entity manager, if it was used. */
  async flush(): Promise<void> {
    await this.entities?.flush();
  }
  now(): Date {
    return this.startedAt;
  }
  /** The place is not deleted until the transaction ends. */
  ability(ctx: Context, place: Place): MaybePromise<Ability> {
    if (place.projectId !== undefined) this.connection.hold(place.projectId);
    return this.call.ability(ctx, place);
  }
  get isShared(): boolean {
    return this.connection.isShared;
  }
  get isUnderPolicies(): boolean {
    return this.underPolicies ?? this.call.isUnderPolicies === true;
  }
  set isUnderPolicies(isUnderPolicies: boolean) {
    this.underPolicies = isUnderPolicies;
  }

  get actor(): Actor {
    return this.actingActor ?? this.call.actor;
  }
  /** The rest of the transaction, not of the call, is done by somebody else: a session is opened by its user. */
  set actor(actor: Actor) {
    this.actingActor = actor;
  }

  // Everything else is that of the call.
  get request(): Context['request'] {
    return this.call.request;
  }
  get granted(): Context['granted'] {
    return this.call.granted;
  }
  get passed(): Context['passed'] {
    return this.call.passed;
  }
  get comparisons(): Context['comparisons'] {
    return this.call.comparisons;
  }
  get asked(): Context['asked'] {
    return this.call.asked;
  }
  get fetch(): Context['fetch'] {
    return this.call.fetch;
  }
  get connect(): Context['connect'] {
    return this.call.connect;
  }
  get names(): Context['names'] {
    return this.call.names;
  }
  get keySets(): Context['keySets'] {
    return this.call.keySets;
  }
  get targets(): Context['targets'] {
    return this.call.targets;
  }
  get sendMail(): Context['sendMail'] {
    return this.call.sendMail;
  }
  get log(): Context['log'] {
    return this.call.log;
  }
  get settings(): Context['settings'] {
    return this.call.settings;
  }
  get revisions(): Context['revisions'] {
    return this.call.revisions;
  }
  get signers(): Context['signers'] {
    return this.call.signers;
  }
  get kmsUses(): Context['kmsUses'] {
    return this.call.kmsUses;
  }
  get watches(): Context['watches'] {
    return this.call.watches;
  }
  get commitReads(): Context['commitReads'] {
    return this.call.commitReads;
  }
  get documentsBeingMade(): Context['documentsBeingMade'] {
    return this.call.documentsBeingMade;
  }
  get usage(): Context['usage'] {
    return this.call.usage;
  }
  get largeAnswers(): Context['largeAnswers'] {
    return this.call.largeAnswers;
  }
  get threadTurns(): Context['threadTurns'] {
    return this.call.threadTurns;
  }
  get passwordTurns(): Context['passwordTurns'] {
    return this.call.passwordTurns;
  }
  get attempts(): Context['attempts'] {
    return this.call.attempts;
  }
  commitRead(event: PendingEvent, ctx: Context): Promise<void> {
    return this.call.commitRead(event, ctx);
  }
  takeAuditSpace(event: PendingEvent, by: Pick<Context, 'actor' | 'sql'>): Promise<void> | undefined {
    return this.call.takeAuditSpace(event, by);
  }
  noteRefusal(refusal: Refusal, by: Pick<Context, 'actor' | 'request' | 'now'>): Promise<void> {
    return this.call.noteRefusal(refusal, by);
  }
  requireStillCalling(): Promise<void> {
    return this.call.requireStillCalling();
  }
  requireUnchangedRights(): Promise<void> {
    return requireStillPermitted(this);
  }
  announceAnswer(bytes: number): Promise<void> {
    return this.call.announceAnswer(bytes);
  }
  invalidate(tags: readonly string[]): void {
    this.call.invalidate(tags);
  }
  begin<T>(outbox: Outbox, work: (tx: Transaction) => Promise<T>, options?: BeginOptions): Promise<T> {
    return this.call.begin(outbox, work, options);
  }
  beginShared<T>(_share: Share, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return work(this);
  }
  dryRun<T>(
    outbox: Outbox,
    work: (tx: Transaction) => Promise<unknown>,
    look: (tx: Transaction) => Promise<T>,
  ): Promise<DryRunResult<T>> {
    return this.call.dryRun(outbox, work, look);
  }
}
