import { spawn, type ChildProcess } from 'node:child_process';
import { constants as os } from 'node:os';
import type { CofferClient } from '@coffer/client';
import { Changes } from '../../changes.ts';
import { CommandError } from '../../exit.ts';
import { explain } from '../../explain.ts';
import type { Io } from '../../io.ts';
import type { Place } from '../../place.ts';
import { SECRET_EVENTS } from '../../secrets.ts';
import { find } from './replace.ts';

export interface Watched {
  readonly client: CofferClient;
  readonly places: readonly Place[];
  /** Reads the environment with the secrets of now. */
  readonly read: () => Promise<Record<string, string>>;
  readonly argv: readonly [string, ...string[]];
  readonly io: Io;
  /** Seconds. */
  readonly interval: number;
}

type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** What a program gets before it is killed, in milliseconds. */
const GRACE = 10_000;
const FORWARDED = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2'] as const;

/**
 * Runs a program, and again whenever its secrets change. While they cannot be read, the program goes on as it is. Ends
 * with the program, with its exit code or 128 + the signal that ended it.
 */
export async function watch({ client, places, read, argv, io, interval }: Watched): Promise<number> {
  const changes = new Changes();
  const stop = new AbortController();
  const timer = setInterval(() => changes.notify(), interval * 1000);
  const followed = follow(client, places, changes, stop.signal, io);
  let env = await read();
  let program = start(argv, env, io);
  const forwarding = FORWARDED.map((signal) => {
    const forward = () => void program.child.kill(signal);
    process.on(signal, forward);
    return () => process.off(signal, forward);
  });
  try {
    for (;;) {
      const ended = await Promise.race([program.ended, changes.next()]);
      if (ended) return ended.code ?? 128 + os.signals[ended.signal!];
      const next = await readAgain(read, io);
      if (!next || isSame(env, next)) continue;
      io.say('info', 'Secrets have changed: the program is restarted');
      await end(program);
      env = next;
      program = start(argv, env, io);
    }
  } finally {
    clearInterval(timer);
    stop.abort();
    for (const remove of forwarding) remove();
    await followed;
  }
}

interface Program {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

function start([program, ...args]: Watched['argv'], env: Record<string, string>, io: Io): Program {
  const child = spawn(find(program, env['PATH'], io.cwd), args, { env, stdio: 'inherit' });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(new CommandError(`${program} cannot be run (${error.code})`, 126)),
    );
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  return { child, ended };
}

async function end({ child, ended }: Program): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE);
  await ended;
  clearTimeout(timer);
}

async function readAgain(read: Watched['read'], io: Io): Promise<Record<string, string> | undefined> {
  try {
    return await read();
  } catch (error) {
    const { message } = error instanceof CommandError ? error : explain(error);
    io.say('warn', `Secrets cannot be read; the program goes on with those that it has: ${message}`);
    return undefined;
  }
}

const isSame = (a: Record<string, string>, b: Record<string, string>): boolean => {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
};

/** Follows the stream of changes. Without the right to it, or without a stream, changes are found after the interval. */
async function follow(
  client: CofferClient,
  places: readonly Place[],
  changes: Changes,
  signal: AbortSignal,
  io: Io,
): Promise<void> {
  const [{ projectId, environment }] = places as [Place];
  const register = SECRET_EVENTS.map((event) => ({
    event,
    conditions: { environmentSlug: environment, secretPath: '/**' },
  }));
  try {
    for await (const { data } of client.secretEvents.watch.subscribe({ projectId, register }, { signal }))
      if (data) changes.notify();
  } catch (error) {
    if (!signal.aborted)
      io.say('debug', `No stream of changes: ${error instanceof Error ? error.message : String(error)}`);
  }
}
