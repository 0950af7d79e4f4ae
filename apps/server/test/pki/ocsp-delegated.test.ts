import { X509Certificate } from 'node:crypto';
import { dueResponders, makeDueResponder } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CA,
  Certificates,
  createAuthority,
  DAY,
  eventsOf,
  KEY_TYPES,
  ok,
  ordered,
  type MadeAuthority,
} from '../harness/certificates.ts';
import { openssl } from '../harness/openssl.ts';
import { addKeys, judgeOcsp, ocspOf } from '../harness/revocation.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let of: Certificates;
beforeAll(async () => {
  test = await testServer();
  of = await Certificates.in(test);
});
afterAll(() => test.close());

const delegated = async (keyAlgorithm?: string): Promise<MadeAuthority> => {
  const ca = await of.authority(keyAlgorithm);
  expect(ok(await test.admin('PATCH', `${CA}/${ca.id}`, { ocspResponder: 'delegated' })).ocspResponder).toBe(
    'delegated',
  );
  return ca;
};
/** The certificate in an answer, as OpenSSL prints it. */
const responderIn = (answer: Buffer) => {
  const { text } = openssl(['ocsp', '-respin', 'a.der', '-noverify', '-resp_text'], { 'a.der': answer });
  const [pem] = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(text) ?? [];
  return pem === undefined ? undefined : { text, certificate: new X509Certificate(pem) };
};
const at = () => ['-attime', String(Math.floor(test.coffer.now().getTime() / 1000))];

/** Makes what is due for an authority. */
async function runSchedule({ keyId }: MadeAuthority): Promise<void> {
  const platform = test.coffer.contextFor({ type: 'platform', organizationId: undefined });
  await dueResponders.run(platform, {}, {} as never);
  const { rows } = await test.coffer.pool.query<{ payload: { organizationId: string; caKeyId: string } }>(
    `delete from graphile_worker._private_jobs where payload ->> 'caKeyId' = $1 returning payload`,
    [keyId],
  );
  for (const { payload } of rows) await makeDueResponder.run(platform, payload, {} as never);
}

describe('a delegated responder', () => {
  it.each(KEY_TYPES.filter((type) => type !== 'RSA_3072' && type !== 'RSA_4096'))(
    'answers for an authority with a key of the kind %s, as OpenSSL verifies',
    async (keyAlgorithm) => {
      const ca = await delegated(keyAlgorithm);
      const [good, bad] = [await of.issue(ca.id), await of.issue(ca.id)];
      await of.revoke(bad, 'KEY_COMPROMISE');
      for (const [leaf, status] of [
        [good, 'leaf.pem: good'],
        [bad, 'leaf.pem: revoked'],
      ] as const) {
        const answer = await ocspOf(test, ca, leaf.certificate);
        const { text } = judgeOcsp(ca, leaf.certificate, answer);
        expect([text.includes('Response verify OK'), text.includes(status)]).toEqual([true, true]);
        const { certificate, text: all } = responderIn(answer)!;
        expect(certificate.verify(new X509Certificate(ca.certificate).publicKey)).toBe(true);
        expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.9']);
        expect(all).toContain('OCSP No Check');
        expect(certificate.validToDate.getTime() - test.coffer.now().getTime()).toBeLessThanOrEqual(7 * DAY);
      }
    },
  );

  it('does not exist if the authority itself signs, and is deleted with that setting', async () => {
    const ca = await of.authority();
    const leaf = await of.issue(ca.id);
    expect(ok(await test.admin('GET', `${CA}/${ca.id}`)).ocspResponder).toBe('authority');
    expect(responderIn(await ocspOf(test, ca, leaf.certificate))).toBeUndefined();
    ok(await test.admin('PATCH', `${CA}/${ca.id}`, { ocspResponder: 'delegated' }));
    expect(responderIn(await ocspOf(test, ca, leaf.certificate))).toBeDefined();
    ok(await test.admin('PATCH', `${CA}/${ca.id}`, { ocspResponder: 'authority' }));
    expect(responderIn(await ocspOf(test, ca, leaf.certificate))).toBeUndefined();
  });

  it('is created once, however many ask at once, and renewed automatically in the middle of its validity', async () => {
    const ca = await delegated();
    const leaf = await of.issue(ca.id);
    const ask = async () => responderIn(await ocspOf(test, ca, leaf.certificate))!.certificate.serialNumber;
    const serials = new Set(await Promise.all(Array.from({ length: 4 }, ask)));
    expect(serials.size).toBe(1);
    test.advance(3 * DAY);
    expect(serials.has(await ask())).toBe(true);
    test.advance(1 * DAY);
    try {
      await runSchedule(ca);
      expect(serials.has(await ask())).toBe(false);
      const answer = await ocspOf(test, ca, leaf.certificate);
      expect(judgeOcsp(ca, leaf.certificate, answer, at()).text).toContain('Response verify OK');
      const made = (await eventsOf(test, { caId: ca.id })).filter((type) => type === 'ocsp_responder.issued');
      expect(made).toHaveLength(2);
    } finally {
      test.advance(-4 * DAY);
    }
  });

  it('is created by the schedule, however many of others cannot be', async () => {
    const { call } = await test.foreign();
    const others = ok(await call('POST', '/api/v1/projects', { projectName: 'Others' })).project.id;
    const { id } = await createAuthority(call, { projectId: others });
    ok(await call('PATCH', `${CA}/${id}`, { ocspResponder: 'delegated' }));
    await addKeys(test, id, 1000);
    const own = await delegated();
    await runSchedule(own);
    expect(await eventsOf(test, { caId: own.id })).toContain('ocsp_responder.issued');
    await test.coffer.pool.query('delete from certificate_authorities where id = $1', [id]);
  });

  it('continues for a renewed key, and for a disabled authority', async () => {
    const ca = await delegated();
    const leaf = await of.issue(ca.id);
    const notAfter = new Date(test.coffer.now().getTime() + 3000 * DAY).toISOString();
    ok(await test.admin('POST', `${CA}/${ca.id}/renew`, { type: 'new', notAfter }));
    ok(await test.admin('PATCH', `${CA}/${ca.id}`, { status: 'disabled' }));
    expect(judgeOcsp(ca, leaf.certificate, await ocspOf(test, ca, leaf.certificate)).text).toContain('leaf.pem: good');
  });

  it('never returns its key: the key is encrypted, and not a certificate of the project', async () => {
    const ca = await delegated();
    const leaf = await of.issue(ca.id);
    await ocspOf(test, ca, leaf.certificate);
    const { rows } = await test.coffer.pool.query<{ private_key: Buffer; body: Buffer }>(
      'select private_key, body from ocsp_responders where ca_key_id = $1',
      [ca.keyId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!.private_key.includes(Buffer.from('2a8648ce3d0201', 'hex'))).toBe(false);
    const fingerprint = new X509Certificate(rows[0]!.body).fingerprint256.replaceAll(':', '').toLowerCase();
    expect((await test.admin('GET', `/api/v1/pki/certificates/${fingerprint}`)).status).toBe(404);
  });
});

describe('a certificate that signs OCSP answers', () => {
  const issue = (call: TestServer['admin'], caId: string, more: object = {}) =>
    call('POST', `/api/v1/pki/ca/${caId}/issue-certificate`, ordered({ extendedKeyUsages: ['ocspSigning'], ...more }));

  it('is issued with the right to it on the authority, for 90 days, and is not checked', async () => {
    const ca = await of.authority();
    const { name } = ok(await test.admin('GET', `${CA}/${ca.id}`));
    const { certificate } = ok(await issue(test.admin, ca.id, { ttl: '90d' }));
    const text = openssl(['x509', '-in', 'a.pem', '-noout', '-text'], { 'a.pem': certificate }).text;
    expect([text.includes('OCSP Signing'), text.includes('OCSP No Check')]).toEqual([true, true]);
    expect((await issue(test.admin, ca.id, { ttl: '91d' })).body.details.findings).toMatchObject([
      { rule: 'certificate.ocsp_signing' },
    ]);
    const notBefore = new Date(test.coffer.now().getTime() + 365 * DAY).toISOString();
    expect((await issue(test.admin, ca.id, { notBefore, ttl: '1d' })).body.details.findings).toMatchObject([
      { rule: 'certificate.ocsp_signing' },
    ]);
    const create = { subject: 'certificates', action: 'create' };
    const right = (conditions: object) => ({
      ...{ subject: 'certificate-authorities', action: 'issue-ocsp-signing', conditions },
    });
    for (const [rules, status] of [
      [[create], 403],
      [[create, right({ name: 'other' })], 403],
      [[right({ name })], 403],
      [[create, right({ name })], 200],
    ] as const) {
      const { call } = await test.identity({ projectId: of.projectId, rules: rules as never });
      expect((await issue(call, ca.id)).status).toBe(status);
    }
  });
});
