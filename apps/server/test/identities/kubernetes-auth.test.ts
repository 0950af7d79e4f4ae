import { StandIns } from '@coffer/domain/testing';
import { Cluster } from '@coffer/domain/testing/clouds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeLoginMethod, loginMethodWorld } from '../harness/login-method.ts';
import { describeProvider, type ProviderCase } from '../harness/login-provider.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const standIns = new StandIns();
let test: TestServer;
let cluster: Cluster;
beforeAll(async () => {
  cluster = await Cluster.start();
  cluster.reviewers.add('system:serviceaccount:apps:web');
  await standIns.serve('cluster.test', cluster.listener);
  test = await testServer({ fetch: standIns.fetch });
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

const least = {
  kubernetesHost: 'https://cluster.test',
  allowedNamespaces: 'apps',
  allowedNames: '',
  allowedAudience: '',
};
const kubernetes: ProviderCase = {
  kind: 'kubernetes-auth',
  key: 'identityKubernetesAuth',
  standIns,
  host: 'cluster.test',
  least: () => ({ ...least, allowedNames: ' web,worker ' }),
  answered: () => ({
    ...least,
    allowedNames: 'web, worker',
    caCert: '',
    tokenReviewerJwt: null,
    tokenReviewMode: 'api',
    gatewayId: null,
  }),
  changes: () => ({
    kubernetesHost: 'https://10.0.0.1:6443/k8s/',
    caCert: standIns.authority.cert.trim(),
    tokenReviewerJwt: 'e30.e30.c2ln',
    allowedNamespaces: '',
    allowedNames: 'a ,b,',
    allowedAudience: 'coffer',
  }),
  sealed: ['caCert', 'tokenReviewerJwt'],
  refused: () => [
    [{ kubernetesHost: '' }, 422],
    [{ kubernetesHost: 'cluster.test' }, 422],
    [{ kubernetesHost: 'http://cluster.test' }, 422],
    [{ kubernetesHost: 'https://user:word@cluster.test' }, 422],
    [{ kubernetesHost: 'https://cluster.test/?x=1' }, 422],
    [{ caCert: 'no certificate' }, 422],
    [{ tokenReviewerJwt: 'x'.repeat(20_001) }, 422],
    [{ allowedNames: null }, 422],
    [{ allowedNames: 'x'.repeat(5000) }, 422],
    [{ allowedNamespaces: ['apps'] }, 422],
    [{ allowedAudience: 'a\u0000b' }, 422],
    [{ tokenReviewMode: 'other' }, 422],
    [{ tokenReviewMode: 'gateway' }, 400],
    [{ gatewayId: '018f0000-0000-7000-8000-000000000000' }, 400],
  ],
  notAttached: { GET: 400, PATCH: 400, DELETE: 400 },
  proof: async () => ({ jwt: await cluster.token('apps', 'web') }),
  claims: () => ({ kubernetes: { namespace: 'apps', name: 'web' } }),
  rejectedCredentials: async () => ({ jwt: await cluster.token('apps', 'other') }),
};

describe('Kubernetes auth', () => {
  describeLoginMethod(() => test, kubernetes);
});

describe('the reviewer of Kubernetes auth', () => {
  const { attached } = loginMethodWorld(() => test, kubernetes);

  it('is used instead of the token itself, and can be removed', async () => {
    const { url, logIn } = await attached({ tokenReviewerJwt: await cluster.reviewer(), allowedNames: 'worker' });
    const jwt = await cluster.token('apps', 'worker');
    expect((await logIn({ jwt })).status).toBe(200);
    const { body } = await test.admin('PATCH', url, { tokenReviewerJwt: null });
    expect(body.identityKubernetesAuth.tokenReviewerJwt).toBeNull();
    expect((await logIn({ jwt })).status).toBe(401);
  });

  it('is sent to no other host, and to no host that another authority certifies', async () => {
    const tokenReviewerJwt = await cluster.reviewer();
    const { url, first } = await attached({ tokenReviewerJwt, caCert: standIns.authority.cert });
    for (const change of [{ kubernetesHost: 'https://evil.test' }, { caCert: '' }]) {
      const { body } = await test.admin('PATCH', url, change);
      expect(body).toMatchObject({ statusCode: 400, message: expect.stringContaining('tokenReviewerJwt') });
    }
    expect((await test.admin('GET', url)).body.identityKubernetesAuth).toEqual(first);
    const again = { kubernetesHost: 'https://new.test', tokenReviewerJwt };
    expect((await test.admin('PATCH', url, again)).status).toBe(200);
  });

  it('is named in the log, and to nobody without a token, if it is at fault', async () => {
    const tokenReviewerJwt = await cluster.reviewer('second');
    const { logIn, url } = await attached({ tokenReviewerJwt });
    expect((await logIn()).status).toBe(200);
    cluster.revoke(tokenReviewerJwt);
    const { body } = await logIn();
    expect(body).toMatchObject({ statusCode: 400, message: expect.stringContaining('did not answer as expected') });
    const { rows } = await test.coffer.pool.query(
      `select data ->> 'reason' as reason from audit_events where data ->> 'identityId' = $1 and published = $2`,
      [url.split('/').at(-1), 'fail-login-identity-kubernetes-auth'],
    );
    expect(rows).toEqual([{ reason: 'kubernetes_auth.reviewer' }]);
  });
});

describe('logging in by a token of a service account', () => {
  const { attached } = loginMethodWorld(() => test, kubernetes);

  it('applies changed lists from the next login on', async () => {
    const { url, logIn } = await attached({ tokenReviewerJwt: await cluster.reviewer() });
    for (const [change, status] of [
      [{ allowedNamespaces: 'jobs' }, 401],
      [{ allowedNamespaces: '' }, 200],
      [{ allowedNames: 'other' }, 401],
      [{ allowedNames: '' }, 200],
      [{ allowedAudience: 'coffer' }, 401],
      [{ allowedAudience: '' }, 200],
    ] as const) {
      expect((await test.admin('PATCH', url, change)).status).toBe(200);
      expect([change, (await logIn()).status]).toEqual([change, status]);
    }
  });

  describeProvider(() => test, kubernetes);
});
