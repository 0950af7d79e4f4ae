import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

/** A separate project, with functions to write and read its secrets as an administrator. */
async function setUp() {
  const project = await test.project();
  const at = { projectId: project.id, environment: 'dev' };
  return {
    project,
    at,
    put: (secretName: string, secretValue: string, more: object = {}) =>
      test.admin('POST', `/api/v4/secrets/${encodeURIComponent(secretName)}`, { ...at, secretValue, ...more }),
    read: (secretName: string, query = '', call: Caller = test.admin) =>
      call('GET', `/api/v4/secrets/${encodeURIComponent(secretName)}?projectId=${project.id}&environment=dev${query}`),
    list: (query = '', call: Caller = test.admin) =>
      call('GET', `/api/v4/secrets?projectId=${project.id}&environment=dev${query}`),
    folder: (path: string, environment = 'dev') => makeFolder(project.id, path, environment),
    tag: async (slug: string) =>
      (await test.admin('POST', `/api/v1/workspace/${project.id}/tags`, { slug, color: '' })).body.workspaceTag,
    reader: (rules: object[]) => test.identity({ projectId: project.id, rules: rules as never }),
  };
}

async function makeFolder(projectId: string, path: string, environment: string): Promise<void> {
  const parts = path.split('/').filter(Boolean);
  for (const [index, name] of parts.entries()) {
    await test.admin('POST', '/api/v1/folders', {
      workspaceId: projectId,
      environment,
      name,
      path: `/${parts.slice(0, index).join('/')}`,
    });
  }
}

describe('creating a secret', () => {
  it('returns every published field', async () => {
    const { put, project } = await setUp();
    const { status, body } = await put('KEY', 'value', {
      secretComment: 'why',
      secretMetadata: [{ key: 'team', value: 'a' }],
    });
    expect(status).toBe(200);
    expect(body.secret).toMatchObject({
      id: expect.any(String),
      _id: body.secret.id,
      workspace: project.id,
      environment: 'dev',
      version: 1,
      type: 'shared',
      secretKey: 'KEY',
      secretValue: 'value',
      secretValueHidden: false,
      secretComment: 'why',
      secretPath: '/',
      secretReminderNote: null,
      secretReminderRepeatDays: null,
      skipMultilineEncoding: false,
      metadata: null,
      secretMetadata: [{ key: 'team', value: 'a', isEncrypted: false }],
      tags: [],
      isRotatedSecret: false,
      rotationId: null,
      actor: { actorType: 'identity', name: 'machine' },
    });
    expect(body.secret.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('keeps line breaks, quotes, backslashes and all Unicode characters', async () => {
    const { put, read } = await setUp();
    const value = 'a "b" \\n \'c\' $HOME\nsecond\tline\u0000 \u{1F511} ünï';
    await put('ODD', value);
    expect((await read('ODD')).body.secret.secretValue).toBe(value);
  });

  it('trims a value and keeps one line break at its end', async () => {
    const { put, read } = await setUp();
    await put('PEM', '  -----BEGIN-----\n\n\n');
    expect((await read('PEM')).body.secret.secretValue).toBe('-----BEGIN-----\n');
  });

  it('accepts an empty value', async () => {
    const { put, read } = await setUp();
    await put('EMPTY', '');
    expect((await read('EMPTY')).body.secret.secretValue).toBe('');
  });

  it.each(['a:b', 'a/b', '', 'x'.repeat(256)])('refuses the name %j', async (name) => {
    const { at } = await setUp();
    const answer = await test.admin('POST', '/api/v4/secrets/batch', {
      ...at,
      secrets: [{ secretKey: name, secretValue: 'v' }],
    });
    expect(answer.status).toBe(422);
  });

  it('refuses a name that is taken', async () => {
    const { put } = await setUp();
    await put('KEY', 'one');
    expect(await put('KEY', 'two')).toMatchObject({ status: 400, body: { details: { keys: ['KEY'] } } });
  });

  it('returns 404 for an unknown folder, environment, tag or project', async () => {
    const { put } = await setUp();
    expect((await put('A', 'v', { secretPath: '/nowhere' })).status).toBe(404);
    expect((await put('A', 'v', { environment: 'nowhere' })).status).toBe(404);
    expect((await put('A', 'v', { tagIds: ['not-a-uuid'] })).status).toBe(404);
    expect((await put('A', 'v', { projectId: 'not-a-uuid' })).status).toBe(404);
  });

  it("rejects callers who may not create under this name, with the caller's rules", async () => {
    const { at, reader } = await setUp();
    const { call } = await reader([
      { subject: 'secrets', action: 'create', conditions: { environment: 'dev', secretName: { $glob: 'A_*' } } },
    ]);
    expect((await call('POST', '/api/v4/secrets/A_1', { ...at, secretValue: 'v' })).status).toBe(200);
    const refused = await call('POST', '/api/v4/secrets/B_1', { ...at, secretValue: 'v' });
    expect(refused).toMatchObject({
      status: 403,
      body: { error: 'PermissionDenied', details: [{ subject: 'secrets', action: 'create' }] },
    });
  });

  it('hides the value from callers who may create but not read', async () => {
    const { at, reader } = await setUp();
    const { call } = await reader([{ subject: 'secrets', action: 'create' }]);
    const { body } = await call('POST', '/api/v4/secrets/NEW', { ...at, secretValue: 'known-to-the-writer' });
    expect(body.secret).toMatchObject({ secretValueHidden: true, secretValue: '<hidden>' });
  });
});

describe('creating several secrets in one call', () => {
  const batch = (at: object, names: readonly string[], call: Caller = test.admin) =>
    call('POST', '/api/v3/secrets/batch/raw', {
      ...at,
      secretPath: '/',
      secrets: names.map((secretKey) => ({ secretKey, secretValue: `value of ${secretKey}` })),
    });

  it('writes a hundred secrets, each as its first version', async () => {
    const { project, list } = await setUp();
    const names = Array.from({ length: 100 }, (_, index) => `KEY_${index}`);
    const { body } = await batch({ workspaceId: project.id, environment: 'dev' }, names);
    expect(body.secrets.map((secret: { secretKey: string }) => secret.secretKey)).toEqual(names);
    expect(new Set(body.secrets.map((secret: { version: number }) => secret.version))).toEqual(new Set([1]));
    expect((await list()).body.secrets).toHaveLength(100);
  });

  it('accepts the slug of the project, and requires the ID or the slug', async () => {
    const { project } = await setUp();
    expect((await batch({ projectSlug: project.slug, environment: 'dev' }, ['A'])).status).toBe(200);
    expect((await batch({ environment: 'dev' }, ['B'])).status).toBe(400);
    expect((await batch({ projectSlug: 'no-such-project', environment: 'dev' }, ['B'])).status).toBe(404);
  });

  it('writes nothing if one key exists or is duplicate, and names it', async () => {
    const { project, put, list } = await setUp();
    await put('TAKEN', 'v');
    const at = { workspaceId: project.id, environment: 'dev' };
    expect(await batch(at, ['NEW', 'TAKEN'])).toMatchObject({ status: 400, body: { details: { keys: ['TAKEN'] } } });
    expect(await batch(at, ['TWICE', 'ONCE', 'TWICE'])).toMatchObject({
      status: 400,
      body: { details: { keys: ['TWICE'] } },
    });
    expect((await list()).body.secrets).toHaveLength(1);
  });

  it('writes nothing if one of ninety-nine may not be written', async () => {
    const { project, reader, list } = await setUp();
    const { call } = await reader([
      { subject: 'secrets', action: ['create', 'describeSecret'] },
      { subject: 'secrets', action: 'create', conditions: { secretName: 'FORBIDDEN' }, inverted: true },
    ]);
    const names = [...Array.from({ length: 98 }, (_, index) => `K${index}`), 'FORBIDDEN'];
    expect((await batch({ workspaceId: project.id, environment: 'dev' }, names, call)).status).toBe(403);
    expect((await list()).body.secrets).toHaveLength(0);
  });

  it('lets exactly one of two conflicting batches win', async () => {
    const { project, list } = await setUp();
    const at = { workspaceId: project.id, environment: 'dev' };
    const answers = await Promise.all([batch(at, ['A', 'B', 'C']), batch(at, ['C', 'B', 'D'])]);
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect((await list()).body.secrets).toHaveLength(3);
  });

  it('refuses an empty batch', async () => {
    const { project } = await setUp();
    expect((await batch({ workspaceId: project.id, environment: 'dev' }, [])).status).toBe(422);
  });
});

describe('reading a secret', () => {
  it('returns 404 for an unknown name, and 403 to callers who may not read it anyway', async () => {
    const { read, reader } = await setUp();
    const { call } = await reader([
      { subject: 'secrets', action: ['describeSecret', 'readValue'], conditions: { secretName: 'OTHER' } },
    ]);
    expect((await read('MISSING')).status).toBe(404);
    expect((await read('MISSING', '', call)).status).toBe(403);
  });

  it('hides the value on request, and rejects it for callers who may only describe', async () => {
    const { put, read, reader } = await setUp();
    await put('KEY', 'v');
    const { call } = await reader([{ subject: 'secrets', action: 'describeSecret' }]);
    expect((await read('KEY', '&viewSecretValue=false', call)).body.secret).toMatchObject({
      secretValue: '<hidden>',
      secretValueHidden: true,
    });
    expect((await read('KEY', '', call)).status).toBe(403);
  });

  it('treats the legacy permission to read as both, also if it is forbidden later', async () => {
    const { put, read, reader } = await setUp();
    await put('KEY', 'v');
    const older = await reader([{ subject: 'secrets', action: 'read' }]);
    expect((await read('KEY', '', older.call)).body.secret.secretValue).toBe('v');
    const less = await reader([
      { subject: 'secrets', action: 'read' },
      { subject: 'secrets', action: 'readValue', inverted: true },
    ]);
    expect((await read('KEY', '', less.call)).status).toBe(403);
    expect((await read('KEY', '&viewSecretValue=false', less.call)).status).toBe(200);
  });

  it('returns an older version, and 404 for an unknown one', async () => {
    const { put, read, at } = await setUp();
    await put('KEY', 'one');
    await test.admin('PATCH', '/api/v4/secrets/KEY', { ...at, secretValue: 'two' });
    expect((await read('KEY')).body.secret).toMatchObject({ secretValue: 'two', version: 2 });
    expect((await read('KEY', '&version=1')).body.secret).toMatchObject({ secretValue: 'one', version: 1 });
    expect((await read('KEY', '&version=3')).status).toBe(404);
    expect((await read('KEY', '&version=0')).status).toBe(422);
  });

  it('returns the same under the legacy path, by ID or slug of the project', async () => {
    const { put, project } = await setUp();
    await put('KEY', 'v');
    for (const named of [`workspaceId=${project.id}`, `workspaceSlug=${project.slug}`]) {
      const { body } = await test.admin(
        'GET',
        `/api/v3/secrets/raw/KEY?${named}&environment=dev&secretPath=/&type=shared&include_imports=false`,
      );
      expect(body.secret).toMatchObject({ secretKey: 'KEY', secretValue: 'v', workspace: project.id });
    }
  });

  it('is found by its id, but not by a foreign organization', async () => {
    const { put } = await setUp();
    const { id } = (await put('KEY', 'v')).body.secret;
    expect((await test.admin('GET', `/api/v3/secrets/raw/id/${id}`)).body.secret.secretValue).toBe('v');
    const { call } = await test.foreign();
    const foreign = await call('GET', `/api/v3/secrets/raw/id/${id}`);
    const unknown = await call('GET', '/api/v3/secrets/raw/id/0197a0f0-0000-7000-8000-000000000000');
    expect({ ...foreign.body, reqId: '' }).toEqual({ ...unknown.body, reqId: '' });
    expect(foreign.status).toBe(404);
  });

  it('returns 304 while nothing has changed', async () => {
    const { put, read, at, project } = await setUp();
    await put('KEY', 'v');
    const etag = String((await read('KEY')).headers['etag']);
    const url = `/api/v4/secrets/KEY?projectId=${project.id}&environment=dev`;
    expect((await test.admin('GET', url, undefined, { 'if-none-match': etag })).status).toBe(304);
    await test.admin('PATCH', '/api/v4/secrets/KEY', { ...at, secretValue: 'w' });
    expect((await test.admin('GET', url, undefined, { 'if-none-match': etag })).status).toBe(200);
  });

  it('differs from a foreign organization and from no token', async () => {
    const { put, read } = await setUp();
    await put('KEY', 'v');
    expect((await read('KEY', '', test.as())).status).toBe(401);
    expect((await read('KEY', '', (await test.foreign()).call)).status).toBe(404);
  });
});

describe('listing secrets', () => {
  it('lists one folder, or its subtree', async () => {
    const { put, list, folder } = await setUp();
    await folder('/app/db');
    await folder('/application');
    await put('ROOT', 'v');
    await put('APP', 'v', { secretPath: '/app' });
    await put('DB', 'v', { secretPath: '/app/db' });
    await put('OTHER', 'v', { secretPath: '/application' });
    const names = async (query: string) =>
      (await list(query)).body.secrets.map(
        (secret: { secretPath: string; secretKey: string }) => `${secret.secretPath} ${secret.secretKey}`,
      );
    expect(await names('')).toEqual(['/ ROOT']);
    expect(await names('&secretPath=/app&recursive=true')).toEqual(['/app APP', '/app/db DB']);
    expect(await names('&recursive=true')).toHaveLength(4);
  });

  it('omits what the caller may not see, and hides what it may not read', async () => {
    const { put, list, reader } = await setUp();
    for (const name of ['SEEN', 'READ', 'NEITHER']) await put(name, 'v');
    const { call } = await reader([
      { subject: 'secrets', action: 'describeSecret', conditions: { secretName: { $in: ['SEEN', 'READ'] } } },
      { subject: 'secrets', action: 'readValue', conditions: { secretName: 'READ' } },
    ]);
    const { body } = await list('', call);
    expect(
      body.secrets.map((s: { secretKey: string; secretValueHidden: boolean }) => [s.secretKey, s.secretValueHidden]),
    ).toEqual([
      ['READ', false],
      ['SEEN', true],
    ]);
  });

  it('filters by tags and by metadata, and rules see tags', async () => {
    const { put, list, reader, tag } = await setUp();
    const red = await tag('red');
    await put('RED', 'v', { tagIds: [red.id], secretMetadata: [{ key: 'team', value: 'a' }] });
    await put('PLAIN', 'v', { secretMetadata: [{ key: 'team', value: 'b' }] });
    const names = (answer: { body: { secrets: { secretKey: string }[] } }) =>
      answer.body.secrets.map((secret) => secret.secretKey);
    expect(names(await list('&tagSlugs=red,blue'))).toEqual(['RED']);
    expect(names(await list(`&metadataFilter=${encodeURIComponent('key=team,value=b')}`))).toEqual(['PLAIN']);
    const { call } = await reader([
      { subject: 'secrets', action: 'read', conditions: { secretTags: { $in: ['red'] } } },
    ]);
    expect(names(await list('', call))).toEqual(['RED']);
  });

  it('returns 404 for an unknown folder, and an empty list for an empty one', async () => {
    const { list } = await setUp();
    expect((await list()).body).toEqual({ secrets: [] });
    expect((await list('&secretPath=/nowhere')).status).toBe(404);
    expect((await list('&recursive=perhaps')).status).toBe(422);
  });
});

describe('changing secrets', () => {
  it('updates the given fields and keeps the rest', async () => {
    const { put, at } = await setUp();
    await put('KEY', 'v', { secretComment: 'why', secretMetadata: [{ key: 'a', value: 'b', isEncrypted: true }] });
    const { body } = await test.admin('PATCH', '/api/v4/secrets/KEY', {
      ...at,
      secretReminderNote: 'rotate',
      secretReminderRepeatDays: 30,
    });
    expect(body.secret).toMatchObject({
      secretValue: 'v',
      secretComment: 'why',
      version: 2,
      secretReminderNote: 'rotate',
      secretReminderRepeatDays: 30,
      secretMetadata: [{ key: 'a', value: 'b', isEncrypted: true }],
    });
  });

  it('renames, unless the name is taken', async () => {
    const { put, read, at } = await setUp();
    await put('OLD', 'v');
    await put('TAKEN', 'w');
    expect((await test.admin('PATCH', '/api/v4/secrets/OLD', { ...at, newSecretName: 'TAKEN' })).status).toBe(400);
    expect(
      (await test.admin('PATCH', '/api/v4/secrets/OLD', { ...at, newSecretName: 'NEW' })).body.secret,
    ).toMatchObject({ secretKey: 'NEW', version: 2 });
    expect((await read('OLD')).status).toBe(404);
  });

  it('refuses to rename a secret to where the caller may not edit', async () => {
    const { put, at, reader } = await setUp();
    await put('A_1', 'v');
    const { call } = await reader([
      { subject: 'secrets', action: ['edit', 'describeSecret'], conditions: { secretName: { $glob: 'A_*' } } },
    ]);
    expect((await call('PATCH', '/api/v4/secrets/A_1', { ...at, newSecretName: 'B_1' })).status).toBe(403);
    expect((await call('PATCH', '/api/v4/secrets/A_1', { ...at, newSecretName: 'A_2' })).status).toBe(200);
  });

  it('in a batch, handles missing keys depending on the mode', async () => {
    const { put, list, at } = await setUp();
    await put('THERE', 'one');
    const change = (mode?: string) =>
      test.admin('PATCH', '/api/v4/secrets/batch', {
        ...at,
        ...(mode && { mode }),
        secrets: [
          { secretKey: 'THERE', secretValue: `${mode}` },
          { secretKey: 'ABSENT', secretValue: 'new' },
        ],
      });
    expect((await change()).status).toBe(404);
    expect((await list()).body.secrets[0]).toMatchObject({ secretValue: 'one', version: 1 });
    expect((await change('ignore')).body.secrets).toMatchObject([{ secretKey: 'THERE', secretValue: 'ignore' }]);
    expect((await change('upsert')).body.secrets).toMatchObject([
      { secretKey: 'THERE' },
      { secretKey: 'ABSENT', version: 1 },
    ]);
    expect((await change('perhaps')).status).toBe(422);
  });

  it('in a batch, finds keys in the folder of the batch, or in their own', async () => {
    const { put, at, folder } = await setUp();
    await folder('/app');
    await put('INNER', 'one', { secretPath: '/app' });
    await put('OUTER', 'one');
    const change = (secretPath: string, secrets: object[]) =>
      test.admin('PATCH', '/api/v4/secrets/batch', { ...at, secretPath, secrets });
    expect((await change('/app', [{ secretKey: 'INNER', secretValue: 'two' }])).body.secrets).toMatchObject([
      { secretPath: '/app', version: 2 },
    ]);
    const both = [
      { secretKey: 'OUTER', secretValue: 'two' },
      { secretKey: 'INNER', secretPath: '/app', secretValue: 'three' },
    ];
    expect((await change('/', both)).body.secrets).toMatchObject([
      { secretPath: '/', version: 2 },
      { secretPath: '/app', version: 3 },
    ]);
  });

  it('applies every one of many concurrent updates', async () => {
    const { put, read, at } = await setUp();
    await put('KEY', '0');
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        test.admin('PATCH', '/api/v4/secrets/KEY', { ...at, secretValue: `${index + 1}` }),
      ),
    );
    expect((await read('KEY')).body.secret.version).toBe(21);
  });

  it('does not deadlock two batches over the same secrets in opposite order', async () => {
    const { put, at } = await setUp();
    const names = Array.from({ length: 20 }, (_, index) => `K${index}`);
    for (const name of names) await put(name, 'v');
    const change = (order: readonly string[]) =>
      test.admin('PATCH', '/api/v4/secrets/batch', {
        ...at,
        secrets: order.map((secretKey) => ({ secretKey, secretValue: 'w' })),
      });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => change(index % 2 ? names : names.toReversed())),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 8 }, () => 200));
  });

  it('adds and removes tags by slug', async () => {
    const { put, project, tag } = await setUp();
    await tag('red');
    await put('KEY', 'v');
    const body = { projectSlug: project.slug, environment: 'dev', tagSlugs: ['red'] };
    expect((await test.admin('POST', '/api/v3/secrets/tags/KEY', body)).body.secret.tags).toMatchObject([
      { slug: 'red', name: 'red' },
    ]);
    expect((await test.admin('DELETE', '/api/v3/secrets/tags/KEY', body)).body.secret.tags).toEqual([]);
    expect((await test.admin('POST', '/api/v3/secrets/tags/KEY', { ...body, tagSlugs: ['none'] })).status).toBe(404);
  });
});

describe('deleting secrets', () => {
  it('deletes one secret, and all of a batch or none', async () => {
    const { put, list, at } = await setUp();
    for (const name of ['A', 'B', 'C']) await put(name, 'v');
    expect((await test.admin('DELETE', '/api/v4/secrets/A', at)).body.secret.secretKey).toBe('A');
    expect(
      (
        await test.admin('DELETE', '/api/v4/secrets/batch', {
          ...at,
          secrets: [{ secretKey: 'B' }, { secretKey: 'GONE' }],
        })
      ).status,
    ).toBe(404);
    expect((await list()).body.secrets).toHaveLength(2);
    expect(
      (
        await test.admin('DELETE', '/api/v4/secrets/batch', {
          ...at,
          secrets: [{ secretKey: 'B' }, { secretKey: 'C', type: 'shared' }],
        })
      ).body.secrets,
    ).toHaveLength(2);
    expect((await test.admin('DELETE', '/api/v4/secrets/B', at)).status).toBe(404);
  });

  it('needs its own permission', async () => {
    const { put, at, reader } = await setUp();
    await put('KEY', 'v');
    const { call } = await reader([{ subject: 'secrets', action: ['describeSecret', 'readValue', 'create', 'edit'] }]);
    expect((await call('DELETE', '/api/v4/secrets/KEY', at)).status).toBe(403);
  });
});

describe('the versions of a secret', () => {
  it('are listed newest first, in pages', async () => {
    const { put, at } = await setUp();
    const { id } = (await put('KEY', '1')).body.secret;
    for (const secretValue of ['2', '3']) await test.admin('PATCH', '/api/v4/secrets/KEY', { ...at, secretValue });
    const { body } = await test.admin('GET', `/api/v1/secret/${id}/secret-versions`);
    expect(
      body.secretVersions.map((v: { version: number; secretValue: string; secretId: string }) => [
        v.version,
        v.secretValue,
        v.secretId,
      ]),
    ).toEqual([
      [3, '3', id],
      [2, '2', id],
      [1, '1', id],
    ]);
    const page = await test.admin('GET', `/api/v1/secret/${id}/secret-versions?offset=1&limit=1`);
    expect(page.body.secretVersions.map((v: { version: number }) => v.version)).toEqual([2]);
    expect((await test.admin('GET', `/api/v4/secrets/id/${id}/versions`)).body).toEqual(body);
  });

  it('hide their values from callers who may not read the secret', async () => {
    const { put, reader } = await setUp();
    const { id } = (await put('KEY', '1')).body.secret;
    const { call } = await reader([{ subject: 'secrets', action: 'describeSecret' }]);
    expect((await call('GET', `/api/v1/secret/${id}/secret-versions`)).body.secretVersions[0]).toMatchObject({
      secretValueHidden: true,
      secretValue: '<hidden>',
    });
  });
});

describe('moving secrets', () => {
  const move = (project: { id: string }, secretIds: string[], more: object = {}, call: Caller = test.admin) =>
    call('POST', '/api/v4/secrets/move', {
      projectId: project.id,
      sourceEnvironment: 'dev',
      sourceSecretPath: '/',
      destinationEnvironment: 'prod',
      destinationSecretPath: '/',
      secretIds,
      ...more,
    });

  it('keeps ID and history, and needs permission to delete here and to create there', async () => {
    const { put, project, reader, list } = await setUp();
    const { id } = (await put('KEY', 'v')).body.secret;
    const { call } = await reader([
      { subject: 'secrets', action: ['describeSecret', 'delete'] },
      { subject: 'secrets', action: 'create', conditions: { environment: 'dev' } },
    ]);
    expect((await move(project, [id], {}, call)).status).toBe(403);
    expect((await move(project, [id])).body).toEqual({ isSourceUpdated: true, isDestinationUpdated: true });
    expect((await list()).body.secrets).toEqual([]);
    const moved = await test.admin('GET', `/api/v4/secrets/KEY?projectId=${project.id}&environment=prod`);
    expect(moved.body.secret).toMatchObject({ id, version: 2, secretValue: 'v' });
  });

  it('accepts the project as the workspace on the legacy path', async () => {
    const { put, project, list } = await setUp();
    const { id } = (await put('KEY', 'v')).body.secret;
    const { status, body } = await test.admin('POST', '/api/v3/secrets/move', {
      projectSlug: project.slug,
      sourceEnvironment: 'dev',
      sourceSecretPath: '/',
      destinationEnvironment: 'prod',
      destinationSecretPath: '/',
      secretIds: [id],
    });
    expect([status, body]).toEqual([200, { isSourceUpdated: true, isDestinationUpdated: true }]);
    expect((await list()).body.secrets).toEqual([]);
    const moved = await test.admin('GET', `/api/v4/secrets/KEY?projectId=${project.id}&environment=prod`);
    expect(moved.body.secret).toMatchObject({ id, version: 2, secretValue: 'v' });
  });

  it('overwrites only on request', async () => {
    const { put, project } = await setUp();
    const { id } = (await put('KEY', 'new')).body.secret;
    await put('KEY', 'old', { environment: 'prod' });
    expect((await move(project, [id])).status).toBe(400);
    expect((await move(project, [id], { shouldOverwrite: true })).status).toBe(200);
    expect(
      (await test.admin('GET', `/api/v4/secrets/KEY?projectId=${project.id}&environment=prod`)).body.secret.secretValue,
    ).toBe('new');
  });

  it('returns 404 if one of the IDs is in another folder', async () => {
    const { put, project, list } = await setUp();
    const { id } = (await put('KEY', 'v')).body.secret;
    expect((await move(project, [id, '0197a0f0-0000-7000-8000-000000000000'])).status).toBe(404);
    expect((await list()).body.secrets).toHaveLength(1);
  });

  it('copies on request', async () => {
    const { put, project, list } = await setUp();
    const { id } = (await put('KEY', 'v', { secretComment: 'c' })).body.secret;
    const { body } = await test.admin('POST', '/api/v4/secrets/duplicate', {
      projectId: project.id,
      sourceEnvironment: 'dev',
      destinationEnvironment: 'prod',
      secretIds: [id],
    });
    expect(body.secrets).toMatchObject([
      { secretKey: 'KEY', secretValue: 'v', secretComment: 'c', environment: 'prod', version: 1 },
    ]);
    expect((await list()).body.secrets).toHaveLength(1);
  });
});

describe('a project that requires upper case', () => {
  async function capitals() {
    const made = await setUp();
    const { id, slug } = made.project;
    const old = (await made.put('small_and_old', 'v')).body.secret;
    const { status } = await test.admin('PATCH', `/api/v1/projects/${id}`, { autoCapitalization: true });
    expect(status).toBe(200);
    const names = async () =>
      (await made.list()).body.secrets.map(({ secretKey }: { secretKey: string }) => secretKey).toSorted();
    return { ...made, id, slug, old, names };
  }
  const refusal = { status: 400, body: { details: { names: ['small'] } } };

  it('rejects other names wherever a secret is named, and changes nothing', async () => {
    const { id: projectId, slug: projectSlug, at, put, names } = await capitals();
    await put('KEY', 'v');
    const v3 = { workspaceId: projectId, environment: 'dev', secretPath: '/' };
    const secrets = [
      { secretKey: 'FINE', secretValue: 'v' },
      { secretKey: 'small', secretValue: 'v' },
    ];
    const renamed = [{ secretKey: 'KEY', newSecretName: 'small' }];
    const attempts: ['POST' | 'PATCH', string, object][] = [
      ['POST', '/api/v4/secrets/small', { ...at, secretValue: 'v' }],
      ['POST', '/api/v4/secrets/batch', { ...at, secrets }],
      ['PATCH', '/api/v4/secrets/KEY', { ...at, newSecretName: 'small' }],
      ['PATCH', '/api/v4/secrets/batch', { ...at, secrets: renamed }],
      ['PATCH', '/api/v4/secrets/batch', { ...at, mode: 'upsert', secrets }],
      ['POST', '/api/v3/secrets/raw/small', { ...v3, secretValue: 'v' }],
      ['POST', '/api/v3/secrets/batch/raw', { ...v3, secrets }],
      ['POST', '/api/v3/secrets/batch/raw', { environment: 'dev', projectSlug, secrets }],
      ['PATCH', '/api/v3/secrets/raw/KEY', { ...v3, newSecretName: 'small' }],
      ['PATCH', '/api/v3/secrets/batch/raw', { ...v3, secrets: renamed }],
      ['PATCH', '/api/v3/secrets/batch/raw', { ...v3, mode: 'upsert', secrets }],
    ];
    for (const [method, url, body] of attempts)
      expect([method, url, await test.admin(method, url, body)]).toMatchObject([method, url, refusal]);
    expect(await names()).toEqual(['KEY', 'small_and_old']);
  });

  it('accepts upper case, digits and signs, and keeps existing names', async () => {
    const { id: projectId, at, put, old, names } = await capitals();
    expect((await put('KEY_2.A-b'.toUpperCase(), 'v')).status).toBe(200);
    const changed = await test.admin('PATCH', '/api/v4/secrets/small_and_old', { ...at, secretValue: 'new' });
    expect([changed.status, changed.body.secret.version]).toEqual([200, 2]);
    const from = { projectId, sourceEnvironment: 'dev', sourceSecretPath: '/', secretIds: [old.id] };
    const to = { destinationEnvironment: 'prod', destinationSecretPath: '/' };
    // A copy is a new secret; a moved one keeps its name.
    expect((await test.admin('POST', '/api/v4/secrets/duplicate', { ...from, ...to })).status).toBe(400);
    expect((await test.admin('POST', '/api/v4/secrets/move', { ...from, ...to })).status).toBe(200);
    expect(await names()).toEqual(['KEY_2.A-B']);
    await test.admin('PATCH', `/api/v1/projects/${projectId}`, { autoCapitalization: false });
    expect((await put('small', 'v')).status).toBe(200);
  });

  it('permits personal values of older names', async () => {
    const { id: projectId, at } = await capitals();
    const user = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'admin' });
    await test.admin('POST', `/api/v2/workspace/${projectId}/memberships`, {
      usernames: [user.email],
      roleSlugs: ['admin'],
    });
    const { status } = await test.as(user.token)('POST', '/api/v4/secrets/small_and_old', {
      ...at,
      secretValue: 'mine',
      type: 'personal',
    });
    expect(status).toBe(200);
  });
});
