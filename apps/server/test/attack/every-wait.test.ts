// @long: holds statements of many operations
import { appRouter, openApiDocument, operationsOf, type OpenApiDocument, type Operation } from '@coffer/api';
import { makeIdentity, makeUser, sampleOf, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anotherProcess, type AnotherProcess } from '../harness/another-process.ts';
import { ok } from '../harness/groups.ts';
import { ask, comparable, nameOf } from '../harness/matrix-answers.ts';
import { Sample } from '../harness/matrix-sample.ts';
import { makeWorld, type World } from '../harness/matrix-world.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

// Every operation waits for a connection, and every change of secrets for the lock that it takes last, while another process
// takes all rights of its caller. The response is that of the same request after that.

/** What may be done without any right, once, and why it cannot be done again. */
const ONCE: Readonly<Record<string, string>> = {
  'DELETE /api/v1/workspace/{workspaceId}/leave': 'the caller has left',
  'DELETE /api/v2/users/me/sessions': 'its session has ended',
  'POST /api/v1/auth/logout': 'its session has ended',
};

/** What answers something else each time, and needs no right. */
const RANDOM: ReadonlySet<string> = new Set([
  'POST /api/v1/kms/random',
  'POST /api/v2/organizations',
  'POST /api/v2/users/me/api-keys',
  'POST /api/v3/auth/select-organization',
]);

const CONNECTIONS = 3;
/** Requests that wait at once. */
const TOGETHER = 25;

let test: TestServer;
let second: AnotherProcess;
let elsewhere: Caller;
let document: OpenApiDocument;
let world: World;
beforeAll(async () => {
  test = await testServer({ poolSize: CONNECTIONS });
  second = await anotherProcess(test);
  document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
  world = await makeWorld(test, 'zwaitz');
  elsewhere = second.as(world.machineToken);
}, searchTime(300_000));
afterAll(async () => {
  await second.close();
  await test.close();
});

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

interface Waiting {
  readonly operation: Operation;
  readonly send: () => Promise<Answer>;
  /** Takes all rights of the caller, in the other process. */
  readonly deny: () => Promise<unknown>;
}

const NOTHING = { roles: [{ role: 'no-access' }] };

/** An administrator of the organization and the project, of a kind that may call the operation. */
async function administrator({ meta }: Operation): Promise<Pick<Waiting, 'deny'> & { call: Caller }> {
  const { organizationId } = world;
  const projectId = world.has.project;
  if (!meta.rest?.actors || meta.rest.actors.includes('identity')) {
    const making = { organizationId, organizationRole: 'admin', projectId, projectRole: 'admin' };
    const { id, token } = await makeIdentity(test.coffer, making);
    const deny = async () => {
      await ok(elsewhere('PATCH', `/api/v1/projects/${projectId}/memberships/identities/${id}`, NOTHING));
      await ok(elsewhere('PATCH', `/api/v1/identities/${id}`, { role: 'no-access' }));
    };
    return { call: test.as(token), deny };
  }
  const { id, email, token } = await makeUser(test.coffer, { organizationId, role: 'admin' });
  const added = { usernames: [email], emails: [], roleSlugs: ['admin'] };
  const { memberships } = await ok(elsewhere('POST', `/api/v1/projects/${projectId}/memberships`, added));
  const members = `/api/v2/organizations/${organizationId}/memberships`;
  const { users } = await ok(elsewhere('GET', members));
  const own = (users as { id: string; user: { id: string } }[]).find(({ user }) => user.id === id)!;
  const deny = async () => {
    await ok(elsewhere('PATCH', `/api/v1/projects/${projectId}/memberships/${memberships[0].id}`, NOTHING));
    await ok(elsewhere('PATCH', `${members}/${own.id}`, { role: 'no-access' }));
  };
  return { call: test.as(token), deny };
}

/** A request whose caller and rights are known to the process, so that it waits after they were looked at. */
async function waitingFor(operation: Operation): Promise<Waiting> {
  const { call, deny } = await administrator(operation);
  for (const url of [`/api/v1/projects/${world.has.project}/roles`, '/api/v1/organization/roles'])
    await call('GET', url);
  const sample = new Sample(operation, document);
  const input = sample.input((thing) => world.has[thing]);
  return { operation, deny, send: () => ask(call, sample, input) };
}

/** Holds what requests wait for; returns how it is released. */
type Hold = () => Promise<() => Promise<unknown>>;

/** All connections of the process. */
const connections: Hold = async () => {
  const held = await Promise.all(Array.from({ length: CONNECTIONS }, () => test.coffer.pool.connect()));
  return async () => {
    for (const connection of held) connection.release();
  };
};

/** The row that a change of secrets locks together with its commit. */
const revision: Hold = async () => {
  const other = await test.owner.connect();
  await other.query('begin');
  await other.query('select from project_revisions where project_id = $1 for update', [world.has.project]);
  return async () => {
    await other.query('commit');
    other.release();
  };
};

/** Who waits for whom, for a failure to say: taken where rights are taken for longer than this, in milliseconds. */
const LONG = 5_000;
const BLOCKED = `select a.pid, left(a.query, 200) as query, b.pid as "waitsFor", b.state, left(b.query, 200) as "lastQuery"
  from pg_stat_activity a cross join unnest(pg_blocking_pids(a.pid)) p join pg_stat_activity b on b.pid = p
  where a.datname = current_database()`;
const blocked: unknown[] = [];

async function denyAll(waiting: readonly Waiting[]): Promise<void> {
  const look = async () => blocked.push((await test.owner.query(BLOCKED)).rows);
  const timer = setInterval(() => void look().catch(() => undefined), LONG);
  try {
    for (const { deny } of waiting) await deny();
  } finally {
    clearInterval(timer);
  }
}

/** The answers; `undefined` for those that were not held until the rights were taken. */
async function answersOf(waiting: readonly Waiting[], hold: Hold): Promise<(Answer | undefined)[]> {
  const release = await hold();
  try {
    let isDenied = false;
    const answers = Promise.all(
      waiting.map(async ({ send }) => {
        const answer = await send();
        return isDenied ? answer : undefined;
      }),
    );
    await sleep(250);
    await denyAll(waiting);
    // Longer than it takes until another process knows of a change.
    await sleep(300);
    isDenied = true;
    await release();
    return await answers;
  } catch (error) {
    await release();
    throw error;
  }
}

/** Whether the response during the change is that after it; the state may not change in between. */
function isSame(operation: Operation, one: Answer, other: Answer): boolean {
  if (one.status !== other.status) return false;
  return RANDOM.has(nameOf(operation)) || comparable(one, {}) === comparable(other, {});
}

/** How many of these operations have waited, and those that are answered by other rights than those after the wait. */
async function play(operations: readonly Operation[], hold: Hold) {
  const different: unknown[] = [];
  let waited = 0;
  for (let from = 0; from < operations.length; from += TOGETHER) {
    const waiting: Waiting[] = [];
    for (const operation of operations.slice(from, from + TOGETHER)) waiting.push(await waitingFor(operation));
    const answers = await answersOf(waiting, hold);
    for (const [index, { operation, send }] of waiting.entries()) {
      const name = nameOf(operation);
      const answer = answers[index];
      if (!answer) continue;
      waited++;
      const after = await send();
      if (name in ONCE || isSame(operation, answer, after)) continue;
      different.push({ name, during: [answer.status, answer.body], after: [after.status, after.body] });
    }
  }
  return { different, waited };
}

/** What is changed under a revision of its project. */
const REVISED: ReadonlySet<string> = new Set(['secrets', 'secret-folders', 'secret-imports', 'tags', 'environments']);

describe('attack: all operations that wait', () => {
  it(
    'for a connection are answered by the rights that their caller has after the wait',
    async () => {
      const operations = sampleOf(
        operationsOf(appRouter).filter(
          ({ alias, meta }) => alias === 0 && meta.needs !== 'public' && !meta.rest?.events,
        ),
        15,
      );
      const known = new Set(operationsOf(appRouter).map(nameOf));
      expect([...Object.keys(ONCE), ...RANDOM].filter((name) => !known.has(name))).toEqual([]);
      const { different, waited } = await play(operations, connections);
      expect(different).toEqual([]);
      expect(waited, JSON.stringify(blocked)).toBeGreaterThan(operations.length / 2);
    },
    searchTime(60_000),
  );

  it(
    'for the lock that they take last are answered by the rights that their caller has after the wait',
    async () => {
      const changes = operationsOf(appRouter).filter(
        ({ alias, meta, method }) =>
          alias === 0 &&
          method !== 'GET' &&
          [meta.needs].flat().some((one) => typeof one === 'object' && REVISED.has(one.subject)),
      );
      const { different, waited } = await play(sampleOf(changes, 3), revision);
      expect(different).toEqual([]);
      expect(waited, JSON.stringify(blocked)).toBeGreaterThan(0);
    },
    searchTime(60_000),
  );
});
