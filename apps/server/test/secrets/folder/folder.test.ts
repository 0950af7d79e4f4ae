import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder, folderTree, TIME, UUID, type FolderTree } from '../../harness/folder-tree.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let tree: FolderTree;
beforeAll(async () => {
  test = await testServer();
  tree = folderTree(test);
});
afterAll(() => test.close());

describe('creating a folder', () => {
  it('returns it in both generations, with path or directory', async () => {
    const { id: projectId } = await test.project();
    const first = await test.admin('POST', '/api/v1/folders', {
      workspaceId: projectId,
      environment: 'dev',
      name: 'app',
      path: '/',
      description: 'The app',
      projectId: 'ignored',
    });
    expect([first.status, first.body]).toEqual([200, { folder: folder({ name: 'app', description: 'The app' }) }]);
    const second = await test.admin('POST', '/api/v2/folders', {
      projectId,
      environment: 'dev',
      name: 'config',
      directory: '/app/',
    });
    expect(second.body).toEqual({ folder: folder({ name: 'config', parentId: first.body.folder.id }) });
    const third = await test.admin('POST', '/api/v2/folders', {
      projectId,
      environment: 'dev',
      name: 'Root',
      path: ' / ',
      directory: '/app',
    });
    expect(third.body.folder.name).toBe('Root');
    expect(await tree.paths(projectId)).toEqual(['/Root', '/app', '/app/config']);
    const events = await test.coffer.query(
      {
        name: 'test.folder_events',
        text: `select data from audit_events where project_id = $1 and type = 'folder.created' order by id`,
      },
      [projectId],
    );
    expect(events[1]).toEqual({ data: { environment: 'dev', folderId: second.body.folder.id, path: '/app/config' } });
  });

  it('creates missing parents', async () => {
    const { id: projectId } = await test.project();
    expect((await tree.make(projectId, '/a/b/c/d')).status).toBe(200);
    expect(await tree.paths(projectId)).toEqual(['/a', '/a/b', '/a/b/c', '/a/b/c/d']);
    await tree.requireSound(projectId);
  });

  it('needs the permission in each folder in which one is created', async () => {
    const { id: projectId } = await test.project();
    const { call } = await test.identity({
      projectId,
      rules: [
        {
          subject: 'secret-folders',
          action: 'create',
          conditions: { environment: 'dev', secretPath: { $glob: '/app/**' } },
        },
      ],
    });
    expect((await tree.make(projectId, '/app/x/y', call)).status).toBe(403);
    expect(await tree.paths(projectId)).toEqual([]);
    await tree.make(projectId, '/app');
    expect((await tree.make(projectId, '/app/x/y', call)).status).toBe(200);
    expect((await tree.make(projectId, '/other', call)).status).toBe(403);
    expect(
      (await call('POST', '/api/v1/folders', { workspaceId: projectId, environment: 'prod', name: 'x', path: '/app' }))
        .status,
    ).toBe(403);
    expect(await tree.paths(projectId)).toEqual(['/app', '/app/x', '/app/x/y']);
  });

  it('omits folders of replication', async () => {
    const { id: projectId } = await test.project();
    const { id } = (await tree.make(projectId, '/a/hidden')).body.folder;
    await test.coffer.query(
      {
        name: 'test.reserve',
        text: `update folders set is_reserved = true, name = '__reserve_replication_1', path = '/a/__reserve_replication_1' where id = $1`,
      },
      [id],
    );
    expect((await tree.make(projectId, '/a/__reserve_replication_1/b')).status).toBe(404);
    expect(await tree.paths(projectId)).toEqual(['/a']);
    expect((await test.admin('GET', `/api/v1/folders/${id}`)).status).toBe(404);
    expect(
      (await test.admin('DELETE', `/api/v1/folders/${id}`, { workspaceId: projectId, environment: 'dev' })).status,
    ).toBe(404);
    expect(
      (await test.admin('DELETE', '/api/v1/folders/a', { workspaceId: projectId, environment: 'dev', path: '/' }))
        .status,
    ).toBe(200);
  });

  it('creates one of two concurrent requests, and rejects the other', async () => {
    const { id: projectId } = await test.project();
    const answers = await Promise.all(Array.from({ length: 8 }, () => tree.make(projectId, '/deep/in/there')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 400, 400, 400, 400, 400, 400, 400,
    ]);
    expect(answers.find(({ status }) => status === 400)!.body).toMatchObject({
      error: 'BadRequest',
      message: 'A folder with this name already exists here',
    });
    const siblings = await Promise.all(Array.from({ length: 8 }, (_, n) => tree.make(projectId, `/shared/way/n${n}`)));
    expect(new Set(siblings.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(siblings.map(({ body }) => body.folder.parentId)).size).toBe(1);
    await tree.requireSound(projectId);
  });

  it.each([
    ['', 422],
    ['.', 422],
    ['..', 422],
    ['a/b', 422],
    ['a b', 422],
    ['a.b', 422],
    ['%2e%2e', 422],
    ['*', 422],
    ['**', 422],
    ['{a,b}', 422],
    ['[!a]', 422],
    ['a\0b', 422],
    ['ä', 422],
    ['\u0430', 422],
    ['a\u200b', 422],
    ['x'.repeat(256), 422],
    ['__reserve_replication_x', 422],
    ['x'.repeat(255), 200],
    ['root', 200],
    ['A-b_9', 200],
    ['-', 200],
    ['constructor', 200],
    ['__proto__', 200],
  ])('with the name %j returns %i', async (name, status) => {
    const { id: projectId } = await test.project();
    expect(
      (await test.admin('POST', '/api/v1/folders', { workspaceId: projectId, environment: 'dev', name })).status,
    ).toBe(status);
    expect(await tree.names(projectId, '/')).toEqual(status === 200 ? [name] : []);
  });

  it('refuses paths that are too long, unknown environments and projects', async () => {
    const { id: projectId } = await test.project();
    const long = `/${Array.from({ length: 8 }, () => 'x'.repeat(250)).join('/')}`;
    expect((await tree.make(projectId, `${long}/${'y'.repeat(100)}`)).status).toBe(400);
    expect(await tree.paths(projectId)).toEqual([]);
    expect((await tree.make(projectId, `${long}/y`)).status).toBe(200);
    expect(
      (await test.admin('POST', '/api/v1/folders', { workspaceId: projectId, environment: 'none', name: 'x' })).status,
    ).toBe(404);
    expect(
      (await test.admin('POST', '/api/v1/folders', { workspaceId: projectId, environment: 'DEV', name: 'x' })).status,
    ).toBe(404);
    expect(
      (await test.admin('POST', '/api/v1/folders', { workspaceId: projectId, environment: 'd\0', name: 'x' })).status,
    ).toBe(422);
    expect((await test.admin('POST', '/api/v1/folders', { environment: 'dev', name: 'x' })).status).toBe(422);
    expect((await tree.make(projectId, '/a/__reserve_replication_1/b')).status).toBe(404);
  });
});

describe('the path of a folder', () => {
  it.each([
    ['/app', 200],
    ['/app/', 200],
    ['%2Fapp', 200],
    ['+/app+', 200],
    ['/app/config', 200],
    ['', 200],
    ['/', 200],
    ['/App', 404],
    ['/root', 404],
    ['/none', 404],
    ['/app/__reserve_replication_1', 404],
    ['//app', 422],
    ['/app//', 422],
    ['//', 422],
    ['/./app', 422],
    ['/app/.', 422],
    ['/x/../app', 422],
    ['/..', 422],
    ['app', 422],
    ['app/', 422],
    ['%252Fapp', 422],
    ['/%2561pp', 422],
    ['/app%2F..', 422],
    ['/app%5Cconfig', 422],
    ['/app%00', 422],
    ['/ap%CC%88p', 422],
    ['/%D0%B0pp', 422],
    ['/app*', 422],
    ['/**', 422],
    ['/{app,b}', 422],
    ['/[!a]pp', 422],
    ['/app ', 200],
    ['/app%09config', 422],
    [`/${'x'.repeat(256)}`, 422],
    [`/${'x/'.repeat(1024)}x`, 422],
  ])('%s returns %i', async (path, status) => {
    const { id: projectId } = await test.project();
    await tree.make(projectId, '/app/config');
    const listed = await test.admin(
      'GET',
      `/api/v1/folders?workspaceId=${projectId}&environment=dev&path=${path.replaceAll(' ', '%20')}`,
    );
    expect(listed.status).toBe(status);
    const directory = await test.admin(
      'GET',
      `/api/v2/folders?projectId=${projectId}&environment=dev&directory=${path.replaceAll(' ', '%20')}`,
    );
    expect(directory.status).toBe(status);
  });

  it('is checked in canonical form, also if a rule forbids one', async () => {
    const { id: projectId } = await test.project();
    await tree.make(projectId, '/app/locked');
    const { call } = await test.identity({
      projectId,
      rules: [
        { subject: 'secret-folders', action: ['create', 'edit', 'delete', 'read'] },
        { subject: 'secret-folders', action: ['create'], conditions: { secretPath: '/app/locked' }, inverted: true },
      ],
    });
    for (const path of ['/app/locked', '/app/locked/', ' /app/locked ']) {
      expect(
        (await call('POST', '/api/v1/folders', { workspaceId: projectId, environment: 'dev', name: 'x', path })).status,
      ).toBe(403);
    }
    for (const path of ['/app//locked', '/app/./locked', '/app/x/../locked', '/app/%6cocked', '/app/locked//']) {
      expect(
        (await call('POST', '/api/v1/folders', { workspaceId: projectId, environment: 'dev', name: 'x', path })).status,
      ).toBe(422);
    }
    expect(await tree.paths(projectId)).toEqual(['/app', '/app/locked']);
  });
});

describe('listing folders', () => {
  it('returns the children, or the subtree with relative paths', async () => {
    const { id: projectId } = await test.project();
    for (const path of ['/app/b/c', '/app/a', '/app-x', '/app2/a']) await tree.make(projectId, path);
    expect(await tree.names(projectId, '/')).toEqual(['app', 'app-x', 'app2']);
    expect(await tree.names(projectId, '/app')).toEqual(['a', 'b']);
    const { body } = await test.admin(
      'GET',
      `/api/v2/folders?projectId=${projectId}&environment=dev&path=/app&recursive=true`,
    );
    expect(body).toEqual({
      folders: [
        folder({ name: 'a', relativePath: '/a' }),
        folder({ name: 'b', relativePath: '/b' }),
        folder({ name: 'c', relativePath: '/b/c' }),
      ],
    });
    expect(
      (await test.admin('GET', `/api/v1/folders?workspaceId=${projectId}&environment=dev&recursive=yes`)).status,
    ).toBe(422);
    expect((await test.admin('GET', `/api/v1/folders?workspaceId=${projectId}&environment=none`)).status).toBe(404);
  });

  it('selects those in which a secret was written or deleted since', async () => {
    const { id: projectId } = await test.project();
    for (const path of ['/old', '/written', '/deleted', '/empty']) await tree.make(projectId, path);
    for (const path of ['/old', '/written', '/deleted']) await tree.setSecret(projectId, path, 'KEY');
    const list = (since: string) =>
      test.admin('GET', `/api/v1/folders?workspaceId=${projectId}&environment=dev&lastSecretModified=${since}`);
    const before = (await list('2020-01-01T00:00:00Z')).body.folders;
    expect(before.map((one: { name: string }) => one.name)).toEqual(['deleted', 'old', 'written']);
    expect(before[0].lastSecretModified).toEqual(TIME);
    test.advance(60_000);
    const since = new Date(test.coffer.now().getTime() - 30_000).toISOString();
    await test.admin('PATCH', '/api/v3/secrets/raw/KEY', {
      workspaceId: projectId,
      environment: 'dev',
      secretPath: '/written',
      secretValue: 'new',
    });
    await test.admin('DELETE', '/api/v3/secrets/raw/KEY', {
      workspaceId: projectId,
      environment: 'dev',
      secretPath: '/deleted',
    });
    expect((await list(since)).body.folders.map((one: { name: string }) => one.name)).toEqual(['deleted', 'written']);
    expect((await list('yesterday')).status).toBe(422);
  });

  it('returns visible folders, and their parents', async () => {
    const { id: projectId } = await test.project();
    for (const path of ['/app/config/db', '/app/other', '/hidden/deep', '/secret/open'])
      await tree.make(projectId, path);
    const { call } = await test.identity({
      projectId,
      rules: [
        {
          subject: 'secrets',
          action: 'readValue',
          conditions: { environment: 'dev', secretPath: '/app/config/db', secretName: 'KEY' },
        },
        {
          subject: 'secret-folders',
          action: 'create',
          conditions: { environment: 'dev', secretPath: { $glob: '/secret/**' } },
        },
        { subject: 'secret-folders', action: 'read', conditions: { secretPath: '/secret' }, inverted: true },
      ],
    });
    expect(await tree.paths(projectId, call)).toEqual([
      '/app',
      '/app/config',
      '/app/config/db',
      '/secret',
      '/secret/open',
    ]);
    expect(await tree.names(projectId, '/', call)).toEqual(['app', 'secret']);
    expect(await tree.names(projectId, '/app', call)).toEqual(['config']);
    const get = async (path: string) =>
      (await call('GET', `/api/v1/folders/${await tree.idAt(projectId, path)}`)).status;
    expect([
      await get('/app/config/db'),
      await get('/app'),
      await get('/secret'),
      await get('/secret/open'),
      await get('/hidden'),
    ]).toEqual([200, 403, 403, 200, 403]);
    for (const path of ['/hidden', '/none', '/app/other']) {
      expect((await call('GET', `/api/v1/folders?workspaceId=${projectId}&environment=dev&path=${path}`)).status).toBe(
        403,
      );
    }
    expect((await call('GET', `/api/v1/folders?workspaceId=${projectId}&environment=prod`)).status).toBe(403);
    const { call: nobody } = await test.identity({ projectId, projectRole: 'no-access' });
    expect((await nobody('GET', `/api/v1/folders?workspaceId=${projectId}&environment=dev`)).status).toBe(403);
    const { call: viewer } = await test.identity({ projectId, projectRole: 'viewer' });
    expect(await tree.paths(projectId, viewer)).toEqual(await tree.paths(projectId));
  });
});

describe('reading a folder', () => {
  it('returns it with its location, by ID and by path', async () => {
    const { id: projectId } = await test.project();
    const { id } = (await tree.make(projectId, '/app/config')).body.folder;
    const placed = folder({
      id,
      name: 'config',
      environment: { envId: UUID, envName: 'Development', envSlug: 'dev' },
      path: '/app/config',
      projectId,
    });
    for (const url of [
      `/api/v1/folders/${id}`,
      `/api/v2/folders/${id}`,
      `/api/v1/folders/${projectId}/dev/%2Fapp%2Fconfig`,
    ]) {
      expect((await test.admin('GET', url)).body).toEqual({ folder: placed });
    }
    expect((await test.admin('GET', `/api/v1/folders/${projectId}/dev/%2Fapp%2Fnone`)).status).toBe(404);
    expect((await test.admin('GET', `/api/v1/folders/${projectId}/dev/%2F`)).body.folder).toMatchObject({
      name: 'root',
      path: '/',
      parentId: null,
    });
  });
});

describe('folders of others', () => {
  it('are unknown', async () => {
    const { id: projectId, slug } = await test.project();
    const own = await test.project();
    const { id } = (await tree.make(projectId, '/app')).body.folder;
    const facts = ({ status, body: { reqId: _, ...body } }: { status: number; body: Record<string, unknown> }) => ({
      status,
      body,
    });
    const outsider = await test.identity({ organizationRole: 'admin', projectId: own.id, projectRole: 'admin' });
    for (const call of [(await test.foreign()).call, outsider.call]) {
      const unknown = facts(await call('GET', `/api/v1/folders/${randomUUID()}`));
      expect(unknown.status).toBe(404);
      for (const text of [id, 'no-uuid', '%00'])
        expect(facts(await call('GET', `/api/v1/folders/${text}`))).toEqual(unknown);
      const requests = (project: string, projectSlug: string) =>
        [
          ['GET', `/api/v1/folders?workspaceId=${project}&environment=dev`],
          ['GET', `/api/v2/folders?projectId=${project}&environment=dev`],
          ['GET', `/api/v1/folders/${project}/dev/%2Fapp`],
          ['POST', '/api/v1/folders', { workspaceId: project, environment: 'dev', name: 'x' }],
          ['PATCH', `/api/v1/folders/${id}`, { workspaceId: project, environment: 'dev', name: 'x' }],
          ['DELETE', `/api/v1/folders/${id}`, { workspaceId: project, environment: 'dev' }],
          ['DELETE', '/api/v1/folders/app', { workspaceId: project, environment: 'dev', path: '/' }],
          ['PATCH', '/api/v1/folders/batch', { projectSlug, folders: [{ id, environment: 'dev', name: 'x' }] }],
        ] as const;
      const never = [requests(randomUUID(), 'none-such'), requests('no-uuid', '../x')];
      for (const [index, [method, url, body]] of requests(projectId, slug).entries()) {
        const there = facts(await call(method, url, body));
        expect(there.status).toBe(404);
        for (const [otherMethod, otherUrl, otherBody] of never.map((list) => list[index]!))
          expect(facts(await call(otherMethod, otherUrl, otherBody))).toEqual(there);
      }
    }
    expect(
      (await outsider.call('PATCH', `/api/v1/folders/${id}`, { workspaceId: own.id, environment: 'dev', name: 'x' }))
        .status,
    ).toBe(404);
    expect(
      (await outsider.call('DELETE', `/api/v1/folders/${id}`, { workspaceId: own.id, environment: 'dev' })).status,
    ).toBe(404);
    expect((await test.as()('GET', `/api/v1/folders/${id}`)).status).toBe(401);
    expect((await tree.make(projectId, '/x', test.as())).status).toBe(401);
    expect(await tree.paths(projectId)).toEqual(['/app']);
  });

  it('need the right for each operation', async () => {
    const { id: projectId } = await test.project();
    const { id } = (await tree.make(projectId, '/app')).body.folder;
    const requests = {
      create: ['POST', '/api/v1/folders', { workspaceId: projectId, environment: 'dev', name: 'x' }],
      edit: ['PATCH', `/api/v2/folders/${id}`, { projectId, environment: 'dev', name: 'x' }],
      delete: ['DELETE', `/api/v2/folders/${id}`, { projectId, environment: 'dev' }],
    } as const;
    for (const allowed of ['read', 'create', 'edit', 'delete']) {
      const { call } = await test.identity({ projectId, rules: [{ subject: 'secret-folders', action: allowed }] });
      for (const [, [method, url, body]] of Object.entries(requests).filter(([action]) => action !== allowed)) {
        expect((await call(method, url, body)).body).toMatchObject({ statusCode: 403, error: 'PermissionDenied' });
      }
    }
    expect(await tree.paths(projectId)).toEqual(['/app']);
  });
});
