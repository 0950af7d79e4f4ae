import { createOutbound, parseCidrs } from '@coffer/domain';
import { makeUser, openGate, type Gate } from '@coffer/domain/testing';
import { Client } from 'pg';
import type { Generated, RotatedSystem } from './rotation.ts';
import { ok } from './groups.ts';
import { testServer, type Caller, type TestServer } from './test-server.ts';

export interface RotatedPostgres extends RotatedSystem {
  readonly gate: Gate;
  /** As the owner of the database with the logins. */
  query(sql: string): Promise<unknown>;
  /** A user with a role in a project. */
  user(projectId: string, role: string): Promise<{ id: string; email: string; call: Caller }>;
  close(): Promise<void>;
}

let number = 0;

/** Logs in, and runs a statement. */
export async function logsIn(
  at: { host: string; port: number; database: string },
  { username: user, password }: Generated,
): Promise<boolean> {
  const client = new Client({ ...at, user, password });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

/** A server whose own PostgreSQL has the rotated logins, behind a gate. */
export async function rotatedPostgres(options: Parameters<typeof testServer>[0] = {}): Promise<RotatedPostgres> {
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
  const test: TestServer = await testServer({ connect: outbound.connect, fetch: outbound.fetch, ...options });
  const url = new URL(test.databaseUrl);
  const gate = await openGate({ port: Number(url.port) });
  const database = url.pathname.slice(1);
  // The PostgreSQL server is shared with other tests.
  const mark = database.slice(-8);
  const logins: string[] = [];
  const owner = new Client({ connectionString: test.databaseUrl });
  await owner.connect();
  return {
    test,
    gate,
    query: (sql) => owner.query(sql),
    app: 'postgres',
    credentials: {
      method: 'username-and-password',
      ...{ host: gate.host, port: gate.port, database, username: url.username },
      ...{ password: decodeURIComponent(url.password), sslEnabled: false, sslRejectUnauthorized: true },
    },
    async accounts() {
      const [username1, username2] = ['a', 'b'].map((which) => `rotated_${mark}_${number}${which}`) as [string, string];
      number++;
      logins.push(username1, username2);
      for (const name of [username1, username2]) await owner.query(`create role "${name}" login`);
      return { parameters: { username1, username2 } };
    },
    rejected: async () => ({
      parameters: { username1: `nobody_${mark}_1`, username2: `nobody_${mark}_2` },
      message: 'does not exist',
    }),
    works: (credential) => logsIn({ host: url.hostname, port: Number(url.port), database }, credential),
    invalidate: ({ username }) => owner.query(`alter role "${username}" password 'changed'`),
    async user(projectId, role) {
      const user = await makeUser(test.coffer, { organizationId: test.organizationId });
      const add = { usernames: [user.email], emails: [], roleSlugs: [role] };
      await ok(test.admin('POST', `/api/v1/projects/${projectId}/memberships`, add));
      return { id: user.id, email: user.email, call: test.as(user.token) };
    },
    shut: () => gate.shut(),
    open: () => gate.open(),
    async close() {
      await gate.open();
      for (const name of logins) await owner.query(`drop role if exists "${name}"`);
      await owner.end();
      await test.close();
      await gate.close();
      await outbound.close();
    },
  };
}
