import fc from 'fast-check';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAuthority } from '../../../../outbound/testing/certificates.ts';
import { attempt } from '../../testing/attempt.ts';
import { Cluster } from '../../testing/cluster.ts';
import { faults, StandIns } from '../../testing/stand-ins.ts';
import { kubernetesAuth } from './kubernetes-auth.ts';

const HOST = 'https://cluster.test';
const ownRoot = makeAuthority('Root of the cluster');
const standIns = new StandIns();
let cluster: Cluster;
let other: Cluster;
let tokenReviewerJwt: string;

beforeAll(async () => {
  [cluster, other] = [await Cluster.start(), await Cluster.start()];
  tokenReviewerJwt = await cluster.reviewer();
  await standIns.serve('cluster.test', cluster.listener, ownRoot);
  await standIns.serve('other.test', other.listener, ownRoot);
});
afterAll(() => standIns.close());

/** The facts of a login with this configuration. */
async function prove(jwt: string, given: object = {}) {
  const config = kubernetesAuth.config.parse({
    kubernetesHost: HOST,
    caCert: ownRoot.cert,
    tokenReviewerJwt,
    allowedNamespaces: 'apps',
    allowedNames: 'web, worker',
    allowedAudience: '',
    ...given,
  });
  return kubernetesAuth.verify!(config, kubernetesAuth.credentials!.parse({ jwt }), attempt({ fetch: standIns.fetch }));
}
const refused = (code: string) => ({ kind: 'unauthenticated', code: `kubernetes_auth.${code}` });

describe('a true proof', () => {
  const proved = { kubernetes: { namespace: 'apps', name: 'web' } };

  it('identifies its owner', async () => {
    expect(await prove(await cluster.token('apps', 'web'))).toEqual(proved);
    expect(await prove(await cluster.token('apps', 'worker'))).toEqual({
      kubernetes: { namespace: 'apps', name: 'worker' },
    });
    const any = { allowedNamespaces: '', allowedNames: '' };
    expect(await prove(await cluster.token('other', 'web.of.many'), any)).toEqual({
      kubernetes: { namespace: 'other', name: 'web.of.many' },
    });
    // Names of service accounts may be as long as most names in a cluster, and not only 63 characters as namespaces.
    const name = `${'a'.repeat(200)}.${'b'.repeat(52)}`;
    expect(await prove(await cluster.token('apps', name), { allowedNames: name })).toMatchObject({
      kubernetes: { name },
    });
  });

  it('may be meant for an audience of ours', async () => {
    const token = await cluster.token('apps', 'web', { audience: ['https://coffer.test', 'other'] });
    expect(await prove(token, { allowedAudience: 'https://coffer.test' })).toEqual(proved);
    expect(cluster.reviews.at(-1)).toEqual({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token, audiences: ['https://coffer.test'] },
    });
  });

  it('authenticates its own review without a reviewer', async () => {
    const token = await cluster.token('apps', 'web');
    for (const none of [null, '']) {
      cluster.reviewers.delete('system:serviceaccount:apps:web');
      await expect(prove(token, { tokenReviewerJwt: none })).rejects.toMatchObject(refused('rejected'));
      cluster.reviewers.add('system:serviceaccount:apps:web');
      expect(await prove(token, { tokenReviewerJwt: none })).toEqual(proved);
    }
  });

  it('is reviewed below a base path, in any spelling of the host', async () => {
    const token = await cluster.token('apps', 'web');
    await standIns.serve(
      'rancher.test',
      (request, response) => {
        request.url = request.url?.replace(/^\/k8s\/clusters\/c-1(?=\/)/, '');
        return cluster.listener(request, response);
      },
      ownRoot,
    );
    for (const end of ['', '/', '//'])
      expect(await prove(token, { kubernetesHost: `https://rancher.test/k8s/clusters/c-1${end}` })).toEqual(proved);
  });
});

describe('rejected credentials', () => {
  it.each([
    ['of another cluster', async () => other.token('apps', 'web'), 'rejected'],
    ['that has expired', async () => cluster.token('apps', 'web', { livesFor: -1 }), 'rejected'],
    ['for another audience', async () => cluster.token('apps', 'web', { audience: 'vault' }), 'rejected'],
    ['of another namespace', async () => cluster.token('apps2', 'web'), 'namespace'],
    ['of a namespace in another case', async () => cluster.token('Apps', 'web'), 'subject'],
    ['of another account', async () => cluster.token('apps', 'web2'), 'name'],
    ['of an account that is two of the list', async () => cluster.token('apps', 'web, worker'), 'subject'],
    ['of a node', async () => cluster.token('', '', { username: 'system:node:web' }), 'subject'],
    ['of a person', async () => cluster.token('', '', { username: 'web' }), 'subject'],
    ['of nobody', async () => cluster.token('', '', { username: '' }), 'subject'],
    ['with a payload of its own', async () => tampered(await cluster.token('apps', 'eve')), 'rejected'],
    ['without a signature', async () => unsigned(await cluster.token('apps', 'web')), 'malformed'],
    ['signed by somebody with a secret', async () => sign('HS256'), 'rejected'],
    ['that is no token', async () => 'web', 'malformed'],
    [
      'that smuggles a header',
      async () => `${await cluster.token('apps', 'web')}\r\nimpersonate-user: admin`,
      'malformed',
    ],
  ])('%s is refused', async (_, make, code) => {
    await expect(prove(await make())).rejects.toMatchObject(refused(code));
  });

  const tampered = (token: string) => {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const claims = Buffer.from(payload, 'base64url').toString().replaceAll('eve', 'web');
    return [header, Buffer.from(claims).toString('base64url'), signature].join('.');
  };
  const unsigned = (token: string) =>
    [Buffer.from('{"alg":"none"}').toString('base64url'), token.split('.')[1], ''].join('.');
  const sign = (alg: string) =>
    new SignJWT({ sub: 'system:serviceaccount:apps:web' }).setProtectedHeader({ alg }).sign(Buffer.alloc(32, 7));

  it('of a deleted account is rejected', async () => {
    const token = await cluster.token('apps', 'web');
    await prove(token);
    cluster.revoke(token);
    await expect(prove(token)).rejects.toMatchObject(refused('rejected'));
  });

  it('for another audience is rejected although the cluster does not support audiences', async () => {
    cluster.knowsAudiences = false;
    try {
      for (const audience of ['vault', 'coffer'])
        await expect(
          prove(await cluster.token('apps', 'web', { audience }), { allowedAudience: 'coffer' }),
        ).rejects.toMatchObject(refused('audience'));
    } finally {
      cluster.knowsAudiences = true;
    }
  });

  it.each(['coffe', 'coffer/', 'COFFER', ['coffer2', 'x'], 'coffer, vault'])(
    'for the audience %j is not one for coffer',
    async (audience) => {
      const token = await cluster.token('apps', 'web', { audience });
      await expect(prove(token, { allowedAudience: 'coffer' })).rejects.toMatchObject(refused('rejected'));
    },
  );

  it('under a user name that only resembles that of a service account is rejected', async () => {
    await standIns.serve('any.test', (request, response) => {
      const username = decodeURIComponent(request.headers['authorization']!.split('.')[1]!.replaceAll('_', '%'));
      const status = { authenticated: true, user: { username }, audiences: [] };
      response.end(JSON.stringify({ kind: 'TokenReview', status }));
    });
    const named = (username: string) => {
      const sent = encodeURIComponent(username).replace(/[^\w%]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
      const config = { kubernetesHost: 'https://any.test', caCert: '', allowedNames: '', allowedNamespaces: '' };
      return prove('a.b.c', { ...config, tokenReviewerJwt: `a.${sent.replaceAll('%', '_')}.c` });
    };
    expect(await named('system:serviceaccount:apps:web')).toEqual({ kubernetes: { namespace: 'apps', name: 'web' } });
    const lookAlikes = [
      'system:serviceaccount:apps:web:x',
      'system:serviceaccount:apps',
      'system:serviceaccount::web',
      'system:serviceaccount:apps:',
      'x:system:serviceaccount:apps:web',
      'system:serviceaccount:apps:web ',
      ' system:serviceaccount:apps:web',
      'system:serviceaccount:apps:web\nx',
      'system:serviceaccount:apps.x:web',
      'system:serviceaccounts:apps:web',
      'SYSTEM:serviceaccount:apps:web',
      'system:serviceaccount:apps:wéb',
      'system:serviceaccount:a/b:web',
      `system:serviceaccount:${'a'.repeat(64)}:web`,
      `system:serviceaccount:apps:${'a'.repeat(254)}`,
      `system:serviceaccount:apps:${'a'.repeat(5000)}!`,
    ];
    for (const username of lookAlikes)
      await expect(named(username), username).rejects.toMatchObject(refused('subject'));
    const pieces = fc.constantFrom('system', 'serviceaccount', 'apps', 'web', ':', '.', '-', ' ', '\n', '/', 'é');
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 9 }), async (parts) => {
        const username = parts.join('');
        fc.pre(!/^system:serviceaccount:[a-z]+(-+[a-z]+)*:[a-z]+([-.]+[a-z]+)*$/.test(username));
        await expect(named(username)).rejects.toMatchObject(refused('subject'));
      }),
      { numRuns: 100 },
    );
  });
});

describe('a cluster', () => {
  it('that refuses the reviewer is a fault of the configuration', async () => {
    const token = await cluster.token('apps', 'web');
    const reviewer = await cluster.reviewer('second');
    expect(await prove(token, { tokenReviewerJwt: reviewer })).toBeDefined();
    const fault = { kind: 'bad_request', code: 'kubernetes_auth.reviewer' };
    cluster.revoke(reviewer);
    await expect(prove(token, { tokenReviewerJwt: reviewer })).rejects.toMatchObject(fault);
    const powerless = await cluster.token('kube-system', 'powerless');
    await expect(prove(token, { tokenReviewerJwt: powerless })).rejects.toMatchObject(fault);
  });

  it('with a certificate of another authority is not called', async () => {
    const before = cluster.reviews.length;
    const token = await cluster.token('apps', 'web');
    for (const caCert of ['', makeAuthority('Root of the cluster').cert])
      await expect(prove(token, { caCert })).rejects.toMatchObject({
        code: 'outbound.unreachable',
        message: 'cluster.test presents a certificate that is not trusted',
      });
    expect(cluster.reviews).toHaveLength(before);
  });

  it.each([
    'https://10.0.0.1:6443',
    'https://169.254.169.254',
    'https://[::1]',
    'https://[fd00::1]',
    'https://0x0a000001',
  ])('in a private network that is not allowed is not called: %s', async (kubernetesHost) => {
    const login = prove(await cluster.token('apps', 'web'), { kubernetesHost });
    await expect(login).rejects.toMatchObject({ kind: 'bad_request', code: 'outbound.refused' });
  });

  it('that is unreachable is reported', async () => {
    await standIns.serve('gone.test', cluster.listener, ownRoot);
    await standIns.stop('gone.test');
    for (const host of ['gone.test', 'nobody.test'])
      await expect(
        prove(await cluster.token('apps', 'web'), { kubernetesHost: `https://${host}` }),
      ).rejects.toMatchObject({ kind: 'bad_request', code: 'outbound.unreachable' });
  });

  it.each(Object.keys(faults))('that %s is refused, clearly', async (fault) => {
    standIns.patience = { 'faulty.test': 300 };
    await standIns.serve('faulty.test', faults[fault]!);
    const login = prove(await cluster.token('apps', 'web'), { kubernetesHost: 'https://faulty.test', caCert: '' });
    await expect(login).rejects.toMatchObject({
      kind: 'bad_request',
      code: expect.stringMatching(/^(outbound|kubernetes_auth)\./),
    });
    standIns.patience = {};
  });

  it.each([
    { kind: 'TokenReview', status: { authenticated: 'true', user: { username: 'system:serviceaccount:apps:web' } } },
    { kind: 'Other', status: { authenticated: true, user: { username: 'system:serviceaccount:apps:web' } } },
    { kind: 'TokenReview', status: { user: { username: 'system:serviceaccount:apps:web' } } },
    { kind: 'TokenReview', status: { authenticated: true } },
    {
      kind: 'TokenReview',
      status: { authenticated: true, error: 'x', user: { username: 'system:serviceaccount:apps:web' } },
    },
    { kind: 'TokenReview', status: { authenticated: true, user: { username: ['system:serviceaccount:apps:web'] } } },
    { kind: 'TokenReview' },
    { items: [] },
  ])('that returns %j proves nothing', async (answer) => {
    await standIns.serve('odd.test', (_, response) => response.end(JSON.stringify(answer)));
    const login = prove(await cluster.token('apps', 'web'), { kubernetesHost: 'https://odd.test', caCert: '' });
    await expect(login).rejects.toMatchObject({ code: expect.stringMatching(/^kubernetes_auth\./) });
  });
});
