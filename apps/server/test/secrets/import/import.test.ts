import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importing } from '../../harness/imports.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const setUp = () => importing(test);

type Listed = { environment: string; secrets: { secretKey: string; secretValue: string }[] }[];
const contents = (imports: Listed) =>
  imports.map((one) => [
    one.environment,
    Object.fromEntries(one.secrets.map((secret) => [secret.secretKey, secret.secretValue])),
  ]);

describe('an import', () => {
  it('is created with every published field', async () => {
    const { importInto } = await setUp();
    const { status, body } = await importInto('dev', 'prod');
    expect(status).toBe(200);
    expect(body).toEqual({
      message: 'Successfully created secret import',
      secretImport: {
        id: expect.any(String),
        version: 1,
        importPath: '/',
        position: 1,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        folderId: expect.any(String),
        isReplication: false,
        isReplicationSuccess: null,
        replicationStatus: null,
        lastReplicated: null,
        isReserved: false,
        importEnv: { id: expect.any(String), name: 'Production', slug: 'prod' },
      },
    });
  });

  it('returns the secrets of its source, after the folder’s own ones', async () => {
    const { put, importInto, list } = await setUp();
    await put('OWN', 'mine');
    await put('THEIRS', 'theirs', 'prod');
    await importInto('dev', 'prod');
    const body = await list();
    expect(body.secrets.map((secret: { secretKey: string }) => secret.secretKey)).toEqual(['OWN']);
    expect(body.imports).toMatchObject([
      {
        secretPath: '/',
        environment: 'prod',
        folderId: expect.any(String),
        secrets: [{ secretKey: 'THEIRS', secretValue: 'theirs', environment: 'prod' }],
      },
    ]);
  });

  it('returns a single secret that the folder lacks; its own has precedence, then the higher position', async () => {
    const { put, importInto, read } = await setUp();
    await put('BOTH', 'staging', 'staging');
    await put('BOTH', 'prod', 'prod');
    await put('OWN', 'prod', 'prod');
    await put('OWN', 'own');
    await importInto('dev', 'staging');
    await importInto('dev', 'prod');
    expect((await read('BOTH')).body.secret.secretValue).toBe('prod');
    expect((await read('OWN')).body.secret.secretValue).toBe('own');
    expect((await read('NONE')).status).toBe(404);
  });

  it('brings what its source imports, under what the source has itself', async () => {
    const { put, importInto, list } = await setUp();
    await put('DEEP', 'prod', 'prod');
    await put('SHADOWED', 'prod', 'prod');
    await put('SHADOWED', 'staging', 'staging');
    await importInto('staging', 'prod');
    await importInto('dev', 'staging');
    expect(contents((await list()).imports)).toEqual([['staging', { DEEP: 'prod', SHADOWED: 'staging' }]]);
  });

  it('returns what its source imports at the highest position, also if a lower one leads there too', async () => {
    const { project, at, put, importInto, list } = await setUp();
    const prod = { ...at, environment: 'prod' };
    for (const name of ['base', 'high']) await test.admin('POST', '/api/v1/folders', { ...prod, name, path: '/' });
    for (const name of ['BOTH', 'DEEP'])
      await test.admin('POST', `/api/v4/secrets/${name}`, {
        ...{ projectId: project.id, environment: 'prod', secretPath: '/base', secretValue: 'base' },
      });
    await put('BOTH', 'low', 'prod');
    for (const path of ['/', '/high']) await importInto('prod', 'prod', '/base', test.admin, { path });
    for (const path of ['/', '/high']) await importInto('staging', 'prod', path);
    await importInto('dev', 'staging');
    expect(contents((await list()).imports)).toEqual([['staging', { BOTH: 'base', DEEP: 'base' }]]);
    expect(contents((await list(test.admin, 'staging')).imports)).toEqual([
      ['prod', { BOTH: 'low', DEEP: 'base' }],
      ['prod', { BOTH: 'base', DEEP: 'base' }],
    ]);
  });

  it('feeds references that its folder cannot satisfy', async () => {
    const { project, put, importInto } = await setUp();
    await put('BASE', 'imported', 'prod');
    await put('TOP', '<${BASE}>');
    await importInto('dev', 'prod');
    const { body } = await test.admin(
      'GET',
      `/api/v3/secrets/raw/TOP?workspaceId=${project.id}&environment=dev&expandSecretReferences=true`,
    );
    expect(body.secret.secretValue).toBe('<imported>');
  });

  it('omits what the reader may not see in the source', async () => {
    const { project, put, importInto, list, read } = await setUp();
    await put('SECRET', 'v', 'prod');
    await importInto('dev', 'prod');
    const inDev = { environment: 'dev' };
    const secrets = { subject: 'secrets', action: 'read', conditions: inDev };
    const { call } = await test.identity({ projectId: project.id, rules: [secrets] });
    expect(contents((await list(call)).imports)).toEqual([]);
    expect((await read('SECRET', call)).status).toBe(404);
    const rules = [secrets, { subject: 'secret-imports', action: 'read', conditions: inDev }];
    const ofImports = await test.identity({ projectId: project.id, rules });
    expect(contents((await list(ofImports.call)).imports)).toEqual([['prod', {}]]);
  });

  it('may name a folder that is not there yet', async () => {
    const { importInto, list } = await setUp();
    expect((await importInto('dev', 'prod', '/later')).status).toBe(200);
    expect((await list()).imports).toEqual([
      { secretPath: '/later', environment: 'prod', folderId: null, secrets: [] },
    ]);
  });

  it('returns 404 for an unknown environment or importing folder', async () => {
    const { importInto, at } = await setUp();
    expect((await importInto('dev', 'nowhere')).status).toBe(404);
    expect((await importInto('nowhere', 'dev')).status).toBe(404);
    expect(
      (
        await test.admin('POST', '/api/v1/secret-imports', {
          ...at,
          path: '/nowhere',
          import: { environment: 'prod', path: '/' },
        })
      ).status,
    ).toBe(404);
  });

  it('needs permission to create it here and to see its contents there', async () => {
    const { project, importInto } = await setUp();
    const may = (...rules: object[]) => test.identity({ projectId: project.id, rules: rules as never });
    const here = await may({ subject: 'secret-imports', action: 'create' });
    const there = await may({ subject: 'secrets', action: 'describeSecret' });
    const both = await may(
      { subject: 'secret-imports', action: 'create' },
      { subject: 'secrets', action: 'describeSecret', conditions: { environment: 'prod' } },
    );
    expect((await importInto('dev', 'prod', '/', here.call)).status).toBe(403);
    expect((await importInto('dev', 'prod', '/', there.call)).status).toBe(403);
    expect((await importInto('dev', 'prod', '/', both.call)).status).toBe(200);
    expect((await importInto('dev', 'staging', '/', both.call)).status).toBe(403);
    expect((await importInto('dev', 'prod', '/', (await test.foreign()).call)).status).toBe(404);
    expect((await importInto('dev', 'prod', '/', test.as())).status).toBe(401);
  });
});

describe('the order of imports', () => {
  it('is updated, and closes the gap after a deletion', async () => {
    const { at, importInto, imports } = await setUp();
    const paths = ['/a', '/b', '/c', '/d'];
    const ids: string[] = [];
    for (const path of paths) ids.push((await importInto('dev', 'prod', path)).body.secretImport.id);
    const order = async () =>
      (await imports()).map((one: { importPath: string; position: number }) => `${one.position}${one.importPath}`);
    const moveTo = (index: number, position: number) =>
      test.admin('PATCH', `/api/v1/secret-imports/${ids[index]}`, { ...at, import: { position } });
    expect((await moveTo(0, 3)).body.secretImport.position).toBe(3);
    expect(await order()).toEqual(['1/b', '2/c', '3/a', '4/d']);
    await moveTo(3, 1);
    expect(await order()).toEqual(['1/d', '2/b', '3/c', '4/a']);
    await moveTo(1, 99);
    expect(await order()).toEqual(['1/d', '2/c', '3/a', '4/b']);
    const deleted = await test.admin('DELETE', `/api/v1/secret-imports/${ids[2]}`, at);
    expect(deleted.body).toMatchObject({
      message: 'Successfully deleted secret import',
      secretImport: { importPath: '/c' },
    });
    expect(await order()).toEqual(['1/d', '2/a', '3/b']);
    expect((await test.admin('DELETE', `/api/v1/secret-imports/${ids[2]}`, at)).status).toBe(404);
  });

  it('changes and closes up on the newer paths, which name the project', async () => {
    const { project, importInto, imports } = await setUp();
    const at = { projectId: project.id, environment: 'dev', path: '/' };
    const [first, second] = [await importInto('dev', 'prod', '/a'), await importInto('dev', 'prod', '/b')].map(
      ({ body }) => body.secretImport,
    );
    const url = (id: string) => `/api/v2/secret-imports/${id}`;
    const change = { environment: 'staging', path: '/c', position: 1 };
    const changed = await test.admin('PATCH', url(second.id), { ...at, import: change });
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        message: 'Successfully updated secret import',
        secretImport: {
          ...second,
          version: 2,
          importPath: '/c',
          position: 1,
          updatedAt: expect.any(String),
          importEnv: { id: expect.any(String), name: 'Staging', slug: 'staging' },
        },
      },
    ]);
    const deleted = await test.admin('DELETE', url(second.id), at);
    expect([deleted.status, deleted.body]).toEqual([
      200,
      { message: 'Successfully deleted secret import', secretImport: changed.body.secretImport },
    ]);
    expect(await imports()).toMatchObject([{ id: first.id, position: 1 }]);
  });

  it('keeps valid positions for many concurrent creations', async () => {
    const { importInto, imports } = await setUp();
    await Promise.all(Array.from({ length: 10 }, (_, index) => importInto('dev', 'prod', `/f${index}`)));
    expect((await imports()).map((one: { position: number }) => one.position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});

describe("the contents of a folder's imports", () => {
  it('is listed separately on the legacy paths', async () => {
    const { project, put, importInto } = await setUp();
    await put('OWN', 'mine');
    await put('THEIRS', 'theirs', 'prod');
    await importInto('dev', 'prod');
    for (const path of ['/api/v1/secret-imports/secrets', '/api/v1/secret-imports/secrets/raw']) {
      const { body } = await test.admin('GET', `${path}?workspaceId=${project.id}&environment=dev&path=/`);
      expect(contents(body.secrets)).toEqual([['prod', { THEIRS: 'theirs' }]]);
      expect(body.secrets[0].environmentInfo).toEqual({ id: expect.any(String), name: 'Production', slug: 'prod' });
    }
  });
});

describe('reading an import', () => {
  it('returns its location, but not to a foreign organization', async () => {
    const { project, importInto } = await setUp();
    const { id } = (await importInto('dev', 'prod')).body.secretImport;
    expect((await test.admin('GET', `/api/v1/secret-imports/${id}`)).body.secretImport).toMatchObject({
      id,
      projectId: project.id,
      secretPath: '/',
      environment: { slug: 'dev' },
      importEnv: { slug: 'prod' },
    });
    expect((await (await test.foreign()).call('GET', `/api/v1/secret-imports/${id}`)).status).toBe(404);
    expect((await test.admin('GET', '/api/v1/secret-imports/not-a-uuid')).status).toBe(404);
  });
});
