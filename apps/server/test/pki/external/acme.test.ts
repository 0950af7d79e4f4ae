import { X509Certificate } from 'node:crypto';
import { pebble } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventsOf, NEWER, ok } from '../../harness/certificates.ts';
import { ACME, OrderWorld } from '../../harness/external-authorities.ts';

describe.skipIf(pebble.isMissing)('an ACME authority elsewhere', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.start();
  });
  afterAll(() => world.close());

  it('issues by a profile, whose requests wait, and its records in DNS are removed', async () => {
    const caId = await world.authority('route53');
    const profileId = await world.profile(caId);
    world.aws.route53.pending = 2;
    const requestId = await world.order(profileId, { commonName: 'app.example.com' });
    expect(await world.request(requestId)).toMatchObject({ status: 'pending', certificateId: null, certificate: null });
    expect(await world.finish(requestId)).toMatchObject({ status: 'issued', progress: { records: [] } });
    expect([...world.aws.route53.records]).toEqual([]);
    const { status, certificateId } = await world.request(requestId);
    expect(status).toBe('issued');
    const bundle = ok(await world.test.admin('GET', `${NEWER}/${certificateId}/bundle`));
    const [leaf, intermediate] = `${bundle.certificate}${bundle.certificateChain}`
      .split(/(?<=-----END CERTIFICATE-----\n)/)
      .map((pem) => new X509Certificate(pem));
    expect(leaf!.subjectAltName).toBe('DNS:app.example.com');
    expect([
      leaf!.verify(intermediate!.publicKey),
      intermediate!.verify(new X509Certificate(world.pebble.root).publicKey),
    ]).toEqual([true, true]);
    expect(ok(await world.test.admin('GET', `${NEWER}/${certificateId}`)).certificate).toMatchObject({
      caId,
      caType: 'external',
    });
    expect(await eventsOf(world.test, { certificateId })).toContain('certificate.issued');
  });

  it.each([
    ['cloudflare', 'example.net'],
    ['azure-dns', 'example.org'],
  ] as const)('proves wildcards and their domain by two values of one name at %s', async (provider, domain) => {
    const profileId = await world.profile(await world.authority(provider));
    const altNames = [domain, `*.${domain}`].map((value) => ({ type: 'dns_name', value }));
    const requestId = await world.order(profileId, { altNames });
    await world.finish(requestId);
    expect(await world.request(requestId)).toMatchObject({ status: 'issued', altNames: `${domain}, *.${domain}` });
    expect([world.cloudflare.records, [...world.azureZone.records]]).toEqual([[], []]);
  });

  it('revokes what it issues for an order that is cancelled meanwhile', async () => {
    const profileId = await world.profile(await world.authority('route53'));
    const requestId = await world.order(profileId, { commonName: 'late.example.com' });
    await vi.waitUntil(async () => (await world.attempt(requestId)).progress.isFinalized, {
      timeout: 60_000,
      interval: 20,
    });
    const asked = vi.spyOn(world.pebble, 'fetch');
    ok(await world.test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    expect(await world.finish(requestId)).toMatchObject({ status: 'cancelled' });
    const at = asked.mock.calls.findLastIndex(([url]) => url.endsWith('/revoke-cert'));
    expect(await asked.mock.results[at]?.value).toMatchObject({ status: 200 });
    asked.mockRestore();
  });

  it('returns nothing that is secret', async () => {
    const wanted = await world.wanted('cloudflare', world.pebble.externalAccount);
    const answer = ok(await world.test.admin('POST', ACME, wanted));
    const { eabHmacKey, ...shown } = wanted.configuration as unknown as Record<string, unknown>;
    expect(answer).toMatchObject({ type: 'acme', status: 'active', enableDirectIssuance: true, configuration: shown });
    expect(JSON.stringify(answer)).not.toContain(String(eabHmacKey));
    expect(answer.configuration).not.toHaveProperty('eabHmacKey');
  });
});
