import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder, folderTree, TIME, type FolderTree } from '../../harness/folder-tree.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let tree: FolderTree;
beforeAll(async () => {
  test = await testServer();
  tree = folderTree(test);
});
afterAll(() => test.close());

describe('renaming a folder', () => {
  it('moves its contents: folders, secrets, imports, references', async () => {
    const { id: projectId } = await test.project();
    const { id } = (await tree.make(projectId, '/app')).body.folder;
    for (const path of ['/app/config', '/app/config/db', '/app-x', '/user']) await tree.make(projectId, path);
    await tree.setSecret(projectId, '/app/config/db', 'HOST', 'localhost');
    await tree.setSecret(projectId, '/app/config', 'URL', 'db://${dev.app.config.db.HOST}');
    await tree.setSecret(projectId, '/user', 'FAR', 'db://${dev.app.config.db.HOST}');
    await test.admin('POST', '/api/v1/secret-imports', {
      workspaceId: projectId,
      environment: 'dev',
      path: '/user',
      import: { environment: 'dev', path: '/app/config' },
    });
    const { status, body } = await test.admin('PATCH', `/api/v1/folders/${id}`, {
      id,
      workspaceId: projectId,
      environment: 'dev',
      path: '/',
      name: 'service',
      description: 'new',
    });
    expect([status, body]).toEqual([200, { folder: folder({ id, name: 'service', version: 2, description: 'new' }) }]);
    expect(await tree.paths(projectId)).toEqual([
      '/app-x',
      '/service',
      '/service/config',
      '/service/config/db',
      '/user',
    ]);
    await tree.requireSound(projectId);
    expect((await tree.getSecret(projectId, '/service/config', 'URL')).body.secret.secretValue).toBe('db://localhost');
    expect((await tree.getSecret(projectId, '/user', 'FAR')).body.secret.secretValue).toBe('db://localhost');
    expect((await tree.getSecret(projectId, '/app/config', 'URL')).status).toBe(404);
    const imports = (
      await test.admin('GET', `/api/v1/secret-imports?workspaceId=${projectId}&environment=dev&path=/user`)
    ).body.secretImports;
    expect(imports).toMatchObject([{ importPath: '/service/config' }]);
    const described = await test.admin('PATCH', `/api/v2/folders/${id}`, {
      projectId,
      environment: 'dev',
      name: 'service',
    });
    expect(described.body.folder).toMatchObject({ name: 'service', version: 3, description: 'new' });
    expect(
      (
        await test.admin('PATCH', `/api/v2/folders/${id}`, {
          projectId,
          environment: 'dev',
          name: 'service',
          description: null,
        })
      ).body.folder.description,
    ).toBeNull();
  });

  it('rejects an existing name, another path, another environment, the root, and invalid names', async () => {
    const { id: projectId } = await test.project();
    const { id } = (await tree.make(projectId, '/app/config')).body.folder;
    await tree.make(projectId, '/app/taken');
    const update = async (fields: object, folderId = id) =>
      (
        await test.admin('PATCH', `/api/v1/folders/${folderId}`, {
          workspaceId: projectId,
          environment: 'dev',
          path: '/app',
          name: 'new',
          ...fields,
        })
      ).status;
    expect(await update({ name: 'taken' })).toBe(400);
    expect(await update({ path: '/' })).toBe(404);
    expect(await update({ environment: 'prod' })).toBe(404);
    expect(await update({ name: 'a/b' })).toBe(422);
    expect(await update({ name: '..' })).toBe(422);
    expect(await update({ path: undefined }, await tree.idAt(projectId, '/'))).toBe(400);
    expect(await update({}, randomUUID())).toBe(404);
    expect(await update({}, 'no-uuid')).toBe(404);
    expect(await tree.paths(projectId)).toEqual(['/app', '/app/config', '/app/taken']);
  });

  it('rejects a name that makes a path below too long', async () => {
    const { id: projectId } = await test.project();
    await tree.make(projectId, `/a${'/xxxxxxxxx'.repeat(204)}`);
    const { status, body } = await test.admin('PATCH', `/api/v1/folders/${await tree.idAt(projectId, '/a')}`, {
      workspaceId: projectId,
      environment: 'dev',
      name: 'a'.repeat(100),
    });
    expect([status, body.message]).toEqual([400, 'The path of a folder can have at most 2048 characters']);
    await tree.requireSound(projectId);
  });

  it('needs the permission at its location, and gives no rights under the new name', async () => {
    const { id: projectId } = await test.project();
    for (const path of ['/mine/x', '/yours/locked', '/other']) await tree.make(projectId, path);
    await tree.setSecret(projectId, '/yours', 'KEY');
    const { call } = await test.identity({
      projectId,
      rules: [
        {
          subject: 'secret-folders',
          action: 'edit',
          conditions: { environment: 'dev', secretPath: { $in: ['/', '/yours'] } },
        },
        { subject: 'secret-folders', action: 'create' },
        { subject: 'secrets', action: 'create' },
        {
          subject: 'secrets',
          action: 'readValue',
          conditions: { environment: 'dev', secretPath: { $glob: '/{mine,yours}/**' } },
        },
        {
          subject: 'secrets',
          action: 'readValue',
          conditions: { secretPath: '/yours/locked', secretName: 'KEY' },
          inverted: true,
        },
      ],
    });
    const rename = async (path: string, name: string) =>
      (
        await call('PATCH', `/api/v1/folders/${await tree.idAt(projectId, path)}`, {
          workspaceId: projectId,
          environment: 'dev',
          name,
        })
      ).status;
    expect(await rename('/mine/x', 'y')).toBe(403);
    expect(await rename('/yours/locked', 'open')).toBe(403);
    expect(await rename('/mine', 'free')).toBe(200);
    expect(await rename('/other', 'mine')).toBe(403);
    expect(await rename('/other', 'another')).toBe(200);
    expect(await tree.paths(projectId)).toEqual(['/another', '/free', '/free/x', '/yours', '/yours/locked']);
  });
});

describe('updating several folders at once', () => {
  it('changes all, in several environments, or none', async () => {
    const { id: projectId, slug: projectSlug } = await test.project();
    const { id: one } = (await tree.make(projectId, '/one')).body.folder;
    const { id: below } = (await tree.make(projectId, '/one/below')).body.folder;
    const { id: prod } = (
      await test.admin('POST', '/api/v1/folders', { workspaceId: projectId, environment: 'prod', name: 'p' })
    ).body.folder;
    const folders = [
      { id: one, environment: 'dev', name: 'first', path: '/' },
      { id: below, environment: 'dev', name: 'beneath', path: '/one', description: 'x' },
      { id: prod, environment: 'prod', name: 'live' },
    ];
    const { status, body } = await test.admin('PATCH', '/api/v1/folders/batch', { projectSlug, folders });
    expect([status, body]).toEqual([
      200,
      {
        folders: [
          folder({ id: one, name: 'first', version: 2 }),
          folder({ id: below, name: 'beneath', description: 'x', version: 2 }),
          folder({ id: prod, name: 'live', version: 2 }),
        ],
      },
    ]);
    expect(await tree.paths(projectId)).toEqual(['/first', '/first/beneath']);
    await tree.requireSound(projectId);

    const foreign = (await tree.make((await test.project()).id, '/foreign')).body.folder.id;
    const ninetyNine = await Promise.all(
      Array.from({ length: 9 }, async (_, n) => ({
        id: (await tree.make(projectId, `/n${n}`)).body.folder.id,
        environment: 'dev',
        name: `m${n}`,
      })),
    );
    const before = await tree.paths(projectId);
    const refused = async (more: unknown) =>
      (await test.admin('PATCH', '/api/v1/folders/batch', { projectSlug, folders: more })).status;
    expect(await refused([...ninetyNine, { id: foreign, environment: 'dev', name: 'x' }])).toBe(404);
    expect(await refused([...ninetyNine, { id: one, environment: 'dev', name: 'm0' }])).toBe(400);
    expect(await refused([...ninetyNine, ninetyNine[0]])).toBe(400);
    expect(await refused([])).toBe(422);
    expect(await refused(undefined)).toBe(422);
    expect(await refused(null)).toBe(422);
    expect(await refused(Array.from({ length: 1001 }, () => ninetyNine[0]))).toBe(422);
    expect(await tree.paths(projectId)).toEqual(before);
    expect((await test.admin('PATCH', '/api/v1/folders/batch', { projectSlug: 'none-such', folders })).status).toBe(
      404,
    );
  });

  it('checks the permission on each', async () => {
    const { id: projectId, slug: projectSlug } = await test.project();
    const [mine, theirs] = [
      (await tree.make(projectId, '/mine/x')).body.folder.id,
      (await tree.make(projectId, '/theirs/x')).body.folder.id,
    ];
    const { call } = await test.identity({
      projectId,
      rules: [{ subject: 'secret-folders', action: 'edit', conditions: { secretPath: '/mine' } }],
    });
    const folders = [
      { id: mine, environment: 'dev', name: 'y' },
      { id: theirs, environment: 'dev', name: 'y' },
    ];
    expect((await call('PATCH', '/api/v1/folders/batch', { projectSlug, folders })).status).toBe(403);
    expect(await tree.paths(projectId)).toEqual(['/mine', '/mine/x', '/theirs', '/theirs/x']);
    expect((await call('PATCH', '/api/v1/folders/batch', { projectSlug, folders: folders.slice(0, 1) })).status).toBe(
      200,
    );
  });
});

describe('deleting a folder', () => {
  it('is case-sensitive: names in another case are other folders', async () => {
    const { id: projectId } = await test.project();
    for (const path of ['/Backend', '/backend', '/FRONT']) await tree.make(projectId, path);
    const at = { environment: 'dev', path: '/' };
    const upper = (await tree.idAt(projectId, '/FRONT')).toUpperCase();
    for (const [url, body] of [
      ['/api/v1/folders/Backend', { workspaceId: projectId, ...at }],
      ['/api/v2/folders/BACKEND', { projectId, ...at }],
      [`/api/v2/folders/${upper}`, { projectId, ...at }],
    ] as const)
      expect([url, (await test.admin('DELETE', url, body)).status]).toEqual([url, url.endsWith('BACKEND') ? 404 : 200]);
    expect(await tree.paths(projectId)).toEqual(['/backend']);
  });

  it('deletes its contents, by ID or by name, and keeps the history of its secrets', async () => {
    const { id: projectId } = await test.project();
    const { id } = (await tree.make(projectId, '/app')).body.folder;
    for (const path of ['/app/config/db', '/app-x', '/kept/app']) await tree.make(projectId, path);
    for (const path of ['/app', '/app/config/db', '/app-x']) await tree.setSecret(projectId, path, 'KEY');
    const deleted = await test.admin('DELETE', '/api/v1/folders/app', {
      workspaceId: projectId,
      environment: 'dev',
      path: '/',
    });
    expect([deleted.status, deleted.body]).toEqual([
      200,
      { folder: folder({ id, name: 'app', lastSecretModified: TIME }) },
    ]);
    expect(await tree.paths(projectId)).toEqual(['/app-x', '/kept', '/kept/app']);
    const rows = await test.coffer.query(
      { name: 'test.history', text: 'select key, is_deleted from secret_versions where project_id = $1' },
      [projectId],
    );
    expect(rows).toEqual([
      { key: 'KEY', is_deleted: true },
      { key: 'KEY', is_deleted: true },
    ]);
    expect((await tree.getSecret(projectId, '/app-x', 'KEY')).status).toBe(200);
    const nested = await tree.idAt(projectId, '/kept/app');
    expect(
      (await test.admin('DELETE', `/api/v2/folders/${nested}`, { projectId, environment: 'dev', path: '/' })).status,
    ).toBe(404);
    expect((await test.admin('DELETE', `/api/v2/folders/${nested}`, { projectId, environment: 'prod' })).status).toBe(
      404,
    );
    expect((await test.admin('DELETE', `/api/v2/folders/${nested}`, { projectId, environment: 'dev' })).status).toBe(
      200,
    );
    expect(await tree.paths(projectId)).toEqual(['/app-x', '/kept']);
    const again = await tree.make(projectId, '/app');
    expect(again.status).toBe(200);
    expect((await tree.getSecret(projectId, '/app', 'KEY')).status).toBe(404);
  });

  it('rejects the root and unknown folders', async () => {
    const { id: projectId } = await test.project();
    await tree.make(projectId, '/a/b');
    const remove = async (name: string, path?: string) =>
      (await test.admin('DELETE', `/api/v1/folders/${name}`, { workspaceId: projectId, environment: 'dev', path }))
        .status;
    expect(await remove(await tree.idAt(projectId, '/'))).toBe(400);
    for (const name of ['root', 'b', 'a%2Fb', '%2E%2E', '%00', randomUUID()]) expect(await remove(name, '/')).toBe(404);
    expect(await remove('b', '/../a')).toBe(422);
    expect(await tree.paths(projectId)).toEqual(['/a', '/a/b']);
  });

  it('finds a folder whose name looks like an ID', async () => {
    const { id: projectId } = await test.project();
    const name = randomUUID();
    await tree.make(projectId, `/${name}`);
    expect(
      (await test.admin('DELETE', `/api/v1/folders/${name}`, { workspaceId: projectId, environment: 'dev', path: '/' }))
        .status,
    ).toBe(200);
  });

  it('does not take an ID for a name where no path is given', async () => {
    const { id: projectId } = await test.project();
    await tree.make(projectId, '/app');
    const id = await tree.idAt(projectId, '/app');
    await tree.make(projectId, `/${id}`);
    const remove = () => test.admin('DELETE', `/api/v1/folders/${id}`, { workspaceId: projectId, environment: 'dev' });
    expect([(await remove()).status, (await remove()).status]).toEqual([200, 404]);
    expect(await tree.paths(projectId)).toEqual([`/${id}`]);
  });

  it('needs the permission at its location, and does not override a rule that forbids deletions below', async () => {
    const { id: projectId } = await test.project();
    for (const path of ['/app/locked', '/app/free', '/own/x', '/held/x']) await tree.make(projectId, path);
    const { call } = await test.identity({
      projectId,
      rules: [
        { subject: 'secret-folders', action: 'delete', conditions: { secretPath: { $in: ['/', '/app'] } } },
        { subject: 'secrets', action: 'delete', conditions: { secretPath: '/app/locked' }, inverted: true },
        { subject: 'secret-folders', action: 'delete', conditions: { secretPath: '/held' }, inverted: true },
      ],
    });
    const remove = async (path: string) =>
      (
        await call('DELETE', `/api/v1/folders/${await tree.idAt(projectId, path)}`, {
          workspaceId: projectId,
          environment: 'dev',
        })
      ).status;
    expect([await remove('/app'), await remove('/app/locked'), await remove('/held'), await remove('/own/x')]).toEqual([
      403, 403, 403, 403,
    ]);
    expect([await remove('/app/free'), await remove('/own')]).toEqual([200, 200]);
    expect(await tree.paths(projectId)).toEqual(['/app', '/app/locked', '/held', '/held/x']);
  });

  it('and adding to it concurrently leave a valid tree and no secret without a folder', async () => {
    for (let round = 0; round < 5; round++) {
      const { id: projectId } = await test.project();
      const { id } = (await tree.make(projectId, '/a/b')).body.folder;
      const answers = await Promise.all([
        tree.make(projectId, '/a/b/c'),
        tree.setSecret(projectId, '/a/b', 'ONE'),
        test.admin('DELETE', '/api/v1/folders/a', { workspaceId: projectId, environment: 'dev', path: '/' }),
        test.admin('PATCH', `/api/v1/folders/${id}`, { workspaceId: projectId, environment: 'dev', name: 'z' }),
        tree.make(projectId, '/a/b/d/e'),
        tree.setSecret(projectId, '/a/b', 'TWO'),
      ]);
      for (const { status } of answers) expect([200, 404]).toContain(status);
      expect(answers[2].status).toBe(200);
      await tree.requireSound(projectId);
      const lost = await test.coffer.query(
        {
          name: 'test.lost',
          text: 'select s.key from secrets s left join folders f on f.id = s.folder_id where s.project_id = $1 and f.id is null',
        },
        [projectId],
      );
      expect(lost).toEqual([]);
    }
  });
});
