import { X509Certificate } from 'node:crypto';
import { makeAuthority } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../harness/certificates.ts';
import {
  basic,
  certificatesOf,
  estWorld,
  OPEN,
  PASSPHRASE,
  PROFILES,
  request,
  shown,
  TEMPLATES,
  type EstWorld,
} from '../../harness/est.ts';
import { ok } from '../../harness/groups.ts';
import type { TestServer } from '../../harness/test-server.ts';

const ANOTHER = 'Zq2Lk9_wX4nT7vB1mY6cR3hJ8sD5fG0p';

let world: EstWorld;
let test: TestServer;
beforeAll(async () => {
  world = await estWorld();
  ({ test } = world);
});
afterAll(() => test.close());

describe('the configuration of EST on a template', () => {
  it('returns the published fields, and never the passphrase', async () => {
    const id = await world.template();
    const url = `${TEMPLATES}/${id}/est-config`;
    expect((await test.admin('GET', url)).status).toBe(404);
    const made = await ok(test.admin('POST', url, { passphrase: PASSPHRASE, disableBootstrapCertValidation: true }));
    expect(made).toEqual({
      id: expect.any(String),
      certificateTemplateId: id,
      isEnabled: true,
      disableBootstrapCertValidation: true,
    });
    expect(await ok(test.admin('GET', url))).toEqual({ ...made, caChain: null });
    expect((await test.admin('POST', url, { passphrase: PASSPHRASE, ...OPEN })).status).toBe(400);
    const off = { isEnabled: false };
    expect(await ok(test.admin('PATCH', url, off))).toEqual({ ...made, ...off });
    expect((await test.admin('PATCH', url, { disableBootstrapCertValidation: false })).status).toBe(400);
    for (const caChain of ['x', makeAuthority('Vendor').issue('device').cert])
      expect((await test.admin('PATCH', url, { caChain })).status).toBe(400);
    const caChain = makeAuthority('Vendor').cert;
    await ok(test.admin('PATCH', url, { caChain, disableBootstrapCertValidation: false, passphrase: ANOTHER }));
    expect((await ok(test.admin('GET', url))).caChain).toBe(caChain.trim());
    expect((await test.admin('PATCH', url, { passphrase: 'short' })).status).toBe(422);
  });

  it('needs permission to read and edit the template', async () => {
    const id = await world.template(OPEN);
    const url = `${TEMPLATES}/${id}/est-config`;
    const rules = [{ subject: 'certificate-templates', action: 'read' }];
    const reader = await test.identity({ projectId: world.projectId, rules });
    const foreign = await test.foreign();
    expect((await reader.call('GET', url)).status).toBe(200);
    expect((await reader.call('PATCH', url, { isEnabled: false })).status).toBe(403);
    expect((await test.as()('GET', url)).status).toBe(401);
    expect((await foreign.call('GET', url)).status).toBe(404);
    expect((await foreign.call('PATCH', url, { isEnabled: false })).status).toBe(404);
  });
});

describe('the configuration of EST on a profile', () => {
  const one = (id: string) => `${PROFILES}/${id}`;
  const estOf = async (id: string) => (await ok(test.admin('GET', one(id)))).certificateProfile.estConfig;
  const vendor = makeAuthority('Vendor');

  it('is created, read and updated with it, without its passphrase', async () => {
    const given = await world.wanted({ disableBootstrapCaValidation: true });
    const { certificateProfile: made } = await ok(test.admin('POST', PROFILES, given));
    const shape = { id: expect.any(String), disableBootstrapCaValidation: true, caChain: null };
    expect([made.enrollmentType, made.estConfig]).toEqual(['est', shape]);
    const listed = await ok(test.admin('GET', `${PROFILES}?projectId=${world.projectId}&search=${given.slug}`));
    expect(listed.certificateProfiles[0].estConfig).toEqual(shape);
    const change = (estConfig: object) => test.admin('PATCH', one(made.id), { estConfig });
    for (const wrong of [
      { disableBootstrapCaValidation: false },
      { caChain: 'x' },
      { caChain: vendor.issue('d').cert },
    ])
      expect((await change(wrong)).status).toBe(400);
    expect((await change({ passphrase: 'short' })).status).toBe(422);
    await ok(change({ caChain: vendor.cert, disableBootstrapCaValidation: false }));
    expect(await estOf(made.id)).toEqual({
      ...made.estConfig,
      disableBootstrapCaValidation: false,
      caChain: vendor.cert.trim(),
    });
    await ok(change({ disableBootstrapCaValidation: true, caChain: '', passphrase: ANOTHER }));
    expect(await estOf(made.id)).toEqual(made.estConfig);
    const csr = request('a.example.com');
    expect((await world.est(made.id, 'simpleenroll', csr, basic())).status).toBe(401);
    expect((await world.est(made.id, 'simpleenroll', csr, basic(ANOTHER))).status).toBe(200);
  });

  it('is available to those who enrol by EST only', async () => {
    for (const estConfig of [undefined, null, { passphrase: PASSPHRASE }])
      expect((await test.admin('POST', PROFILES, await world.wanted(undefined, { estConfig }))).status).not.toBe(200);
    const api = await world.wanted({ disableBootstrapCaValidation: true }, { enrollmentType: 'api' });
    expect((await test.admin('POST', PROFILES, api)).status).toBe(400);
    const id = await world.profile(OPEN);
    await ok(test.admin('PATCH', one(id), { enrollmentType: 'api' }));
    expect(await estOf(id)).toBe(null);
    expect((await world.est(id, 'simpleenroll', request('a.example.com'), basic())).status).toBe(404);
    // The previous passphrase is gone.
    const again = { enrollmentType: 'est', estConfig: { disableBootstrapCaValidation: true } };
    const { passphrase } = (await ok(test.admin('PATCH', one(id), again))).certificateProfile.estConfig;
    expect((await world.est(id, 'simpleenroll', request('a.example.com'), basic())).status).toBe(401);
    expect((await world.est(id, 'simpleenroll', request('a.example.com'), basic(passphrase))).status).toBe(200);
    await ok(test.admin('DELETE', one(id)));
    expect((await test.app.inject({ url: `/.well-known/est/${id}/cacerts` })).statusCode).toBe(404);
  });

  it('keeps the defaults and the policy for certificates, also for re-enrollment', async () => {
    const allows = { disableBootstrapCertValidation: true };
    const id = await world.profile(allows, {
      defaults: { ttlDays: 3, keyUsages: ['digital_signature', 'key_encipherment'] },
    });
    const [pem = ''] = await certificatesOf(await world.est(id, 'simpleenroll', request('a.example.com'), basic()));
    const { validFromDate, validToDate, keyUsage } = new X509Certificate(pem);
    expect([keyUsage, Math.round((+validToDate - +validFromDate) / DAY)]).toEqual([['1.3.6.1.5.5.7.3.2'], 3]);
    // The policy is checked for each.
    const { certificatePolicyId } = (await ok(test.admin('GET', one(id)))).certificateProfile;
    const narrower = { sans: [{ type: 'dns_name', allowed: ['b.example.com'] }] };
    await ok(test.admin('PATCH', `/api/v1/cert-manager/certificate-policies/${certificatePolicyId}`, narrower));
    expect((await world.est(id, 'simplereenroll', request('a.example.com'), shown(pem))).status).toBe(400);
  });
});
