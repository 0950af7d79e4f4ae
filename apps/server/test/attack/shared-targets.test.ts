import { makeUser, StandIns } from '@coffer/domain/testing';
import type { Rule } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefused, ok } from '../harness/groups.ts';
import { IntegrationTargets } from '../harness/integration-targets.ts';
import { SyncedProject, synced } from '../harness/integrations.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const standIns = new StandIns();
let test: TestServer;
let project: SyncedProject;
let targets: IntegrationTargets;
/** The credentials of the administrator, and the integration of prod with them. */
let auth: string;
let genuine: string;

const vaultHolds = () => targets.vault.two.get('secret')!.get('prod/only')?.data;
const integrate = (by: Caller, given: object) =>
  by('POST', '/api/v1/integration', {
    ...{ integrationAuthId: auth, sourceEnvironment: 'dev', secretPath: '/mine', app: 'secret', path: 'prod/only' },
    ...given,
  });
const change = (by: Caller, given: object) => by('PATCH', `/api/v1/integration/${genuine}`, given);
const importing = { metadata: { initialSyncBehavior: 'prefer-target' } };

const all = ['describeSecret', 'readValue', 'create', 'edit', 'delete'];
const attacker = (...forbidden: string[]) =>
  test.identity({
    projectId: project.id,
    rules: [
      { subject: 'secrets', action: all },
      { subject: 'secrets', action: forbidden, inverted: true, conditions: { environment: 'prod' } },
      { subject: 'integrations', action: ['read', 'create', 'edit', 'delete'] },
    ] as Rule[],
  });
const member = async () => {
  const user = await makeUser(test.coffer, { organizationId: test.organizationId });
  const invited = { usernames: [user.email], emails: [], roleSlugs: ['member'] };
  await ok(test.admin('POST', `/api/v1/projects/${project.id}/memberships`, invited));
  return { id: user.id, call: test.as(user.token) };
};

beforeAll(async () => {
  test = await testServer({ fetch: (url, request) => standIns.fetch(url, request) });
  project = await SyncedProject.make(test);
  targets = new IntegrationTargets(test, standIns, project);
  await targets.serve();
  const mine = { projectId: project.id, environment: 'dev', path: '/', name: 'mine' };
  await ok(test.admin('POST', '/api/v2/folders', mine));
  await project.write({ TOP: 'GENUINE' }, 'prod', '/');
  await project.write({ TOP: 'FORGED' }, 'dev', '/mine');
  auth = await project.authorize('hashicorp-vault', targets.of['hashicorp-vault'].auth());
  const first = await ok(integrate(test.admin, { sourceEnvironment: 'prod', secretPath: '/' }));
  genuine = first.integration.id;
  await synced(project, genuine);
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

describe('attack: the target of an integration of others', () => {
  it('is not written by callers who may not write its source, by whatever name of the path or credentials', async () => {
    const { call } = await attacker('create');
    await expectRefused(integrate(call, {}));
    await expectRefused(integrate(call, { isActive: false }));
    await expectRefused(integrate(call, { metadata: { secretPrefix: 'T' } }));
    await expectRefused(integrate(call, { app: 'secret/prod', path: 'only' }));
    const other = await project.authorize('hashicorp-vault', targets.of['hashicorp-vault'].auth());
    await expectRefused(integrate(call, { integrationAuthId: other }));
    await expectRefused(call('POST', `/api/v1/integration-auth/${auth}/duplicate`, { projectId: project.id }));
    const copy = await ok(test.admin('POST', `/api/v1/integration-auth/${auth}/duplicate`, { projectId: project.id }));
    await expectRefused(integrate(call, { integrationAuthId: copy.integrationAuth.id }));
  });

  it('is not reached by an integration that is made for another place and then changed', async () => {
    const { call } = await attacker('edit');
    const { integration } = await ok(integrate(call, { path: 'elsewhere' }));
    await expectRefused(call('PATCH', `/api/v1/integration/${integration.id}`, { path: 'prod/only' }));
    await ok(call('PATCH', `/api/v1/integration/${integration.id}`, { path: 'somewhere' }));
    await ok(call('DELETE', `/api/v1/integration/${integration.id}`));
  });

  it('is not freed, or led to another source, by callers who may not write its source', async () => {
    const { call } = await attacker('delete');
    await expectRefused(change(call, { environment: 'dev', secretPath: '/mine' }));
    await expectRefused(change(call, { path: 'elsewhere' }));
    await expectRefused(change(call, { metadata: { secretPrefix: 'X_' } }));
    await expectRefused(call('DELETE', `/api/v1/integration/${genuine}`));
    await expectRefused(call('DELETE', `/api/v1/integration-auth/${auth}`));
    await ok(change(call, {}));
  });

  it('is not imported by callers who may not read its source', async () => {
    const { call } = await attacker('readValue', 'describeSecret');
    await expectRefused(integrate(call, importing));
    await expectRefused(integrate(call, { ...importing, app: 'secret/prod', path: 'only' }));
  });

  it('is not written or led elsewhere by members past a change policy of its source', async () => {
    const [approver, { call }] = [await member(), await member()];
    const approvers = [{ type: 'user', id: approver.id }];
    const policy = { workspaceId: project.id, environment: 'prod', approvers };
    const { approval } = await ok(test.admin('POST', '/api/v1/secret-approvals', policy));
    const needed = 'A change policy covers / in prod';
    await expectRefused(integrate(call, {}), 400, needed);
    await expectRefused(change(call, { environment: 'dev', secretPath: '/mine' }), 400, needed);
    await expectRefused(call('DELETE', `/api/v1/integration/${genuine}`), 400, needed);
    await ok(integrate(call, { path: 'of/their/own' }));
    await ok(test.admin('DELETE', `/api/v1/secret-approvals/${approval.id}`));
    await synced(project, genuine);
    expect(vaultHolds()).toEqual({ TOP: 'GENUINE' });
  });

  it('is shared and changed by callers who may write and read its source', async () => {
    const { call } = await attacker('nothing');
    const { integration } = await ok(integrate(call, importing));
    await project.run(integration.id);
    expect(await project.read('dev', '/mine')).toEqual({ TOP: 'GENUINE' });
    await ok(change(call, { path: 'prod/new' }));
    await ok(call('DELETE', `/api/v1/integration/${genuine}`));
  });

  it('is ended under a change policy only by those who may edit the policy', async () => {
    const approvers = [{ type: 'user', id: (await member()).id }];
    const { integration } = await ok(integrate(test.admin, { path: 'to/end' }));
    const policy = { workspaceId: project.id, environment: 'dev', approvers };
    const { approval } = await ok(test.admin('POST', '/api/v1/secret-approvals', policy));
    await expectRefused((await member()).call('DELETE', `/api/v1/integration/${integration.id}`), 400);
    await ok(test.admin('DELETE', `/api/v1/integration/${integration.id}`));
    await ok(test.admin('DELETE', `/api/v1/secret-approvals/${approval.id}`));
  });
});

describe('attack: ending what an integration publishes', () => {
  const temporary = async () => {
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    const invited = { usernames: [user.email], emails: [], roleSlugs: ['member'] };
    const { memberships } = await ok(test.admin('POST', `/api/v1/projects/${project.id}/memberships`, invited));
    await ok(
      test.admin('POST', '/api/v1/user-project-additional-privilege', {
        ...{ projectMembershipId: memberships[0].id, slug: `short-${user.id.slice(0, 8)}` },
        permissions: [{ subject: 'secret-approval', action: ['read', 'create', 'edit', 'delete'] }],
        type: {
          ...{ isTemporary: true, temporaryMode: 'relative', temporaryRange: '10m' },
          temporaryAccessStartTime: test.coffer.now().toISOString(),
        },
      }),
    );
    return test.as(user.token);
  };
  const underPolicy = async (more: object, work: () => Promise<void>) => {
    const approvers = [{ type: 'user', id: (await member()).id }];
    const policy = { workspaceId: project.id, environment: 'dev', approvers, ...more };
    const { approval } = await ok(test.admin('POST', '/api/v1/secret-approvals', policy));
    await work();
    await ok(test.admin('DELETE', `/api/v1/secret-approvals/${approval.id}`));
  };

  it('is not done past a change policy by a right to edit it that ends', async () => {
    const { integration } = await ok(integrate(test.admin, { path: 'for/good' }));
    const call = await temporary();
    await underPolicy({}, async () => {
      await expectRefused(call('DELETE', `/api/v1/integration/${integration.id}`), 403, 'only until');
      await expectRefused(call('DELETE', `/api/v1/integration-auth/${auth}`), 403, 'only until');
    });
  });

  it('is not done for others by a machine that a change policy exempts', async () => {
    const { integration } = await ok(integrate(test.admin, { path: 'for/others' }));
    const robot = await test.identity({ projectId: project.id, projectRole: 'member' });
    const by = (method: 'PATCH' | 'DELETE', body?: object) =>
      robot.call(method, `/api/v1/integration/${integration.id}`, body);
    await underPolicy({ exemptIdentityIds: [robot.id] }, async () => {
      await expectRefused(by('DELETE'));
      await expectRefused(by('PATCH', { path: 'elsewhere/now' }));
      await ok(by('PATCH', {}));
    });
    await ok(by('DELETE'));
  });

  it('is asked for at the last path of a source that is gone', async () => {
    const { folder } = await ok(
      test.admin('POST', '/api/v2/folders', { projectId: project.id, environment: 'prod', path: '/', name: 'open' }),
    );
    const given = { sourceEnvironment: 'prod', secretPath: '/open', path: 'of/closed' };
    const { integration } = await ok(integrate(test.admin, given));
    await project.run(integration.id);
    await ok(test.admin('PATCH', `/api/v1/integration/${integration.id}`, { isActive: false }));
    const at = { projectId: project.id, environment: 'prod', path: '/' };
    await ok(test.admin('PATCH', `/api/v2/folders/${folder.id}`, { ...at, name: 'closed' }));
    const { call } = await test.identity({
      projectId: project.id,
      rules: [
        { subject: 'secrets', action: all, conditions: { environment: 'dev' } },
        { subject: 'secrets', action: all, conditions: { environment: 'prod', secretPath: '/open' } },
        { subject: 'secret-folders', action: ['read', 'delete'] },
        { subject: 'integrations', action: ['read', 'create', 'delete'] },
      ] as Rule[],
    });
    await ok(call('DELETE', `/api/v2/folders/${folder.id}`, at));
    expect(await project.status(integration.id)).toMatchObject({ secretPath: '/closed' });
    await expectRefused(integrate(call, { path: 'of/closed' }));
    await expectRefused(call('DELETE', `/api/v1/integration/${integration.id}`));
  });

  it('is not done with its environment or project by callers who may not write its source', async () => {
    const own = await SyncedProject.make(test);
    const served = await own.authorize('hashicorp-vault', targets.of['hashicorp-vault'].auth());
    const given = { integrationAuthId: served, sourceEnvironment: 'prod', secretPath: '/', isActive: false };
    const { integration } = await ok(integrate(test.admin, { ...given, path: 'of/another' }));
    const { call } = await test.identity({
      projectId: own.id,
      rules: [
        { subject: 'secrets', action: all, conditions: { environment: 'dev' } },
        { subject: 'environments', action: ['read', 'delete'] },
        { subject: 'workspace', action: ['read', 'delete'] },
      ] as Rule[],
    });
    const environment = `/api/v1/projects/${own.id}/environments/${integration.environment.id}`;
    await expectRefused(call('DELETE', environment));
    await expectRefused(call('DELETE', `/api/v1/projects/${own.id}`));
    await ok(test.admin('DELETE', environment));
    await ok(call('DELETE', `/api/v1/projects/${own.id}`));
  });
});

describe('attack: the status of an integration', () => {
  const hidden = 'hidden-name-of-prod';
  const message = async (by: Caller, id: string) =>
    (await ok(by('GET', `/api/v1/integration/${id}`))).integration.syncMessage as string;
  const reader = (...more: object[]) =>
    test.identity({
      projectId: project.id,
      rules: [
        { subject: 'secrets', action: all, conditions: { environment: 'dev' } },
        { subject: 'integrations', action: ['read', 'edit', 'delete'] },
        ...more,
      ] as Rule[],
    });
  const folder = (name: string) =>
    ok(test.admin('POST', '/api/v2/folders', { projectId: project.id, environment: 'dev', path: '/', name }));
  const importProd = async (path: string) => {
    const given = { projectId: project.id, environment: 'dev', path, import: { environment: 'prod', path: '/' } };
    return (await ok(test.admin('POST', '/api/v2/secret-imports', given))).secretImport.id as string;
  };
  /** An integration of a folder that imports a secret with a name that GitHub does not accept. */
  const failing = async (name: string) => {
    await folder(name);
    await project.write({ [hidden]: 'v' }, 'prod', '/');
    const importId = await importProd(`/${name}`);
    const { github } = targets.of;
    const given = { ...github.target, secretPath: `/${name}`, metadata: { shouldEnableDelete: true } };
    const id = await project.integrate('github', github.auth(), given);
    await project.sync(id);
    expect(await message(test.admin, id)).toContain(hidden);
    return { id, importId, at: { projectId: project.id, environment: 'dev', path: `/${name}` } };
  };

  it('does not name what is no longer imported', async () => {
    const { id, importId, at } = await failing('imports');
    const { call } = await reader({ subject: 'secret-imports', action: ['read', 'delete'] });
    expect(await message(call, id)).not.toContain(hidden);
    const { integration } = await ok(call('PATCH', `/api/v1/integration/${id}`, { isActive: false }));
    expect(integration.syncMessage).not.toContain(hidden);
    await ok(call('DELETE', `/api/v2/secret-imports/${importId}`, at));
    expect(await message(call, id)).not.toContain(hidden);
    expect(await message(test.admin, id)).toContain(hidden);
    await ok(test.admin('PATCH', `/api/v1/integration/${id}`, { isActive: true }));
    await synced(project, id);
    await project.write({ 'open-name': 'v' }, 'dev', '/imports');
    await project.sync(id);
    expect(await message(call, id)).toContain('open-name');
  });

  it('does not name the contents of another source or target than it has', async () => {
    const { id } = await failing('sources');
    await folder('other-source');
    const { call } = await reader();
    const changed = async (by: Caller, given: object) =>
      (await ok(by('PATCH', `/api/v1/integration/${id}`, given))).integration;
    expect(await changed(test.admin, {})).toMatchObject({ syncMessage: expect.stringContaining(hidden) });
    expect(await changed(call, { secretPath: '/other-source' })).toMatchObject({ isSynced: null, syncMessage: null });
    expect(await message(call, id)).toBeNull();
    await changed(test.admin, { secretPath: '/sources' });
    await project.sync(id);
    expect(await changed(test.admin, { app: 'other' })).toMatchObject({ isSynced: null, syncMessage: null });
  });

  it('does not name items of a former import that could not be removed', async () => {
    await folder('removed');
    await project.write({ [hidden]: null, HIDDEN_ITEM: 'v' }, 'prod', '/');
    const importId = await importProd('/removed');
    const { github } = targets.of;
    const given = { ...github.target, app: 'removed', secretPath: '/removed', metadata: { shouldEnableDelete: true } };
    const id = await project.integrate('github', github.auth(), given);
    await synced(project, id);
    const at = { projectId: project.id, environment: 'dev', path: '/removed' };
    await ok(test.admin('DELETE', `/api/v2/secret-imports/${importId}`, at));
    targets.github.fault = (method, _, response) => {
      if (method === 'DELETE') response.writeHead(422, { 'content-type': 'application/json' }).end('{"message":"No"}');
      return method === 'DELETE';
    };
    await project.sync(id);
    const { call } = await reader();
    const remove = (by: Caller) =>
      by('DELETE', `/api/v1/integration/${id}?shouldDeleteIntegrationSecrets=true`).then(({ body }) => body.message);
    expect([await message(test.admin, id), await remove(test.admin)]).toEqual([
      expect.stringContaining('HIDDEN_ITEM'),
      expect.stringContaining('HIDDEN_ITEM'),
    ]);
    for (const told of [await message(call, id), await remove(call)]) {
      expect(told).toContain('visible to callers who may see the secrets');
      expect(told).not.toContain('HIDDEN_ITEM');
    }
    targets.github.fault = () => false;
  });

  it('does not name a reference that is too large', async () => {
    await folder('references');
    await project.write({ LARGE_OF_PROD: 'x'.repeat(900_000) }, 'prod', '/');
    await project.write({ A: '${prod.LARGE_OF_PROD}'.repeat(60) }, 'dev', '/references');
    const { github } = targets.of;
    const given = { ...github.target, app: 'references', secretPath: '/references' };
    const made = test.admin('POST', '/api/v1/integration', {
      ...{ integrationAuthId: await project.authorize('github', github.auth()), sourceEnvironment: 'dev', ...given },
    });
    expect((await made).status).toBe(400);
    await project.write({ A: 'small' }, 'dev', '/references');
    const id = await project.integrate('github', github.auth(), given);
    await project.write({ A: '${prod.LARGE_OF_PROD}'.repeat(60) }, 'dev', '/references');
    await project.sync(id);
    const { call } = await reader();
    for (const by of [test.admin, call]) {
      expect(await message(by, id)).toContain('too large');
      expect(await message(by, id)).not.toContain('LARGE_OF_PROD');
    }
    await project.write({ LARGE_OF_PROD: null }, 'prod', '/');
  });

  it('does not name secrets that the reader may not describe, in its folder or imported', async () => {
    const { call } = await test.identity({
      projectId: project.id,
      rules: [
        { subject: 'secrets', action: ['describeSecret'], conditions: { environment: 'dev' } },
        { subject: 'integrations', action: ['read'] },
      ] as Rule[],
    });
    const denied = await test.identity({
      projectId: project.id,
      rules: [
        { subject: 'secrets', action: ['describeSecret'] },
        { subject: 'secrets', action: ['describeSecret'], inverted: true, conditions: { secretName: 'secret-plan' } },
        { subject: 'integrations', action: ['read'] },
      ] as Rule[],
    });
    const make = { projectId: project.id, environment: 'dev', path: '/', name: 'status' };
    await ok(test.admin('POST', '/api/v2/folders', make));
    await project.write({ 'secret-plan': 'x' }, 'dev', '/status');
    const { github } = targets.of;
    const given = { ...github.target, secretPath: '/status' };
    const id = await project.integrate('github', github.auth(), given);
    await project.sync(id);
    expect(await message(test.admin, id)).toContain('secret-plan');
    expect(await message(call, id)).toContain('secret-plan');
    expect(await message(denied.call, id)).not.toContain('secret-plan');
    await project.write({ 'hidden-name-of-prod': 'v' }, 'prod', '/');
    await ok(
      test.admin('POST', '/api/v2/secret-imports', {
        ...{ projectId: project.id, environment: 'dev', path: '/status' },
        import: { environment: 'prod', path: '/' },
      }),
    );
    await project.sync(id);
    expect(await message(test.admin, id)).toContain('hidden-name-of-prod');
    expect(await message(call, id)).not.toContain('hidden-name');
    expect(await message(denied.call, id)).not.toContain('hidden-name');
  });
});
