import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRootKey } from '@coffer/domain';
import { openGate, runs, SEARCH_SEED, searchTime, testDatabase, type Gate } from '@coffer/domain/testing';
import { Client, Pool } from 'pg';
import { expect, it } from 'vitest';
import { logsIn } from '../../harness/rotated-postgres.ts';
import { killProcess, startProcess } from '../../harness/server-process.ts';

// The server is killed between the intention to replace a credential, doing it, trying it, and switching to it. `pnpm
// rotations` does this fifty times; here it is done a few times.

const KILLS = runs(1, 50);
const ROTATIONS = 3;
const PATIENCE = 60_000;

/** When: at the first statement with this text, before or after the target gets it. Without a text: at any time. */
const MOMENTS = [
  ['alter role', false],
  ['alter role', true],
  ['select 1', false],
  ['select 1', true],
  [undefined, true],
] as const;

interface Rotating {
  readonly id: string;
  readonly username: string;
  readonly password: string;
}

it(
  `has one active credential that works for each rotation, however often the server is killed`,
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'coffer-rotations-'));
    const [own, target] = [await testDatabase(), await testDatabase()];
    const at = new URL(target.url);
    const there = { host: at.hostname, port: Number(at.port), database: at.pathname.slice(1) };
    const gate = await openGate({ port: there.port });
    const owner = new Client({ connectionString: target.url });
    await owner.connect();
    const database = new Pool({ connectionString: own.url, max: 2 });
    const environment = {
      DATABASE_URL: own.url,
      COFFER_ROOT_KEY: makeRootKey(),
      COFFER_DATA_DIR: directory,
      LOG_LEVEL: 'info',
      COFFER_OUTBOUND_ALLOW: '127.0.0.0/8',
    };
    const logins: string[] = [];
    let server = await startProcess(environment);
    try {
      const { ask, rotations, projectId } = await setUp(server.url, { gate, at, owner, logins });
      const secrets = async (): Promise<Map<string, string>> => {
        const query = `projectId=${projectId}&environment=dev&secretPath=/`;
        const { secrets: all } = await ask(server.url, 'GET', `/api/v4/secrets?${query}`);
        return new Map(all.map((one: { secretKey: string; secretValue: string }) => [one.secretKey, one.secretValue]));
      };
      const active = async ({ username, password }: Rotating) => {
        const values = await secrets();
        return { username: values.get(username)!, password: values.get(password)! };
      };
      for (let i = 0; i < KILLS; i++) {
        const [text, isHeard] = MOMENTS[(SEARCH_SEED + i) % MOMENTS.length]!;
        const caught = text === undefined ? sleep(Math.random() * 300) : gate.stallAt(text, isHeard);
        let isOver = false;
        const callers = rotations.map(async ({ id }) => {
          while (!isOver)
            await ask(server.url, 'POST', `/api/v2/secret-rotations/postgres-credentials/${id}/rotate-secrets`).catch(
              () => undefined,
            );
        });
        await caught;
        await sleep(Math.random() * 10);
        await killProcess(server);
        isOver = true;
        await Promise.all(callers);
        await gate.open();
        server = await startProcess(environment);
        // Whatever was under way: what the secrets are works.
        for (const one of rotations) expect([i, await logsIn(there, await active(one))]).toEqual([i, true]);
        // As three minutes later: the killed server has what it was at no more.
        await database.query('update secret_rotations set claimed_until = now() where claimed_until is not null');
      }
      await settle(database);
      const { rows } = await database.query(
        `select r.status, count(*) filter (where c.state = 'active')::int as active,
           count(*) filter (where c.state = 'pending')::int as pending
         from secret_rotations r join secret_rotation_credentials c on c.rotation_id = r.id group by r.id, r.status`,
      );
      expect(rows).toEqual(rotations.map(() => ({ status: 'success', active: 1, pending: 0 })));
      for (const { id, ...names } of rotations) {
        const path = `/api/v2/secret-rotations/postgres-credentials/${id}/generated-credentials`;
        const { generatedCredentials, activeIndex } = await ask(server.url, 'GET', path);
        expect(generatedCredentials[activeIndex]).toEqual(await active({ id, ...names }));
        for (const credential of generatedCredentials) expect(await logsIn(there, credential)).toBe(true);
      }
    } finally {
      await killProcess(server);
      await gate.close();
      await database.end();
      for (const name of logins) await owner.query(`drop role if exists "${name}"`);
      await owner.end();
      await own.drop();
      await target.drop();
      await rm(directory, { recursive: true, force: true });
    }
  },
  searchTime(PATIENCE + KILLS * 20_000),
);

async function setUp(
  url: string,
  { gate, at, owner, logins }: { gate: Gate; at: URL; owner: Client; logins: string[] },
) {
  let token = '';
  const ask = async (server: string, method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${server}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    expect([path, answer.status]).toEqual([path, 200]);
    // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
    return (await answer.json()) as any;
  };
  const account = { email: 'admin@example.com', password: 'a long password for nobody', organization: 'Acme' };
  token = (await ask(url, 'POST', '/api/v1/admin/bootstrap', account)).identity.credentials.token;
  const projectId: string = (await ask(url, 'POST', '/api/v1/projects', { projectName: 'Shop' })).project.id;
  const credentials = {
    ...{ host: gate.host, port: gate.port, database: at.pathname.slice(1), username: at.username },
    ...{ password: decodeURIComponent(at.password), sslEnabled: false },
  };
  const connection = { name: 'target', projectId, method: 'username-and-password', credentials };
  const { appConnection } = await ask(url, 'POST', '/api/v1/app-connections/postgres', connection);
  const rotations: Rotating[] = [];
  for (let i = 0; i < ROTATIONS; i++) {
    const accounts = ['a', 'b'].map((which) => `crash_${at.pathname.slice(-8)}_${i}${which}`);
    logins.push(...accounts);
    for (const name of accounts) await owner.query(`create role "${name}" login`);
    const [username1, username2] = accounts;
    const names = { username: `USERNAME_${i}`, password: `PASSWORD_${i}` };
    const { secretRotation } = await ask(url, 'POST', '/api/v2/secret-rotations/postgres-credentials', {
      ...{ name: `rotation-${i}`, projectId, connectionId: appConnection.id, environment: 'dev', secretPath: '/' },
      ...{ rotationInterval: 30, parameters: { username1, username2 }, secretsMapping: names },
    });
    rotations.push({ id: secretRotation.id, ...names });
  }
  return { ask, projectId, rotations };
}

/** Lets the time pass after which what was interrupted is continued, and waits until that is done. */
async function settle(database: Pool): Promise<void> {
  const left = async () => {
    const { rows } = await database.query<{ id: string }>(
      `update secret_rotations r set due_at = now(), claimed_until = null
       where status = 'failed' or exists (select from secret_rotation_credentials c where c.rotation_id = r.id and c.state = 'pending')
       returning id`,
    );
    await database.query(
      `update graphile_worker._private_jobs set run_at = now(), locked_at = null, locked_by = null
       where key = any(select 'secret_rotation:' || id from unnest($1::text[]) id)`,
      [rows.map(({ id }) => id)],
    );
    return rows.length;
  };
  for (const deadline = performance.now() + PATIENCE; performance.now() < deadline; await sleep(1_000))
    if ((await left()) === 0) return;
}
