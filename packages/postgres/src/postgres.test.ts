// @long: runs programs
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { locateBinaries, prepareBinaries } from './binaries.ts';
import { prepareHome } from './home.ts';
import { chooseIdentity } from './identity.ts';
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './index.ts';
import { boundLog } from './postmaster.ts';
import { belongsTo, commandOf, listProcesses, serverName } from './processes.ts';

const isRoot = process.getuid?.() === 0;
const cleanup: (() => Promise<unknown>)[] = [];
let template: string;

beforeAll(async () => {
  template = await scratch();
  await (await startEmbeddedPostgres({ directory: template })).stop();
  return () => rm(template, { recursive: true, force: true });
});

afterEach(async () => {
  for (const undo of cleanup.splice(0).toReversed()) await undo();
});

describe('startEmbeddedPostgres', () => {
  it('creates a database at the first start, keeps it at the second, and leaves no server behind', async () => {
    const directory = join(await emptyDirectory(), 'made', 'here');
    const first = await start({ directory });
    await query(first.url, 'create table t (id int)');
    await query(first.url, 'insert into t values (1)');
    expect((await stat(join(directory, 'postgres.password'))).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o007).toBe(0);
    await Promise.all([first.stop(), first.stop()]);
    await expect(commandOf(first.pid)).resolves.toBeUndefined();

    const second = await start({ directory });
    expect(await query(second.url, 'select id from t')).toEqual([{ id: 1 }]);
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
  });

  it('starts over if the creation of the database was killed', async () => {
    const directory = await emptyDirectory();
    const owner = spawnOwner(directory);
    await until(async () => {
      const [workspace] = (await readdir(directory)).filter((name) => name.startsWith('postgres.new-'));
      return workspace !== undefined && (await stat(join(directory, workspace, 'data', 'base'))).isDirectory();
    });
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const { url } = await start({ directory });
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await readdir(directory)).filter((name) => name.startsWith('postgres.new-'))).toEqual([]);
  });

  it('creates the serving role in a cluster of an earlier release, without privileges to create', async () => {
    const directory = await madeDirectory();
    const first = await start({ directory });
    await query(first.url, 'drop role coffer_serving');
    await first.stop();
    const { servingUrl } = await start({ directory });
    expect(await query(servingUrl, 'select current_user as name')).toEqual([{ name: 'coffer_serving' }]);
    await expect(query(servingUrl, 'create role intruder')).rejects.toMatchObject({ code: '42501' });
    await expect(query(servingUrl, 'create table t (id int)')).rejects.toMatchObject({ code: '42501' });
  });

  it('undoes at the next start what the role that serves has changed of itself', async () => {
    const directory = await madeDirectory();
    const first = await start({ directory });
    for (const change of [
      'alter role coffer_serving in database coffer set search_path = away',
      'alter role coffer_serving set default_transaction_read_only = on',
      `alter role coffer_serving password 'mine'`,
    ])
      await query(first.servingUrl, `set transaction read write; ${change}`);
    await first.stop();
    const { servingUrl } = await start({ directory });
    expect(await query(servingUrl, 'show default_transaction_read_only')).toEqual([
      { default_transaction_read_only: 'off' },
    ]);
    expect(await query(servingUrl, 'show search_path')).toEqual([{ search_path: '"$user", public' }]);
    const stolen = new URL(servingUrl);
    stolen.password = 'mine';
    await expect(query(stolen.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('sets a new password when the file with it is lost', async () => {
    const directory = await madeDirectory();
    await rm(join(directory, 'postgres.password'));
    const { url } = await start({ directory });
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('the server', () => {
  const key = 'COFFER_TEST_KEY';
  let directory: string;
  let postgres: EmbeddedPostgres;

  beforeAll(async () => {
    process.env[key] = 's3cr3t';
    directory = await copyOfTemplate(await scratch());
    postgres = await startEmbeddedPostgres({ directory, settings: { work_mem: '5MB' } });
    delete process.env[key];
    return async () => {
      await postgres.stop();
      await rm(dirname(directory), { recursive: true, force: true });
    };
  });

  it('has our settings and those of the caller', async () => {
    const [settings] = await query(
      postgres.url,
      `select current_setting('work_mem') as work_mem, current_setting('fsync') as fsync,
        current_setting('server_encoding') as encoding, current_setting('listen_addresses') as addresses`,
    );
    expect(settings).toEqual({ work_mem: '5MB', fsync: 'on', encoding: 'UTF8', addresses: '127.0.0.1' });
  });

  it('accepts only clients with the password, as a user confined to the database', async () => {
    const { url } = postgres;
    await expect(query(url.replace(/coffer:[^@]+@/, 'coffer:guess@'), 'select 1')).rejects.toMatchObject({
      code: '28P01',
    });
    expect(await query(url, 'select rolsuper from pg_roles where rolname = current_user')).toEqual([
      { rolsuper: false },
    ]);
    await query(url, 'create extension pg_trgm');
    await expect(query(url, `copy (select 1) to program 'true'`)).rejects.toMatchObject({ code: '42501' });
  });

  it('writes no value into its log', async () => {
    const { url } = postgres;
    await query(url, 'create table t (v text unique)');
    await query(url, 'insert into t values ($1)', ['s3cr3t']);
    await expect(query(url, 'insert into t values ($1)', ['s3cr3t'])).rejects.toMatchObject({ code: '23505' });
    await expect(query(url, `select 's3cr3t'::uuid`)).rejects.toMatchObject({ code: '22P02' });
    const log = await readFile(join(directory, 'postgres.log'), 'utf8');
    expect(log).toContain('ready to accept connections');
    expect(log).not.toContain('s3cr3t');
  });

  it.runIf(process.platform === 'linux')('does not get our environment', async () => {
    expect(await readFile(`/proc/${postgres.pid}/environ`, 'utf8')).not.toContain('s3cr3t');
  });

  it.runIf(isRoot)('is not root, and cannot list the directory', async () => {
    expect((await stat(`/proc/${postgres.pid}`)).uid).not.toBe(0);
    expect((await stat(directory)).mode & 0o777).toBe(0o710);
  });
});

describe('a killed server', () => {
  it('comes back on the same URL with every acknowledged row, and pools recover', async () => {
    const postgres = await start({ directory: await madeDirectory() });
    const pool = new Pool({ connectionString: postgres.url, max: 4 });
    pool.on('error', () => undefined);
    cleanup.push(() => pool.end());
    await pool.query('create table t (id int primary key)');

    let acknowledged = 0;
    let writing = true;
    const writer = (async () => {
      for (let id = 1; writing; id += 1) {
        await pool.query('insert into t values ($1)', [id]).then(
          () => (acknowledged += 1),
          () => sleep(20),
        );
      }
    })();
    for (let kills = 0; kills < 2; kills += 1) {
      const [{ pid }, before] = [postgres, acknowledged];
      await until(async () => acknowledged > before + 50);
      process.kill(pid, 'SIGKILL');
      await until(async () => postgres.pid !== pid);
    }
    const before = acknowledged;
    await until(async () => acknowledged > before + 50);
    writing = false;
    await writer;
    const [{ count } = { count: -1 }] = await query(postgres.url, 'select count(*)::int from t');
    expect(count).toBeGreaterThanOrEqual(acknowledged);
  });

  it('comes back although a session of the killed one is still running', async () => {
    const postgres = await start({ directory: await madeDirectory() });
    const busy = query(postgres.url, `select count(*) from generate_series(1, 1e10) where random() < 0`);
    busy.catch(() => undefined);
    await until(
      async () => (await query(postgres.url, `select 1 from pg_stat_activity where state = 'active'`)).length > 1,
    );
    const { pid } = postgres;
    process.kill(pid, 'SIGKILL');
    await until(async () => postgres.pid !== pid);
    await expect(busy).rejects.toThrow('terminated');
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('can be stopped soon after it was killed, however far its restart is', async () => {
    const directory = await madeDirectory();
    for (const delay of [0, 5, 20, 40]) {
      const postgres = await start({ directory });
      process.kill(postgres.pid, 'SIGKILL');
      await sleep(delay);
      await postgres.stop();
      expect(await serverProcesses(directory)).toEqual([]);
    }
  });
});

describe('a killed owner', () => {
  it('leaves a server that the next start replaces, with every row', async () => {
    const directory = await madeDirectory();
    const owner = await readyOwner(directory);
    await query(owner.url, 'create table t as select 1 as id');
    owner.process.kill('SIGKILL');
    await once(owner.process, 'exit');
    expect(await commandOf(owner.pid)).toBeDefined();

    const next = await start({ directory });
    expect(await query(next.url, 'select id from t')).toEqual([{ id: 1 }]);
    expect(await commandOf(owner.pid)).toBeUndefined();
  });

  it('killed together with its server leaves what the next start recovers immediately', async () => {
    const directory = await madeDirectory();
    const owner = await readyOwner(directory);
    await query(owner.url, 'create table t as select 1 as id');
    owner.process.kill('SIGKILL');
    process.kill(owner.pid, 'SIGKILL');
    await once(owner.process, 'exit');
    const said: string[] = [];
    const next = await start({ directory, log: (_, message) => said.push(message) });
    // No wait: the server in the files has ended.
    expect(said.filter((message) => message.startsWith('Stopping'))).toEqual([]);
    expect(await query(next.url, 'select id from t')).toEqual([{ id: 1 }]);
  });

  it('may leave a pid file that names a running process of another program', async () => {
    const directory = await madeDirectory();
    const stranger = spawn('sleep', ['60'], isRoot ? await ownerOf(join(directory, 'postgres')) : {});
    cleanup.push(async () => stranger.kill('SIGKILL'));
    const pidFile = join(directory, 'postgres', 'postmaster.pid');
    await writeFile(pidFile, `${stranger.pid}\n${directory}/postgres\n1700000000\n5432\n\n127.0.0.1\n 1 1\nready\n`);
    const { url } = await start({ directory });
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });
});

describe('a directory that cannot be used', () => {
  it('is in use while another process owns it, even while its server is down, and is not disturbed', async () => {
    const directory = await madeDirectory();
    const owner = await readyOwner(directory);
    const refusal = { code: 'in_use', message: expect.stringContaining(`process ${owner.process.pid}`) };
    await expect(startEmbeddedPostgres({ directory })).rejects.toMatchObject(refusal);
    expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    process.kill(owner.pid, 'SIGKILL');
    await expect(startEmbeddedPostgres({ directory })).rejects.toMatchObject(refusal);
    await until(() => query(owner.url, 'select 1').then(Boolean));
  });

  it('is in use while this process owns it', async () => {
    const directory = await madeDirectory();
    const postgres = await start({ directory });
    await expect(startEmbeddedPostgres({ directory })).rejects.toMatchObject({ code: 'in_use' });
    await expect(startEmbeddedPostgres({ directory })).rejects.toMatchObject({ code: 'in_use' });
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await postgres.stop();
    await start({ directory });
  });

  it('has a file in the way', async () => {
    const directory = await emptyDirectory();
    const file = join(directory, 'file');
    await writeFile(file, 'mine');
    const refusal = { code: 'unwritable', message: expect.stringContaining('move it away') };
    await expect(startEmbeddedPostgres({ directory: file })).rejects.toMatchObject(refusal);
    await expect(startEmbeddedPostgres({ directory: join(file, 'below') })).rejects.toMatchObject(refusal);
    await writeFile(join(directory, 'postgres'), 'mine');
    await expect(startEmbeddedPostgres({ directory })).rejects.toMatchObject(refusal);
    expect(await readFile(join(directory, 'postgres'), 'utf8')).toBe('mine');
  });

  it.skipIf(isRoot)('is not writable', async () => {
    const directory = await emptyDirectory();
    await chmod(directory, 0o500);
    await expect(startEmbeddedPostgres({ directory })).rejects.toMatchObject({ code: 'unwritable' });
    expect(await readdir(directory)).toEqual([]);
  });

  it('contains files that are not a cluster, and keeps them', async () => {
    const directory = await emptyDirectory();
    await mkdir(join(directory, 'postgres'));
    await writeFile(join(directory, 'postgres', 'photo'), 'mine');
    await expect(startEmbeddedPostgres({ directory })).rejects.toMatchObject({ code: 'unwritable' });
    expect(await readdir(join(directory, 'postgres'))).toEqual(['photo']);
  });

  it('contains the cluster of another major version', async () => {
    const directory = await madeDirectory();
    await writeFile(join(directory, 'postgres', 'PG_VERSION'), '15\n');
    await expect(startEmbeddedPostgres({ directory })).rejects.toMatchObject({
      code: 'version_mismatch',
      message: expect.stringContaining('PostgreSQL 15'),
    });
    await writeFile(join(directory, 'postgres', 'PG_VERSION'), '18\n');
    await start({ directory });
  });

  it("contains settings that the server rejects, and returns the server's message", async () => {
    const directory = await madeDirectory();
    await expect(startEmbeddedPostgres({ directory, settings: { work_mem: 'much' } })).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringContaining('work_mem'),
    });
    await start({ directory });
  });
});

describe.runIf(isRoot)('as root', () => {
  it('works below a directory that only root may enter, and when the directory is moved out of there', async () => {
    const inside = await emptyDirectory();
    const directory = join(inside, 'database');
    await chmod(inside, 0o700);
    const hidden = await start({ directory });
    await query(hidden.url, 'create table t as select 1 as id');
    await hidden.stop();
    await chmod(inside, 0o755);
    const open = await start({ directory });
    expect(await query(open.url, 'select id from t')).toEqual([{ id: 1 }]);
  });

  it('copies the programs when the server may not reach them', async () => {
    const hidden = await emptyDirectory();
    const { root, version } = locateBinaries();
    await cp(root, join(hidden, 'package'), { recursive: true, verbatimSymlinks: true });
    await chmod(hidden, 0o700);
    const home = await prepareHome(await emptyDirectory());
    const binaries = await prepareBinaries(
      { root: join(hidden, 'package'), version },
      home,
      await chooseIdentity(home),
    );
    expect(binaries.postgres.startsWith(home.directory)).toBe(true);
    expect(binaries.major).toBe('18');
  });
});

describe('boundLog', () => {
  it('keeps one older generation of a log that has grown', async () => {
    const home = await prepareHome(await emptyDirectory());
    await writeFile(home.logFile, 'x'.repeat(5 * 1024 * 1024));
    await boundLog({ home });
    expect((await stat(home.logFile)).size).toBe(0);
    expect((await stat(`${home.logFile}.1`)).size).toBe(5 * 1024 * 1024);
  });
});

async function scratch(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'coffer-postgres-')));
  // mkdtemp makes it private to root, which would be another case: see 'as root'.
  await chmod(directory, 0o755);
  return directory;
}

async function emptyDirectory(): Promise<string> {
  const directory = await scratch();
  cleanup.push(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  return directory;
}

/** A directory with a complete cluster, because creating one takes most of a second. */
async function madeDirectory(): Promise<string> {
  return copyOfTemplate(await emptyDirectory());
}

async function copyOfTemplate(parent: string): Promise<string> {
  const directory = join(parent, 'database');
  await once(spawn('cp', ['-a', template, directory]), 'exit');
  await chmod(directory, 0o700);
  return directory;
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres(options);
  cleanup.push(() => postgres.stop());
  return postgres;
}

function spawnOwner(directory: string): ChildProcess {
  const program = join(import.meta.dirname, 'testing', 'owner.ts');
  return spawn(process.execPath, [program, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Another process that owns the directory; ended with its server, however the test ends. */
async function readyOwner(directory: string): Promise<{ process: ChildProcess; url: string; pid: number }> {
  const owner = spawnOwner(directory);
  cleanup.push(async () => {
    if (owner.exitCode === null && owner.signalCode === null) {
      owner.kill('SIGKILL');
      await once(owner, 'exit');
    }
    // The next start ends a leftover server.
    await (await startEmbeddedPostgres({ directory })).stop();
  });
  if (!owner.stdout) throw new Error('stdio was not piped');
  const [line] = (await once(createInterface(owner.stdout), 'line')) as [string];
  return { process: owner, ...(JSON.parse(line) as { url: string; pid: number }) };
}

async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function serverProcesses(directory: string): Promise<string[]> {
  const name = await serverName(join(directory, 'postgres'));
  return (await listProcesses()).map(({ command }) => command).filter((command) => belongsTo(command, name));
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number }> {
  const { uid, gid } = await stat(path);
  return { uid, gid };
}

/** Polls until it is true; errors are retried. */
async function until(question: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (!(await question().catch(() => false))) {
    if (performance.now() > deadline) throw new Error('It did not happen within 120 s');
    await sleep(5);
  }
}
