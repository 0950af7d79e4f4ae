import { GitHubApp, makeConnection, StandIns, type GitHubUser } from '@coffer/domain/testing';
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

describe('what a connection to an installation reaches', () => {
  const repositoriesOf = async (id: string) =>
    (await list(id, 'repositories')).repositories.map((one: { name: string }) => one.name);

  /** With these repositories in the installation. */
  async function having<T>(ids: readonly number[], work: () => Promise<T>): Promise<T> {
    const before = [...github.repositories];
    const owner = before[0]!.owner;
    github.repositories.splice(0, before.length, ...ids.map((id) => ({ id, name: `web-${id}`, owner })));
    try {
      return await work();
    } finally {
      github.repositories.splice(0, github.repositories.length, ...before);
    }
  }

  it('is what whoever saved it administered then: not what others add later', async () => {
    const code = github.authorize(member);
    const { appConnection } = await having([1], () => ok(create('github-app', { code, installationId })));
    expect(appConnection.credentials).toEqual({ installationId, repositoryIds: [1], isOwner: false });
    expect(await repositoriesOf(appConnection.id)).toEqual(['web-1']);
    // Nor by naming more.
    const more = { code: github.authorize(member), installationId, repositoryIds: [1, 2], isOwner: true };
    const again = await having([1], () => ok(create('github-app', more)));
    expect(again.appConnection.credentials).toMatchObject({ repositoryIds: [1], isOwner: false });
    const named = { credentials: { repositoryIds: [1, 2] } };
    await expectRefused(test.admin('PATCH', `${PATH}/github/${appConnection.id}`, named), 400);
    expect(await repositoriesOf(appConnection.id)).toEqual(['web-1']);
  });

  it('remains where a repository is taken from the installation', async () => {
    const { appConnection } = await ok(create('github-app', { code: github.authorize(admin), installationId }));
    await having([2, 3], async () => expect(await repositoriesOf(appConnection.id)).toEqual(['web-2']));
    await having([3], () => expectRefused(test.admin('GET', `${PATH}/github/${appConnection.id}/repositories`), 400));
  });

  it('is something: an installation without repositories is shown to nobody', async () => {
    const eve = github.authorize({ login: 'eve', administers: [] });
    await having([], () =>
      expectRefused(create('github-app', { code: eve, installationId }), 400, 'no repositories yet'),
    );
  });

  it('is known in full before it is saved, however long the list is', async () => {
    const many = Array.from({ length: 5_100 }, (_, n) => n + 1);
    // The last ones belong to others.
    const most = { login: 'mallory', administers: many.slice(0, 5_000) };
    await having(many, () =>
      expectRefused(create('github-app', { code: github.authorize(most), installationId }), 400, 'administer all'),
    );
  });

  it.each([true, false])('includes secrets of the organization if its saver owns that: %s', async (isOwner) => {
    const code = github.authorize({ ...admin, isOwner });
    const { appConnection } = await ok(create('github-app', { code, installationId }));
    github.tokens.clear();
    await list(appConnection.id, 'repositories');
    const limited = [...github.tokens.values()];
    expect(limited.map(({ repository_ids: ids }) => ids)).toEqual([[1, 2]]);
    const used = { metadata: 'read', secrets: 'write' };
    expect(limited[0]!.permissions).toEqual({ ...used, ...(isOwner && { organization_secrets: 'write' }) });
  });

  it('is not known of one that an earlier release has saved: it is saved again', async () => {
    const { id } = await makeConnection(test.coffer, {
      organizationId: test.organizationId,
      projectId,
      ...{ app: 'github', name: 'former' },
      credentials: { method: 'github-app', code: 'used', installationId },
    });
    await expectRefused(test.admin('GET', `${PATH}/github/${id}/repositories`), 400, 'save it again');
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
