import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from './actor.ts';
import type { EventPlace, EventType, PendingEvent } from './event.ts';
import type { KeySets } from './key-sets.ts';
import type { Keyring, TransactionKeyring } from './keyring.ts';
import type { SendMail } from './mail.ts';
import type { OutboundConnect, OutboundFetch } from './outbound.ts';
import type { Ability } from './permission.ts';
import type { Statement } from './sql.ts';

/** What a call came with. */
export interface RequestInfo {
  /** `req-` and 14 letters and digits: the same in the answer, the log and the audit log. */
  readonly id: string;
  /** The client's address, as `clientAddress` found it. */
  readonly ipAddress: string;
  readonly userAgent: string;
  /** What a trusted proxy says the client proved in the TLS handshake: a certificate in PEM form, encoded for URLs. */
  readonly clientCertificate?: string | undefined;
}

export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** What all calls of one process share. */
export interface Ground {
  readonly keys: Keyring;
  readonly fetch: OutboundFetch;
  readonly connect: OutboundConnect;
  readonly keySets: KeySets;
  /** Absent where no mail server is configured. */
  readonly sendMail: SendMail | undefined;
  readonly log: Log;
  readonly settings: Settings;
  now(): Date;
  /** Commits the event of a read, together with those of other calls; the answer waits for it. */
  commitRead(event: PendingEvent, ctx: Context): Promise<void>;
  /** Compiled rules, from the cache or the database; throws 404 where the actor is no member. */
  ability(ctx: Context, place: { organizationId: string; projectId?: string }): Promise<Ability>;
  /** The uses of tokens and client secrets without a limit: counted here, written once a second and on `flush`. */
  readonly usage: Usage;
  /** Forgets everything that was cached under these tags, here at once and elsewhere within a second. */
  forget(tags: readonly string[]): void;
}

/** What the operator sets (see `DomainSettings` in `settings.ts`), as far as operations need it. */
export interface Settings {
  /** The address under which people reach Coffer, without a slash at its end. */
  readonly siteUrl: string;
  readonly emailConfigured: boolean;
}

export interface Usage {
  add(tokenId: string, usedAt: Date): void;
  addLogin(clientSecretId: string, usedAt: Date): void;
  /** Of service tokens, only the time of the last use is kept. */
  addService(serviceTokenId: string, usedAt: Date): void;
  flush(): Promise<void>;
}

/** Everything that an operation may touch. Each call has its own. */
export interface Context extends Ground {
  readonly actor: Actor;
  readonly request: RequestInfo;
  /** A fresh entity manager; inside a transaction, that transaction's. */
  readonly em: EntityManager;
  /** The permissions that this call was granted so far, by key: compared with what its procedure declared. */
  readonly granted: Set<string>;
  /** Set inside `inTransaction`. */
  readonly outbox: Outbox | undefined;
  /** Runs a statement with bound values, prepared outside of transactions. Timestamps come as text: `at(row.x)`. */
  sql<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /**
   * The row of one key, asked together with what other calls ask at this moment. The statement takes an array for each
   * part of the key, and answers each row with the `ordinal` of its key (see `Gather`).
   */
  one<Row extends object>(statement: Statement, key: readonly unknown[]): Promise<Row | undefined>;
  /** Runs work on one connection between begin and commit; `inTransaction` is what operations use. */
  begin<T>(outbox: Outbox, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Does work and takes all of it back. `look` is called twice on one unchanging view of the database: after the work,
   * and once more as if it had never been done. `rehearse` is what operations use.
   */
  rehearse<T>(
    outbox: Outbox,
    work: (tx: Transaction) => Promise<unknown>,
    look: (tx: Transaction) => Promise<T>,
  ): Promise<Rehearsed<T>>;
}

/** What was seen without and with some work. */
export interface Rehearsed<T> {
  readonly before: T;
  readonly after: T;
}

/** What a transaction writes besides its rows. */
export interface Outbox {
  readonly events: PendingEvent[];
  readonly jobs: { name: string; payload: unknown; options: JobOptions }[];
  readonly forget: Set<string>;
  /** Nothing of it is ever written. */
  readonly isRehearsal?: true;
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
export function forget(tx: Transaction, ...tags: string[]): void {
  for (const tag of tags) tx.outbox.forget.add(tag);
}
