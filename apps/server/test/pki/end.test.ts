import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readCrl } from '@coffer/domain/testing';
import { reapRetiredKeys } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CA,
  Certificates,
  createAuthority,
  DAY,
  NEWER,
  ok,
  ordered,
  V1,
  type MadeAuthority,
  type MadeCertificate,
} from '../harness/certificates.ts';
import { makeRequest } from '../harness/csr.ts';
import { openssl } from '../harness/openssl.ts';
import { judgeOcsp, ocspOf, rawly } from '../harness/revocation.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let of: Certificates;
let raw: ReturnType<typeof rawly>;
beforeAll(async () => {
  test = await testServer();
  of = await Certificates.in(test);
  raw = rawly(test);
});
afterAll(() => test.close());

const at = () => ['-attime', String(Math.floor(test.coffer.now().getTime() / 1000))];
const statusOf = async (ca: MadeAuthority, { certificate }: Pick<MadeCertificate, 'certificate'>) => {
  const { text } = judgeOcsp(ca, certificate, await ocspOf(test, ca, certificate), at());
  expect(text).toContain('Response verify OK');
  return /Cert Status: (\w+)/.exec(text)?.[1];
};
const listOf = async ({ keyId }: MadeAuthority) => {
  const { status, octets } = await raw('GET', `/api/v1/pki/crl/${keyId}/der`);
  expect(status).toBe(200);
  return { der: octets, crl: readCrl(octets) };
};
const reasons = ({ crl }: Awaited<ReturnType<typeof listOf>>) =>
  Object.fromEntries([...crl.entries].map(([serial, { reason }]) => [serial, reason]));
/** What OpenSSL makes of the certificate by the list of its authority. */
const verify = (ca: MadeAuthority, leaf: MadeCertificate, der: Buffer) =>
  openssl(['verify', '-crl_check', ...at(), '-CAfile', 'ca.pem', '-CRLfile', 'list.pem', 'leaf.pem'], {
    'ca.pem': ca.certificate,
    'leaf.pem': leaf.certificate,
    'list.pem': `-----BEGIN X509 CRL-----\n${der.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END X509 CRL-----\n`,
  }).text;

describe('deleting a valid certificate', () => {
  it('revokes it: OCSP and the revocation list report its number until it has expired', async () => {
    const ca = await of.authority();
    const leaf = await of.issue(ca.id, { ttl: '10d' });
    ok(await test.admin('DELETE', `${V1}/${leaf.serialNumber}`));
    expect(await statusOf(ca, leaf)).toBe('revoked');
    await of.rebuild(ca.keyId);
    const list = await listOf(ca);
    expect(reasons(list)).toEqual({ [leaf.serialNumber]: 'CESSATION_OF_OPERATION' });
    expect(verify(ca, leaf, list.der)).toContain('certificate revoked');
  });

  it('keeps the reason of an earlier revocation, and needs no entry for an expired one', async () => {
    const ca = await of.authority();
    const [revoked, ended] = [await of.issue(ca.id), await of.issue(ca.id, { ttl: '1d' })];
    await of.revoke(revoked, 'KEY_COMPROMISE');
    test.advance(2 * DAY);
    try {
      for (const one of [revoked, ended]) ok(await test.admin('DELETE', `${V1}/${one.serialNumber}`));
      await of.rebuild(ca.keyId);
      expect(reasons(await listOf(ca))).toEqual({ [revoked.serialNumber]: 'KEY_COMPROMISE' });
    } finally {
      test.advance(-2 * DAY);
    }
  });

  it('happens once, for two concurrent deletions and one revocation', async () => {
    const ca = await of.authority();
    const leaf = await of.issue(ca.id);
    const answers = await Promise.all([
      test.admin('DELETE', `${NEWER}/${leaf.id}`),
      test.admin('DELETE', `${NEWER}/${leaf.id}`),
      test.admin('POST', `${NEWER}/${leaf.id}/revoke`, { revocationReason: 'SUPERSEDED' }),
    ]);
    expect(new Set([answers[0].status, answers[1].status])).toEqual(new Set([200, 404]));
    expect([200, 400, 404]).toContain(answers[2].status);
    expect(await statusOf(ca, leaf)).toBe('revoked');
  });
});

describe('deleting an authority', () => {
  it('leaves a last revocation list and OCSP answers at the same addresses, which OpenSSL accepts', async () => {
    for (const keyAlgorithm of ['EC_prime256v1', 'RSA_2048']) {
      const ca = await of.authority(keyAlgorithm);
      const [leaf, compromised, last] = [
        await of.issue(ca.id),
        await of.issue(ca.id),
        await of.issue(ca.id, { ttl: '300d' }),
      ];
      await of.revoke(compromised, 'KEY_COMPROMISE');
      await of.rebuild(ca.keyId);
      const before = (await listOf(ca)).crl.number;
      ok(await test.admin('DELETE', `${CA}/${ca.id}`));
      const list = await listOf(ca);
      expect(list.crl.number).toBe(before! + 1n);
      expect(reasons(list)).toEqual({
        [leaf.serialNumber]: 'CESSATION_OF_OPERATION',
        [compromised.serialNumber]: 'KEY_COMPROMISE',
        [last.serialNumber]: 'CESSATION_OF_OPERATION',
      });
      const end = new X509Certificate(last.certificate).validToDate;
      expect(list.crl.nextUpdate).toEqual(end);
      expect(verify(ca, leaf, list.der)).toContain('certificate revoked');
      for (const one of [leaf, compromised, last]) expect(await statusOf(ca, one)).toBe('revoked');
      const { rows } = await test.coffer.pool.query('select 1 from ca_keys where id = $1', [ca.keyId]);
      expect(rows).toEqual([]);
      expect((await raw('GET', `/api/v1/pki/crl/${ca.keyId}`)).octets.toString()).toContain('BEGIN X509 CRL');
    }
  });

  it('covers all of its keys, and revokes and disables the authorities below', async () => {
    const ca = await of.authority();
    const older = await of.issue(ca.id);
    const below = await createAuthority(test.admin, {
      projectId: of.projectId,
      configuration: { type: 'intermediate', parentCaId: ca.id },
    });
    const notAfter = new Date(test.coffer.now().getTime() + 3000 * DAY).toISOString();
    const { certificate } = ok(await test.admin('POST', `${CA}/${ca.id}/renew`, { type: 'new', notAfter }));
    const now = { ...ca, certificate, keyId: await of.keyOf(ca.id) };
    const newer = await of.issue(ca.id);
    ok(await test.admin('DELETE', `${CA}/${ca.id}`));
    expect([await statusOf(ca, older), await statusOf(now, newer)]).toEqual(['revoked', 'revoked']);
    expect(Object.keys(reasons(await listOf(ca)))).toContain(below.configuration.serialNumber);
    expect(ok(await test.admin('GET', `${CA}/${below.id}`)).status).toBe('disabled');
  });

  it('ends when the last certificate has expired', async () => {
    const ca = await of.authority();
    const leaf = await of.issue(ca.id, { ttl: '30d' });
    ok(await test.admin('DELETE', `${CA}/${ca.id}`));
    const platform = test.coffer.contextFor({ type: 'platform', organizationId: undefined });
    test.advance(29 * DAY);
    try {
      await reapRetiredKeys.run(platform, {}, {} as never);
      expect(await statusOf(ca, leaf)).toBe('revoked');
      test.advance(2 * DAY);
      await reapRetiredKeys.run(platform, {}, {} as never);
      expect((await raw('GET', `/api/v1/pki/crl/${ca.keyId}`)).status).toBe(404);
      test.advance(-2 * DAY);
    } finally {
      test.advance(-29 * DAY);
    }
  });

  it('leaves no valid certificate under concurrent issuing and deletion', async () => {
    const ca = await of.authority();
    const issue = () => test.admin('POST', `/api/v1/pki/ca/${ca.id}/issue-certificate`, ordered());
    const first = ok(await issue());
    const [one, other, ...issued] = await Promise.all([
      test.admin('DELETE', `${CA}/${ca.id}`),
      test.admin('DELETE', `${CA}/${ca.id}`),
      ...Array.from({ length: 6 }, issue),
    ]);
    expect(new Set([one.status, other.status])).toEqual(new Set([200, 404]));
    expect([200, 400, 404]).toEqual(expect.arrayContaining([...new Set(issued.map(({ status }) => status))]));
    const made = issued.filter(({ status }) => status === 200);
    for (const { body } of made) expect(await statusOf(ca, body)).toBe('revoked');
    expect(await statusOf(ca, first)).toBe('revoked');
  });
});

it('a deleted project leaves the last list and responses of its authorities', async () => {
  const { id: projectId } = await test.project();
  const own = new Certificates(test, projectId);
  const ca = await own.authority();
  const leaf = await own.issue(ca.id);
  ok(await test.admin('DELETE', `/api/v1/projects/${projectId}`));
  expect(await statusOf(ca, leaf)).toBe('revoked');
  expect(verify(ca, leaf, (await listOf(ca)).der)).toContain('certificate revoked');
});

describe('a key that was revoked as compromised', () => {
  it('is certified no more in the project of the certificate, by whatever request or authority', async () => {
    const ca = await of.authority();
    const { csr, key } = makeRequest();
    const sign = (caId: string, request = csr) =>
      test.admin('POST', `/api/v1/pki/ca/${caId}/sign-certificate`, { csr: request, ttl: '1d' });
    const { serialNumber } = ok(await sign(ca.id));
    const twin = ok(await sign(ca.id));
    ok(await test.admin('POST', `${V1}/${serialNumber}/revoke`, { revocationReason: 'KEY_COMPROMISE' }));
    const again = makeRequest({ subject: '/CN=other.example.com', key: createPrivateKey(key) }).csr;
    const [other, elsewhere] = [
      await of.authority(),
      await new Certificates(test, (await test.project()).id).authority(),
    ];
    for (const [caId, request] of [
      [ca.id, csr],
      [ca.id, again],
      [other.id, again],
    ] as const)
      expect((await sign(caId, request)).body.details.findings).toMatchObject([
        { rule: 'certificate.key_compromised' },
      ]);
    const renewal = { csr };
    expect((await test.admin('POST', `${NEWER}/${twin.certificateId}/renew`, renewal)).status).toBe(400);
    const notAfter = new Date(test.coffer.now().getTime() + 30 * DAY).toISOString();
    const below = await test.admin('POST', `${CA}/${ca.id}/sign-intermediate`, { csr: again, notAfter });
    expect([below.status, below.body.error ?? below.body.code]).toEqual([400, expect.anything()]);
    expect((await sign(ca.id, makeRequest().csr)).status).toBe(200);
    // The revoking caller has not proved possession of the key: others have theirs certified as before.
    expect((await sign(elsewhere.id, again)).status).toBe(200);
  });
});
