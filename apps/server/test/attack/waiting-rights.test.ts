// @long: holds statements of many operations
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { anotherProcess, untilNotified, type AnotherProcess } from '../harness/another-process.ts';
import { ok } from '../harness/groups.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

/** Connections of the first of two processes. */
const CONNECTIONS = 3;

let test: TestServer;
let second: AnotherProcess;
/** The administrator, at the second process. */
let elsewhere: Caller;
beforeAll(async () => {
  test = await testServer({ poolSize: CONNECTIONS });
  second = await anotherProcess(test);
  elsewhere = second.as(test.adminIdentity.token);
});
afterAll(async () => {
  await second.close();
  await test.close();
});

/** Part of every value and name that is created after the right to them has ended. */
const LATER = 'LATER';

const FORBIDDEN = [
  ['secrets', ['describeSecret', 'readValue', 'create', 'edit', 'delete'], { environment: 'prod' }],
  ['secret-folders', ['create', 'edit', 'delete'], { environment: 'prod' }],
  ['environments', ['read', 'create', 'edit', 'delete'], undefined],
  ['tags', ['read', 'create', 'edit', 'delete'], undefined],
  ['role', ['create', 'edit', 'delete'], undefined],
  ['ip-allowlist', ['create', 'edit', 'delete'], undefined],
  ['workspace', ['edit', 'delete'], undefined],
].map(([subject, action, conditions]) => ({ subject, action, inverted: true, ...(conditions && { conditions }) }));

/** A project, and an administrator of it whose rights in prod, and to environments and tags, can be taken away. */
class World {
  readonly projectId: string;
  readonly id: string;
  readonly token: string;
  readonly call: Caller;
  secretId = '';
  environmentId = '';
  tagId = '';
  roleId = '';

  private constructor(projectId: string, { id, token, call }: { id: string; token: string; call: Caller }) {
    this.projectId = projectId;
    this.id = id;
    this.token = token;
    this.call = call;
  }

  static async make(): Promise<World> {
    const { id: projectId } = await test.project();
    const world = new World(projectId, await test.identity({ projectId, projectRole: 'admin' }));
    const { secret } = await ok(test.admin('POST', '/api/v4/secrets/KEY', { ...world.prod, secretValue: 'before' }));
    world.secretId = secret.id;
    await ok(test.admin('POST', '/api/v2/folders', { projectId, environment: 'prod', path: '/', name: 'f' }));
    const prod = { environment: 'prod', path: '/' };
    const imported = { projectId, environment: 'staging', path: '/', import: prod };
    await ok(test.admin('POST', '/api/v2/secret-imports', imported));
    const { workspace } = await ok(test.admin('GET', `/api/v1/workspace/${projectId}`));
    world.environmentId = workspace.environments.find(({ slug }: { slug: string }) => slug === 'staging').id;
    const tag = { slug: 'tag', color: '' };
    world.tagId = (await ok(test.admin('POST', `/api/v1/projects/${projectId}/tags`, tag))).tag.id;
    const role = { slug: 'role', name: 'Role', permissions: [] };
    world.roleId = (await ok(test.admin('POST', `/api/v1/projects/${projectId}/roles`, role))).role.id;
    return world;
  }

  get prod() {
    return { projectId: this.projectId, environment: 'prod', secretPath: '/' };
  }
  get query(): string {
    return `projectId=${this.projectId}&environment=prod&secretPath=/&viewSecretValue=true`;
  }
  get both() {
    const [from, to] = [{ sourceEnvironment: 'prod', sourceSecretPath: '/' }, { destinationEnvironment: 'dev' }];
    const { projectId, secretId } = this;
    return { projectId, ...from, ...to, destinationSecretPath: '/', secretIds: [secretId], shouldOverwrite: true };
  }

  /** Takes the rights away, in the other process. */
  async deny(): Promise<void> {
    const given = { identityId: this.id, projectId: this.projectId, permissions: FORBIDDEN };
    const privilege = '/api/v2/identity-project-additional-privilege';
    await ok(elsewhere('POST', privilege, { ...given, type: { isTemporary: false } }));
  }

  /** The same; the caller has no right to what is created there afterwards. */
  async denyAndChange(): Promise<void> {
    await this.deny();
    await ok(elsewhere('PATCH', '/api/v4/secrets/KEY', { ...this.prod, secretValue: LATER, secretComment: LATER }));
    await ok(elsewhere('POST', `/api/v4/secrets/${LATER}_KEY`, { ...this.prod, secretValue: LATER }));
  }
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Longer than a request may take that is decided by the rights of its beginning, in milliseconds. */
const LONG_MS = 300;

/** Waits until the first process knows of a change, and what waits has waited for long. */
async function known(): Promise<void> {
  // What is announced later than its transaction is so by now.
  await sleep(LONG_MS);
  await untilNotified(second, test);
}

/** The answers to requests that wait for a connection of the first process during a change. */
async function answerAfter<Answers>(request: () => Promise<Answers>, change: () => Promise<unknown>): Promise<Answers> {
  const held = await Promise.all(Array.from({ length: CONNECTIONS }, () => test.coffer.pool.connect()));
  try {
    const answer = request();
    await sleep(50);
    await change();
    await known();
    for (const connection of held.splice(0)) connection.release();
    return await answer;
  } finally {
    for (const connection of held) connection.release();
  }
}

/** The answer to a request that waits for a lock, which a transaction of another caller holds. */
async function answerAfterLock(lock: string, request: () => Promise<Answer>, change: () => Promise<unknown>) {
  const other = await test.owner.connect();
  try {
    await other.query('begin');
    await other.query(lock);
    const answer = request();
    await expect.poll(async () => (await test.owner.query(WAITING)).rowCount).toBeGreaterThan(0);
    await change();
    await known();
    await other.query('commit');
    return await answer;
  } finally {
    other.release();
  }
}

const WAITING = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

const typed = (name: string, input: object) =>
  `/api/trpc/${name}?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: input }))}`;

const reads: [what: string, url: (world: World) => string][] = [
  ['a secret', ({ query }) => `/api/v4/secrets/KEY?${query}`],
  ['a secret by its ID', ({ secretId }) => `/api/v4/secrets/id/${secretId}?viewSecretValue=true`],
  ['its versions', ({ secretId }) => `/api/v4/secrets/id/${secretId}/versions?viewSecretValue=true`],
  ['a list', ({ query }) => `/api/v4/secrets?${query}`],
  ['a list below', ({ query }) => `/api/v4/secrets?${query}&recursive=true`],
  ['a list of before', (at) => `/api/v3/secrets/raw?workspaceId=${at.projectId}&environment=prod&secretPath=/`],
  ['a typed list, in a batch', ({ prod }) => typed('secrets.list', { ...prod, viewSecretValue: true })],
  [
    'imports',
    ({ projectId }) => `/api/v1/secret-imports/secrets/raw?workspaceId=${projectId}&environment=staging&path=/`,
  ],
  [
    'a list with imports',
    (at) => `/api/v4/secrets?projectId=${at.projectId}&environment=staging&secretPath=/&includeImports=true`,
  ],
  [
    'a tree',
    (at) => `/api/v1/projects/${at.projectId}/history/tree?environment=prod&secretPath=/&viewSecretValue=true`,
  ],
  ['references', ({ query }) => `/api/v4/secrets/KEY/secret-reference-tree?${query}`],
  ['an overview', (at) => `/api/v1/projects/${at.projectId}/secrets/overview?environments=prod&secretPath=/`],
  ['a search', (at) => `/api/v1/projects/${at.projectId}/secrets/search?search=KEY&environments=prod`],
];

type Change = [what: string, send: (world: World) => Promise<Answer>];

/** Those that take the names of the project, and then the rows. */
const namesTaken: Change[] = [
  ['duplicates a secret', ({ call, both }) => call('POST', '/api/v4/secrets/duplicate', both)],
  ['moves a secret', ({ call, both }) => call('POST', '/api/v4/secrets/move', both)],
];

/** Those that take the rows. */
const rowsTaken: Change[] = [
  ['deletes a secret', ({ call, prod }) => call('DELETE', '/api/v4/secrets/KEY', prod)],
  [
    'deletes secrets',
    ({ call, prod }) => call('DELETE', '/api/v4/secrets/batch', { ...prod, secrets: [{ secretKey: 'KEY' }] }),
  ],
  ['changes a secret', ({ call, prod }) => call('PATCH', '/api/v4/secrets/KEY', { ...prod, secretComment: 'mine' })],
];

const otherChanges: Change[] = [
  ['creates a secret', ({ call, prod }) => call('POST', '/api/v4/secrets/NEW', { ...prod, secretValue: 'mine' })],
  [
    'creates a folder',
    ({ call, projectId }) => call('POST', '/api/v2/folders', { projectId, environment: 'prod', path: '/', name: 'g' }),
  ],
  [
    'renames an environment',
    ({ call, projectId, environmentId }) =>
      call('PATCH', `/api/v1/projects/${projectId}/environments/${environmentId}`, { name: 'mine' }),
  ],
  [
    'creates a tag',
    ({ call, projectId }) => call('POST', `/api/v1/projects/${projectId}/tags`, { slug: 'mine', color: '' }),
  ],
  ['deletes a tag', ({ call, projectId, tagId }) => call('DELETE', `/api/v1/projects/${projectId}/tags/${tagId}`)],
];

/** Those that change what may be the caller's own rights, too. */
const changesOfRights: Change[] = [
  ['deletes the project', ({ call, projectId }) => call('DELETE', `/api/v1/projects/${projectId}`)],
  ['deletes a role', ({ call, projectId, roleId }) => call('DELETE', `/api/v1/projects/${projectId}/roles/${roleId}`)],
  [
    'trusts an address',
    ({ call, projectId }) => {
      const trusted = { ipAddress: '127.0.0.1', isActive: true, comment: '' };
      return call('POST', `/api/v1/workspace/${projectId}/trusted-ips`, trusted);
    },
  ],
];

const NAMES_LOCK = (projectId: string) => `select pg_advisory_xact_lock(hashtextextended('${projectId}', 17))`;
const ROWS_LOCK = (projectId: string) => `select id from secrets where project_id = '${projectId}' for update`;
const ROLES_LOCK = (projectId: string) => `select id from roles where project_id = '${projectId}' for update`;

describe('attack: requests that wait for the database', () => {
  it('read nothing that is created after the right has ended', async () => {
    const world = await World.make();
    const all = () =>
      Promise.all(
        reads.map(async ([what, urlOf]) => {
          const { status, headers, body } = await world.call('GET', urlOf(world));
          const text = JSON.stringify(body);
          // The tag would be that of an answer by other rights.
          return { what, status, etag: headers['etag'], hasKey: text.includes('KEY'), hasLater: text.includes(LATER) };
        }),
      );
    const before = await all();
    expect(before.filter(({ status, hasKey }) => status !== 200 || !hasKey)).toEqual([]);
    const answers = await answerAfter(all, () => world.denyAndChange());
    expect(answers.filter(({ etag, hasLater }) => etag !== undefined || hasLater)).toEqual([]);
    const statuses = (some: typeof answers) => some.map(({ what, status }) => [what, status]);
    expect(statuses(answers)).toEqual(statuses(await all()));
  });

  it('get no 304 once the right has ended', async () => {
    const world = await World.make();
    const url = `/api/v4/secrets/KEY?${world.query}`;
    const { etag } = (await world.call('GET', url)).headers;
    const again = () => world.call('GET', url, undefined, { 'if-none-match': String(etag) });
    expect((await again()).status).toBe(304);
    // Without the database, the state is known for a second.
    test.advance(2_000);
    expect((await answerAfter(again, () => world.deny())).status).toBe(403);
  });

  it('read nothing after their token was revoked', async () => {
    const world = await World.make();
    const read = () => world.call('GET', `/api/v4/secrets?${world.query}`);
    expect((await read()).status).toBe(200);
    const revoke = () => second.as(world.token)('POST', '/api/v1/auth/token/revoke', { accessToken: world.token });
    expect((await answerAfter(read, revoke)).status).toBe(401);
  });

  it('change nothing after the right has ended, by waiting for a connection', async () => {
    const world = await World.make();
    await world.call('GET', `/api/v4/secrets?${world.query}`);
    const changes = [...namesTaken, ...rowsTaken, ...otherChanges, ...changesOfRights];
    const answers = await answerAfter(
      () =>
        Promise.all(
          changes.map(async ([what, send]) => {
            const { status, body } = await send(world);
            return { what, status, hasLater: JSON.stringify(body).includes(LATER) };
          }),
        ),
      () => world.denyAndChange(),
    );
    expect(answers.filter(({ status, hasLater }) => ![403, 404].includes(status) || hasLater)).toEqual([]);
  });

  it.each([
    ...namesTaken.map(([what, send]) => [what, 'names', send, NAMES_LOCK] as const),
    ...[...namesTaken, ...rowsTaken].map(([what, send]) => [what, 'rows', send, ROWS_LOCK] as const),
    ...changesOfRights.slice(1, 2).map(([what, send]) => [what, 'roles', send, ROLES_LOCK] as const),
  ])('change nothing after the right has ended: one that %s waits for %s', async (_what, _locked, send, lock) => {
    const world = await World.make();
    await world.call('GET', `/api/v4/secrets?${world.query}`);
    const answer = await answerAfterLock(
      lock(world.projectId),
      () => send(world),
      () => world.deny(),
    );
    expect(answer.status).toBe(403);
    expect((await ok(test.admin('GET', `/api/v4/secrets/KEY?${world.query}`))).secret.secretComment).toBe('');
  });

  it('change nothing after their token was revoked', async () => {
    const world = await World.make();
    await world.call('GET', `/api/v4/secrets?${world.query}`);
    const changes = [...namesTaken, ...rowsTaken, ...otherChanges, ...changesOfRights];
    const revoke = () => second.as(world.token)('POST', '/api/v1/auth/token/revoke', { accessToken: world.token });
    const all = () => Promise.all(changes.map(async ([what, send]) => [what, (await send(world)).status]));
    expect(await answerAfter(all, revoke)).toEqual(changes.map(([what]) => [what, 401]));
  });

  it('change nothing after their token was revoked during the wait for a lock', async () => {
    const world = await World.make();
    await world.call('GET', `/api/v4/secrets?${world.query}`);
    const revoke = () => second.as(world.token)('POST', '/api/v1/auth/token/revoke', { accessToken: world.token });
    const change = () => world.call('DELETE', '/api/v4/secrets/KEY', world.prod);
    expect((await answerAfterLock(ROWS_LOCK(world.projectId), change, revoke)).status).toBe(401);
    await ok(test.admin('GET', `/api/v4/secrets/KEY?${world.query}`));
  });

  it.each([
    ['lists organizations', 'GET', () => '/organizations'],
    ['lists identities', 'GET', () => '/identity-management/identities'],
    ['grants the right to another one', 'PATCH', (other: string) => `/user-management/users/${other}/admin-access`],
    ['removes a user', 'DELETE', (other: string) => `/user-management/users/${other}`],
  ] as const)('do nothing for a former administrator of the instance: one that %s', async (_what, method, pathOf) => {
    const { organizationId } = test;
    const make = (isSuperAdmin: boolean) => makeUser(test.coffer, { organizationId, role: 'member', isSuperAdmin });
    const [root, former, other] = [await make(true), await make(true), await make(false)];
    const call = test.as(former.token);
    const send = () => call(method, `/api/v1/admin${pathOf(other.id)}`, method === 'PATCH' ? {} : undefined);
    await ok(call('GET', '/api/v1/admin/organizations'));
    const access = `/api/v1/admin/user-management/users/${former.id}/admin-access`;
    const answer = await answerAfter(send, () => ok(second.as(root.token)('DELETE', access)));
    expect([answer.status, answer.body.message]).toEqual([403, (await send()).body.message]);
  });

  it.each(changesOfRights)(
    'are done if the right remains, after the process has forgotten it: one that %s',
    async (_what, send) => {
      const world = await World.make();
      await world.call('GET', `/api/v4/secrets?${world.query}`);
      const forget = async () => test.coffer.invalidate([`actor:${world.id}`]);
      expect((await answerAfter(() => send(world), forget)).status).toBe(200);
    },
  );

  it('are decided by rights that their caller is given during the wait', async () => {
    const world = await World.make();
    const { id, call } = await test.identity({ projectId: world.projectId, projectRole: 'viewer' });
    await call('GET', `/api/v4/secrets?${world.query}`);
    const path = `/api/v2/workspace/${world.projectId}/identity-memberships/${id}`;
    const roles = { roles: [{ role: 'admin' }] };
    const read = () => call('GET', `/api/v4/secrets/KEY?${world.query}`);
    const answer = await answerAfter(read, () => elsewhere('PATCH', path, roles));
    expect([answer.status, answer.body.secret.secretValue]).toEqual([200, 'before']);
  });

  it('get a 503 with Retry-After if the rights change every time', async () => {
    const world = await World.make();
    const url = `/api/v4/secrets?${world.query}`;
    await world.call('GET', url);
    const asked = vi.spyOn(test.coffer, 'ability').mockImplementation(async (ctx, place) => {
      await sleep(120);
      const ability = await second.coffer.ability(ctx, place);
      return Object.create(ability, {
        decidedBy: { value: [[{ subject: 'x', action: `${asked.mock.calls.length}` }]] },
      });
    });
    const answer = await world.call('GET', url);
    asked.mockRestore();
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    expect((await world.call('GET', url)).status).toBe(200);
  });
});
