import { setTimeout as sleep } from 'node:timers/promises';
import {
  createMailer,
  createOutbound,
  openCoffer,
  startBackground,
  type Coffer,
  type AuditLimit,
  type CofferOptions,
  type OutboundFetch,
  type RootKey,
} from '@coffer/domain';
import { webConsole } from '@coffer/web';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { checkExports, exportStoreOf } from './audit-exports.ts';
import { addressOf, smtpOf, type Config } from './config.ts';
import { appSettingsOf } from './config/apps.ts';
import { drain, handOver } from './http/drain.ts';
import { isLoopbackHost, readHost } from './http/host.ts';
import { listenForMetrics } from './http/metrics.ts';
import type { Peers } from './http/peers.ts';
import { readinessOf } from './http/probes.ts';
import { openSetup, type Setup } from './setup-code.ts';
import { explainDatabase } from './start-error.ts';

/** What is there before the server is loaded. */
export interface Prepared {
  readonly config: Config;
  readonly log: Logger;
  readonly port: number;
  readonly rootKey: RootKey;
  readonly database: { readonly url: string; readonly migrationUrl: string | undefined };
  /** What this process is, if it is one of several workers; absent if it serves alone. */
  readonly worker?: WorkerRole;
  /** The other workers. */
  readonly peers?: Peers;
}

export interface WorkerRole {
  /** From 1. */
  readonly number: number;
  /** Whether it creates the set-up code: once in each start of the server. */
  readonly issuesSetupCode: boolean;
}

export interface Served {
  /** How to create the first administrator; absent if there is one. */
  readonly setup: Setup | undefined;
  /** Characters that a password has at least. */
  readonly minPasswordLength: number;
  /** What the operator should know about this configuration. */
  readonly hints: readonly string[];
}

/** The first worker does what one process has to do. */
const UPKEEP = 1;

export interface Serving {
  readonly served: Served;
  /** Accepts no further connections, and lets the open ones end with their next response: others serve the port. */
  handOver(): Promise<void>;
  /**
   * Before the server stops: it is not ready, and serves for the configured time, so that load balancers send the next
   * requests elsewhere. Then it hands over.
   */
  leave(): Promise<void>;
}

/**
 * Opens the database, starts the background work, then the listeners. `closers` gets what closes each of them, in their
 * order, also if a later one fails.
 */
export async function serve(
  { config, log, port, rootKey, database, worker, peers }: Prepared,
  closers: (() => Promise<void>)[],
): Promise<Serving> {
  const hasUpkeep = worker === undefined || worker.number === UPKEEP;
  const smtp = smtpOf(config);
  const outbound = createOutbound({
    allow: config.COFFER_OUTBOUND_ALLOW,
    nameServers: config.COFFER_DNS_SERVERS,
    note: (host, reason) => log.info({ host, reason }, 'A name is not called'),
  });
  closers.push(() => outbound.close());
  const coffer = await openWhenThere(config, log, {
    databaseUrl: database.url,
    migrationUrl: database.migrationUrl,
    rootKey,
    fetch: outbound.fetch,
    ...(smtp && { sendMail: createMailer(smtp) }),
    connect: outbound.connect,
    names: outbound.names,
    log,
    settings: {
      siteUrl: config.COFFER_SITE_URL ?? addressOf(config.HOST, port),
      maxLeases: config.COFFER_MAX_LEASES,
      sessionSeconds: config.COFFER_SESSION_LIFETIME,
      sessionIdleSeconds: config.COFFER_SESSION_IDLE_LIFETIME,
      minPasswordLength: config.COFFER_MIN_PASSWORD_LENGTH,
      callLimit: config.COFFER_RATE_LIMIT,
      loginLimit: config.COFFER_LOGIN_RATE_LIMIT,
      apps: appSettingsOf(config),
    },
    poolSize: config.COFFER_DATABASE_POOL,
    processes: peers?.processes,
    migrate: hasUpkeep,
    auditLimit: await auditLimitOf(config, { fetch: outbound.fetch, log, exportsEvents: hasUpkeep }),
  });
  closers.push(() => coffer.close());
  if (hasUpkeep) {
    const background = await startBackground(coffer, rootKey);
    closers.push(() => background.stop());
  }

  const readiness = readinessOf(coffer);
  const app = await createApp({
    coffer,
    readiness,
    logger: log,
    isTrustedProxy: config.COFFER_TRUSTED_PROXIES,
    clientCertificateHeader: config.COFFER_TLS_CLIENT_CERT_HEADER,
    bodyLimit: config.COFFER_BODY_LIMIT,
    refusedTokenLimit: config.COFFER_REFUSED_TOKEN_LIMIT,
    concurrency: config.COFFER_CONCURRENCY,
    corsOrigins: config.COFFER_CORS_ORIGINS,
    metricsToken: config.COFFER_METRICS_ADDRESS ? undefined : config.COFFER_METRICS_TOKEN,
    hosts: hostsOf(config),
    isExposed: isExposed(config),
    console: webConsole,
    peers,
  });
  closers.push(() => drain(app, config.COFFER_STOP_TIMEOUT, log));
  if (config.COFFER_METRICS_ADDRESS) closers.push(await openMetrics(config, coffer, app, peers));
  const issuesSetupCode = worker?.issuesSetupCode ?? true;
  const setup = issuesSetupCode ? await openSetup(config, coffer, { log, isRequired: isExposed(config) }) : undefined;
  await app.listen({ host: config.HOST, port });
  const served = { setup, minPasswordLength: coffer.settings.minPasswordLength, hints: hintsOf(config) };
  return {
    served,
    handOver: () => handOver(app),
    async leave() {
      readiness.leave();
      if (config.COFFER_STOP_DELAY === 0) return;
      await sleep(config.COFFER_STOP_DELAY * 1000);
      await handOver(app);
    },
  };
}

/** The host names besides the site URL: the configured ones, and the address where it listens. */
const hostsOf = ({ COFFER_HOSTS, HOST }: Config): string[] => [
  ...COFFER_HOSTS,
  HOST.includes(':') ? `[${HOST}]` : HOST,
];

/** A server that listens everywhere knows none of the names that lead to it. */
function hintsOf({ HOST, COFFER_SITE_URL, COFFER_HOSTS, COFFER_METRICS_ADDRESS: metrics }: Config): string[] {
  const isNamed = COFFER_SITE_URL !== undefined || COFFER_HOSTS.length > 0 || !['0.0.0.0', '::'].includes(HOST);
  return [
    ...(isNamed
      ? []
      : [
          'Requests for hosts other than localhost get 421: set COFFER_SITE_URL to the public URL, and COFFER_HOSTS to further names and addresses',
        ]),
    ...(metrics ? [`Metrics are served on ${addressOf(metrics.host, metrics.port)}/metrics`] : []),
  ];
}

/** Whether remote clients are expected, also through a proxy that does not announce itself. */
function isExposed({ HOST, COFFER_SITE_URL, COFFER_TRUSTED_PROXIES }: Config): boolean {
  const names = [addressOf(HOST, 80), ...(COFFER_SITE_URL ? [COFFER_SITE_URL] : [])];
  return COFFER_TRUSTED_PROXIES !== undefined || !names.every((name) => isLoopbackHost(hostOf(name)));
}

const hostOf = (url: string): string => readHost(new URL(url).host) ?? '';

async function openMetrics(
  config: Config,
  coffer: Coffer,
  app: FastifyInstance,
  peers: Peers | undefined,
): Promise<() => Promise<void>> {
  const { host, port } = config.COFFER_METRICS_ADDRESS!;
  const { close } = await listenForMetrics({
    coffer,
    traffic: app.traffic,
    peers,
    host,
    port,
    token: config.COFFER_METRICS_TOKEN,
    hosts: { siteUrl: coffer.settings.siteUrl, hosts: hostsOf(config) },
  });
  return close;
}

const RETRY_MS = 500;

/** @throws StartError if exports cannot be written. */
async function auditLimitOf(
  config: Config,
  { fetch, log, exportsEvents }: { fetch: OutboundFetch; log: Logger; exportsEvents: boolean },
): Promise<AuditLimit | undefined> {
  const { COFFER_AUDIT_MAX_BYTES: maxBytes } = config;
  if (maxBytes === undefined) return undefined;
  const exports = exportStoreOf(config, fetch);
  if (exports && exportsEvents) await checkExports(exports, log);
  return { maxBytes, exports };
}

/** A database may be starting at the same time, on a machine that was just switched on. */
async function openWhenThere(config: Config, log: Logger, options: CofferOptions): Promise<Coffer> {
  const giveUpAt = performance.now() + config.COFFER_DATABASE_WAIT * 1000;
  for (let attempt = 1; ; attempt++) {
    try {
      return await openCoffer(options);
    } catch (error) {
      const explained = explainDatabase(error, options.databaseUrl);
      if (!explained) throw error;
      if (!explained.mayPass || performance.now() >= giveUpAt) throw explained.error;
      if (attempt === 1)
        log.warn(`Waiting for up to ${config.COFFER_DATABASE_WAIT} seconds: ${explained.error.message}`);
      await sleep(RETRY_MS);
    }
  }
}
