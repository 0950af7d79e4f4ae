import { renewExternalCertificateJob, runOrder } from '@coffer/domain';
import { pebble } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, NEWER } from '../../harness/certificates.ts';
import { makeRequest } from '../../harness/csr.ts';
import { ACME, OrderWorld } from '../../harness/external-authorities.ts';
import { expectRefused, ok } from '../../harness/groups.ts';
import { Orders } from '../../harness/orders.ts';

describe.skipIf(pebble.isMissing)('an order from an external authority', () => {
  let world: OrderWorld;
  let caId: string;
  let profileId: string;
  beforeAll(async () => {
    world = await OrderWorld.start();
    caId = await world.authority('route53');
    profileId = await world.profile(caId);
  });
  afterAll(() => world.close());

  const order = (commonName: string, more: object = {}) => world.order(profileId, { commonName, ...more });
  const txt = () => [...world.aws.route53.records.keys()];

  it('is for DNS names that the policy allows, and nothing else', async () => {
    const strict = await world.profile(caId, { rules: { sans: [{ type: 'dns_name', allowed: ['*.example.com'] }] } });
    const refused = async (attributes: object, message: string, by = profileId) =>
      expectRefused(world.test.admin('POST', NEWER, { profileId: by, attributes }), 400, message);
    await refused({ altNames: [{ type: 'ip_address', value: '10.0.0.1' }] }, 'DNS names');
    await refused({ commonName: 'Ann Lee' }, 'DNS names');
    await refused({ commonName: 'a.example.com', organization: 'Example' }, 'subject attributes');
    await refused({ commonName: 'a.example.com', keyAlgorithm: 'ED25519' }, 'Ed25519');
    await refused({ commonName: 'a.elsewhere.com' }, 'is not allowed', strict);
  });

  it('is for the key of a CSR with the same names', async () => {
    const { csr } = makeRequest({ subject: '/', extensions: ['subjectAltName=DNS:own.example.com'] });
    const requestId = await world.order(profileId, {}, { csr });
    await world.issue(requestId);
    const { certificateId } = await world.request(requestId);
    const bundle = await ok(world.test.admin('GET', `${NEWER}/${certificateId}/bundle`));
    expect(bundle.privateKey).toBeNull();
    const attributes = { altNames: [{ type: 'dns_name', value: 'other.example.com' }] };
    await expectRefused(world.test.admin('POST', NEWER, { profileId, csr, attributes }), 400, 'exactly the names');
  });

  it('is continued by another process after a kill at any point', async () => {
    const requestId = await order('killed.example.com');
    const { organizationId, coffer } = world.test;
    /** An attempt that never ends, at one of its calls, as a killed process does; its claim lapses. */
    const killed = async (atCall: number) => {
      const ctx = world.platform();
      const died = Promise.withResolvers<void>();
      let calls = 0;
      const fetch: typeof ctx.fetch = (url, request) => {
        if (calls++ < atCall) return coffer.fetch(url, request);
        died.resolve();
        return new Promise(() => undefined);
      };
      Object.defineProperty(ctx, 'fetch', { value: fetch });
      await Promise.race([runOrder.run(ctx, { organizationId, orderId: requestId }, {} as never), died.promise]);
      world.test.advance(4 * 60_000);
    };
    for (let atCall = 0; atCall < 16; atCall++) await killed(atCall);
    expect(await world.finish(requestId)).toMatchObject({ status: 'issued' });
    expect(txt()).toEqual([]);
    const { rows } = await coffer.pool.query(`select 1 from certificates where common_name = 'killed.example.com'`);
    expect(rows).toHaveLength(1);
  });

  it('waits as long as the authority or the provider of DNS asks, and tries again after errors that may pass', async () => {
    const requestId = await order('slow.example.com');
    let left = 2;
    world.aws.fault = (action) =>
      action.startsWith('GET') && left-- > 0 ? { type: 'Throttling', status: 400 } : undefined;
    const before = world.test.coffer.now();
    const first = await world.attempt(requestId);
    expect(first).toMatchObject({ status: 'pending', message: expect.stringContaining('throttling') });
    expect(Date.parse(first.due_at!)).toBeGreaterThan(before.getTime());
    expect(await world.finish(requestId)).toMatchObject({ status: 'issued' });
    world.aws.fault = () => undefined;
  });

  it('fails with the reason of the authority, and its records are removed', async () => {
    const requestId = await order('unproved.example.com');
    const { published } = world.aws.route53;
    world.aws.route53.published = async () => undefined;
    const ended = await world.finish(requestId);
    world.aws.route53.published = published;
    expect(ended).toMatchObject({ status: 'failed', progress: { records: [] } });
    expect(txt()).toEqual([]);
    const { errorMessage, status } = await world.request(requestId);
    expect([status, errorMessage]).toEqual(['failed', expect.stringContaining('unproved.example.com')]);
    expect(await eventsOf(world.test, { certificateOrderId: requestId })).toEqual([
      'certificate_order.placed',
      'certificate_order.failed',
    ]);
  });

  it('is cancelled, and its records are removed as soon as the provider of DNS lets it', async () => {
    const requestId = await order('cancelled.example.com');
    world.aws.route53.pending = 1_000;
    await expect.poll(async () => (await world.attempt(requestId), txt()), { interval: 20 }).toHaveLength(1);
    world.aws.fault = (action) => (action.startsWith('POST') ? { type: 'ServiceUnavailable', status: 503 } : undefined);
    const cancel = () => ok(world.test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    expect(await cancel()).toEqual({ status: 'cancelled', cancelled: true, errorMessage: null });
    expect(await cancel()).toMatchObject({ status: 'cancelled', cancelled: false });
    await world.attempt(requestId);
    expect(txt()).toHaveLength(1);
    world.aws.fault = () => undefined;
    world.aws.route53.pending = 0;
    expect(await world.finish(requestId)).toMatchObject({ status: 'cancelled' });
    expect(txt()).toEqual([]);
  });

  it('waits where a provider of DNS fails, which has refused nothing', async () => {
    const requestId = await order('patient.example.com');
    let faults = 1;
    world.aws.fault = (action) =>
      action.startsWith('POST') && faults-- > 0 ? { type: 'InternalFailure', status: 500 } : undefined;
    await expect.poll(async () => (await world.attempt(requestId), faults), { interval: 20 }).toBeLessThanOrEqual(0);
    world.aws.fault = () => undefined;
    expect(await world.finish(requestId)).toMatchObject({ status: 'issued' });
  });

  it('keeps its authority from making records elsewhere, until it is finished', async () => {
    const { admin } = world.test;
    const id = await world.authority('route53');
    const requestId = await world.order(await world.profile(id), { commonName: 'moved.example.com' });
    world.aws.route53.pending = 1_000;
    await expect.poll(async () => (await world.attempt(requestId), txt()), { interval: 20 }).toHaveLength(1);
    const { dnsAppConnectionId, dnsProviderConfig } = (await world.wanted('cloudflare')).configuration;
    const configuration = { dnsAppConnectionId, dnsProviderConfig };
    const move = () => admin('PATCH', `${ACME}/${id}`, { configuration });
    await expectRefused(move(), 400, 'Orders of the authority are not finished');
    await ok(admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    await world.finish(requestId);
    expect(txt()).toEqual([]);
    world.aws.route53.pending = 0;
    await ok(move());
  });

  it('ends with its project, which is deleted when its records are removed', async () => {
    const { admin } = world.test;
    const { id: projectId } = await world.test.project();
    const other = new Orders(world.test, projectId);
    const wanted = await world.wanted('route53', { dnsAppConnectionId: await world.connection('route53', projectId) });
    const authority = await ok(admin('POST', ACME, { ...wanted, projectId }));
    const requestId = await other.order(await other.profile(authority.id), { commonName: 'ended.example.com' });
    world.aws.route53.pending = 1_000;
    await expect.poll(async () => (await other.attempt(requestId), txt()), { interval: 20 }).toHaveLength(1);
    world.aws.fault = (action) => (action.startsWith('POST') ? { type: 'ServiceUnavailable', status: 503 } : undefined);
    const path = `/api/v1/projects/${projectId}`;
    await expectRefused(admin('DELETE', path), 400, 'being removed');
    expect((await other.stored(requestId)).status).toBe('cancelled');
    world.aws.fault = () => undefined;
    world.aws.route53.pending = 0;
    world.test.advance(60 * 60_000);
    await ok(admin('DELETE', path));
    expect(txt()).toEqual([]);
    expect((await admin('GET', path)).status).toBe(404);
  });

  it('leaves the values of others at the same name alone', async () => {
    const name = '_acme-challenge.shared.example.com.';
    world.aws.route53.records.set(name, { ttl: '300', values: ['"of others"'] });
    await world.issue(await order('shared.example.com'));
    expect(world.aws.route53.records.get(name)).toEqual({ ttl: '300', values: ['"of others"'] });
    world.aws.route53.records.clear();
  });

  it('renews a certificate, on request and by itself, and revokes it at the authority', async () => {
    const { admin } = world.test;
    const requestId = await order('renewed.example.com');
    await world.issue(requestId);
    const { certificateId } = await world.request(requestId);
    const renewal = await ok(admin('POST', `${NEWER}/${certificateId}/renew`, {}));
    expect(renewal).toMatchObject({ status: 'pending' });
    await expectRefused(admin('POST', `${NEWER}/${certificateId}/renew`, {}), 400, 'already ordered');
    await world.issue(renewal.certificateRequestId);
    const { certificateId: successor } = await world.request(renewal.certificateRequestId);
    const { certificate } = await ok(admin('GET', `${NEWER}/${certificateId}`));
    expect(certificate).toMatchObject({ renewedByCertificateId: successor, latestRenewalCertificateId: successor });
    await ok(admin('PATCH', `${NEWER}/${successor}/config`, { renewBeforeDays: 20 }));
    await world.test.coffer.pool.query(
      `update certificates set not_before = now() - interval '80 days', not_after = now() + interval '10 days' where id = $1`,
      [successor],
    );
    const due = { organizationId: world.test.organizationId, id: successor };
    for (let times = 0; times < 2; times++) await renewExternalCertificateJob.run(world.platform(), due, {} as never);
    const renewals = 'select id from certificate_orders where renewed_from_id = $1';
    const { rows } = await world.test.coffer.pool.query(renewals, [successor]);
    expect(rows).toHaveLength(1);
    await world.issue(rows[0].id);
    const revoked = await ok(admin('POST', `${NEWER}/${successor}/revoke`, { revocationReason: 'SUPERSEDED' }));
    expect(revoked.revokedAt).toBeDefined();
    await expectRefused(
      admin('POST', `${NEWER}/${successor}/revoke`, { revocationReason: 'SUPERSEDED' }),
      400,
      'already',
    );
    await ok(admin('DELETE', `${NEWER}/${successor}`));
  });

  it('repeats a certificate by the right to issue alone, and takes its place by the right to edit it', async () => {
    const { test } = world;
    const requestId = await order('repeated.example.com');
    await world.issue(requestId);
    const { certificateId } = await world.request(requestId);
    const { certificate } = await ok(test.admin('GET', `${NEWER}/${certificateId}`));
    const { project_id: projectId } = (
      await test.coffer.pool.query('select project_id from certificates where id = $1', [certificateId])
    ).rows[0];
    const issue = { subject: 'certificate-profiles', action: 'issue-cert' };
    const edit = { subject: 'certificates', action: 'edit' };
    const renewedBy = async (rules: object[]) => {
      const { call } = await test.identity({ projectId, rules } as never);
      const { certificateRequestId } = await ok(call('POST', `${NEWER}/${certificateId}/renew`, {}));
      await world.issue(certificateRequestId);
      return (await world.request(certificateRequestId)).certificateId;
    };
    const renewal = async () => (await ok(test.admin('GET', `${NEWER}/${certificateId}`))).certificate;
    const own = await renewedBy([issue]);
    expect((await renewal()).renewedByCertificateId).toBeNull();
    expect((await ok(test.admin('GET', `${NEWER}/${own}`))).certificate).toMatchObject({
      commonName: certificate.commonName,
      renewedFromCertificateId: null,
    });
    const next = await renewedBy([issue, edit]);
    expect((await renewal()).renewedByCertificateId).toBe(next);
  });

  it('is placed for a subscriber, whose certificate is renewed by itself', async () => {
    const { admin } = world.test;
    const body = {
      projectId: world.projectId,
      caId,
      name: 'web',
      commonName: 'web.example.com',
      status: 'active',
      ttl: '90d',
      subjectAlternativeNames: ['web.example.com'],
      keyUsages: ['digitalSignature'],
      extendedKeyUsages: ['serverAuth'],
      enableAutoRenewal: true,
      autoRenewalPeriodInDays: 7,
    };
    const subscriber = await ok(admin('POST', '/api/v1/pki/subscribers', body));
    expect(subscriber).toMatchObject({ caId, supportsImmediateCertIssuance: false });
    const ordering = `/api/v1/pki/subscribers/web/order-certificate`;
    expect(await ok(admin('POST', ordering, { projectId: world.projectId }))).toEqual({
      message: 'The certificate is ordered',
    });
    const issuing = `/api/v1/pki/subscribers/web/issue-certificate`;
    await expectRefused(admin('POST', issuing, { projectId: world.projectId }), 400, 'order-certificate');
    const { rows } = await world.test.coffer.pool.query(
      'select id from certificate_orders where pki_subscriber_id = $1',
      [subscriber.id],
    );
    await world.issue(rows[0].id);
    const page = `/api/v1/pki/subscribers/web/certificates?projectId=${world.projectId}`;
    expect((await ok(admin('GET', page))).certificates).toMatchObject([{ commonName: 'web.example.com' }]);
    const read = `/api/v1/pki/subscribers/web?projectId=${world.projectId}`;
    expect(await ok(admin('GET', read))).toMatchObject({ lastOperationStatus: 'success' });
  });

  it('is not taken by a disabled authority', async () => {
    const disabled = await world.authority('route53');
    const profile = await world.profile(disabled);
    await ok(world.test.admin('PATCH', `${ACME}/${disabled}`, { status: 'disabled' }));
    const body = { profileId: profile, attributes: { commonName: 'a.example.com' } };
    await expectRefused(world.test.admin('POST', NEWER, body), 400, 'disabled');
  });
});
