import { createPrivateKey, X509Certificate } from 'node:crypto';
import { AwsAccount, CertifyingAuthority, DigiCert, makeConnection, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, nameOf, NEWER } from '../../harness/certificates.ts';
import { makeRequest } from '../../harness/csr.ts';
import { Orders } from '../../harness/orders.ts';
import { PkiSyncWorld } from '../../harness/pki-syncs.ts';
import { expectRefused, ok } from '../../harness/groups.ts';
import { testServer, type Caller, type TestServer } from '../../harness/test-server.ts';

const PATH = '/api/v1/cert-manager/ca';
const standIns = new StandIns();
const aws = new AwsAccount({ region: 'us-east-1' });

let test: TestServer;
let orders: Orders;
let projectId: string;
let digicert: DigiCert;
let authority: CertifyingAuthority;
beforeAll(async () => {
  test = await testServer({ fetch: standIns.fetch });
  projectId = (await test.project()).id;
  orders = new Orders(test, projectId);
  authority = await CertifyingAuthority.make('Elsewhere');
  aws.now = () => test.coffer.now().getTime();
  aws.privateCa.authority = authority;
  aws.privateCa.now = aws.now;
  await aws.serve(standIns);
  digicert = new DigiCert(authority);
  digicert.now = aws.now;
  await standIns.serve('www.digicert.com', digicert.listener);
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

const connect = async (
  app: 'aws' | 'digicert',
  credentials: { method: string } & Record<string, unknown>,
  project = projectId,
) =>
  (
    await makeConnection(test.coffer, {
      organizationId: test.organizationId,
      projectId: project,
      app,
      name: nameOf('c'),
      credentials,
    })
  ).id;

async function made(type: 'aws-pca' | 'digicert', project = projectId): Promise<string> {
  const configuration =
    type === 'aws-pca'
      ? {
          appConnectionId: await connect('aws', { method: 'access-key', ...aws.keys }, project),
          certificateAuthorityArn: aws.privateCa.arn,
          region: 'us-east-1',
        }
      : {
          appConnectionId: await connect(
            'digicert',
            { method: 'api-key', region: 'us', apiKey: digicert.apiKey },
            project,
          ),
          organizationId: digicert.organizationId,
          productNameId: 'ssl_basic',
        };
  const body = { projectId: project, name: nameOf(type), configuration };
  const answer = await ok(test.admin('POST', `${PATH}/${type}`, body));
  expect(answer).toMatchObject({ type, status: 'active', configuration });
  return answer.id;
}

async function issued(requestId: string): Promise<{ certificateId: string; chain: X509Certificate[] }> {
  const { status, certificateId, errorMessage } = await orders.request(requestId);
  expect([status, errorMessage]).toEqual(['issued', null]);
  const { certificate, certificateChain } = await ok(test.admin('GET', `${NEWER}/${certificateId}/bundle`));
  const blocks = `${certificate}${certificateChain}`.split(/(?<=-----END CERTIFICATE-----\n)/);
  return { certificateId, chain: blocks.map((pem) => new X509Certificate(pem)) };
}

describe('AWS Private CA', () => {
  it('issues what is ordered once, although answers are lost, and revokes it', async () => {
    const profileId = await orders.profile(await made('aws-pca'));
    const requestId = await orders.order(profileId, { commonName: 'app.example.com', ttl: '30d' });
    let losses = 1;
    aws.fault = (action) => (action === 'IssueCertificate' && losses-- > 0 ? 'lost' : undefined);
    expect(await orders.finish(requestId)).toMatchObject({ status: 'issued' });
    aws.fault = () => undefined;
    expect(aws.privateCa.issued.size).toBe(1);
    const { certificateId, chain } = await issued(requestId);
    expect(chain[0]!.verify(new X509Certificate(authority.root).publicKey)).toBe(true);
    expect(Date.parse(chain[0]!.validTo) - Date.parse(chain[0]!.validFrom)).toBeLessThan(31 * 86_400_000);
    await ok(test.admin('POST', `${NEWER}/${certificateId}/revoke`, { revocationReason: 'KEY_COMPROMISE' }));
    expect([...aws.privateCa.revoked.values()]).toEqual(['KEY_COMPROMISE']);
  });

  it('leaves no valid certificate of an order that is cancelled after an answer was lost', async () => {
    const profileId = await orders.profile(await made('aws-pca'));
    const requestId = await orders.order(profileId, { commonName: 'lost.example.com', ttl: '30d' });
    const before = aws.privateCa.issued.size;
    let losses = 1;
    aws.fault = (action) => (action === 'IssueCertificate' && losses-- > 0 ? 'lost' : undefined);
    await orders.attempt(requestId);
    aws.fault = () => undefined;
    await ok(test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    expect(await orders.finish(requestId)).toMatchObject({ status: 'cancelled' });
    expect(aws.privateCa.issued.size).toBe(before + 1);
    const { certificate } = [...aws.privateCa.issued.values()].at(-1)!;
    const serialNumber = new X509Certificate(certificate).serialNumber.toLowerCase();
    expect(aws.privateCa.revoked.get(serialNumber)).toBe('CESSATION_OF_OPERATION');
  });

  it('is not asked again for what was cancelled once its token does not count any more', async () => {
    const profileId = await orders.profile(await made('aws-pca'));
    const requestId = await orders.order(profileId, { commonName: 'late.example.com', ttl: '30d' });
    let losses = 1;
    aws.fault = (action) => (action === 'IssueCertificate' && losses-- > 0 ? 'lost' : undefined);
    await orders.attempt(requestId);
    const issuedBefore = aws.privateCa.issued.size;
    test.advance(60_000);
    await ok(test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    expect(await orders.finish(requestId)).toMatchObject({ status: 'cancelled' });
    expect(aws.privateCa.issued.size).toBe(issuedBefore);
    // What was issued stays, and the log says so.
    expect(await eventsOf(test, { certificateOrderId: requestId })).toContain('certificate_order.left');
  });

  it('has issued nothing where it refused the order, but perhaps where it failed', async () => {
    const profileId = await orders.profile(await made('aws-pca'));
    const finished = async (status: number) => {
      const requestId = await orders.order(profileId, { commonName: 'refused.example.com', ttl: '30d' });
      let faults = 1;
      aws.fault = (action) =>
        action === 'IssueCertificate' && faults-- > 0 ? { type: 'SomeFault', status } : undefined;
      await orders.finish(requestId);
      aws.fault = () => undefined;
      return [(await orders.stored(requestId)).status, await eventsOf(test, { certificateOrderId: requestId })];
    };
    expect(await finished(400)).toEqual(['failed', ['certificate_order.placed', 'certificate_order.failed']]);
    expect((await finished(500))[0]).toBe('issued');
  });

  it('has refused nothing where it failed: it is asked again for the certificate, and for its revocation', async () => {
    const profileId = await orders.profile(await made('aws-pca'));
    const failing = (failed: string) => {
      let faults = 1;
      aws.fault = (action) =>
        action === failed && faults-- > 0 ? { type: 'InternalFailure', status: 500 } : undefined;
    };
    const [got, ended] = [
      await orders.order(profileId, { commonName: 'failing.example.com', ttl: '30d' }),
      await orders.order(profileId, { commonName: 'ended.example.com', ttl: '30d' }),
    ];
    failing('GetCertificate');
    expect(await orders.attempt(got)).toMatchObject({ status: 'pending' });
    expect(await orders.finish(got)).toMatchObject({ status: 'issued' });
    failing('GetCertificate');
    await orders.attempt(ended);
    failing('RevokeCertificate');
    await ok(test.admin('POST', `${NEWER}/certificate-requests/${ended}/cancel`));
    await orders.finish(ended);
    aws.fault = () => undefined;
    expect(await eventsOf(test, { certificateOrderId: ended })).toEqual([
      'certificate_order.placed',
      'certificate_order.cancelled',
      'certificate_order.revoked',
    ]);
  });

  it('is not stored unless it is active, and its policy is respected', async () => {
    aws.privateCa.status = 'DISABLED';
    const configuration = {
      appConnectionId: await connect('aws', { method: 'access-key', ...aws.keys }),
      certificateAuthorityArn: aws.privateCa.arn,
      region: 'us-east-1',
    };
    const body = { projectId, name: nameOf('pca'), configuration };
    await expectRefused(test.admin('POST', `${PATH}/aws-pca`, body), 400, 'DISABLED');
    aws.privateCa.status = 'ACTIVE';
    const rules = { extendedKeyUsages: { denied: ['serverAuth'] } };
    const profileId = await orders.profile(await made('aws-pca'), { rules });
    const requestId = await orders.order(profileId, {
      commonName: 'b.example.com',
      extendedKeyUsages: ['client_auth'],
    });
    expect(await orders.finish(requestId)).toMatchObject({ status: 'failed' });
    expect((await orders.request(requestId)).errorMessage).toContain('serverAuth');
  });
});

/** An order that DigiCert has, and issues, since people have validated its domains; it is not asked for that yet. */
async function validated(commonName: string, csr?: string) {
  const profileId = await orders.profile(await made('digicert'));
  const requestId = await (csr ? orders.order(profileId, {}, { csr }) : orders.order(profileId, { commonName }));
  await orders.attempt(requestId);
  const [number, order] = [...digicert.orders].at(-1)!;
  await digicert.validate(number);
  return { profileId, requestId, order };
}

describe('DigiCert', () => {
  it('issues once its people have validated the domains, also after a lost answer', async () => {
    const profileId = await orders.profile(await made('digicert'));
    const requestId = await orders.order(profileId, { commonName: 'shop.example.com' });
    digicert.losesAnswer = true;
    await orders.attempt(requestId);
    expect(await orders.attempt(requestId)).toMatchObject({
      status: 'pending',
      message: expect.stringContaining('validated'),
    });
    expect(digicert.orders.size).toBe(1);
    await digicert.validate([...digicert.orders.keys()][0]!);
    expect(await orders.finish(requestId)).toMatchObject({ status: 'issued' });
    const { certificateId, chain } = await issued(requestId);
    expect(chain[0]!.subjectAltName).toBe('DNS:shop.example.com');
    await ok(test.admin('POST', `${NEWER}/${certificateId}/revoke`, { revocationReason: 'SUPERSEDED' }));
    expect([...digicert.revoked.values()]).toEqual(['superseded']);
  });

  it.each([429, 500, 503])('has refused nothing where it answers %i: it is asked again', async (status) => {
    const answering = (path: RegExp) => {
      let faults = 1;
      return standIns.serve('www.digicert.com', (request, response) => {
        if (path.test(request.url ?? '') && faults-- > 0) response.writeHead(status).end();
        else digicert.listener(request, response);
      });
    };
    const { requestId, order } = await validated('failing.example.com');
    await answering(/\/order\/certificate\/\d+$/);
    expect(await orders.attempt(requestId)).toMatchObject({ status: 'pending' });
    await answering(/\/revoke$/);
    await ok(test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    await orders.finish(requestId);
    expect(digicert.revoked.get(order.certificateId!)).toBe('cessation_of_operation');
    expect(await eventsOf(test, { certificateOrderId: requestId })).toContain('certificate_order.revoked');
  });

  /** An order whose answer was lost, and what it is there. */
  async function lost(commonName: string) {
    const profileId = await orders.profile(await made('digicert'));
    const requestId = await orders.order(profileId, { commonName });
    digicert.losesAnswer = true;
    await orders.attempt(requestId);
    const [number, order] = [...digicert.orders].at(-1)!;
    return { requestId, number, order };
  }
  /** DigiCert gets many others. */
  function orderOthers(count: number): void {
    const createdAt = new Date(test.coffer.now());
    for (let id = 1; id <= count; id++) {
      const one = { status: 'issued', csr: '', commonName: `other${id}.example.com`, createdAt, days: 1 };
      digicert.orders.set(2e9 + digicert.orders.size, { ...one, alternativeId: undefined, certificateId: undefined });
    }
  }

  it('finds an order whose answer was lost behind many newer ones', async () => {
    const { requestId } = await lost('busy.example.com');
    orderOthers(250);
    const { size } = digicert.orders;
    expect(await orders.attempt(requestId)).toMatchObject({ message: expect.stringContaining('validated') });
    expect(digicert.orders.size).toBe(size);
    await ok(test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    const cancelled = await lost('busy.example.com');
    orderOthers(250);
    await ok(test.admin('POST', `${NEWER}/certificate-requests/${cancelled.requestId}/cancel`));
    await orders.finish(cancelled.requestId);
    expect(cancelled.order.status).toBe('canceled');
  });

  it('is not asked again for what may still arrive there', async () => {
    const { requestId, number, order } = await lost('slow.example.com');
    digicert.orders.delete(number);
    const { size } = digicert.orders;
    expect(await orders.attempt(requestId)).toMatchObject({ message: expect.stringContaining('not confirmed') });
    expect(digicert.orders.size).toBe(size);
    digicert.orders.set(number, order);
    await orders.attempt(requestId);
    expect(digicert.orders.size).toBe(size + 1);
    const never = await lost('never.example.com');
    digicert.orders.delete(never.number);
    await orders.attempt(never.requestId);
    expect(await orders.attempt(never.requestId)).toMatchObject({ message: expect.stringContaining('validated') });
    expect(digicert.orders.size).toBe(size + 2);
  });

  it('adopts no order that others have made by the same request after an answer was lost', async () => {
    const profileId = await orders.profile(await made('digicert'));
    const requestId = await orders.order(profileId, { commonName: 'pay.example.com' });
    digicert.losesAnswer = true;
    await orders.attempt(requestId);
    const [own, order] = [...digicert.orders].at(-1)!;
    digicert.orders.set(own + 1, { ...order, alternativeId: '01234567-89ab-7def-8123-456789abcdef' });
    const foreign = { ...order, alternativeId: undefined };
    digicert.orders.set(own + 2, foreign);
    const { size } = digicert.orders;
    await orders.attempt(requestId);
    await ok(test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    await orders.finish(requestId);
    expect(digicert.orders.size).toBe(size);
    expect([order.status, foreign.status]).toEqual(['canceled', 'pending']);
  });

  it.each([true, false])('is no other account by another key of its connection (named: %s)', async (namesAccount) => {
    digicert.namesAccount = namesAccount;
    const credentials = { region: 'us', apiKey: digicert.apiKey };
    const connections = '/api/v1/app-connections/digicert';
    const body = { name: nameOf('d'), projectId, method: 'api-key', credentials };
    const { appConnection } = await ok(test.admin('POST', connections, body));
    expect(appConnection.credentials).toMatchObject({ accountId: String(digicert.accountId) });
    const place = { organizationId: digicert.organizationId, productNameId: 'ssl_basic' };
    const configuration = { appConnectionId: appConnection.id, ...place };
    await ok(test.admin('POST', `${PATH}/digicert`, { projectId, name: nameOf('digicert'), configuration }));
    const update = (apiKey: string) =>
      test.admin('PATCH', `${connections}/${appConnection.id}`, { credentials: { apiKey } });
    const other = new DigiCert(authority);
    const both = [digicert, other];
    await standIns.serve('www.digicert.com', (request, response) =>
      (both.find(({ apiKey }) => apiKey === request.headers['x-dc-devkey']) ?? digicert).listener(request, response),
    );
    await expectRefused(update(other.apiKey), 400, 'another system or account');
    digicert.replaceKey();
    await ok(update(digicert.apiKey));
  });

  it('does not become that of another account while its orders are not finished, or its certificates are valid', async () => {
    const id = await made('digicert');
    const requestId = await orders.order(await orders.profile(id), { commonName: 'account.example.com' });
    await orders.attempt(requestId);
    const other = new DigiCert(authority);
    await standIns.serve('www.digicert.com', (request, response) =>
      ([digicert, other].find(({ apiKey }) => apiKey === request.headers['x-dc-devkey']) ?? digicert).listener(
        request,
        response,
      ),
    );
    const by = async ({ apiKey }: DigiCert) => {
      const appConnectionId = await connect('digicert', { method: 'api-key', region: 'us', apiKey });
      return test.admin('PATCH', `${PATH}/digicert/${id}`, { configuration: { appConnectionId } });
    };
    await expectRefused(by(other), 400, 'Orders of the authority are not finished');
    await digicert.validate([...digicert.orders.keys()].at(-1)!);
    await orders.finish(requestId);
    const { certificateId } = await issued(requestId);
    await expectRefused(by(other), 400, 'revoke them first');
    await ok(by(digicert));
    await ok(test.admin('POST', `${NEWER}/${certificateId}/revoke`, { revocationReason: 'SUPERSEDED' }));
    await ok(by(other));
  });

  it('revokes what it has issued for an order that was cancelled meanwhile', async () => {
    const { requestId, order } = await validated('late.example.com');
    await ok(test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    expect(await orders.finish(requestId)).toMatchObject({ status: 'cancelled' });
    expect(digicert.revoked.get(order.certificateId!)).toBe('cessation_of_operation');
  });

  it('revokes it at once, too, if it was cancelled while the certificate was fetched', async () => {
    const { requestId, order } = await validated('fetched.example.com');
    await standIns.serve('www.digicert.com', (call, response) => {
      const isFetched = call.url?.includes('/download/');
      const first = isFetched && test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`);
      Promise.resolve(first).then(
        () => digicert.listener(call, response),
        (error: Error) => response.destroy(error),
      );
    });
    const { status, due_at: due } = await orders.attempt(requestId);
    expect([status, Date.parse(due!) <= test.coffer.now().getTime()]).toEqual(['cancelled', true]);
    await standIns.serve('www.digicert.com', digicert.listener);
    await orders.finish(requestId);
    expect(digicert.revoked.get(order.certificateId!)).toBe('cessation_of_operation');
  });

  it('is not left with an imported copy that counts as valid, and the log has the revocation', async () => {
    const { requestId, order } = await validated('copied.example.com');
    const { certificate: certificatePem } = digicert.certificates.get(order.certificateId!)!;
    const { certificateId, serialNumber } = await ok(
      test.admin('POST', `${NEWER}/import-certificate`, { projectId, certificatePem }),
    );
    await ok(test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    await orders.finish(requestId);
    expect(digicert.revoked.get(order.certificateId!)).toBe('cessation_of_operation');
    expect((await ok(test.admin('GET', `${NEWER}/${certificateId}`))).certificate.status).toBe('revoked');
    expect(await eventsOf(test, { serialNumber })).toContain('certificate_order.revoked');
  });

  it('takes what it revokes of an imported copy from the syncs of that, with an event of its own', async () => {
    const syncs = await PkiSyncWorld.make(test, standIns, 'azure-key-vault');
    const project = syncs.projectId;
    const mine = new Orders(test, project);
    const profileId = await mine.profile(await made('digicert', project));
    const { csr, key } = makeRequest({ subject: '/', extensions: ['subjectAltName=DNS:synced.example.com'] });
    const requestId = await mine.order(profileId, {}, { csr });
    await mine.attempt(requestId);
    const [number, order] = [...digicert.orders].at(-1)!;
    await digicert.validate(number);
    const { certificate: certificatePem } = digicert.certificates.get(order.certificateId!)!;
    const imported = { projectId: project, certificatePem, privateKeyPem: key, chainPem: authority.root };
    const { certificateId } = await ok(test.admin('POST', `${NEWER}/import-certificate`, imported));
    const options = { isAutoSyncEnabled: true, syncOptions: { canRemoveCertificates: true } };
    const sync = await syncs.create({ ...options, certificateIds: [certificateId] });
    await syncs.run(sync);
    expect(syncs.target.held()).toHaveLength(1);
    await ok(test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    await mine.finish(requestId);
    expect(digicert.revoked.get(order.certificateId!)).toBe('cessation_of_operation');
    expect(await eventsOf(test, { certificateId })).toContain('certificate.revoked');
    expect(await syncs.dueIn(sync)).toBeLessThanOrEqual(0);
    await syncs.run(sync);
    expect(syncs.target.held()).toEqual([]);
  });

  it('is revoked everywhere in the organization where it was imported', async () => {
    const { requestId, order } = await validated('copies.example.com');
    const { certificate: certificatePem } = digicert.certificates.get(order.certificateId!)!;
    const body = { projectId: (await test.project()).id, certificatePem };
    const { certificateId } = await ok(test.admin('POST', `${NEWER}/import-certificate`, body));
    await ok(test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    await orders.finish(requestId);
    expect((await ok(test.admin('GET', `${NEWER}/${certificateId}`))).certificate.status).toBe('revoked');
  });

  it('is cancelled by nobody who may not revoke what it may have issued, and what was imported of that', async () => {
    type Rules = NonNullable<NonNullable<Parameters<TestServer['identity']>[0]>['rules']>;
    const editing = { subject: 'certificates', action: ['read', 'edit'] };
    const revoking = { subject: 'certificates', action: ['read', 'edit', 'delete'] };
    const archive = {
      subject: 'certificates',
      action: ['read-private-key'],
      conditions: { status: { $eq: 'revoked' } },
    };
    const by = async (...rules: Rules) => (await test.identity({ projectId, rules })).call;
    const cancel = (call: Caller, requestId: string) =>
      call('POST', `${NEWER}/certificate-requests/${requestId}/cancel`);
    const editor = await by(editing);
    const waiting = await orders.order(await orders.profile(await made('digicert')), { commonName: 'new.example.com' });
    await ok(cancel(editor, waiting));
    // A copy with its key is in use where the caller may revoke nothing.
    const { csr, key } = makeRequest({ subject: '/', extensions: ['subjectAltName=DNS:used.example.com'] });
    const { requestId, order } = await validated('used.example.com', csr);
    const { certificate: certificatePem } = digicert.certificates.get(order.certificateId!)!;
    const body = { projectId: (await test.project()).id, certificatePem, privateKeyPem: key };
    const { certificateId } = await ok(test.admin('POST', `${NEWER}/import-certificate`, body));
    await expectRefused(cancel(editor, requestId), 403);
    await ok(cancel(await by(revoking), requestId));
    expect(await orders.finish(requestId)).toMatchObject({ status: 'cancelled' });
    expect(digicert.revoked.has(order.certificateId!)).toBe(false);
    expect((await ok(test.admin('GET', `${NEWER}/${certificateId}`))).certificate.status).toBe('active');
    expect(await eventsOf(test, { certificateOrderId: requestId })).toContain('certificate_order.left');
    // A right to revoked certificates is not gained by that.
    const another = await validated('archived.example.com');
    const archivist = await by(revoking, archive);
    await expectRefused(cancel(archivist, another.requestId), 403, 'others could read-private-key');
    await ok(cancel(test.admin, another.requestId));
  });

  it('is not renewed by itself by a profile that has ended that meanwhile', async () => {
    const renewing = { autoRenew: true, renewBeforeDays: 10 };
    const profileId = await orders.profile(await made('digicert'), { apiConfig: renewing });
    const issuedAfter = async (change: object | undefined) => {
      const requestId = await orders.order(profileId, { commonName: 'renewing.example.com' });
      await orders.attempt(requestId);
      await digicert.validate([...digicert.orders.keys()].at(-1)!);
      const url = `/api/v1/cert-manager/certificate-profiles/${profileId}`;
      if (change) await ok(test.admin('PATCH', url, { apiConfig: change }));
      await orders.finish(requestId);
      const { certificateId } = await issued(requestId);
      return (await ok(test.admin('GET', `${NEWER}/${certificateId}`))).certificate.renewBeforeDays;
    };
    expect(await issuedAfter(undefined)).toBe(10);
    expect(await issuedAfter({ autoRenew: true, renewBeforeDays: 5 })).toBe(5);
    expect(await issuedAfter({ autoRenew: false })).toBeNull();
  });

  it('cancels an order whose answer was lost', async () => {
    const profileId = await orders.profile(await made('digicert'));
    const requestId = await orders.order(profileId, { commonName: 'unknown.example.com' });
    digicert.losesAnswer = true;
    await orders.attempt(requestId);
    await ok(test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    await orders.finish(requestId);
    expect([...digicert.orders.values()].at(-1)!.status).toBe('canceled');
  });

  it('is asked to cancel an order for hours, however often the order had failed before, also in that moment', async () => {
    for (const isMeanwhile of [false, true]) {
      const profileId = await orders.profile(await made('digicert'));
      const requestId = await orders.order(profileId, { commonName: 'away.example.com' });
      await orders.attempt(requestId);
      const order = [...digicert.orders.values()].at(-1)!;
      const cancel = () => ok(test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
      let meanwhile: (() => Promise<unknown>) | undefined;
      await standIns.serve('www.digicert.com', (_, response) => {
        const first = meanwhile?.();
        meanwhile = undefined;
        Promise.resolve(first).then(
          () => response.writeHead(503).end(),
          (error: Error) => response.destroy(error),
        );
      });
      for (let failures = 0; failures < 9; failures++) await orders.attempt(requestId);
      if (isMeanwhile) {
        meanwhile = cancel;
        await orders.attempt(requestId);
      } else await cancel();
      for (let tries = 0; tries < 9; tries++)
        expect((await orders.attempt(requestId)).due_at, `try ${tries}`).not.toBeNull();
      await standIns.serve('www.digicert.com', digicert.listener);
      expect(await orders.finish(requestId)).toMatchObject({ status: 'cancelled' });
      expect(order.status).toBe('canceled');
      expect(await eventsOf(test, { certificateOrderId: requestId })).not.toContain('certificate_order.left');
    }
  });

  it('gives nobody the name by which rules let them read an imported key', async () => {
    const { csr, key } = makeRequest({ subject: '/', extensions: ['subjectAltName=DNS:pay.example.com'] });
    const profileId = await orders.profile(await made('digicert'));
    const requestId = await orders.order(profileId, {}, { csr, metadata: [{ key: 'owner', value: 'eve' }] });
    await orders.attempt(requestId);
    const [number, order] = [...digicert.orders].at(-1)!;
    await digicert.validate(number);
    const { certificate: certificatePem } = digicert.certificates.get(order.certificateId!)!;
    const body = { projectId, certificatePem, privateKeyPem: key, friendlyName: 'prod-pay' };
    const { certificateId } = await ok(test.admin('POST', `${NEWER}/import-certificate`, body));
    expect(await orders.finish(requestId)).toMatchObject({ status: 'issued' });
    const { certificate } = await ok(test.admin('GET', `${NEWER}/${certificateId}`));
    expect(certificate).toMatchObject({ profileId, friendlyName: 'prod-pay', metadata: [] });
  });

  it('keeps what somebody has imported before the order was answered, as the certificate of the order', async () => {
    const { profileId, requestId, order } = await validated('known.example.com');
    const { certificate: certificatePem } = digicert.certificates.get(order.certificateId!)!;
    const body = { projectId, certificatePem, friendlyName: 'imported' };
    const imported = await ok(test.admin('POST', `${NEWER}/import-certificate`, body));
    expect(await orders.finish(requestId)).toMatchObject({ status: 'issued' });
    const { certificateId } = await issued(requestId);
    expect(certificateId).toBe(imported.certificateId);
    expect(digicert.revoked.has(order.certificateId!)).toBe(false);
    const { certificate } = await ok(test.admin('GET', `${NEWER}/${certificateId}`));
    expect(certificate).toMatchObject({ source: 'issue', friendlyName: 'known.example.com', profileId });
    const key = await ok(test.admin('GET', `${NEWER}/${certificateId}/private-key`));
    expect(new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(key.privateKey ?? key))).toBe(true);
    await ok(test.admin('POST', `${NEWER}/${certificateId}/revoke`, { revocationReason: 'SUPERSEDED' }));
    expect(digicert.revoked.get(order.certificateId!)).toBe('superseded');
  });

  it('cancels an order that is cancelled here', async () => {
    const profileId = await orders.profile(await made('digicert'));
    const requestId = await orders.order(profileId, { commonName: 'gone.example.com' });
    await orders.attempt(requestId);
    await ok(test.admin('POST', `${NEWER}/certificate-requests/${requestId}/cancel`));
    expect(await orders.finish(requestId)).toMatchObject({ status: 'cancelled' });
    expect([...digicert.orders.values()].at(-1)!.status).toBe('canceled');
  });
});
