import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { loadAbility, abilityTags, noMember, type LoadedAbility, type Place } from './access/index.ts';
import type { KnownServiceToken } from './access/service-token/index.ts';
import { ensurePartitions, eventRow, eventsJson, GroupCommit, INSERT_EVENTS, refuseUnaudited } from './audit/index.ts';
import { CacheBus, FORGET_SQL, TaggedCache } from './cache/index.ts';
import { StoredKeyring, type RootKey } from './crypto/index.ts';
import { openDatabase, openTransaction, type Database, type OpenTransaction } from './database/database.ts';
import { Gather } from './database/gather.ts';
import { migrate, requireSupportedPostgres } from './database/migrate.ts';
import { openInstance } from './instance/index.ts';
import { ADD_JOB } from './jobs/index.ts';
import {
  badRequest,
  isId,
  notFound,
  type Ability,
  type Actor,
  type Context,
  type Ground,
  type Log,
  type Outbox,
  type OutboundConnect,
  type OutboundFetch,
  type PendingEvent,
  type Rehearsed,
  type RequestInfo,
  type SendMail,
  type Settings,
  type Statement,
  type Transaction,
  type UserActor,
} from './kernel/index.ts';
import type { KnownToken } from './identities/access-token/authenticate.ts';
import { ProviderKeySets } from './identities/auth-method/proof/index.ts';
import { UsageCounter } from './identities/access-token/usage.ts';

export interface CofferOptions {
  databaseUrl: string;
  rootKey: RootKey;
  fetch: OutboundFetch;
  /** Where absent, what speaks another protocol than HTTP is refused. */
  connect?: OutboundConnect;
  /** Sends e-mail; where absent, nothing is sent, and invitations are answered with their links. */
  sendMail?: SendMail | undefined;
  log?: Log;
  settings?: Partial<Omit<Settings, 'emailConfigured'>>;
  poolSize?: number;
  /** The clock; tests pass their own. */
  now?: () => Date;
  /** Off where another process migrates. */
  migrate?: boolean;
}

const noConnections: OutboundConnect = ({ host }) =>
  Promise.reject(badRequest('outbound.refused', `${host} is not called: this Coffer connects to nobody`, { host }));

const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/** Rights as they are kept; where they differ from token to token (see `LoadedAbility`), one of each has its own place. */
interface KeptAbility {
  readonly ability: Ability | undefined;
}
const PER_TOKEN: KeptAbility = { ability: undefined };

const NO_REQUEST: RequestInfo = { id: 'req-none', ipAddress: '127.0.0.1', userAgent: '' };

/**
 * Coffer without HTTP: the database, the keys and the caches of one process. Make one with `openCoffer`, a context for
 * each call with `contextFor`, and give that to the operations.
 */
export class Coffer implements Ground {
  readonly database: Database;
  readonly keys: StoredKeyring;
  readonly fetch: OutboundFetch;
  readonly connect: OutboundConnect;
  readonly keySets: ProviderKeySets;
  readonly sendMail: SendMail | undefined;
  readonly log: Log;
  readonly settings: Settings;
  readonly now: () => Date;
  readonly usage: UsageCounter;
  /** What the tokens of identities stand for, by hash. */
  readonly identityTokens = new TaggedCache<KnownToken>();
  /** Whom the access tokens of people stand for, by hash. */
  readonly userTokens = new TaggedCache<UserActor>();
  /** What service tokens stand for, by hash. */
  readonly serviceTokens = new TaggedCache<KnownServiceToken>();
  readonly #abilities = new TaggedCache<KeptAbility>();
  readonly #bus: CacheBus;
  readonly #reads: GroupCommit;
  readonly #gathers = new Map<string, Gather>();

  constructor(database: Database, bus: CacheBus, options: CofferOptions) {
    this.database = database;
    this.#bus = bus;
    this.fetch = options.fetch;
    this.connect = options.connect ?? noConnections;
    this.log = options.log ?? SILENT;
    this.now = options.now ?? (() => new Date());
    this.keySets = new ProviderKeySets(this.fetch, this.now);
    this.sendMail = options.sendMail;
    this.settings = {
      siteUrl: 'http://127.0.0.1:8080',
      ...options.settings,
      emailConfigured: options.sendMail !== undefined,
    };
    this.keys = new StoredKeyring(options.rootKey, (statement, values) => this.query(statement, values));
    this.#reads = new GroupCommit((json) => database.pool.query({ ...INSERT_EVENTS, values: [json] }));
    this.usage = new UsageCounter((statement, values) => this.query(statement, values));
    bus.register(this.identityTokens);
    bus.register(this.userTokens);
    bus.register(this.serviceTokens);
    bus.register(this.#abilities);
    bus.register(this.keys.cache);
  }

  get pool(): Pool {
    return this.database.pool;
  }

  /** A context for one call. */
  contextFor(actor: Actor, request: RequestInfo = NO_REQUEST): Call {
    return new Call(this, actor, request);
  }

  async query<Row extends object>({ name, text }: Statement, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await this.database.pool.query<Row>({ name, text, values: values as unknown[] });
    return rows;
  }

  /** The row of one key; see `Context.one`. */
  one<Row extends object>(statement: Statement, key: readonly unknown[]): Promise<Row | undefined> {
    let gather = this.#gathers.get(statement.name);
    if (!gather) {
      gather = new Gather(statement, (gathering, values) => this.query(gathering, values));
      this.#gathers.set(statement.name, gather);
    }
    return gather.one<Row>(key);
  }

  commitRead(event: PendingEvent, ctx: Context): Promise<void> {
    return this.#reads.commit(eventRow(ctx, event));
  }

  async ability(ctx: Context, place: Place): Promise<Ability> {
    const { actor } = ctx;
    if (!('id' in actor)) throw noMember(place);
    if (place.projectId !== undefined && !isId(place.projectId)) throw notFound('project');
    const key = `${place.organizationId}/${place.projectId ?? ''}/${actor.id}`;
    const now = this.now().getTime();
    const load = () => loadAbility(ctx, place);
    const keyOfToken = () => `${key}/${actor.type === 'identity' ? actor.tokenId : ''}`;
    const cached = () => {
      const known = this.#abilities.get(key, now);
      return known === PER_TOKEN ? this.#abilities.get(keyOfToken(), now)?.ability : known?.ability;
    };
    const keep = (at: string, value: (loaded: LoadedAbility) => KeptAbility) =>
      this.#abilities.load(at, now, async () => {
        const loaded = await load();
        return (
          loaded && { value: value(loaded), until: loaded.until, tags: abilityTags(actor, place, loaded.speaksOf) }
        );
      });
    const kept = async () => {
      const known = await keep(key, (loaded) => (loaded.speaksOf === 'token' ? PER_TOKEN : loaded));
      return known === PER_TOKEN ? (await keep(keyOfToken(), (loaded) => loaded))?.ability : known?.ability;
    };
    // A transaction that changes rights sees its own change, which nobody else may see yet: what it loads is not kept.
    const { outbox } = ctx;
    const hasChanged = outbox && abilityTags(actor, place, 'token').some((tag) => outbox.forget.has(tag));
    const ability = outbox
      ? ((hasChanged ? undefined : cached()) ?? (await load())?.ability)
      : (cached() ?? (await kept()));
    if (!ability) throw noMember(place);
    return ability;
  }

  forget(tags: readonly string[]): void {
    this.#bus.forget(tags);
  }

  /** For metrics: how much is kept in memory, by cache. */
  cacheSizes(): Record<string, number> {
    const { identityTokens, userTokens, serviceTokens, keys, keySets } = this;
    return {
      identity_tokens: identityTokens.size,
      user_tokens: userTokens.size,
      service_tokens: serviceTokens.size,
      abilities: this.#abilities.size,
      keys: keys.cache.size,
      key_sets: keySets.size,
    };
  }

  /** For metrics: events of reads that wait for their commit. */
  get auditWaiting(): number {
    return this.#reads.waiting;
  }

  /** Waits for what is under way and closes. */
  async close(): Promise<void> {
    await this.#reads.settled();
    await this.usage.close();
    await this.#bus.close();
    await this.database.close();
  }
}

const SAVEPOINT: Statement = { name: 'rehearsal.begin', text: 'savepoint rehearsal' };
/** What would only be checked at the commit, which does not come. */
const CHECK_NOW: Statement = { name: 'rehearsal.check', text: 'set constraints all immediate' };
const TAKE_BACK: Statement = { name: 'rehearsal.take_back', text: 'rollback to savepoint rehearsal' };

const notInRehearsals = () =>
  Promise.reject(
    badRequest(
      'plan.outbound',
      'Other hosts would be called for this, which a plan does not do; send it without dryRun',
    ),
  );

/** The context of one call; see `Context`. */
export class Call implements Context {
  actor: Actor;
  readonly request: RequestInfo;
  readonly granted = new Set<string>();
  readonly outbox: Outbox | undefined = undefined;
  readonly coffer: Coffer;
  #em: EntityManager | undefined;

  constructor(coffer: Coffer, actor: Actor, request: RequestInfo) {
    this.coffer = coffer;
    this.actor = actor;
    this.request = request;
  }

  get em(): EntityManager {
    return (this.#em ??= this.coffer.database.orm.em.fork());
  }
  get keys() {
    return this.coffer.keys;
  }
  get fetch() {
    return this.coffer.fetch;
  }
  get connect() {
    return this.coffer.connect;
  }
  get keySets() {
    return this.coffer.keySets;
  }
  get sendMail() {
    return this.coffer.sendMail;
  }
  get log() {
    return this.coffer.log;
  }
  get settings() {
    return this.coffer.settings;
  }
  get usage() {
    return this.coffer.usage;
  }
  now(): Date {
    return this.coffer.now();
  }
  commitRead(event: PendingEvent, ctx: Context): Promise<void> {
    return this.coffer.commitRead(event, ctx);
  }
  ability(ctx: Context, place: Place): Promise<Ability> {
    return this.coffer.ability(ctx, place);
  }
  forget(tags: readonly string[]): void {
    this.coffer.forget(tags);
  }
  sql<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.coffer.query(statement, values);
  }

  one<Row extends object>(statement: Statement, key: readonly unknown[]): Promise<Row | undefined> {
    return this.coffer.one(statement, key);
  }

  async begin<T>(outbox: Outbox, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const connection = await openTransaction(this.coffer.database);
    try {
      const { tx, flush } = this.#transactionOn(connection, outbox);
      const result = await work(tx);
      await flush();
      await this.#writeOutbox(tx);
      await connection.commit();
      if (outbox.forget.size > 0) this.forget([...outbox.forget]);
      return result;
    } catch (error) {
      await connection.rollback();
      throw error;
    }
  }

  async rehearse<T>(
    outbox: Outbox,
    work: (tx: Transaction) => Promise<unknown>,
    look: (tx: Transaction) => Promise<T>,
  ): Promise<Rehearsed<T>> {
    const connection = await openTransaction(this.coffer.database, 'repeatable read');
    try {
      const { tx: inner, flush } = this.#transactionOn(connection, outbox);
      const tx: Transaction = Object.create(inner, {
        commitRead: { value: () => Promise.resolve() },
        forget: { value: (tags: readonly string[]) => tags.forEach((tag) => outbox.forget.add(tag)) },
        fetch: { value: notInRehearsals },
        connect: { value: notInRehearsals },
        sendMail: { value: this.sendMail && notInRehearsals },
      });
      await tx.sql(SAVEPOINT, []);
      await work(tx);
      await flush();
      await tx.sql(CHECK_NOW, []);
      const after = await look(tx);
      await tx.sql(TAKE_BACK, []);
      return { before: await look(tx), after };
    } finally {
      await connection.rollback();
    }
  }

  #transactionOn(connection: OpenTransaction, outbox: Outbox): { tx: Transaction; flush: () => Promise<void> } {
    const sql = connection.query;
    const now = this.now();
    let em: EntityManager | undefined;
    const tx: Transaction = Object.create(this, {
      em: { get: () => (em ??= connection.entityManager()) },
      now: { value: () => now },
      outbox: { value: outbox },
      sql: { value: sql },
      one: {
        value: async (statement: Statement, key: readonly unknown[]) =>
          (
            await sql(
              statement,
              key.map((part) => [part]),
            )
          )[0],
      },
      keys: { value: this.coffer.keys.within(sql) },
    });
    return { tx, flush: async () => em?.flush() };
  }

  async #writeOutbox(tx: Transaction): Promise<void> {
    const { events, jobs, forget } = tx.outbox;
    if (events.length > 0)
      await tx.sql(INSERT_EVENTS, [eventsJson(events.map((event) => eventRow(tx, event)))]).catch(refuseUnaudited);
    for (const { name, payload, options } of jobs) {
      await tx.sql(ADD_JOB, [
        name,
        JSON.stringify(payload),
        options.queue ?? null,
        options.runAt ?? null,
        options.maxAttempts ?? 25,
        options.key ?? null,
        options.priority ?? 0,
      ]);
    }
    if (forget.size > 0) await tx.sql({ name: 'forget', text: FORGET_SQL }, [[...forget]]);
  }
}

/**
 * Opens Coffer on a database: migrates it, checks the root key against the one it was made with, and begins to listen
 * for what other processes change.
 *
 * @throws DomainError `root_key.wrong` with both fingerprints, `database.too_old`.
 */
export async function openCoffer(options: CofferOptions): Promise<Coffer> {
  const log = options.log ?? SILENT;
  const database = await openDatabase({
    url: options.databaseUrl,
    ...(options.poolSize && { poolSize: options.poolSize }),
  });
  const bus = new CacheBus(options.databaseUrl, log);
  try {
    await requireSupportedPostgres(database.pool);
    if (options.migrate !== false) {
      const ran = await migrate(database.pool);
      if (ran.length > 0) log.info({ migrations: ran }, 'The database was migrated');
      // Without them, events go to the default partition and are moved later.
      await ensurePartitions(database.pool, options.now?.() ?? new Date()).catch((error: unknown) =>
        log.warn({ err: error }, 'The audit log has no new partitions yet'),
      );
    }
    await openInstance(database.pool, options.rootKey);
    const coffer = new Coffer(database, bus, options);
    await bus.open();
    return coffer;
  } catch (error) {
    await bus.close();
    await database.close();
    throw error;
  }
}
