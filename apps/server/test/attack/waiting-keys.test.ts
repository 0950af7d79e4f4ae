import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CA, makeIssuer, nameOf, ok, ordered, type Issuer } from '../harness/certificates.ts';
import { KEYS, keyName } from '../harness/kms.ts';
import { SSH_CA, SshProject } from '../harness/ssh.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

const RSA = { keyAlgorithm: 'RSA_2048' };

let test: TestServer;
let ssh: SshProject;
let sshCaId: string;
let templateId: string;
let issuer: Issuer;
beforeAll(async () => {
  test = await testServer();
  ssh = await SshProject.in(test);
  sshCaId = (await ssh.authority()).id;
  templateId = (await ssh.template(sshCaId)).id;
  issuer = await makeIssuer(test, ssh.projectId);
});
afterAll(() => test.close());

const orders: [what: string, order: (call: Caller, projectId: string) => Promise<Answer>][] = [
  ['a key of the KMS', (call, projectId) => call('POST', KEYS, { projectId, name: keyName(), algorithm: 'RSA_2048' })],
  ['an SSH authority', (call, projectId) => call('POST', SSH_CA, { projectId, friendlyName: 'late', ...RSA })],
  ['another key of one', (call) => call('POST', `${SSH_CA}/${sshCaId}/rotate`, RSA)],
  ['SSH credentials', (call) => ssh.issue(templateId, RSA, call)],
  [
    'a certificate authority',
    (call, projectId) => {
      const name = nameOf('late');
      return call('POST', CA, { projectId, name, configuration: { type: 'root', commonName: name, ...RSA } });
    },
  ],
  ['a certificate', (call) => call('POST', `/api/v1/pki/ca/${issuer.id}/issue-certificate`, ordered(RSA))],
];

describe('attack: orders that wait for RSA keys', () => {
  it.each(orders)('do nothing once the right has ended: %s', async (_what, order) => {
    const { projectId } = ssh;
    const { id, call } = await test.identity({ projectId, projectRole: 'admin' });
    const { keyGenerations } = test.coffer;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const others = ['a', 'b', 'c'].map((caller) => keyGenerations.run(caller, () => held));
    const run = vi.spyOn(keyGenerations, 'run');
    const answer = order(call, projectId);
    await expect.poll(() => run.mock.calls.length).toBe(1);
    ok(await test.admin('DELETE', `/api/v1/projects/${projectId}/memberships/identities/${id}`));
    release();
    await Promise.all(others);
    expect((await answer).status).toBe(404);
    run.mockRestore();
  });
});
