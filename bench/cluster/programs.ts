import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chown } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const PATIENCE_MS = 20_000;
const OWNER = 'postgres';

/** A program that was started, with what it needs to be ended. */
export interface Program {
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

interface Start {
  readonly program: string;
  readonly args: readonly string[];
  readonly logFile: string;
  /** Whom it runs as; default: who runs this. */
  readonly owner?: Owner;
  readonly environment?: Readonly<Record<string, string>>;
  /** The leader of a group of its own, which is signalled with it. */
  readonly isGroup?: boolean;
}

/** Starts a program of the system. Its output is appended to a file. */
export async function startSystem({
  program,
  args,
  logFile,
  owner = {},
  environment,
  isGroup,
}: Start): Promise<Program> {
  const { PATH = '' } = process.env;
  const env = { PATH: `${PATH}:/usr/sbin`, LC_ALL: 'C.UTF-8', ...environment };
  const child = spawn(program, args, {
    ...owner,
    cwd: '/',
    env,
    detached: isGroup ?? false,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await once(child, 'spawn');
  const log = createWriteStream(logFile, { flags: 'a' });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  return { child, stop: () => endProgram(child) };
}

/** Until something listens on a port of loopback. */
export async function untilOpen(port: number, { child }: Program): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await sleep(20)) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
    if (await isOpen(port)) return;
  }
  throw new Error(`${child.spawnfile} does not listen on ${port}`);
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false)).once('connect', () => (socket.destroy(), resolve(true)));
  });

/** Ends a program, at once if it does not end by itself within a second, and waits for it. */
async function endProgram(child: ChildProcess): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await Promise.race([ended, sleep(1_000, undefined, { ref: false })]);
  }
}

export interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

/** Who runs programs that refuse root: the user of Debian's packages, or who runs this. */
export async function unprivileged(): Promise<Owner> {
  if (process.getuid?.() !== 0) return {};
  const id = async (flag: string) => Number((await promisify(execFile)('id', [flag, OWNER])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

/** Gives a file or directory to them. */
export async function giveTo({ uid, gid }: Owner, path: string): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
}
