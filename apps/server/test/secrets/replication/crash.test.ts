// @long: kills processes
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRootKey } from '@coffer/domain';
import { openGate, runs, SEARCH_SEED, searchTime, testDatabase } from '@coffer/domain/testing';
import { Pool } from 'pg';
import { expect, it } from 'vitest';
import { connectionsEnded } from '../../harness/killed-work.ts';
import { killProcess, startProcess } from '../../harness/server-process.ts';

// The server is killed in the middle of replications, while their source is written to.

const KILLS = runs(1, 60);
const WRITERS = 3;
const NAMES = 4;
/** Milliseconds until the copies are what their source is, after a start. */
const PATIENCE = 300_000;

/** When: at the first of these statements, before or after the database gets it. */
const MOMENTS = [
  ['replication.done', false],
  ['replication.done', true],
  ['secret_versions.archive', true],
  ['replication.request_all', true],
  ['secrets.rows_of_folder', false],
  ['secret_approvals.withdraw', true],
] as const;

it(
  `copies are what their source is after ${KILLS} kills in the middle of replications`,
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'coffer-crash-'));
    const database = await testDatabase();
    const address = new URL(database.url);
    const gate = await openGate({ port: Number(address.port), host: address.hostname });
    address.host = `${gate.host}:${gate.port}`;
    const pool = new Pool({ connectionString: database.url, max: 2 });
    // The database stops with its connections.
    pool.on('error', () => undefined);
    const environment = { DATABASE_URL: address.href, COFFER_ROOT_KEY: makeRootKey(), COFFER_DATA_DIR: directory };
    let server = await startProcess(environment);
    try {
      const project = await setUp(server.url);
      for (let i = 0; i < KILLS; i++) {
        const [text, isHeard] = MOMENTS[(SEARCH_SEED + i) % MOMENTS.length]!;
        const before = project.written;
        const writers = Promise.all(
          Array.from({ length: WRITERS }, (_, writer) => project.writeOn(server.url, writer)),
        );
        await expect.poll(() => project.written).toBeGreaterThan(before);
        await sleep(Math.random() * 300);
        await gate.stallAt(text, isHeard);
        await killProcess(server);
        await writers;
        await gate.open();
        await connectionsEnded(pool);
        await age(pool);
        server = await startProcess(environment);
        const [source, ...copies] = await project.settled(server.url);
        for (const copy of copies) expect(copy).toEqual(source);
      }
      const { rows } = await pool.query<{ open: number }>(
        `select count(*)::integer as open from secret_imports
       where replicated_by is not null and (is_replication_success is not true or replication_status is not null)`,
      );
      expect(rows).toEqual([{ open: 0 }]);
    } finally {
      await killProcess(server);
      await gate.close();
      await pool.end();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    }
  },
  searchTime(PATIENCE + KILLS * PATIENCE),
);

/** Waits for the minute in which a silent worker may still be alive. */
const age = (pool: Pool) =>
  pool.query(`with jobs as (update graphile_worker._private_jobs set locked_at = locked_at - interval '1 hour' where locked_at is not null)
    update graphile_worker._private_job_queues set locked_at = locked_at - interval '1 hour' where locked_at is not null`);

type Values = Record<string, string>;

type Listed = { secretKey: string; secretValue: string }[];
const valuesOf = (secrets: Listed): Values =>
  Object.fromEntries(secrets.map(({ secretKey, secretValue }) => [secretKey, secretValue]));

async function ask(url: string, method: string, body?: object, token?: string) {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  if (!answer.ok && !(method === 'DELETE' && answer.status === 404))
    throw new Error(`${method} ${url}: ${answer.status} ${text}`);
  return { isDone: answer.ok, body: JSON.parse(text) };
}

/** A project in which `staging` copies what `prod` has, and `dev` what `staging` has. */
async function setUp(url: string): Promise<Project> {
  const account = { email: 'admin@example.com', password: 'a long password for nobody', organization: 'Acme' };
  const bootstrapped = await ask(`${url}/api/v1/admin/bootstrap`, 'POST', account);
  const { token } = bootstrapped.body.identity.credentials;
  const made = await ask(`${url}/api/v1/projects`, 'POST', { projectName: 'Shop' }, token);
  const project = new Project(made.body.project.id, token);
  await project.write(url, 0);
  for (const [environment, source] of [
    ['staging', 'prod'],
    ['dev', 'staging'],
  ]) {
    const replication = { import: { environment: source, path: '/' }, isReplication: true };
    await ask(`${url}/api/v2/secret-imports`, 'POST', { projectId: project.id, environment, ...replication }, token);
  }
  return project;
}

class Project {
  readonly id: string;
  readonly #token: string;
  /** Writes that were acknowledged. */
  written = 0;

  constructor(id: string, token: string) {
    this.id = id;
    this.#token = token;
  }

  /** Writes or deletes one of the secrets of the source; each writer has its own. */
  async write(url: string, writer: number): Promise<void> {
    const here = { projectId: this.id, environment: 'prod', secretPath: '/' };
    const secretKey = `KEY_${writer}_${Math.floor(Math.random() * NAMES)}`;
    const secrets = [{ secretKey, secretValue: crypto.randomUUID() }];
    const { isDone } =
      Math.random() < 0.75
        ? await ask(`${url}/api/v4/secrets/batch`, 'PATCH', { ...here, mode: 'upsert', secrets }, this.#token)
        : await ask(`${url}/api/v4/secrets/${secretKey}`, 'DELETE', here, this.#token);
    if (isDone) this.written++;
  }

  /** Writes until the server is dead. */
  async writeOn(url: string, writer: number): Promise<void> {
    try {
      for (;;) await this.write(url, writer);
    } catch (error) {
      // A connection that is lost; an answer is another matter.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  /** What the source and each of the copies have, once they are the same, or patience is at an end. */
  async settled(url: string): Promise<Values[]> {
    const deadline = performance.now() + PATIENCE;
    for (;;) {
      const all = await this.#look(url);
      const [source, ...copies] = all.map((values) =>
        JSON.stringify(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      );
      if (copies.every((copy) => copy === source) || performance.now() > deadline) return all;
      await sleep(50);
    }
  }

  async #look(url: string): Promise<Values[]> {
    const list = async (environment: string): Promise<{ secrets: Listed; imports: { secrets: Listed }[] }> => {
      const place = `projectId=${this.id}&environment=${environment}&includeImports=true`;
      return (await ask(`${url}/api/v4/secrets?${place}`, 'GET', undefined, this.#token)).body;
    };
    const [prod, staging, dev] = [await list('prod'), await list('staging'), await list('dev')];
    return [valuesOf(prod.secrets), ...[staging, dev].map(({ imports }) => valuesOf(imports[0]!.secrets))];
  }
}
