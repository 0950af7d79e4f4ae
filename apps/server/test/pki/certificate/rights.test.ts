import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueBy, makeIssuer, NEWER, ok, ordered, V1, type Issuer } from '../../harness/certificates.ts';
import { makeRequest } from '../../harness/csr.ts';
import { issuingServer, makeProfile } from '../../harness/issuing.ts';
import type { Caller, TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let projectId: string;
let slug: string;
let ca: Issuer;
beforeAll(async () => {
  ({ test, projectId, slug, ca } = await issuingServer());
});
afterAll(() => test.close());

const issue = (more: object = {}) => issueBy(test, ca.id, more);
const read = async (id: string) => ok(await test.admin('GET', `${NEWER}/${id}`)).certificate;

describe('rights to certificates', () => {
  const rule = (action: string | string[], conditions?: Record<string, unknown>, more: object = {}) => ({
    subject: 'certificates',
    action,
    ...(conditions && { conditions }),
    ...more,
  });
  const member = async (rules: readonly { subject: string; action: string | string[] }[]) =>
    (await test.identity({ projectId, rules })).call;
  const asks = (call: Caller, more: object = {}) =>
    call('POST', `/api/v1/pki/ca/${ca.id}/issue-certificate`, ordered(more));

  it('are checked for every name of an order', async () => {
    const call = await member([rule('create', { altNames: { $glob: '*.example.com' } })]);
    expect((await asks(call, { altNames: 'app.example.com,b.example.com' })).status).toBe(200);
    expect((await asks(call, { altNames: 'app.example.com,evil.org' })).status).toBe(403);
    expect((await asks(call, { commonName: 'x', altNames: '' })).status).toBe(403);
    const denied = await member([rule('create'), rule('create', { altNames: { $glob: '*.org' } }, { inverted: true })]);
    expect((await asks(denied)).status).toBe(200);
    expect((await asks(denied, { altNames: 'app.example.com,evil.org' })).status).toBe(403);
  });

  it.each([
    ['commonName', 'app.example.com', { commonName: 'other.example.com', altNames: 'other.example.com' }],
    ['friendlyName', 'App', { friendlyName: 'Other' }],
  ])('use its %s', async (field, value, other) => {
    const call = await member([rule(['create', 'read'], { [field]: { $eq: value } })]);
    const mine = ok(await asks(call, { friendlyName: 'App' }));
    expect((await asks(call, { friendlyName: 'App', ...other })).status).toBe(403);
    const { serialNumber } = await issue({ friendlyName: 'App', ...other });
    expect((await call('GET', `${V1}/${serialNumber}`)).status).toBe(403);
    expect((await call('GET', `${V1}/${mine.serialNumber}`)).status).toBe(200);
    const { certificates, totalCount } = ok(await call('GET', `${NEWER}?projectId=${projectId}&limit=100`));
    expect(certificates.length).toBe(totalCount);
    expect(new Set(certificates.map((one: Record<string, string>) => one[field]))).toEqual(new Set([value]));
  });

  it('that a later rule forbids completely leave nothing in lists', async () => {
    await issue();
    const call = await member([rule('read'), rule('read', undefined, { inverted: true })]);
    expect(ok(await call('GET', `${NEWER}?projectId=${projectId}`))).toMatchObject({ certificates: [], totalCount: 0 });
  });

  it('use serial number and status', async () => {
    const [one, other] = [await issue(), await issue()];
    const call = await member([
      rule('read', { serialNumber: { $in: [one.serialNumber] } }),
      rule('read', { status: 'revoked', serialNumber: { $in: [other.serialNumber] } }),
    ]);
    expect((await call('GET', `${V1}/${one.serialNumber}`)).status).toBe(200);
    expect((await call('GET', `${V1}/${other.serialNumber}`)).status).toBe(403);
    ok(await test.admin('POST', `${V1}/${other.serialNumber}/revoke`, { revocationReason: 'UNSPECIFIED' }));
    expect((await call('GET', `${V1}/${other.serialNumber}`)).status).toBe(200);
  });

  it('are separate for each operation', async () => {
    const { serialNumber, certificateId } = await issue();
    const [base, newer] = [`${V1}/${serialNumber}`, `${NEWER}/${certificateId}`];
    const operations = [
      ['GET', base, undefined, 'read'],
      ['GET', `${base}/certificate`, undefined, 'read'],
      ['GET', newer, undefined, 'read'],
      ['GET', `${newer}/certificate`, undefined, 'read'],
      ['GET', `${newer}/lint`, undefined, 'read'],
      ['GET', `${NEWER}?projectId=${projectId}`, undefined, 'read'],
      ['GET', `/api/v2/workspace/${slug}/certificates`, undefined, 'read'],
      ['POST', `/api/v1/projects/${projectId}/certificates/search`, {}, 'read'],
      ['GET', `${base}/bundle`, undefined, 'read-private-key'],
      ['GET', `${newer}/bundle`, undefined, 'read-private-key'],
      ['GET', `${base}/private-key`, undefined, 'read-private-key'],
      ['GET', `${newer}/private-key`, undefined, 'read-private-key'],
      ['POST', `${base}/pkcs12`, { password: 'x' }, 'read-private-key'],
      ['POST', `${newer}/pkcs12`, { password: 'x' }, 'read-private-key'],
      ['PATCH', newer, { metadata: [] }, 'edit'],
      ['PATCH', `${newer}/config`, { enableAutoRenewal: false }, 'edit'],
      ['POST', `/api/v1/pki/ca/${ca.id}/issue-certificate`, ordered(), 'create'],
      ['POST', `${V1}/issue-certificate`, ordered({ caId: ca.id }), 'create'],
      ['POST', `/api/v1/pki/ca/${ca.id}/sign-certificate`, { csr: makeRequest().csr, ttl: '1d' }, 'create'],
      ['POST', `${V1}/sign-certificate`, { csr: makeRequest().csr, ttl: '1d', caId: ca.id }, 'create'],
      ['POST', `${newer}/renew`, {}, 'create'],
      ['POST', `${base}/revoke`, { revocationReason: 'SUPERSEDED' }, 'delete'],
      ['DELETE', newer, undefined, 'delete'],
    ] as const;
    const actions = ['read', 'read-private-key', 'edit', 'create', 'delete', 'import'];
    const nobody = test.as();
    const foreign = (await test.foreign()).call;
    const [buts, justs] = [new Map<string, Caller>(), new Map<string, Caller>()];
    for (const action of actions) {
      buts.set(action, await member([rule(actions.filter((one) => one !== action))]));
      justs.set(action, await member([rule(action)]));
    }
    const stranger = (await test.identity()).call;
    for (const [method, url, body, action] of operations) {
      const but = buts.get(action)!;
      expect([method, url, (await nobody(method, url, body)).status]).toEqual([method, url, 401]);
      expect([method, url, (await but(method, url, body)).status]).toEqual([method, url, 403]);
      for (const outsider of [foreign, stranger]) {
        const answer = await outsider(method, url, body);
        expect([method, url, answer.status]).toEqual([method, url, 404]);
        const unknown = url
          .replace(serialNumber, '0'.repeat(40))
          .replace(certificateId, randomUUID())
          .replace(ca.id, randomUUID())
          .replace(projectId, randomUUID())
          .replace(slug, 'unknown-slug');
        const sent = body && 'caId' in body ? { ...body, caId: randomUUID() } : body;
        const { reqId: _, ...known } = answer.body;
        expect((await outsider(method, unknown, sent)).body).toMatchObject(known);
      }
    }
    for (const [method, url, body, action] of operations) {
      expect([method, url, (await justs.get(action)!(method, url, body)).status]).toEqual([method, url, 200]);
    }
  });
});

describe('the right to renew a certificate', () => {
  it('is checked for whoever enables auto-renewal', async () => {
    const { certificateId } = await issue();
    const edits = { subject: 'certificates', action: ['read', 'edit'] };
    const { call } = await test.identity({ projectId, rules: [edits] });
    const configure = (one: Caller, body: object) => one('PATCH', `${NEWER}/${certificateId}/config`, body);
    for (const body of [{ renewBeforeDays: 3 }, { enableAutoRenewal: true }])
      expect([body, (await configure(call, body)).status]).toEqual([body, 403]);
    expect((await read(certificateId)).renewBeforeDays).toBe(null);
    const creates = { subject: 'certificates', action: 'create', conditions: { commonName: 'app.example.com' } };
    const issuer = (await test.identity({ projectId, rules: [edits, creates] })).call;
    ok(await configure(issuer, { renewBeforeDays: 3 }));
    ok(await configure(call, { enableAutoRenewal: false }));
  });

  const url = '/api/v1/cert-manager';
  const may = async (subject: string, conditions: Record<string, unknown>) =>
    (await test.identity({ projectId, rules: [{ subject, action: 'issue-cert', conditions }] })).call;
  const template = async (name: string) => {
    const about = { caId: ca.id, name, commonName: '.*', subjectAlternativeName: '.*', ttl: '90d' };
    return ok(await test.admin('POST', `${url}/certificate-templates`, about)).id;
  };

  it('is the one to issue by its template', async () => {
    const [mine, other] = [await template('mine'), await template('other')];
    const call = await may('certificate-templates', { name: 'mine' });
    for (const [certificateTemplateId, status] of [
      [mine, 200],
      [other, 403],
    ]) {
      const { certificateId } = await issue({ certificateTemplateId });
      expect((await call('POST', `${NEWER}/${certificateId}/renew`)).status).toBe(status);
    }
    expect((await call('POST', `${NEWER}/${(await issue()).certificateId}/renew`)).status).toBe(403);
  });

  it('is the one to issue by its profile, as long as that accepts orders', async () => {
    const { profileId, order } = await makeProfile(test, { projectId, caId: ca.id, slug: 'mine' });
    const first = await order();
    const others = await may('certificate-profiles', { slug: 'other' });
    expect((await others('POST', `${NEWER}/${first}/renew`)).status).toBe(403);
    const call = await may('certificate-profiles', { slug: 'mine' });
    const { certificateId } = ok(await call('POST', `${NEWER}/${first}/renew`));
    ok(await test.admin('PATCH', `${url}/certificate-profiles/${profileId}`, { enrollmentType: 'acme' }));
    for (const one of [call, test.admin])
      expect(await one('POST', `${NEWER}/${certificateId}/renew`)).toMatchObject({
        status: 400,
        body: { message: 'Clients of this profile enrol by acme' },
      });
  });

  it('is missing if the profile has since moved to another authority', async () => {
    const { profileId, order } = await makeProfile(test, { projectId, caId: ca.id, slug: 'moved' });
    const [id, { id: caId }] = [await order(), await makeIssuer(test, projectId)];
    ok(await test.admin('PATCH', `${url}/certificate-profiles/${profileId}`, { caId }));
    expect((await test.admin('POST', `${NEWER}/${id}/renew`)).body.message).toContain('certificate.other_authority');
  });
});

describe('the data stored with a certificate', () => {
  it('is changed: metadata and the friendly name', async () => {
    const { certificateId } = await issue();
    const metadata = [{ key: 'team', value: 'red' }];
    expect(ok(await test.admin('PATCH', `${NEWER}/${certificateId}`, { metadata }))).toEqual({
      metadata,
      friendlyName: 'app.example.com',
    });
    ok(await test.admin('PATCH', `${NEWER}/${certificateId}`, { friendlyName: 'Mine' }));
    expect(await read(certificateId)).toMatchObject({ metadata, friendlyName: 'Mine' });
    const conditions = { friendlyName: 'Mine' };
    const { call } = await test.identity({
      projectId,
      rules: [{ subject: 'certificates', action: 'edit', conditions }],
    });
    expect((await call('PATCH', `${NEWER}/${certificateId}`, { friendlyName: 'Yours' })).status).toBe(403);
    expect((await test.admin('PATCH', `${NEWER}/${certificateId}`, { metadata: 'x' })).status).toBe(422);
  });

  it('determines its renewal', async () => {
    const { certificateId } = await issue();
    const url = `${NEWER}/${certificateId}/config`;
    expect(ok(await test.admin('PATCH', url, { renewBeforeDays: 10 }))).toEqual({
      message: expect.any(String),
      renewBeforeDays: 10,
    });
    expect((await read(certificateId)).renewBeforeDays).toBe(10);
    expect(ok(await test.admin('PATCH', url, { enableAutoRenewal: false })).renewBeforeDays).toBe(null);
    expect(ok(await test.admin('PATCH', url, { enableAutoRenewal: true })).renewBeforeDays).toBe(7);
    for (const [body, status] of [
      [{ renewBeforeDays: 0 }, 422],
      [{ renewBeforeDays: 31 }, 422],
      [{ renewBeforeDays: 1, enableAutoRenewal: false }, 400],
      [{ renewBeforeDays: 30 }, 200],
    ] as const)
      expect([body, (await test.admin('PATCH', url, body)).status]).toEqual([body, status]);
    const short = await issue({ ttl: '2d' });
    expect((await test.admin('PATCH', `${NEWER}/${short.certificateId}/config`, { renewBeforeDays: 5 })).status).toBe(
      400,
    );
  });
});

describe('a collection', () => {
  it('gets new certificates, by the order or by the template', async () => {
    const { id } = ok(await test.admin('POST', '/api/v1/pki/collections', { projectId, name: 'Servers' }));
    const items = async () =>
      ok(await test.admin('GET', `/api/v1/pki/collections/${id}/items?type=certificate`)).collectionItems.map(
        ({ itemId }: { itemId: string }) => itemId,
      );
    const one = await issue({ pkiCollectionId: id });
    const template = ok(
      await test.admin('POST', '/api/v1/pki/certificate-templates', {
        caId: ca.id,
        name: 'collected',
        commonName: '.*',
        subjectAlternativeName: '.*',
        ttl: '90d',
        pkiCollectionId: id,
      }),
    );
    const body = { certificateTemplateId: template.id, commonName: 'a.example.com' };
    const two = ok(await test.admin('POST', `${V1}/issue-certificate`, body));
    expect(await items()).toEqual([one.certificateId, two.certificateId]);
    const none = await test.admin('POST', `/api/v1/pki/ca/${ca.id}/issue-certificate`, {
      commonName: 'a.example.com',
      ttl: '1d',
      pkiCollectionId: randomUUID(),
    });
    expect(none.status).toBe(404);
    const { call } = await test.identity({ projectId, rules: [{ subject: 'certificates', action: 'create' }] });
    const asked = { commonName: 'a.example.com', ttl: '1d', pkiCollectionId: id };
    expect((await call('POST', `/api/v1/pki/ca/${ca.id}/issue-certificate`, asked)).status).toBe(403);
  });
});
