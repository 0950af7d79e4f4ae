import { randomUUID, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, makeIssuer, ok, type Issuer } from '../harness/certificates.ts';
import { makeRequest } from '../harness/csr.ts';
import { verify } from '../harness/openssl.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let projectId: string;
let ca: Issuer;
let certificatePolicyId: string;
/** A policy that allows all. */
let anything: string;
const POLICIES = '/api/v1/cert-manager/certificate-policies';
const URL = '/api/v1/cert-manager/certificate-profiles';
const ORDER = '/api/v1/cert-manager/certificates';
beforeAll(async () => {
  test = await testServer();
  ({ id: projectId } = await test.project());
  ca = await makeIssuer(test, projectId, {}, { enableDirectIssuance: false });
  const policy = await test.admin('POST', POLICIES, {
    projectId,
    name: 'servers',
    subject: [{ type: 'common_name', allowed: ['*.example.com'] }],
    sans: [{ type: 'dns_name', allowed: ['*.example.com'], denied: ['admin.*'] }],
    extendedKeyUsages: { allowed: ['server_auth'] },
    validity: { max: '90d' },
  });
  certificatePolicyId = ok(policy).certificatePolicy.id;
  anything = ok(await test.admin('POST', POLICIES, { projectId, name: 'anything' })).certificatePolicy.id;
});
afterAll(() => test.close());

let number = 0;
const wanted = (more: object = {}) => ({
  projectId,
  caId: ca.id,
  certificatePolicyId,
  slug: `profile-${number++}`,
  enrollmentType: 'api',
  ...more,
});
const create = async (more: object = {}) => ok(await test.admin('POST', URL, wanted(more))).certificateProfile;
const attributes = (more: object = {}) => ({
  commonName: 'app.example.com',
  altNames: [{ type: 'dns_name', value: 'app.example.com' }],
  ttl: '30d',
  ...more,
});

describe('a certificate profile', () => {
  it.each<['PATCH' | 'DELETE', object?]>([['PATCH', { description: 'new' }], ['DELETE']])(
    'is found by a %s while it gets another policy',
    async (method, body) => {
      const { id } = await create();
      const client = await test.owner.connect();
      await client.query('begin');
      await client.query('update certificate_profiles set certificate_policy_id = $2 where id = $1', [id, anything]);
      const asked = test.admin(method, `${URL}/${id}`, body);
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await expect.poll(async () => (await test.coffer.pool.query(waiting)).rowCount).toBe(1);
      await client.query('commit');
      client.release();
      expect((await asked).status).toBe(200);
      expect((await test.admin('GET', `${URL}/${id}`)).status).toBe(method === 'DELETE' ? 404 : 200);
    },
  );

  it('is created, read, listed, changed and deleted', async () => {
    const given = wanted({ apiConfig: { autoRenew: true, renewBeforeDays: 9 }, defaults: { ttlDays: 20 } });
    const profile = ok(await test.admin('POST', URL, given)).certificateProfile;
    expect(profile).toMatchObject({
      ...given,
      issuerType: 'ca',
      acmeConfig: null,
      estConfig: null,
      certificateAuthority: { id: ca.id, name: ca.name, status: 'active' },
    });
    const one = `${URL}/${profile.id}`;
    expect(ok(await test.admin('GET', one)).certificateProfile).toEqual(profile);
    const bySlug = await test.admin('GET', `${URL}/slug/${given.slug}?projectId=${projectId}`);
    expect(ok(bySlug).certificateProfile).toEqual(profile);
    const listed = ok(await test.admin('GET', `${URL}?projectId=${projectId}&search=${given.slug}&caId=${ca.id}`));
    expect(listed).toEqual({ certificateProfiles: [profile], totalCount: 1 });
    const acme = ok(await test.admin('PATCH', one, { enrollmentType: 'acme', description: 'Robots' }));
    expect(acme.certificateProfile).toMatchObject({
      description: 'Robots',
      apiConfig: null,
      acmeConfig: {
        directoryUrl: expect.stringContaining(`/api/v1/cert-manager/acme/${profile.id}/directory`),
        skipDnsOwnershipVerification: false,
        skipEabBinding: false,
      },
    });
    expect((await test.admin('POST', ORDER, { profileId: profile.id, attributes: attributes() })).status).toBe(400);
    ok(await test.admin('DELETE', one));
    expect((await test.admin('GET', one)).status).toBe(404);
  });

  it.each([
    ['apiConfig', { autoRenew: true, renewBeforeDays: 10 }],
    ['acmeConfig', { skipDnsOwnershipVerification: true, skipEabBinding: false }],
  ])('keeps the fields of %s that an update omits', async (name, config) => {
    const { id, [name]: made } = await create({ enrollmentType: name.replace('Config', ''), [name]: config });
    expect(made).toMatchObject(config);
    for (const [field, value] of Object.entries(config)) {
      const changed = await test.admin('PATCH', `${URL}/${id}`, { [name]: { [field]: value } });
      expect(ok(changed).certificateProfile[name]).toEqual(made);
    }
  });

  it.each([
    ['for EST', { enrollmentType: 'est' }, 400],
    ['that signs itself', { issuerType: 'self-signed', caId: undefined }, 400],
    ['without an authority', { caId: undefined }, 400],
    ['with the configuration of another way', { acmeConfig: {} }, 400],
    ['of an unknown authority', { caId: randomUUID() }, 404],
    ['of an unknown policy', { certificatePolicyId: 'no-id' }, 404],
    ['with unknown usages', { defaults: { keyUsages: ['constructor'] } }, 422],
  ])('%s is refused', async (_, more, status) => {
    expect((await test.admin('POST', URL, wanted(more))).status).toBe(status);
  });

  it('keeps its policy', async () => {
    await create();
    const { status, body } = await test.admin('DELETE', `${POLICIES}/${certificatePolicyId}`);
    expect([status, body.error]).toEqual([400, expect.anything()]);
  });
});

describe('issuing by a profile', () => {
  it('never issues a certificate for every use if the policy allows only some', async () => {
    const { id: profileId } = await create();
    const { certificate } = ok(await test.admin('POST', ORDER, { profileId, attributes: attributes() }));
    expect(new X509Certificate(certificate.certificate).keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    const none = { profileId, attributes: attributes({ extendedKeyUsages: [] }) };
    const { status, body } = await test.admin('POST', ORDER, none);
    expect([status, body.details.findings.map(({ rule }: { rule: string }) => rule)]).toEqual([
      400,
      ['policy.extended_key_usage'],
    ]);
  });

  it('issues what the policy allows, stored as a request, and verified by OpenSSL', async () => {
    const { id: profileId, slug } = await create({
      defaults: { extendedKeyUsages: ['server_auth'], organization: 'Example' },
    });
    const order = {
      profileId,
      attributes: attributes(),
      removeRootsFromChain: true,
      metadata: [{ key: 'a', value: 'b' }],
    };
    const { certificate, certificateRequestId, status } = ok(await test.admin('POST', ORDER, order));
    expect([status, certificate.certificateChain]).toEqual(['issued', '']);
    expect(certificate.privateKey).toContain('PRIVATE KEY');
    expect(verify(certificate.certificate, ca.certificate).text).toContain('OK');
    const read = new X509Certificate(certificate.certificate);
    expect([read.subject, read.subjectAltName]).toEqual([expect.stringContaining('O=Example'), 'DNS:app.example.com']);
    const described = ok(await test.admin('GET', `${ORDER}/${certificate.certificateId}`)).certificate;
    expect(described).toMatchObject({ profileId, profileName: slug });
    const kept = ok(await test.admin('GET', `${ORDER}/certificate-requests/${certificateRequestId}`));
    expect(kept).toMatchObject({ status: 'issued', profileId, certificateId: certificate.certificateId });
    const search = { projectId, profileIds: [profileId], search: 'app.', metadata: [{ key: 'a', value: 'b' }] };
    const found = ok(await test.admin('POST', `${ORDER}/certificate-requests/search`, search));
    expect(found).toEqual({ certificateRequests: [kept], totalCount: 1 });
    const cancel = ok(await test.admin('POST', `${ORDER}/certificate-requests/${certificateRequestId}/cancel`));
    expect(cancel).toMatchObject({ status: 'issued', cancelled: false });
    const { certificates } = ok(await test.admin('GET', `${URL}/${profileId}/certificates`));
    expect(certificates).toMatchObject([{ id: certificate.certificateId, profileId }]);
    const bundle = ok(await test.admin('GET', `${URL}/${profileId}/certificates/latest-active-bundle`));
    expect(bundle.privateKey).toBe(certificate.privateKey);
    ok(await test.admin('POST', `${ORDER}/${certificate.certificateId}/renew`));
  });

  it('is listed page by page, for callers who may read the certificates', async () => {
    const { id: profileId } = await create();
    for (const name of ['a', 'b', 'c', 'd'])
      ok(await test.admin('POST', ORDER, { profileId, attributes: { commonName: `${name}.example.com` } }));
    const search = async (call: Caller, more: object) => {
      const body = { projectId, profileIds: [profileId], sortBy: 'commonName', sortOrder: 'asc', ...more };
      const found = ok(await call('POST', `${ORDER}/certificate-requests/search`, body));
      const names = found.certificateRequests.map(({ commonName }: { commonName: string }) => commonName[0]);
      return [names.join(''), found.totalCount];
    };
    expect(await search(test.admin, { offset: 1, limit: 2 })).toEqual(['bc', 4]);
    const today = test.coffer.now().toISOString().slice(0, 10);
    expect(await search(test.admin, { fromDate: today, search: 'B.EXAMPLE' })).toEqual(['b', 1]);
    const conditions = { commonName: { $in: ['a.example.com', 'c.example.com', 'd.example.com'] } };
    const { call } = await test.identity({
      projectId,
      rules: [{ subject: 'certificates', action: 'read', conditions }],
    });
    expect(await search(call, { offset: 1, limit: 1 })).toEqual(['c', 3]);
    expect(await search(call, { toDate: '2020-01-01' })).toEqual(['', 0]);
    const { call: nobody } = await test.identity({ projectId, rules: [] });
    expect((await nobody('POST', `${ORDER}/certificate-requests/search`, { projectId })).status).toBe(403);
  });

  it('signs requests, and has the older forms', async () => {
    const { id: profileId } = await create();
    const { csr } = makeRequest({ extensions: ['subjectAltName=DNS:app.example.com'] });
    const { certificate } = ok(await test.admin('POST', ORDER, { profileId, csr, attributes: { ttl: '5d' } }));
    expect(certificate.privateKey).toBe(null);
    const signed = ok(await test.admin('POST', `${ORDER}/sign-certificate`, { profileId, csr, ttl: '5d' }));
    expect(new X509Certificate(signed.certificate).subject).toBe('CN=app.example.com');
    const older = { profileId, ...attributes(), keyAlgorithm: 'RSA_2048', signatureAlgorithm: 'ECDSA-SHA256' };
    const issued = ok(await test.admin('POST', `${ORDER}/issue-certificate`, older));
    expect(new X509Certificate(issued.certificate).publicKey.asymmetricKeyType).toBe('rsa');
  });

  it('accepts names and times in all documented forms', async () => {
    const { id: profileId } = await create({ certificatePolicyId: anything });
    const { csr } = makeRequest({ extensions: ['subjectAltName=DNS:app.example.com'] });
    const leaf = async (more: object, request?: string) =>
      new X509Certificate(
        ok(await test.admin('POST', ORDER, { profileId, csr: request, attributes: more })).certificate.certificate,
      );
    expect((await leaf({ altNames: [] }, csr)).subjectAltName).toBe('DNS:app.example.com');
    const uri = { type: 'uri', value: 'https://app.example.com/a,b' };
    const dns = { type: 'dns_name', value: 'app.example.com' };
    const named = await leaf({ altNames: [uri, dns] }, csr);
    expect(named.subjectAltName).toBe('URI:"https://app.example.com/a\\u002cb", DNS:app.example.com');
    const day = new Date(test.coffer.now().getTime() + 9 * DAY).toISOString().slice(0, 10);
    const timed = await leaf({ commonName: 'a', notAfter: day });
    expect(timed.validToDate.toISOString().slice(0, 10)).toBe(day);
  });

  it.each([
    ['policy.', { commonName: 'app.example.org' }],
    ['policy.', { altNames: [{ type: 'dns_name', value: 'admin.example.com' }] }],
    ['policy.dns', { altNames: [{ type: 'dns_name', value: '*.example.com' }] }],
    ['policy.', { altNames: [{ type: 'ip_address', value: '10.0.0.1' }] }],
    ['policy.', { extendedKeyUsages: ['code_signing'] }],
    ['policy.', { ttl: '91d' }],
    ['certificate.signature_algorithm', { signatureAlgorithm: 'RSA-SHA256' }],
  ])('refuses by the rule %s %j', async (rule, more) => {
    const { id: profileId } = await create();
    const { status, body } = await test.admin('POST', ORDER, { profileId, attributes: attributes(more) });
    expect([status, body.message]).toEqual([400, expect.stringContaining(`(${rule}`)]);
  });

  it('rejects a common name that clients would use as a host name which the policy does not allow', async () => {
    const sans = [{ type: 'dns_name', allowed: ['*.example.com'], denied: ['admin.*'] }];
    const policy = ok(await test.admin('POST', POLICIES, { projectId, name: 'hosts', sans })).certificatePolicy;
    const { id: profileId } = await create({ certificatePolicyId: policy.id });
    const order = async (commonName: string, altNames: object[] = []) =>
      (await test.admin('POST', ORDER, { profileId, attributes: { commonName, altNames, ttl: '1d' } })).status;
    expect(await order('app.example.com')).toBe(200);
    expect(await order('Ann Lee')).toBe(200);
    // If there are DNS names, clients ignore it.
    expect(await order('app.example.org', [{ type: 'dns_name', value: 'app.example.com' }])).toBe(200);
    for (const name of ['app.example.org', 'admin.example.com', '*.example.com', 'a*.example.org', 'APP.example.org.'])
      expect([name, await order(name)]).toEqual([name, 400]);
    // A rule of its own may allow more, and names that are denied to hosts stay denied.
    const { id: named } = await create();
    const byName = async (commonName: string) =>
      (await test.admin('POST', ORDER, { profileId: named, attributes: { commonName, ttl: '1d' } })).status;
    expect([await byName('app.example.com'), await byName('admin.example.com')]).toEqual([200, 400]);
  });

  it.each([
    { basicConstraints: { isCA: true } },
    { customExtensions: [{ oid: '1.2.3' }] },
    { notAfter: '2030-01-01T00:00:00Z' },
  ])('does not read %j', async (more) => {
    const { id: profileId } = await create();
    const { status } = await test.admin('POST', ORDER, { profileId, attributes: attributes(more) });
    expect(status).toBe(422);
  });

  it('needs the right to the profile, or to the certificate', async () => {
    const { id: profileId, slug } = await create();
    const other = await create();
    const order = { profileId, attributes: attributes() };
    expect((await test.as('none')('POST', ORDER, order)).status).toBe(401);
    expect((await test.admin('POST', ORDER, { ...order, profileId: randomUUID() })).status).toBe(404);
    const issue = { subject: 'certificate-profiles', action: 'issue-cert', conditions: { slug } };
    const { call } = await test.identity({ projectId, rules: [issue] });
    expect((await call('POST', ORDER, order)).status).toBe(200);
    expect((await call('POST', ORDER, { ...order, profileId: other.id })).status).toBe(403);
    expect((await call('GET', `${URL}/${profileId}`)).status).toBe(403);
    const forbidden = { subject: 'certificates', action: 'create', inverted: true };
    const { call: bound } = await test.identity({ projectId, rules: [issue, forbidden] });
    expect((await bound('POST', ORDER, order)).status).toBe(403);
  });
});
