import { addressMatcher, parseCidrs } from '@coffer/domain';
import { makeAuthority, type LoginMethodCase } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { describeLoginMethod, loginMethodWorld } from '../harness/login-method.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const HEADER = 'x-client-cert';
const root = makeAuthority('Clients');
const web = root.issue('web');
const header = encodeURIComponent(web.cert);

let test: TestServer;
beforeAll(async () => {
  const isTrustedProxy = addressMatcher(parseCidrs('127.0.0.1, 10.0.0.0/8'));
  test = await testServer({}, { isTrustedProxy, clientCertificateHeader: HEADER });
});
afterAll(() => test.close());

/** The same server behind a proxy that has seen this certificate. */
const behind = (certificate: string): TestServer => ({
  ...test,
  as: (token): Caller => {
    const ask = test.as(token);
    return (method, url, body, headers) => ask(method, url, body, { ...headers, [HEADER]: certificate });
  },
});

const LOGIN = '/api/v1/auth/tls-cert-auth/login';
const least = { caCertificate: root.cert.trim() };
const tlsCert: LoginMethodCase = {
  kind: 'tls-cert-auth',
  key: 'identityTlsCertAuth',
  least: () => least,
  answered: () => ({
    ...least,
    allowedCommonNames: null,
    allowedSubjectAltNames: [],
    verifyClientCertificateChain: false,
  }),
  changes: () => ({
    caCertificate: `${root.cert}${makeAuthority('Others').cert}`.trim(),
    allowedCommonNames: 'web, api',
    allowedSubjectAltNames: ['web.example.com', 'spiffe://example.com/web'],
    verifyClientCertificateChain: true,
  }),
  sealed: ['caCertificate'],
  refused: () => [
    [{ caCertificate: '' }, 422],
    [{ caCertificate: 'no certificate' }, 422],
    [{ caCertificate: `${root.cert}and more` }, 422],
    [{ caCertificate: `${root.cert}${' '.repeat(20)}`.repeat(20) }, 422],
    [{ caCertificate: web.cert }, 400],
    [{ allowedCommonNames: ['web'] }, 422],
    [{ allowedCommonNames: 'a\u0000b' }, 422],
    [{ allowedSubjectAltNames: 'web.example.com' }, 422],
    [{ allowedSubjectAltNames: [''] }, 422],
    [{ allowedSubjectAltNames: null }, 422],
    [{ verifyClientCertificateChain: 'true' }, 422],
  ],
  notAttached: { GET: 400, PATCH: 404, DELETE: 400 },
  proof: async () => ({}),
};

describe('TLS certificate auth', () => {
  describeLoginMethod(() => behind(header), tlsCert);
});

describe('logging in by a client certificate', () => {
  const { attached } = loginMethodWorld(() => behind(header), tlsCert);
  const logInAs = (identityId: string, certificate: string, more: object = {}) =>
    behind(certificate).as()('POST', LOGIN, { identityId, ...more });

  it('stores the owner of the certificate with the token', async () => {
    const { identityId, logIn } = await attached({ allowedCommonNames: 'web' });
    expect((await logIn()).status).toBe(200);
    const { rows } = await test.coffer.pool.query('select claims from identity_access_tokens where identity_id = $1', [
      identityId,
    ]);
    expect(rows).toEqual([
      {
        claims: {
          tlsCert: {
            commonName: 'web',
            subjectAltNames: ['web'],
            serialNumber: expect.stringMatching(/^[0-9A-F]+$/),
            fingerprint: expect.any(String),
          },
        },
      },
    ]);
  });

  it('answers 400 without a certificate', async () => {
    const { identityId } = await attached();
    for (const answer of [await test.as()('POST', LOGIN, { identityId }), await logInAs(identityId, '')]) {
      expect(answer.body).toMatchObject({ statusCode: 400, error: 'BadRequest' });
      expect(answer.body.message).toContain('The request has no client certificate');
    }
  });

  it('accepts the header from a trusted proxy only: for others the answer is that of a missing certificate', async () => {
    const { identityId } = await attached();
    const from = async (remoteAddress: string, headers: Record<string, string> = {}) => {
      const payload = { identityId };
      const answer = await test.app.inject({
        method: 'POST',
        url: LOGIN,
        payload,
        remoteAddress,
        headers: { [HEADER]: header, ...headers },
      });
      const { reqId: _, ...body } = answer.json();
      return body;
    };
    expect(await from('10.1.2.3')).toMatchObject({ tokenType: 'Bearer' });
    expect(await from('::ffff:10.1.2.3')).toMatchObject({ tokenType: 'Bearer' });
    const { body } = await test.as()('POST', LOGIN, { identityId });
    const { reqId: _, ...missing } = body;
    for (const address of ['11.1.2.3', '192.168.0.1', '::1', '2001:db8::1']) {
      expect([address, await from(address)]).toEqual([address, missing]);
      expect(await from(address, { 'x-forwarded-for': '10.1.2.3' })).toEqual(missing);
      expect(await from(address, { forwarded: 'for=10.1.2.3' })).toEqual(missing);
    }
  });

  it('accepts the header from no one without a configured header or proxy', async () => {
    const { identityId } = await attached();
    for (const options of [
      { isTrustedProxy: () => true },
      { clientCertificateHeader: HEADER },
      { isTrustedProxy: () => false, clientCertificateHeader: HEADER },
      { isTrustedProxy: () => true, clientCertificateHeader: 'x-other' },
    ]) {
      const app = await createApp({ coffer: test.coffer, ...options });
      const request = { method: 'POST', url: LOGIN, payload: { identityId }, headers: { [HEADER]: header } } as const;
      expect((await app.inject(request)).statusCode).toBe(400);
      await app.close();
    }
  });

  it('accepts the certificate only from that header', async () => {
    const { identityId } = await attached();
    for (const name of ['x-ssl-client-cert', 'ssl-client-cert', 'x-forwarded-client-cert', 'x-client-certs'])
      expect((await test.as()('POST', LOGIN, { identityId }, { [name]: header })).status).toBe(400);
    for (const field of ['clientCertificate', 'certificate', HEADER])
      expect((await test.as()('POST', LOGIN, { identityId, [field]: header })).status).toBe(400);
    expect((await test.as()('POST', `${LOGIN}?${HEADER}=${header}`, { identityId })).status).toBe(400);
  });

  it('rejects what is not of this authority, or not one certificate', async () => {
    const { identityId } = await attached();
    const other = makeAuthority('Clients');
    const intermediate = root.issue('Between', { authority: true });
    for (const certificate of [
      encodeURIComponent(other.issue('web').cert),
      encodeURIComponent(other.cert),
      encodeURIComponent(root.cert),
      encodeURIComponent(intermediate.issue('web').cert),
      encodeURIComponent(web.cert + web.cert),
      `${header}, ${header}`,
      encodeURIComponent(web.cert.slice(100)),
      '%',
      'nonsense',
    ]) {
      const { body } = await logInAs(identityId, certificate);
      expect([certificate.slice(0, 20), body.statusCode, body.error]).toEqual([
        certificate.slice(0, 20),
        401,
        'UnauthorizedError',
      ]);
    }
    expect((await logInAs(identityId, header)).status).toBe(200);
  });

  it('refuses a header sent twice: by the client, and by a proxy that adds its own', async () => {
    const { identityId } = await attached();
    const answer = await test.app.inject({
      method: 'POST',
      url: LOGIN,
      payload: { identityId },
      headers: { [HEADER]: [encodeURIComponent(makeAuthority('Clients').issue('web').cert), header] as never },
    });
    expect(answer.statusCode).toBe(401);
  });

  it('verifies a chain if the method is configured so', async () => {
    const intermediate = root.issue('Between', { authority: true });
    const leaf = intermediate.issue('web');
    const sent = encodeURIComponent(`${leaf.cert}${intermediate.cert}`);
    const { identityId, url } = await attached();
    expect((await logInAs(identityId, sent)).status).toBe(401);
    await test.admin('PATCH', url, { verifyClientCertificateChain: true });
    expect((await logInAs(identityId, sent)).status).toBe(200);
    expect((await logInAs(identityId, encodeURIComponent(leaf.cert))).status).toBe(401);
  });

  it('applies changed names from the next login on', async () => {
    const { url, logIn } = await attached();
    for (const [change, status] of [
      [{ allowedCommonNames: 'api' }, 401],
      [{ allowedCommonNames: 'api, web' }, 200],
      [{ allowedSubjectAltNames: ['we'] }, 401],
      [{ allowedSubjectAltNames: ['we', 'web'] }, 200],
      [{ allowedCommonNames: null }, 200],
      [{ caCertificate: makeAuthority('Clients').cert }, 401],
    ] as const) {
      expect((await test.admin('PATCH', url, change)).status).toBe(200);
      expect([change, (await logIn()).status]).toEqual([change, status]);
    }
  });

  it('rejects an expired certificate', async () => {
    const { identityId } = await attached();
    test.advance(80 * 365 * 86_400_000);
    try {
      expect((await logInAs(identityId, header)).status).toBe(401);
    } finally {
      test.advance(-80 * 365 * 86_400_000);
    }
  });

  it('wants a max TTL when it is attached, and only then', async () => {
    const { url, identityId } = await attached();
    await test.admin('DELETE', url);
    const endless = { accessTokenTTL: 0, accessTokenMaxTTL: 0 };
    expect([identityId, (await test.admin('POST', url, { ...least, ...endless })).status]).toEqual([identityId, 422]);
    await test.admin('POST', url, least);
    expect((await test.admin('PATCH', url, endless)).status).toBe(200);
  });
});
