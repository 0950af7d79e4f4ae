import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePorts } from '../subject/server.ts';
import { onDatabase } from '../subject/stage.ts';
import { giveTo, startSystem, unprivileged, type Program } from './programs.ts';

/** Where the oldest PostgreSQL of Debian's packages is; absent if none is installed. */
export const POSTGRES: string | undefined = globSync('/usr/lib/postgresql/*/bin').toSorted()[0];

const PATIENCE_MS = 20_000;
export const PASSWORD = 'of-nobody';
/** What a database does without that is deleted with its run. */
const FAST = ['-c', 'fsync=off'];

export interface ExternalPostgres extends Program {
  readonly port: number;
  /** Of the owner of the tables. */
  readonly url: string;
  /** Of the role that serves. */
  readonly servingUrl: string;
}

/**
 * Debian's PostgreSQL as an operator provides it: a database, its owner, and a role that serves. `isDurable`: with fsync, as where it is
 * kept.
 */
export async function startPostgres(directory: string, { isDurable = false } = {}): Promise<ExternalPostgres> {
  const owner = await unprivileged();
  await mkdir(directory, { mode: 0o700 });
  await giveTo(owner, directory);
  const data = join(directory, 'data');
  const password = join(directory, 'password');
  await writeFile(password, PASSWORD);
  await giveTo(owner, password);
  await promisify(execFile)(
    join(POSTGRES!, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${password}`, '--no-sync', '--encoding=UTF8'],
    { ...owner, cwd: '/' },
  );
  const [port] = (await freePorts(1)) as [number];
  const args = [
    '-D',
    data,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'max_connections=200',
    '-k',
    data,
  ];
  if (!isDurable) args.push(...FAST);
  const logFile = `${directory}.log`;
  const postgres = await startSystem({ program: join(POSTGRES!, 'postgres'), args, logFile, owner });
  const urlOf = (role: string, name = 'coffer') => `postgres://${role}:${PASSWORD}@127.0.0.1:${port}/${name}`;
  await untilServes(urlOf('postgres', 'postgres'));
  await makeRoles(urlOf('postgres', 'postgres'));
  return { ...postgres, port, url: urlOf('coffer'), servingUrl: urlOf('coffer_serving') };
}

/** Until it takes statements: it listens before that. */
async function untilServes(url: string): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(50)) {
    try {
      return await onDatabase(url, async (client) => void (await client.query('select')));
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

/** As docs/operations.md says ("Database roles"). `url`: of a superuser. */
export async function makeRoles(url: string): Promise<void> {
  await onDatabase(url, async (client) => {
    await client.query(`create role coffer login password '${PASSWORD}'`);
    await client.query(`create role coffer_serving login password '${PASSWORD}'`);
    await client.query('create database coffer owner coffer');
  });
}
