import { AwsAccount, CertifyingAuthority, makeConnection, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameOf, NEWER } from '../harness/certificates.ts';
import { makeRequest } from '../harness/csr.ts';
import { ok } from '../harness/groups.ts';
import { Orders } from '../harness/orders.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

// An external authority takes the subject from the CSR, as AWS Private CA does by default: what was checked has to be in it.

const standIns = new StandIns();
const aws = new AwsAccount({ region: 'us-east-1' });
let test: TestServer;
let orders: Orders;
let profileId: string;
let issuer: Caller;
let authority: CertifyingAuthority;

beforeAll(async () => {
  test = await testServer({ fetch: standIns.fetch });
  const projectId = (await test.project()).id;
  orders = new Orders(test, projectId);
  aws.now = () => test.coffer.now().getTime();
  authority = await CertifyingAuthority.make('Elsewhere');
  authority.takesUsages = true;
  aws.privateCa.authority = authority;
  await aws.serve(standIns);
  const connection = await makeConnection(test.coffer, {
    ...{ organizationId: test.organizationId, projectId, app: 'aws', name: nameOf('aws') },
    credentials: { method: 'access-key', ...aws.keys },
  });
  const { arn: certificateAuthorityArn } = aws.privateCa;
  const configuration = { appConnectionId: connection.id, certificateAuthorityArn, region: 'us-east-1' };
  const made = { projectId, name: nameOf('pca'), configuration };
  const { id } = await ok(test.admin('POST', '/api/v1/cert-manager/ca/aws-pca', made));
  profileId = await orders.profile(id, { defaults: { organization: 'Acme' } });
  const rules = [{ subject: 'certificate-profiles', action: ['issue-cert', 'read'] }];
  issuer = (await test.identity({ projectId, rules })).call;
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

const request = (subject: string, name: string, ...extensions: string[]) =>
  makeRequest({ subject, extensions: [`subjectAltName=DNS:${name}`, ...extensions] }).csr;

/** Orders a certificate, and carries out the order. */
async function issued(csr: string, attributes?: object) {
  const { certificateRequestId } = await ok(
    issuer('POST', NEWER, { profileId, csr, ...(attributes && { attributes }) }),
  );
  await orders.finish(certificateRequestId);
  return orders.request(certificateRequestId);
}

describe('the CSR of an order at an external authority', () => {
  it.each(['/CN=eve admin/O=system:masters', '/CN=app.example.com/O=system:masters', '/CN=app.example.com/OU=admins'])(
    'cannot have another subject (%s) than the attributes that were checked',
    async (subject) => {
      const attributes = { commonName: 'app.example.com', organization: 'Acme' };
      const answer = await issuer('POST', NEWER, { profileId, csr: request(subject, 'app.example.com'), attributes });
      expect(answer.status).toBe(400);
    },
  );

  it('may leave attributes out, and cannot have another subject at a renewal', async () => {
    const first = await ok(
      issuer('POST', NEWER, { profileId, csr: request('/CN=ann.example.com', 'ann.example.com') }),
    );
    await orders.finish(first.certificateRequestId);
    const { certificateId } = await orders.request(first.certificateRequestId);
    const csr = request('/O=system:masters', 'ann.example.com');
    const renewed = await issuer('POST', `${NEWER}/${certificateId}/renew`, { csr });
    expect(renewed).toMatchObject({ status: 400, body: { message: expect.stringContaining('subject of the CSR') } });
  });

  it.each([
    'extendedKeyUsage=OCSPSigning',
    'extendedKeyUsage=serverAuth,codeSigning',
    'keyUsage=digitalSignature,keyEncipherment',
  ])('cannot have other usages (%s) than those that were checked', async (usages) => {
    const csr = request('/CN=app.example.com', 'app.example.com', usages);
    const attributes = { keyUsages: ['digital_signature'], extendedKeyUsages: ['server_auth'] };
    const answer = await issuer('POST', NEWER, { profileId, csr, attributes });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('The CSR requests') } });
    const { certificateId } = await issued(request('/CN=app.example.com', 'app.example.com'), attributes);
    expect((await issuer('POST', `${NEWER}/${certificateId}/renew`, { csr })).status).toBe(400);
  });

  it('may have those that were checked, or some of them', async () => {
    const csr = request('/CN=app.example.com', 'app.example.com', 'extendedKeyUsage=serverAuth');
    const attributes = { extendedKeyUsages: ['server_auth', 'client_auth'] };
    expect(await issued(csr, attributes)).toMatchObject({ status: 'issued' });
  });

  it('cannot be for an authority, or its OCSP responder, whatever policy the profile has', async () => {
    for (const usages of ['keyUsage=keyCertSign', 'keyUsage=cRLSign', 'extendedKeyUsage=OCSPSigning']) {
      const csr = request('/CN=app.example.com', 'app.example.com', usages);
      expect([usages, (await issuer('POST', NEWER, { profileId, csr })).status]).toEqual([usages, 400]);
    }
  });

  it('may be without usages: a certificate that signs OCSP responses is revoked, and not stored', async () => {
    authority.usages = ['serverAuth', 'ocspSigning'];
    const { size } = aws.privateCa.revoked;
    const { status, errorMessage } = await issued(request('/CN=app.example.com', 'app.example.com'));
    expect([status, errorMessage]).toEqual(['failed', expect.stringContaining('signs others')]);
    expect(aws.privateCa.revoked.size).toBe(size + 1);
    authority.usages = ['serverAuth'];
  });
});
