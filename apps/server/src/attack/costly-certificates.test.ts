import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openssl } from '../testing/openssl.ts';
import { testServer, type Caller, type TestServer } from '../testing/test-server.ts';

let test: TestServer;
let projectId: string;
let call: Caller;
beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  call = (await test.identity({ projectId, projectRole: 'admin' })).call;
});
afterAll(() => test.close());

const IMPORTS = ['/api/v1/pki/certificates', '/api/v1/cert-manager/certificates'].map(
  (url) => `${url}/import-certificate`,
);

describe('attack: certificates that take long to read', () => {
  it('come with a private key whose reading computes for minutes', async () => {
    const made = openssl([
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'a.key'],
      ...['-out', 'a.pem', '-subj', '/CN=a.example.com', '-days', '30'],
    ]);
    const certificatePem = made.file('a.pem').toString();
    const keys = [1024, 8192].map(longDsaKey);
    for (const url of IMPORTS)
      for (const privateKeyPem of keys) {
        const { status, body } = await call('POST', url, { projectId, certificatePem, privateKeyPem });
        expect([status, body.message]).toEqual([400, expect.stringContaining('RSA of up to 8192 bits')]);
      }
  });
});

/** Numbers at random: whoever reads it computes all the same. */
function longDsaKey(bits: number): string {
  const element = (tag: number, ...parts: Buffer[]) => {
    const content = Buffer.concat(parts);
    return Buffer.concat([Buffer.of(tag, 0x82, content.length >> 8, content.length & 0xff), content]);
  };
  const number = () => element(0x02, Buffer.of(0, 0xff), randomBytes(bits / 8 - 2), Buffer.of(1));
  const dsa = Buffer.from('06072a8648ce380401', 'hex');
  const parameters = element(0x30, number(), number(), number());
  const key = element(0x30, Buffer.of(2, 1, 0), element(0x30, dsa, parameters), element(0x04, number()));
  return `-----BEGIN PRIVATE KEY-----\n${key.toString('base64')}\n-----END PRIVATE KEY-----\n`;
}
