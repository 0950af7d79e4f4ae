import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, eventsOf, issueBy, makeIssuer, NEWER, ok, V1, type Issuer } from '../../harness/certificates.ts';
import { makeRequest } from '../../harness/csr.ts';
import { TIME, UUID } from '../../harness/folder-tree.ts';
import { issuingServer } from '../../harness/issuing.ts';
import { openssl } from '../../harness/openssl.ts';
import type { TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let projectId: string;
let ca: Issuer;
beforeAll(async () => {
  ({ test, projectId, ca } = await issuingServer());
});
afterAll(() => test.close());

const inDays = (days: number) => new Date(test.coffer.now().getTime() + days * DAY).toISOString();
const issue = (more: object = {}, caId = ca.id) =>
  issueBy(test, caId, { altNames: 'app.example.com, 10.1.2.3', ...more });

describe('reading a certificate', () => {
  it('by its serial number returns exactly the published fields', async () => {
    const { serialNumber, certificateId } = await issue({ friendlyName: 'App', extendedKeyUsages: ['serverAuth'] });
    const certificate = {
      id: certificateId,
      caId: ca.id,
      caCertId: UUID,
      certificateTemplateId: null,
      createdAt: TIME,
      updatedAt: TIME,
      notBefore: TIME,
      notAfter: TIME,
      revokedAt: null,
      status: 'active',
      serialNumber,
      friendlyName: 'App',
      commonName: 'app.example.com',
      altNames: 'app.example.com, 10.1.2.3',
      revocationReason: null,
      keyUsages: ['digitalSignature'],
      extendedKeyUsages: ['serverAuth'],
    };
    const answered = ok(await test.admin('GET', `${V1}/${serialNumber}`));
    expect({ ...answered.certificate, altNames: answered.certificate.altNames.split(/, ?/).join(', ') }).toEqual(
      certificate,
    );
    expect(Object.keys(answered)).toEqual(['certificate']);
    const asPrinted = serialNumber.match(/../g)!.join(':');
    for (const name of [certificateId, serialNumber.toUpperCase(), certificateId.toUpperCase(), asPrinted])
      expect(ok(await test.admin('GET', `${V1}/${name}`))).toEqual(answered);
  });

  it('by its ID returns all its data', async () => {
    const { serialNumber, certificateId, certificate: pem } = await issue();
    const leaf = new X509Certificate(pem);
    const bare = (text: string) => text.replaceAll(':', '').toLowerCase();
    const { certificate } = ok(await test.admin('GET', `${NEWER}/${certificateId}`));
    expect(certificate).toMatchObject({
      id: certificateId,
      projectId,
      serialNumber,
      status: 'active',
      keyAlgorithm: 'EC_prime256v1',
      signatureAlgorithm: 'ECDSA-SHA256',
      source: 'issue',
      hasPrivateKey: true,
      subject: { commonName: 'app.example.com', organization: null, domainComponents: [] },
      subjectAltNames: [
        { type: 'dns', value: 'app.example.com' },
        { type: 'ip', value: '10.1.2.3' },
      ],
      fingerprint: bare(leaf.fingerprint256),
      fingerprints: { sha256: bare(leaf.fingerprint256), sha1: bare(leaf.fingerprint) },
      basicConstraints: { isCA: false, pathLength: null },
      caName: ca.name,
      caType: 'internal',
      renewedFromCertificateId: null,
      renewedByCertificateId: null,
      latestRenewalCertificateId: null,
      metadata: [],
    });
    expect(ok(await test.admin('GET', `${NEWER}/${bare(leaf.fingerprint256)}`)).certificate).toEqual(certificate);
  });

  it('returns body, chain, private key and bundle, and records who read the key', async () => {
    const issued = await issue();
    const { serialNumber, certificateId, certificate, certificateChain, privateKey } = issued;
    for (const base of [`${V1}/${serialNumber}`, `${NEWER}/${certificateId}`]) {
      expect(ok(await test.admin('GET', `${base}/certificate`))).toEqual({
        certificate,
        certificateChain,
        serialNumber,
      });
      expect(ok(await test.admin('GET', `${base}/bundle`))).toEqual({
        certificate,
        certificateChain,
        privateKey,
        serialNumber,
      });
      const key = await test.admin('GET', `${base}/private-key`);
      expect([key.status, key.body, key.headers['content-type'], key.headers['cache-control']]).toEqual([
        200,
        privateKey,
        'text/plain; charset=utf-8',
        'no-store',
      ]);
    }
    expect((await eventsOf(test, { certificateId })).slice(1)).toEqual([
      'certificate.bundle_read',
      'certificate.private_key_read',
      'certificate.bundle_read',
      'certificate.private_key_read',
    ]);
  });

  it('returns a PKCS #12 bundle with a password, which OpenSSL opens', async () => {
    const { serialNumber, certificateId, certificate, privateKey } = await issue();
    for (const base of [`${V1}/${serialNumber}`, `${NEWER}/${certificateId}`]) {
      const url = `${base}/pkcs12`;
      const token = test.adminIdentity.token;
      const { statusCode, headers, rawPayload } = await test.app.inject({
        method: 'POST',
        url,
        headers: { authorization: `Bearer ${token}` },
        payload: { password: 'correct horse', alias: 'app' },
      });
      expect([statusCode, headers['content-type']]).toEqual([200, 'application/x-pkcs12']);
      const open = (password: string) =>
        openssl(['pkcs12', '-in', 'a.p12', '-nodes', '-passin', `pass:${password}`], { 'a.p12': rawPayload });
      const opened = open('correct horse');
      expect([opened.code, opened.text]).toEqual([0, expect.stringContaining('friendlyName: app')]);
      const inside = [...opened.text.matchAll(/-----BEGIN (?:CERTIFICATE|PRIVATE KEY)-----[\s\S]+?-----END .+-----/g)];
      expect(new Set(inside.map(([pem]) => `${pem}\n`))).toEqual(new Set([certificate, privateKey, ca.certificate]));
      expect((await test.admin('POST', url, { password: '' })).status).toBe(422);
      expect(open('wrong').code).not.toBe(0);
    }
    expect((await eventsOf(test, { certificateId })).slice(1)).toEqual([
      'certificate.exported',
      'certificate.exported',
    ]);
  });

  it('has no private key if it was generated elsewhere', async () => {
    const { csr } = makeRequest();
    const signed = ok(await test.admin('POST', `/api/v1/pki/ca/${ca.id}/sign-certificate`, { csr, ttl: '1d' }));
    expect(signed).not.toHaveProperty('privateKey');
    const base = `${V1}/${signed.serialNumber}`;
    expect((await test.admin('GET', `${base}/private-key`)).status).toBe(400);
    expect((await test.admin('POST', `${base}/pkcs12`, { password: 'x' })).status).toBe(400);
    expect(ok(await test.admin('GET', `${base}/bundle`))).toMatchObject({ privateKey: null });
  });

  it('stores the findings of the linter before signing', async () => {
    const { certificateId } = await issue({ extendedKeyUsages: ['timeStamping', 'clientAuth'] });
    expect(ok(await test.admin('GET', `${NEWER}/${certificateId}/lint`))).toEqual({
      findings: [
        { rule: 'rfc3161.time_stamping_alone', severity: 'warning', message: expect.stringContaining('time-stamping') },
      ],
    });
    const { certificateId: clean } = await issue();
    expect(ok(await test.admin('GET', `${NEWER}/${clean}/lint`))).toEqual({ findings: [] });
  });

  it('stores no private key in plaintext', async () => {
    const { privateKey, certificateId } = await issue();
    const secret = createPrivateKey(privateKey).export({ type: 'pkcs8', format: 'der' });
    const { rows } = await test.coffer.pool.query<{ private_key: Buffer }>(
      'select private_key from certificates where id = $1',
      [certificateId],
    );
    expect(rows[0]!.private_key.includes(secret.subarray(40, 60))).toBe(false);
  });

  it.each(['nothing', 'ff'.repeat(20), randomUUID(), 'ab'.repeat(32), 'ab'.repeat(500), '-1', '%00'])(
    'is 404 for a name that none has: %s',
    async (name) => {
      const { status, body } = await test.admin('GET', `${V1}/${name}`);
      expect([status, body.message]).toEqual([404, 'There is no such certificate']);
    },
  );
});

describe('the certificates of a project', () => {
  it('are listed and searched: by page, authority, status, names, time and metadata', async () => {
    const { id: own, slug: ownSlug } = await test.project();
    const [first, second] = [await makeIssuer(test, own), await makeIssuer(test, own)];
    const made: Record<string, string> = {};
    for (const [name, caId, more] of [
      ['a', first.id, { friendlyName: 'Alpha' }],
      ['b', first.id, { ttl: '1d' }],
      ['c', second.id, {}],
    ] as const) {
      const { certificateId } = await issue({ commonName: `${name}.example.com`, altNames: '', ...more }, caId);
      made[certificateId] = name;
    }
    const idOf = (name: string) => Object.entries(made).find(([, one]) => one === name)![0];
    ok(await test.admin('POST', `${NEWER}/${idOf('c')}/revoke`, { revocationReason: 'SUPERSEDED' }));
    ok(await test.admin('PATCH', `${NEWER}/${idOf('a')}`, { metadata: [{ key: 'team', value: 'red' }] }));
    const namesOf = (body: { certificates: { id: string }[] }) => body.certificates.map(({ id }) => made[id]);
    const search = async (more: object) =>
      ok(await test.admin('POST', `/api/v1/projects/${own}/certificates/search`, more));
    const list = async (query: string) => ok(await test.admin('GET', `${NEWER}?projectId=${own}${query}`));

    const all = await list('');
    expect([namesOf(all), all.totalCount]).toEqual([['c', 'b', 'a'], 3]);
    expect(all.certificates[0]).toMatchObject({
      projectId: own,
      status: 'revoked',
      revocationReason: 4,
      revokedAt: TIME,
    });
    const page = await list('&offset=1&limit=1&sortBy=commonName&sortOrder=asc');
    expect([namesOf(page), page.totalCount]).toEqual([['b'], 3]);
    expect(namesOf(await list(`&caId=${first.id}`))).toEqual(['b', 'a']);
    expect(namesOf(await list('&status=active'))).toEqual(['b', 'a']);
    expect(namesOf(await list('&commonName=a.example.com'))).toEqual(['a']);
    expect(namesOf(await list('&friendlyName=Alpha'))).toEqual(['a']);
    expect(namesOf(await list('&caId=none'))).toEqual([]);
    expect(namesOf(await search({ search: 'LPHA' }))).toEqual(['a']);
    expect(namesOf(await search({ caIds: [second.id] }))).toEqual(['c']);
    expect(namesOf(await search({ status: ['revoked', 'expired'] }))).toEqual(['c']);
    expect(namesOf(await search({ metadata: [{ key: 'team' }] }))).toEqual(['a']);
    expect(namesOf(await search({ metadata: [{ key: 'team', value: 'blue' }] }))).toEqual([]);
    expect(namesOf(await search({ notAfterTo: inDays(2) }))).toEqual(['b']);
    expect(namesOf(await search({ fromDate: inDays(1) }))).toEqual([]);
    expect(namesOf(await search({ profileIds: [randomUUID()] }))).toEqual([]);
    const older = ok(await test.admin('GET', `/api/v2/workspace/${ownSlug}/certificates?commonName=b.example.com`));
    expect([namesOf(older), older.totalCount]).toEqual([['b'], 1]);
    expect(Object.keys(older.certificates[0])).not.toContain('projectId');
    expect((await test.admin('GET', `${NEWER}?projectId=${own}&limit=0`)).status).toBe(422);
    expect((await test.admin('GET', `${NEWER}?projectId=${own}&status=other`)).status).toBe(422);
    expect((await test.admin('GET', `/api/v2/workspace/none/certificates`)).status).toBe(404);

    test.advance(2 * DAY);
    try {
      expect(namesOf(await search({ status: 'expired' }))).toEqual(['b']);
      expect((await list('&status=expired')).certificates[0].status).toBe('expired');
    } finally {
      test.advance(-2 * DAY);
    }
  });
});

describe('deleting a certificate', () => {
  it('revokes it, and returns it a last time', async () => {
    const { certificateId, serialNumber } = await issue();
    const deleted = ok(await test.admin('DELETE', `${V1}/${serialNumber}`));
    expect(deleted.certificate).toMatchObject({
      id: certificateId,
      serialNumber,
      status: 'revoked',
      revocationReason: 5,
    });
    expect((await test.admin('GET', `${V1}/${serialNumber}`)).status).toBe(404);
    expect((await test.admin('DELETE', `${NEWER}/${certificateId}`)).status).toBe(404);
    expect(await eventsOf(test, { certificateId })).toEqual([
      'certificate.issued',
      'certificate.revoked',
      'certificate.deleted',
    ]);
  });
});
