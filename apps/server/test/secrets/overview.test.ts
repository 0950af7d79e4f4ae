import { makeRotation, makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

interface Cell {
  environment: string;
  secretValueHidden: boolean;
}
interface Row {
  secretKey: string;
  environments: Cell[];
}

/** A project with secrets and folders in some of its environments. */
async function setUp() {
  const { id: projectId, slug } = await test.project();
  const put = async (environment: string, key: string, more: object = {}): Promise<{ id: string }> => {
    const url = `/api/v4/secrets/${encodeURIComponent(key)}`;
    const { status, body } = await test.admin('POST', url, { projectId, environment, secretValue: 'zvaluez', ...more });
    expect(status).toBe(200);
    return body.secret;
  };
  const folder = (environment: string, path: string, name: string) =>
    test.admin('POST', '/api/v2/folders', { projectId, environment, path, name });
  return {
    projectId,
    put,
    folder,
    tag: async (tag: string): Promise<string> =>
      (await test.admin('POST', `/api/v1/projects/${projectId}/tags`, { slug: tag, color: '' })).body.workspaceTag.id,
    read: (query = '', call: Caller = test.admin) =>
      call('GET', `/api/v1/projects/${projectId}/secrets/overview?${query}`),
    reader: async (rules: object[]) => (await test.identity({ projectId, rules: rules as never })).call,
    user: async () => {
      const email = `ann-${slug}@example.com`;
      const user = await makeUser(test.coffer, { email, organizationId: test.organizationId });
      await test.admin('POST', `/api/v2/workspace/${projectId}/memberships`, {
        emails: [email],
        roleSlugs: ['member'],
      });
      return test.as(user.token);
    },
  };
}

/** `KEY: dev prod` for each key, in order. */
const table = (secrets: Row[]) =>
  secrets.map(({ secretKey, environments }) => `${secretKey}: ${environments.map((one) => one.environment).join(' ')}`);
const namesOf = (environments: { slug: string }[]) => environments.map(({ slug }) => slug);

describe('the overview of a folder', () => {
  it('has only the keys that are asked for, by their whole names', async () => {
    const { put, read } = await setUp();
    for (const key of ['A', 'AB', 'B']) await put('dev', key);
    expect(table((await read('keys=B,A,MISSING')).body.secrets)).toEqual(['A: dev', 'B: dev']);
    expect((await read('keys=')).body.totalCount).toBe(0);
  });

  it('has each key once with all its environments, in order, and no value', async () => {
    const { put, read, tag } = await setUp();
    const red = await tag('red');
    await put('prod', 'B');
    await put('dev', 'C', { secretComment: 'zcommentz', tagIds: [red] });
    const { id } = await put('dev', 'B');
    await put('staging', 'A');
    await put('prod', 'C');
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(namesOf(body.environments)).toEqual(['dev', 'staging', 'prod']);
    expect(body.environments[1]).toEqual({
      id: expect.any(String),
      slug: 'staging',
      name: 'Staging',
      position: 2,
      may: { createSecrets: true, createFolders: true, editFolders: true, deleteFolders: true },
    });
    expect(table(body.secrets)).toEqual(['A: staging', 'B: dev prod', 'C: dev prod']);
    expect(body.totalCount).toBe(3);
    expect(body.secrets[1].environments[0]).toEqual({
      environment: 'dev',
      id,
      version: 1,
      secretValueHidden: false,
      hasPersonalValue: false,
      hasComment: false,
      tags: [],
      isRotatedSecret: false,
      rotationId: null,
      updatedAt: expect.any(String),
      mayEdit: true,
      mayDelete: true,
    });
    expect(body.secrets[1]).toMatchObject({ imported: [], mayCreateIn: ['staging'] });
    expect(body.secrets[2].environments[0]).toMatchObject({
      hasComment: true,
      tags: [{ id: red, slug: 'red', name: 'red' }],
    });
    expect(JSON.stringify(body)).not.toMatch(/zvaluez|zcommentz/);
  });

  it('is read in pages of keys, whose environments stay together', async () => {
    const { put, read } = await setUp();
    for (const environment of ['dev', 'prod']) for (const key of ['E', 'A', 'D', 'B', 'C']) await put(environment, key);
    const pages = [await read('limit=2'), await read('limit=2&offset=2'), await read('limit=2&offset=4')];
    expect(pages.map(({ body }) => [table(body.secrets), body.totalCount])).toEqual([
      [['A: dev prod', 'B: dev prod'], 5],
      [['C: dev prod', 'D: dev prod'], 5],
      [['E: dev prod'], 5],
    ]);
    expect((await read('limit=2&offset=6')).body).toMatchObject({ secrets: [], totalCount: 5 });
    expect((await read('limit=501')).status).toBe(422);
  });

  it('is limited to the given environments; an unknown one is a 404', async () => {
    const { put, read } = await setUp();
    await put('dev', 'A');
    await put('prod', 'B');
    const { body } = await read('environments=prod,%20staging');
    expect(namesOf(body.environments)).toEqual(['staging', 'prod']);
    expect(table(body.secrets)).toEqual(['B: prod']);
    expect(await read('environments=prod,nowhere')).toMatchObject({
      status: 404,
      body: { details: { environments: ['nowhere'] } },
    });
  });

  it('finds keys and folders by a part of the name, in any case', async () => {
    const { put, read, folder } = await setUp();
    for (const key of ['DB_URL', 'db_user', 'API', 'ÜBER', '100%_x']) await put('dev', key);
    await folder('dev', '/', 'Db-tools');
    await folder('dev', '/', 'web');
    const { body } = await read('search=dB');
    expect([table(body.secrets), body.folders, body.totalCount]).toEqual([
      ['DB_URL: dev', 'db_user: dev'],
      [{ name: 'Db-tools', environments: ['dev'] }],
      2,
    ]);
    expect(table((await read(`search=${encodeURIComponent('über')}`)).body.secrets)).toEqual(['ÜBER: dev']);
    expect(table((await read(`search=${encodeURIComponent('%_')}`)).body.secrets)).toEqual(['100%_x: dev']);
  });

  it('finds keys by tags, with all their environments', async () => {
    const { put, read, tag } = await setUp();
    const [red, blue] = [await tag('red'), await tag('blue')];
    await put('dev', 'A', { tagIds: [red] });
    await put('prod', 'A');
    await put('prod', 'B', { tagIds: [red, blue] });
    await put('prod', 'C');
    expect(table((await read('tagSlugs=red')).body.secrets)).toEqual(['A: dev prod', 'B: prod']);
    expect(table((await read('tagSlugs=blue,none')).body.secrets)).toEqual(['B: prod']);
    expect((await read('tagSlugs=none')).body).toMatchObject({ secrets: [], totalCount: 0 });
  });

  it('has keys that have the names of prototypes', async () => {
    const { put, read, tag } = await setUp();
    await put('dev', 'tagged', { tagIds: [await tag('red')] });
    for (const key of ['constructor', 'toString']) await put('dev', key);
    expect(table((await read()).body.secrets)).toEqual(['constructor: dev', 'tagged: dev', 'toString: dev']);
    expect(table((await read('tagSlugs=red')).body.secrets)).toEqual(['tagged: dev']);
  });

  it('names the folders in it with their environments, and exists where any environment has it', async () => {
    const { put, read, folder } = await setUp();
    for (const [environment, name] of [
      ['dev', 'web'],
      ['prod', 'web'],
      ['prod', 'app'],
    ] as const)
      await folder(environment, '/', name);
    await put('prod', 'KEY', { secretPath: '/app' });
    const { body } = await read();
    expect([body.folders, body.secrets]).toEqual([
      [
        { name: 'app', environments: ['prod'] },
        { name: 'web', environments: ['dev', 'prod'] },
      ],
      [],
    ]);
    const within = await read('secretPath=/app');
    expect([within.body.folders, table(within.body.secrets)]).toEqual([[], ['KEY: prod']]);
    expect((await read('secretPath=/none')).status).toBe(404);
    expect((await read('secretPath=/app&environments=dev,staging')).status).toBe(404);
  });

  it('shows to its owner alone that there is a personal value', async () => {
    const { projectId, put, read, user } = await setUp();
    const ann = await user();
    const { id } = await put('dev', 'KEY');
    await put('prod', 'KEY');
    const own = { projectId, environment: 'dev', secretValue: 'mine', type: 'personal' };
    expect((await ann('POST', '/api/v4/secrets/KEY', own)).status).toBe(200);
    const flags = async (call: Caller) =>
      (await read('', call)).body.secrets[0].environments.map(
        (one: { hasPersonalValue: boolean }) => one.hasPersonalValue,
      );
    expect([await flags(ann), await flags(test.admin)]).toEqual([
      [true, false],
      [false, false],
    ]);
    expect((await read('', ann)).body.secrets[0].environments[0].id).toBe(id);
  });

  it('names the rotation that writes a secret', async () => {
    const { projectId, read } = await setUp();
    const rotation = await makeRotation(test.coffer, { organizationId: test.organizationId, projectId, name: 'shop' });
    const { body } = await read();
    expect(table(body.secrets)).toEqual(['shop-password: dev', 'shop-username: dev']);
    expect(body.secrets[0].environments[0]).toMatchObject({ isRotatedSecret: true, rotationId: rotation.id });
  });
});

describe('the overview with imports', () => {
  it('has the keys that come from other folders, with what is imported, in order and in pages', async () => {
    const { projectId, put, read, folder, reader } = await setUp();
    await folder('staging', '/', 'deep');
    await put('staging', 'DEEP', { secretPath: '/deep' });
    await put('staging', 'SHARED');
    await put('staging', 'OWN');
    await put('dev', 'OWN');
    await put('prod', 'SHARED');
    const add = (environment: string, from: string, path = '/') =>
      test.admin('POST', '/api/v2/secret-imports', {
        projectId,
        environment,
        path: '/',
        import: { environment: from, path },
      });
    await add('staging', 'staging', '/deep');
    await add('dev', 'staging');
    const imported = async (query: string, call?: Caller) =>
      (await read(query, call)).body.secrets.map((one: Row & { imported: { from: object }[] }) => [
        table([one])[0],
        one.imported,
      ]);
    const of = (environment: string, secretPath = '/') => ({
      ...{ environment: environment === 'dev' ? 'dev' : 'staging', secretValueHidden: false },
      from: { environment: 'staging', secretPath },
    });
    expect(await imported('includeImports=true')).toEqual([
      ['DEEP: ', [of('dev'), of('staging', '/deep')]],
      ['OWN: dev staging', []],
      ['SHARED: staging prod', [of('dev')]],
    ]);
    expect((await read('includeImports=true&limit=1&offset=2')).body).toMatchObject({
      secrets: [{ secretKey: 'SHARED' }],
      totalCount: 3,
    });
    expect(await imported('includeImports=true&search=dee')).toHaveLength(1);
    expect(await imported('includeImports=true&tagSlugs=none')).toEqual([]);
    expect(table((await read()).body.secrets)).toEqual(['OWN: dev staging', 'SHARED: staging prod']);
    // What is imported is what the caller may see at its source.
    const call = await reader([{ subject: 'secrets', action: ['describeSecret'], conditions: { environment: 'dev' } }]);
    expect(await imported('includeImports=true', call)).toEqual([['OWN: dev', []]]);
  });
});

describe('a caller of the overview', () => {
  it('is told what it may create, edit and delete, secret by secret', async () => {
    const { put, read, reader, tag } = await setUp();
    const closed = await tag('closed');
    await put('dev', 'OPEN');
    await put('dev', 'CLOSED', { tagIds: [closed] });
    const rule = (action: string, conditions?: object) => ({
      subject: 'secrets',
      action,
      ...(conditions && { conditions }),
    });
    const call = await reader([
      rule('describeSecret'),
      rule('edit'),
      { ...rule('edit', { secretTags: { $in: ['closed'] } }), inverted: true },
      rule('delete', { environment: 'dev', secretName: 'CLOSED' }),
      rule('create', { environment: 'prod', secretName: { $glob: 'O*' } }),
      { subject: 'secret-folders', action: 'create', conditions: { environment: 'dev' } },
    ]);
    const { body } = await read('', call);
    const told = body.secrets.map(
      (one: { mayCreateIn: string[]; environments: { mayEdit: boolean; mayDelete: boolean }[] }) => [
        one.environments[0]!.mayEdit,
        one.environments[0]!.mayDelete,
        one.mayCreateIn,
      ],
    );
    expect(told).toEqual([
      [false, true, []],
      [true, false, ['prod']],
    ]);
    const none = { createSecrets: false, createFolders: false, editFolders: false, deleteFolders: false };
    expect(body.environments.map(({ may }: { may: object }) => may)).toEqual([
      { ...none, createFolders: true },
      none,
      { ...none, createSecrets: true },
    ]);
  });

  it('sees what it may describe, and is told what it may not read', async () => {
    const { put, read, reader, tag, folder } = await setUp();
    const closed = await tag('closed');
    await put('dev', 'OPEN');
    await put('prod', 'OPEN');
    await put('dev', 'CLOSED', { tagIds: [closed] });
    await put('staging', 'CLOSED');
    await folder('prod', '/', 'app');
    await folder('dev', '/', 'dev-only');
    const call = await reader([
      { subject: 'secrets', action: ['describeSecret'], conditions: { environment: { $in: ['dev', 'staging'] } } },
      { subject: 'secrets', action: ['readValue'], conditions: { environment: 'staging' } },
      {
        subject: 'secrets',
        action: ['describeSecret'],
        inverted: true,
        conditions: { secretTags: { $in: ['closed'] } },
      },
    ]);
    const { body } = await read('', call);
    // The environments of a project are shown to all its members.
    expect(namesOf(body.environments)).toEqual(['dev', 'staging', 'prod']);
    expect(table(body.secrets)).toEqual(['CLOSED: staging', 'OPEN: dev']);
    expect(body.secrets.map(({ environments }: Row) => environments[0]!.secretValueHidden)).toEqual([false, true]);
    expect(body.folders).toEqual([{ name: 'dev-only', environments: ['dev'] }]);
    expect(body.totalCount).toBe(2);
  });

  it('sees the way to a folder below which it may see something', async () => {
    const { folder, read, reader } = await setUp();
    await folder('dev', '/', 'app');
    await folder('dev', '/app', 'db');
    await folder('dev', '/', 'other');
    await folder('prod', '/', 'app');
    const call = await reader([
      { subject: 'secrets', action: ['read'], conditions: { environment: 'dev', secretPath: '/app/db' } },
    ]);
    expect((await read('', call)).body.folders).toEqual([{ name: 'app', environments: ['dev'] }]);
    expect((await read('secretPath=/app', call)).body.folders).toEqual([{ name: 'db', environments: ['dev'] }]);
  });

  it('gets the same for existing and unknown folders where it sees nothing', async () => {
    const { folder, put, read, reader } = await setUp();
    await folder('dev', '/', 'app');
    await put('dev', 'KEY', { secretPath: '/app' });
    const call = await reader([{ subject: 'secrets', action: ['read'], conditions: { secretPath: '/elsewhere' } }]);
    const [there, absent] = [await read('secretPath=/app', call), await read('secretPath=/none', call)];
    expect(there.status).toBe(200);
    expect(there.body).toEqual(absent.body);
    expect(there.body).toMatchObject({ folders: [], secrets: [], totalCount: 0 });
  });

  it('is a member of the project, with a token', async () => {
    const { projectId, read } = await setUp();
    const { call: foreign } = await test.foreign();
    const { call: outsider } = await test.identity();
    const known = await read('', outsider);
    const unknown = await outsider('GET', `/api/v1/projects/${'0'.repeat(8)}/secrets/overview`);
    expect([(await read('', foreign)).status, known.status, unknown.status]).toEqual([404, 404, 404]);
    expect(known.body.message).toBe(unknown.body.message);
    expect((await test.as()('GET', `/api/v1/projects/${projectId}/secrets/overview`)).status).toBe(401);
  });

  it('leaves one event for each environment that it asks for', async () => {
    const { projectId, put, read } = await setUp();
    await put('dev', 'A');
    await put('dev', 'B');
    await put('prod', 'B');
    await read('environments=dev,prod&search=b');
    const { rows } = await test.coffer.pool.query<{ data: object }>(
      `select data from audit_events where project_id = $1 and published = 'get-secrets' order by data ->> 'environment'`,
      [projectId],
    );
    expect(rows.map(({ data }) => data)).toEqual([
      { environment: 'dev', secretPath: '/', numberOfSecrets: 1 },
      { environment: 'prod', secretPath: '/', numberOfSecrets: 1 },
    ]);
  });
});
