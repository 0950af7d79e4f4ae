import { spawn } from 'node:child_process';
import { failure } from '../exit.ts';
import type { Io } from '../io.ts';
import { withoutCredentials } from '../own-credentials.ts';

/** A command line that is run after a change. */
export interface Execute {
  readonly command: string;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Milliseconds between the request to end and the end by force. */
const GRACE = 2000;

/**
 * Runs a command line with the shell, in a process group of its own, without Coffer's credentials. What it prints goes to standard
 * error. After its timeout the whole group is ended.
 *
 * @throws CommandError if it fails.
 */
export async function execute(
  { command, timeout }: Execute,
  io: Pick<Io, 'env' | 'cwd'>,
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const env = { ...withoutCredentials(io.env), ...variables };
  const child = spawn('/bin/sh', ['-c', command], { env, cwd: io.cwd, detached: true, stdio: ['ignore', 2, 2] });
  let isLate = false;
  const timers = [
    setTimeout(() => {
      isLate = true;
      killGroup(child.pid, 'SIGTERM');
    }, timeout),
    setTimeout(() => killGroup(child.pid, 'SIGKILL'), timeout + GRACE),
  ];
  try {
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => reject(failure(`The shell cannot be run (${error.code})`)));
      child.once('exit', (...ended) => resolve(ended));
    });
    if (isLate) throw failure(`The command has not ended within ${timeout / 1000} seconds and was ended: ${command}`);
    if (code !== 0) throw failure(`The command failed (${signal ?? `exit code ${code}`}): ${command}`);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    if (isLate) killGroup(child.pid, 'SIGKILL');
  }
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}
