import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRootKey } from '@coffer/domain';
import { openGate, runs, SEARCH_SEED, searchTime, testDatabase } from '@coffer/domain/testing';
import { Client, Pool } from 'pg';
import { expect, it, vi } from 'vitest';
import { logsIn } from '../harness/rotated-postgres.ts';
import { killProcess, startProcess } from '../harness/server-process.ts';

// The server is killed while it takes over the password of a login: before the database gets the statement, or before its answer.

const KILLS = runs(1, 20);
const PATIENCE = 60_000;
const CONNECTIONS = '/api/v1/app-connections/postgres';

it(
  'knows the password of each login that it has taken over, however often the server is killed',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'coffer-managed-'));
    const [own, target] = [await testDatabase(), await testDatabase()];
    const { hostname, port, pathname } = new URL(target.url);
    const there = { host: hostname, port: Number(port), database: pathname.slice(1) };
    const gate = await openGate({ port: there.port });
    const owner = new Client({ connectionString: target.url });
    await owner.connect();
    const database = new Pool({ connectionString: own.url, max: 2 });
    const environment = {
      ...{ DATABASE_URL: own.url, COFFER_ROOT_KEY: makeRootKey(), COFFER_DATA_DIR: directory },
      COFFER_OUTBOUND_ALLOW: '127.0.0.0/8',
    };
    let server = await startProcess(environment);
    let token = '';
    const send = (path: string, body: object) =>
      fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
    const logins: string[] = [];
    try {
      const account = { email: 'admin@example.com', password: 'a long password for nobody', organization: 'Acme' };
      const { identity } = (await (await send('/api/v1/admin/bootstrap', account)).json()) as {
        identity: { credentials: { token: string } };
      };
      token = identity.credentials.token;
      for (let i = 0; i < KILLS; i++) {
        const login = { username: `taken_${there.database.slice(-8)}_${i}`, password: 'given' };
        logins.push(login.username);
        await owner.query(`create role "${login.username}" login password 'given'`);
        const isHeard = (SEARCH_SEED + i) % 2 === 0;
        const caught = gate.stallAt('alter role', isHeard);
        const { host, port: through } = gate;
        const created = send(CONNECTIONS, {
          ...{ name: `taken-${i}`, method: 'username-and-password', isPlatformManagedCredentials: true },
          credentials: { host, port: through, database: there.database, ...login, sslEnabled: false },
        }).catch(() => undefined);
        await caught;
        await killProcess(server);
        await created;
        await gate.open();
        server = await startProcess(environment);
        const settled = () => settle(database, `taken-${i}`);
        await vi.waitUntil(settled, { timeout: PATIENCE, interval: 500 });
        expect([i, isHeard, await logsIn(there, login)]).toEqual([i, isHeard, false]);
        // It logs in with the stored one.
        await vi.waitUntil(() => isChecked(database, `taken-${i}`), { timeout: PATIENCE, interval: 500 });
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

/** Makes the connection due, as if the claim of the killed server had lapsed; whether nothing is pending. */
async function settle(database: Pool, name: string): Promise<boolean> {
  const { rows } = await database.query<{ id: string; pending: boolean }>(
    `update app_connections set check_due_at = now(),
       check_claimed_until = case when next_credentials is null then check_claimed_until end
     where name = $1 returning id, next_credentials is not null as pending`,
    [name],
  );
  await database.query(
    `update graphile_worker._private_jobs set run_at = now(), locked_at = null, locked_by = null where key = $1`,
    [`app_connection_check:${rows[0]!.id}`],
  );
  return !rows[0]!.pending;
}

/** Whether a check by the stored credentials has succeeded since the password was changed. */
async function isChecked(database: Pool, name: string): Promise<boolean> {
  const { rows } = await database.query<{ error: string | null; isLater: boolean }>(
    `select check_error as error, checked_at > updated_at as "isLater" from app_connections where name = $1`,
    [name],
  );
  expect(rows[0]!.error).toBeNull();
  if (!rows[0]!.isLater) await settle(database, name);
  return rows[0]!.isLater;
}
