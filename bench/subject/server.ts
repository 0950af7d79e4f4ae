import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.resolve('@coffer/server')));
const START_LIMIT = 180_000;
const STOP_LIMIT = 30_000;

/** A program of ours that serves HTTP on loopback, in a separate process. */
export interface Running {
  readonly url: string;
  readonly pid: number;
  readonly child: ChildProcess;
  /** Milliseconds from the start of the process to its first answer. */
  readonly readyAfter: number;
  /** Stops it with SIGTERM, and kills it if that takes too long. */
  stop(): Promise<void>;
}

export interface StartServer {
  /** Coffer's data directory; a first start makes it. */
  readonly dataDir: string;
  readonly nodeFlags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: Coffer of this checkout. */
  readonly program?: string;
}

/**
 * Starts the whole product: the server as `npm start` runs it, with its own PostgreSQL in `dataDir`. Its bundle is there: it would be
 * made while it is measured.
 */
export async function startServer({
  dataDir,
  nodeFlags = [],
  environment: more,
  program = MAIN,
}: StartServer): Promise<Running> {
  const checkout = join(dirname(program), '../../..');
  const builder = join(checkout, 'scripts', 'bundle.mjs');
  if (existsSync(builder)) await promisify(execFile)(process.execPath, [builder]);
  const environment = {
    COFFER_DATA_DIR: dataDir,
    // The limits count, but are never reached: their cost is part of the measurement.
    COFFER_RATE_LIMIT: '1000000000',
    COFFER_LOGIN_RATE_LIMIT: '1000000000',
    COFFER_REFUSED_TOKEN_LIMIT: '1000000000',
    COFFER_MAX_LEASES: '1000000',
    // Its own PostgreSQL is the target of its dynamic secrets.
    COFFER_OUTBOUND_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
    // As `npm start` does.
    MALLOC_ARENA_MAX: '2',
    NODE_COMPILE_CACHE: join(checkout, 'node_modules/.cache/coffer/main'),
    ...more,
  };
  return startProgram([...nodeFlags, program], environment, '/api/status', `${dataDir}.log`);
}

/** Starts a Node program that listens on `PORT`, by default a free one, and waits until `readyPath` returns 200. */
export async function startProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  readyPath: string,
  logFile: string,
): Promise<Running> {
  const port = environment['PORT'] ?? String((await freePorts(1))[0]);
  const { PATH = '', TMPDIR } = process.env;
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    env: {
      PATH,
      ...(TMPDIR && { TMPDIR }),
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: port,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await once(child, 'spawn');
  const log = createWriteStream(logFile, { flags: 'a' });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady(`${url}${readyPath}`, child);
  } catch (error) {
    await stopProgram(child);
    const said = (await readFile(logFile, 'utf8').catch(() => '')).trim().split('\n').slice(-15).join('\n');
    throw new Error(`${args.at(-1)} does not serve: ${(error as Error).message}\n${said}`, { cause: error });
  }
  return { url, pid: child.pid!, child, readyAfter: performance.now() - started, stop: () => stopProgram(child) };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + START_LIMIT;
  while (performance.now() < deadline) {
    if (hasEnded(child)) throw new Error(`it ended (${child.signalCode ?? child.exitCode})`);
    const isReady = await fetch(url, { signal: AbortSignal.timeout(5000) }).then(
      async (answer) => (await answer.arrayBuffer(), answer.ok),
      () => false,
    );
    if (isReady) return;
    await sleep(10);
  }
  throw new Error(`no answer within ${START_LIMIT / 1000} s`);
}

export const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

async function stopProgram(child: ChildProcess): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (hasEnded(child)) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await Promise.race([ended, sleep(STOP_LIMIT, undefined, { ref: false })]);
  }
}

/** So many ports of loopback on which nothing listens. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  return Promise.all(
    servers.map(async (server) => {
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      server.close();
      await once(server, 'close');
      return port;
    }),
  );
}

/** How to reach the PostgreSQL that a server runs in its data directory. */
export async function embeddedDatabase(dataDir: string): Promise<{ url: string; pid: number }> {
  const lines = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  const password = (await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim();
  const url = `postgres://coffer:${encodeURIComponent(password)}@127.0.0.1:${Number(lines[3])}/coffer`;
  return { url, pid: Number(lines[0]) };
}

/** A directory for all files of one run, accessible to the database's user. */
export async function makeRoom(path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o755);
  return path;
}
