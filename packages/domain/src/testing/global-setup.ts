import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@coffer/postgres';
import { Pool } from 'pg';
import { migrate } from '../database/migrate.ts';
import { TEMPLATE } from './database.ts';

/** vitest runs this once for each project, all in one process: they share one server, and the last one stops it. */
const shared = globalThis as { cofferTests?: { users: number; stop: Promise<() => Promise<void>> } };

export default async function setup(): Promise<() => Promise<void>> {
  const run = (shared.cofferTests ??= { users: 0, stop: start() });
  run.users++;
  await run.stop;
  return async () => {
    if (--run.users === 0) await (await run.stop)();
  };
}

/** What a database of a test does without: it is lost with the run, and too short-lived to be vacuumed. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  max_connections: '300',
};

/** One PostgreSQL server for a complete run, with a migrated template for each test file's database. */
async function start(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'coffer-test-'));
  const postgres = await startEmbeddedPostgres({ directory, settings: SETTINGS });
  const admin = new Pool({ connectionString: postgres.url, max: 1 });
  await admin.query(`create database ${TEMPLATE}`);
  const template = new Pool({ connectionString: databaseUrl(postgres.url, TEMPLATE), max: 2 });
  await migrate(template, new URL(postgres.servingUrl).username);
  await template.end();
  await admin.end();
  process.env['COFFER_TEST_DATABASE_URL'] = postgres.url;
  process.env['COFFER_TEST_SERVING_URL'] = postgres.servingUrl;
  return async () => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
}

const databaseUrl = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).toString();
