import type { IncomingMessage } from 'node:http';
import { KubernetesApi, makeAuthority, StandIns, type TargetCase } from '@coffer/domain/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  describeDynamicProvider,
  describeTarget,
  dynamicSecretsOf,
  LEASES,
  sentInGuide,
} from '../../harness/dynamic-secret.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let cluster: KubernetesApi;
let clusterToken: string;
const HOST = 'cluster.test';
const standIns = new StandIns();
const root = makeAuthority('Root of the cluster');

beforeAll(async () => {
  test = await testServer({ fetch: standIns.fetch });
  const { coffer, organizationId } = test;
  cluster = await KubernetesApi.start();
  cluster.now = () => coffer.contextFor({ type: 'platform', organizationId }).now().getTime();
  clusterToken = await cluster.keeper();
  await standIns.serve(HOST, cluster.listener, root);
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});
afterEach(() => {
  cluster.denied.clear();
  cluster.fault = () => undefined;
  cluster.longestLife = Infinity;
  cluster.bindsTokens = true;
  standIns.patience = {};
});

const shared = () => ({ url: `https://${HOST}`, clusterToken, ca: root.cert });
const ofAccount = () => ({ ...shared(), credentialType: 'static', namespace: 'apps', serviceAccountName: 'shop' });
const ofRole = (more: object = {}) => ({
  ...shared(),
  credentialType: 'dynamic',
  namespace: 'apps, jobs',
  roleType: 'role',
  role: 'deployer',
  ...more,
});
const holder = (data: Record<string, string>, audience?: string) => cluster.holder(data['TOKEN']!, audience);
const outage = {
  begin: () => standIns.stop(HOST),
  end: () => standIns.serve(HOST, cluster.listener, root),
};
const common = {
  type: 'kubernetes',
  elsewhere: () => ({ url: 'https://other.test', ca: makeAuthority('Root of the cluster').cert }),
  weaker: ({ TOKEN }: Record<string, string>) => ({ clusterToken: TOKEN }),
  sealed: ['clusterToken'],
  works: async (data: Record<string, string>) => (await holder(data)) !== undefined,
  outage,
  cannotRenew: 'The expiry of a Kubernetes token cannot be changed: create another lease',
};
const staticCase: TargetCase = {
  ...common,
  type: 'kubernetes',
  inputs: ofAccount,
  wrong: () => ({ ...ofAccount(), clusterToken: `${clusterToken.slice(0, -8)}AAAAAAAA` }),
};
const dynamicCase: TargetCase = {
  ...common,
  inputs: ofRole,
  wrong: () => ({ ...ofRole(), clusterToken: 'not-the-token' }),
};

const { made, unmade } = dynamicSecretsOf(() => test, 'kubernetes');

describe('tokens of an account of a cluster', () => {
  describeDynamicProvider(() => test, staticCase);
  describeTarget(() => test, staticCase);

  it('belong to that account, for their lifetime, and end with their bound object', async () => {
    const one = await made(ofAccount());
    const { lease, data } = (await one.lease({ ttl: '2h' })).body;
    const name = lease.externalEntityId.replace(/^secret\/apps\//, '');
    expect(await holder(data)).toEqual({ namespace: 'apps', account: 'shop', roles: [] });
    expect(cluster.object(`secrets/apps/${name}`)).toMatchObject({
      type: 'Opaque',
      metadata: { labels: { 'app.kubernetes.io/managed-by': 'coffer' } },
    });
    expect(cluster.object(`secrets/apps/${name}`)).not.toHaveProperty('data');
    // Otherwise it expires.
    test.advance(2 * 3_600_000 + 1000);
    expect(await holder(data)).toBeUndefined();
    await one.reap(lease.id);
    expect([cluster.objects, await one.leases()]).toEqual([[], []]);
  });

  it("have at least Kubernetes' minimum lifetime, and are revoked all the same", async () => {
    const one = await made(ofAccount());
    const { lease, data } = (await one.lease({ ttl: '30s' })).body;
    test.advance(30_000);
    expect(await holder(data)).toBeDefined();
    await one.reap(lease.id);
    expect(await holder(data)).toBeUndefined();
  });

  it('have the requested audience', async () => {
    const one = await made({ ...ofAccount(), audiences: ['vault', 'https://example.com'] });
    const { lease, data } = (await one.lease()).body;
    expect(await holder(data)).toBeUndefined();
    for (const audience of ['vault', 'https://example.com']) expect(await holder(data, audience)).toBeDefined();
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await holder(data, 'vault')).toBeUndefined();
  });

  it('are not issued if the cluster would end them earlier, or could not revoke them', async () => {
    const one = await made(ofAccount());
    cluster.longestLife = 3599;
    expect((await one.lease()).body.message).toBe('The cluster limits the lifetime of tokens to 3599 seconds');
    cluster.longestLife = Infinity;
    cluster.bindsTokens = false;
    expect((await one.lease()).body.message).toBe('The cluster issues no tokens that can be revoked');
    expect(cluster.objects).toEqual([]);
  });

  it('are requested for an existing account', async () => {
    const one = await made({ ...ofAccount(), serviceAccountName: 'nobody' });
    expect((await one.lease()).body.message).toBe(`${HOST} reports: NotFound: serviceaccounts "nobody" not found`);
    expect(cluster.objects).toEqual([]);
    await one.reapFailed();
  });
});

describe('tokens of created accounts', () => {
  describeDynamicProvider(() => test, dynamicCase);
  describeTarget(() => test, dynamicCase);

  it('have the role where their account is', async () => {
    const one = await made(ofRole(), { usernameTemplate: 'shop-{{random 12}}' });
    const { lease, data } = (await one.lease()).body;
    const name = lease.externalEntityId.replace(/^rolebinding\/apps\//, '');
    expect(name).toMatch(/^shop-[a-z0-9]{12}$/);
    expect(await holder(data)).toEqual({ namespace: 'apps', account: name, roles: ['role:apps/deployer'] });
    expect(cluster.objects).toEqual([`serviceaccounts/apps/${name}`, `rolebindings/apps/${name}`]);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect([await holder(data), cluster.objects]).toEqual([undefined, []]);
  });

  it('have the role in all namespaces if it is a cluster role', async () => {
    const one = await made(ofRole({ roleType: 'cluster-role', role: 'view' }));
    const { lease, data } = (await one.lease()).body;
    const name = lease.externalEntityId.replace(/^clusterrolebinding\/apps\//, '');
    expect(await holder(data)).toMatchObject({ account: name, roles: ['cluster-role:view'] });
    // Existing leases are found by their original inputs, whatever is created later.
    expect((await one.update({ inputs: { roleType: 'role', role: 'deployer' } })).status).toBe(200);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect([await holder(data), cluster.objects]).toEqual([undefined, []]);
  });

  it('are in the namespace of the lease, among the permitted ones', async () => {
    const one = await made(ofRole());
    const { here } = one.place;
    const ask = (namespace: string, path = LEASES) =>
      one.call('POST', path, { ...here, dynamicSecretName: one.name, config: { namespace } });
    for (const path of [LEASES, `${LEASES}/kubernetes`]) {
      const { lease, data } = (await ask('jobs', path)).body;
      expect(await holder(data)).toMatchObject({ namespace: 'jobs', roles: ['role:jobs/deployer'] });
      expect((await one.revoke(lease.id)).status).toBe(200);
      const foreign = await ask('kube-system', path);
      expect([foreign.status, foreign.body.message]).toEqual([400, 'Allowed namespaces: apps, jobs']);
      expect((await ask('../apps', path)).status).toBe(422);
    }
    expect([cluster.objects, await one.leases()]).toEqual([[], []]);
  });

  it('leave nothing behind if a part of them is rejected', async () => {
    const refusing: [string, object, string][] = [
      ['bind deployer', {}, 'Forbidden: User "system:serviceaccount:kube-system:coffer" cannot bind'],
      ['', { role: 'nothing' }, `NotFound: roles.rbac.authorization.k8s.io "nothing" not found`],
      ['create serviceaccounts/token', {}, 'Forbidden: '],
    ];
    for (const [denied, more, words] of refusing) {
      const one = await made(ofRole(more));
      cluster.denied.add(denied);
      const { status, body } = await one.lease();
      expect([status, body.message]).toEqual([400, expect.stringContaining(`${HOST} reports: ${words}`)]);
      expect(cluster.objects).toEqual([]);
      cluster.denied.clear();
      await one.reapFailed();
    }
    const one = await made(ofRole({ namespace: 'missing' }));
    expect((await one.lease()).body.message).toBe(`${HOST} reports: NotFound: namespaces "missing" not found`);
    expect(await one.leases()).toEqual([]);
  });

  it('are deleted if a part of them is deleted already, or cannot be deleted yet', async () => {
    const one = await made(ofRole());
    const { lease, data } = (await one.lease()).body;
    cluster.denied.add('delete rolebindings');
    expect((await one.revoke(lease.id)).status).toBe(400);
    // The account went first.
    expect(await holder(data)).toBeUndefined();
    expect(await one.leases()).toMatchObject([{ status: 'Failed to delete', statusDetails: /cannot delete/ }]);
    cluster.denied.clear();
    expect((await one.revoke(lease.id)).status).toBe(200);
    const second = (await one.lease()).body.lease;
    for (const path of cluster.objects) cluster.remove(path);
    expect((await one.revoke(second.id)).status).toBe(200);
  });

  it.each(['/serviceaccounts', '/rolebindings', '/token'])(
    'are found by their name where what was done at %s was not answered',
    async (end) => {
      const one = await made(ofRole());
      cluster.fault = (call) => (call.startsWith('POST') && call.endsWith(end) ? 'lost' : undefined);
      const { status, body } = await one.lease();
      expect([status, body.message]).toEqual([400, `${HOST} closed the connection`]);
      expect(cluster.objects).toEqual([]);
      await one.reapFailed();
    },
  );
});

describe('a cluster', () => {
  it('is checked on saving for the permissions of its token', async () => {
    for (const right of ['create secrets', 'delete secrets', 'create serviceaccounts/token']) {
      cluster.denied.add(right);
      const { status, body } = await (await unmade()).create('kubernetes', ofAccount());
      const of = right.endsWith('token') ? ' of shop' : '';
      expect([status, body.message]).toEqual([400, `clusterToken lacks the permissions ${right}${of} in apps`]);
      cluster.denied.clear();
    }
    cluster.denied.add('create rolebindings').add('delete serviceaccounts');
    expect((await (await unmade()).create('kubernetes', ofRole())).body.message).toBe(
      'clusterToken lacks the permissions delete serviceaccounts in apps, create rolebindings in apps, delete serviceaccounts in jobs, create rolebindings in jobs',
    );
    cluster.denied.clear();
    cluster.denied.add('delete clusterrolebindings');
    const everywhere = ofRole({ roleType: 'cluster-role', role: 'view' });
    expect((await (await unmade()).create('kubernetes', everywhere)).body.message).toBe(
      'clusterToken lacks the permissions delete clusterrolebindings',
    );
    // If it does not permit the check, the error occurs later.
    cluster.denied.add('review');
    expect((await (await unmade()).create('kubernetes', everywhere)).status).toBe(200);
  });

  it('with a certificate of another authority does not get the token', async () => {
    const before = cluster.calls.length;
    for (const ca of [undefined, null, '', makeAuthority('Root of the cluster').cert]) {
      const { status, body } = await (await unmade()).create('kubernetes', { ...ofAccount(), ca });
      expect([status, body.message]).toEqual([400, `${HOST} presents a certificate that is not trusted`]);
    }
    expect(cluster.calls).toHaveLength(before);
  });

  it('may have a base path, and is called only there', async () => {
    const asked: string[] = [];
    const strip = (request: IncomingMessage) => {
      asked.push(request.url!);
      request.url = request.url!.replace('/k8s/clusters/a', '');
    };
    await standIns.serve(
      'rancher.test',
      (request, response) => {
        strip(request);
        cluster.listener(request, response);
      },
      root,
    );
    const one = await made({ ...ofAccount(), url: 'https://rancher.test/k8s/clusters/a/' });
    const { lease, data } = (await one.lease()).body;
    expect(await holder(data)).toBeDefined();
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(asked.filter((url) => !url.startsWith('/k8s/clusters/a/api'))).toEqual([]);
  });

  const status = (message: string) => ({ kind: 'Status', status: 'Failure', reason: 'Other', message });
  it.each<[string, Parameters<typeof setFault>[0]]>([
    ['answers null', () => ({ status: 200, body: null as never })],
    ['answers something else', () => ({ status: 201, body: { kind: 'List', items: [] } })],
    ['answers a 500', () => ({ status: 500, body: {} })],
    ['answers without end', () => ({ status: 200, body: { x: 'x'.repeat(2_000_000) } })],
    ['hangs up', () => 'lost'],
    [
      'repeats what it was sent',
      (_, request) => ({ status: 400, body: status(String(request.headers.authorization)) }),
    ],
  ])('that %s is reported clearly', async (_, fault) => {
    const one = await made(ofAccount());
    setFault(fault);
    for (const { status: code, body } of [
      await one.lease(),
      await (await unmade()).create('kubernetes', ofAccount()),
    ]) {
      expect([code, body.message]).toEqual([400, expect.stringMatching(/^(cluster\.test|Kubernetes) /)]);
      expect(JSON.stringify(body)).not.toContain(clusterToken);
    }
  });
  const setFault = (fault: KubernetesApi['fault']) => void (cluster.fault = fault);

  it('that returns a token and then an error is reported without the token', async () => {
    const one = await made(ofRole());
    const { lease, data } = (await one.lease()).body;
    cluster.fault = () => ({ status: 403, body: status(`not ${clusterToken}`) });
    const { body } = await one.revoke(lease.id);
    expect([body.message, await holder(data)]).toEqual([`${HOST} reports: Other: not [hidden]`, expect.anything()]);
    cluster.fault = () => undefined;
    expect((await one.revoke(lease.id)).status).toBe(200);
  });

  it('that does not respond is reported in bounded time', async () => {
    const one = await made(ofAccount());
    await standIns.serve(HOST, () => undefined, root);
    standIns.patience = { [HOST]: 300 };
    const { status: code, body } = await one.lease();
    expect([code, body.message]).toEqual([400, `${HOST} did not answer in time`]);
    await outage.end();
  });

  it.each([
    [{ url: 'http://cluster.test' }, 422],
    [{ url: 'https://u:p@cluster.test' }, 422],
    [{ url: 'https://cluster.test?x' }, 422],
    [{ url: undefined }, 422],
    [{ clusterToken: undefined }, 422],
    [{ clusterToken: 'a b' }, 422],
    [{ clusterToken: 'a\r\nx: y' }, 422],
    [{ ca: 'no certificate' }, 422],
    [{ authMethod: 'gateway' }, 422],
    [{ gatewayId: 'x' }, 422],
    [{ credentialType: 'other' }, 422],
    [{ namespace: 'apps,jobs' }, 422],
    [{ namespace: '../kube-system' }, 422],
    [{ namespace: 'Apps' }, 422],
    [{ serviceAccountName: 'shop/token' }, 422],
    [{ serviceAccountName: '..' }, 422],
    [{ audiences: [''] }, 422],
    [{ credentialType: 'dynamic' }, 422],
    [{ credentialType: 'dynamic', roleType: 'other', role: 'x' }, 422],
    [{ credentialType: 'dynamic', roleType: 'role', role: 'a/b' }, 422],
    [{ credentialType: 'dynamic', roleType: 'role', role: 'x', namespace: 'apps,,jobs' }, 422],
    [{ credentialType: 'dynamic', roleType: 'role', role: 'x', namespace: 'a,'.repeat(20) + 'b' }, 422],
  ])('is not taken with inputs such as %j: %i', async (more, code) => {
    expect((await (await unmade()).create('kubernetes', { ...ofAccount(), ...more })).status).toBe(code);
  });

  it('is leased from as the guide has it', async () => {
    const [first, second] = sentInGuide('Kubernetes') as [{ provider: { inputs: object } }, object];
    await standIns.serve('cluster.example.com', cluster.listener);
    const one = await made({ ...first.provider.inputs, clusterToken });
    const { here } = one.place;
    const { lease, data } = (
      await one.call('POST', `${LEASES}/kubernetes`, { ...second, ...here, dynamicSecretName: one.name })
    ).body;
    expect(await holder(data)).toMatchObject({ namespace: 'jobs', roles: ['role:jobs/deployer'] });
    expect((await one.revoke(lease.id)).status).toBe(200);
  });
});
