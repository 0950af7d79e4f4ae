import { makeConnection } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/certificates.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const IMPORTS = '/api/v2/secret-imports';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

type Rule = { subject: string; action: string[]; conditions?: object; inverted?: boolean };

/** A project in which /app of dev imports KEY from prod, and a caller with some rules who reads, and may write in /own of staging. */
async function setUp(...rules: Rule[]) {
  const { id: projectId } = await test.project();
  const folder = { projectId, environment: 'dev', path: '/' };
  for (const name of ['app', 'empty']) ok(await test.admin('POST', '/api/v2/folders', { ...folder, name }));
  const at = (environment: string, path: string) => ({ projectId, environment, path });
  const own = at('staging', '/own');
  ok(await test.admin('POST', '/api/v2/folders', { ...at('staging', '/'), name: 'own' }));
  const put = async (environment: string, secretPath: string, secretValue: string) =>
    ok(await test.admin('POST', '/api/v4/secrets/KEY', { projectId, environment, secretPath, secretValue }));
  await put('prod', '/', 'right');
  await put('staging', '/own', 'wrong');
  const app = at('dev', '/app');
  ok(await test.admin('POST', IMPORTS, { ...app, import: { environment: 'prod', path: '/' } }));
  const describing = { subject: 'secrets', action: ['describeSecret', 'readValue'] };
  const { call } = await test.identity({ projectId, rules: [describing, ...rules] as never });
  const query = new URLSearchParams({ projectId, environment: 'dev', secretPath: '/app', includeImports: 'true' });
  return {
    ...{ projectId, call, app, own, at },
    shadow: (place: object = app, path = '/own') =>
      call('POST', IMPORTS, { ...place, import: { environment: 'staging', path } }),
    value: async () => ok(await test.admin('GET', `/api/v4/secrets/KEY?${query.toString()}`)).secret.secretValue,
  };
}

const create = (conditions: object = {}): Rule => ({ subject: 'secrets', action: ['create'], conditions });
const edit = (conditions: object): Rule => ({ subject: 'secret-imports', action: ['edit'], conditions });
const CREATE = { subject: 'secret-imports', action: ['read', 'create'] };
const REFUSED = { status: 403, body: { error: 'PermissionDenied' } };

describe('attack: an import over the imports of others', () => {
  it('takes more than the right to create imports', async () => {
    const { shadow, value } = await setUp(CREATE);
    expect(await shadow()).toMatchObject({
      ...REFUSED,
      body: { message: expect.stringMatching(/overrides.*secret-imports: edit/) as string },
    });
    expect(await value()).toBe('right');
  });

  it.each<[string, Rule[]]>([
    ['from a source that is empty as yet', [CREATE]],
    ['with the right to create only other secrets', [CREATE, create({ secretName: 'OTHER' })]],
    [
      'with the right to create all secrets but one',
      [CREATE, create(), { ...create({ secretName: 'KEY' }), inverted: true }],
    ],
    ['with the right to edit imports elsewhere', [CREATE, edit({ secretPath: '/empty' })]],
  ])('is refused %s', async (_, rules) => {
    const { shadow, value } = await setUp(...rules);
    expect(await shadow(undefined, '/later')).toMatchObject(REFUSED);
    expect(await value()).toBe('right');
  });

  it.each<[string, Rule[]]>([
    ['edit the imports there', [CREATE, edit({ secretPath: '/app' })]],
    ['create any secret there', [CREATE, create({ secretPath: '/app' })]],
  ])('is made with the right to %s', async (_, rules) => {
    const { shadow, value } = await setUp(...rules);
    ok(await shadow());
    expect(await value()).toBe('wrong');
  });

  it('is no matter where there is no other, also with the right to create alone', async () => {
    const { shadow, at } = await setUp(CREATE);
    ok(await shadow(at('dev', '/empty')));
    expect(await shadow(at('dev', '/empty'), '/')).toMatchObject(REFUSED);
  });

  it('is made by no copy of a folder, which brings all of its imports to a new place', async () => {
    const { projectId, call, at, app, value } = await setUp(CREATE, {
      subject: 'secret-folders',
      action: ['read', 'create'],
    });
    const copy = (destinationSecretPath: string) =>
      call('POST', '/api/v2/folders/copy', {
        ...{ projectId, sourceEnvironment: 'staging', sourceSecretPath: '/from', destinationEnvironment: 'dev' },
        ...{ destinationSecretPath, folderNames: ['app'], shouldOverwrite: true },
      });
    ok(await test.admin('POST', '/api/v2/folders', { ...at('staging', '/'), name: 'from' }));
    ok(await test.admin('POST', '/api/v2/folders', { ...at('staging', '/from'), name: 'app' }));
    for (const path of ['/own', '/more'])
      ok(
        await test.admin('POST', IMPORTS, { ...at('staging', '/from/app'), import: { environment: 'staging', path } }),
      );
    expect(await copy('/')).toMatchObject(REFUSED);
    expect(await value()).toBe('right');
    ok(await copy('/empty'));
    const copied = new URLSearchParams({ ...app, path: '/empty/app' }).toString();
    expect(ok(await test.admin('GET', `${IMPORTS}?${copied}`)).secretImports).toHaveLength(2);
  });
});

describe('attack: what ends with an environment elsewhere', () => {
  const DELETE = { subject: 'environments', action: ['read', 'delete'] };
  const environmentUrl = async (projectId: string, slug: string): Promise<string> => {
    const { environments } = ok(await test.admin('GET', `/api/v1/projects/${projectId}`)).project;
    const { id } = environments.find((one: { slug: string }) => one.slug === slug);
    return `/api/v1/projects/${projectId}/environments/${id}`;
  };

  it('is no import that a rule forbids to delete', async () => {
    const forbidden = {
      subject: 'secret-imports',
      action: ['delete'],
      conditions: { secretPath: '/app' },
      inverted: true,
    };
    const { projectId, call, value } = await setUp(DELETE, forbidden);
    const prod = await environmentUrl(projectId, 'prod');
    const refused = await call('DELETE', prod);
    expect(refused).toMatchObject(REFUSED);
    expect(JSON.stringify(refused.body.message)).not.toContain('/app');
    expect(await value()).toBe('right');
    ok(await call('DELETE', await environmentUrl(projectId, 'staging')));
  });

  it('is an import that no rule forbids to delete', async () => {
    const forbidden = {
      subject: 'secret-imports',
      action: ['delete'],
      conditions: { secretPath: '/own' },
      inverted: true,
    };
    const { projectId, call } = await setUp(DELETE, forbidden);
    expect(await call('DELETE', await environmentUrl(projectId, 'prod'))).toMatchObject({ status: 200 });
  });

  it('is no webhook of it where a rule forbids to delete webhooks', async () => {
    const forbidden = { subject: 'webhooks', action: ['delete'], inverted: true };
    const { projectId, call } = await setUp(DELETE, forbidden);
    const prod = await environmentUrl(projectId, 'prod');
    const webhook = { projectId, environment: 'prod', secretPath: '/', webhookUrl: 'https://hooks.example.com/x' };
    const { id } = ok(await test.admin('POST', '/api/v1/webhooks', webhook)).webhook;
    expect(await call('DELETE', prod)).toMatchObject(REFUSED);
    ok(await test.admin('DELETE', `/api/v1/webhooks/${id}`));
    ok(await call('DELETE', prod));
  });

  it('is no secret sync and no integration of it where a rule forbids to delete these', async () => {
    const writing = { subject: 'secrets', action: ['create', 'edit', 'delete'] };
    const folders = { subject: 'secret-folders', action: ['read', 'create', 'edit', 'delete'] };
    const forbidden = (subject: string, conditions?: object): Rule => ({
      ...{ subject, action: ['delete'], inverted: true },
      ...(conditions && { conditions }),
    });
    const publishing = async (projectId: string, subject: 'secret-syncs' | 'integrations') => {
      const { organizationId } = test;
      const target = { scope: 'repository', owner: projectId, repo: subject };
      if (subject === 'secret-syncs') {
        const { id: connectionId } = await makeConnection(test.coffer, {
          organizationId,
          projectId,
          app: 'github',
          name: subject,
        });
        const sync = { name: subject, projectId, connectionId, environment: 'prod', secretPath: '/' };
        const more = { isAutoSyncEnabled: false, syncOptions: {}, destinationConfig: target };
        return ok(await test.admin('POST', '/api/v1/secret-syncs/github', { ...sync, ...more }));
      }
      const auth = { workspaceId: projectId, integration: 'github', accessToken: projectId };
      const { integrationAuth } = ok(await test.admin('POST', '/api/v1/integration-auth/access-token', auth));
      const place = {
        integrationAuthId: integrationAuth.id,
        sourceEnvironment: 'prod',
        secretPath: '/',
        isActive: false,
      };
      return ok(await test.admin('POST', '/api/v1/integration', { ...place, owner: projectId, app: subject }));
    };
    for (const [subject, conditions, elsewhere] of [
      ['secret-syncs', { environment: 'prod' }, { environment: 'staging' }],
      ['integrations', undefined, undefined],
    ] as const) {
      const first = await setUp(DELETE, writing, folders, forbidden(subject, conditions));
      await publishing(first.projectId, subject);
      expect(await first.call('DELETE', await environmentUrl(first.projectId, 'prod'))).toMatchObject(REFUSED);
      ok(await first.call('DELETE', await environmentUrl(first.projectId, 'staging')));
      const denials = elsewhere ? [forbidden(subject, elsewhere)] : [];
      const second = await setUp(DELETE, writing, folders, ...denials);
      await publishing(second.projectId, subject);
      ok(await second.call('DELETE', await environmentUrl(second.projectId, 'prod')));
    }
  });
});
