import { makeUser, StandIns, Vault } from '@coffer/domain/testing';
import type { Rule } from '@coffer/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectRefused, ok } from '../harness/groups.ts';
import { IntegrationTargets } from '../harness/integration-targets.ts';
import { SyncedProject, synced } from '../harness/integrations.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const HOUR = 3_600_000;
const standIns = new StandIns();
/** A Vault and a GitHub server of the attacker. */
const evil = new Vault('hvs.evil');
let test: TestServer;
let project: SyncedProject;
let targets: IntegrationTargets;
/** The credentials of the administrator. */
let vault: string;
/** Happens once, before the next call of another system is answered. */
let meanwhile: (() => Promise<unknown>) | undefined;

const secretsAt = (server: Vault, path: string) => server.two.get('secret')!.get(path)?.data;
const held = (path: string) => secretsAt(targets.vault, path);
const importing = { metadata: { initialSyncBehavior: 'prefer-target' } };

const integrate = (by: Caller, given: object) =>
  by('POST', '/api/v1/integration', { integrationAuthId: vault, app: 'secret', ...given });
const fromProd = { sourceEnvironment: 'prod', secretPath: '/app' };
const fromMine = { sourceEnvironment: 'dev', secretPath: '/mine' };
/** The integration of the administrator, which has written prod. */
async function genuine(given: object): Promise<string> {
  const { integration } = await ok(integrate(test.admin, { ...fromProd, ...given }));
  await synced(project, integration.id);
  return integration.id;
}

const all = ['describeSecret', 'readValue', 'create', 'edit', 'delete'];
const inDev = { subject: 'secrets', action: all, conditions: { environment: 'dev' } };
const integrations = { subject: 'integrations', action: ['read', 'create', 'edit', 'delete'] };
const folders = { subject: 'secret-folders', action: ['create', 'edit', 'delete'] };
const unlessHidden = (...action: string[]) => [
  { subject: 'secrets', action: all },
  { subject: 'secrets', action, inverted: true, conditions: { secretName: 'HIDDEN' } },
];
const attacker = (...rules: object[]) => test.identity({ projectId: project.id, rules: rules as Rule[] });
/** Gives rights for an hour. */
const lend = (identityId: string, ...permissions: object[]) =>
  ok(
    test.admin('POST', '/api/v2/identity-project-additional-privilege', {
      ...{ projectId: project.id, identityId, slug: 'for-an-hour', permissions },
      type: {
        ...{ isTemporary: true, temporaryMode: 'relative', temporaryRange: '1h' },
        temporaryAccessStartTime: test.coffer.now().toISOString(),
      },
    }),
  );

const folder = (by: Caller, environment: string, name: string) =>
  ok(by('POST', '/api/v2/folders', { projectId: project.id, environment, path: '/', name }));
const removeFolder = (by: Caller, environment: string, name: string) =>
  ok(by('DELETE', `/api/v2/folders/${name}`, { projectId: project.id, environment, path: '/' }));

beforeAll(async () => {
  test = await testServer({
    clock: 'standing',
    fetch: async (url, request) => {
      const change = meanwhile;
      meanwhile = undefined;
      await change?.();
      return standIns.fetch(url, request);
    },
  });
  evil.two.set('secret', new Map());
  await standIns.serve('vault.evil.example', evil.listener);
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});
beforeEach(async () => {
  project = await SyncedProject.make(test);
  targets = new IntegrationTargets(test, standIns, project);
  await targets.serve();
  await folder(test.admin, 'prod', 'app');
  await folder(test.admin, 'dev', 'mine');
  await project.write({ TOP: 'GENUINE', HIDDEN: 'hidden value' }, 'prod', '/app');
  vault = await project.authorize('hashicorp-vault', targets.of['hashicorp-vault'].auth());
});

describe('attack: a run at the target of others', () => {
  it('does not import, however long it waits, after the right to what others have written there has ended', async () => {
    const { id, call } = await attacker(inDev, folders, integrations);
    await lend(id, { subject: 'secrets', action: all });
    await genuine({ path: 'prod' });
    const { integration } = await ok(integrate(call, { ...fromMine, ...importing, path: 'prod' }));
    await removeFolder(call, 'dev', 'mine');
    expect(await project.run(integration.id)).toMatchObject({ isSynced: false });
    test.advance(2 * HOUR);
    await folder(call, 'dev', 'mine');
    const { syncMessage } = await project.sync(integration.id);
    expect(syncMessage).toContain('the actor that this one runs as may not write its source');
    expect(await project.read('dev', '/mine')).toEqual({});
  });

  it('does not wait there for others: they are told of it', async () => {
    const { call } = await attacker(inDev, folders, integrations);
    const waiting = await ok(integrate(call, { ...fromMine, ...importing, path: 'prod' }));
    await removeFolder(call, 'dev', 'mine');
    await project.run(waiting.integration.id);
    const { id } = waiting.integration;
    await expectRefused(integrate(test.admin, { ...fromProd, path: 'prod' }), 400, `The integration ${id} uses this`);
    await ok(test.admin('PATCH', `/api/v1/integration/${id}`, { isActive: false }));
    await genuine({ path: 'prod' });
    await folder(call, 'dev', 'mine');
    await expectRefused(call('PATCH', `/api/v1/integration/${id}`, { isActive: true }));
  });

  it('ends with the right to write their source, and leaves the target as it is', async () => {
    const { id, call } = await attacker(inDev, integrations);
    const original = await genuine({ path: 'prod' });
    await lend(id, { subject: 'secrets', action: all });
    const { integration } = await ok(integrate(call, { ...fromMine, path: 'prod' }));
    await synced(project, integration.id);
    test.advance(2 * HOUR);
    await project.write({ TOP: 'FORGED' }, 'dev', '/mine');
    expect(await project.sync(integration.id)).toMatchObject({ isSynced: false });
    expect(held('prod')).toMatchObject({ TOP: 'GENUINE' });
    // The other one has authority over both, and goes on.
    await project.write({ TOP: 'GENUINE 2' }, 'prod', '/app');
    await synced(project, original);
    expect(held('prod')).toMatchObject({ TOP: 'GENUINE 2' });
  });

  it('begins again where rights have changed before it writes', async () => {
    const { id, call } = await attacker(inDev, integrations);
    const { integration } = await ok(integrate(call, { ...fromMine, path: 'mine' }));
    await synced(project, integration.id);
    await project.write({ TOP: 'NEW' }, 'dev', '/mine');
    meanwhile = () => lend(id, { subject: 'secrets', action: 'describeSecret' });
    await synced(project, integration.id);
    expect(held('mine')).toMatchObject({ TOP: 'NEW' });
  });

  it('ends when a change policy covers their source, unless it covers its own as well', async () => {
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    const invited = { usernames: [user.email], emails: [], roleSlugs: ['member'] };
    await ok(test.admin('POST', `/api/v1/projects/${project.id}/memberships`, invited));
    await folder(test.admin, 'prod', 'more');
    await genuine({ path: 'prod' });
    const beside = await genuine({ secretPath: '/more', path: 'prod' });
    const { integration } = await ok(integrate(test.admin, { ...fromMine, path: 'prod' }));
    const approvers = [{ type: 'user', id: user.id }];
    await ok(
      test.admin('POST', '/api/v1/secret-approvals', { workspaceId: project.id, environment: 'prod', approvers }),
    );
    await project.write({ TOP: 'FORGED' }, 'dev', '/mine');
    expect(await project.sync(integration.id)).toMatchObject({ isSynced: false });
    expect(held('prod')).toMatchObject({ TOP: 'GENUINE' });
    await ok(test.admin('PATCH', `/api/v1/integration/${integration.id}`, { isActive: false }));
    await synced(project, beside);
  });

  it('does not delete what they have written under its names', async () => {
    const { id, call } = await attacker(inDev, integrations);
    const { auth, target } = targets.of.github;
    const github = await project.authorize('github', auth());
    const there = { integrationAuthId: github, ...target };
    await project.write({ TOP: 'mine' }, 'dev', '/mine');
    await lend(id, { subject: 'secrets', action: all });
    const { integration } = await ok(integrate(call, { ...there, ...fromMine }));
    await synced(project, integration.id);
    await genuine(there);
    test.advance(2 * HOUR);
    const at = `/api/v1/integration/${integration.id}?shouldDeleteIntegrationSecrets=true`;
    await expectRefused(call('DELETE', at));
    expect(targets.of.github.held()).toMatchObject({ TOP: 'GENUINE' });
  });
});

describe('attack: other credentials of an integration', () => {
  const stolen = { url: 'https://vault.evil.example', accessToken: 'hvs.evil' };
  const change = (by: Caller, given: object, id = vault) => by('PATCH', `/api/v1/integration-auth/${id}`, given);

  it('lead it elsewhere only for as long as whoever gave them may read its source', async () => {
    const integration = await genuine({ path: 'prod' });
    const { id, call } = await attacker(integrations);
    await lend(id, { subject: 'secrets', action: all });
    await ok(change(call, stolen));
    test.advance(2 * HOUR);
    await project.write({ TOP: 'WRITTEN LATER' }, 'prod', '/app');
    const { syncMessage } = await project.sync(integration);
    expect(syncMessage).toContain('may no longer read all of its source');
    expect(secretsAt(evil, 'prod')).toBeUndefined();
  });

  it('are not given by callers who may only read, for the same server or account neither', async () => {
    const integration = await genuine({ path: 'prod' });
    const { call } = await attacker({ subject: 'secrets', action: ['describeSecret', 'readValue'] }, integrations);
    await expectRefused(change(call, stolen));
    await expectRefused(change(call, { accessToken: 'hvs.junk' }));
    const { auth, target } = targets.of['aws-secret-manager'];
    const aws = await project.authorize('aws-secret-manager', auth());
    const there = await genuine({ integrationAuthId: aws, ...target });
    await expectRefused(change(call, { accessId: 'AKIAOFTHETHIEF', accessToken: 'x' }, aws));
    for (const id of [integration, there]) await synced(project, id);
  });

  it('are not given while its folder is gone, to get what its next one holds', async () => {
    const integration = await genuine({ path: 'gone' });
    const { call } = await attacker(...unlessHidden('readValue', 'describeSecret'), folders, integrations);
    await expectRefused(change(call, stolen));
    await removeFolder(call, 'prod', 'app');
    await expectRefused(change(call, stolen), 400, 'is gone');
    await folder(test.admin, 'prod', 'app');
    await project.write({ HIDDEN: 'hidden value' }, 'prod', '/app');
    await synced(project, integration);
    expect(secretsAt(evil, 'gone')).toBeUndefined();
  });

  it('do not free its target for members under a change policy, nor separate it from copies', async () => {
    const there = { region: 'eu-central-1', app: 'only' };
    const aws = await project.authorize('aws-secret-manager', targets.of['aws-secret-manager'].auth());
    const duplicate = (id: string) =>
      ok(test.admin('POST', `/api/v1/integration-auth/${id}/duplicate`, { projectId: project.id }));
    const copy = (await duplicate(aws)).integrationAuth.id;
    const integration = await genuine({ integrationAuthId: copy, ...there });
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    const invited = { usernames: [user.email], emails: [], roleSlugs: ['member'] };
    await ok(test.admin('POST', `/api/v1/projects/${project.id}/memberships`, invited));
    const approvers = [{ type: 'user', id: user.id }];
    await ok(
      test.admin('POST', '/api/v1/secret-approvals', { workspaceId: project.id, environment: 'prod', approvers }),
    );
    const call = test.as(user.token);
    const forge = () => integrate(call, { integrationAuthId: aws, ...fromMine, ...there });
    await expectRefused(forge(), 400, 'A change policy covers');
    await expectRefused(change(call, { accessToken: 'x' }, copy), 400, 'A change policy covers');
    await expectRefused(change(call, { accessId: 'AKIAOTHER', accessToken: 'x' }, copy), 400, 'A change policy covers');
    // Whoever may edit the policy renews a token, and the copy stays known.
    await ok(change(test.admin, { accessToken: targets.aws.keys.secretAccessKey }, copy));
    await synced(project, integration);
    await expectRefused(forge(), 400, 'A change policy covers');
  });

  it('are not copied by a right that ends', async () => {
    const other = await SyncedProject.make(test);
    const { id, call } = await attacker({ subject: 'environments', action: ['read'] });
    await ok(test.admin('POST', `/api/v2/workspace/${other.id}/identity-memberships/${id}`, { role: 'admin' }));
    await lend(id, integrations);
    const at = `/api/v1/integration-auth/${vault}/duplicate`;
    await expectRefused(call('POST', at, { projectId: other.id }), 403, 'You hold these rights only until');
  });
});

describe('attack: what an integration has written', () => {
  it('is not imported after its secret was deleted, replaced, or its folder was', async () => {
    const { call } = await attacker(...unlessHidden('readValue', 'describeSecret'), folders, integrations);
    const attempt = () => integrate(call, { ...fromMine, ...importing, path: 'former' });
    const id = await genuine({ path: 'former' });
    await expectRefused(attempt());
    await ok(call('PATCH', `/api/v1/integration/${id}`, { isActive: false }));
    const place = { projectId: project.id, environment: 'prod', secretPath: '/app' };
    await ok(call('DELETE', '/api/v4/secrets/HIDDEN', place));
    await expectRefused(attempt(), 403, 'At the target is more than');
    await removeFolder(call, 'prod', 'app');
    await expectRefused(attempt(), 403, 'At the target is more than');
    await folder(call, 'prod', 'app');
    await ok(call('POST', '/api/v4/secrets/TOP', { ...place, secretValue: 'GENUINE' }));
    await expectRefused(attempt(), 403, 'At the target is more than');
  });

  it('is imported by those who may read it, once the target holds nothing else', async () => {
    const { call } = await attacker(...unlessHidden('readValue', 'describeSecret'), folders, integrations);
    const id = await genuine({ path: 'former' });
    await ok(
      call('DELETE', '/api/v4/secrets/HIDDEN', { projectId: project.id, environment: 'prod', secretPath: '/app' }),
    );
    await synced(project, id);
    const { integration } = await ok(integrate(call, { ...fromMine, ...importing, path: 'former' }));
    await synced(project, integration.id);
    expect(await project.read('dev', '/mine')).toEqual({ TOP: 'GENUINE' });
  });

  it('is not freed to be imported by callers who may not read it', async () => {
    const { call } = await attacker(...unlessHidden('readValue', 'describeSecret'), folders, integrations);
    const id = await genuine({ path: 'freed' });
    await expectRefused(call('DELETE', `/api/v1/integration/${id}`));
    await expectRefused(call('DELETE', `/api/v1/integration-auth/${vault}`));
    await expectRefused(call('PATCH', `/api/v1/integration/${id}`, { environment: 'dev', secretPath: '/mine' }));
    await ok(call('PATCH', `/api/v1/integration/${id}`, { isActive: false }));
    await ok(
      call('DELETE', '/api/v4/secrets/HIDDEN', { projectId: project.id, environment: 'prod', secretPath: '/app' }),
    );
    await expectRefused(call('PATCH', `/api/v1/integration/${id}`, { path: 'elsewhere' }));
    const elsewhere = await attacker({ subject: 'secrets', action: ['create', 'edit', 'delete'] }, integrations);
    await expectRefused(elsewhere.call('DELETE', `/api/v1/integration/${id}`));
    await ok(elsewhere.call('DELETE', `/api/v1/integration/${id}?shouldDeleteIntegrationSecrets=true`));
    expect(held('freed')).toEqual({});
  });

  it('is not freed with all credentials of the service, its environment or project by such callers either', async () => {
    const ends = ['environments', 'workspace'].map((subject) => ({ subject, action: ['read', 'delete'] }));
    const { call } = await attacker(...unlessHidden('readValue', 'describeSecret'), ...ends, integrations);
    const id = await genuine({ path: 'ended' });
    const { environment } = await project.status(id);
    const urls = [
      `/api/v1/integration-auth?integration=hashicorp-vault&projectId=${project.id}`,
      `/api/v1/projects/${project.id}/environments/${environment.id}`,
      `/api/v1/projects/${project.id}`,
      `/api/v1/workspace/${project.id}`,
    ];
    for (const url of urls) await expectRefused(call('DELETE', url));
    const reader = await attacker({ subject: 'secrets', action: all }, ...ends, integrations);
    for (const url of urls.slice(1, 3)) await ok(reader.call('DELETE', url));
  });

  it('names no folder that a rule hides, where its environment or project cannot be deleted', async () => {
    const ends = ['environments', 'workspace'].map((subject) => ({ subject, action: ['read', 'delete'] }));
    const inApp = { inverted: true, conditions: { secretPath: '/app' } };
    const { call } = await attacker(
      ...[{ subject: 'secrets', action: all }, ...ends, integrations, folders],
      { subject: 'secrets', action: ['readValue', 'describeSecret'], ...inApp },
      { subject: 'secret-folders', action: 'read', ...inApp },
    );
    const { environment } = await project.status(await genuine({ path: 'unnamed' }));
    for (const url of [
      `/api/v1/projects/${project.id}/environments/${environment.id}`,
      `/api/v1/projects/${project.id}`,
    ]) {
      const { status, body } = await call('DELETE', url);
      expect([status, JSON.stringify(body.message)]).toEqual([403, expect.not.stringContaining('/app')]);
      expect(JSON.stringify(body.explanation)).not.toContain('/app');
    }
  });

  it('is known by every spelling of its server, namespace and engine', async () => {
    const { call } = await attacker(...unlessHidden('create', 'edit'), integrations);
    const { auth, target } = targets.of.github;
    const github = await project.authorize('github', auth());
    await genuine({ integrationAuthId: github, ...target });
    for (const url of ['https://github.com', 'https://api.github.com/', 'https://GitHub.com:443/x']) {
      const other = await project.authorize('github', { ...auth(), url });
      await expectRefused(integrate(call, { ...fromMine, integrationAuthId: other, ...target }));
    }
    const at = (url: string, namespace?: string) =>
      project.authorize('hashicorp-vault', { accessToken: 'x', url, ...(namespace && { namespace }) });
    const server = 'https://vault.acme.example';
    const team = { integrationAuthId: await at(server, 'team/web'), path: 'x' };
    await ok(integrate(test.admin, { ...fromProd, ...team }));
    for (const [namespace, engine] of [
      ...([
        ['/team/web/', 'secret'],
        ['root/team//web', 'secret'],
        ['team', 'web/secret'],
      ] as const),
      ['', 'team/web/secret'] as const,
    ]) {
      const other = await at('https://Vault.acme.example:443/', namespace);
      await expectRefused(integrate(call, { ...fromMine, ...team, integrationAuthId: other, app: engine }));
    }
    const apart = await at(server, 'team/other');
    await ok(integrate(call, { ...fromMine, ...team, integrationAuthId: apart }));
  });
});
