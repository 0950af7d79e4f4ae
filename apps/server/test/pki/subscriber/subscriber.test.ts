import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, makeIssuer, ok, type Issuer } from '../../harness/certificates.ts';
import { makeRequest } from '../../harness/csr.ts';
import { verify } from '../../harness/openssl.ts';
import { Subscribers, SUBSCRIBERS, subscriberUrl } from '../../harness/subscribers.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let of: Subscribers;
let projectId: string;
let ca: Issuer;
beforeAll(async () => {
  test = await testServer();
  of = await Subscribers.in(test);
  ({ projectId, ca } = of);
});
afterAll(() => test.close());

const sign = (name: string, csr: string) =>
  test.admin('POST', subscriberUrl(name, '/sign-certificate'), { projectId, csr });
const eventsOf = async (pkiSubscriberId: string) => {
  const { rows } = await test.coffer.pool.query<{ published: string }>(
    `select published from audit_events where data->>'pkiSubscriberId' = $1 order by id`,
    [pkiSubscriberId],
  );
  return rows.map(({ published }) => published);
};

describe('a subscriber', () => {
  it('is created in the published shape, read, listed, changed and deleted, with an event for each change', async () => {
    const given = of.wanted({ properties: { organization: 'Example', country: 'AT' } });
    const made = ok(await test.admin('POST', SUBSCRIBERS, given));
    expect(made).toEqual({
      ...given,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'active',
      keyUsages: ['digitalSignature', 'keyEncipherment'],
      enableAutoRenewal: false,
      autoRenewalPeriodInDays: null,
      lastAutoRenewAt: null,
      lastOperationStatus: null,
      lastOperationMessage: null,
      lastOperationAt: null,
      supportsImmediateCertIssuance: true,
    });
    expect(await of.read(made.name)).toEqual(made);
    for (const url of [
      `/api/v1/projects/${projectId}/pki-subscribers`,
      `/api/v2/workspace/${projectId}/pki-subscribers`,
    ])
      expect(ok(await test.admin('GET', url)).subscribers).toContainEqual(made);
    const name = `${made.name}-renamed`;
    const changed = ok(await of.change(made.name, { name, ttl: '', subjectAlternativeNames: ['b', 'b'] }));
    expect(changed).toEqual({ ...made, name, ttl: null, subjectAlternativeNames: ['b'] });
    expect((await test.admin('GET', `${subscriberUrl(made.name)}?projectId=${projectId}`)).status).toBe(404);
    expect(ok(await test.admin('DELETE', subscriberUrl(name), { projectId }))).toEqual(changed);
    expect((await test.admin('DELETE', subscriberUrl(name), { projectId })).status).toBe(404);
    expect(await eventsOf(made.id)).toEqual([
      'create-pki-subscriber',
      'update-pki-subscriber',
      'delete-pki-subscriber',
    ]);
  });

  it('has a unique name in the project', async () => {
    const { name } = await of.create();
    const [again, other] = [await test.admin('POST', SUBSCRIBERS, of.wanted({ name })), await of.create()];
    expect([again.status, again.body.message]).toEqual([
      400,
      'A subscriber with this name already exists in the project',
    ]);
    expect((await of.change(other.name, { name })).status).toBe(400);
  });

  it.each([
    ['of no authority', { caId: randomUUID() }, 404],
    ['of an authority whose id is none', { caId: 'x' }, 404],
    ['without a common name', { commonName: ' ' }, 422],
    ['with NUL in its name', { commonName: 'a\0b' }, 422],
    ['with half a character in its name', { commonName: '\ud800' }, 400],
    ['with text from right to left in its subject', { subjectAlternativeNames: ['\u202eapp.example.com'] }, 400],
    ['with a name that no certificate has', { subjectAlternativeNames: ['a b'] }, 400],
    ['with two names in one', { subjectAlternativeNames: ['a.example.com,b.example.com'] }, 400],
    ['with more names than fit', { subjectAlternativeNames: Array(20).fill(`${'a'.repeat(1000)}.example.com`) }, 422],
    ['with an unknown usage', { keyUsages: ['constructor'] }, 422],
    ['with no time', { ttl: '0d' }, 422],
    ['with an unknown status', { status: 'paused' }, 422],
    ['renewed without a time', { enableAutoRenewal: true }, 400],
    ['renewed though it lives for minutes', { enableAutoRenewal: true, autoRenewalPeriodInDays: 1, ttl: '59m' }, 400],
    ['renewed after no days', { autoRenewalPeriodInDays: 0 }, 422],
    ['with an address in its subject', { properties: { emailAddress: 'a@example.com' } }, 422],
    ['with a country that is none', { properties: { country: 'at' } }, 422],
  ])('%s is refused', async (_, more, status) => {
    const answer = await test.admin('POST', SUBSCRIBERS, of.wanted(more));
    expect([answer.status, answer.body.message]).toEqual([status, expect.anything()]);
    const { name } = await of.create();
    expect((await of.change(name, more)).status).toBe(status);
  });

  it('is not there under names that none has', async () => {
    for (const [name, status] of [
      ['no-such', 404],
      ['No_Such%20Name', 404],
      ['a%00b', 422],
      ['x'.repeat(65), 422],
    ] as const)
      expect([name, (await test.admin('GET', `${subscriberUrl(name)}?projectId=${projectId}`)).status]).toEqual([
        name,
        status,
      ]);
    const { name } = await of.create();
    for (const [project, status] of [
      ['x', 404],
      [randomUUID(), 404],
      ['', 422],
    ] as const)
      expect((await test.admin('GET', `${subscriberUrl(name)}?projectId=${project}`)).status).toBe(status);
    expect((await of.read(name.toUpperCase())).name).toBe(name);
  });

  it('of an authority of another project is refused', async () => {
    const { id } = await test.project();
    const { id: caId } = await makeIssuer(test, id);
    expect((await test.admin('POST', SUBSCRIBERS, of.wanted({ caId }))).status).toBe(404);
  });
});

describe('issuing to a subscriber', () => {
  it('issues its content, with a key, verified by OpenSSL and listed as its own', async () => {
    const made = await of.create({ properties: { organization: 'Example', state: 'Tyrol' } });
    const issued = ok(await of.issue(made.name));
    expect(Object.keys(issued).toSorted()).toEqual([
      'certificate',
      'certificateChain',
      'certificateId',
      'issuingCaCertificate',
      'privateKey',
      'serialNumber',
    ]);
    expect(verify(issued.certificate, ca.certificate).text).toContain('OK');
    const certificate = new X509Certificate(issued.certificate);
    expect(certificate.subject.split('\n').toSorted()).toEqual(['CN=app.example.com', 'O=Example', 'ST=Tyrol']);
    expect(certificate.subjectAltName).toBe('DNS:app.example.com, IP Address:10.1.2.3');
    expect(certificate.checkPrivateKey(createPrivateKey(issued.privateKey))).toBe(true);
    expect((certificate.validToDate.getTime() - test.coffer.now().getTime()) / DAY).toBeCloseTo(30, 1);
    const { certificates, totalCount } = await of.read(made.name, '/certificates');
    expect([totalCount, certificates]).toEqual([
      1,
      [
        expect.objectContaining({
          id: issued.certificateId,
          pkiSubscriberId: made.id,
          source: 'subscriber',
          // Usages that EC keys do not support are omitted.
          keyUsages: ['digitalSignature'],
          hasPrivateKey: true,
        }),
      ],
    ]);
    expect(await of.read(made.name)).toMatchObject({
      lastOperationStatus: 'success',
      lastOperationAt: expect.any(String),
    });
    expect(await eventsOf(made.id)).toEqual(['create-pki-subscriber', 'issue-pki-subscriber-cert']);
  });

  it('by an order leaves the certificate to be read later, the newest with its key', async () => {
    const { id, name } = await of.create();
    const bundle = `${subscriberUrl(name, '/latest-certificate-bundle')}?projectId=${projectId}`;
    expect((await test.admin('GET', bundle)).status).toBe(404);
    ok(await of.issue(name));
    const ordered = ok(await test.admin('POST', subscriberUrl(name, '/order-certificate'), { projectId }));
    expect(ordered).toEqual({ message: expect.any(String) });
    const { certificates } = await of.read(name, '/certificates');
    const latest = ok(await test.admin('GET', bundle));
    expect(Object.keys(latest).toSorted()).toEqual(['certificate', 'certificateChain', 'privateKey', 'serialNumber']);
    expect([certificates.length, certificates[0].serialNumber]).toEqual([2, latest.serialNumber]);
    expect(new X509Certificate(latest.certificate).checkPrivateKey(createPrivateKey(latest.privateKey))).toBe(true);
    expect((await eventsOf(id)).at(-1)).toBe('get-subscriber-active-cert-bundle');
    ok(
      await test.admin('POST', `/api/v1/pki/certificates/${latest.serialNumber}/revoke`, {
        revocationReason: 'SUPERSEDED',
      }),
    );
    expect(ok(await test.admin('GET', bundle)).serialNumber).toBe(certificates[1].serialNumber);
  });

  it('for a CSR uses only its key', async () => {
    const { id, name } = await of.create({ properties: { organization: 'Example' } });
    const { csr, key } = makeRequest({
      extensions: ['subjectAltName=DNS:app.example.com', 'keyUsage=digitalSignature'],
    });
    const signed = ok(await sign(name, csr));
    expect(Object.keys(signed)).not.toContain('privateKey');
    const certificate = new X509Certificate(signed.certificate);
    expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(certificate.subjectAltName).toBe('DNS:app.example.com, IP Address:10.1.2.3');
    expect(certificate.subject).toContain('O=Example');
    expect((await eventsOf(id)).at(-1)).toBe('sign-pki-subscriber-cert');
    expect((await of.read(name, '/latest-certificate-bundle')).privateKey).toBe(null);
  });

  it.each([
    ['another common name', 'subscriber.common_name', { subject: '/CN=evil.example.com' }],
    ['an organization', 'subscriber.organization', { subject: '/CN=app.example.com/O=Evil' }],
    ['another host', 'subscriber.dns', { subject: '/', extensions: ['subjectAltName=DNS:evil.example.com'] }],
    ['another address', 'subscriber.ip', { subject: '/', extensions: ['subjectAltName=IP:10.9.9.9'] }],
    ['another usage', 'subscriber.key_usage', { extensions: ['keyUsage=keyAgreement'] }],
    ['another purpose', 'subscriber.extended_key_usage', { extensions: ['extendedKeyUsage=codeSigning'] }],
    ['an authority', 'csr.ca', { extensions: ['basicConstraints=critical,CA:true'] }],
  ])('for a request with %s is refused by the name of the rule', async (_, rule, request) => {
    const { name } = await of.create();
    const answer = await sign(name, makeRequest(request).csr);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(rule)]);
    expect(answer.body.details.findings[0].rule).toBe(rule);
  });

  it('is refused while it is disabled, or its authority is, or has been deleted', async () => {
    const { id: caId } = await makeIssuer(test, projectId);
    const { name } = await of.create({ caId });
    const { csr } = makeRequest();
    const refusals = async () => {
      const answers = [await of.issue(name), await sign(name, csr)];
      answers.push(await test.admin('POST', subscriberUrl(name, '/order-certificate'), { projectId }));
      return answers.map(({ status, body }) => [status, body.message]);
    };
    const byRule = (rule: string) => Array.from({ length: 3 }, () => [400, expect.stringContaining(rule)]);
    ok(await of.change(name, { status: 'disabled' }));
    expect(await refusals()).toEqual(byRule('pki_subscriber.disabled'));
    ok(await of.change(name, { status: 'active' }));
    const authority = `/api/v1/cert-manager/ca/internal/${caId}`;
    ok(await test.admin('PATCH', authority, { status: 'disabled' }));
    expect(await refusals()).toEqual(byRule('disabled'));
    ok(await test.admin('DELETE', authority));
    expect(await refusals()).toEqual(byRule('pki_subscriber.no_authority'));
    expect(await of.read(name)).toMatchObject({ caId: null, supportsImmediateCertIssuance: false });
  });

  it('for many concurrent requests issues a certificate for each, and none while it is updated or deleted', async () => {
    const { name } = await of.create();
    const changing = Array.from({ length: 4 }, (_, i) => of.change(name, { ttl: `${i + 1}d` }));
    const answers = await Promise.all([...Array.from({ length: 6 }, () => of.issue(name)), ...changing]);
    const issued = answers.slice(0, 6).filter(({ status }) => status === 200);
    expect(answers.slice(6).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await of.read(name, '/certificates')).totalCount).toBe(issued.length);
    const refusals = answers.filter(({ status }) => status !== 200);
    for (const { status, body } of refusals)
      expect([status, body.message]).toEqual([400, expect.stringContaining('changed concurrently')]);
    const end = await Promise.all([
      of.issue(name),
      test.admin('DELETE', subscriberUrl(name), { projectId }),
      of.issue(name),
    ]);
    expect(end[1].status).toBe(200);
    for (const { status } of [end[0], end[2]]) expect([200, 404]).toContain(status);
  });

  it('leaves its certificates when it is deleted, without a subscriber', async () => {
    const { name } = await of.create();
    const { certificateId } = ok(await of.issue(name));
    const url = `/api/v1/cert-manager/certificates/${certificateId}`;
    const byItself = await test.admin('PATCH', `${url}/config`, { renewBeforeDays: 3 });
    const renewed = await test.admin('POST', `${url}/renew`);
    for (const { status, body } of [byItself, renewed])
      expect([status, body.message]).toEqual([400, expect.stringContaining('certificate.subscriber')]);
    ok(await test.admin('DELETE', subscriberUrl(name), { projectId }));
    expect(ok(await test.admin('GET', url)).certificate).toMatchObject({ pkiSubscriberId: null, status: 'active' });
    ok(await test.admin('POST', `${url}/renew`));
  });
});
