import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CA, Certificates, DAY, makeIssuer, NEWER, ok, ordered, V1 } from '../harness/certificates.ts';
import { makeRequest } from '../harness/csr.ts';
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
} from '../harness/est.ts';
import { judgeOcsp, ocspOf } from '../harness/revocation.ts';

let world: EstWorld;
let of: Certificates;
beforeAll(async () => {
  world = await estWorld();
  of = new Certificates(world.test, world.projectId);
});
afterAll(() => world.test.close());

describe('attack: saying what is revoked', () => {
  const usages = ['ocspSigning'];
  const create = { subject: 'certificates', action: ['create', 'read'] };

  it('has a certificate that signs OCSP answers issued in every way there is', async () => {
    const { test, projectId, caId } = world;
    const issueByTemplate = { subject: 'certificate-templates', action: 'issue-cert' };
    const issueByProfile = { subject: 'certificate-profiles', action: 'issue-cert' };
    const issueBySubscriber = { subject: 'pki-subscribers', action: 'issue-cert' };
    const rules = [create, issueByTemplate, issueByProfile, issueBySubscriber];
    const { call } = await test.identity({ projectId, rules });
    const { csr } = makeRequest({ extensions: ['extendedKeyUsage=OCSPSigning', 'subjectAltName=DNS:app.example.com'] });

    const of90 = { ttl: '30d', extendedKeyUsages: usages };
    const names = String.raw`.*\.example\.com`;
    const template = { caId, name: 'ocsp', commonName: names, subjectAlternativeName: names, ...of90 };
    const { id: certificateTemplateId } = ok(await test.admin('POST', TEMPLATES, template));
    const policy = { projectId, name: 'ocsp', extendedKeyUsages: { allowed: ['ocsp_signing'] } };
    const manager = '/api/v1/cert-manager';
    const { certificatePolicy } = ok(await test.admin('POST', `${manager}/certificate-policies`, policy));
    const profile = { projectId, caId, certificatePolicyId: certificatePolicy.id, slug: 'ocsp', enrollmentType: 'api' };
    const made = ok(await test.admin('POST', `${manager}/certificate-profiles`, profile));
    const profileId = made.certificateProfile.id;
    const subscriber = { projectId, caId, name: 'ocsp', commonName: 'app.example.com', subjectAlternativeNames: [] };
    ok(await test.admin('POST', '/api/v1/pki/subscribers', { ...subscriber, extendedKeyUsages: usages }));
    const attributes = { commonName: 'app.example.com', ttl: '30d' };

    const ways: [string, object][] = [
      [`/api/v1/pki/ca/${caId}/issue-certificate`, ordered({ extendedKeyUsages: usages })],
      [`/api/v1/pki/ca/${caId}/sign-certificate`, { csr, ttl: '30d' }],
      [`${V1}/issue-certificate`, ordered({ caId, extendedKeyUsages: usages })],
      [`${V1}/sign-certificate`, { csr, ttl: '30d', caId }],
      [`${V1}/issue-certificate`, ordered({ certificateTemplateId })],
      [`${V1}/sign-certificate`, { csr, certificateTemplateId }],
      [NEWER, { profileId, attributes: { ...attributes, extendedKeyUsages: ['ocsp_signing'] } }],
      [NEWER, { profileId, attributes }],
      [NEWER, { profileId, csr }],
      [`${NEWER}/issue-certificate`, { profileId, commonName: 'app.example.com', ttl: '30d' }],
      ['/api/v1/pki/subscribers/ocsp/issue-certificate', { projectId }],
      ['/api/v1/pki/subscribers/ocsp/order-certificate', { projectId }],
      ['/api/v1/pki/subscribers/ocsp/sign-certificate', { projectId, csr: makeRequest().csr }],
    ];
    for (const [url, body] of ways)
      expect([url, body, (await call('POST', url, body)).status]).toEqual([url, body, 403]);
    const { certificateId } = ok(await test.admin('POST', ways[0]![0], ways[0]![1]));
    expect((await call('POST', `${NEWER}/${certificateId}/renew`, {})).status).toBe(403);

    const passphrase = 'Zq2Lk9_wX4nT7vB1mY6cR3hJ8sD5fG0p';
    ok(await test.admin('POST', `${TEMPLATES}/${certificateTemplateId}/est-config`, { ...OPEN, passphrase }));
    const enrolled = await world.est(
      certificateTemplateId,
      'simpleenroll',
      request('app.example.com', {
        extensions: ['extendedKeyUsage=OCSPSigning', 'subjectAltName=DNS:app.example.com'],
      }),
      basic(passphrase),
    );
    expect([enrolled.status, enrolled.body.message]).toEqual([400, expect.stringContaining('ocspSigning')]);
    const { rows } = await test.coffer.pool.query(
      `select count(*)::int as count from certificates where 'ocspSigning' = any (extended_key_usages)`,
    );
    expect(rows).toEqual([{ count: 1 }]);
  });
});

describe('attack: a certificate that cannot be revoked', () => {
  it('deletes its row, its authority or its project, and uses it as before', async () => {
    const { test } = world;
    for (const deleting of ['certificate', 'authority', 'project']) {
      const own = new Certificates(test, (await test.project()).id);
      const ca = await own.authority();
      const leaf = await own.issue(ca.id);
      const url = {
        certificate: `${V1}/${leaf.serialNumber}`,
        authority: `${CA}/${ca.id}`,
        project: `/api/v1/projects/${own.projectId}`,
      }[deleting]!;
      ok(await test.admin('DELETE', url));
      const said = judgeOcsp(ca, leaf.certificate, await ocspOf(test, ca, leaf.certificate)).text;
      expect([deleting, said.includes('leaf.pem: revoked'), said.includes('Response verify OK')]).toEqual([
        deleting,
        true,
        true,
      ]);
    }
  });

  it.each(['its certificate', 'the authority above'])(
    'enables a revoked authority again, whose certificate has no row after the deletion of %s',
    async (deleted) => {
      const { test } = world;
      const own = new Certificates(test, (await test.project()).id);
      const root = await makeIssuer(test, own.projectId);
      const between = await makeIssuer(test, own.projectId, { type: 'intermediate', parentCaId: root.id });
      const serial = new X509Certificate(between.certificate).serialNumber.toLowerCase();
      if (deleted === 'the authority above') ok(await test.admin('DELETE', `${CA}/${root.id}`));
      else {
        ok(await test.admin('POST', `${V1}/${serial}/revoke`, { revocationReason: 'KEY_COMPROMISE' }));
        ok(await test.admin('DELETE', `${V1}/${serial}`));
      }
      const { status, body } = await test.admin('PATCH', `${CA}/${between.id}`, { status: 'active' });
      expect([status, body.message]).toEqual([400, expect.stringContaining('was revoked')]);
    },
  );

  it.each(['nothing', 'its row', 'its authority'])(
    'enrols by EST for the first time, also after the deletion of %s',
    async (deleted) => {
      const { test, projectId } = world;
      const own = new Certificates(test, projectId);
      const root = await makeIssuer(test, projectId);
      const between = await makeIssuer(test, projectId, { type: 'intermediate', parentCaId: root.id });
      const leaf = await own.issue(between.id);
      const other = await own.issue(between.id);
      const certificateTemplateId = await world.template({ caChain: root.certificate });
      const enrols = async (certificate: string) => {
        const headers = { ...basic(), ...shown(certificate, between.certificate) };
        return (await world.est(certificateTemplateId, 'simpleenroll', request('app.example.com'), headers)).status;
      };
      expect(await enrols(leaf.certificate)).toBe(200);
      ok(await test.admin('POST', `${V1}/${leaf.serialNumber}/revoke`, { revocationReason: 'KEY_COMPROMISE' }));
      expect([await enrols(leaf.certificate), await enrols(other.certificate)]).toEqual([401, 200]);
      if (deleted === 'its row') ok(await test.admin('DELETE', `${V1}/${leaf.serialNumber}`));
      if (deleted === 'its authority') ok(await test.admin('DELETE', `${CA}/${between.id}`));
      else {
        // What is above it vouches for nobody either.
        const serial = new X509Certificate(between.certificate).serialNumber.toLowerCase();
        ok(await test.admin('POST', `${V1}/${serial}/revoke`, { revocationReason: 'SUPERSEDED' }));
      }
      expect([await enrols(leaf.certificate), await enrols(other.certificate)]).toEqual([401, 401]);
    },
  );

  it('enrols again by EST below an authority that was revoked, and works with another key', async () => {
    const { test, projectId, est } = world;
    const root = await makeIssuer(test, projectId);
    const notAfter = (days: number) => new Date(test.coffer.now().getTime() + days * DAY).toISOString();
    const below = { type: 'intermediate', parentCaId: root.id, notAfter: notAfter(300) };
    const [between, other] = [await makeIssuer(test, projectId, below), await makeIssuer(test, projectId, below)];
    const enrolls = async (id: string) =>
      (await certificatesOf(await est(id, 'simpleenroll', request('app.example.com'), basic())))[0]!;
    const again = async (id: string, certificate: string) =>
      (await est(id, 'simplereenroll', request('app.example.com'), shown(certificate))).status;
    const [id, kept] = [await world.profile(OPEN, { caId: between.id }), await world.profile(OPEN, { caId: other.id })];
    const [first, stays] = [await enrolls(id), await enrolls(kept)];
    const renew = async (ca: string, type: string) =>
      ok(await test.admin('POST', `${CA}/${ca}/renew`, { type, notAfter: notAfter(301) }));
    const revoke = async (pem: string) => {
      const serial = new X509Certificate(pem).serialNumber.toLowerCase();
      ok(await test.admin('POST', `${V1}/${serial}/revoke`, { revocationReason: 'SUPERSEDED' }));
    };
    await revoke(between.certificate);
    await renew(between.id, 'new');
    ok(await test.admin('PATCH', `${CA}/${between.id}`, { status: 'active' }));
    expect([await again(id, first), await again(id, await enrolls(id))]).toEqual([401, 200]);
    // With another certificate of the same key, what it has signed is valid.
    await renew(other.id, 'existing');
    await revoke(other.certificate);
    expect(await again(kept, stays)).toBe(200);
  });

  it.each(['template', 'profile'] as const)(
    'enrols again by EST with a certificate that a right which may have ended has issued by the same %s',
    async (kind) => {
      const { test, projectId, est } = world;
      const rules = [`certificate-${kind}s`].map((subject) => ({ subject, action: 'issue-cert' }));
      const { call } = await test.identity({ projectId, rules });
      const { csr } = makeRequest({
        subject: '/CN=app.example.com',
        extensions: ['subjectAltName=DNS:app.example.com'],
      });
      const id = await world[kind](kind === 'template' ? OPEN : undefined);
      const issued = ok(
        kind === 'template'
          ? await call('POST', `${V1}/sign-certificate`, { certificateTemplateId: id, csr })
          : await call('POST', `${NEWER}/sign-certificate`, { profileId: id, csr, ttl: '1d' }),
      );
      if (kind === 'profile') {
        const estConfig = { passphrase: PASSPHRASE, disableBootstrapCaValidation: true };
        ok(await test.admin('PATCH', `${PROFILES}/${id}`, { enrollmentType: 'est', estConfig }));
      }
      const again = async (certificate: string) =>
        (await est(id, 'simplereenroll', request('app.example.com'), shown(certificate))).status;
      expect(await again(issued.certificate)).toBe(401);
      const [enrolled] = await certificatesOf(await est(id, 'simpleenroll', request('app.example.com'), basic()));
      expect(await again(enrolled!)).toBe(200);
    },
  );

  it('has a key certified once more that was given up as compromised', async () => {
    const ca = await of.authority();
    const { csr } = makeRequest();
    const sign = () => world.test.admin('POST', `/api/v1/pki/ca/${ca.id}/sign-certificate`, { csr, ttl: '1d' });
    const { certificate } = ok(await sign());
    const serial = new X509Certificate(certificate).serialNumber.toLowerCase();
    ok(await world.test.admin('POST', `${V1}/${serial}/revoke`, { revocationReason: 'KEY_COMPROMISE' }));
    expect((await sign()).status).toBe(400);
  });
});

describe('a chain that is longer than any that is given', () => {
  it('keeps no authority from being revoked or deleted', async () => {
    const { test } = world;
    const { id: projectId } = await test.project();
    const [root, other] = [await makeIssuer(test, projectId), await makeIssuer(test, projectId)];
    const below = await makeIssuer(test, projectId, { type: 'intermediate', parentCaId: root.id });
    const long = await makeIssuer(test, projectId, { type: 'intermediate', parentCaId: other.id });
    const chain = other.certificate.repeat(25);
    await test.owner.query('update ca_certificates set chain = $2 where ca_id = $1', [long.id, chain]);
    const { serialNumber } = new X509Certificate(below.certificate);
    const revoked = { revocationReason: 'KEY_COMPROMISE' };
    ok(await test.admin('POST', `${V1}/${serialNumber.toLowerCase()}/revoke`, revoked));
    for (const { id } of [root, long]) ok(await test.admin('DELETE', `${CA}/${id}`));
    expect((await test.admin('DELETE', `/api/v1/projects/${projectId}`)).status).toBe(200);
  });
});
