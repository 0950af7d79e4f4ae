// @long: kills processes
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRootKey } from '@coffer/domain';
import { openGate, runs, SEARCH_SEED, searchTime, testDatabase, type Gate } from '@coffer/domain/testing';
import { Pool } from 'pg';
import { expect, it } from 'vitest';
import { connectionsEnded, freeKilled, settleKilled, type KilledWork } from '../../harness/killed-work.ts';
import { killProcess, startProcess } from '../../harness/server-process.ts';

// The server is killed between recording an intention, doing it in the remote, and recording the result. `pnpm orphans`
// does this sixty times; here it is done a few times.

const KILLS = runs(1, 60);
const CALLERS = 4;
const PATIENCE = 300_000;
const WORK: KilledWork = {
  ...{ table: 'dynamic_secret_leases', key: 'lease' },
  ...{ due: 'due_at', claimedUntil: 'held_until' },
};
/** It was never confirmed, is to end, or has expired. */
const IS_LEFT = `phase <> 'standing' or expire_at <= now()`;

/** When: at the first statement with this text, before or after the target gets it. */
const MOMENTS = [
  ['create role', false],
  ['create role', true],
  ['drop role', false],
  ['drop role', true],
  ['alter role', false],
  ['alter role', true],
] as const;

/** The responses that callers received, and the missing ones. */
class Ledger {
  /** Leases that were created and not revoked. */
  readonly standing = new Map<string, { name: string; password: string }>();
  /** Names of logins that were answered to be revoked. */
  readonly revoked = new Set<string>();
  /** Creations and revocations without a response: the leases may exist or not. */
  inDoubt = 0;
}

class Caller {
  readonly #token: string;
  readonly #here: object;
  readonly #ledger: Ledger;

  constructor(token: string, here: object, ledger: Ledger) {
    this.#token = token;
    this.#here = here;
    this.#ledger = ledger;
  }

  async #ask(url: string, method: string, path: string, more: object) {
    const answer = await fetch(`${url}/api/v1/dynamic-secrets/leases${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...this.#here, ...more }),
    });
    const text = await answer.text();
    return answer.ok ? JSON.parse(text) : undefined;
  }

  /** Creates, renews and revokes leases until the server is dead. */
  async work(url: string): Promise<void> {
    const { standing, revoked } = this.#ledger;
    try {
      for (let i = 0; ; i++) {
        this.#ledger.inDoubt++;
        const made = await this.#ask(url, 'POST', '', { dynamicSecretName: 'logins' });
        this.#ledger.inDoubt--;
        if (!made) continue;
        const { lease, data } = made;
        const login = { name: data.DB_USERNAME, password: data.DB_PASSWORD };
        standing.set(lease.id, login);
        await this.#ask(url, 'POST', `/${lease.id}/renew`, {});
        if (i % 3 === 0) continue;
        standing.delete(lease.id);
        this.#ledger.inDoubt++;
        if (!(await this.#ask(url, 'DELETE', `/${lease.id}`, {}))) continue;
        this.#ledger.inDoubt--;
        revoked.add(login.name);
      }
    } catch {
      // The server is dead.
    }
  }
}

it(
  `no login is left behind and no lease lost by ${KILLS} kills between intention and effect`,
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'coffer-crash-'));
    const [own, target] = [await testDatabase(), await testDatabase()];
    const at = new URL(target.url);
    const mark = at.pathname.slice(1);
    const gate = await openGate({ port: Number(at.port) });
    const [database, there] = [own, target].map(({ url }) => new Pool({ connectionString: url, max: 4 })) as [
      Pool,
      Pool,
    ];
    const environment = {
      DATABASE_URL: own.url,
      COFFER_ROOT_KEY: makeRootKey(),
      COFFER_DATA_DIR: directory,
      LOG_LEVEL: 'info',
      COFFER_OUTBOUND_ALLOW: '127.0.0.0/8',
    };
    let server = await startProcess(environment);
    try {
      const { token, here } = await setUp(server.url, gate, at, mark);
      const ledger = new Ledger();
      for (let i = 0; i < KILLS; i++) {
        const [text, isHeard] = MOMENTS[(SEARCH_SEED + i) % MOMENTS.length]!;
        const callers = Array.from({ length: CALLERS }, () => new Caller(token, here, ledger).work(server.url));
        await sleep(Math.random() * 300);
        await gate.stallAt(text, isHeard);
        await sleep(Math.random() * 10);
        await killProcess(server);
        await Promise.all(callers);
        await gate.open();
        await connectionsEnded(there);
        await freeKilled(database, WORK);
        server = await startProcess(environment);
      }
      await settleKilled(database, WORK, IS_LEFT);
      const stands = await logins(there, mark);
      const { rows } = await database.query<{ id: string; name: string }>(
        'select id, external_entity_id as name from dynamic_secret_leases',
      );
      const names = rows.map(({ name }) => name).toSorted();
      // Every login has its lease and every lease its login; nothing acknowledged is lost, and nothing revoked is left.
      expect(stands).toEqual(names);
      expect([...ledger.standing.values()].filter(({ name }) => !stands.includes(name))).toEqual([]);
      expect(stands.filter((name) => ledger.revoked.has(name))).toEqual([]);
      expect(stands.length).toBeLessThanOrEqual(ledger.standing.size + ledger.inDoubt);
      const counted = await database.query<{ leases: number }>('select leases from dynamic_secrets');
      expect(counted.rows).toEqual([{ leases: names.length }]);
      // The rest expires.
      await database.query(
        `update dynamic_secret_leases set expire_at = now(), due_at = now() where phase = 'standing'`,
      );
      await settleKilled(database, WORK, IS_LEFT);
      expect(await logins(there, mark)).toEqual([]);
    } finally {
      await killProcess(server);
      await gate.close();
      await database.end();
      await there.end();
      await own.drop();
      await target.drop();
      await rm(directory, { recursive: true, force: true });
    }
  },
  searchTime(PATIENCE + KILLS * 20_000),
);

async function setUp(url: string, gate: Gate, at: URL, mark: string) {
  const ask = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.json() as Promise<{
      identity: { credentials: { token: string } };
      project: { slug: string };
    }>;
  };
  const account = { email: 'admin@example.com', password: 'a long password for nobody', organization: 'Acme' };
  const { identity } = await ask('/api/v1/admin/bootstrap', account);
  const { token } = identity.credentials;
  const { project } = await ask('/api/v1/projects', { projectName: 'Shop' }, token);
  const here = { projectSlug: project.slug, environmentSlug: 'dev', path: '/' };
  const inputs = {
    client: 'postgres',
    host: gate.host,
    port: gate.port,
    database: mark,
    username: at.username,
    password: decodeURIComponent(at.password),
    creationStatement: `create role "{{username}}" login password '{{password}}'; comment on role "{{username}}" is '${mark}'`,
    renewStatement: `alter role "{{username}}" valid until '{{expiration}}'`,
    revocationStatement: 'drop role "{{username}}"',
  };
  await ask(
    '/api/v1/dynamic-secrets',
    { ...here, name: 'logins', defaultTTL: '1h', provider: { type: 'sql-database', inputs } },
    token,
  );
  return { token, here };
}

async function logins(there: Pool, mark: string): Promise<string[]> {
  const { rows } = await there.query<{ name: string }>(
    `select rolname as name from pg_roles where shobj_description(oid, 'pg_authid') = $1 order by rolname collate "C"`,
    [mark],
  );
  return rows.map(({ name }) => name);
}
