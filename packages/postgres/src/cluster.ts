import { randomBytes } from 'node:crypto';
import { chown, lchown, mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError, explainFileError, noSpace } from './errors.ts';
import { syncDirectory, writePrivately } from './home.ts';
import type { Ids } from './program.ts';
import { endLeftovers } from './leftovers.ts';
import { kill, listProcesses } from './processes.ts';
import { type Outcome, run } from './program.ts';
import type { Server } from './server.ts';

/** The disk space of a new cluster with its first log, with some reserve. */
const NEEDED_BYTES = 100 * 1024 * 1024;

/**
 * Ensures that there is a complete, unused cluster, owned by the server's user, and returns the password of the user
 * `coffer`. Call it only while holding the lock.
 */
export async function ensureCluster(server: Server): Promise<string> {
  const { home, identity, log } = server;
  try {
    await removeWorkspaces(server);
    if (!(await isCluster(server))) return await createCluster(server);
    await endLeftovers(home.cluster, log);
    if (identity.owner) await giveTo(home.cluster, identity.owner);
    return (await readPassword(home.password)) ?? (await resetPassword(server));
  } catch (error) {
    throw explainFileError(error, home.directory);
  }
}

/** A cluster is complete or does not exist: it is renamed when it is finished. Anything else is not touched. */
async function isCluster({ home, binaries }: Server): Promise<boolean> {
  const entries = await readdir(home.cluster).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (entries.length === 0) return false;
  const version = (await readFile(join(home.cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (!version || !entries.includes('global')) {
    throw new EmbeddedPostgresError(
      'unwritable',
      `${home.cluster} holds files but no PostgreSQL cluster: move them away, or choose another directory`,
    );
  }
  if (version !== binaries.major) {
    throw new EmbeddedPostgresError(
      'version_mismatch',
      `The database in ${home.cluster} was created by PostgreSQL ${version}, and this is PostgreSQL ${binaries.major}: dump it with the Coffer release that created it and restore it into a new directory, or use that release`,
    );
  }
  return true;
}

/**
 * Makes the cluster in a workspace beside its place and moves it there when it is complete and on the disk. A kill in
 * the middle leaves a workspace, which the next start removes.
 */
async function createCluster(server: Server): Promise<string> {
  const { home, binaries, identity, log } = server;
  const started = performance.now();
  const { bavail, bsize } = await statfs(home.directory);
  if (bavail * bsize < NEEDED_BYTES) throw noSpace(home.directory);

  const workspace = join(home.directory, `postgres.new-${randomBytes(4).toString('hex')}`);
  const data = join(workspace, 'data');
  const superuserPassword = join(workspace, 'superuser');
  const password = (await readPassword(home.password)) ?? randomPassword();
  try {
    await mkdir(workspace, { mode: 0o700 });
    // The superuser's password is discarded: Coffer uses a role that cannot run programs or read files through SQL.
    await writeFile(superuserPassword, randomPassword(), { mode: 0o600 });
    if (identity.owner) await giveTo(workspace, identity.owner);
    const flags = ['--username=postgres', `--pwfile=${superuserPassword}`, '--auth=scram-sha-256'];
    const outcome = await run(identity, binaries.initdb, [
      ...['-D', data, ...flags, '--encoding=UTF8', '--locale=C', '--no-instructions', '--no-sync'],
    ]);
    expectSuccess(outcome, server, 'could not be created');
    await runSingle(server, data, [
      `create role coffer login createdb createrole replication password '${password}'`,
      'grant pg_monitor, pg_signal_backend, pg_checkpoint to coffer',
      'grant set on parameter session_replication_role to coffer',
      'create database coffer owner coffer',
    ]);
    expectSuccess(await run(identity, binaries.initdb, ['-D', data, '--sync-only']), server, 'could not be written');
    await writePrivately(home.password, password);
    await rename(data, home.cluster);
    await syncDirectory(home.directory);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
  log('info', 'Created a new database', {
    directory: home.cluster,
    milliseconds: Math.round(performance.now() - started),
  });
  return password;
}

/** Deletes the rest of a killed start, and ends an initdb that may still be writing there. */
async function removeWorkspaces({ home }: Server): Promise<void> {
  const left = (await readdir(home.directory)).filter((name) => name.startsWith('postgres.new-'));
  if (left.length === 0) return;
  for (const { pid, command } of await listProcesses()) {
    if (left.some((name) => command.includes(` -D ${join(home.directory, name)}/`))) kill(pid, 'SIGKILL');
  }
  for (const name of left) await rm(join(home.directory, name), { recursive: true, force: true, maxRetries: 10 });
}

/** The password file was lost, emptied by a crash, or deleted on purpose: the owner of the files may set a new one. */
async function resetPassword(server: Server): Promise<string> {
  server.log('warn', 'The file with the database password is missing: setting a new password');
  const password = randomPassword();
  await runSingle(server, server.home.cluster, [`alter role coffer password '${password}'`]);
  await writePrivately(server.home.password, password);
  return password;
}

/** Statements for a stopped cluster, as superuser in single-user mode. One line is one statement. */
async function runSingle(server: Server, data: string, statements: string[]): Promise<void> {
  const { identity, binaries } = server;
  const flags = ['exit_on_error=on', 'log_min_error_statement=panic', 'log_checkpoints=off'];
  const outcome = await run(
    identity,
    binaries.postgres,
    ['--single', '-D', data, ...flags.flatMap((flag) => ['-c', flag]), 'postgres'],
    statements.map((statement) => `${statement};\n`).join(''),
  );
  expectSuccess(outcome, server, 'could not be prepared');
}

function expectSuccess({ code, stderr, error }: Outcome, { home }: Server, what: string): void {
  if (code === 0) return;
  if (/No space left on device|Disk quota exceeded/.test(stderr)) throw noSpace(home.directory);
  if (stderr.includes('could not look up effective user ID')) {
    throw new EmbeddedPostgresError(
      'unsupported_platform',
      `PostgreSQL needs a user with a name, and user id ${process.getuid?.()} has none: start as another user, or add ` +
        'this one to /etc/passwd',
    );
  }
  const reason = error?.message ?? (stderr.trim() || `exit code ${code}`);
  throw new EmbeddedPostgresError('start_failed', `The database in ${home.directory} ${what}: ${reason}`);
}

function randomPassword(): string {
  return randomBytes(32).toString('base64url');
}

async function readPassword(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return /^[\w-]{43}$/.test(text.trim()) ? text.trim() : undefined;
}

/** PostgreSQL insists on owning its files; they change hands when a directory moves or another user starts it. */
async function giveTo(path: string, { uid, gid }: Ids): Promise<void> {
  if ((await stat(path)).uid === uid) return;
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), uid, gid);
  }
  // Last, so that an interrupted change is done again.
  await chown(path, uid, gid);
}
