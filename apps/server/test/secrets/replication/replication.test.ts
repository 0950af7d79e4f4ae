import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEV, PROD, STAGING, replications, type Replications } from '../../harness/replication.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let all: Replications;
beforeAll(async () => {
  test = await testServer();
  all = replications(test);
});
afterAll(async () => {
  await all.stop();
  await test.close();
});

describe('a replication', () => {
  it('is created like an import, and returns the copies in place of the source', async () => {
    const project = await all.project();
    await project.put(PROD, 'KEY', 'one', { secretComment: 'why', secretMetadata: [{ key: 'team', value: 'a' }] });
    const made = await project.import(DEV, PROD);
    expect([made.status, made.body]).toEqual([
      200,
      {
        message: 'Successfully created secret import',
        secretImport: expect.objectContaining({
          version: 1,
          position: 1,
          isReplication: true,
          isReplicationSuccess: null,
          replicationStatus: null,
          lastReplicated: null,
          isReserved: false,
          importEnv: expect.objectContaining({ slug: 'prod' }),
        }),
      },
    ]);
    expect(await project.read(DEV)).toEqual([['prod/', {}]]);
    await all.settle();
    expect(await project.imports(DEV)).toMatchObject([
      { isReplicationSuccess: true, replicationStatus: null, lastReplicated: expect.any(String), isReserved: false },
    ]);
    const { body } = await project.list(DEV);
    expect(body.imports).toMatchObject([
      {
        environment: 'prod',
        secretPath: '/',
        secrets: [
          {
            secretKey: 'KEY',
            secretValue: 'one',
            secretComment: 'why',
            environment: 'prod',
            secretMetadata: [{ key: 'team', value: 'a', isEncrypted: false }],
          },
        ],
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('__reserve');
    const single = await test.admin(
      'GET',
      `/api/v3/secrets/raw/KEY?workspaceId=${project.id}&environment=dev&include_imports=true`,
    );
    expect(single.body.secret).toMatchObject({ secretValue: 'one', environment: 'prod', secretPath: '/' });
  });

  it('follows creation, change, renaming and deletion in its source', async () => {
    const project = await all.project();
    await project.put(PROD, 'A', 'a');
    await project.put(PROD, 'B', 'b');
    await project.import(DEV, PROD);
    await all.settle();
    await project.change(PROD, 'A', { secretValue: 'a2' });
    await project.change(PROD, 'B', { newSecretName: 'C' });
    await project.put(PROD, 'D', 'd');
    await all.settle();
    expect(await project.read(DEV)).toEqual([['prod/', { A: 'a2', C: 'b', D: 'd' }]]);
    await project.remove(PROD, 'A');
    await all.settle();
    expect(await project.read(DEV)).toEqual([['prod/', { C: 'b', D: 'd' }]]);
    expect((await project.events('secret_import.replicated')).length).toBeGreaterThan(2);
  });

  it('follows the creation, renaming, moves and deletion of its source folder', async () => {
    const project = await all.project();
    await project.import(DEV, { environment: 'prod', path: '/later' });
    await all.settle();
    expect(await project.imports(DEV)).toMatchObject([{ isReplicationSuccess: true }]);
    const folderId = await project.makeFolder('prod', '/later');
    await project.put({ environment: 'prod', path: '/later' }, 'A', 'a');
    await all.settle();
    expect(await project.read(DEV)).toEqual([['prod/later', { A: 'a' }]]);
    await test.admin('PATCH', `/api/v1/folders/${folderId}`, {
      workspaceId: project.id,
      environment: 'prod',
      name: 'sooner',
    });
    await project.change({ environment: 'prod', path: '/sooner' }, 'A', { secretValue: 'a2' });
    await all.settle();
    expect(await project.read(DEV)).toEqual([['prod/sooner', { A: 'a2' }]]);
    await test.admin('DELETE', `/api/v1/folders/${folderId}`, { workspaceId: project.id, environment: 'prod' });
    await all.settle();
    expect(await project.read(DEV)).toEqual([['prod/sooner', {}]]);
    expect(await project.copies()).toBe(0);
  });

  it('is deleted with its copies, with its folder, or with its source environment', async () => {
    const project = await all.project();
    await project.makeFolder('dev', '/app');
    const app = { environment: 'dev', path: '/app' };
    for (const from of [PROD, STAGING]) await project.put(from, 'A', from.environment);
    const first = await project.import(app, PROD);
    await project.import(app, STAGING);
    await project.import(DEV, PROD);
    await all.settle();
    expect([await project.reservedFolders(), await project.copies()]).toEqual([3, 3]);
    const { id } = first.body.secretImport;
    const deleted = await test.admin('DELETE', `/api/v1/secret-imports/${id}`, {
      workspaceId: project.id,
      environment: 'dev',
      path: '/app',
    });
    expect(deleted.status).toBe(200);
    expect([await project.reservedFolders(), await project.copies()]).toEqual([2, 2]);
    expect(await project.imports(app)).toMatchObject([{ position: 1, importPath: '/' }]);
    const { body } = await test.admin('GET', `/api/v1/workspace/${project.id}`);
    const staging = body.workspace.environments.find((one: { slug: string }) => one.slug === 'staging');
    await test.admin('DELETE', `/api/v1/workspace/${project.id}/environments/${staging.id}`);
    expect([await project.reservedFolders(), await project.copies()]).toEqual([1, 1]);
    await project.import(app, PROD);
    await all.settle();
    const gone = await test.admin('DELETE', '/api/v1/folders/app', {
      workspaceId: project.id,
      environment: 'dev',
      path: '/',
    });
    expect(gone.status).toBe(200);
    expect([await project.reservedFolders(), await project.copies()]).toEqual([1, 1]);
    expect((await test.admin('DELETE', `/api/v1/workspace/${project.id}`)).status).toBe(200);
    expect(await project.reservedFolders()).toBe(0);
  });

  it('continues when the destination folder or environment is renamed', async () => {
    const project = await all.project();
    const folderId = await project.makeFolder('dev', '/app');
    await project.put(PROD, 'BASE', 'b');
    await project.put(PROD, 'TOP', '<${BASE}>');
    await project.import({ environment: 'dev', path: '/app' }, PROD);
    await all.settle();
    await test.admin('PATCH', `/api/v1/folders/${folderId}`, {
      workspaceId: project.id,
      environment: 'dev',
      name: 'web',
    });
    const web = { environment: 'dev', path: '/web' };
    expect(await project.read(web)).toEqual([['prod/', { BASE: 'b', TOP: '<b>' }]]);
    await project.change(PROD, 'BASE', { secretValue: 'b2' });
    await all.settle();
    expect(await project.read(web)).toEqual([['prod/', { BASE: 'b2', TOP: '<b2>' }]]);
    const { environments } = (await test.admin('GET', `/api/v1/workspace/${project.id}`)).body.workspace;
    for (const { id, slug } of environments as { id: string; slug: string }[])
      await test.admin('PATCH', `/api/v1/workspace/${project.id}/environments/${id}`, { slug: `${slug}-2` });
    await project.change({ environment: 'prod-2' }, 'BASE', { secretValue: 'b3' });
    await all.settle();
    expect(await project.read({ environment: 'dev-2', path: '/web' })).toEqual([
      ['prod-2/', { BASE: 'b3', TOP: '<b3>' }],
    ]);
  });

  it('copies from replications, and refuses cycles', async () => {
    const project = await all.project();
    await project.put(PROD, 'A', 'a');
    await project.import(STAGING, PROD);
    await project.put(STAGING, 'B', '${A}!');
    await project.import(DEV, STAGING);
    await all.settle();
    expect(await project.read(DEV)).toEqual([['staging/', { A: 'a', B: 'a!' }]]);
    await project.change(PROD, 'A', { secretValue: 'a2' });
    await all.settle();
    expect(await project.read(DEV)).toEqual([['staging/', { A: 'a2', B: 'a2!' }]]);
    const circle = await project.import(PROD, DEV);
    expect([circle.status, circle.body.details.cycle]).toEqual([400, ['prod/', 'dev/', 'staging/', 'prod/']]);
    expect((await project.import(DEV, DEV)).status).toBe(400);
    expect(await project.reservedFolders()).toBe(2);
  });

  it('shares one position with its hidden import', async () => {
    const project = await all.project();
    const ids: string[] = [];
    for (const path of ['/a', '/b', '/c'])
      ids.push((await project.import(DEV, { environment: 'prod', path }, path !== '/b')).body.secretImport.id);
    const order = async () =>
      (await project.imports(DEV)).map(
        (one: { importPath: string; position: number }) => `${one.position}${one.importPath}`,
      );
    expect(await order()).toEqual(['1/a', '3/b', '4/c']);
    const move = (id: string, position: number) =>
      test.admin('PATCH', `/api/v1/secret-imports/${id}`, {
        workspaceId: project.id,
        environment: 'dev',
        import: { position },
      });
    await move(ids[2]!, 1);
    expect(await order()).toEqual(['1/c', '3/a', '5/b']);
    await move(ids[0]!, 99);
    expect(await order()).toEqual(['1/c', '3/b', '4/a']);
    await test.admin('DELETE', `/api/v1/secret-imports/${ids[2]}`, { workspaceId: project.id, environment: 'dev' });
    expect(await order()).toEqual(['1/b', '2/a']);
  });

  it('copies from another source after an update', async () => {
    const project = await all.project();
    await project.put(PROD, 'A', 'prod');
    await project.put(STAGING, 'A', 'staging');
    const { id } = (await project.import(DEV, PROD)).body.secretImport;
    await all.settle();
    await test.admin('PATCH', `/api/v1/secret-imports/${id}`, {
      workspaceId: project.id,
      environment: 'dev',
      import: { environment: 'staging' },
    });
    await all.settle();
    expect(await project.read(DEV)).toEqual([['staging/', { A: 'staging' }]]);
  });
});

describe('references in copies', () => {
  it('keep their meaning, whatever the destination has with the same name', async () => {
    const project = await all.project();
    await project.makeFolder('prod', '/db');
    await project.put(DEV, 'BASE', 'wrong');
    await project.put({ environment: 'prod', path: '/db' }, 'HOST', 'h');
    await project.put({ environment: 'prod', path: '/db' }, 'NAME', '${HOST}/n');
    await project.put(PROD, 'HOST', 'other');
    await project.put(PROD, 'BASE', 'right');
    await project.put(PROD, 'TOP', '${BASE} ${prod.db.HOST} ${NAME} ${NONE}');
    await project.import(PROD, { environment: 'prod', path: '/db' }, false);
    await project.import(DEV, PROD);
    await all.settle();
    const expected = { BASE: 'right', HOST: 'other', NAME: 'h/n', TOP: 'right h h/n ' };
    expect(await project.read(DEV)).toEqual([['prod/', expected]]);
    expect((await project.read(DEV, test.admin, false))[0]![1]).toMatchObject({
      TOP: '${BASE} ${prod.db.HOST} ${NAME} ${NONE}',
      NAME: '${prod.db.HOST}/n',
    });
    await test.admin('PATCH', '/api/v3/secrets/raw/HOST', {
      workspaceId: project.id,
      environment: 'prod',
      secretPath: '/db',
      newSecretName: 'ADDRESS',
    });
    expect((await project.read(DEV))[0]![1]).toMatchObject({ TOP: 'right h h/n ' });
    await all.settle();
    expect((await project.read(DEV))[0]![1]).toMatchObject({ TOP: 'right h h/n ', ADDRESS: 'h' });
  });

  it('are sources for those of the destination folder', async () => {
    const project = await all.project();
    await project.put(PROD, 'BASE', 'copied');
    await project.put(DEV, 'TOP', '<${BASE}>');
    await project.import(DEV, PROD);
    await all.settle();
    expect((await project.list(DEV)).body.secrets[0].secretValue).toBe('<copied>');
  });
});
