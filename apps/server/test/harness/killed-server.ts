import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRootKey } from '@coffer/domain';
import { openGate, testDatabase, type Gate } from '@coffer/domain/testing';
import { Pool } from 'pg';
import { expect } from 'vitest';
import { connectionsEnded, freeKilled, settleKilled, type KilledWork } from './killed-work.ts';
import { killProcess, startProcess } from './server-process.ts';

/** A server process with a database of its own, which calls another PostgreSQL through a gate, and is killed meanwhile. */
export interface KilledServer {
  readonly gate: Gate;
  /** The other PostgreSQL, past the gate. */
  readonly there: { readonly host: string; readonly port: number; readonly database: string };
  /** Its owner. */
  readonly owner: { readonly username: string; readonly password: string };
  /** The database of the server. */
  readonly database: Pool;
  /** Adds a login to the other PostgreSQL, whose name begins with `prefix`. */
  readonly addLogin: (prefix: string, password?: string) => Promise<string>;
  /** Calls the server as an administrator. Rejects for every status but 200. */
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
  readonly ask: (method: string, path: string, body?: object) => Promise<any>;
  readonly kill: () => Promise<void>;
  /** Opens the gate, and starts the server again, as long after a kill as claims last. */
  readonly restart: () => Promise<void>;
  /** See `settleKilled`. */
  readonly settle: (isLeft: string) => Promise<void>;
}

const ACCOUNT = { email: 'admin@example.com', password: 'a long password for nobody', organization: 'Acme' };

/** Uses such a server, which is killed at this work, and removes everything afterwards. */
export async function withKilledServer(work: KilledWork, use: (server: KilledServer) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'coffer-killed-'));
  const [own, target] = [await testDatabase(), await testDatabase()];
  const url = new URL(target.url);
  const there = { host: url.hostname, port: Number(url.port), database: url.pathname.slice(1) };
  const gate = await openGate({ port: there.port });
  const [database, other] = [own, target].map(({ url: to }) => new Pool({ connectionString: to, max: 2 })) as [
    Pool,
    Pool,
  ];
  const environment = {
    ...{ DATABASE_URL: own.url, COFFER_ROOT_KEY: makeRootKey(), COFFER_DATA_DIR: directory },
    ...{ COFFER_OUTBOUND_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'info' },
  };
  const logins: string[] = [];
  let process = await startProcess(environment);
  let token = '';
  const ask: KilledServer['ask'] = async (method, path, body) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${process.url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.json();
  };
  try {
    token = (await ask('POST', '/api/v1/admin/bootstrap', ACCOUNT)).identity.credentials.token;
    await use({
      ...{ gate, there, database, ask },
      owner: { username: url.username, password: decodeURIComponent(url.password) },
      async addLogin(prefix, password) {
        // The PostgreSQL server is shared with other tests.
        const name = `${prefix}_${there.database.slice(-8)}_${logins.length}`;
        logins.push(name);
        await other.query(`create role "${name}" login ${password === undefined ? '' : `password '${password}'`}`);
        return name;
      },
      kill: () => killProcess(process),
      async restart() {
        await gate.open();
        await connectionsEnded(other);
        await freeKilled(database, work);
        process = await startProcess(environment);
      },
      settle: (isLeft) => settleKilled(database, work, isLeft),
    });
  } finally {
    await killProcess(process);
    await gate.close();
    await database.end();
    for (const name of logins) await other.query(`drop role if exists "${name}"`);
    await other.end();
    await own.drop();
    await target.drop();
    await rm(directory, { recursive: true, force: true });
  }
}
