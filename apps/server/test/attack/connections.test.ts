import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

/** Requests of one caller, within its share of the places of a process. */
const WRITES = 24;
const SECRETS = Array.from({ length: WRITES }, (_, n) => ({ secretKey: `K${n}`, secretValue: 'v' }));
const LOCK = `select from secrets where folder_id in (select f.id from folders f join environments e on e.id = f.environment_id
  where e.project_id = $1 and e.slug = 'dev') for update`;
const WAITING = `select count(*)::integer as count from pg_stat_activity
  where datname = current_database() and pg_blocking_pids(pid) <> '{}'`;

/** A server with a project, and the secrets of its environment `dev` in a transaction of somebody else. */
async function world(options: { lockTimeout?: number } = {}) {
  const test = await testServer({ poolSize: 16, ...options }, { concurrency: 32 });
  const projectId = (await test.project()).id;
  const member = async () => (await test.identity({ projectId, projectRole: 'member' })).call;
  const at = (environment: string) => ({ projectId, environment, secretPath: '/' });
  const write = (call: Caller, name: string) =>
    call('PATCH', `/api/v4/secrets/${name}`, { ...at('dev'), secretValue: 'changed' });
  const read = (call: Caller, environment: string) =>
    call('GET', `/api/v4/secrets/K1?${new URLSearchParams(at(environment)).toString()}`);
  for (const environment of ['dev', 'staging'])
    expect((await test.admin('POST', '/api/v4/secrets/batch', { ...at(environment), secrets: SECRETS })).status).toBe(
      200,
    );
  return { test, projectId, member, at, write, read };
}

/** The number of statements that wait for a lock, once it does not change any more. */
async function settled(client: PoolClient): Promise<number> {
  const counts: number[] = [];
  do {
    await sleep(100);
    counts.push((await client.query<{ count: number }>(WAITING)).rows[0]!.count);
  } while (counts.at(-1) === 0 || new Set(counts.slice(-4)).size > 1 || counts.length < 4);
  return counts.at(-1)!;
}

const statuses = (answers: readonly Answer[]) => new Set(answers.map(({ status }) => status));

describe('attack: requests of one caller that wait for a lock', () => {
  let made: Awaited<ReturnType<typeof world>>;
  beforeAll(async () => void (made = await world()));
  afterAll(() => made.test.close());

  it.each([1, 2])('do not keep connections from others: %s of them', async (callers) => {
    const { test, projectId, member, at, write, read } = made;
    const light = await member();
    const heavy = await Promise.all(Array.from({ length: callers }, member));
    for (const call of [light, ...heavy]) expect((await read(call, 'staging')).status).toBe(200);
    const holder = await test.owner.connect();
    await holder.query('begin');
    await holder.query(LOCK, [projectId]);
    let answered = 0;
    const writes = heavy.flatMap((call) =>
      SECRETS.map(({ secretKey }) => write(call, secretKey).finally(() => answered++)),
    );
    try {
      expect(await settled(holder)).toBeGreaterThan(0);
      for (let i = 0; i < 5; i++) expect((await read(light, 'staging')).status).toBe(200);
      const list = `/api/v4/secrets?${new URLSearchParams(at('staging')).toString()}`;
      expect((await light('GET', list)).status).toBe(200);
      const created = { ...at('staging'), secretValue: 'v' };
      expect((await light('POST', `/api/v4/secrets/N${callers}`, created)).status).toBe(200);
      expect(answered).toBe(0);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect(statuses(await Promise.all(writes))).toEqual(new Set([200]));
  });
});

describe('attack: writing what somebody keeps locked', () => {
  let made: Awaited<ReturnType<typeof world>>;
  beforeAll(async () => void (made = await world({ lockTimeout: 300 })));
  afterAll(() => made.test.close());

  it('is refused while the lock is held, and holds no connection until its end; a deletion of the environment waits', async () => {
    const { test, projectId, member, write, read } = made;
    const [heavy, environment] = [await member(), await environmentOf(test, projectId)];
    const holder = await test.owner.connect();
    await holder.query('begin');
    await holder.query(LOCK, [projectId]);
    let isDeleted = false;
    const deletion = test.admin('DELETE', environment).finally(() => (isDeleted = true));
    try {
      await settled(holder);
      const answers = await Promise.all(SECRETS.map(({ secretKey }) => write(heavy, secretKey)));
      expect(statuses(answers)).toEqual(new Set([503]));
      expect(answers[0]).toMatchObject({
        headers: { 'retry-after': '1' },
        body: { message: 'The same data is being changed by others, which takes long; try again' },
      });
      expect([await settled(holder), isDeleted]).toEqual([1, false]);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect((await deletion).status).toBe(200);
    expect((await read(heavy, 'dev')).status).toBe(404);
  });
});

async function environmentOf(test: TestServer, projectId: string): Promise<string> {
  const { body } = await test.admin('GET', `/api/v1/workspace/${projectId}`);
  const { id } = body.workspace.environments.find(({ slug }: { slug: string }) => slug === 'dev');
  return `/api/v1/workspace/${projectId}/environments/${id}`;
}
