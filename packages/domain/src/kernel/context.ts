import type { KeyObject } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { CryptoKey } from 'jose';
import type { EventPlace, EventType, PendingEvent } from './event.ts';
import type { Fields, Permission, Rule } from './permission.ts';

/** Who is calling. */
export type Actor = Anonymous | UserActor | IdentityActor | ServiceActor | PlatformActor;

export interface Anonymous {
  readonly type: 'anonymous';
}

export interface UserActor {
  readonly type: 'user';
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly username: string;
  readonly sessionId: string;
  readonly isSuperAdmin: boolean;
  /** The organization that this token was made for; none before `select-organization`. */
  readonly organizationId: string | undefined;
}

export interface IdentityActor {
  readonly type: 'identity';
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly tokenId: string;
  /** `universal-auth`, `token-auth`, … */
  readonly authMethod: string;
  readonly isSuperAdmin: boolean;
}

/** A service token of the older kind: it belongs to one project and carries its own rights. */
export interface ServiceActor {
  readonly type: 'service';
  /** The token's. */
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  /** The only project that it is for. */
  readonly projectId: string;
  /** Where in it: environments by their slugs, paths as globs. */
  readonly scopes: readonly ServiceScope[];
  /** What is allowed there: `read`, `write`, `readValue`. */
  readonly permissions: readonly string[];
}

export interface ServiceScope {
  readonly environment: string;
  readonly secretPath: string;
}

/** Coffer itself: jobs, migrations, the command line on the server's own machine. */
export interface PlatformActor {
  readonly type: 'platform';
  readonly organizationId: string | undefined;
}

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

/** A prepared statement: the name is what PostgreSQL caches its plan under, so one name has one text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export const statement = (name: string, text: string): Statement => ({ name, text });

/** The compiled rules of one actor in one organization or project. */
export interface Ability {
  /** May this be done to a thing with these fields? */
  can(permission: Permission, fields?: Fields): boolean;
  /** The rules that speak of this subject and action, in order: what a 403 shows its own caller. */
  rulesFor(permission: Permission): Rule[];
  /** All rules, in order. */
  readonly rules: readonly Rule[];
  /** What each of them was granted by, in the same order; empty where they were granted by nothing of its own. */
  readonly sources: readonly RuleSource[];
}

/** A role or an additional privilege, the actor's own or a group's, by which it is under a rule. */
export interface RuleSource {
  readonly kind: 'role' | 'privilege';
  /** Of the role's assignment, or of the privilege. */
  readonly id: string;
  /** A built-in role, or the slug of the custom role or privilege. */
  readonly slug: string;
  /** The group by which the actor has it. */
  readonly groupId: string | null;
}

/** One data key with its version. */
export interface DataKey {
  readonly version: number;
  readonly key: KeyObject;
}

/** The data keys of one organization or project. */
export interface KeySet {
  /** Encrypts. */
  readonly newest: DataKey;
  /** Opens; `undefined` for a version that was destroyed or never was. */
  version(version: number): DataKey | undefined;
}

export interface Keyring {
  organization(organizationId: string): Promise<KeySet>;
  project(organizationId: string, projectId: string): Promise<KeySet>;
}

/** Inside a transaction: sees the keys that it made, and makes new ones. */
export interface TransactionKeyring extends Keyring {
  /** A new key of an organization, or of one of its projects, wrapped and ready to be stored as this version. */
  wrapNew(organizationId: string, projectId: string | undefined, version: number): Promise<Buffer>;
}

/** The public keys by which a token with this header may be signed: few, and none where nothing fits. */
export type FindKeys = (header: ProofHeader) => Promise<readonly (CryptoKey | KeyObject)[]>;

/** What a token says of its own signature, believed in nothing but the choice among keys that are trusted already. */
export interface ProofHeader {
  readonly alg: string;
  readonly kid?: string | undefined;
}

/**
 * The public keys of those who issue tokens, from where they publish them. Fetched through `fetch`, kept for a while and
 * within bounds, shared by all calls: many logins at once ask a provider once. What cannot be had throws a 400
 * (`outbound.*`, `provider.*`).
 */
export interface KeySets {
  /** The keys of a JWKS document; `ca`: PEM of the only roots to trust. A `kid` that is not in it is looked for anew. */
  keysAt(url: string, trust?: { ca?: string }): FindKeys;
  /** The keys of an object of PEM certificates by `kid`. */
  certificatesAt(url: string, trust?: { ca?: string }): FindKeys;
  /** The keys of an OpenID provider, which are where its discovery document says: at an https address. */
  keysOf(issuerUrl: string, trust?: { ca?: string }): FindKeys;
}

export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface OutboundRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** PEM of the only roots to trust; the system's where absent. */
  ca?: string;
  clientCertificate?: { cert: string; key: string };
  /** For the whole exchange, in milliseconds; 10,000 where absent. */
  timeoutMs?: number;
  /** Of the answer's body; 1 MiB where absent. */
  maxBytes?: number;
  /** 3 where absent; 0 refuses redirects. */
  maxRedirects?: number;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
  text(): string;
  json(): unknown;
}

/** The only way out: names are resolved once and pinned, private addresses refused, time and bytes bounded. */
export type OutboundFetch = (url: string, request?: OutboundRequest) => Promise<OutboundResponse>;

/** How the other side of a connection has to prove itself, and how this one does. */
export interface OutboundTls {
  /** PEM of the only roots to trust; the system's where absent. */
  ca?: string | undefined;
  clientCertificate?: { cert: string; key: string };
}

export interface OutboundTarget {
  host: string;
  port: number;
  /** TLS from the first byte on. Protocols that change to it on the way call `secure`. */
  tls?: OutboundTls;
  /** Until the connection stands, in milliseconds; 10,000 where absent. */
  timeoutMs?: number;
  /** How long it may stand, in milliseconds; `Infinity` for one that is kept. */
  lifetimeMs: number;
  /** How much may arrive on it, in bytes; `Infinity` for one that is kept. */
  maxBytes: number;
}

/** A connection for a protocol other than HTTP. Whoever opened it destroys its stream. */
export interface OutboundConnection {
  readonly stream: Duplex;
  /** Why the stream has ended, as an `outbound.*` error: libraries put what they read of it in words of their own. */
  readonly failure: Error | undefined;
  /** Goes on in TLS, under the host's name. The stream is another one from here on; nothing may wait in the first. */
  secure(tls: OutboundTls): Promise<OutboundConnection>;
}

/**
 * The same way out for other protocols: PostgreSQL, Redis, LDAP. Private addresses are refused, and what is connected to
 * is the address that was checked. All failures are `bad_request`, as those of `fetch` are.
 */
export type OutboundConnect = (target: OutboundTarget) => Promise<OutboundConnection>;

/** A message to one person, ready to be sent. */
export interface Mail {
  /** The same each time that this message is sent: those who get it twice can tell. */
  readonly id?: string;
  readonly to: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Hands a message to the mail server; resolves once that has taken it. Jobs send by `deliver`. */
export type SendMail = (mail: Mail) => Promise<void>;

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

/** A time as the database writes it, `2026-11-21 07:50:00.123+00`, which knows its ISO form without computing it. */
class Time extends Date {
  readonly iso: string | undefined;

  constructor(text: string) {
    super(text);
    this.iso = text.length === 26 && text.endsWith('+00') ? `${text.slice(0, 10)}T${text.slice(11, 23)}Z` : undefined;
  }

  override toJSON(): string {
    return this.iso ?? this.toISOString();
  }
}

/** The time of a row that `sql` brought. */
export const at = (text: string): Date => new Time(text);
export const atOrNull = (text: string | null): Date | null => (text === null ? null : new Time(text));

/** Notes an event; it commits with the transaction's rows, or not at all. */
export function record<Data>(tx: Transaction, type: EventType<Data>, data: Data, place: EventPlace = {}): void {
  tx.outbox.events.push({ type: type.name, published: type.published, data, ...place });
}

/** Drops what is cached under these tags once the transaction is committed, in every process. */
export function forget(tx: Transaction, ...tags: string[]): void {
  for (const tag of tags) tx.outbox.forget.add(tag);
}
