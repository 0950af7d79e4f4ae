import type { RequestListener } from 'node:http';
import { createOutbound, newId, parseCidrs } from '@coffer/domain';
import {
  appExamples,
  AwsAccount,
  AzureCloud,
  AzureDnsZone,
  GcpCloud,
  GcpSecretManager,
  GitHub,
  Graph,
  makeConnection,
  StandIns,
  Vault,
  type AcceptedCredentials,
} from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefused, ok } from '../harness/groups.ts';
import { eventsOf } from '../harness/certificates.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const PATH = '/api/v1/app-connections';
const ACTIONS = ['read', 'create', 'edit', 'delete', 'connect'];
const standIns = new StandIns();
const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
const github = new GitHub('ghp_the_token');
const vault = new Vault('hvs.the_token');
const aws = new AwsAccount({ region: 'us-east-1' });
const azure = new AzureCloud();
const graph = new Graph();
const zone = new AzureDnsZone();
const clientOf = (name: string) => {
  const { id, appId } = graph.addApplication(name);
  return { name, id, appId };
};
const gcp = new GcpCloud();
const secretManager = new GcpSecretManager();
const PROJECTS = ['acme-shop', 'acme-web', 'acme-jobs'];
for (const projectId of PROJECTS)
  gcp.projects.push({ projectId, displayName: projectId.toUpperCase(), state: 'ACTIVE' });
gcp.projects.push({ projectId: 'acme-old', displayName: 'Old', state: 'DELETE_REQUESTED' });
const USERS = ['shop', 'web', 'jobs'];
for (const name of USERS) aws.iam.addUser(name);
const arnOf = (name: string) => `arn:aws:iam::${aws.id}:user/${name}`;
for (const mount of ['secret', 'shop']) vault.two.set(mount, new Map());
vault.one.set('old', new Map());
/** The apps that bring a stand-in. */
const brought = Object.entries(appExamples).map(([app, { standIn }]) => ({ app, ...standIn() }));
const ofGitHub = {
  repositories: [{ id: 1, name: 'web', owner: { id: 9, login: 'acme' } }],
  organizations: [{ id: 9, login: 'acme' }],
  environments: [{ id: 5, name: 'production' }],
};
const kmsKeys = ['coffer', 'shop', 'web'].map((name) => ({ alias: `alias/${name}`, id: `key-of-${name}` }));
const lists: { app: string; list: string; query?: Record<string, string>; answer: unknown }[] = [
  ...brought.flatMap(({ app, lists: all = {} }) =>
    Object.entries(all).map(([list, given]) => ({ app, list, ...given })),
  ),
  ...Object.entries(ofGitHub).map(([list, answer]) => ({
    ...{ app: 'github', list, answer: { [list]: answer } },
    query: { owner: 'acme', repo: 'web' },
  })),
  { app: 'aws', list: 'kms-keys', query: { region: 'us-east-1' }, answer: { kmsKeys } },
  { app: 'aws', list: 'users', answer: { iamUsers: USERS.map((name) => ({ UserName: name, arn: arnOf(name) })) } },
  { app: 'azure-client-secrets', list: 'clients', answer: { clients: ['Shop', 'Web', 'Jobs'].map(clientOf) } },
  { app: 'azure-dns', list: 'azure-dns-zones', answer: [{ id: zone.id, name: zone.domain }] },
  { app: 'gcp', list: 'secret-manager-projects', answer: PROJECTS.map((id) => ({ id, name: id.toUpperCase() })) },
  {
    ...{ app: 'gcp', list: 'secret-manager-project-locations', query: { projectId: 'acme-shop' } },
    answer: secretManager.locations.map((locationId) => ({ locationId, displayName: locationId.toUpperCase() })),
  },
  { app: 'hashicorp-vault', list: 'mounts', answer: ['secret/', 'shop/', 'old/'] },
];
/** The hosts at which the lists of an app are. */
const hostsOf: Record<string, Readonly<Record<string, RequestListener>>> = {
  ...Object.fromEntries(brought.map(({ app, hosts }) => [app, hosts])),
  github: { 'api.github.com': github.listener },
  aws: { 'kms.us-east-1.amazonaws.com': aws.listener('kms'), 'iam.amazonaws.com': aws.listener('iam') },
  'azure-client-secrets': { 'graph.microsoft.com': azure.listener(graph) },
  'azure-dns': { 'management.azure.com': azure.listener(zone) },
  gcp: {
    'cloudresourcemanager.googleapis.com': gcp.projectsListener,
    'secretmanager.googleapis.com': secretManager.serveBy(gcp),
  },
  'hashicorp-vault': { 'vault.acme.example': vault.listener },
};
const AZURE = ['azure-app-configuration', 'azure-client-secrets', 'azure-key-vault'];

let test: TestServer;
let projectId: string;
beforeAll(async () => {
  const apps = { oauth: {}, serviceUrls: [], gcpServiceAccount: gcp.operator };
  test = await testServer({ fetch: standIns.fetch, connect: outbound.connect, settings: { apps } });
  projectId = (await test.project()).id;
  aws.now = () => test.coffer.now().getTime();
  await aws.serve(standIns);
  await azure.serve(standIns);
  await gcp.serve(standIns);
  await azure.serveApi(standIns, graph);
  await azure.serveApi(standIns, zone);
  await standIns.serve('secretmanager.googleapis.com', secretManager.serveBy(gcp));
  await standIns.serve('api.github.com', github.listener);
  await standIns.serve('vault.acme.example', vault.listener);
  github.lists.set('/user/repos', ofGitHub.repositories);
  github.lists.set('/user/orgs', ofGitHub.organizations);
  github.lists.set('/repos/acme/web/environments', ofGitHub.environments);
  for (const { hosts } of brought)
    for (const [host, listener] of Object.entries(hosts)) await standIns.serve(host, listener);
  await standIns.serve('thief.example', (_request, response) => response.writeHead(200).end('{}'));
});
afterAll(async () => {
  await test.close();
  await standIns.close();
  await outbound.close();
});

/** What each app accepts by one of its methods. */
function accepted(): Record<string, AcceptedCredentials & { method: string }> {
  const url = new URL(test.databaseUrl);
  const database = {
    host: url.hostname,
    port: Number(url.port),
    database: url.pathname.slice(1),
    username: url.username,
    sslEnabled: false,
  };
  const { accessKeyId, secretAccessKey } = aws.keys;
  const password = decodeURIComponent(url.password);
  const role = { roleId: vault.role.roleId, secretId: vault.role.secretId };
  const server = { instanceUrl: 'https://vault.acme.example' };
  const { clientId, clientSecret } = azure.application;
  const account = { serviceAccountEmail: gcp.addAccount(test.organizationId) };
  const application = { tenantId: azure.tenantId, clientId };
  const ofAzure = {
    method: 'client-secret',
    given: { ...application, clientSecret },
    shown: application,
    secret: clientSecret,
    wrong: { clientSecret: 'another-secret' },
    elsewhere: { tenantId: 'thief.example' },
  };
  const subscription = { subscriptionId: zone.subscriptionId };
  const ofBrought = brought.map(({ app, methods }) => {
    const [[method, credentials]] = Object.entries(methods) as [[string, AcceptedCredentials]];
    return [app, { method, ...credentials }] as const;
  });
  return {
    ...Object.fromEntries(ofBrought),
    'azure-app-configuration': ofAzure,
    'azure-client-secrets': ofAzure,
    'azure-dns': {
      ...ofAzure,
      given: { ...ofAzure.given, ...subscription },
      shown: { ...ofAzure.shown, ...subscription },
    },
    'azure-key-vault': ofAzure,
    aws: {
      method: 'access-key',
      given: { accessKeyId, secretAccessKey },
      shown: { accessKeyId },
      secret: secretAccessKey,
      wrong: { secretAccessKey: 'another/secret' },
      elsewhere: { roleArn: 'arn:aws:iam::123456789012:role/x' },
    },
    gcp: {
      method: 'service-account-impersonation',
      given: account,
      shown: account,
      secret: gcp.operator.privateKey,
      wrong: { serviceAccountEmail: 'another-0000@acme.iam.gserviceaccount.com' },
    },
    github: {
      method: 'pat',
      given: { personalAccessToken: github.token, instanceType: 'cloud' },
      shown: { instanceType: 'cloud' },
      secret: github.token,
      wrong: { personalAccessToken: 'ghp_another' },
      elsewhere: { host: 'thief.example', instanceType: 'server' },
    },
    'hashicorp-vault': {
      method: 'app-role',
      given: { ...server, ...role },
      shown: server,
      secret: role.secretId,
      wrong: { secretId: 'another-secret' },
      elsewhere: { instanceUrl: 'https://thief.example' },
    },
    postgres: {
      method: 'username-and-password',
      given: { ...database, password },
      shown: { ...database, sslRejectUnauthorized: true },
      secret: password,
      wrong: { username: 'nobody_here', password: 'another-password' },
      elsewhere: { host: 'thief.example' },
    },
  };
}

const apps = [
  ...AZURE,
  'azure-dns',
  'aws',
  'gcp',
  'github',
  'hashicorp-vault',
  'postgres',
  ...brought.map(({ app }) => app),
];

let number = 0;
const nameIt = () => `connection-${++number}`;
const create = (app: string, more: object = {}, call: Caller = test.admin) => {
  const { method, given } = accepted()[app]!;
  return call('POST', `${PATH}/${app}`, { name: nameIt(), method, credentials: given, ...more });
};
const made = async (app: string, more: object = {}) => (await ok(create(app, more))).appConnection;

describe('creating a connection', () => {
  it.each(apps)('to %s is accepted by it, and returns all published fields without secrets', async (app) => {
    const { method, shown, secret } = accepted()[app]!;
    const one = await made(app, { projectId, description: 'of the shop' });
    expect(one).toEqual({
      ...{ id: expect.any(String), name: one.name, description: 'of the shop', version: 1 },
      ...{ orgId: test.organizationId, projectId, isPlatformManagedCredentials: false, gatewayId: null },
      ...{ lastCheckedAt: expect.any(String), lastCheckMessage: null },
      ...{ createdAt: expect.any(String), updatedAt: expect.any(String), app, method, credentials: shown },
    });
    const read = await ok(test.admin('GET', `${PATH}/${app}/${one.id}`));
    expect(read.appConnection).toEqual(one);
    const named = await ok(test.admin('GET', `${PATH}/${app}/connection-name/${one.name}?projectId=${projectId}`));
    expect(named.appConnection).toEqual(one);
    const { appConnections } = await ok(test.admin('GET', `${PATH}/${app}?projectId=${projectId}`));
    expect(appConnections).toContainEqual(one);
    const { rows } = await test.coffer.pool.query('select credentials from app_connections where id = $1', [one.id]);
    expect(rows[0].credentials.includes(secret)).toBe(false);
  });

  it('stores the credentials of the organization under its key, with the event', async () => {
    const one = await made('github');
    expect(one).toMatchObject({ projectId: null });
    const { appConnections } = await ok(test.admin('GET', PATH));
    expect(appConnections.map(({ id }: { id: string }) => id)).toContain(one.id);
    const { rows } = await test.coffer.pool.query(`select data from audit_events where data ->> 'connectionId' = $1`, [
      one.id,
    ]);
    expect(rows).toEqual([{ data: { connectionId: one.id, name: one.name, app: 'github', method: 'pat' } }]);
  });

  it.each(apps)('is rejected if %s does not accept the credentials, without repeating these', async (app) => {
    const { given, wrong } = accepted()[app]!;
    const answer = await create(app, { credentials: { ...given, ...wrong } });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('does not accept')]);
    for (const value of Object.values(wrong).slice(-1)) expect(answer.body.message).not.toContain(value);
  });

  it('is rejected if a field is missing, invalid, or of another method', async () => {
    const { given } = accepted()['hashicorp-vault']!;
    await expectRefused(create('hashicorp-vault', { credentials: given, method: 'access-token' }), 400, 'accessToken');
    for (const answer of [
      await create('hashicorp-vault', { credentials: {} }),
      await create('postgres', { credentials: { host: 'a b' } }),
      await create('github', { gatewayId: newId() }),
      await test.admin('GET', `${PATH}/none-such`),
    ])
      expect(answer.status).toBe(422);
  });

  it('is rejected if the name is taken in the same project or organization, and nowhere else', async () => {
    const { name } = await made('github', { projectId });
    await expectRefused(create('github', { projectId, name }), 400, 'already exists');
    await made('github', { name });
    await expectRefused(create('github', { name }), 400, 'already exists');
    await made('github', { name, projectId: (await test.project()).id });
  });
});

describe('updating a connection', () => {
  const patch = (app: string, id: string, body: object, call = test.admin) =>
    call('PATCH', `${PATH}/${app}/${id}`, body);

  it('changes the given fields, and counts changes of the credentials', async () => {
    const one = await made('hashicorp-vault', { projectId });
    const renamed = await ok(patch('hashicorp-vault', one.id, { name: nameIt(), description: 'x' }));
    expect(renamed.appConnection).toMatchObject({ description: 'x', version: 1, credentials: one.credentials });
    const again = await ok(patch('hashicorp-vault', one.id, { credentials: { secretId: vault.role.secretId } }));
    expect(again.appConnection).toMatchObject({ description: 'x', version: 2, credentials: one.credentials });
    await expectRefused(patch('hashicorp-vault', one.id, { credentials: { secretId: 'another' } }), 400, 'not accept');
    const read = await ok(test.admin('GET', `${PATH}/hashicorp-vault/${one.id}`));
    expect(read.appConnection).toEqual(again.appConnection);
  });

  it('requires the credential again if the target changes, and sends the stored one nowhere else', async () => {
    const called = standIns.called.length;
    for (const [app, { elsewhere: credentials }] of Object.entries(accepted())) {
      if (!credentials) continue;
      const { id } = await made(app, { projectId });
      await expectRefused(patch(app, id, { credentials }), 400, 'again');
    }
    expect(standIns.called.slice(called).filter((url) => url.includes('thief'))).toEqual([]);
  });
});

describe('what is at an app', () => {
  it.each(lists)('is listed as published: $app/$list', async ({ app, list, query = {}, answer }) => {
    const { id } = await made(app, { projectId });
    const url = `${PATH}/${app}/${id}/${list}?${new URLSearchParams(query).toString()}`;
    expect(await ok(test.admin('GET', url))).toEqual(answer);
    const user = await test.identity({
      projectId,
      rules: [{ subject: 'app-connections', action: 'connect', conditions: { connectionId: id } }],
    });
    await ok(user.call('GET', url));
    const reader = await test.identity({ projectId, rules: [{ subject: 'app-connections', action: 'read' }] });
    await expectRefused(reader.call('GET', url));
    const { call: foreign } = await test.foreign();
    await expectRefused(foreign('GET', url), 404);
    // The stored credentials were used by both who may.
    const used = (await eventsOf(test, { connectionId: id })).filter((type) => type === 'app_connection.list_read');
    expect(used).toHaveLength(2);
  });

  it('is not listed if the app fails, with its reason and without the credential', async () => {
    for (const { app, list, query = {} } of lists) {
      const { id } = await made(app, { projectId });
      const hosts = hostsOf[app]!;
      const { secret } = accepted()[app]!;
      for (const [status, body] of [
        [429, ''],
        [500, `{"message":"out of ${secret}"}`],
        [200, '<html>'],
        [302, ''],
      ] as const) {
        for (const host of Object.keys(hosts))
          await standIns.serve(host, (_request, response) =>
            response.writeHead(status, { location: 'https://thief.example', 'retry-after': '7' }).end(body),
          );
        const answer = await test.admin('GET', `${PATH}/${app}/${id}/${list}?${new URLSearchParams(query).toString()}`);
        expect([app, status, answer.status, answer.body.message]).toEqual([
          ...[app, status, 400],
          expect.stringContaining(' does not list '),
        ]);
        expect(answer.body.message).not.toContain(secret);
      }
      for (const [host, listener] of Object.entries(hosts)) await standIns.serve(host, listener);
    }
    expect(standIns.called.filter((url) => url.includes('thief'))).toEqual([]);
  });
});

describe('a connection', () => {
  const able = (connectionId: string, action: string[]) => [
    { subject: 'app-connections', action, conditions: { connectionId } },
  ];

  it('takes the permission on it, in its project or in the organization', async () => {
    const inProject = await made('github', { projectId });
    const ofOrganization = await made('github');
    for (const [{ id, name }, place] of [
      [inProject, { projectId, rules: able(inProject.id, ACTIONS) }],
      [ofOrganization, { organizationRules: able(ofOrganization.id, ACTIONS) }],
    ] as const) {
      const { call } = await test.identity(place);
      const url = `${PATH}/github/${id}`;
      await ok(call('GET', url));
      await ok(call('GET', `${url}/usage`));
      await ok(call('PATCH', url, { description: 'y' }));
      const other = await made('github', 'projectId' in place ? { projectId } : {});
      const wrong = `${PATH}/github/${other.id}`;
      await expectRefused(call('GET', wrong));
      await expectRefused(call('GET', `${wrong}/usage`));
      const byName = (given: string) =>
        call('GET', `${PATH}/github/connection-name/${given}${'projectId' in place ? `?projectId=${projectId}` : ''}`);
      await ok(byName(name));
      // A name tells no more than an unknown one.
      for (const unreadable of [other.name, nameIt()]) await expectRefused(byName(unreadable), 404);
      await expectRefused(call('PATCH', wrong, { description: 'y' }));
      await expectRefused(call('DELETE', wrong));
      await expectRefused(create('github', 'projectId' in place ? { projectId } : {}, call));
      const query = 'projectId' in place ? `?projectId=${projectId}` : '';
      const { appConnections } = await ok(call('GET', `${PATH}/github${query}`));
      expect(appConnections.map((one: { id: string }) => one.id)).toEqual([id]);
      const available = await ok(call('GET', `${PATH}/github/available${query}`));
      expect(available.appConnections.map((one: { id: string }) => one.id)).toEqual([id]);
      await ok(call('DELETE', url));
    }
    const member = await test.identity({ projectId, rules: [] });
    await expectRefused(member.call('GET', `${PATH}?projectId=${projectId}`));
    await expectRefused(member.call('GET', PATH));
  });

  it('is hidden from other projects, other organizations and other apps', async () => {
    const one = await made('github', { projectId });
    const outsider = await test.identity({ organizationRole: 'no-access' });
    const { call: foreign } = await test.foreign();
    for (const call of [outsider.call, foreign]) await expectRefused(call('GET', `${PATH}/github/${one.id}`), 404);
    await expectRefused(test.admin('GET', `${PATH}/aws/${one.id}`), 404);
    await expectRefused(test.admin('PATCH', `${PATH}/aws/${one.id}`, {}), 404);
    await expectRefused(test.admin('GET', `${PATH}/github/connection-name/${one.name}`), 404);
    const { integrationAuth } = await ok(
      test.admin('POST', '/api/v1/integration-auth/access-token', {
        ...{ workspaceId: projectId, integration: 'github', accessToken: github.token },
      }),
    );
    await expectRefused(test.admin('GET', `${PATH}/github/${integrationAuth.id}`), 404);
    await expectRefused(test.admin('GET', `/api/v1/integration-auth/${one.id}`), 404);
  });

  it('lists what uses it, and is not deleted before that', async () => {
    const one = await makeConnection(test.coffer, {
      ...{ organizationId: test.organizationId, projectId, app: 'github', name: nameIt() },
    });
    const { integrationAuth } = await ok(
      test.admin('POST', '/api/v1/integration-auth/access-token', {
        ...{ workspaceId: projectId, integration: 'github', accessToken: github.token },
      }),
    );
    const { integration } = await ok(
      test.admin('POST', '/api/v1/integration', {
        ...{ integrationAuthId: integrationAuth.id, sourceEnvironment: 'dev', owner: 'acme', app: 'used' },
      }),
    );
    await test.coffer.pool.query('update secret_syncs set connection_id = $2 where id = $1', [integration.id, one.id]);
    const url = `${PATH}/github/${one.id}`;
    const { projects, hiddenResources } = await ok(test.admin('GET', `${url}/usage`));
    expect([projects, hiddenResources]).toEqual([
      [
        {
          ...{ id: projectId, name: expect.any(String), slug: expect.any(String), type: expect.any(String) },
          resources: {
            secretSyncs: [{ id: integration.id, destination: 'github' }],
            secretRotations: [],
            pkiSyncs: [],
            certificateAuthorities: [],
          },
        },
      ],
      0,
    ]);
    for (const [environment, seen] of [
      ['prod', { projects: [], hiddenResources: 1 }],
      ['dev', { projects, hiddenResources: 0 }],
    ] as const) {
      const reader = await test.identity({
        projectId,
        rules: [
          { subject: 'app-connections', action: 'read' },
          { subject: 'secret-syncs', action: 'read', conditions: { environment } },
        ],
      });
      expect(await ok(reader.call('GET', `${url}/usage`))).toEqual(seen);
    }
    await expectRefused(test.admin('DELETE', url), 400, 'used');
    await test.coffer.pool.query('delete from secret_syncs where id = $1', [integration.id]);
    await ok(test.admin('DELETE', url));
    await expectRefused(test.admin('DELETE', url), 404);
  });

  it('is of an app that is offered', async () => {
    const { appConnectionOptions } = await ok(test.admin('GET', `${PATH}/options`));
    expect(appConnectionOptions).toContainEqual({
      ...{ name: 'GitHub', app: 'github', methods: ['pat'], supportsPlatformManagement: false },
    });
  });
});
