import { CertifyingAuthority, DigiCert, makeConnection, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, nameOf, NEWER } from '../../harness/certificates.ts';
import { makeRequest } from '../../harness/csr.ts';
import { expectRefused, ok } from '../../harness/groups.ts';
import { openssl } from '../../harness/openssl.ts';
import { Orders } from '../../harness/orders.ts';
import { testServer, type Caller, type TestServer } from '../../harness/test-server.ts';

const standIns = new StandIns();

let test: TestServer;
let orders: Orders;
let projectId: string;
let authority: CertifyingAuthority;
let digicert: DigiCert;
let caId: string;
beforeAll(async () => {
  test = await testServer({ fetch: standIns.fetch });
  projectId = (await test.project()).id;
  orders = new Orders(test, projectId);
  authority = await CertifyingAuthority.make('Elsewhere');
  digicert = new DigiCert(authority);
  digicert.now = () => test.coffer.now().getTime();
  await standIns.serve('www.digicert.com', digicert.listener);
  caId = await authorityOf(projectId);
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

async function authorityOf(project: string): Promise<string> {
  const credentials = { method: 'api-key', region: 'us', apiKey: digicert.apiKey };
  const place = { organizationId: test.organizationId, projectId: project };
  const connection = await makeConnection(test.coffer, { ...place, app: 'digicert', name: nameOf('c'), credentials });
  const configuration = {
    appConnectionId: connection.id,
    organizationId: digicert.organizationId,
    productNameId: 'ssl_basic',
  };
  const body = { projectId: project, name: nameOf('digicert'), configuration };
  return (await ok(test.admin('POST', '/api/v1/cert-manager/ca/digicert', body))).id;
}

const NAME = 'pay.example.com';
const request = () => makeRequest({ subject: `/CN=${NAME}`, extensions: [`subjectAltName=DNS:${NAME}`] });
const theirs = { friendlyName: { $glob: 'payments*' } };
const all = ['read', 'create', 'edit', 'delete', 'read-private-key'];

/** Somebody who may issue, and do everything to certificates but to those of others. */
const other = async () =>
  (
    await test.identity({
      projectId,
      rules: [
        { subject: 'certificate-profiles', action: ['read', 'issue-cert'] },
        { subject: 'certificates', action: all },
        { subject: 'certificates', action: all, conditions: theirs, inverted: true },
      ],
    })
  ).call;

type Imported = { certificateId: string; serialNumber: string };
const bring = (body: object): Promise<Imported> =>
  ok(test.admin('POST', `${NEWER}/import-certificate`, { projectId, friendlyName: 'payments', ...body }));

/** An order by a CSR, which proves nothing, that is begun at the authority. */
async function ordered(call: Caller, csr: string, profileId?: string, at = orders) {
  const profile = profileId ?? (await at.profile(caId));
  const metadata = [{ key: 'owner', value: 'other' }];
  const { certificateRequestId: requestId } = await ok(call('POST', NEWER, { profileId: profile, csr, metadata }));
  await at.attempt(requestId);
  const [number, order] = [...digicert.orders].at(-1)!;
  return { requestId: requestId as string, number, order };
}

/** It is issued there; the certificate. */
async function issuedFor({ number, order }: Awaited<ReturnType<typeof ordered>>): Promise<string> {
  await digicert.validate(number);
  return digicert.certificates.get(order.certificateId!)!.certificate;
}

const shown = async ({ certificateId }: Imported) =>
  (await ok(test.admin('GET', `${NEWER}/${certificateId}`))).certificate;
const AS_IT_WAS = {
  ...{ status: 'active', friendlyName: 'payments', metadata: [], source: 'import', caId: null, profileId: null },
  hasPrivateKey: true,
};
const keyOf = (call: Caller, { certificateId }: Imported) => call('GET', `${NEWER}/${certificateId}/private-key`);

describe('a certificate that somebody has imported with its key', () => {
  it('stays as it is if the authority answers an order of others with it', async () => {
    const { csr, key } = request();
    const bought = await authority.certify(csr, 300);
    const imported = await bring({ certificatePem: bought.certificate, privateKeyPem: key });
    test.advance(1_000);
    const call = await other();
    const placed = await ordered(call, csr);
    await issuedFor(placed);
    // Authorities may answer equal requests alike.
    digicert.certificates.set(placed.order.certificateId!, bought);
    expect(await orders.finish(placed.requestId)).toMatchObject({ status: 'failed' });
    expect(await shown(imported)).toMatchObject(AS_IT_WAS);
    await expectRefused(keyOf(call, imported), 403);
    expect(await eventsOf(test, { certificateId: imported.certificateId })).toEqual(['certificate.imported']);
    expect(await eventsOf(test, { certificateOrderId: placed.requestId })).toContain('certificate_order.left');
    expect(digicert.revoked.has(placed.order.certificateId!)).toBe(false);
  });

  it('stays as it is, too, if it was imported while their order waited', async () => {
    const { csr, key } = request();
    const call = await other();
    const placed = await ordered(call, csr);
    const imported = await bring({ certificatePem: await issuedFor(placed), privateKeyPem: key });
    expect(await orders.finish(placed.requestId)).toMatchObject({ status: 'failed' });
    expect(await shown(imported)).toMatchObject(AS_IT_WAS);
    await expectRefused(keyOf(call, imported), 403);
    expect(digicert.revoked.has(placed.order.certificateId!)).toBe(false);
  });

  it('becomes that of an order, under its name, by the rights of whoever has ordered it', async () => {
    const { csr, key } = request();
    const placed = await ordered(test.admin, csr);
    const imported = await bring({ certificatePem: await issuedFor(placed), privateKeyPem: key });
    expect(await orders.finish(placed.requestId)).toMatchObject({ status: 'issued' });
    expect(await shown(imported)).toMatchObject({ ...AS_IT_WAS, source: 'sign', caId, profileId: expect.any(String) });
    expect(await eventsOf(test, { certificateId: imported.certificateId })).toContain('certificate.updated');
  });

  it('is not revoked with an order that is cancelled, if it was there before', async () => {
    const { csr, key } = request();
    const bought = await authority.certify(csr, 300);
    const imported = await bring({ certificatePem: bought.certificate, privateKeyPem: key });
    test.advance(1_000);
    const placed = await ordered(await other(), csr);
    await issuedFor(placed);
    digicert.certificates.set(placed.order.certificateId!, bought);
    await ok(test.admin('POST', `${NEWER}/certificate-requests/${placed.requestId}/cancel`));
    expect(await orders.finish(placed.requestId)).toMatchObject({ status: 'cancelled' });
    expect(await shown(imported)).toMatchObject(AS_IT_WAS);
    expect(digicert.revoked.has(placed.order.certificateId!)).toBe(false);
    expect(await eventsOf(test, { certificateOrderId: placed.requestId })).toContain('certificate_order.left');
  });

  it('is not revoked with an order of the same project that fails, nor by somebody who may not revoke it', async () => {
    const ends: Record<string, (requestId: string, policyId: string) => Promise<unknown>> = {
      // Whoever may edit policies ends orders, and has no right to certificates.
      failed: async (_, policyId) => {
        const rules = [{ subject: 'certificate-policies', action: ['read', 'edit'] }];
        const { call } = await test.identity({ projectId, rules });
        const sans = [{ type: 'dns_name', allowed: ['*.other.example'] }];
        await ok(call('PATCH', `/api/v1/cert-manager/certificate-policies/${policyId}`, { sans }));
      },
      cancelled: async (requestId) => ok((await other())('POST', `${NEWER}/certificate-requests/${requestId}/cancel`)),
    };
    for (const [status, end] of Object.entries(ends)) {
      const { csr, key } = request();
      const profileId = await orders.profile(caId);
      const placed = await ordered(test.admin, csr, profileId);
      const imported = await bring({ certificatePem: await issuedFor(placed), privateKeyPem: key });
      const url = `/api/v1/cert-manager/certificate-profiles/${profileId}`;
      const { certificateProfile } = await ok(test.admin('GET', url));
      await end(placed.requestId, certificateProfile.certificatePolicyId);
      expect(await orders.finish(placed.requestId)).toMatchObject({ status });
      expect(await shown(imported)).toMatchObject(AS_IT_WAS);
      expect(digicert.revoked.has(placed.order.certificateId!)).toBe(false);
      expect(await eventsOf(test, { certificateOrderId: placed.requestId })).toContain('certificate_order.left');
    }
  });
});

describe('a bare copy of a certificate, which somebody has imported without its key', () => {
  it('becomes that of the order, with its name, unless it was there before', async () => {
    for (const isOlder of [false, true]) {
      const { csr } = request();
      const bought = await authority.certify(csr, 300);
      const before = isOlder ? await bring({ certificatePem: bought.certificate }) : undefined;
      test.advance(1_000);
      const placed = await ordered(await other(), csr);
      await issuedFor(placed);
      digicert.certificates.set(placed.order.certificateId!, bought);
      const imported = before ?? (await bring({ certificatePem: bought.certificate }));
      expect(await orders.finish(placed.requestId)).toMatchObject({ status: isOlder ? 'failed' : 'issued' });
      expect(await shown(imported)).toMatchObject(
        isOlder
          ? { ...AS_IT_WAS, hasPrivateKey: false }
          : { caId, friendlyName: NAME, metadata: [{ key: 'owner', value: 'other' }] },
      );
    }
  });

  it('keeps the certificate of an order that fails from being revoked in no project', async () => {
    for (const project of [projectId, (await test.project()).id]) {
      const { csr } = request();
      const profileId = await orders.profile(caId);
      const placed = await ordered(test.admin, csr, profileId);
      const imported = await bring({ certificatePem: await issuedFor(placed), projectId: project });
      await ok(test.admin('DELETE', `/api/v1/cert-manager/certificate-profiles/${profileId}`));
      expect(await orders.finish(placed.requestId)).toMatchObject({ status: 'failed' });
      expect(digicert.revoked.has(placed.order.certificateId!)).toBe(true);
      // What is said in other projects is not decided by an order of this one.
      expect(await shown(imported)).toMatchObject({ status: project === projectId ? 'revoked' : 'active' });
    }
  });

  it('keeps none from being revoked with an order that is cancelled, and its status where the canceller may not revoke it', async () => {
    const { csr } = request();
    const placed = await ordered(test.admin, csr);
    const certificatePem = await issuedFor(placed);
    const copies = [
      await bring({ certificatePem }),
      await bring({ certificatePem, projectId: (await test.project()).id }),
    ];
    await ok((await other())('POST', `${NEWER}/certificate-requests/${placed.requestId}/cancel`));
    expect(await orders.finish(placed.requestId)).toMatchObject({ status: 'cancelled' });
    expect(digicert.revoked.has(placed.order.certificateId!)).toBe(true);
    for (const copy of copies) expect(await shown(copy)).toMatchObject({ ...AS_IT_WAS, hasPrivateKey: false });
  });

  it('is revoked with the certificate of an order that is cancelled, also where the answer to that was lost', async () => {
    const placed = await ordered(test.admin, request().csr);
    const copy = await bring({ certificatePem: await issuedFor(placed) });
    await ok(test.admin('POST', `${NEWER}/certificate-requests/${placed.requestId}/cancel`));
    digicert.losesAnswer = true;
    await orders.finish(placed.requestId);
    expect([digicert.losesAnswer, placed.order.status]).toEqual([false, 'revoked']);
    expect(await shown(copy)).toMatchObject({ status: 'revoked' });
    const events = await eventsOf(test, { certificateOrderId: placed.requestId, serialNumber: copy.serialNumber });
    expect(events).toEqual(['certificate_order.revoked']);
  });

  it('is not said to be revoked if it is that of an authority, which no order is for', async () => {
    const { csr, key } = request();
    const placed = await ordered(await other(), csr);
    await issuedFor(placed);
    const made = openssl(['req', '-x509', '-key', 'a.key', '-subj', `/CN=${NAME}`, '-days', '30', '-out', 'a.pem'], {
      'a.key': key,
    });
    const certificate = made.file('a.pem').toString();
    const answered = digicert.certificates.get(placed.order.certificateId!)!;
    digicert.certificates.set(placed.order.certificateId!, { ...answered, certificate });
    const imported = await bring({ certificatePem: certificate });
    expect(await orders.finish(placed.requestId)).toMatchObject({ status: 'failed' });
    expect(await shown(imported)).toMatchObject({ status: 'active', friendlyName: 'payments' });
  });
});

describe('an order whose canceller is gone', () => {
  it('has what was issued for it revoked as if it had failed: unless it was imported with its key in the project', async () => {
    for (const isImported of [false, true]) {
      const { csr, key } = request();
      const placed = await ordered(test.admin, csr);
      const certificatePem = await issuedFor(placed);
      const imported = isImported ? await bring({ certificatePem, privateKeyPem: key }) : undefined;
      const canceller = await test.identity({ projectId, rules: [{ subject: 'certificates', action: all }] });
      await ok(canceller.call('POST', `${NEWER}/certificate-requests/${placed.requestId}/cancel`));
      await ok(test.admin('DELETE', `/api/v1/identities/${canceller.id}`));
      expect(await orders.finish(placed.requestId)).toMatchObject({ status: 'cancelled' });
      expect(digicert.revoked.has(placed.order.certificateId!)).toBe(!isImported);
      const event = `certificate_order.${isImported ? 'left' : 'revoked'}`;
      expect(await eventsOf(test, { certificateOrderId: placed.requestId })).toContain(event);
      const after = imported ? await shown(imported) : AS_IT_WAS;
      expect(after).toMatchObject(AS_IT_WAS);
    }
  });
});

describe('a certificate that an order has stored', () => {
  it('is not revoked with another order that is answered with it, also if its authority was deleted', async () => {
    const { csr } = request();
    const profileId = await orders.profile(caId);
    const first = await ordered(test.admin, csr, profileId);
    await issuedFor(first);
    await orders.finish(first.requestId);
    const { certificateId } = await orders.request(first.requestId);
    // As if that had been another authority, which was deleted.
    await test.coffer.pool.query('update certificates set external_ca_id = null where id = $1', [certificateId]);
    const second = await ordered(test.admin, csr, profileId);
    await issuedFor(second);
    const answered = digicert.certificates.get(first.order.certificateId!)!;
    digicert.certificates.set(second.order.certificateId!, answered);
    expect(await orders.finish(second.requestId)).toMatchObject({ status: 'failed' });
    expect(digicert.revoked.has(second.order.certificateId!)).toBe(false);
  });
});

describe('an authority of another project', () => {
  let elsewhere: Orders;
  let otherProject: string;
  let otherCaId: string;
  beforeAll(async () => {
    otherProject = (await test.project()).id;
    elsewhere = new Orders(test, otherProject);
    otherCaId = await authorityOf(otherProject);
  });
  /** Somebody who may do everything there, and has no right in the project of the others. */
  const stranger = async () =>
    (
      await test.identity({
        projectId: otherProject,
        rules: [
          { subject: 'certificate-profiles', action: ['read', 'issue-cert'] },
          { subject: 'certificates', action: [...all, 'import'] },
        ],
      })
    ).call;

  it('that says that it has revoked a certificate has none refused or revoked at the authority that has issued it', async () => {
    const { csr } = request();
    const placed = await ordered(test.admin, csr);
    await issuedFor(placed);
    const call = await stranger();
    const foreign = await ordered(call, csr, await elsewhere.profile(otherCaId), elsewhere);
    await issuedFor(foreign);
    const answered = digicert.certificates.get(placed.order.certificateId!)!;
    digicert.certificates.set(foreign.order.certificateId!, answered);
    await ok(call('POST', `${NEWER}/certificate-requests/${foreign.requestId}/cancel`));
    expect(await elsewhere.finish(foreign.requestId)).toMatchObject({ status: 'cancelled' });
    expect(await eventsOf(test, { certificateOrderId: foreign.requestId })).toContain('certificate_order.revoked');
    expect(await orders.finish(placed.requestId)).toMatchObject({ status: 'issued' });
    expect(digicert.revoked.has(placed.order.certificateId!)).toBe(false);
  });

  it('gets none of its certificates read in place of one with the same serial number that was there before, nor do imports', async () => {
    const placed = await ordered(test.admin, request().csr);
    await issuedFor(placed);
    await orders.finish(placed.requestId);
    const { certificateId } = await orders.request(placed.requestId);
    const { serialNumber, fingerprint } = await shown({ certificateId, serialNumber: '' });
    const evil = 'evil.example.com';
    const imitate = async () => {
      test.advance(1_000);
      const { csr } = makeRequest({ subject: `/CN=${evil}`, extensions: [`subjectAltName=DNS:${evil}`] });
      return { csr, certified: await authority.certify(csr, 30, serialNumber) };
    };
    const { csr: theirCsr, certified } = await imitate();
    const foreign = await ordered(await stranger(), theirCsr, await elsewhere.profile(otherCaId), elsewhere);
    await issuedFor(foreign);
    digicert.certificates.set(foreign.order.certificateId!, certified);
    expect(await elsewhere.finish(foreign.requestId)).toMatchObject({ status: 'issued' });
    const found = async () => {
      const paths = [NEWER, '/api/v1/pki/certificates'].map((path) => `${path}/${serialNumber}`);
      const answers = await Promise.all(paths.map((path) => ok(test.admin('GET', path))));
      return answers.map(({ certificate }) => certificate.id);
    };
    expect(await found()).toEqual([certificateId, certificateId]);
    // As if it had been imported, as another one is.
    const made = "update certificates set source = 'import', external_ca_id = null where serial_number = $1";
    await test.coffer.pool.query(made, [serialNumber]);
    await bring({ certificatePem: (await imitate()).certified.certificate, projectId: otherProject });
    expect(await found()).toEqual([certificateId, certificateId]);
    expect((await ok(test.admin('GET', `${NEWER}/${fingerprint}`))).certificate.id).toBe(certificateId);
  });
});
