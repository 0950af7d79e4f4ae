import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, copyFile, open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError, noSpace } from './errors.ts';
import { belongTo } from './home.ts';
import { endLeftovers } from './leftovers.ts';
import { kill, serverName } from './processes.ts';
import { plainEnvironment } from './program.ts';
import type { Server } from './server.ts';
import { settingFlags } from './settings.ts';

const LOG_LIMIT = 4 * 1024 * 1024;

export interface Postmaster {
  readonly pid: number;
  /** resolves when the process has ended, to a word on how: 'exit code 1', 'signal SIGKILL' */
  readonly exited: Promise<string>;
  readonly child: ChildProcess;
}

/**
 * Starts the server process on the port and resolves when it accepts connections. Recovery after a crash has no
 * deadline; `signal` aborts. The caller has ended any leftovers.
 */
export async function startPostmaster(server: Server, port: number, signal: AbortSignal): Promise<Postmaster> {
  signal.throwIfAborted();
  const { home, binaries, identity } = server;
  await boundLog(server);
  const log = await open(home.logFile, 'a', 0o600);
  const logStart = (await log.stat()).size;
  await belongTo(home.logFile, home.directory);
  const flags = settingFlags(server.settings, await serverName(home.cluster), port);
  const words = [...identity.prefix, binaries.postgres, '-D', home.cluster, ...flags];
  const [command = binaries.postgres, ...args] = words;
  let postmaster: Postmaster;
  try {
    const child = spawn(command, args, {
      ...identity.ids,
      cwd: '/',
      env: plainEnvironment(),
      // A separate session, or Ctrl-C would stop the database before running requests are done.
      detached: true,
      // A file and not a pipe: the server may outlive us.
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(child, 'spawn');
    const exited = once(child, 'exit').then(([code, by]) => (by ? `signal ${by}` : `exit code ${code}`));
    postmaster = { pid: child.pid ?? 0, exited, child };
  } catch (error) {
    throw new EmbeddedPostgresError('start_failed', `The database server cannot be run: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    await log.close();
  }
  await waitUntilReady(postmaster, server, logStart, signal);
  return postmaster;
}

/**
 * Stops the server: open sessions are aborted, and everything is written (fast shutdown, SIGINT). If that takes too
 * long it is stopped immediately (SIGQUIT) and recovers at the next start; nothing acknowledged is lost either way.
 */
export async function stopPostmaster(postmaster: Postmaster, server: Server): Promise<void> {
  const steps = [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const;
  for (const [signal, patience] of steps) {
    if (hasEnded(postmaster)) return;
    if (signal !== 'SIGINT') server.log('warn', `The database server does not stop: sending ${signal}`);
    kill(postmaster.pid, signal);
    const waiting = new AbortController();
    const timeout = sleep(patience, undefined, { signal: waiting.signal }).catch(() => undefined);
    await Promise.race([postmaster.exited, timeout]);
    waiting.abort();
  }
  await endLeftovers(server.home.cluster, server.log);
}

export function hasEnded({ child }: Postmaster): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Rotates a large log file, keeping one older generation. Safe while a server has it open for appending. */
export async function boundLog({ home }: Pick<Server, 'home'>): Promise<void> {
  const size = await stat(home.logFile).then(
    (file) => file.size,
    () => 0,
  );
  if (size < LOG_LIMIT) return;
  await rm(`${home.logFile}.1`, { force: true });
  await copyFile(home.logFile, `${home.logFile}.1`, constants.COPYFILE_EXCL);
  await truncate(home.logFile);
}

/** The server reports readiness in postmaster.pid, as pg_ctl reads it: without failed connection attempts. */
async function waitUntilReady(
  postmaster: Postmaster,
  server: Server,
  logStart: number,
  signal: AbortSignal,
): Promise<void> {
  const pidFile = join(server.home.cluster, 'postmaster.pid');
  for (let waited = 0; ; waited += 1) {
    const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
    if (Number(lines[0]) === postmaster.pid && lines[7]?.trim() === 'ready') return;
    if (hasEnded(postmaster)) throw await startError(server, logStart, await postmaster.exited);
    if (signal.aborted) {
      await stopPostmaster(postmaster, server);
      signal.throwIfAborted();
    }
    if (waited > 0 && waited % 500 === 0) server.log('info', 'Waiting for the database server to recover');
    // Short intervals first, because a start takes some 40 ms.
    await sleep(waited < 100 ? 4 : 20);
  }
}

async function startError({ home }: Server, logStart: number, ended: string): Promise<EmbeddedPostgresError> {
  const said = (await readFile(home.logFile)).subarray(logStart).toString('utf8').trim();
  if (/could not bind|Address already in use/.test(said)) {
    return new EmbeddedPostgresError('port_taken', 'The port of the database server is used by another program');
  }
  if (/No space left on device|Disk quota exceeded/.test(said)) return noSpace(home.directory);
  if (/shared memory block .* still in use|lock file .* already exists/.test(said)) {
    return new EmbeddedPostgresError(
      'in_use',
      `Processes of an earlier database server still use ${home.cluster}: kill them and start again`,
    );
  }
  const lastLines = said.split('\n').slice(-8).join('\n');
  return new EmbeddedPostgresError(
    'start_failed',
    `The database server did not start (${ended}); the end of ${home.logFile}:\n${lastLines}`,
  );
}
