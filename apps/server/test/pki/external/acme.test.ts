// @long: runs programs
import { X509Certificate } from 'node:crypto';
import { pebble } from '@coffer/domain/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventsOf, NEWER, ok } from '../../harness/certificates.ts';
import { makeRequest } from '../../harness/csr.ts';
import { ACME, OrderWorld } from '../../harness/external-authorities.ts';
import { isBeingIssued } from '../../harness/orders.ts';

const untilItIsIssued = (world: OrderWorld, orderId: string) =>
  vi.waitUntil(async () => isBeingIssued(await world.attempt(orderId)), { timeout: 60_000, interval: 20 });

describe.skipIf(pebble.isMissing)('an ACME authority elsewhere', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.start();
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => world.close());

  /** From now on, the number of revocations that the authority has accepted: it refuses some nonces, to have requests repeated. */
  function revocationsSince(): () => Promise<number> {
    const { mock } = vi.spyOn(world.pebble, 'fetch');
    return async () => {
      const answers = mock.calls.map(([url], index) => url.endsWith('/revoke-cert') && mock.results[index]?.value);
      return (await Promise.all(answers)).filter((answer) => answer && answer.status === 200).length;
    };
  }

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
    await untilItIsIssued(world, requestId);
    // As an earlier release notes it that has not finalized the order itself.
    await world.test.coffer.pool.query(
      `update certificate_orders set progress = progress || '{"isFinalized": false}' where id = $1`,
      [requestId],
    );
    const asked = vi.spyOn(world.pebble, 'fetch');
    ok(await world.test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    expect(await world.finish(requestId)).toMatchObject({ status: 'cancelled' });
    const at = asked.mock.calls.findLastIndex(([url]) => url.endsWith('/revoke-cert'));
    expect(await asked.mock.results[at]?.value).toMatchObject({ status: 200 });
    asked.mockRestore();
  });

  it.each([
    [403, 'unauthorized', ['certificate_order.revoked'], 1],
    [404, 'malformed', ['certificate_order.left'], Infinity],
  ])('that answers a cancelled order with %i (%s) has %j', async (status, kind, events, times) => {
    const profileId = await world.profile(await world.authority('route53'));
    const requestId = await world.order(profileId, { commonName: `known${status}.example.com` });
    await untilItIsIssued(world, requestId);
    const { url } = (await world.stored(requestId)).progress;
    const fetch = world.pebble.fetch.bind(world.pebble);
    let refusals = times;
    const asked = vi.spyOn(world.pebble, 'fetch').mockImplementation(async (at, request) => {
      const answer = await fetch(at, request);
      if (at !== url || refusals-- <= 0) return answer;
      const problem = JSON.stringify({ type: `urn:ietf:params:acme:error:${kind}`, detail: 'No' });
      return { ...answer, status, json: () => JSON.parse(problem) as unknown, text: () => problem };
    });
    ok(await world.test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    expect(await world.finish(requestId)).toMatchObject({ status: 'cancelled' });
    asked.mockRestore();
    expect((await eventsOf(world.test, { certificateOrderId: requestId })).slice(2)).toEqual(events);
  });

  it('that answers two orders alike has the certificate revoked by neither of them', async () => {
    const profileId = await world.profile(await world.authority('route53'));
    const { csr } = makeRequest({ subject: '/', extensions: ['subjectAltName=DNS:twice.example.com'] });
    const [first, second] = [await world.order(profileId, {}, { csr }), await world.order(profileId, {}, { csr })];
    await world.finish(first);
    const { progress } = await world.stored(first);
    const asked = vi.spyOn(world.pebble, 'fetch');
    // The authority has answered its order with that of the first one; it is continued, or cancelled.
    const answered = 'update certificate_orders set progress = $2, status = $3, due_at = now() where id = $1';
    for (const [status, end] of [
      ['pending', 'failed'],
      ['cancelled', 'cancelled'],
    ]) {
      await world.test.coffer.pool.query(answered, [second, progress, status]);
      expect(await world.finish(second)).toMatchObject({ status: end });
    }
    expect(asked.mock.calls.filter(([url]) => url.endsWith('/revoke-cert'))).toEqual([]);
    asked.mockRestore();
  });

  /** Two orders of one CSR, or of one for the same name, for the first of which the certificate is being issued. */
  async function alike(name: string, { keys = 1 } = {}) {
    const profileId = await world.profile(await world.authority('route53'));
    const request = () => makeRequest({ subject: '/', extensions: [`subjectAltName=DNS:${name}`] });
    const { csr } = request();
    const { csr: another } = keys > 1 ? request() : { csr };
    const first = await world.order(profileId, {}, { csr });
    const second = await world.order(profileId, {}, { csr: another });
    await untilItIsIssued(world, first);
    const { progress } = await world.stored(first);
    /** The authority answers the second one with the order of the first one. */
    const answerAlike = () =>
      world.test.coffer.pool.query('update certificate_orders set progress = $2 where id = $1', [second, progress]);
    const cancel = async (requestId: string) => {
      ok(await world.test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
      expect(await world.finish(requestId)).toMatchObject({ status: 'cancelled' });
    };
    return { first, second, answerAlike, cancel };
  }

  it('that answers two orders alike issues for the other one if one is cancelled, and revokes if both are', async () => {
    const revocations = revocationsSince();
    const one = await alike('one.example.com');
    await one.answerAlike();
    await one.cancel(one.first);
    expect(await revocations()).toBe(0);
    expect(await world.finish(one.second)).toMatchObject({ status: 'issued' });
    const both = await alike('both.example.com');
    await both.answerAlike();
    await both.cancel(both.first);
    expect(await revocations()).toBe(0);
    await both.cancel(both.second);
    expect(await revocations()).toBe(1);
  });

  it('that answers two orders of different keys alike has the certificate revoked if its own one is cancelled', async () => {
    const revocations = revocationsSince();
    const { first, second, answerAlike, cancel } = await alike('keys.example.com', { keys: 2 });
    await answerAlike();
    await cancel(first);
    expect(await revocations()).toBe(1);
    expect(await eventsOf(world.test, { certificateOrderId: first })).toContain('certificate_order.revoked');
    expect(await world.finish(second)).toMatchObject({ status: 'failed' });
  });

  it('that answers two orders alike has nothing stored that was revoked for one of them', async () => {
    const { first, second, answerAlike, cancel } = await alike('later.example.com');
    const fetch = world.pebble.fetch.bind(world.pebble);
    const downloads = new Map<string, Awaited<ReturnType<typeof fetch>>>();
    // Some authorities go on handing out what is revoked.
    const asked = vi.spyOn(world.pebble, 'fetch').mockImplementation(async (url, request) => {
      const answer = await fetch(url, request);
      const headers = { ...downloads.get(url)?.headers, ...answer.headers };
      if (url.includes('/certZ/') && answer.status === 200) downloads.set(url, answer);
      else if (downloads.has(url)) return { ...downloads.get(url)!, headers };
      return answer;
    });
    await cancel(first);
    await answerAlike();
    expect(await world.finish(second)).toMatchObject({ status: 'failed', message: expect.stringContaining('revoked') });
    expect(downloads.size).toBe(1);
    asked.mockRestore();
  });

  it('that is gone for good keeps no order that has ended: it is finished some hours later, with an event', async () => {
    const gone = await OrderWorld.start();
    try {
      const profileId = await gone.profile(await gone.authority('route53'));
      const requestId = await gone.order(profileId, { commonName: 'gone.example.com' });
      await untilItIsIssued(gone, requestId);
      await gone.pebble.stop();
      ok(await gone.test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
      expect(await gone.finish(requestId)).toMatchObject({ status: 'cancelled', due_at: null });
      expect(await eventsOf(gone.test, { certificateOrderId: requestId })).toContain('certificate_order.left');
    } finally {
      await gone.close();
    }
  });

  it('is finished without the connection where nothing was begun, and leaves its records with an event', async () => {
    const application = world.azure.application as { clientSecret: string };
    const secret = application.clientSecret;
    const caId = await world.authority('azure-dns');
    const profileId = await world.profile(caId);
    const begun = async (name: string) => {
      const requestId = await world.order(profileId, { commonName: `${name}.example.org` });
      await vi.waitUntil(async () => ((await world.attempt(requestId)).progress.records ?? []).length > 0);
      return requestId;
    };
    const cancel = async (requestId: string) =>
      ok(await world.test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    const eventOf = async (type: string, id: string) =>
      (
        await world.test.coffer.pool.query(
          "select data from audit_events where type = $1 and $2 in (data ->> 'certificateOrderId', data ->> 'caId')",
          [type, id],
        )
      ).rows[0]?.data;
    const never = await world.order(profileId, { commonName: 'never.example.org' });
    const [kept, left] = [await begun('kept'), await begun('left')];
    try {
      application.clientSecret = 'another one';
      for (const requestId of [never, kept, left]) await cancel(requestId);
      expect(await world.attempt(never)).toMatchObject({ status: 'cancelled', due_at: null });
      expect((await world.attempt(left)).due_at).not.toBeNull();
      const late = "update certificate_orders set created_at = created_at - interval '31 days' where id = $1";
      await world.test.coffer.pool.query(late, [left]);
      expect((await world.attempt(left)).due_at).toBeNull();
      const records = (name: string) => ({ records: [`_acme-challenge.${name}.example.org`] });
      expect(await eventOf('certificate_order.left', left)).toMatchObject(records('left'));
      // By force, it is not waited for.
      expect((await world.test.admin('DELETE', `${ACME}/${caId}`)).status).toBe(400);
      ok(await world.test.admin('DELETE', `${ACME}/${caId}?isForced=true`));
      const event = { leftOrders: [kept], ...records('kept') };
      expect(await eventOf('external_authority.deleted', caId)).toMatchObject(event);
    } finally {
      application.clientSecret = secret;
    }
  });

  it('removes its records once it can read what is there, and takes nothing else for their absence', async () => {
    const profileId = await world.profile(await world.authority('azure-dns'));
    const requestId = await world.order(profileId, { commonName: 'unread.example.org' });
    await vi.waitUntil(async () => ((await world.attempt(requestId)).progress.records ?? []).length > 0);
    world.azure.accident = (call) => {
      const isRead = call.method === 'GET' && call.url.pathname.includes('/TXT/');
      if (isRead) call.answer(200, { properties: 'none' });
      return isRead;
    };
    ok(await world.test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    const left = (await world.attempt(requestId)).progress.records;
    world.azure.accident = () => false;
    expect(left).toHaveLength(1);
    expect((await world.attempt(requestId)).progress.records).toEqual([]);
    expect(world.azureZone.records.has('_acme-challenge.unread')).toBe(false);
  });

  it('is asked about what has ended for hours, however long its records could not be removed', async () => {
    const application = world.azure.application as { clientSecret: string };
    const secret = application.clientSecret;
    const profileId = await world.profile(await world.authority('azure-dns'));
    const requestId = await world.order(profileId, { commonName: 'away.example.org' });
    await vi.waitUntil(async () => ((await world.attempt(requestId)).progress.records ?? []).length > 0);
    ok(await world.test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    application.clientSecret = 'another one';
    for (let failures = 0; failures < 10; failures++) await world.attempt(requestId);
    application.clientSecret = secret;
    const asked = vi.spyOn(world.pebble, 'fetch').mockResolvedValue({ status: 503, headers: {}, body: '' } as never);
    for (let tries = 0; tries < 9; tries++) {
      const { due_at: due, progress } = await world.attempt(requestId);
      expect([progress.records, due], `try ${tries}`).toEqual([[], expect.anything()]);
    }
    asked.mockRestore();
    expect(await world.finish(requestId)).toMatchObject({ status: 'cancelled' });
    expect(await eventsOf(world.test, { certificateOrderId: requestId })).not.toContain('certificate_order.left');
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
