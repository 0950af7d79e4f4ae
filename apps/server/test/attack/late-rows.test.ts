import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anotherProcess, type AnotherProcess } from '../harness/another-process.ts';
import { ok } from '../harness/groups.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

const VALUE = 'the-value-of-prod';
const LOCKED = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

let test: TestServer;
let other: AnotherProcess;
beforeAll(async () => {
  test = await testServer();
  other = await anotherProcess(test);
});
afterAll(async () => {
  await other.close();
  await test.close();
});

/** A project with a secret in prod, which staging imports, and a caller who may read it until somebody forbids it. */
async function setUp() {
  const { id: projectId } = await test.project();
  const place = { projectId, environment: 'prod', secretPath: '/' };
  const { secret } = await ok(test.admin('POST', '/api/v4/secrets/KEY', { ...place, secretValue: VALUE }));
  const imported = { environment: 'prod', path: '/' };
  await ok(
    test.admin('POST', '/api/v2/secret-imports', { projectId, environment: 'staging', path: '/', import: imported }),
  );
  const caller = await test.identity({ projectId, projectRole: 'admin' });
  const admin = other.as(test.adminIdentity.token);
  const everything = ['describeSecret', 'readValue', 'create', 'edit', 'delete'];
  const permissions = [{ subject: 'secrets', action: everything, inverted: true, conditions: { environment: 'prod' } }];
  /** In another process. */
  const forbid = async () => {
    const type = { isTemporary: false };
    const privilege = { identityId: caller.id, projectId, permissions, type };
    await ok(admin('POST', '/api/v2/identity-project-additional-privilege', privilege));
  };
  return { projectId, place, secretId: secret.id as string, call: caller.call, forbid };
}
type SetUp = Awaited<ReturnType<typeof setUp>>;

const reads: [what: string, url: (of: SetUp) => string][] = [
  ['a list', ({ projectId }) => `/api/v4/secrets?projectId=${projectId}&environment=prod&secretPath=/`],
  ['an older list', ({ projectId }) => `/api/v3/secrets/raw?workspaceId=${projectId}&environment=prod&secretPath=/`],
  [
    'imports',
    ({ projectId }) => `/api/v1/secret-imports/secrets/raw?workspaceId=${projectId}&environment=staging&path=/`,
  ],
  ['a secret', ({ projectId }) => `/api/v4/secrets/KEY?projectId=${projectId}&environment=prod&secretPath=/`],
  ['versions', ({ secretId }) => `/api/v4/secrets/id/${secretId}/versions?viewSecretValue=true`],
  ['a tree', ({ projectId }) => `/api/v1/projects/${projectId}/history/tree?environment=prod&secretPath=/`],
  [
    'references',
    ({ projectId }) => `/api/v4/secrets/KEY/secret-reference-tree?projectId=${projectId}&environment=prod&secretPath=/`,
  ],
];

/** The answer to a request that waits for a lock while the right to what it is about ends. */
async function answerAfter(lock: string, { projectId, forbid }: SetUp, send: () => Promise<Answer>): Promise<Answer> {
  const client = await test.owner.connect();
  try {
    await client.query('begin');
    await client.query(lock.replace('$1', `'${projectId}'`));
    const late = send();
    await expect.poll(async () => (await client.query(LOCKED)).rowCount).toBeGreaterThan(0);
    await forbid();
    // What another process has changed is known here within a second.
    await sleep(1_000);
    await client.query('commit');
    return await late;
  } finally {
    client.release(true);
  }
}

describe('attack: reads that wait for the database', () => {
  it.each(reads)('answer nothing that they read after the right to it has ended: %s', async (_what, url) => {
    const of = await setUp();
    const read = () => of.call('GET', url(of));
    expect(JSON.stringify(await ok(read()))).toContain(VALUE);
    const { body } = await answerAfter('lock table secrets in access exclusive mode', of, read);
    expect(JSON.stringify(body)).not.toContain(VALUE);
  });
});

const changes: [what: string, lock: string, send: (call: Caller, of: SetUp) => Promise<Answer>][] = [
  [
    'a copy',
    'select pg_advisory_xact_lock(hashtextextended($1, 17))',
    (call, { projectId, secretId }) =>
      call('POST', '/api/v4/secrets/duplicate', {
        ...{ projectId, sourceEnvironment: 'prod', sourceSecretPath: '/', destinationEnvironment: 'dev' },
        ...{ destinationSecretPath: '/', secretIds: [secretId], shouldOverwrite: true },
      }),
  ],
  [
    'a deletion',
    'select id from secrets where project_id = $1 for update',
    (call, { place }) => call('DELETE', '/api/v4/secrets/KEY', place),
  ],
  [
    'a deletion of several',
    'select id from secrets where project_id = $1 for update',
    (call, { place }) => call('DELETE', '/api/v4/secrets/batch', { ...place, secrets: [{ secretKey: 'KEY' }] }),
  ],
];

describe('attack: changes that wait for a lock', () => {
  it.each(changes)('take the rights that the caller has after it: %s', async (_what, lock, send) => {
    const of = await setUp();
    expect((await answerAfter(lock, of, () => send(of.call, of))).status).toBe(403);
    expect((await send(of.call, of)).status).toBe(403);
    expect((await test.admin('GET', `/api/v4/secrets/KEY?${new URLSearchParams(of.place).toString()}`)).status).toBe(
      200,
    );
  });
});
