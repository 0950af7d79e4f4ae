export { debianProgram } from '@coffer/x509/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What was leased. */
export interface Login {
  readonly username: string;
  readonly password: string;
}

export interface ServerProcess {
  /** Its output so far. */
  readonly said: () => string;
  stop(): Promise<void>;
}

const START_LIMIT = 60_000;

/**
 * Starts a program, and waits until it listens on a port of 127.0.0.1. It ends with the tests at the latest; its
 * directory is deleted when it stops or fails to start.
 */
export async function startServer(
  command: string,
  args: readonly string[],
  {
    port,
    directory,
    env,
  }: { readonly port: number; readonly directory?: string; readonly env?: Record<string, string> },
): Promise<ServerProcess> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: env ?? process.env });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const kill = () => child.kill('SIGKILL');
  const clean = async () => {
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  };
  process.once('exit', kill);
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  try {
    await Promise.race([untilListening(port, child), failed]);
  } catch (error) {
    kill();
    await clean();
    throw new Error(`${command} does not start: ${said.slice(-2000)}`, { cause: error });
  }
  return {
    said: () => said,
    async stop() {
      process.off('exit', kill);
      const ended = hasEnded(child) || once(child, 'exit');
      kill();
      await ended;
      await clean();
    },
  };
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + START_LIMIT;
  while (performance.now() < deadline && !hasEnded(child)) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return;
    await sleep(20);
  }
  throw new Error('It does not listen');
}

/** The first of the ports that are given, and their number: systems give higher ones to connections. */
const [FIRST_PORT, PORTS] = [12_000, 18_000];

/**
 * So many ports of 127.0.0.1 on which nothing listens. No connection of another test takes one before something listens there,
 * or while that is away.
 */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = FIRST_PORT + randomInt(PORTS);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isListening) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** A directory for one server, with a short name because it contains sockets. */
export const temporaryDirectory = (name: string): Promise<string> => mkdtemp(join(tmpdir(), `coffer-${name}-`));
