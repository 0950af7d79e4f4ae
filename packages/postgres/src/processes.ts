import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface Process {
  pid: number;
  /** its command line, or the title it gave itself; zombies have none and are left out */
  command: string;
}

/** Linux containers often have no ps, macOS has no /proc. */
const hasProc = existsSync('/proc/self/cmdline');

/** All processes that we can see. */
export async function listProcesses(): Promise<Process[]> {
  if (!hasProc) return readPs(['-ax']);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const commands = await Promise.all(pids.map(readCommand));
  return pids.flatMap((pid, index) => (commands[index] ? [{ pid, command: commands[index] }] : []));
}

/** The command of a running process, undefined if there is none: ended, or a zombie. */
export async function commandOf(pid: number): Promise<string | undefined> {
  return hasProc ? readCommand(pid) : (await readPs(['-p', String(pid)]))[0]?.command;
}

async function readCommand(pid: number): Promise<string | undefined> {
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return line.replaceAll('\0', ' ').trim() || undefined;
}

async function readPs(selection: string[]): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', [...selection, '-ww', '-o', 'pid=,stat=,command='], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch(() => ({ stdout: '' }));
  return stdout.split('\n').flatMap((line) => {
    const [, pid, state, command] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return pid && command && !state?.startsWith('Z') ? [{ pid: Number(pid), command }] : [];
  });
}

/**
 * The name under which a cluster's server shows in every process it has: on the postmaster's command line and in the
 * title of each backend. It is made from the directory's identity, not from its path or from a number in a file, so a
 * reused process id, a copied cluster or another path to the same directory cannot mislead.
 */
export async function serverName(cluster: string): Promise<string> {
  const { dev, ino } = await stat(cluster, { bigint: true });
  return `coffer-${dev.toString(36)}-${ino.toString(36)}`;
}

/** Whether a command belongs to the server of that name, postmaster or backend. */
export function belongsTo(command: string, name: string): boolean {
  if (command.startsWith(`postgres: ${name}: `)) return true;
  const isPostmaster = command.startsWith('/') && command.split(' -D ')[0]?.endsWith('/postgres');
  return Boolean(isPostmaster) && `${command} `.includes(` cluster_name=${name} `);
}

/** Signals those of the given processes that still belong to the server: process IDs may be reused. */
export async function signalServer(pids: number[], name: string, signal: NodeJS.Signals): Promise<void> {
  for (const pid of await stillRunning(pids, name)) kill(pid, signal);
}

/** Waits until none of the processes is left; resolves to whether that happened in time. */
export async function waitUntilGone(pids: number[], name: string, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while ((await stillRunning(pids, name)).length > 0) {
    if (performance.now() > deadline) return false;
    await sleep(10);
  }
  return true;
}

async function stillRunning(pids: number[], name: string): Promise<number[]> {
  const commands = await Promise.all(pids.map(commandOf));
  return pids.filter((_pid, index) => belongsTo(commands[index] ?? '', name));
}

/** Sends a signal; an ended process is ignored. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
