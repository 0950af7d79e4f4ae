import { GitHubApp, StandIns, type GitHubUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefused, ok } from '../harness/groups.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const PATH = '/api/v1/app-connections';
const SITE = 'https://coffer.acme.example';
const standIns = new StandIns();
const github = new GitHubApp();
const installationId = String(github.installationId);
const admin: GitHubUser = { login: 'octocat', administers: [1, 2] };
const member: GitHubUser = { login: 'mona', administers: [1] };

let test: TestServer;
let projectId: string;
beforeAll(async () => {
  github.redirectUri = `${SITE}/organization/app-connections/github/oauth/callback`;
  for (const host of ['github.com', 'api.github.com']) await standIns.serve(host, github.listener);
  const { appId, privateKey, clients } = github;
  const apps = {
    oauth: { github: clients.oauth, github_app: clients.app },
    githubApp: { appId: String(appId), privateKey },
    serviceUrls: [],
  };
  test = await testServer({ fetch: standIns.fetch, settings: { siteUrl: SITE, apps } });
  projectId = (await test.project()).id;
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

let number = 0;
const create = (method: string, credentials: object) =>
  test.admin('POST', `${PATH}/github`, { name: `github-${++number}`, projectId, method, credentials });
const list = async (id: string, name: string) => ok(test.admin('GET', `${PATH}/github/${id}/${name}`));
const storedText = async (id: string) => {
  const { rows } = await test.coffer.pool.query('select credentials from app_connections where id = $1', [id]);
  return String(rows[0].credentials);
};

describe('a connection to an installation of the GitHub App', () => {
  it('is made by an administrator of its repositories, and reaches them by tokens of the installation', async () => {
    const code = github.authorize(admin);
    const { appConnection } = await ok(create('github-app', { code, installationId }));
    expect(appConnection).toMatchObject({ method: 'github-app', credentials: { installationId } });
    expect(JSON.stringify(appConnection)).not.toContain(code);
    const { repositories } = await list(appConnection.id, 'repositories');
    expect(repositories).toEqual([1, 2].map((id) => ({ id, name: `web-${id}`, owner: { id: 9, login: 'acme' } })));
    expect(await list(appConnection.id, 'organizations')).toEqual({ organizations: [{ id: 9, login: 'acme' }] });
    // The user who made it may leave: later calls are by the app alone.
    github.userTokens.clear();
    await list(appConnection.id, 'repositories');
    expect(await storedText(appConnection.id)).not.toContain(code);
  });

  it('is refused to others, also to members who see the installation', async () => {
    const refused = await create('github-app', { code: github.authorize(member), installationId });
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('administer all')]);
    await expectRefused(
      create('github-app', { code: github.authorize(admin), installationId: '999' }),
      400,
      'Not Found',
    );
    await expectRefused(create('github-app', { code: 'unknown', installationId }), 400, 'incorrect or expired');
    await expectRefused(create('github-app', { code: github.authorize(admin), installationId: '../1' }), 400);
  });

  it('takes another code for another installation', async () => {
    const { appConnection } = await ok(create('github-app', { code: github.authorize(admin), installationId }));
    const url = `${PATH}/github/${appConnection.id}`;
    await expectRefused(test.admin('PATCH', url, { credentials: { installationId: '816' } }), 400, 'code again');
    const again = { code: github.authorize(admin), installationId };
    expect((await ok(test.admin('PATCH', url, { credentials: again }))).appConnection).toMatchObject({ version: 2 });
  });

  it('reports an installation that is suspended, without a key or token', async () => {
    const { appConnection } = await ok(create('github-app', { code: github.authorize(admin), installationId }));
    github.isSuspended = true;
    const { status, body } = await test.admin('GET', `${PATH}/github/${appConnection.id}/repositories`);
    github.isSuspended = false;
    expect([status, body.message]).toEqual([400, expect.stringContaining('suspended')]);
    expect(JSON.stringify(body)).not.toMatch(/ghs_|PRIVATE KEY|eyJ/);
  });
});

describe('a connection to GitHub by OAuth', () => {
  it('exchanges the code, and acts as the user', async () => {
    const code = github.authorize(member);
    const { appConnection } = await ok(create('oauth', { code }));
    expect(appConnection).toMatchObject({ method: 'oauth', credentials: {} });
    const { repositories } = await list(appConnection.id, 'repositories');
    expect(repositories).toHaveLength(2);
    await expectRefused(create('oauth', { code }), 400, 'incorrect or expired');
    const stored = await storedText(appConnection.id);
    for (const token of github.userTokens.keys()) expect(stored).not.toContain(token);
  });

  it('is offered where the operator has registered its applications', async () => {
    const { appConnectionOptions } = await ok(test.admin('GET', `${PATH}/options`));
    expect(appConnectionOptions).toContainEqual(
      expect.objectContaining({
        app: 'github',
        methods: ['pat', 'oauth', 'github-app'],
        oauthClientId: github.clients.oauth.clientId,
      }),
    );
  });
});
