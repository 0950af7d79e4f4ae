import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeIssuer, NEWER } from '../harness/certificates.ts';
import { makeRequest } from '../harness/csr.ts';
import { basic, estWorld, OPEN, PASSPHRASE, request, type EstWorld } from '../harness/est.ts';
import { ok } from '../harness/groups.ts';

let world: EstWorld;
beforeAll(async () => {
  world = await estWorld();
});
afterAll(() => world.test.close());

describe('attack: an administrator of a cluster by a certificate', () => {
  const MASTERS = '/CN=eve/O=system:masters';
  const SIGN = '/api/v1/pki/certificates/sign-certificate';
  const POLICIES = '/api/v1/cert-manager/certificate-policies';
  const PROFILES = '/api/v1/cert-manager/certificate-profiles';

  it('orders O=system:masters by a request to the authority, and by every profile that says nothing of it', async () => {
    const { test, projectId, caId } = world;
    const { csr } = makeRequest({ subject: MASTERS });
    const rules = [{ subject: 'certificates', action: 'create' }];
    const eve = (await test.identity({ projectId, rules })).call;
    for (const call of [eve, test.admin])
      expect((await call('POST', SIGN, { caId, csr, ttl: '1d' })).body.details.findings).toMatchObject([
        { rule: 'certificate.organization' },
      ]);
    for (const subject of [undefined, [], [{ type: 'common_name', allowed: ['*'] }]]) {
      const policy = { projectId, name: crypto.randomUUID(), subject };
      const { certificatePolicy } = await ok(test.admin('POST', POLICIES, policy));
      const profile = { projectId, caId, certificatePolicyId: certificatePolicy.id, slug: policy.name };
      const made = await ok(test.admin('POST', PROFILES, { ...profile, enrollmentType: 'api' }));
      const profileId = made.certificateProfile.id;
      for (const order of [{ csr }, { attributes: { commonName: 'eve', organization: 'system:masters', ttl: '1d' } }])
        expect((await eve('POST', NEWER, { profileId, ...order })).status).toBe(400);
      await ok(
        test.admin('PATCH', `${PROFILES}/${profileId}`, {
          enrollmentType: 'est',
          estConfig: { passphrase: PASSPHRASE, disableBootstrapCaValidation: true },
        }),
      );
      const sent = request('a.example.com', { subject: MASTERS });
      expect((await world.est(profileId, 'simpleenroll', sent, basic())).status).toBe(400);
    }
    const template = await world.template(OPEN);
    const sent = request('a.example.com', { subject: '/CN=a.example.com/O=system:masters' });
    expect((await world.est(template, 'simpleenroll', sent, basic())).status).toBe(400);
  });

  it('renews it by a certificate that was issued with the right to', async () => {
    const { test, projectId } = world;
    const ca = await makeIssuer(test, projectId);
    const may = { subject: 'certificates', action: 'create', conditions: { organization: 'system:masters' } };
    const owner = (await test.identity({ projectId, rules: [may] })).call;
    const { csr } = makeRequest({ subject: MASTERS });
    const { certificateId } = await ok(owner('POST', SIGN, { caId: ca.id, csr, ttl: '1d' }));
    const rules = [{ subject: 'certificates', action: ['create', 'read'] }];
    const eve = (await test.identity({ projectId, rules })).call;
    expect((await eve('POST', `${NEWER}/${certificateId}/renew`, { csr })).status).toBe(400);
    expect((await owner('POST', `${NEWER}/${certificateId}/renew`, { csr })).status).toBe(200);
  });

  it('asks for a wildcard where the name itself is forbidden', async () => {
    const { test, projectId, caId } = world;
    const create = { subject: 'certificates', action: 'create' };
    const not = { ...create, inverted: true, conditions: { altNames: 'admin.example.com' } };
    const eve = (await test.identity({ projectId, rules: [create, not] })).call;
    const issue = (name: string) =>
      eve('POST', `/api/v1/pki/ca/${caId}/issue-certificate`, { commonName: name, altNames: name, ttl: '1d' });
    expect((await issue('admin.example.com')).status).toBe(403);
    expect((await issue('*.example.com')).status).toBe(403);
    expect((await issue('www.example.com')).status).toBe(200);
  });

  it.each([
    ['admin.example.com', ''],
    ['admin.example.com', '10.9.9.9'],
    ['admin.example.com', 'ann@example.com'],
    ['*.example.com', '10.9.9.9'],
    ['adm*.example.com', ''],
    ['*min.example.com', 'ann@example.com'],
    ['VAULT', ''],
    ['vault', 'ann@example.com'],
    ['vault.', ''],
    ['10.0.0.1.', ''],
  ])('asks for a forbidden name by the common name %s with the alternative name «%s»', async (commonName, altNames) => {
    const { test, projectId, caId } = world;
    const create = { subject: 'certificates', action: 'create' };
    const not = {
      ...create,
      inverted: true,
      conditions: { altNames: { $in: ['admin.example.com', 'vault', '10.0.0.1'] } },
    };
    const eve = (await test.identity({ projectId, rules: [create, not] })).call;
    const order = { commonName, altNames, ttl: '1d' };
    const { status } = await eve('POST', `/api/v1/pki/ca/${caId}/issue-certificate`, order);
    // Who compares names by OpenSSL takes such a certificate for the host's.
    expect([400, 403]).toContain(status);
  });

  it.each([
    [[{ type: 'uri', allowed: ['spiffe://a/*'] }], 'prod.example.com', [{ type: 'uri', value: 'spiffe://a/b' }]],
    [[{ type: 'email', allowed: ['*@example.com'] }], '*.example.com', [{ type: 'email', value: 'ann@example.com' }]],
    [[{ type: 'email', allowed: ['*@example.com'] }], 'vault', []],
    [[{ type: 'ip_address', allowed: ['10.9.*'] }], 'prod.example.com', [{ type: 'ip_address', value: '10.9.9.9' }]],
    [[{ type: 'ip_address', denied: ['10.0.0.1'] }], '10.0.0.1', []],
  ])('by a policy with %j does not give the host %s as a common name', async (sans, commonName, altNames) => {
    const { test, projectId, caId } = world;
    const policy = { projectId, name: crypto.randomUUID(), sans };
    const { certificatePolicy } = await ok(test.admin('POST', POLICIES, policy));
    const named = { slug: crypto.randomUUID(), certificatePolicyId: certificatePolicy.id, enrollmentType: 'api' };
    const { certificateProfile } = await ok(test.admin('POST', PROFILES, { projectId, caId, ...named }));
    const profileId = certificateProfile.id;
    const order = { profileId, attributes: { commonName, altNames, ttl: '1d' } };
    const { status, body } = await world.test.admin('POST', NEWER, order);
    expect([status, body.details?.findings?.[0]?.rule]).toEqual([400, 'policy.common_name']);
  });
});
