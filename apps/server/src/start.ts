import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createMailer,
  createOutbound,
  openCoffer,
  startBackground,
  type Coffer,
  type CofferOptions,
} from '@coffer/domain';
import { startEmbeddedPostgres } from '@coffer/postgres';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { addressOf, smtpOf, type Config } from './config.ts';
import { drain } from './http/drain.ts';
import { isLoopbackHost, readHost } from './http/host.ts';
import { listenForMetrics } from './http/metrics.ts';
import { forPostgres } from './log.ts';
import { obtainRootKey, ownKeyFile } from './root-key.ts';
import { openSetup, type Setup } from './setup-code.ts';
import { EXIT, explainDatabase, explainStart, StartError } from './start-error.ts';

export interface RunningServer {
  /** The address where it listens. */
  readonly url: string;
  /** How to create the first administrator; absent if there is one. */
  readonly setup: Setup | undefined;
  /** Characters that a password has at least. */
  readonly minPasswordLength: number;
  /** What the operator should know about this configuration. */
  readonly hints: readonly string[];
  /** The file with the root key, if Coffer created one. */
  readonly rootKeyFile: string | undefined;
  /** Finishes running requests, within the configured time, and closes everything. */
  stop(): Promise<void>;
}

/**
 * Starts the server: the database, the keys, the background work, then the listeners. If a later step fails, everything
 * is closed again.
 *
 * @throws StartError with one message for the operator; any other exception is a bug.
 */
export async function startServer(config: Config, log: Logger): Promise<RunningServer> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) {
      await closer().catch((error: unknown) => log.error({ err: error }, 'A component did not close cleanly'));
    }
  };
  try {
    const { HOST: host, DATABASE_URL: external } = config;
    const port = await requireFreePort(host, config.PORT);
    const rootKey = await obtainRootKey(config);
    const url = addressOf(host, port);

    const own =
      external === undefined
        ? await startEmbeddedPostgres({ directory: config.COFFER_DATA_DIR, log: forPostgres(log) })
        : undefined;
    if (own) closers.push(() => own.stop());
    const smtp = smtpOf(config);
    const outbound = createOutbound({ allow: config.COFFER_OUTBOUND_ALLOW, nameServers: config.COFFER_DNS_SERVERS });
    closers.push(() => outbound.close());
    const coffer = await openWhenThere(config, log, {
      databaseUrl: external ?? own!.servingUrl,
      migrationUrl: own?.url ?? config.COFFER_MIGRATION_DATABASE_URL,
      rootKey,
      fetch: outbound.fetch,
      ...(smtp && { sendMail: createMailer(smtp) }),
      connect: outbound.connect,
      names: outbound.names,
      log,
      settings: {
        siteUrl: config.COFFER_SITE_URL ?? url,
        maxLeases: config.COFFER_MAX_LEASES,
        sessionSeconds: config.COFFER_SESSION_LIFETIME,
        sessionIdleSeconds: config.COFFER_SESSION_IDLE_LIFETIME,
        minPasswordLength: config.COFFER_MIN_PASSWORD_LENGTH,
        callLimit: config.COFFER_RATE_LIMIT,
        loginLimit: config.COFFER_LOGIN_RATE_LIMIT,
      },
      poolSize: config.COFFER_DATABASE_POOL,
    });
    closers.push(() => coffer.close());
    const background = await startBackground(coffer, rootKey);
    closers.push(() => background.stop());

    const app = await createApp({
      coffer,
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
    });
    closers.push(() => drain(app, config.COFFER_STOP_TIMEOUT, log));
    if (config.COFFER_METRICS_ADDRESS) closers.push(await openMetrics(config, coffer, app));
    const setup = await openSetup(config, coffer, { log, isRequired: isExposed(config) });
    await app.listen({ host, port });
    let stopped: Promise<void> | undefined;
    return {
      url,
      setup,
      minPasswordLength: coffer.settings.minPasswordLength,
      hints: hintsOf(config),
      rootKeyFile: ownKeyFile(config),
      stop: () => (stopped ??= close()),
    };
  } catch (error) {
    await close();
    throw explainStart(isPortError(error) ? portError(error, config) : error);
  }
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

async function openMetrics(config: Config, coffer: Coffer, app: FastifyInstance): Promise<() => Promise<void>> {
  const { host, port } = config.COFFER_METRICS_ADDRESS!;
  const { close } = await listenForMetrics({
    coffer,
    traffic: app.traffic,
    host,
    port,
    token: config.COFFER_METRICS_TOKEN,
    hosts: { siteUrl: coffer.settings.siteUrl, hosts: hostsOf(config) },
  });
  return close;
}

/** Checks the port before anything is created or opened. Port 0 becomes a free one. */
async function requireFreePort(host: string, port: number): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done, fail) => {
    probe.once('error', fail);
    probe.listen({ host, port }, done);
  });
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  return typeof address === 'object' && address !== null ? address.port : port;
}

const PORT_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses this port (perhaps another Coffer): stop it, or set another PORT',
  EACCES: 'this user may not use this port: set a PORT of at least 1024',
  EADDRNOTAVAIL: 'this host does not have this address: correct HOST',
  ENOTFOUND: 'the host name does not exist: correct HOST',
};

const isPortError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && ['listen', 'getaddrinfo'].includes((error as NodeJS.ErrnoException).syscall ?? '');

const portError = (error: NodeJS.ErrnoException, { HOST, PORT }: Config) =>
  new StartError(
    `it cannot listen on ${HOST}, port ${PORT}: ${PORT_FAULTS[error.code ?? ''] ?? error.message}`,
    EXIT.unavailable,
    { cause: error },
  );

const RETRY_MS = 500;

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
