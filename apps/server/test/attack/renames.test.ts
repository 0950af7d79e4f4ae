import type { Rule } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const RENAME: Rule[] = [
  { subject: 'secret-folders', action: ['edit'] },
  { subject: 'environments', action: ['edit'] },
];
/** Permissions to rename the contents of a folder; `placing.test.ts` tries without them. */
const PLACE: Rule[] = [
  { subject: 'secrets', action: ['create'] },
  { subject: 'dynamic-secrets', action: ['create-root-credential'] },
  { subject: 'secret-imports', action: ['create'] },
  { subject: 'secret-folders', action: ['create'] },
];
const read = (conditions?: Rule['conditions'], inverted = false): Rule => ({
  subject: 'secrets',
  action: ['describeSecret', 'readValue'],
  ...(conditions && { conditions }),
  inverted,
});

/** A project with the secrets A (tagged `blue`) and B (tagged `red`) in /from of dev, and a caller with some rules who may rename. */
async function setUp(rules: Rule[], place = PLACE) {
  const { id: projectId, slug: projectSlug } = await test.project();
  const at = { projectId, environment: 'dev', secretPath: '/from' };
  const made = await test.admin('POST', '/api/v2/folders', { projectId, environment: 'dev', path: '/', name: 'from' });
  for (const [name, slug] of [
    ['A', 'blue'],
    ['B', 'red'],
  ]) {
    const tag = await test.admin('POST', `/api/v1/workspace/${projectId}/tags`, { slug, color: '' });
    const tagIds = [tag.body.workspaceTag.id];
    await test.admin('POST', `/api/v4/secrets/${name}`, { ...at, secretValue: `value of ${name}`, tagIds });
  }
  const { environments } = (await test.admin('GET', `/api/v1/workspace/${projectId}`)).body.workspace;
  const dev = environments.find((one: { slug: string }) => one.slug === 'dev');
  const { call } = await test.identity({ projectId, rules: [...RENAME, ...place, ...rules] });
  const value = async (name: string, environment: string, path: string): Promise<number> =>
    (await call('GET', `/api/v4/secrets/${name}?projectId=${projectId}&environment=${environment}&secretPath=${path}`))
      .status;
  const renameFolder = async (name: string, as: Caller = call) =>
    as('PATCH', `/api/v2/folders/${made.body.folder.id}`, { projectId, environment: 'dev', path: '/', name });
  const renameEnvironment = (slug: string) =>
    call('PATCH', `/api/v1/workspace/${projectId}/environments/${dev.id}`, { slug });
  return { projectId, projectSlug, call, value, renameFolder, renameEnvironment };
}

const REFUSED = { status: 403, body: { error: 'PermissionDenied' } };

describe('attack: renaming containers of secrets that rules name', () => {
  it('a folder, to the path under which rules name another secret, is refused', async () => {
    const { value, renameFolder } = await setUp([
      read({ secretPath: '/from', secretName: 'B' }),
      read({ secretPath: '/to', secretName: 'A' }),
    ]);
    expect([await value('A', 'dev', '/from'), await value('B', 'dev', '/from')]).toEqual([403, 200]);
    expect(await renameFolder('to')).toMatchObject(REFUSED);
    expect([await value('A', 'dev', '/from'), await value('B', 'dev', '/from')]).toEqual([403, 200]);
  });

  it('an environment, to the slug under which rules name another secret than by tag, is refused', async () => {
    const { value, renameEnvironment } = await setUp([
      read({ environment: 'dev', secretTags: { $in: ['red'] } }),
      read({ environment: 'open', secretName: 'A' }),
    ]);
    expect([await value('A', 'dev', '/from'), await value('B', 'dev', '/from')]).toEqual([403, 200]);
    expect(await renameEnvironment('open')).toMatchObject(REFUSED);
    expect(await value('A', 'dev', '/from')).toBe(403);
  });

  it('an environment, to the slug under which another secret is forbidden, is refused', async () => {
    const { value, renameEnvironment } = await setUp([
      read(),
      read({ environment: 'dev', secretName: 'A' }, true),
      read({ environment: 'open', secretName: 'Z' }, true),
    ]);
    expect([await value('A', 'dev', '/from'), await value('B', 'dev', '/from')]).toEqual([403, 200]);
    expect(await renameEnvironment('open')).toMatchObject(REFUSED);
    expect(await value('A', 'dev', '/from')).toBe(403);
  });

  it('a folder with dynamic secrets, to where others of them may be leased, is refused', async () => {
    const lease = (secretPath: string, value: string): Rule => ({
      subject: 'dynamic-secrets',
      action: ['lease'],
      conditions: { secretPath, metadata: { $elemMatch: { key: 'team', value } } },
    });
    const { call, projectSlug, renameFolder } = await setUp([lease('/from', 'a'), lease('/to', 'b')]);
    const place = { projectSlug, environmentSlug: 'dev' };
    for (const value of ['a', 'b'])
      await test.admin('POST', '/api/v1/dynamic-secrets', {
        ...{ ...place, path: '/from', name: `of-${value}`, defaultTTL: '1h' },
        provider: { type: 'totp', inputs: { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP' } },
        metadata: [{ key: 'team', value }],
      });
    const lend = async (name: string, path: string) =>
      (await call('POST', '/api/v1/dynamic-secrets/leases', { ...place, path, dynamicSecretName: name })).status;
    expect([await lend('of-a', '/from'), await lend('of-b', '/from')]).toEqual([200, 403]);
    expect(await renameFolder('to')).toMatchObject(REFUSED);
    expect(await lend('of-b', '/from')).toBe(403);
  });

  it('a folder, to where its deleted contents may be read, is rejected', async () => {
    const { projectId, renameFolder } = await setUp([
      read({ secretPath: '/from', secretName: 'B' }),
      read({ secretPath: '/old', secretName: 'A' }),
      read({ secretPath: '/to', secretName: 'A' }),
    ]);
    await renameFolder('old', test.admin);
    const old = { projectId, environment: 'dev', secretPath: '/old' };
    await test.admin('PATCH', '/api/v4/secrets/A', { ...old, secretValue: 'written in /old' });
    await test.admin('DELETE', '/api/v4/secrets/A', old);
    await renameFolder('from', test.admin);
    expect(await renameFolder('to')).toMatchObject(REFUSED);
  });

  it('a folder, to where more could be created in it, is refused', async () => {
    const create = (secretPath: string, secretName: string): Rule => ({
      subject: 'secrets',
      action: ['create'],
      conditions: { secretPath, secretName },
    });
    const { renameFolder } = await setUp([create('/from', 'MINE'), create('/to', 'YOURS')], []);
    expect(await renameFolder('to')).toMatchObject(REFUSED);
  });

  it('a folder, to the path that a replication copies to where more is readable, is refused', async () => {
    const { projectId, renameFolder } = await setUp([
      read({ secretPath: '/from', secretName: 'B' }),
      read({ secretPath: '/copies', secretName: 'A' }),
    ]);
    const dev = { projectId, environment: 'dev', path: '/' };
    expect((await test.admin('POST', '/api/v2/folders', { ...dev, name: 'copies' })).status).toBe(200);
    const made = await test.admin('POST', '/api/v2/secret-imports', {
      ...{ ...dev, path: '/copies', isReplication: true },
      import: { environment: 'dev', path: '/to' },
    });
    expect(made.status).toBe(200);
    expect(await renameFolder('to')).toMatchObject(REFUSED);
  });

  it('is allowed if nobody gains anything by it', async () => {
    const byName = await setUp([read({ secretName: { $glob: 'A*' } })]);
    expect((await byName.renameFolder('to')).status).toBe(200);
    expect((await byName.renameEnvironment('open')).status).toBe(200);
    const elsewhere = await setUp([
      read({ secretPath: '/from', secretName: { $in: ['A', 'B'] } }),
      read({ secretPath: '/to', secretName: { $in: ['A', 'C'] } }),
    ]);
    expect((await elsewhere.renameFolder('to')).status).toBe(200);
    expect(await elsewhere.value('A', 'dev', '/to')).toBe(200);
  });
});
