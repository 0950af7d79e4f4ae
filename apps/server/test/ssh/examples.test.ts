import { appRouter, openApiDocument } from '@coffer/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/certificates.ts';
import { readSigned, SSH_CA, SSH_CERTIFICATES, SSH_TEMPLATES } from '../harness/ssh.ts';
import { groupUrl, HOST_GROUPS, HOSTS, hostUrl } from '../harness/ssh-hosts.ts';
import { testServer, type Answer, type TestServer } from '../harness/test-server.ts';

// The bodies of the OpenAPI document are sent as they are, with the IDs of what is there.

let test: TestServer;
let projectId: string;
let paths: Awaited<ReturnType<typeof openApiDocument>>['paths'];
beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  ({ paths } = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' }));
});
afterAll(() => test.close());

/** Calls an operation with its example; `path` as in the document, `url` as it is called. */
async function call(path: string, ids: object, url = path): Promise<Answer['body']> {
  const { requestBody } = paths![path]!.post as { requestBody?: { content: Record<string, { example: object }> } };
  const example = requestBody?.content['application/json']!.example;
  return ok(await test.admin('POST', url, { ...example, ...ids }));
}

describe('the examples of SSH operations', () => {
  it('create an authority with a template, and issue, sign and rotate by it', async () => {
    const { ca } = await call(SSH_CA, { projectId });
    const template = await call(SSH_TEMPLATES, { sshCaId: ca.id });
    const ids = { certificateTemplateId: template.id };
    for (const what of ['issue', 'sign']) {
      const { signedKey } = await call(`${SSH_CERTIFICATES}/${what}`, ids);
      expect(readSigned(signedKey)).toMatchObject({ type: 'user', principals: ['deploy'] });
    }
    await call(`${SSH_CA}/{sshCaId}/rotate`, {}, `${SSH_CA}/${ca.id}/rotate`);
  });

  it('register a host in a host group, and issue its certificate', async () => {
    const host = await call(HOSTS, { projectId });
    const group = await call(HOST_GROUPS, { projectId });
    await call(`${HOST_GROUPS}/{sshHostGroupId}/hosts/{hostId}`, {}, groupUrl(group, `/hosts/${host.id}`));
    const certify = '/issue-host-cert';
    const { signedKey } = await call(`${HOSTS}/{sshHostId}${certify}`, {}, hostUrl(host, certify));
    expect(readSigned(signedKey)).toMatchObject({ type: 'host', principals: ['db1.example.com'] });
  });
});
