import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

async function setUp() {
  const { admin } = test;
  const project = await test.project();
  const at = { projectId: project.id, environment: 'dev' };
  const query = `projectId=${project.id}&environment=dev`;
  const folder = async (name: string): Promise<string> =>
    (await admin('POST', '/api/v1/folders', { workspaceId: project.id, environment: 'dev', name })).body.folder.id;
  const put = (secretName: string, secretValue: string, more: object = {}) =>
    admin('POST', `/api/v4/secrets/${secretName}`, { ...at, secretValue, ...more });
  const batch = (secrets: object[]) => admin('PATCH', '/api/v4/secrets/batch', { ...at, secrets });
  const rename = (...pairs: [string, string][]) =>
    batch(pairs.map(([secretKey, newSecretName]) => ({ secretKey, newSecretName })));
  const values = async (path = '/'): Promise<Record<string, string>> => {
    const { body } = await admin('GET', `/api/v4/secrets?${query}&secretPath=${path}`);
    return Object.fromEntries(
      body.secrets.map((one: { secretKey: string; secretValue: string }) => [one.secretKey, one.secretValue]),
    );
  };
  const read = async (name: string, more = '') => (await admin('GET', `/api/v4/secrets/${name}?${query}${more}`)).body;
  const renameFolder = (id: string, name: string) =>
    admin('PATCH', `/api/v1/folders/${id}`, { workspaceId: project.id, environment: 'dev', path: '/', name });
  return { project, at, query, folder, put, batch, rename, values, read, renameFolder };
}

describe('names that are swapped in one batch', () => {
  it('change places, and go along a chain in any order', async () => {
    const { put, rename, values } = await setUp();
    for (const name of ['A', 'B', 'C', 'D']) await put(name, `was ${name}`);
    expect((await rename(['A', 'B'], ['B', 'A'])).status).toBe(200);
    expect(await values()).toMatchObject({ A: 'was B', B: 'was A' });
    expect((await rename(['A', 'B'], ['B', 'C'], ['C', 'D'], ['D', 'E'])).status).toBe(200);
    expect(await values()).toEqual({ B: 'was B', C: 'was A', D: 'was C', E: 'was D' });
    expect((await rename(['E', 'F'], ['D', 'E'], ['C', 'D'], ['B', 'C'])).status).toBe(200);
    expect(await values()).toEqual({ C: 'was B', D: 'was A', E: 'was C', F: 'was D' });
  });

  it('are rejected if one of them stays used, and then nothing is changed', async () => {
    const { put, rename, values } = await setUp();
    for (const name of ['A', 'B', 'C']) await put(name, `was ${name}`);
    expect((await rename(['A', 'B'], ['B', 'C'])).status).toBe(400);
    expect((await rename(['A', 'X'], ['B', 'X'])).status).toBe(400);
    expect(await values()).toEqual({ A: 'was A', B: 'was B', C: 'was C' });
  });

  it('update the references to them, also to each other, as one version each', async () => {
    const { put, rename, values, read } = await setUp();
    await put('B', 'end');
    await put('A', '<${B}>');
    await put('OUTER', '${A} ${B}');
    const { status, body } = await rename(['A', 'B'], ['B', 'A']);
    expect(status).toBe(200);
    expect(body.secrets).toMatchObject([
      { secretKey: 'B', secretValue: '<${A}>', version: 2 },
      { secretKey: 'A', secretValue: 'end', version: 2 },
    ]);
    expect(await values()).toEqual({ A: 'end', B: '<${A}>', OUTER: '${B} ${A}' });
    expect((await read('B')).secret).toMatchObject({ version: 2, updatedAt: body.secrets[0].updatedAt });
    expect((await read('OUTER')).secret).toMatchObject({ version: 2 });
  });

  it('move their personal values', async () => {
    const { project, at, query, put, rename } = await setUp();
    await put('A', 'a');
    await put('B', 'b');
    const email = `ann-${project.slug}@example.com`;
    const user = await makeUser(test.coffer, { email, organizationId: test.organizationId });
    await test.admin('POST', `/api/v2/workspace/${project.id}/memberships`, { emails: [email], roleSlugs: ['member'] });
    const ann = test.as(user.token);
    for (const name of ['A', 'B'])
      await ann('POST', `/api/v4/secrets/${name}`, { ...at, secretValue: `ann's ${name}`, type: 'personal' });
    expect((await rename(['A', 'B'], ['B', 'A'])).status).toBe(200);
    const own = async (name: string) =>
      (await ann('GET', `/api/v4/secrets/${name}?${query}&type=personal`)).body.secret.secretValue;
    expect([await own('A'), await own('B')]).toEqual(["ann's B", "ann's A"]);
  });
});

describe('a renaming', () => {
  it('is returned as stored if the same batch changes references to it', async () => {
    const { put, batch, read } = await setUp();
    await put('OLD', 'v');
    await put('POINTER', '${OLD}');
    const { body } = await batch([
      { secretKey: 'OLD', newSecretName: 'NEW' },
      { secretKey: 'POINTER', secretComment: 'changed' },
    ]);
    expect(body.secrets[1]).toMatchObject({ secretKey: 'POINTER', secretValue: '${NEW}', version: 2 });
    expect((await read('POINTER')).secret).toMatchObject({ secretValue: '${NEW}', version: 2 });
  });

  it('to a name that cannot be referenced is rejected if a reference exists', async () => {
    const { put, rename, values } = await setUp();
    await put('LONELY', 'v');
    await put('OLD', 'v');
    await put('POINTER', '${OLD}');
    expect((await rename(['LONELY', 'with.dot'])).status).toBe(200);
    for (const name of ['with.dot.too', 'with blank', 'é'])
      expect(await rename(['OLD', name])).toMatchObject({ status: 400, body: { error: 'BadRequest' } });
    expect(await values()).toEqual({ OLD: 'v', POINTER: '${OLD}', 'with.dot': 'v' });
  });

  it('is permitted, and discloses nothing, if a dependent also refers to what the caller may not read', async () => {
    const { project, at, put, read } = await setUp();
    await put('PASSWORD', 'p', { environment: 'prod' });
    await put('SHARED', 's');
    await put('URL', '${prod.PASSWORD}@${dev.SHARED}', { environment: 'prod' });
    await put('LOCAL', '${prod.PASSWORD}');
    const rules = [{ subject: 'secrets', action: ['edit', 'describeSecret'], conditions: { environment: 'dev' } }];
    const { call } = await test.identity({ projectId: project.id, rules });
    expect((await call('PATCH', '/api/v4/secrets/SHARED', { ...at, newSecretName: 'RENAMED' })).status).toBe(200);
    expect((await call('PATCH', '/api/v4/secrets/LOCAL', { ...at, secretComment: 'mine' })).status).toBe(200);
    const url = await test.admin('GET', `/api/v4/secrets/URL?projectId=${project.id}&environment=prod`);
    expect(url.body.secret.secretValue).toBe('${prod.PASSWORD}@${dev.RENAMED}');
    expect((await read('LOCAL')).secret).toMatchObject({ secretValue: '${prod.PASSWORD}', secretComment: 'mine' });
  });

  it('is logged in each of its consequences', async () => {
    const { project, put, rename } = await setUp();
    await put('OLD', 'v');
    await put('POINTER', '${dev.OLD}', { environment: 'prod' });
    await rename(['OLD', 'NEW']);
    const rows = await test.coffer.query<{ data: object }>(
      {
        name: 'test.followed',
        text: `select data from audit_events where project_id = $1 and type = 'secrets.updated'`,
      },
      [project.id],
    );
    expect(rows.map((row) => row.data)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          environment: 'prod',
          secrets: [expect.objectContaining({ secretKey: 'POINTER', secretVersion: 2 })],
        }),
      ]),
    );
  });
});

describe('renaming a folder or environment', () => {
  it('works if a secret refers to the old name and to the unused new one', async () => {
    const { project, folder, put, values, renameFolder } = await setUp();
    const id = await folder('old');
    await put('KEY', 'v', { secretPath: '/old' });
    await put('BOTH', '${dev.old.KEY}|${dev.new.KEY}|${qa.KEY}|${dev.KEY}');
    expect((await renameFolder(id, 'new')).status).toBe(200);
    expect((await values())['BOTH']).toBe('${dev.new.KEY}|${dev.new.KEY}|${qa.KEY}|${dev.KEY}');
    const { environments } = (await test.admin('GET', `/api/v1/workspace/${project.id}`)).body.workspace;
    const dev = environments.find((one: { slug: string }) => one.slug === 'dev');
    const renamed = await test.admin('PATCH', `/api/v1/workspace/${project.id}/environments/${dev.id}`, { slug: 'qa' });
    expect(renamed.status).toBe(200);
    const list = await test.admin('GET', `/api/v4/secrets?projectId=${project.id}&environment=qa`);
    expect(list.body.secrets[0].secretValue).toBe('${qa.new.KEY}|${qa.new.KEY}|${qa.KEY}|${KEY}');
  });

  it('catches references that are written at the same time', async () => {
    const { folder, put, read, renameFolder } = await setUp();
    const id = await folder('old');
    await put('B', 'b', { secretPath: '/old' });
    await put('A', 'a', { secretPath: '/old' });
    await Promise.all([
      put('NEW', '${B}', { secretPath: '/old' }),
      put('FAR', '${dev.old.B}'),
      renameFolder(id, 'fresh'),
      put('OTHER', '${B}', { secretPath: '/fresh' }),
    ]);
    // Whatever was written is noted under the present name, so a renaming finds it.
    const rows = await test.coffer.query<{ path: string }>(
      {
        name: 'test.stale',
        text: `select r.path from secret_references r join secrets s on s.id = r.secret_id join folders f on f.id = s.folder_id
          where f.path = '/fresh' and r.path = '/old'`,
      },
      [],
    );
    expect(rows).toEqual([]);
    expect((await read('B', '&secretPath=/fresh')).secret.secretValue).toBe('b');
  });
});
