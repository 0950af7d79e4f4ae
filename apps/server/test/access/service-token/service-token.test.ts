import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anotherProcess } from '../../harness/another-process.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const URL = '/api/v2/service-token';
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const EVERYWHERE = [{ environment: 'dev', secretPath: '/**' }];
const NO_ONE = '00000000-0000-4000-8000-000000000000';
const bodyOf = ({ body: { reqId: _, ...body } }: Answer) => body;

/** A person with a role in a project. */
async function person(projectId: string, role: string) {
  const user = await makeUser(test.coffer, { organizationId: test.organizationId });
  const added = await test.admin('POST', `/api/v2/workspace/${projectId}/memberships`, {
    usernames: [user.email],
    roleSlugs: [role],
  });
  expect(added.status).toBe(200);
  return { ...user, call: test.as(user.token) };
}

/** A project with an administrator, a folder `/app` and two secrets in it; and a way to make tokens for it. */
async function setUp() {
  const { id: projectId, slug } = await test.project();
  const owner = await person(projectId, 'admin');
  const at = { workspaceId: projectId, environment: 'dev' };
  const put = async (name: string, secretPath: string, secretValue: string) =>
    expect((await test.admin('POST', `/api/v3/secrets/raw/${name}`, { ...at, secretPath, secretValue })).status).toBe(
      200,
    );
  await test.admin('POST', '/api/v1/folders', { ...at, name: 'app', path: '/' });
  await put('ROOT', '/', 'root value');
  await put('KEY', '/app', 'app value');
  const make = async (more: object = {}, call: Caller = owner.call) => {
    const answer = await call('POST', URL, {
      name: 'deploy',
      workspaceId: projectId,
      scopes: EVERYWHERE,
      encryptedKey: 'kept',
      iv: 'iv',
      tag: 'tag',
      expiresIn: null,
      permissions: ['read'],
      ...more,
    });
    expect([answer.status, answer.status === 200 ? undefined : answer.body]).toEqual([200, undefined]);
    const { serviceToken: token, serviceTokenData: data } = answer.body;
    return { token: token as string, data, body: answer.body, call: test.as(token) };
  };
  return { projectId, slug, owner, at, make, base: `/api/v1/workspace/${projectId}/service-token-data` };
}

const list = (call: Caller, projectId: string, query = '') =>
  call('GET', `/api/v3/secrets/raw?workspaceId=${projectId}&environment=dev${query}`);
const namesIn = ({ body }: Answer) => body.secrets.map((secret: { secretKey: string }) => secret.secretKey);

describe('service tokens', () => {
  it('are created, read by themselves, listed and revoked in the published shapes', async () => {
    const { projectId, owner, make, base } = await setUp();
    const { token, data, body, call } = await make({ expiresIn: 60 });
    expect(body).toEqual({
      serviceToken: expect.stringMatching(/^st\.[0-9a-f-]{36}\.[0-9a-f]{32}$/),
      serviceTokenData: {
        id: UUID,
        name: 'deploy',
        scopes: EVERYWHERE,
        permissions: ['read'],
        lastUsed: null,
        expiresAt: TIME,
        createdBy: owner.id,
        creator: {
          id: owner.id,
          username: owner.email,
          email: owner.email,
          firstName: 'Ann',
          lastName: 'Lee',
        },
        projectId,
        createdAt: TIME,
        updatedAt: TIME,
      },
    });
    expect(token.split('.')[1]).toBe(data.id);
    expect(new Date(data.expiresAt).getTime() - new Date(data.createdAt).getTime()).toBe(60_000);

    const own = await call('GET', URL);
    expect([own.status, own.body]).toEqual([
      200,
      {
        ...data,
        lastUsed: TIME,
        _id: data.id,
        __v: 0,
        workspace: projectId,
        secretHash: '',
        encryptedKey: 'kept',
        iv: 'iv',
        tag: 'tag',
        user: {
          id: owner.id,
          _id: owner.id,
          __v: 0,
          username: owner.email,
          email: owner.email,
          firstName: 'Ann',
          lastName: 'Lee',
          authMethods: ['email'],
          mfaMethods: null,
          devices: null,
          createdAt: TIME,
          updatedAt: TIME,
        },
      },
    ]);
    const listed = await owner.call('GET', base);
    expect([listed.status, listed.body]).toEqual([200, { serviceTokenData: [{ ...data, lastUsed: TIME }] }]);
    const ended = await owner.call('DELETE', `${URL}/${data.id}`);
    expect([ended.status, ended.body]).toEqual([200, { serviceTokenData: { ...data, lastUsed: TIME } }]);
    expect((await owner.call('GET', base)).body).toEqual({ serviceTokenData: [] });
    const events = await test.coffer.query<{ published: string; actor_type: string; data: object }>(
      {
        name: 'test.service_token_events',
        text: `select published, actor_type, data from audit_events where project_id = $1 and type like 'service_token.%' order by created_at, id`,
      },
      [projectId],
    );
    const about = { serviceTokenId: data.id, name: 'deploy', scopes: EVERYWHERE, permissions: ['read'] };
    expect(events).toEqual([
      { published: 'create-service-token', actor_type: 'user', data: about },
      { published: 'delete-service-token', actor_type: 'user', data: about },
    ]);
  });

  it('need nothing that only clients use', async () => {
    const { projectId, owner } = await setUp();
    const call = await owner.call('POST', URL, {
      name: 'bare',
      workspaceId: projectId,
      scopes: [{ environment: 'dev', secretPath: ' /app/ ' }],
      permissions: ['read', 'read'],
    });
    expect(call.body.serviceTokenData).toMatchObject({
      scopes: [{ environment: 'dev', secretPath: '/app' }],
      permissions: ['read'],
    });
    expect((await test.as(call.body.serviceToken)('GET', URL)).body).toMatchObject({
      encryptedKey: null,
      iv: null,
      tag: null,
    });
  });

  it('expire after 90 days by default, and never for callers who may create such', async () => {
    const { projectId, make } = await setUp();
    const lifeOf = ({ expiresAt, createdAt }: { expiresAt: string | null; createdAt: string }) =>
      expiresAt && Math.round((new Date(expiresAt).getTime() - new Date(createdAt).getTime()) / 1000);
    for (const expiresIn of [null, undefined]) expect(lifeOf((await make({ expiresIn })).data)).toBe(90 * 86_400);
    expect(lifeOf((await make({ expiresIn: 0 })).data)).toBeNull();
    const { call } = await person(projectId, 'member');
    expect(lifeOf((await make({}, call)).data)).toBe(90 * 86_400);
    const endless = { name: 'x', workspaceId: projectId, scopes: EVERYWHERE, permissions: ['read'], expiresIn: 0 };
    const { status, body } = await call('POST', URL, endless);
    expect([status, body.error, body.message]).toEqual([
      403,
      'PermissionDenied',
      expect.stringContaining('create-without-expiry service-tokens'),
    ]);
  });

  it('are accepted with a fourth part, which is ignored', async () => {
    const { make } = await setUp();
    const { token } = await make();
    for (const fourth of ['.0123456789abcdef0123456789abcdef', '.', '.a.b'])
      expect((await test.as(token + fourth)('GET', URL)).status).toBe(200);
  });

  it('are stored as a hash alone', async () => {
    const { make } = await setUp();
    const { token } = await make();
    const rows = await test.coffer.query({ name: 'test.service_tokens', text: 'select * from service_tokens' }, []);
    expect(JSON.stringify(rows)).not.toContain(token.split('.')[2]);
  });
});

describe('a service token that is none', () => {
  it('gets the same 401 for an unknown ID, a wrong secret, an expired token and a deleted row', async () => {
    const { make, owner } = await setUp();
    const { token, data } = await make();
    const [, id, secret] = token.split('.') as [string, string, string];
    const wrong = secret.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    const gone = await make();
    expect((await gone.call('GET', URL)).status).toBe(200);
    await owner.call('DELETE', `${URL}/${gone.data.id}`);
    const answers = await Promise.all(
      [
        `st.${NO_ONE}.${secret}`,
        `st.${id}.${wrong}`,
        `st.${id}.${secret.toUpperCase()}X`,
        `st.${id}.${secret}0`,
        `st.${id}.`,
        `st.${id}`,
        'st.',
        'st...',
        `st.${id}.${'%00'.repeat(10)}`,
        gone.token,
      ].map((text) => test.as(text)('GET', URL)),
    );
    const [first, ...others] = answers.map((answer) => [answer.status, bodyOf(answer)]);
    expect(first?.[0]).toBe(401);
    for (const other of others) expect(other).toEqual(first);
    expect((await test.as(token)('GET', URL)).body.id).toBe(data.id);
  });

  it('expires exactly at its end, with and without a cache', async () => {
    const clock = await testServer({ clock: 'standing' });
    try {
      const { id: projectId } = await clock.project();
      const user = await makeUser(clock.coffer, { organizationId: clock.organizationId });
      await clock.admin('POST', `/api/v2/workspace/${projectId}/memberships`, {
        usernames: [user.email],
        roleSlugs: ['admin'],
      });
      const make = async () =>
        (
          await clock.as(user.token)('POST', URL, {
            name: 'short',
            workspaceId: projectId,
            scopes: EVERYWHERE,
            permissions: ['read'],
            expiresIn: 60,
          })
        ).body.serviceToken as string;
      const [used, unused] = [await make(), await make()];
      const statusOf = async (token: string) => (await clock.as(token)('GET', URL)).status;
      expect(await statusOf(used)).toBe(200);
      clock.advance(59_999);
      expect([await statusOf(used), await statusOf(unused)]).toEqual([200, 200]);
      clock.advance(1);
      expect([await statusOf(used), await statusOf(unused), await statusOf(await make())]).toEqual([401, 401, 200]);
    } finally {
      await clock.close();
    }
  });

  it('is revoked immediately here, and within a second in another process', async () => {
    const { make, owner } = await setUp();
    const { token, data, call } = await make();
    const other = await anotherProcess(test);
    const { app } = other;
    const there = async () =>
      (await app.inject({ method: 'GET', url: URL, headers: { authorization: `Bearer ${token}` } })).statusCode;
    try {
      expect([await there(), (await call('GET', URL)).status]).toEqual([200, 200]);
      expect((await owner.call('DELETE', `${URL}/${data.id}`)).status).toBe(200);
      expect((await call('GET', URL)).status).toBe(401);
      await expect.poll(there).toBe(401);
    } finally {
      await other.close();
    }
  });

  it('is deleted with its project', async () => {
    const { make, projectId } = await setUp();
    const { call } = await make();
    expect((await call('GET', URL)).status).toBe(200);
    expect((await test.admin('DELETE', `/api/v1/projects/${projectId}`)).status).toBe(200);
    expect((await call('GET', URL)).status).toBe(401);
  });
});

describe('making a service token', () => {
  const input = (projectId: string) => ({
    name: 'x',
    workspaceId: projectId,
    scopes: EVERYWHERE,
    permissions: ['read'],
    expiresIn: null,
  });

  it('is only for users with the permission: not for other callers, machine identities, service tokens or viewers', async () => {
    const { projectId, make } = await setUp();
    const stranger = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'member' });
    const foreign = await test.foreign();
    const foreigner = await makeUser(test.coffer, { organizationId: foreign.organizationId, role: 'admin' });
    const viewer = await person(projectId, 'viewer');
    expect((await test.as()('POST', URL, input(projectId))).status).toBe(401);
    const unknown = await viewer.call('POST', URL, input(NO_ONE));
    expect(unknown.status).toBe(404);
    for (const token of [stranger.token, foreigner.token])
      expect(bodyOf(await test.as(token)('POST', URL, input(projectId)))).toEqual(bodyOf(unknown));
    expect((await test.as(stranger.token)('POST', URL, input('no-uuid'))).status).toBe(404);
    expect((await viewer.call('POST', URL, input(projectId))).body.error).toBe('PermissionDenied');
    for (const call of [test.admin, (await make()).call]) {
      const { status, body } = await call('POST', URL, input(projectId));
      expect([status, body.error]).toEqual([403, 'ForbiddenError']);
    }
  });

  it('has no rights that its creator lacks', async () => {
    const { projectId } = await setUp();
    const role = await test.admin('POST', `/api/v1/projects/${projectId}/roles`, {
      slug: 'app-only',
      name: 'App only',
      permissions: [
        { subject: 'service-tokens', action: ['create'] },
        {
          subject: 'secrets',
          action: ['describeSecret', 'readValue'],
          conditions: { environment: 'dev', secretPath: '/app' },
        },
        ...['secret-folders', 'secret-imports'].map((subject) => ({
          subject,
          action: ['read'],
          conditions: { environment: 'dev', secretPath: { $glob: '/app/**' } },
        })),
      ],
    });
    expect(role.status).toBe(200);
    const { call } = await person(projectId, 'app-only');
    const attempt = async (environment: string, secretPath: string, ...permissions: string[]) => {
      const scopes = [{ environment, secretPath }];
      const { status, body } = await call('POST', URL, { ...input(projectId), scopes, permissions });
      return status === 200 ? 200 : [status, body.error];
    };
    const refused = [403, 'PermissionBoundaryError'];
    expect(await attempt('dev', '/app', 'readValue')).toBe(200);
    expect(await attempt('dev', '/app', 'write')).toEqual(refused);
    expect(await attempt('dev', '/app', 'readValue', 'write')).toEqual(refused);
    expect(await attempt('dev', '/', 'readValue')).toEqual(refused);
    expect(await attempt('dev', '/app/**', 'readValue')).toEqual(refused);
    expect(await attempt('dev', '/*', 'readValue')).toEqual(refused);
    expect(await attempt('prod', '/app', 'readValue')).toEqual(refused);
    const two = await call('POST', URL, {
      ...input(projectId),
      permissions: ['readValue'],
      scopes: [
        { environment: 'dev', secretPath: '/app' },
        { environment: 'dev', secretPath: '/' },
      ],
    });
    expect(two.body.details.missingPermissions).toEqual([
      expect.objectContaining({ subject: 'secrets', conditions: { environment: 'dev', secretPath: '/' } }),
      expect.objectContaining({ subject: 'secrets', conditions: { environment: 'dev', secretPath: '/' } }),
    ]);
  });

  it('rejects invalid scopes, permissions and times', async () => {
    const { projectId, owner } = await setUp();
    const attempt = async (more: object) => (await owner.call('POST', URL, { ...input(projectId), ...more })).status;
    const at = (secretPath: unknown, environment: unknown = 'dev') => ({ scopes: [{ environment, secretPath }] });
    expect(await attempt(at('/app', 'nowhere'))).toBe(404);
    for (const wrong of [
      { scopes: [] },
      { scopes: Array.from({ length: 101 }, () => EVERYWHERE[0]) },
      at('app'),
      at('/['),
      at(`/${'x'.repeat(1024)}`),
      at(7),
      at('/app', ''),
      { permissions: ['admin'] },
      { permissions: 'read' },
      { expiresIn: -1 },
      { expiresIn: 1.5 },
      { expiresIn: 315_360_001 },
      { name: ' ' },
      { name: 'x'.repeat(256) },
      { name: 'a\0b' },
      { encryptedKey: 'x'.repeat(10_001) },
    ])
      expect([wrong, await attempt(wrong)]).toEqual([wrong, 422]);
    expect(await attempt({ expiresIn: 0 })).toBe(200);
  });
});

describe('listing and ending service tokens', () => {
  it('rejects a missing token, another organization, non-members, and members without the permission', async () => {
    const { projectId, make, base } = await setUp();
    const { data, call: service } = await make();
    const one = `${URL}/${data.id}`;
    const foreign = await test.foreign();
    const stranger = await test.identity({ organizationRole: 'member' });
    const reader = await test.identity({ projectId, rules: [{ subject: 'secrets', action: ['describeSecret'] }] });
    for (const [method, url, unknown] of [
      ['GET', base, `/api/v1/workspace/${NO_ONE}/service-token-data`],
      ['DELETE', one, `${URL}/${NO_ONE}`],
    ] as const) {
      expect((await test.as()(method, url)).status).toBe(401);
      const nothing = await foreign.call(method, unknown);
      expect(nothing.status).toBe(404);
      for (const call of [foreign.call, stranger.call])
        expect(bodyOf(await call(method, url))).toEqual(bodyOf(nothing));
      expect((await reader.call(method, url)).body.error).toBe('PermissionDenied');
      expect((await service(method, url)).status).toBe(403);
    }
    expect((await test.admin('DELETE', `${URL}/no-uuid`)).status).toBe(404);
    expect((await reader.call('GET', URL)).body.error).toBe('ForbiddenError');
    expect((await test.as()('GET', URL)).status).toBe(401);
    expect((await test.admin('DELETE', one)).status).toBe(200);
    expect((await test.admin('DELETE', one)).status).toBe(404);
  });
});

describe('the permissions of a service token', () => {
  it('reads in its scopes, and nothing elsewhere', async () => {
    const { projectId, slug, at, make } = await setUp();
    const { call } = await make({ scopes: [{ environment: 'dev', secretPath: '/app/**' }] });
    expect(namesIn(await list(call, projectId, '&secretPath=/app'))).toEqual(['KEY']);
    expect(
      (await call('GET', `/api/v4/secrets/KEY?projectId=${projectId}&environment=dev&secretPath=/app`)).body.secret,
    ).toMatchObject({
      secretValue: 'app value',
      secretValueHidden: false,
    });
    expect(
      (await call('GET', `/api/v3/secrets/raw/KEY?workspaceSlug=${slug}&environment=dev&secretPath=/app`)).status,
    ).toBe(200);
    expect(namesIn(await list(call, projectId))).toEqual([]);
    expect(namesIn(await list(call, projectId, '&recursive=true'))).toEqual(['KEY']);
    for (const [path, status] of [
      [`/api/v4/secrets/ROOT?projectId=${projectId}&environment=dev`, 403],
      [`/api/v4/secrets/KEY?projectId=${projectId}&environment=prod&secretPath=/app`, 403],
      [`/api/v2/folders?projectId=${projectId}&environment=prod`, 403],
      [`/api/v2/folders?projectId=${projectId}&environment=dev&path=/app`, 200],
      [`/api/v2/secret-imports?projectId=${projectId}&environment=dev&path=/app`, 200],
      [`/api/v2/secret-imports?projectId=${projectId}&environment=dev&path=/`, 403],
    ] as const)
      expect([path, (await call('GET', path)).status]).toEqual([path, status]);
    const write = await call('POST', '/api/v3/secrets/raw/NEW', { ...at, secretPath: '/app', secretValue: 'x' });
    expect([write.status, write.body.error]).toEqual([403, 'PermissionDenied']);
  });

  it('writes, changes and deletes secrets, folders and imports with `write`, and then reads nothing', async () => {
    const { projectId, at, make } = await setUp();
    const { call, data } = await make({ permissions: ['write'] });
    const done = async (method: 'POST' | 'PATCH' | 'DELETE', url: string, body: object) => {
      const answer = await call(method, url, body);
      expect([url, answer.status, answer.status === 200 ? undefined : answer.body]).toEqual([url, 200, undefined]);
      return answer.body;
    };
    const { secret } = await done('POST', '/api/v3/secrets/raw/NEW', { ...at, secretValue: 'x' });
    expect(secret).toMatchObject({
      secretValueHidden: true,
      actor: null,
    });
    await done('PATCH', '/api/v3/secrets/raw/NEW', { ...at, secretValue: 'y' });
    await done('POST', '/api/v3/secrets/batch/raw', { ...at, secrets: [{ secretKey: 'A', secretValue: '1' }] });
    await done('PATCH', '/api/v3/secrets/batch/raw', { ...at, secrets: [{ secretKey: 'A', secretValue: '2' }] });
    await done('DELETE', '/api/v3/secrets/batch/raw', { ...at, secrets: [{ secretKey: 'A' }] });
    await done('DELETE', '/api/v3/secrets/raw/NEW', at);
    const { folder } = await done('POST', '/api/v1/folders', { ...at, name: 'made', path: '/' });
    await done('PATCH', `/api/v1/folders/${folder.id}`, { ...at, name: 'renamed', path: '/' });
    await done('DELETE', `/api/v1/folders/${folder.id}`, { ...at, path: '/' });
    expect((await list(call, projectId)).body.secrets).toEqual([]);
    expect((await call('GET', `/api/v4/secrets/ROOT?projectId=${projectId}&environment=dev`)).status).toBe(403);
    const events = await test.coffer.query<{ actor: object; actor_id: string }>(
      {
        name: 'test.service_actor_events',
        text: `select distinct actor, actor_id from audit_events where project_id = $1 and actor_type = 'service'`,
      },
      [projectId],
    );
    expect(events).toEqual([{ actor_id: data.id, actor: { serviceId: data.id, name: 'deploy' } }]);
  });

  it('creates imports with both permissions, and only of what it may read', async () => {
    const { at, make } = await setUp();
    const { call } = await make({ permissions: ['read', 'write'] });
    const made = await call('POST', '/api/v1/secret-imports', {
      ...at,
      path: '/',
      import: { environment: 'dev', path: '/app' },
    });
    expect(made.status).toBe(200);
    const id = made.body.secretImport.id;
    expect((await call('PATCH', `/api/v1/secret-imports/${id}`, { ...at, import: { position: 1 } })).status).toBe(200);
    expect((await call('DELETE', `/api/v1/secret-imports/${id}`, at)).status).toBe(200);
    const beyond = await call('POST', '/api/v1/secret-imports', { ...at, import: { environment: 'prod', path: '/' } });
    expect(beyond.status).toBe(403);
  });

  it('reads values with `readValue` alone, but not folders and imports', async () => {
    const { projectId, make } = await setUp();
    const { call } = await make({ permissions: ['readValue'], scopes: [{ environment: 'dev', secretPath: '/app' }] });
    expect((await list(call, projectId, '&secretPath=/app')).body.secrets).toMatchObject([
      { secretValue: 'app value' },
    ]);
    expect((await call('GET', `/api/v2/secret-imports?projectId=${projectId}&environment=dev&path=/app`)).status).toBe(
      403,
    );
  });

  it('does nothing without permissions', async () => {
    const { projectId, make } = await setUp();
    const { call } = await make({ permissions: [] });
    expect((await list(call, projectId)).body.secrets).toEqual([]);
    expect((await call('GET', `/api/v4/secrets/ROOT?projectId=${projectId}&environment=dev`)).status).toBe(403);
  });

  it('cannot access another project, by ID or by slug, nor operations for other actors', async () => {
    const { make } = await setUp();
    const other = await setUp();
    const { call } = await make({ permissions: ['read', 'write'] });
    const unknown = await list(call, NO_ONE);
    expect(unknown.status).toBe(404);
    expect(bodyOf(await list(call, other.projectId))).toEqual(bodyOf(unknown));
    const bySlug = (slug: string) => call('GET', `/api/v3/secrets/raw?workspaceSlug=${slug}&environment=dev`);
    expect(bodyOf(await bySlug(other.slug))).toEqual(bodyOf(await bySlug('no-such-project')));
    const foreignFolder = await test.admin('GET', `/api/v1/folders?workspaceId=${other.projectId}&environment=dev`);
    expect((await call('GET', `/api/v1/folders/${foreignFolder.body.folders[0].id}`)).status).toBe(404);
    for (const url of [
      '/api/v1/workspace',
      `/api/v1/workspace/${other.projectId}`,
      '/api/v1/organization',
      '/api/v1/identities/details',
      '/api/v2/users/me',
    ])
      expect([url, (await call('GET', url)).status]).toEqual([url, 403]);
  });

  it('has no personal secrets', async () => {
    const { at, make } = await setUp();
    const { call } = await make({ permissions: ['read', 'write'] });
    const { status } = await call('POST', '/api/v3/secrets/raw/ROOT', { ...at, type: 'personal', secretValue: 'x' });
    expect(status).toBe(403);
  });

  it('is revoked when its creator leaves the project, and no longer listed', async () => {
    const { projectId, make, at, owner, base } = await setUp();
    const leaving = await person(projectId, 'member');
    const { call, data } = await make({}, leaving.call);
    expect((await owner.call('GET', base)).body.serviceTokenData).toMatchObject([
      { id: data.id, creator: { username: leaving.email } },
    ]);
    expect(
      (await test.admin('DELETE', `/api/v2/workspace/${projectId}/memberships`, { usernames: [leaving.email] })).status,
    ).toBe(200);
    expect(
      (await leaving.call('GET', `/api/v1/folders?workspaceId=${projectId}&environment=${at.environment}`)).status,
    ).toBe(404);
    expect((await list(call, projectId)).status).toBe(401);
    expect((await owner.call('GET', base)).body.serviceTokenData).toEqual([]);
    expect((await test.admin('DELETE', `${URL}/${data.id}`)).status).toBe(404);
  });

  it('has environments by their slugs, like rules of roles: a renamed one is another one', async () => {
    const { projectId, make } = await setUp();
    const { call } = await make();
    expect(namesIn(await list(call, projectId))).toEqual(['ROOT']);
    const { body } = await test.admin('GET', `/api/v1/workspace/${projectId}`);
    const dev = body.workspace.environments.find(({ slug }: { slug: string }) => slug === 'dev');
    await test.admin('PATCH', `/api/v1/workspace/${projectId}/environments/${dev.id}`, { slug: 'develop' });
    expect((await call('GET', `/api/v4/secrets/ROOT?projectId=${projectId}&environment=develop`)).status).toBe(403);
  });
});

describe('a service token for one folder', () => {
  it('need not name project, environment and path when it reads', async () => {
    const { projectId, make } = await setUp();
    const { call } = await make({ scopes: [{ environment: 'dev', secretPath: '/app' }] });
    for (const query of ['', '?secretPath=/', `?workspaceId=${projectId}`, '?environment=dev&secretPath=/app'])
      expect([query, namesIn(await call('GET', `/api/v3/secrets/raw${query}`))]).toEqual([query, ['KEY']]);
    const one = await call('GET', '/api/v3/secrets/raw/KEY');
    expect([one.status, one.body.secret.secretValue]).toEqual([200, 'app value']);
    expect((await call('GET', '/api/v3/secrets/raw/NONE')).status).toBe(404);
  });

  it('cannot access another location than the named one', async () => {
    const { projectId, make } = await setUp();
    const { call } = await make({ scopes: [{ environment: 'dev', secretPath: '/app' }] });
    expect(namesIn(await call('GET', '/api/v3/secrets/raw?environment=prod'))).toEqual([]);
    expect((await call('GET', '/api/v3/secrets/raw/KEY?environment=prod')).status).toBe(403);
    expect((await call('GET', '/api/v3/secrets/raw/KEY?secretPath=/other')).status).toBe(403);
    expect((await call('GET', `/api/v3/secrets/raw?workspaceId=${NO_ONE}`)).status).toBe(404);
    expect((await call('GET', `/api/v3/secrets/raw?workspaceId=${projectId}`)).status).toBe(200);
  });

  it('is the only exception: with a glob, with several scopes and for other actors, the location is required', async () => {
    const { projectId, make } = await setUp();
    const glob = await make({ scopes: [{ environment: 'dev', secretPath: '/a*' }] });
    const two = await make({
      scopes: [
        { environment: 'dev', secretPath: '/app' },
        { environment: 'prod', secretPath: '/' },
      ],
    });
    for (const call of [glob.call, two.call, test.admin]) {
      expect((await call('GET', '/api/v3/secrets/raw')).status).toBe(400);
      expect((await call('GET', '/api/v3/secrets/raw?environment=dev')).status).toBe(400);
      expect((await call('GET', `/api/v3/secrets/raw/KEY?workspaceId=${projectId}`)).status).toBe(400);
    }
  });
});
