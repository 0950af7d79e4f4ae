import { AwsAccount, GitHub, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf } from '../harness/certificates.ts';
import { expectRefused, ok } from '../harness/groups.ts';
import { SyncedProject } from '../harness/integrations.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const PATH = '/api/v1/integration-auth';
const standIns = new StandIns();
const github = new GitHub('ghp_the_token');
const aws = new AwsAccount();
const owner = { id: 9, login: 'acme' };

let test: TestServer;
let project: SyncedProject;
beforeAll(async () => {
  test = await testServer({ fetch: standIns.fetch });
  project = await SyncedProject.make(test);
  aws.now = () => test.coffer.now().getTime();
  await aws.serve(standIns);
  await standIns.serve('api.github.com', github.listener);
  const repositories = Array.from({ length: 250 }, (_, i) => ({ id: i, name: `web-${i}`, owner }));
  github.lists.set('/user/repos', repositories);
  github.lists.set('/user/orgs', [{ id: 9, login: 'acme', url: 'https://api.github.com/orgs/acme' }]);
  github.lists.set('/repos/acme/web-1/environments', [{ id: 5, name: 'production', node_id: 'x' }]);
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

const authorizeGitHub = () => project.authorize('github', { accessToken: github.token });
const authorizeAws = () =>
  project.authorize('aws-secret-manager', {
    accessId: aws.keys.accessKeyId,
    accessToken: aws.keys.secretAccessKey,
  });

describe('what integration credentials reach', () => {
  it('is listed as published: repositories, organizations and environments of GitHub', async () => {
    const integrationAuthId = await authorizeGitHub();
    const url = `${PATH}/${integrationAuthId}`;
    const { apps } = await ok(test.admin('GET', `${url}/apps`));
    expect(apps).toEqual(
      Array.from({ length: 250 }, (_, i) => ({ name: `web-${i}`, appId: String(i), owner: 'acme' })),
    );
    const { orgs } = await ok(test.admin('GET', `${url}/github/orgs`));
    expect(orgs).toEqual([{ name: 'acme', orgId: '9' }]);
    const { envs } = await ok(test.admin('GET', `${url}/github/envs?repoOwner=acme&repoName=web-1`));
    expect(envs).toEqual([{ name: 'production', envId: '5' }]);
    const used = (await eventsOf(test, { integrationAuthId })).filter((type) => type === 'integration_auth.list_read');
    expect(used).toHaveLength(3);
  });

  it('is listed as published: keys of AWS KMS that have an alias', async () => {
    const url = `${PATH}/${await authorizeAws()}/aws-secrets-manager/kms-keys`;
    const { kmsKeys } = await ok(test.admin('GET', `${url}?region=eu-central-1`));
    expect(kmsKeys).toEqual(
      ['coffer', 'shop', 'web'].map((name) => ({ id: `key-of-${name}`, alias: `alias/${name}` })),
    );
    for (const region of ['evil.example.com/', 's3']) {
      const called = standIns.called.length;
      await expectRefused(test.admin('GET', `${url}?region=${encodeURIComponent(region)}`), 400, 'region');
      expect(standIns.called.length).toBe(called);
    }
  });

  it('takes the permission to read integrations of the project', async () => {
    const url = `${PATH}/${await authorizeGitHub()}/github/orgs`;
    const reader = await test.identity({
      projectId: project.id,
      rules: [{ subject: 'integrations', action: 'read' }],
    });
    await ok(reader.call('GET', url));
    const other = await test.identity({ projectId: project.id, rules: [{ subject: 'secrets', action: 'read' }] });
    await expectRefused(other.call('GET', url));
    const { call: foreign } = await test.foreign();
    await expectRefused(foreign('GET', url), 404);
  });

  it('is not listed for services that have no such thing, or whose answer is none', async () => {
    const ofAws = `${PATH}/${await authorizeAws()}`;
    await expectRefused(test.admin('GET', `${ofAws}/github/orgs`), 400, 'aws-secret-manager');
    const id = await authorizeGitHub();
    await expectRefused(
      test.admin('GET', `${PATH}/${id}/aws-secrets-manager/kms-keys?region=eu-central-1`),
      400,
      'github',
    );
    const missing = `${PATH}/${id}/github/envs?repoOwner=acme&repoName=none`;
    await expectRefused(test.admin('GET', missing), 400, 'GitHub does not list the environments');
    await expectRefused(test.admin('GET', `${PATH}/${id}/github/envs?repoOwner=acme&repoName=..`), 400, '..');
    github.lists.set('/user/orgs', [{ login: 7 }]);
    await expectRefused(test.admin('GET', `${PATH}/${id}/github/orgs`), 400, 'no list');
  });
});
