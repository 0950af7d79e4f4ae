import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Approvals } from '../../harness/approvals.ts';
import { ok } from '../../harness/groups.ts';
import { testServer, type Caller, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

/** In dev: /app with A, /app/db with PASSWORD, and URL in / that refers to it. */
async function setUp() {
  const of = await Approvals.in(test);
  const projectId = of.project.id;
  await of.folder('/', 'app', 'dev');
  await of.folder('/app', 'db', 'dev');
  await of.secret('A', 'a', '/app', 'dev');
  await of.secret('PASSWORD', 'hunter2', '/app/db', 'dev');
  await of.secret('URL', 'db://${dev.app.db.PASSWORD}', '/', 'dev');
  const transfer =
    (how: 'copy' | 'move') =>
    (more: object = {}, call: Caller = test.admin) =>
      call('POST', `/api/v2/folders/${how}`, {
        ...{ projectId, sourceEnvironment: 'dev', sourceSecretPath: '/', folderNames: ['app'] },
        ...{ destinationEnvironment: 'prod', destinationSecretPath: '/' },
        ...more,
      });
  return {
    of,
    projectId,
    copy: transfer('copy'),
    move: transfer('move'),
    imports: async (path: string, environment: string) =>
      (
        await ok(
          test.admin('GET', `/api/v2/secret-imports?projectId=${projectId}&environment=${environment}&path=${path}`),
        )
      ).secretImports.map(
        (one: { importEnv: { slug: string }; importPath: string }) => `${one.importEnv.slug} ${one.importPath}`,
      ),
    addImport: (path: string, environment: string, from: object) =>
      ok(test.admin('POST', '/api/v2/secret-imports', { projectId, environment, path, import: from })),
    paths: async (environment: string): Promise<string[]> =>
      (
        await ok(test.admin('GET', `/api/v2/folders?projectId=${projectId}&environment=${environment}&recursive=true`))
      ).folders.map((one: { relativePath: string }) => one.relativePath),
    uses: (path: string, call: Caller = test.admin) =>
      call('GET', `/api/v2/folders/uses?projectId=${projectId}&environment=dev&path=${path}`),
  };
}

/** Rules that allow everything in folders but what is left out. */
const allBut = (left: string) =>
  [
    ['secret-folders', 'read'],
    ['secret-folders', 'create'],
    ['secret-folders', 'delete'],
    ['secrets', 'describeSecret'],
    ['secrets', 'readValue'],
    ['secrets', 'create'],
    ['secrets', 'edit'],
    ['secrets', 'delete'],
    ['secret-imports', 'read'],
    ['secret-imports', 'create'],
    ['secret-imports', 'delete'],
  ]
    .filter(([subject, action]) => `${subject} ${action}` !== left)
    .map(([subject, action]) => ({ subject, action }));

describe('copying folders', () => {
  it('copies all below them with imports, creates what is missing, and leaves the source', async () => {
    const { of, copy, imports, addImport, paths } = await setUp();
    await addImport('/app', 'dev', { environment: 'staging', path: '/' });
    const { folders } = await ok(copy({ destinationSecretPath: '/new/place' }));
    expect(folders).toMatchObject([{ name: 'app' }]);
    expect(await paths('prod')).toEqual(['/new', '/new/place', '/new/place/app', '/new/place/app/db']);
    expect(await of.values('/new/place/app', 'prod')).toEqual({ A: 'a' });
    expect(await of.values('/new/place/app/db', 'prod')).toEqual({ PASSWORD: 'hunter2' });
    expect(await imports('/new/place/app', 'prod')).toEqual(['staging /']);
    expect(await of.values('/app', 'dev')).toEqual({ A: 'a' });
  });

  it('joins a folder that is there, and replaces secrets only on request: all or none', async () => {
    const { of, copy, paths } = await setUp();
    await of.folder('/', 'app', 'prod');
    await of.folder('/app', 'db', 'prod');
    await of.secret('PASSWORD', 'of prod', '/app/db', 'prod');
    await of.secret('OTHER', 'stays', '/app', 'prod');
    const refused = await copy();
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'These secret names already exist at the destination: PASSWORD',
    ]);
    expect(await of.values('/app', 'prod')).toEqual({ OTHER: 'stays' });
    await ok(copy({ shouldOverwrite: true }));
    expect(await of.values('/app', 'prod')).toEqual({ A: 'a', OTHER: 'stays' });
    expect(await of.values('/app/db', 'prod')).toEqual({ PASSWORD: 'hunter2' });
    expect(await paths('prod')).toEqual(['/app', '/app/db']);
  });

  it('refuses a folder into itself, missing and reserved names, and other places without rights', async () => {
    const { copy, move, projectId } = await setUp();
    const same = { destinationEnvironment: 'dev' };
    for (const work of [copy, move]) {
      expect((await work(same)).body.message).toContain('cannot go to /app');
      expect((await work({ ...same, destinationSecretPath: '/app/db' })).status).toBe(400);
      expect((await work({ folderNames: ['none'] })).status).toBe(404);
      expect((await work({ folderNames: ['../app'] })).status).toBe(422);
      expect((await work({ folderNames: [] })).status).toBe(422);
      expect((await work({ sourceEnvironment: 'none' })).status).toBe(404);
      const { call } = await test.identity({
        projectId,
        rules: allBut('').map((rule) => ({ ...rule, conditions: { environment: 'dev' } })) as never,
      });
      expect((await work({}, call)).status).toBe(403);
      const foreign = await test.project();
      expect((await work({ projectId: foreign.id }, (await test.identity()).call)).status).toBe(404);
    }
  });

  it.each([
    'secret-folders create',
    'secrets readValue',
    'secrets describeSecret',
    'secrets create',
    'secret-imports create',
  ])('needs %s', async (left) => {
    const { copy, projectId, addImport, paths } = await setUp();
    await addImport('/app/db', 'dev', { environment: 'dev', path: '/' });
    const { call } = await test.identity({ projectId, rules: allBut(left) as never });
    expect((await copy({}, call)).status).toBe(403);
    expect(await paths('prod')).toEqual([]);
  });

  it('copies no folder in which a rule hides something', async () => {
    const { copy, projectId, paths } = await setUp();
    for (const subject of ['secrets', 'secret-folders']) {
      const hidden = { subject, action: subject === 'secrets' ? 'readValue' : 'read', inverted: true };
      const rules = [...allBut(''), { ...hidden, conditions: { environment: 'dev', secretPath: '/app/db' } }];
      const { call } = await test.identity({ projectId, rules: rules as never });
      expect((await copy({}, call)).status).toBe(403);
    }
    expect(await paths('prod')).toEqual([]);
  });
});

describe('moving folders', () => {
  it('moves all below them: references follow, imports among them too, and secrets keep their history', async () => {
    const { of, move, imports, addImport, paths } = await setUp();
    await addImport('/app', 'dev', { environment: 'dev', path: '/app/db' });
    const { id } = await of.secret('OLD', 'first', '/app', 'dev');
    await ok(move());
    expect(await paths('dev')).toEqual([]);
    expect(await of.values('/app/db', 'prod')).toEqual({ PASSWORD: 'hunter2' });
    expect(await imports('/app', 'prod')).toEqual(['prod /app/db']);
    expect((await ok(test.admin('GET', `/api/v1/secret/${id}/secret-versions`))).secretVersions).toHaveLength(2);
    const url = `/api/v4/secrets/URL?projectId=${of.project.id}&environment=dev&expandSecretReferences=`;
    expect((await ok(test.admin('GET', `${url}false`))).secret.secretValue).toBe('db://${prod.app.db.PASSWORD}');
    expect((await ok(test.admin('GET', `${url}true`))).secret.secretValue).toBe('db://hunter2');
  });

  it('moves within an environment, and back by the history', async () => {
    const { of, move, paths, projectId } = await setUp();
    const { commits } = await ok(test.admin('GET', `/api/v1/projects/${projectId}/commits?environment=dev&limit=1`));
    await of.folder('/', 'team', 'dev');
    await ok(move({ destinationEnvironment: 'dev', destinationSecretPath: '/team' }));
    expect(await paths('dev')).toEqual(['/team', '/team/app', '/team/app/db']);
    expect(await of.values('/team/app/db', 'dev')).toEqual({ PASSWORD: 'hunter2' });
    const back = { environment: 'dev', secretPath: '/', revision: commits[0].revision };
    await ok(test.admin('POST', `/api/v1/projects/${projectId}/history/restore`, back));
    expect(await paths('dev')).toEqual(['/app', '/app/db']);
    expect(await of.values('/app/db', 'dev')).toEqual({ PASSWORD: 'hunter2' });
  });

  it.each([
    ...['secret-folders create', 'secret-folders delete', 'secrets create', 'secrets delete', 'secret-imports create'],
    'secret-imports delete',
  ])('needs %s', async (left) => {
    const { move, projectId, addImport, paths } = await setUp();
    await addImport('/app/db', 'dev', { environment: 'dev', path: '/' });
    const { call } = await test.identity({ projectId, rules: allBut(left) as never });
    expect((await move({}, call)).status).toBe(403);
    expect(await paths('prod')).toEqual([]);
    expect(await paths('dev')).toEqual(['/app', '/app/db']);
  });

  it('is refused where a rule forbids the deletion of something below', async () => {
    const { move, projectId, paths } = await setUp();
    const kept = { subject: 'secret-folders', action: 'delete', inverted: true };
    const rules = [...allBut(''), { ...kept, conditions: { secretPath: '/app' } }];
    const { call } = await test.identity({ projectId, rules: rules as never });
    expect((await move({}, call)).status).toBe(403);
    expect(await paths('dev')).toEqual(['/app', '/app/db']);
  });

  it('leaves a folder with dynamic secrets where it is', async () => {
    const { move, of, projectId, paths } = await setUp();
    await ok(
      test.admin('POST', '/api/v1/dynamic-secrets', {
        ...{ projectSlug: of.project.slug, environmentSlug: 'dev', path: '/app/db', name: 'codes', defaultTTL: '1h' },
        provider: { type: 'totp', inputs: { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP' } },
      }),
    );
    expect((await move()).body.message).toContain('dynamic secrets');
    expect(await paths('dev')).toEqual(['/app', '/app/db']);
    expect(projectId).toBeDefined();
  });
});

describe('folders under change policies', () => {
  it.each(['copy', 'move'] as const)('are a request for all that a %s changes, merged as a whole', async (how) => {
    const world = await setUp();
    const { of, paths } = world;
    const [author, approver] = [await of.member(), await of.member()];
    await of.policy([approver]);
    const { approval } = await ok(world[how]({}, author.call));
    expect(await paths('prod')).toEqual([]);
    await ok(of.review(approver.call, approval.id));
    await ok(of.merge(approver.call, approval.id));
    expect(await of.values('/app/db', 'prod')).toEqual({ PASSWORD: 'hunter2' });
    expect(await paths('dev')).toEqual(how === 'move' ? [] : ['/app', '/app/db']);
  });
});

describe('what names a folder', () => {
  it('is listed as far as the caller may read it', async () => {
    const { uses, addImport, projectId } = await setUp();
    await addImport('/', 'staging', { environment: 'dev', path: '/app/db' });
    await addImport('/app', 'dev', { environment: 'dev', path: '/app/db' });
    const reference = { environment: 'dev', secretPath: '/', secretKey: 'URL' };
    const imported = { environment: 'staging', secretPath: '/', importPath: '/app/db' };
    expect(await ok(uses('/app'))).toEqual({ references: [reference], imports: [imported], syncs: [] });
    const rules = allBut('secrets readValue').map((rule) => ({ ...rule, conditions: { environment: 'dev' } }));
    const { call } = await test.identity({ projectId, rules: rules as never });
    expect(await ok(uses('/app', call))).toEqual({ references: [], imports: [], syncs: [] });
    expect((await uses('/none')).status).toBe(404);
    expect((await uses('/app', (await test.identity()).call)).status).toBe(404);
    expect((await uses('/app', (await test.identity({ projectId, projectRole: 'no-access' })).call)).status).toBe(403);
  });
});
