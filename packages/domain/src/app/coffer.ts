import { getHeapStatistics } from 'node:v8';
import { Pool } from 'pg';
import { entities } from './catalogue.ts';
import { AbilityCache, type Place } from '../access/index.ts';
import type { KnownServiceToken } from '../access/service-token/index.ts';
import {
  ArchiveProofs,
  AuditSpace,
  type AuditLimit,
  ensurePartitions,
  eventRows,
  GroupCommit,
  INSERT_EVENTS,
  RefusalLog,
} from '../audit/index.ts';
import { Call, type CallProcess } from './call.ts';
import { DatabaseClock } from './database-clock.ts';
import { SharedTransactions } from './shared-transactions.ts';
import { CacheBus, TaggedCache, ProcessWatches, type WatchLimits } from '../cache/index.ts';
import {
  KEY_USE_LIMITS,
  KeyUses,
  StoredKeyring,
  type KeyUseLimits,
  type Query,
  type RootKey,
} from '../crypto/index.ts';
import { KMS_KEYS } from '../kms/key/index.ts';
import { markConnectionErrors } from '../database/connection-errors.ts';
import { openDatabase, type Database } from '../database/database.ts';
import { QueryBatcher } from '../database/query-batcher.ts';
import { migrate } from '../database/migrate.ts';
import { requireOwnSessions, requireSupportedPostgres } from '../database/requirements.ts';
import { excessOf } from '../database/roles.ts';
import { MAX_RECEIVED } from '../family/index.ts';
import { AppliedRateLimits, auditSigningKey, openInstance } from '../instance/index.ts';
import {
  asQuery,
  badRequest,
  DEFAULT_SETTINGS,
  CallerLimiter,
  KeyedLimiter,
  PasswordTurns,
  type Ability,
  type Actor,
  type Context,
  type Log,
  type MaybePromise,
  type OutboundConnect,
  type OutboundFetch,
  type OutboundNames,
  type PendingEvent,
  type Refusal,
  type RequestInfo,
  type SendMail,
  type Settings,
  type Statement,
  shareOf,
  timeIdsBy,
} from '../kernel/index.ts';
import type { KnownToken } from '../identities/access-token/authenticate.ts';
import { UsageCounter } from '../identities/access-token/usage.ts';
import { createTargets, type OwnTargets } from '../outbound/index.ts';
import type { KnownApiKey } from '../users/api-key/index.ts';
import type { KnownUserToken } from '../users/session/index.ts';
import { ProviderKeySets } from '../identities/auth-method/proof/index.ts';

export interface CofferOptions {
  databaseUrl: string;
  /**
   * The same database for the role that owns its tables: it migrates, and grants the role of `databaseUrl` what serving
   * needs. Default: the role of `databaseUrl` migrates.
   */
  migrationUrl?: string | undefined;
  rootKey: RootKey;
  fetch: OutboundFetch;
  /** Default: protocols other than HTTP are refused. */
  connect?: OutboundConnect;
  /** Default: names are not resolved. */
  names?: OutboundNames;
  /** Sends e-mail. Default: nothing is sent, and invitations return their links. */
  sendMail?: SendMail | undefined;
  log?: Log;
  settings?: Partial<Omit<Settings, 'emailConfigured'>>;
  poolSize?: number;
  /** Milliseconds for which a call waits for a connection; for tests. */
  connectTimeout?: number;
  /** Milliseconds for which a statement of a call waits for a lock; for tests. */
  lockTimeout?: number;
  /** Milliseconds that the database may take for a heartbeat before caches are off; for tests. */
  heartbeatTimeout?: number;
  watchLimits?: WatchLimits;
  /** Default: the audit log grows without a limit. */
  auditLimit?: AuditLimit | undefined;
  /** Number of encryptions before a data key is rotated; for tests. */
  keyUseLimits?: Partial<KeyUseLimits>;
  /** The clock; tests pass their own. Default: that of the machine, as far as the database has the same time. */
  now?: () => Date;
  /** The clock of the machine, in milliseconds; tests of different clocks pass their own. */
  machineTime?: () => number;
  /** Off where another process migrates. */
  migrate?: boolean;
  /** How many processes serve together on this machine: each has its share of what is limited in memory. Default: 1. */
  processes?: number | undefined;
  /** Milliseconds that calls of remote systems are waited for when it is closed. Default: 20,000. */
  patience?: number | undefined;
}

const noConnections: OutboundConnect = ({ host }) =>
  Promise.reject(
    badRequest('outbound.refused', `${host} is not called: this Coffer has no outbound connections`, { host }),
  );

/** Maximum number of cached keys of certificate authorities and of the KMS in a process. */
const MAX_SIGNERS = 10_000;

/**
 * Maximum number of concurrent password checks for one subject, in all processes of a machine (one each, if these are more):
 * parallel guesses can exceed their limit by at most this number.
 */
const MAX_ATTEMPTS = 4;

/** Passwords that are hashed at a time, in all processes of a machine (one each, if these are more): half of the threads of one. */
const MAX_HASHED = 2;

/** Work that fills a thread for long, at a time: Node has four threads for it, and one is for everybody else. One caller has two. */
const MAX_LONG_WORK = 3;

/** What works with large answers of other systems at a time: of each, its answers fit into a quarter of the heap, twice. */
const placesForLargeAnswers = (): number =>
  Math.min(Math.max(Math.floor(getHeapStatistics().heap_size_limit / 4 / MAX_RECEIVED), 2), 8);

const noNames = (name: string) =>
  Promise.reject(badRequest('outbound.unreachable', `${name} is not resolved: this Coffer uses no name servers`));

const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const NO_REQUEST: RequestInfo = { id: 'req-none', ipAddress: '127.0.0.1', userAgent: '', isBackground: true };

/**
 * Coffer without HTTP: the database, the keys and the caches of one process. Create it with `openCoffer`, create a
 * context for each call with `contextFor`, and pass that to the operations.
 */
export class Coffer implements CallProcess {
  readonly database: Database;
  readonly keys: StoredKeyring;
  readonly fetch: OutboundFetch;
  readonly connect: OutboundConnect;
  readonly names: OutboundNames;
  readonly keySets: ProviderKeySets;
  readonly targets: OwnTargets;
  readonly sendMail: SendMail | undefined;
  readonly log: Log;
  readonly settings: Settings;
  readonly now: () => Date;
  readonly usage: UsageCounter;
  readonly attempts: KeyedLimiter;
  readonly passwordTurns: PasswordTurns;
  readonly threadTurns = new CallerLimiter(MAX_LONG_WORK);
  readonly largeAnswers = new CallerLimiter(placesForLargeAnswers());
  /** Actors by identity access tokens, by hash. */
  readonly identityTokens = new TaggedCache<KnownToken>();
  /** Actors by user access tokens, by hash. */
  readonly userTokens = new TaggedCache<KnownUserToken>();
  /** Actors by service tokens, by hash. */
  readonly serviceTokens = new TaggedCache<KnownServiceToken>();
  /** Actors by API keys, by ID and hash. */
  readonly apiKeys = new TaggedCache<KnownApiKey>();
  /** The revisions of projects, by id. */
  readonly revisions = new TaggedCache<string>();
  /** Keys of certificate authorities and of the KMS at work. */
  readonly signers = new TaggedCache<unknown>(MAX_SIGNERS);
  readonly kmsUses: KeyUses;
  readonly watches: ProcessWatches;
  readonly commitReads = new Map<string, Promise<unknown>>();
  readonly documentsBeingMade = new Map<string, Promise<unknown>>();
  readonly rateLimits: AppliedRateLimits;
  readonly #abilities: AbilityCache;
  readonly #bus: CacheBus;
  readonly #reads: GroupCommit;
  readonly refusals: RefusalLog;
  readonly auditSpace: AuditSpace;
  readonly keyUseLimits: KeyUseLimits;
  readonly #aside: Pool;
  readonly #batchers = new Map<string, QueryBatcher>();
  readonly shared = new SharedTransactions();

  constructor(database: Database, bus: CacheBus, now: () => Date, options: CofferOptions) {
    this.database = database;
    this.#bus = bus;
    this.fetch = options.fetch;
    this.connect = options.connect ?? noConnections;
    this.names = options.names ?? { addresses: noNames, texts: noNames };
    this.log = options.log ?? SILENT;
    this.now = now;
    this.targets = createTargets(options.processes, options.patience);
    this.passwordTurns = new PasswordTurns(shareOf(MAX_HASHED, options.processes ?? 1));
    this.attempts = new KeyedLimiter(shareOf(MAX_ATTEMPTS, options.processes ?? 1));
    this.#abilities = new AbilityCache(this.now);
    this.keySets = new ProviderKeySets(this.fetch, this.now);
    this.sendMail = options.sendMail;
    this.watches = new ProcessWatches(options.watchLimits);
    this.settings = {
      ...DEFAULT_SETTINGS,
      ...options.settings,
      emailConfigured: options.sendMail !== undefined,
    };
    this.keyUseLimits = { ...KEY_USE_LIMITS, ...options.keyUseLimits };
    this.#aside = poolAside(database);
    this.keys = new StoredKeyring(
      options.rootKey,
      (statement, values) => this.query(statement, values),
      new KeyUses(this.keyUseLimits, this.queryAside),
    );
    this.kmsUses = new KeyUses(this.keyUseLimits, this.queryAside, KMS_KEYS);
    this.auditSpace = new AuditSpace({
      pool: database.pool,
      log: this.log,
      now: this.now,
      limit: options.auditLimit,
      processes: options.processes,
    });
    this.#reads = new GroupCommit((json) => database.pool.query({ ...INSERT_EVENTS, values: [json] }));
    this.refusals = new RefusalLog({
      write: async (row) => {
        await this.auditSpace.take(row, {
          actor: { type: 'anonymous' },
          sql: (statement, values) => this.query(statement, values),
        });
        await this.#reads.commit([row]);
      },
      now: this.now,
      onError: (error) =>
        this.log.warn({ err: error }, 'A refusal could not be written to the audit log; it is retried'),
    });
    this.rateLimits = new AppliedRateLimits({
      sql: (statement, values) => this.query(statement, values),
      log: this.log,
    });
    this.usage = new UsageCounter((statement, values) => this.query(statement, values));
    bus.register(this.identityTokens);
    bus.register(this.userTokens);
    bus.register(this.serviceTokens);
    bus.register(this.apiKeys);
    bus.register(this.revisions);
    bus.register(this.signers);
    bus.register(this.watches);
    bus.register(this.rateLimits);
    bus.register(this.#abilities.cache);
    bus.register(this.keys.cache);
  }

  get pool(): Pool {
    return this.database.pool;
  }

  get connections(): Database['connections'] {
    return this.database.connections;
  }

  /** A context for one call. */
  contextFor(actor: Actor, request: RequestInfo = NO_REQUEST): Call {
    return new Call(this, actor, request);
  }

  async query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await this.database.pool.query<Row>(asQuery(statement, values));
    return rows;
  }

  readonly queryAside: Query = async ({ name, text }, values) =>
    (await this.#aside.query({ name, text, values: values as unknown[] })).rows as never;

  /** The row of one key; see `Context.one`. A group has connections in its own name. */
  one<Row extends object>(statement: Statement, key: readonly unknown[], group?: string): Promise<Row | undefined> {
    const name = group === undefined ? statement.name : `${statement.name} ${group}`;
    let batcher = this.#batchers.get(name);
    if (!batcher) {
      const database = group === undefined ? this.pool : this.database.of(group);
      const run = async <Found extends object>(batched: Statement, values: readonly unknown[]) =>
        (await database.query<Found>(asQuery(batched, values))).rows;
      // What has no group only reads.
      const options = group === undefined ? { sharesRows: true } : { ended: () => this.#batchers.delete(name) };
      batcher = new QueryBatcher(statement, run, options);
      this.#batchers.set(name, batcher);
    }
    return batcher.one<Row>(key);
  }

  takeAuditSpace(event: PendingEvent, by: Pick<Context, 'actor' | 'sql'>): Promise<void> | undefined {
    return this.auditSpace.take(event, by);
  }

  commitRead(event: PendingEvent, ctx: Context): Promise<void> {
    const taking = this.auditSpace.take(event, ctx);
    const commit = () => this.#reads.commit(eventRows(ctx, event));
    return taking ? taking.then(commit) : commit();
  }

  noteRefusal(refusal: Refusal, by: Pick<Context, 'actor' | 'request' | 'now'>): Promise<void> {
    return this.refusals.note(refusal, by);
  }

  ability(ctx: Context, place: Place): MaybePromise<Ability> {
    return this.#abilities.ability(ctx, place);
  }

  invalidate(tags: readonly string[]): void {
    this.#bus.invalidate(tags);
  }

  invalidateEventually(tags: readonly string[]): void {
    this.#bus.invalidateEventually(tags);
  }

  /** For metrics: the sizes of the caches. */
  cacheSizes(): Record<string, number> {
    const { identityTokens, userTokens, serviceTokens, apiKeys, revisions, keys, keySets } = this;
    return {
      identity_tokens: identityTokens.size,
      user_tokens: userTokens.size,
      service_tokens: serviceTokens.size,
      api_keys: apiKeys.size,
      abilities: this.#abilities.cache.size,
      revisions: revisions.size,
      signers: this.signers.size,
      keys: keys.cache.size,
      key_sets: keySets.size,
    };
  }

  /** For metrics: events of reads that wait for their commit. */
  get auditWaiting(): number {
    return this.#reads.waiting;
  }

  /** Waits for running work and closes. */
  async close(): Promise<void> {
    this.watches.stop();
    this.auditSpace.stop();
    await this.rateLimits.close();
    await this.targets.close();
    await this.refusals.sweep(true);
    await this.#reads.settled();
    await this.usage.close();
    await this.#bus.close();
    if (!this.#aside.ending) await this.#aside.end();
    await this.database.close();
  }
}

/**
 * Opens Coffer on a database: migrates it, checks the root key, and listens for invalidations of other processes.
 *
 * @throws DomainError `root_key.wrong` with both fingerprints, `database.too_old`, `database.pooler`.
 */
export async function openCoffer(options: CofferOptions): Promise<Coffer> {
  const log = options.log ?? SILENT;
  const database = await openDatabase({
    entities,
    url: options.databaseUrl,
    ...(options.poolSize && { poolSize: options.poolSize }),
    connectTimeout: options.connectTimeout,
    lockTimeout: options.lockTimeout,
  });
  const clock = new DatabaseClock(log, options.machineTime);
  const now = options.now ?? clock.now;
  // IDs are of a process, not of a Coffer.
  if (!options.now) timeIdsBy(clock.milliseconds);
  const restored = (lostAt: number, isElsewhere: boolean) => {
    if (!isElsewhere) return database.connections.verifyOlder(lostAt);
    const connections = database.connections.endOlder(lostAt);
    log.warn(
      { connections },
      'The database is on another server, or was started again: earlier connections are closed',
    );
  };
  const bus = new CacheBus(options.databaseUrl, log, {
    ...{ heard: clock.compare, restored },
    heartbeatTimeout: options.heartbeatTimeout,
  });
  try {
    await requireSupportedPostgres(database.pool);
    if (options.migrate !== false) {
      await requireOwnSessions(database.pool);
      const ran = await migrateAs(options.migrationUrl, database.pool);
      if (ran.length > 0) log.info({ migrations: ran }, 'The database was migrated');
      const excess = await excessOf(database.pool);
      if (excess.length > 0)
        log.warn(
          { excess },
          'The database user of the server may do more than serving needs: see "Database roles" in docs/operations.md',
        );
      // Without them, events go to the default partition and are moved later.
      await ensurePartitions(database.pool, now()).catch((error: unknown) =>
        log.warn({ err: error }, 'The audit log has no new partitions yet'),
      );
    }
    await openInstance(database.pool, options.rootKey);
    if (options.migrate !== false) await registerArchive(options, database.pool, log);
    const coffer = new Coffer(database, bus, now, options);
    await bus.open();
    await coffer.auditSpace.start();
    return coffer;
  } catch (error) {
    await bus.close();
    await database.close();
    throw error;
  }
}

/**
 * The connection for what transactions ask outside of themselves, closed when idle: they must not wait for a pool whose
 * connections are held by transactions that wait for the same.
 */
function poolAside({ pool: { options }, connections }: Database): Pool {
  const pool = new Pool({ ...options, password: options.password, min: 0, max: 1, idleTimeoutMillis: 10_000 });
  connections.follow(pool);
  return markConnectionErrors(pool.on('error', () => undefined));
}

/** Migrates as the owner of the tables, or as the role that serves. */
async function migrateAs(ownerUrl: string | undefined, serving: Pool): Promise<string[]> {
  if (ownerUrl === undefined) return migrate(serving);
  const { rows } = await serving.query<{ role: string }>('select current_user as role');
  return asOwner(ownerUrl, async (owner) => {
    await requireOwnSessions(owner, 'COFFER_MIGRATION_DATABASE_URL');
    return migrate(owner, rows[0]!.role);
  });
}

/** Connections of the owner of the tables, which are closed then. */
async function asOwner<T>(ownerUrl: string, work: (owner: Pool) => Promise<T>): Promise<T> {
  // A connection that ends may still report that the database stops.
  const owner = new Pool({ connectionString: ownerUrl, max: 2, connectionTimeoutMillis: 10_000 }).on(
    'error',
    () => undefined,
  );
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

/** Gives the owner of the tables the key of `ArchiveProofs`, if it does not have it. */
async function registerArchive({ migrationUrl, rootKey }: CofferOptions, serving: Pool, log: Log): Promise<void> {
  const proofs = new ArchiveProofs(await auditSigningKey(serving, rootKey));
  if (await proofs.areAccepted(serving)) return;
  const register =
    migrationUrl === undefined ? proofs.register(serving) : asOwner(migrationUrl, (owner) => proofs.register(owner));
  await register.catch((error: unknown) =>
    log.warn(
      { err: error },
      'The audit log is not compressed: a process that migrates the database has to start first',
    ),
  );
}
