import { AzureCloud, GcpCloud, Graph, StandIns, type TargetCase } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefused, ok } from '../../harness/groups.ts';
import {
  describeDynamicProvider,
  describeTarget,
  dynamicSecretsOf,
  sentInGuide,
} from '../../harness/dynamic-secret.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

const standIns = new StandIns();
const azure = new AzureCloud();
const graph = new Graph();
const user = graph.addUser('Continuous Integration');
const gcp = new GcpCloud();

let test: TestServer;
let account: string;
beforeAll(async () => {
  const apps = { oauth: {}, serviceUrls: [], gcpServiceAccount: gcp.operator };
  test = await testServer({ fetch: standIns.fetch, settings: { apps } });
  gcp.now = () => test.coffer.now().getTime();
  account = gcp.addAccount(test.organizationId);
  await azure.serve(standIns);
  await azure.serveApi(standIns, graph);
  await gcp.serve(standIns);
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

const application = () => {
  const { clientId: applicationId, clientSecret } = azure.application;
  return { tenantId: azure.tenantId, applicationId, clientSecret };
};

const entraId: TargetCase = {
  type: 'azure-entra-id',
  inputs: () => ({ ...application(), userId: user.id, email: user.userPrincipalName }),
  wrong: () => ({ ...entraId.inputs(), clientSecret: 'not-the-secret-of-this-application' }),
  elsewhere: () => ({ tenantId: 'thief.example' }),
  weaker: () => ({ tenantId: 'thief.example', clientSecret: application().clientSecret }),
  sealed: ['clientSecret'],
  hasOneLogin: true,
  works: async ({ email, password }) => email === user.userPrincipalName && password === user.password,
  outage: {
    begin: () => standIns.stop('graph.microsoft.com'),
    end: () => azure.serveApi(standIns, graph),
  },
};

const gcpIam: TargetCase = {
  type: 'gcp-iam',
  inputs: () => ({ serviceAccountEmail: account }),
  wrong: () => ({ serviceAccountEmail: account.replace('shop', 'unknown') }),
  elsewhere: () => ({}),
  sealed: [],
  outlivesLeases: true,
  cannotRenew: 'The expiry of an access token cannot be changed: create another lease',
  works: async (data) => data['SERVICE_ACCOUNT_EMAIL'] === account && gcp.tokens.get(data['TOKEN'] ?? '') === account,
  outage: {
    begin: async () => {
      for (const host of ['oauth2.googleapis.com', 'iamcredentials.googleapis.com']) await standIns.stop(host);
    },
    end: () => gcp.serve(standIns),
  },
};

describe('passwords of users of Microsoft Entra ID', () => {
  const { made, refused } = dynamicSecretsOf(() => test, 'azure-entra-id', entraId.inputs);

  describeDynamicProvider(() => test, entraId);

  it('are of the user with that ID and name', async () => {
    expect(await refused({ email: 'somebody.else@acme.example' })).toContain('another e-mail address');
    expect(await refused({ userId: crypto.randomUUID() })).toContain('does not exist');
  });

  it('wait where Graph throttles, as long as it asks', async () => {
    const one = await made();
    azure.accident = (call) => {
      if (call.method !== 'PATCH') return false;
      call.answer(429, { error: { code: 'TooManyRequests', message: 'Too many requests.' } }, { 'retry-after': '7' });
      return true;
    };
    const throttled = await one.lease();
    azure.accident = () => false;
    expect([throttled.status, throttled.body.message]).toEqual([400, expect.stringContaining('throttling')]);
    await one.reapFailed().catch(() => undefined);
    const { lease } = await ok(one.lease());
    await ok(one.revoke(lease.id));
  });

  it('are created by the request of the guide', () => {
    const [{ provider }] = sentInGuide('Azure Entra ID') as [{ provider: { type: string; inputs: object } }];
    expect([provider.type, Object.keys(provider.inputs).toSorted()]).toEqual([
      'azure-entra-id',
      Object.keys(entraId.inputs()).toSorted(),
    ]);
  });

  describeTarget(() => test, entraId);
});

describe('the users of a tenant', () => {
  const USERS = '/api/v1/dynamic-secrets/entra-id/users';

  it('are listed in all pages with the credentials of the request', async () => {
    const others = ['Ann', 'Ben', 'Cleo'].map((name) => graph.addUser(name));
    const users = await ok(test.admin('POST', USERS, application()));
    const listed = [user, ...others].map(({ id, displayName: name, userPrincipalName: email }) => ({
      id,
      name,
      email,
    }));
    expect(users).toEqual(listed);
  });

  it('are not listed with credentials that are refused, or for nobody', async () => {
    const wrong = { ...application(), clientSecret: 'not-the-secret-of-this-application' };
    const answer = await test.admin('POST', USERS, wrong);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([
      400,
      expect.not.stringContaining(wrong.clientSecret),
    ]);
    await expectRefused(test.as()('POST', USERS, application()), 401);
    expect((await test.admin('POST', USERS, { ...application(), tenantId: 'a/../b' })).status).toBe(422);
  });
});

describe('tokens of service accounts of Google Cloud', () => {
  const { made, refused } = dynamicSecretsOf(() => test, 'gcp-iam', gcpIam.inputs);

  describeDynamicProvider(() => test, gcpIam);

  it('end with their lease', async () => {
    const one = await made();
    const { lease } = await ok(one.lease({ ttl: '25m' }));
    expect(gcp.lifetimes.at(-1)).toBe('1500s');
    await ok(one.revoke(lease.id));
    const { status, body } = await one.lease({ ttl: '13h' });
    expect([status, body.message]).toEqual([400, expect.stringContaining('12h at most')]);
  });

  it('are of accounts whose name is for the organization', async () => {
    const foreign = gcp.addAccount(crypto.randomUUID());
    const asked = gcp.lifetimes.length;
    expect(await refused({ serviceAccountEmail: foreign })).toContain(test.organizationId.slice(0, 13));
    expect(gcp.lifetimes.length).toBe(asked);
  });

  describeTarget(() => test, gcpIam);
});
