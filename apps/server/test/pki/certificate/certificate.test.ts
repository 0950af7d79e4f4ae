import { createPrivateKey, X509Certificate } from 'node:crypto';
import { judges } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { anotherProcess } from '../../harness/another-process.ts';
import {
  DAY,
  eventsOf,
  issueBy,
  KEY_TYPES,
  makeIssuer,
  ok,
  ordered,
  V1,
  type Issuer,
} from '../../harness/certificates.ts';
import { UUID } from '../../harness/folder-tree.ts';
import { issuingServer } from '../../harness/issuing.ts';
import { openssl, verify } from '../../harness/openssl.ts';
import type { TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let projectId: string;
let ca: Issuer;
beforeAll(async () => {
  ({ test, projectId, ca } = await issuingServer({ clock: 'standing' }));
});
afterAll(() => test.close());

const SERIAL = expect.stringMatching(/^[0-7][0-9a-f]{39}$/);
const CERTIFICATE = expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n[\s\S]+-----END CERTIFICATE-----\n$/);
const PRIVATE_KEY = expect.stringMatching(/^-----BEGIN PRIVATE KEY-----\n/);

const inDays = (days: number) => new Date(test.coffer.now().getTime() + days * DAY).toISOString();
const order = (more: object = {}) => ordered({ altNames: 'app.example.com, 10.1.2.3', ...more });
const issue = (more: object = {}, caId = ca.id) => issueBy(test, caId, order(more));

describe('issuing a certificate', () => {
  it('returns the published shape: a key, and a certificate that OpenSSL accepts', async () => {
    const before = test.coffer.now().getTime();
    const issued = await issue();
    expect(issued).toEqual({
      certificate: CERTIFICATE,
      issuingCaCertificate: ca.certificate,
      certificateChain: ca.certificate,
      privateKey: PRIVATE_KEY,
      serialNumber: SERIAL,
      certificateId: UUID,
    });
    const leaf = new X509Certificate(issued.certificate);
    expect(leaf.checkPrivateKey(createPrivateKey(issued.privateKey))).toBe(true);
    expect(leaf.serialNumber.toLowerCase()).toBe(issued.serialNumber);
    expect([leaf.subject, leaf.subjectAltName]).toEqual([
      'CN=app.example.com',
      'DNS:app.example.com, IP Address:10.1.2.3',
    ]);
    const [start, end] = [leaf.validFromDate.getTime(), leaf.validToDate.getTime()];
    expect(before - start).toBeGreaterThanOrEqual(-1_000);
    expect(before - start).toBeLessThanOrEqual(61_000);
    expect(Math.abs(end - before - 30 * DAY)).toBeLessThan(1_000);
    for (const options of [[], ['-verify_hostname', 'app.example.com'], ['-verify_ip', '10.1.2.3']]) {
      const { code, text } = verify(issued.certificate, ca.certificate, options);
      expect([options, code, text]).toEqual([options, 0, 'leaf.pem: OK\n']);
    }
    expect(verify(issued.certificate, ca.certificate, ['-verify_hostname', 'other.example.com']).code).not.toBe(0);
    expect(await eventsOf(test, { certificateId: issued.certificateId })).toEqual(['certificate.issued']);
  });

  it('contains the addresses of the revocation list, the OCSP responder and the issuer', async () => {
    const { certificate } = await issue();
    const { text } = openssl(['x509', '-noout', '-text', '-in', 'a.pem'], { 'a.pem': certificate });
    expect(text).toMatch(/URI:http:\/\/127\.0\.0\.1:8080\/api\/v1\/pki\/crl\/[0-9a-f-]{36}\/der/);
    expect(text).toMatch(/OCSP - URI:http:\/\/127\.0\.0\.1:8080\/api\/v1\/pki\/ocsp\/[0-9a-f-]{36}/);
    expect(text).toMatch(new RegExp(`CA Issuers - URI:http://127.0.0.1:8080/api/v1/pki/ca/${ca.id}/certificates/`));
  });

  it.skipIf(judges.isMissing).each(KEY_TYPES)(
    `of an authority with a key of the kind %s passes openssl and certtool, whatever the kind of its own${judges.orSkipped}`,
    async (keyAlgorithm) => {
      const root = await makeIssuer(test, projectId, { keyAlgorithm });
      for (const own of new Set([keyAlgorithm, 'EC_prime256v1', 'ED25519'])) {
        const { certificate, privateKey } = await issue({ keyAlgorithm: own }, root.id);
        const { code, text } = verify(certificate, root.certificate, ['-verify_hostname', 'app.example.com']);
        expect([own, code, text]).toEqual([own, 0, 'leaf.pem: OK\n']);
        const judged = openssl(
          [
            ...['--verify', '--load-ca-certificate', 'root.pem', '--infile', 'leaf.pem'],
            ...['--verify-hostname', 'app.example.com'],
          ],
          { 'root.pem': root.certificate, 'leaf.pem': certificate },
          'certtool',
        );
        expect([own, judged.code, judged.text]).toEqual([own, 0, expect.stringContaining('Verified.')]);
        expect(new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey))).toBe(true);
      }
    },
    300_000,
  );

  it('has the chain of an intermediate with it', async () => {
    const between = await makeIssuer(test, projectId, {
      type: 'intermediate',
      parentCaId: ca.id,
      notAfter: inDays(900),
    });
    const issued = await issue({}, between.id);
    expect(issued.issuingCaCertificate).toBe(between.certificate);
    expect(issued.certificateChain).toBe(`${between.certificate}${ca.certificate}`);
    expect(verify(issued.certificate, ca.certificate, [], between.certificate).text).toBe('leaf.pem: OK\n');
    expect(verify(issued.certificate, ca.certificate).code).not.toBe(0);
  });

  it('has the usages that the key supports, and the requested ones', async () => {
    const usages = async (more: object) => {
      const { certificate } = await issue(more);
      const { text } = openssl(['x509', '-noout', '-ext', 'keyUsage,extendedKeyUsage', '-in', 'a.pem'], {
        'a.pem': certificate,
      });
      return text.split('\n').flatMap((line) => (/^ {4}/.test(line) ? [line.trim()] : []));
    };
    expect(await usages({})).toEqual(['Digital Signature']);
    expect(await usages({ keyAlgorithm: 'RSA_2048' })).toEqual(['Digital Signature, Key Encipherment']);
    expect(
      await usages({
        keyUsages: ['digitalSignature', 'keyAgreement'],
        extendedKeyUsages: ['serverAuth', 'clientAuth'],
      }),
    ).toEqual(['Digital Signature, Key Agreement', 'TLS Web Server Authentication, TLS Web Client Authentication']);
  });

  it('accepts the authority in the body as well, and requires one', async () => {
    const issued = ok(await test.admin('POST', `${V1}/issue-certificate`, order({ caId: ca.id })));
    expect(verify(issued.certificate, ca.certificate).code).toBe(0);
    expect(await test.admin('POST', `${V1}/issue-certificate`, order())).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('caId') },
    });
  });

  it.each([
    ['a name that is none', { altNames: 'ex ample.com' }, 'alt_name.dns'],
    ['a wildcard in the middle', { altNames: 'a.*.example.com' }, 'alt_name.wildcard'],
    ['no name at all', { commonName: '', altNames: '' }, 'certificate.nameless'],
    ['a common name that is too long', { commonName: 'x'.repeat(65) }, 'subject.too_long'],
    ['a name that reads in another order', { commonName: 'moc.elpmaxe\u202e' }, 'subject.characters'],
    ['a moment that is over before it is issued', { ttl: '1ms' }, 'certificate.validity'],
    [
      'a time that is over',
      { ttl: undefined, notAfter: new Date(Date.now() - 5_000).toISOString() },
      'certificate.validity',
    ],
    ['more time than the authority has', { ttl: '100y' }, 'certificate.validity'],
    ['more time than there is', { ttl: '999999999y' }, 'certificate.validity'],
    [
      'an end before its beginning',
      { ttl: undefined, notBefore: '2030-01-02T00:00:00Z', notAfter: '2030-01-01T00:00:00Z' },
      'certificate.validity',
    ],
    ['a beginning before the authority', { notBefore: '2020-01-01T00:00:00Z' }, 'certificate.validity'],
    ['a key that signs certificates', { keyUsages: ['keyCertSign'] }, 'certificate.key_usage'],
    ['a key that signs revocation lists', { keyUsages: ['cRLSign'] }, 'certificate.key_usage'],
    ['a usage that the key has not', { keyUsages: ['keyEncipherment'] }, 'rfc5280.key_usage_of_key'],
    [
      'usages that contradict each other',
      { keyUsages: ['keyAgreement'], extendedKeyUsages: ['codeSigning'] },
      'rfc5280.extended_key_usage_consistent',
    ],
  ])('is refused for %s, by the name of the rule', async (_, more, rule) => {
    const { status, body } = await test.admin('POST', `/api/v1/pki/ca/${ca.id}/issue-certificate`, order(more));
    expect([status, body.details?.findings?.[0]?.rule, body.message]).toEqual([
      400,
      rule,
      expect.stringContaining(`(${rule})`),
    ]);
  });

  it.each([
    { ttl: 'soon' },
    { ttl: '0' },
    { notAfter: 'tomorrow' },
    { commonName: 'a\0b' },
    { keyUsages: ['everything'] },
    { keyAlgorithm: 'DSA' },
    { friendlyName: 'x'.repeat(256) },
    { altNames: 5 },
  ])('is refused for fields that are none: %j', async (more) => {
    expect((await test.admin('POST', `/api/v1/pki/ca/${ca.id}/issue-certificate`, order(more))).status).toBe(422);
  });

  it('needs a time: ttl or notAfter', async () => {
    const { ttl: _, ...timeless } = order();
    expect((await test.admin('POST', `/api/v1/pki/ca/${ca.id}/issue-certificate`, timeless)).status).toBe(400);
    const notAfter = inDays(10);
    const { certificate } = ok(
      await test.admin('POST', `/api/v1/pki/ca/${ca.id}/issue-certificate`, { ...timeless, notAfter }),
    );
    expect(new X509Certificate(certificate).validToDate.getTime()).toBe(Math.floor(Date.parse(notAfter) / 1000) * 1000);
  });

  it('accepts times with a zone, without one (UTC), and days', async () => {
    const { ttl: _, ...timeless } = order();
    for (const [notAfter, end] of [
      ['2031-02-03', '2031-02-03T00:00:00.000Z'],
      ['2031-02-03T04:05:06', '2031-02-03T04:05:06.000Z'],
      ['2031-02-03T04:05:06+02:00', '2031-02-03T02:05:06.000Z'],
    ] as const) {
      const wanted = { ...timeless, notAfter };
      const { certificate } = ok(await test.admin('POST', `/api/v1/pki/ca/${ca.id}/issue-certificate`, wanted));
      expect(new X509Certificate(certificate).validToDate.toISOString()).toBe(end);
    }
  });

  it('stops with the authority: disabled, without a certificate, deleted', async () => {
    const { id } = await makeIssuer(test, projectId);
    await issue({}, id);
    const url = `/api/v1/cert-manager/ca/internal/${id}`;
    const refused = async () => (await test.admin('POST', `/api/v1/pki/ca/${id}/issue-certificate`, order())).status;
    ok(await test.admin('PATCH', url, { status: 'disabled' }));
    expect(await refused()).toBe(400);
    ok(await test.admin('PATCH', url, { status: 'active' }));
    await issue({}, id);
    ok(await test.admin('DELETE', url));
    expect(await refused()).toBe(404);
  });

  it('stops immediately in other processes with stale caches', async () => {
    const { id } = await makeIssuer(test, projectId);
    const other = await anotherProcess(test);
    try {
      const headers = { authorization: `Bearer ${test.adminIdentity.token}` };
      const url = `/api/v1/pki/ca/${id}/issue-certificate`;
      const there = async () => (await other.app.inject({ method: 'POST', url, headers, payload: order() })).statusCode;
      expect(await there()).toBe(200);
      ok(await test.admin('PATCH', `/api/v1/cert-manager/ca/internal/${id}`, { status: 'disabled' }));
      expect(await there()).toBe(400);
      ok(await test.admin('DELETE', `/api/v1/cert-manager/ca/internal/${id}`));
      expect([400, 404]).toContain(await there());
    } finally {
      await other.close();
    }
  });

  it('may be by templates alone', async () => {
    const { id } = await makeIssuer(test, projectId, {}, { enableDirectIssuance: false });
    expect(await test.admin('POST', `/api/v1/pki/ca/${id}/issue-certificate`, order())).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('certificate_authority.no_direct_issuance') },
    });
  });

  it('stays within the name constraints of every authority above', async () => {
    const root = await makeIssuer(test, projectId, {
      nameConstraints: {
        permitted: [
          { type: 'dns', value: 'example.com' },
          { type: 'ip', value: '10.0.0.0/8' },
        ],
        excluded: [{ type: 'dns', value: 'secret.example.com' }],
      },
    });
    const between = await makeIssuer(test, projectId, {
      type: 'intermediate',
      parentCaId: root.id,
      notAfter: inDays(900),
    });
    for (const { id } of [root, between]) {
      await issue({}, id);
      for (const names of ['a.example.org', 'a.secret.example.com', '*.example.com', '192.168.0.1', 'notexample.com']) {
        const wanted = order({ commonName: '', altNames: names });
        const { status, body } = await test.admin('POST', `/api/v1/pki/ca/${id}/issue-certificate`, wanted);
        expect([names, status, body.details?.findings?.[0]?.rule]).toEqual([names, 400, 'authority.name_constraints']);
      }
    }
  });

  it('is stored with its event by one statement, after few others', async () => {
    await issue();
    const client = await test.coffer.pool.connect();
    client.release();
    const asked = vi.spyOn(Object.getPrototypeOf(client) as typeof client, 'query');
    let said: string[];
    try {
      await issue();
      said = asked.mock.calls.map(([one]) => (typeof one === 'string' ? one : (one as { text: string }).text));
    } finally {
      asked.mockRestore();
    }
    const writes = said.filter((one) => /^begin|insert into/i.test(one));
    expect(writes).toEqual([expect.stringMatching(/insert into certificates[^;]*insert into audit_events/)]);
    expect(said.length).toBeLessThanOrEqual(9);
  });
});
