import { randomUUID } from 'node:crypto';
import { integrationExamples } from '@coffer/domain/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SyncedProject } from '../harness/integrations.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const PATH = '/api/v1/integration-auth';
const AWS = { integration: 'aws-secret-manager', accessId: 'AKIAEXAMPLE', accessToken: 'example/secret/key' };
const VAULT = { integration: 'hashicorp-vault', accessToken: 'hvs.example', url: 'https://vault.example.com' };
const ROLE = 'arn:aws:iam::123456789012:role/coffer';

let test: TestServer;
let project: SyncedProject;
beforeAll(async () => {
  test = await testServer();
});
beforeEach(async () => {
  project = await SyncedProject.make(test);
});
afterAll(() => test.close());

const create = (body: object, call = test.admin) =>
  call('POST', `${PATH}/access-token`, { workspaceId: project.id, ...body });
const events = async (type: string) => {
  const { body } = await test.admin('GET', `/api/v1/organization/audit-logs?eventType=${type}&projectId=${project.id}`);
  return body.auditLogs.map(({ event }: { event: { metadata: object } }) => event.metadata);
};

describe('creating integration credentials', () => {
  it('returns all published fields and no credential, and creates a new row each time', async () => {
    const { status, body } = await create({
      ...AWS,
      awsAssumeIamRoleArn: ROLE,
      namespace: 'n',
      url: 'https://x.example',
    });
    expect([status, body]).toEqual([
      200,
      {
        integrationAuth: {
          id: expect.any(String),
          projectId: project.id,
          integration: 'aws-secret-manager',
          teamId: null,
          url: 'https://x.example',
          namespace: 'n',
          accountId: null,
          metadata: null,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
      },
    ]);
    const again = await create(AWS);
    expect(again.body.integrationAuth.id).not.toBe(body.integrationAuth.id);
    const listed = await test.admin('GET', `/api/v1/workspace/${project.id}/authorizations`);
    expect(listed.body.authorizations).toEqual([body.integrationAuth, again.body.integrationAuth]);
    expect(await test.admin('GET', `${PATH}/${body.integrationAuth.id}`)).toMatchObject({ status: 200, body });
    expect(await events('authorize-integration')).toHaveLength(2);
  });

  it('stores its fields sealed under the key of the project', async () => {
    const id = await project.authorize('aws-secret-manager', { ...AWS, awsAssumeIamRoleArn: ROLE });
    const { rows } = await test.coffer.pool.query('select * from app_connections where id = $1', [id]);
    const stored = JSON.stringify({ ...rows[0], credentials: rows[0].credentials.toString('latin1') });
    expect([stored.includes('AKIAEXAMPLE'), stored.includes('secret/key'), stored.includes(ROLE)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it.each([
    ['AWS without the id of the key', { ...AWS, accessId: undefined }, 'accessId'],
    ['AWS without the secret of the key', { ...AWS, accessToken: '' }, 'accessToken'],
    ['AWS with a role that is none', { ...AWS, awsAssumeIamRoleArn: 'https://example.com' }, 'awsAssumeIamRoleArn'],
    ['the parameter store without a key', { integration: 'aws-parameter-store' }, 'accessId, accessToken'],
    ['GitHub without a token', { integration: 'github' }, 'accessToken'],
    ['GitHub with a token of two lines', { integration: 'github', accessToken: 'a\nb' }, 'accessToken'],
    ['Vault without a server', { ...VAULT, url: undefined }, 'url'],
    ['Vault without TLS', { ...VAULT, url: 'http://vault.example.com' }, 'url'],
    ['an integration that nobody knows', { integration: 'nothing', accessToken: 'x' }, 'no such integration'],
    ['one named as a property of objects', { integration: 'constructor', accessToken: 'x' }, 'no such integration'],
    ['a refresh token', { integration: 'github', refreshToken: 'x' }, 'not exchanged'],
  ])('refuses %s', async (_, body, said) => {
    const answer = await create(body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(said)]);
  });

  it.each([
    ['an address that is none', { ...VAULT, url: 'vault' }],
    ['credentials in an address, which is answered', { ...VAULT, url: 'https://user:secret@vault.example.com' }],
    ['the same without slashes', { integration: 'circleci', url: 'https:user:secret@vault.example.com' }],
    ['the same with other slashes', { integration: 'circleci', url: 'https:\\\\user:secret@vault.example.com' }],
    ['a role that is no address', { ...AWS, awsAssumeIamRoleArn: 'role' }],
    ['too long a token', { ...AWS, accessToken: 'x'.repeat(30_000) }],
    ['a NUL', { ...AWS, accessToken: 'x\0' }],
  ])('refuses %s', async (_, body) => {
    expect((await create(body)).status).toBe(422);
  });

  it('stores the credentials of unsupported services, as published', async () => {
    expect((await create({ integration: 'circleci', accessToken: 'x' })).status).toBe(200);
  });

  it('reports that no OAuth application is configured', async () => {
    const body = { workspaceId: project.id, integration: 'github', code: 'x' };
    const { status, body: answer } = await test.admin('POST', `${PATH}/oauth-token`, body);
    expect([status, answer.message]).toEqual([400, expect.stringContaining('access-token')]);
    const unknown = await test.admin('POST', `${PATH}/oauth-token`, { ...body, integration: 'nothing' });
    expect(unknown.status).toBe(400);
  });
});

describe('changing integration credentials', () => {
  const change = (id: string, body: object, call = test.admin) => call('PATCH', `${PATH}/${id}`, body);

  it('keeps omitted fields, and removes empty ones', async () => {
    const id = await project.authorize('hashicorp-vault', { ...VAULT, namespace: 'a' });
    const before = (await test.admin('GET', `${PATH}/${id}`)).body.integrationAuth;
    const { status, body } = await change(id, { accessToken: 'hvs.other' });
    expect([status, body.integrationAuth]).toEqual([200, { ...before, updatedAt: expect.any(String) }]);
    const cleared = await change(id, { namespace: '', accessToken: 'hvs.other' });
    expect(cleared.body.integrationAuth).toMatchObject({ namespace: null, url: VAULT.url });
    expect(await events('update-integration-auth')).toEqual(
      expect.arrayContaining([{ integrationAuthId: id, integration: 'hashicorp-vault', changed: ['accessToken'] }]),
    );
  });

  it('requires the credential again if the target changes', async () => {
    const vault = await project.authorize('hashicorp-vault', VAULT);
    const aws = await project.authorize('aws-secret-manager', AWS);
    for (const [id, body, token] of [
      [vault, { url: 'https://evil.example.com' }, 'hvs.mine'],
      [vault, { namespace: 'other' }, 'hvs.mine'],
      [aws, { awsAssumeIamRoleArn: ROLE }, 'my/secret/key'],
      [aws, { integration: 'aws-parameter-store' }, 'my/secret/key'],
    ] as const) {
      const { status, body: answer } = await change(id, body);
      expect([status, answer.message]).toEqual([400, expect.stringContaining('Send accessToken again')]);
      expect((await change(id, { ...body, accessToken: token })).status).toBe(200);
    }
    // The same address is no other address.
    expect((await change(vault, { url: 'https://evil.example.com' })).status).toBe(200);
  });

  it('rejects what the service would not accept', async () => {
    const id = await project.authorize('aws-secret-manager', AWS);
    expect((await change(id, { accessId: '' })).status).toBe(400);
    expect((await change(id, { integration: 'nothing' })).status).toBe(400);
    expect((await change(id, { refreshToken: 'x' })).status).toBe(400);
    expect((await change(id, { integration: 'hashicorp-vault', accessToken: 'x' })).status).toBe(400);
  });

  it('does not become another service under the integrations that use it', async () => {
    const id = await project.authorize('aws-secret-manager', AWS);
    const body = { integrationAuthId: id, sourceEnvironment: 'dev', region: 'eu-central-1', app: 'x' };
    expect((await test.admin('POST', '/api/v1/integration', body)).status).toBe(200);
    const answer = await change(id, { integration: 'aws-parameter-store', accessToken: 'x' });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('stays what it is')]);
  });

  it('waits until an integration without its folder is deleted, or led to another one', async () => {
    const place = { projectId: project.id, environment: 'dev', path: '/' };
    await test.admin('POST', '/api/v2/folders', { ...place, name: 'app' });
    const id = await project.authorize('hashicorp-vault', VAULT);
    const body = { integrationAuthId: id, sourceEnvironment: 'dev', secretPath: '/app', app: 'secret', path: 'x' };
    const { integration } = (await test.admin('POST', '/api/v1/integration', body)).body;
    expect((await test.admin('DELETE', '/api/v2/folders/app', place)).status).toBe(200);
    const answer = await change(id, { accessToken: 'hvs.other' });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('is gone')]);
    expect((await test.admin('PATCH', `/api/v1/integration/${integration.id}`, { secretPath: '/' })).status).toBe(200);
    expect((await change(id, { accessToken: 'hvs.other' })).status).toBe(200);
  });

  it('is rejected if its integrations would disclose secrets that are hidden from the caller', async () => {
    const id = await project.authorize('hashicorp-vault', VAULT);
    const body = { integrationAuthId: id, sourceEnvironment: 'prod', app: 'secret', path: 'x' };
    expect((await test.admin('POST', '/api/v1/integration', body)).status).toBe(200);
    const { call } = await test.identity({
      projectId: project.id,
      rules: [
        { subject: 'integrations', action: ['read', 'create', 'edit', 'delete'] },
        { subject: 'secrets', action: ['describeSecret', 'readValue'], conditions: { environment: 'dev' } },
      ],
    });
    const mine = { url: 'https://mine.example.com', accessToken: 'hvs.mine' };
    expect((await change(id, mine, call)).status).toBe(403);
    expect((await test.admin('GET', `${PATH}/${id}`)).body.integrationAuth.url).toBe(VAULT.url);
  });
});

describe('integration credentials', () => {
  it('are deleted with the integrations that use them, by id or by their service', async () => {
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push(await project.authorize('aws-secret-manager', AWS));
    const other = await project.authorize('github', integrationExamples['github']!.auth);
    const body = { integrationAuthId: ids[0], sourceEnvironment: 'dev', region: 'eu-central-1', app: 'x' };
    const { integration } = (await test.admin('POST', '/api/v1/integration', body)).body;
    const one = await test.admin('DELETE', `${PATH}/${ids[0]}`);
    expect([one.status, one.body.integrationAuth.id]).toEqual([200, ids[0]]);
    expect((await test.admin('GET', `/api/v1/integration/${integration.id}`)).status).toBe(404);
    expect((await test.admin('DELETE', `${PATH}/${ids[0]}`)).status).toBe(404);
    const many = await test.admin('DELETE', `${PATH}?integration=aws-secret-manager&projectId=${project.id}`);
    expect(many.body.integrationAuth.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1));
    const left = await test.admin('GET', `/api/v1/workspace/${project.id}/authorizations`);
    expect(left.body.authorizations.map(({ id }: { id: string }) => id)).toEqual([other]);
    expect(await events('unauthorize-integration')).toContainEqual({
      integrationAuthId: ids[0],
      integration: 'aws-secret-manager',
      integrationIds: [integration.id],
    });
    expect((await test.admin('DELETE', `${PATH}?integration=nothing&projectId=${project.id}`)).status).toBe(400);
  });

  it('can be deleted concurrently', async () => {
    for (let n = 0; n < 4; n++) await project.authorize('aws-secret-manager', AWS);
    const url = `${PATH}?integration=aws-secret-manager&projectId=${project.id}`;
    const answers = await Promise.all(Array.from({ length: 4 }, () => test.admin('DELETE', url)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.flatMap(({ body }) => body.integrationAuth)).toHaveLength(4);
  });

  it('can be copied to another project by callers who may create integrations in both', async () => {
    const id = await project.authorize('hashicorp-vault', { ...VAULT, namespace: 'a' });
    const other = await test.project();
    const { status, body } = await test.admin('POST', `${PATH}/${id}/duplicate`, { projectId: other.id });
    expect([status, body.integrationAuth]).toEqual([
      200,
      expect.objectContaining({ projectId: other.id, integration: 'hashicorp-vault', url: VAULT.url, namespace: 'a' }),
    ]);
    const use = { integrationAuthId: body.integrationAuth.id, sourceEnvironment: 'dev', app: 'secret', path: 'x' };
    expect((await test.admin('POST', '/api/v1/integration', use)).status).toBe(200);
    const { call } = await test.identity({
      projectId: project.id,
      rules: [{ subject: 'integrations', action: 'read' }],
    });
    expect((await call('POST', `${PATH}/${id}/duplicate`, { projectId: project.id })).status).toBe(403);
    const { call: here } = await test.identity({
      projectId: project.id,
      rules: [{ subject: 'integrations', action: 'create' }],
    });
    expect((await here('POST', `${PATH}/${id}/duplicate`, { projectId: other.id })).status).toBe(404);
    const { call: stranger } = await test.foreign();
    expect((await stranger('POST', `${PATH}/${id}/duplicate`, { projectId: other.id })).status).toBe(404);
  });

  it('are listed for the organization as far as the caller may see them', async () => {
    const id = await project.authorize('hashicorp-vault', VAULT);
    const url = `/api/v1/organization/${test.organizationId}/integration-authorizations`;
    const idsOf = (body: { authorizations: { id: string }[] }) => body.authorizations.map((one) => one.id);
    expect(idsOf((await test.admin('GET', url)).body)).toContain(id);
    const { call } = await test.identity({ projectId: project.id, projectRole: 'viewer' });
    expect(idsOf((await call('GET', url)).body)).toEqual([id]);
    const { call: none } = await test.identity({ projectId: project.id, rules: [] });
    expect(idsOf((await none('GET', url)).body)).toEqual([]);
    const { call: stranger } = await test.foreign();
    expect((await stranger('GET', url)).status).toBe(404);
  });

  it('belong to the project and need the permission', async () => {
    const id = await project.authorize('github', integrationExamples['github']!.auth);
    const { call: stranger } = await test.foreign();
    const { call: member } = await test.identity({ projectId: project.id, rules: [] });
    const unknown = await test.admin('GET', `${PATH}/${randomUUID()}`);
    for (const [method, url, body] of [
      ['GET', `${PATH}/${id}`, undefined],
      ['PATCH', `${PATH}/${id}`, { accessToken: 'x' }],
      ['DELETE', `${PATH}/${id}`, undefined],
      ['POST', `${PATH}/${id}/duplicate`, { projectId: project.id }],
    ] as const) {
      const foreign = await stranger(method, url, body);
      expect([foreign.status, { ...foreign.body, reqId: '' }]).toEqual([404, { ...unknown.body, reqId: '' }]);
      expect((await member(method, url, body)).status).toBe(403);
      expect((await test.as()(method, url, body)).status).toBe(401);
      expect((await test.admin(method, url.replace(id, 'none'), body)).status).toBe(404);
    }
    const github = { integration: 'github', accessToken: 'x' };
    for (const [call, status] of [
      [stranger, 404],
      [member, 403],
      [test.as(), 401],
    ] as const) {
      expect((await create(github, call)).status).toBe(status);
      expect((await call('GET', `/api/v1/workspace/${project.id}/authorizations`)).status).toBe(status);
      expect((await call('DELETE', `${PATH}?integration=github&projectId=${project.id}`)).status).toBe(status);
    }
    expect((await test.admin('GET', `${PATH}/${id}`)).status).toBe(200);
  });
});

describe('integration options', () => {
  it('are all published ones, with those that are supported', async () => {
    const { status, body } = await test.admin('GET', `${PATH}/integration-options`);
    expect([status, body.integrationOptions.length]).toEqual([200, 35]);
    const available = body.integrationOptions.filter(({ isAvailable }: { isAvailable: boolean }) => isAvailable);
    expect(available.map(({ slug }: { slug: string }) => slug).toSorted()).toEqual(
      Object.keys(integrationExamples).toSorted(),
    );
    expect(body.integrationOptions[0]).toEqual({
      name: 'Azure Key Vault',
      slug: 'azure-key-vault',
      syncSlug: null,
      clientSlug: null,
      image: 'Azure Key Vault.png',
      isAvailable: false,
      type: 'custom',
      clientId: null,
      docsLink: null,
    });
    expect((await test.as()('GET', `${PATH}/integration-options`)).status).toBe(401);
  });
});
