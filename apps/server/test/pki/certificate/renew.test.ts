import { createPrivateKey, X509Certificate } from 'node:crypto';
import { enqueueDueCertificates, renewCertificateJob } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, eventsOf, issueBy, makeIssuer, NEWER, ok, V1, type Issuer } from '../../harness/certificates.ts';
import { makeRequest } from '../../harness/csr.ts';
import { issuingServer, makeProfile } from '../../harness/issuing.ts';
import { verify } from '../../harness/openssl.ts';
import type { TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let projectId: string;
let ca: Issuer;
beforeAll(async () => {
  ({ test, projectId, ca } = await issuingServer());
});
afterAll(() => test.close());

const issue = (more: object = {}, caId = ca.id) => issueBy(test, caId, more);
const renew = (id: string, body: object = {}) => test.admin('POST', `${NEWER}/${id}/renew`, body);
const read = async (id: string) => ok(await test.admin('GET', `${NEWER}/${id}`)).certificate;
const lifetime = ({ notBefore, notAfter }: { notBefore: string; notAfter: string }) =>
  Date.parse(notAfter) - Date.parse(notBefore);
const profile = (caId: string, slug: string) => makeProfile(test, { projectId, caId, slug });
const namesOf = (pem: string) => {
  const { subject, subjectAltName } = new X509Certificate(pem);
  return [subject, subjectAltName];
};

describe('renewing a certificate', () => {
  it('issues another one with the same content and validity, with a new key', async () => {
    const first = await issue({ friendlyName: 'App' });
    const renewed = ok(await renew(first.certificateId));
    expect(Object.keys(renewed).toSorted()).toEqual(
      [
        'certificate',
        'certificateChain',
        'certificateId',
        'issuingCaCertificate',
        'privateKey',
        'serialNumber',
      ].toSorted(),
    );
    expect(verify(renewed.certificate, ca.certificate).code).toBe(0);
    expect(namesOf(renewed.certificate)).toEqual(namesOf(first.certificate));
    expect(new X509Certificate(renewed.certificate).checkPrivateKey(createPrivateKey(renewed.privateKey))).toBe(true);
    expect(renewed.privateKey).not.toBe(first.privateKey);
    const [before, after] = [await read(first.certificateId), await read(renewed.certificateId)];
    expect(Math.abs(lifetime(after) - lifetime(before))).toBeLessThanOrEqual(2_000);
    expect(after).toMatchObject({
      friendlyName: 'App',
      status: 'active',
      renewedFromCertificateId: first.certificateId,
      renewedByCertificateId: null,
    });
    expect(before).toMatchObject({
      status: 'active',
      renewedByCertificateId: renewed.certificateId,
      latestRenewalCertificateId: renewed.certificateId,
    });
    const again = ok(await renew(renewed.certificateId));
    expect((await read(first.certificateId)).latestRenewalCertificateId).toBe(again.certificateId);
    expect(Math.abs(lifetime(await read(again.certificateId)) - lifetime(before))).toBeLessThanOrEqual(4_000);
    expect(await eventsOf(test, { certificateId: first.certificateId })).toEqual([
      'certificate.issued',
      'certificate.renewed',
    ]);
  });

  it('is possible once for each, also for many concurrent requests', async () => {
    const { certificateId } = await issue();
    const answers = await Promise.all([1, 2, 3].map(() => renew(certificateId)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
  });

  it('keeps the key on request, for callers who may read it', async () => {
    const { certificateId, privateKey } = await issue();
    const body = { renewalKeySource: 'existing-key', ttl: '1d' };
    const { call } = await test.identity({ projectId, rules: [{ subject: 'certificates', action: 'create' }] });
    expect((await call('POST', `${NEWER}/${certificateId}/renew`, body)).status).toBe(403);
    const renewed = ok(await renew(certificateId, body));
    expect(renewed.privateKey).toBe(privateKey);
    expect(await eventsOf(test, { certificateId })).toContain('certificate.private_key_read');
    expect(new X509Certificate(renewed.certificate).checkPrivateKey(createPrivateKey(privateKey))).toBe(true);
    const { validFromDate, validToDate } = new X509Certificate(renewed.certificate);
    expect(validToDate.getTime() - validFromDate.getTime()).toBeLessThanOrEqual(DAY + 60_000);
  });

  it('accepts another key by a CSR with the same names', async () => {
    const extensions = ['subjectAltName=DNS:app.example.com'];
    const { csr } = makeRequest({ extensions });
    const signed = ok(await test.admin('POST', `/api/v1/pki/ca/${ca.id}/sign-certificate`, { csr, ttl: '30d' }));
    expect((await renew(signed.certificateId)).status).toBe(400);
    const evil = makeRequest({ subject: '/CN=evil.example.com' });
    expect((await renew(signed.certificateId, { csr: evil.csr })).status).toBe(400);
    const next = makeRequest({ extensions });
    const renewed = ok(await renew(signed.certificateId, { csr: next.csr }));
    expect(renewed.privateKey).toBe(null);
    expect(new X509Certificate(renewed.certificate).checkPrivateKey(createPrivateKey(next.key))).toBe(true);
    const same = ok(await renew(renewed.certificateId, { renewalKeySource: 'existing-key' }));
    expect(new X509Certificate(same.certificate).checkPrivateKey(createPrivateKey(next.key))).toBe(true);
  });

  it('omits the root from the chain on request', async () => {
    const parent = {
      type: 'intermediate',
      parentCaId: ca.id,
      notAfter: new Date(test.coffer.now().getTime() + 900 * DAY),
    };
    const between = await makeIssuer(test, projectId, parent);
    const { certificateId } = await issue({}, between.id);
    expect(ok(await renew(certificateId, { removeRootsFromChain: true })).certificateChain).toBe(between.certificate);
  });

  it('is refused where the authority issues by templates alone by now', async () => {
    const { id } = await makeIssuer(test, projectId);
    const { certificateId } = await issue({}, id);
    ok(await test.admin('PATCH', `/api/v1/cert-manager/ca/internal/${id}`, { enableDirectIssuance: false }));
    expect((await renew(certificateId)).body.message).toContain('certificate_authority.no_direct_issuance');
  });

  it('is rejected for revoked certificates, and by the current rules', async () => {
    const revoked = await issue();
    ok(await test.admin('POST', `${NEWER}/${revoked.certificateId}/revoke`, { revocationReason: 'KEY_COMPROMISE' }));
    expect((await renew(revoked.certificateId)).body.message).toContain('certificate.revoked');
    const template = ok(
      await test.admin('POST', '/api/v1/pki/certificate-templates', {
        caId: ca.id,
        name: 'renewed',
        commonName: '.*',
        subjectAlternativeName: '.*',
        ttl: '90d',
      }),
    );
    const byTemplate = {
      certificateTemplateId: template.id,
      commonName: 'app.example.com',
      altNames: 'app.example.com',
    };
    const first = ok(await test.admin('POST', `${V1}/issue-certificate`, byTemplate));
    const second = ok(await renew(first.certificateId));
    const url = `/api/v1/pki/certificate-templates/${template.id}`;
    ok(await test.admin('PATCH', url, { subjectAlternativeName: 'other\\.example\\.com' }));
    expect((await renew(second.certificateId)).body.details.findings[0].rule).toBe('template.dns');
  });
});

describe('a certificate with auto-renewal', () => {
  const platform = (organizationId?: string) => test.coffer.contextFor({ type: 'platform', organizationId });
  /** The due ones of these: those that the schedule enqueues. */
  const due = async (...ids: string[]): Promise<string[]> => {
    await test.coffer.pool.query('delete from graphile_worker._private_jobs');
    await enqueueDueCertificates(platform());
    const { rows } = await test.coffer.pool.query<{ key: string }>('select key from graphile_worker.jobs');
    const keys = new Set(rows.map(({ key }) => key));
    return ids.filter((id) => keys.has(`certificate-renewal:${id}`));
  };
  const work = async (id: string) => {
    const { organizationId } = test;
    await renewCertificateJob.run(platform(organizationId), { organizationId, id }, { job: {} as never });
  };
  const after = async (days: number, then: () => Promise<void>) => {
    test.advance(days * DAY);
    try {
      await then();
    } finally {
      test.advance(-days * DAY);
    }
  };

  it('is renewed the configured number of days before its expiry', async () => {
    const [first, later, never] = [await issue(), await issue({ ttl: '60d' }), await issue()];
    for (const { certificateId } of [first, later])
      ok(await test.admin('PATCH', `${NEWER}/${certificateId}/config`, { renewBeforeDays: 10 }));
    const all = [first, later, never].map(({ certificateId }) => certificateId);
    expect(await due(...all)).toEqual([]);
    await after(21, async () => {
      expect(await due(...all)).toEqual([first.certificateId]);
      for (const { certificateId } of [first, first, later, never]) await work(certificateId);
      const renewed = await read((await read(first.certificateId)).renewedByCertificateId);
      expect(renewed).toMatchObject({ renewBeforeDays: 10, hasPrivateKey: true, source: 'issue' });
      expect(Date.parse(renewed.notAfter)).toBeGreaterThan(test.coffer.now().getTime() + 29 * DAY);
      for (const { certificateId } of [later, never])
        expect((await read(certificateId)).renewedByCertificateId).toBe(null);
    });
  });

  it('by its profile is renewed before it expires, once, also by two concurrent workers', async () => {
    const { profileId, order } = await profile(ca.id, 'renewed');
    const id = await order();
    expect(await read(id)).toMatchObject({ profileId, renewBeforeDays: 9, renewalError: null });
    await after(22, async () => {
      expect(await due(id)).toEqual([id]);
      await Promise.all([work(id), work(id)]);
      const { renewedByCertificateId, notAfter, renewalError } = await read(id);
      const next = await read(renewedByCertificateId);
      expect(next).toMatchObject({ profileId, renewBeforeDays: 9, renewedFromCertificateId: id });
      expect(Date.parse(next.notBefore)).toBeLessThan(Date.parse(notAfter));
      expect([renewalError, await due(id)]).toEqual([null, []]);
    });
  });

  it('has the reason of a failure, and is retried', async () => {
    const issuer = await makeIssuer(test, projectId);
    const { order } = await profile(issuer.id, 'failing');
    const id = await order();
    const status = (to: string) => test.admin('PATCH', `/api/v1/cert-manager/ca/internal/${issuer.id}`, { status: to });
    await after(25, async () => {
      ok(await status('disabled'));
      await work(id);
      const before = await read(id);
      expect([before.renewedByCertificateId, before.renewalError]).toEqual([null, expect.stringMatching(/disabled/)]);
      expect(await due(id)).toEqual([id]);
      ok(await status('active'));
      await work(id);
      const { renewedByCertificateId, renewalError } = await read(id);
      expect([renewedByCertificateId, renewalError, await due(id)]).toEqual([expect.any(String), null, []]);
    });
  });

  it.each(['acme', 'est'])(
    'is not renewed after its profile became one of %s, whose clients prove names',
    async (type) => {
      const { profileId, order } = await profile(ca.id, `became-${type}`);
      const id = await order();
      const estConfig = { disableBootstrapCaValidation: true };
      const become = (enrollmentType: string) =>
        test.admin('PATCH', `/api/v1/cert-manager/certificate-profiles/${profileId}`, {
          enrollmentType,
          ...(enrollmentType === 'est' && { estConfig }),
        });
      ok(await become(type));
      const configured = await test.admin('PATCH', `${NEWER}/${id}/config`, { renewBeforeDays: 10 });
      expect([configured.status, configured.body.message]).toEqual([400, expect.stringContaining(`enrol by ${type}`)]);
      await after(22, async () => {
        await work(id);
        const { renewedByCertificateId, renewalError } = await read(id);
        expect([renewedByCertificateId, renewalError]).toEqual([null, expect.stringContaining(`enrol by ${type}`)]);
        ok(await become('api'));
        await work(id);
        expect((await read(id)).renewedByCertificateId).toEqual(expect.any(String));
      });
    },
  );

  it('is renewed after at least half of its validity', async () => {
    const { order } = await profile(ca.id, 'short');
    const id = await order('4d');
    await after(1.9, async () => expect(await due(id)).toEqual([]));
    await after(2.1, async () => expect(await due(id)).toEqual([id]));
  });

  it('is not renewed with OCSP signing, which needs a caller with the permission', async () => {
    const { certificateId: id } = await issue({ extendedKeyUsages: ['ocspSigning'] });
    ok(await test.admin('PATCH', `${NEWER}/${id}/config`, { renewBeforeDays: 10 }));
    await after(21, async () => {
      await work(id);
      expect(await read(id)).toMatchObject({
        renewedByCertificateId: null,
        renewalError: expect.stringContaining('ocspSigning'),
      });
    });
  });

  it('is not renewed if the next one would not expire later', async () => {
    const notAfter = new Date(test.coffer.now().getTime() + 20 * DAY);
    const issuer = await makeIssuer(test, projectId, { notAfter });
    const { certificateId: id } = await issue({ ttl: undefined, notAfter }, issuer.id);
    ok(await test.admin('PATCH', `${NEWER}/${id}/config`, { renewBeforeDays: 5 }));
    await after(16, async () => {
      await work(id);
      expect(await read(id)).toMatchObject({
        renewedByCertificateId: null,
        renewalError: expect.stringContaining('certificate_authority.ends'),
      });
    });
  });
});
