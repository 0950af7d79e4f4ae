import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { removeOverAcme } from '@coffer/domain';
import { challengeServer } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountKey, AcmeClient, derOf, obtain } from '../../harness/acme-client.ts';
import { acmeWorld, refusal, type AcmeWorld } from '../../harness/acme.ts';
import { CA, createAuthority, DAY } from '../../harness/certificates.ts';
import { csrOf } from '../../harness/csr.ts';
import { ok } from '../../harness/groups.ts';

let world: AcmeWorld;
/** Anybody may have an account; names count as proved. */
let open: string;
beforeAll(async () => {
  if (challengeServer.isMissing) return;
  world = await acmeWorld();
  open = await world.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true });
});
afterAll(() => world?.close());

describe.skipIf(challengeServer.isMissing)(`a certificate${challengeServer.orSkipped}`, () => {
  let client: AcmeClient;
  beforeAll(async () => {
    client = await AcmeClient.withAccount(world, open);
  });
  const revoke = (by: AcmeClient, certificate: X509Certificate, reason?: unknown) =>
    by.post('revoke-cert', { certificate: derOf(certificate), ...(reason !== undefined && { reason }) });

  it('is read by the account that ordered it alone', async () => {
    const { order } = await obtain(client, ['read.example.com']);
    const other = await AcmeClient.withAccount(world, open);
    expect(refusal(await other.post(order.certificate))).toEqual([404, 'malformed']);
  });

  it('includes its chain, without the root', async () => {
    const configuration = { type: 'intermediate', commonName: 'Test Intermediate', parentCaId: world.caId };
    const below = await createAuthority(world.test.admin, { projectId: world.project.id, configuration });
    const bare = { skipEabBinding: true, skipDnsOwnershipVerification: true };
    const one = await AcmeClient.withAccount(world, await world.profile({ ...bare, caId: below.id }));
    const { pem, certificate } = await obtain(one, ['chain.example.com']);
    const chain = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) as string[];
    const [, issuer] = chain.map((text) => new X509Certificate(text));
    expect([chain.length, issuer!.subject, certificate.checkIssued(issuer!)]).toEqual([
      2,
      'CN=Test Intermediate',
      true,
    ]);
    const root = await ok(world.test.admin('GET', `${CA}/${world.caId}/certificate`));
    expect(issuer!.checkIssued(new X509Certificate(root.certificate))).toBe(true);
  });

  it('includes its known chain, if the root is external', async () => {
    const { test, project } = world;
    const make = async (commonName: string, parentCaId?: string) => {
      const configuration = { type: 'intermediate', commonName, parentCaId };
      return (await createAuthority(test.admin, { projectId: project.id, configuration })).id as string;
    };
    const [middle, lower] = [await make('Middle', world.caId), await make('Lower')];
    const { csr } = await ok(test.admin('GET', `${CA}/${lower}/csr`));
    const notAfter = new Date(test.coffer.now().getTime() + 200 * DAY).toISOString();
    const signed = await ok(test.admin('POST', `${CA}/${middle}/sign-intermediate`, { csr: csr.trim(), notAfter }));
    const { certificate, issuingCaCertificate: certificateChain } = signed;
    await ok(test.admin('POST', `${CA}/${lower}/import-certificate`, { certificate, certificateChain }));
    const bare = { skipEabBinding: true, skipDnsOwnershipVerification: true };
    const one = await AcmeClient.withAccount(world, await world.profile({ ...bare, caId: lower }));
    const { pem } = await obtain(one, ['elsewhere.example.com']);
    const chain = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) as string[];
    expect(chain.map((text) => new X509Certificate(text).subject || undefined)).toEqual([
      undefined,
      'CN=Lower',
      'CN=Middle',
    ]);
  });

  it('is revoked by its account, once, for a permitted reason', async () => {
    const { certificate } = await obtain(client, ['r1.example.com']);
    for (const reason of [2, 6, 7, 8, 10, 11, -1, 1.5])
      expect([reason, ...refusal(await revoke(client, certificate, reason))]).toEqual([
        reason,
        400,
        'badRevocationReason',
      ]);
    const answer = await revoke(client, certificate, 1);
    expect([answer.status, answer.body]).toEqual([200, '']);
    expect(refusal(await revoke(client, certificate, 1))).toEqual([400, 'alreadyRevoked']);
  });

  it('is revoked by another account that has proved all its names, and by no other', async () => {
    const id = await world.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true });
    const names = ['r2.example.com', '*.r2.example.com'];
    const [owner, other] = [await AcmeClient.withAccount(world, id), await AcmeClient.withAccount(world, id)];
    const [one, another] = [(await obtain(owner, names)).certificate, (await obtain(owner, names)).certificate];
    expect(refusal(await revoke(other, one))).toEqual([403, 'unauthorized']);
    // Names without validation prove nothing.
    expect((await other.order(...names)).body.status).toBe('ready');
    expect(refusal(await revoke(other, one))).toEqual([403, 'unauthorized']);
    await world.skipOwnership(id, false);
    try {
      const { body } = await other.order(...names);
      for (const url of body.authorizations) expect((await other.prove(url, 'dns-01')).body.status).toBe('valid');
      expect((await revoke(other, one)).status).toBe(200);
      await other.post(body.authorizations[0], { status: 'deactivated' });
      expect(refusal(await revoke(other, another))).toEqual([403, 'unauthorized']);
    } finally {
      await world.rest();
    }
  });

  it('is revoked by the holder of its key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const csr = csrOf({ extensions: ['subjectAltName=DNS:r3.example.com'], key: privateKey });
    const { certificate } = await obtain(client, ['r3.example.com'], {}, csr);
    const payload = { certificate: derOf(certificate), reason: 1 };
    expect(refusal(await client.byKey('revoke-cert', payload, { key: accountKey() }))).toEqual([403, 'unauthorized']);
    const key = { privateKey, jwk: publicKey.export({ format: 'jwk' }), alg: 'RS256' };
    expect((await client.byKey('revoke-cert', payload, { key })).status).toBe(200);
  });

  it('is not there for another profile', async () => {
    const { certificate } = await obtain(client, ['r4.example.com']);
    const other = await AcmeClient.withAccount(world, await world.profile({ skipEabBinding: true }));
    expect(refusal(await revoke(other, certificate))).toEqual([404, 'malformed']);
    expect(refusal(await client.post('revoke-cert', { certificate: 'AAAA' }))).toEqual([404, 'malformed']);
  });

  it('suggests its renewal time (RFC 9773), and is replaced once', async () => {
    const { certificate } = await obtain(client, ['ari.example.com']);
    const certId = certIdOf(certificate);
    const info = (id: string) => world.test.app.inject({ url: client.pathOf(`renewal-info/${id}`) });
    const first = await info(certId);
    expect([first.statusCode, first.headers['retry-after']]).toEqual([200, '21600']);
    const { start, end } = first.json().suggestedWindow;
    const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
    expect([(Date.parse(start) - from) / (to - from), (Date.parse(end) - from) / (to - from)]).toEqual([
      expect.closeTo(2 / 3, 4),
      expect.closeTo(5 / 6, 4),
    ]);
    for (const [id, status] of [
      ['x', 400],
      ['a.b.c', 400],
      [`${certId.split('.')[0]}.AAAA`, 404],
    ] as const)
      expect((await info(id)).statusCode).toBe(status);

    const replaces = { replaces: certId };
    const identifiers = [{ type: 'dns', value: 'other.example.com' }];
    const other = await AcmeClient.withAccount(world, open);
    expect(
      refusal(await other.post('new-order', { identifiers: [{ type: 'dns', value: 'ari.example.com' }], ...replaces })),
    ).toEqual([400, 'malformed']);
    expect(refusal(await client.post('new-order', { identifiers, ...replaces }))).toEqual([400, 'malformed']);
    const next = await obtain(client, ['ari.example.com'], replaces);
    expect(next.order.replaces).toBe(certId);
    const again = await client.post('new-order', {
      identifiers: [{ type: 'dns', value: 'ari.example.com' }],
      ...replaces,
    });
    expect(refusal(again)).toEqual([409, 'alreadyReplaced']);
    await revoke(client, next.certificate);
    const { suggestedWindow } = (await info(certIdOf(next.certificate))).json();
    expect(Date.parse(suggestedWindow.end)).toBeLessThanOrEqual(world.test.coffer.now().getTime());
  });
});

describe.skipIf(challengeServer.isMissing)(`expired data${challengeServer.orSkipped}`, () => {
  it('are deleted: used nonces, and a week later failed orders', async () => {
    const client = await AcmeClient.withAccount(world, open);
    const { order } = await obtain(client, ['kept.example.com']);
    const left = await client.order('left.example.com');
    const platform = world.test.coffer.contextFor({ type: 'platform', organizationId: undefined });
    const count = async (table: string) => {
      const { rows } = await world.test.coffer.pool.query<{ n: number }>(`select count(*)::int as n from ${table}`);
      return rows[0]!.n;
    };
    // The clock of other tests may have run ahead.
    await removeOverAcme(platform);
    expect(await count('acme_nonces')).toBeGreaterThan(3);
    world.test.advance(3_600_001);
    await removeOverAcme(platform);
    expect(await count('acme_nonces')).toBe(0);
    expect((await client.post(String(left.headers['location']))).status).toBe(200);
    world.test.advance(15 * DAY);
    await removeOverAcme(platform);
    expect(refusal(await client.post(String(left.headers['location'])))).toEqual([404, 'malformed']);
    expect((await client.post(order.certificate)).status).toBe(200);
  });
});

/** RFC 9773, section 4.1. */
function certIdOf(certificate: X509Certificate): string {
  // 2.5.29.35: a sequence with the key's identifier of 20 bytes as its first part.
  const at = certificate.raw.indexOf(Buffer.from('0603551d23', 'hex'));
  const start = certificate.raw.indexOf(Buffer.from('8014', 'hex'), at) + 2;
  const serial = Buffer.from(
    certificate.serialNumber.padStart(certificate.serialNumber.length + (certificate.serialNumber.length % 2), '0'),
    'hex',
  );
  return `${certificate.raw.subarray(start, start + 20).toString('base64url')}.${serial.toString('base64url')}`;
}
