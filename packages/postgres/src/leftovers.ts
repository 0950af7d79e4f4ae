import { readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import type { Log } from './options.ts';
import { belongsTo, commandOf, listProcesses, serverName, signalServer, waitUntilGone } from './processes.ts';

/**
 * Ends what an earlier owner of the cluster left behind when it was killed: a postmaster that still runs, backends of
 * a postmaster that was killed too (they hold its shared memory), and a postmaster.pid that names a process which is
 * gone, a zombie or somebody else's. Call it only while holding the lock.
 *
 * A running postmaster is stopped and not adopted: that takes a moment longer, but settings and programs are then
 * those of this version, sessions of the dead owner hold no locks, and the server is our child, whose end we notice.
 */
export async function endLeftovers(cluster: string, log: Log): Promise<void> {
  const name = await serverName(cluster);
  const pidFile = join(cluster, 'postmaster.pid');
  const leader = await readPid(pidFile);
  const found = await findServer(name);
  if (leader && found.includes(leader)) {
    log('info', 'Stopping the database server that an earlier process left running', { pid: leader });
    await end([leader], name, [
      ['SIGINT', 10_000],
      ['SIGQUIT', 5_000],
      ['SIGKILL', 5_000],
    ]);
  }
  const orphans = found.length > 0 ? await findServer(name) : [];
  if (orphans.length > 0 && !(await waitUntilGone(orphans, name, 250))) {
    log('warn', 'Ending orphaned database sessions of a killed server', { pids: orphans });
    await end(orphans, name, [
      ['SIGQUIT', 1_000],
      ['SIGKILL', 5_000],
    ]);
  }
  const named = await readPid(pidFile);
  if (named === undefined) return;
  if (await isPostgresIn(named, cluster)) {
    throw new EmbeddedPostgresError(
      'in_use',
      `A PostgreSQL server that Coffer did not start (process ${named}) runs on ${cluster}: stop it first`,
    );
  }
  // PostgreSQL would delete the file too, but not while any process of its user has that ID, including zombies. If a
  // server is hidden from us, its shared memory still prevents a second one from starting.
  await rm(pidFile, { force: true });
}

async function findServer(name: string): Promise<number[]> {
  return (await listProcesses()).filter(({ command }) => belongsTo(command, name)).map(({ pid }) => pid);
}

async function end(pids: number[], name: string, steps: [NodeJS.Signals, number][]): Promise<void> {
  for (const [signal, patience] of steps) {
    await signalServer(pids, name, signal);
    if (await waitUntilGone(pids, name, patience)) return;
  }
  throw new EmbeddedPostgresError(
    'in_use',
    `Processes ${pids.join(', ')} of an earlier database server do not exit: kill them and start again`,
  );
}

/** The first line of postmaster.pid; undefined if there is none, NaN if it is invalid (a full disk, a crash). */
async function readPid(pidFile: string): Promise<number | undefined> {
  const text = await readFile(pidFile, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number.parseInt(text, 10);
}

async function isPostgresIn(pid: number, cluster: string): Promise<boolean> {
  const command = (await commandOf(pid)) ?? '';
  if (!/(^|\/)postgres\s/.test(command)) return false;
  return command.includes(cluster) || (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === cluster;
}
