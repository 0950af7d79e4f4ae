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

beforeAll(async () => {
  test = await testServer({ fetch: standIns.fetch });
  const projectId = (await test.project()).id;
  orders = new Orders(test, projectId);
  aws.now = () => test.coffer.now().getTime();
  aws.privateCa.authority = await CertifyingAuthority.make('Elsewhere');
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

const request = (subject: string, name: string) =>
  makeRequest({ subject, extensions: [`subjectAltName=DNS:${name}`] }).csr;

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
});
