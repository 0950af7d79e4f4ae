import { createServer } from 'node:net';
import type { RootKey } from '@coffer/domain';
import { startEmbeddedPostgres } from '@coffer/postgres';
import type { Logger } from 'pino';
import { addressOf, type Config } from './config.ts';
import { forPostgres } from './log.ts';
import { obtainRootKey, ownKeyFile } from './root-key.ts';
import type { Prepared, Served } from './serve.ts';
import { EXIT, explainStart, StartError } from './start-error.ts';
import type { Workers } from './workers/primary.ts';
import { connectionsOf } from './workers/share.ts';

// Loaded at once, without the rest of the server: what an operator has to correct is reported in a fraction of a second.

export interface RunningServer extends Served {
  /** The address where it listens. */
  readonly url: string;
  /** The file with the root key, if Coffer created one. */
  readonly rootKeyFile: string | undefined;
  /** Finishes running requests, within the configured time, and closes everything. */
  stop(): Promise<void>;
  /** Absent if this process serves alone. */
  readonly workers?: Workers;
}

/**
 * Starts the server: the port, the root key and the database, while the rest is loaded, then what it serves. If a later
 * step fails, everything is closed again.
 *
 * @throws StartError with one message for the operator; any other exception is a bug.
 */
export async function startServer(config: Config, log: Logger): Promise<RunningServer> {
  const closers: (() => Promise<void>)[] = [];
  const close = () => closeAll(closers, log);
  try {
    const port = await requireFreePort(config.HOST, config.PORT);
    const rootKey = await obtainRootKey(config);
    const begin = config.COFFER_WORKERS === 1 ? serveAlone(rootKey) : serveWithWorkers;
    const database = await openDatabase(config, log, closers);
    const begun = await begin({ config, log, port, database }, closers);
    let stopped: Promise<void> | undefined;
    return {
      ...begun,
      url: addressOf(config.HOST, port),
      rootKeyFile: ownKeyFile(config),
      stop: () => (stopped ??= close()),
    };
  } catch (error) {
    await close();
    throw explainServing(error, config);
  }
}

/** Closes in reverse order, whatever fails. */
export async function closeAll(closers: (() => Promise<void>)[], log: Logger): Promise<void> {
  for (let closer = closers.pop(); closer; closer = closers.pop()) {
    await closer().catch((error: unknown) => log.error({ err: error }, 'A component did not close cleanly'));
  }
}

type Begin = (
  prepared: Omit<Prepared, 'rootKey'>,
  closers: (() => Promise<void>)[],
) => Promise<Served & Pick<RunningServer, 'workers'>>;

/** The rest of the server in this process. It is loaded while the database starts. */
function serveAlone(rootKey: RootKey): Begin {
  const loading = load();
  // The database may be refused first.
  loading.catch(() => undefined);
  return async (prepared, closers) => {
    const { serve } = await loading;
    const serving = await serve({ ...prepared, rootKey }, closers);
    closers.push(() => serving.leave());
    return serving.served;
  };
}

/** The rest of the server in several processes; this one only looks after them. */
const serveWithWorkers: Begin = async (prepared, closers) => {
  const { Workers } = await import('./workers/primary.ts');
  const workers = new Workers(prepared);
  closers.push(() => workers.stop());
  return { ...(await workers.start()), workers };
};

/** A failure to serve as one message for the operator; an internal error stays as it is. */
export const explainServing = (error: unknown, config: Config): unknown =>
  explainStart(isPortError(error) ? portError(error, config) : error);

/** In parts, because the memory for linking all modules at once is not returned (a quarter of the total). */
export async function load(): Promise<typeof import('./serve.ts')> {
  await import('fastify');
  await import('@coffer/domain');
  await import('@coffer/api');
  return import('./serve.ts');
}

/** What the embedded database admits, and what it has to admit besides the server's: commands, backups, PostgreSQL's own. */
const DEFAULT_CONNECTIONS = 100;
const SPARE_CONNECTIONS = 20;

/** The configured database, or Coffer's own. */
async function openDatabase(
  config: Config,
  log: Logger,
  closers: (() => Promise<void>)[],
): Promise<Prepared['database']> {
  const { DATABASE_URL: url, COFFER_MIGRATION_DATABASE_URL: migrationUrl, COFFER_DATA_DIR: directory } = config;
  if (url !== undefined) return { url, migrationUrl };
  const settings = {
    max_connections: String(Math.max(DEFAULT_CONNECTIONS, connectionsOf(config) + SPARE_CONNECTIONS)),
  };
  const own = await startEmbeddedPostgres({ directory, settings, log: forPostgres(log) });
  closers.push(() => own.stop());
  return { url: own.servingUrl, migrationUrl: own.url };
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
