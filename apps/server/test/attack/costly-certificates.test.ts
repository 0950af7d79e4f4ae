import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeIssuer, ordered } from '../harness/certificates.ts';
import { openssl } from '../harness/openssl.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

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
  it('have names and constraints on names whose comparison takes long', async () => {
    const many = Array.from({ length: 150 }, (_, n) => `a${n}`);
    const names = `subjectAltName=${many.map((name) => `DNS:${name}.example.com`).join(',')}`;
    const constraints = `nameConstraints=critical,${many.map((name) => `excluded;DNS:${name}.test`).join(',')}`;
    const excluded = 'nameConstraints=critical,excluded;DNS:a.test';
    const long = `subjectAltName=DNS:${'*'.repeat(20_000)}`;
    for (const [depth, ca, leaf, status] of [
      [1, [names, constraints], [names], 200],
      [4, [names, constraints], [names], 400],
      [1, [excluded], [names], 200],
      [1, [excluded], [long], 400],
    ] as const) {
      const answer = await call('POST', IMPORTS[0]!, { projectId, ...chainOf(depth, ca, leaf) });
      expect([answer.status, answer.body.message ?? '']).toEqual([
        status,
        expect.stringContaining(status === 400 ? 'certificate.chain' : ''),
      ]);
    }
  });

  it('are asked for under rules whose texts stand for thousands of names', async () => {
    const { id } = await makeIssuer(test, projectId);
    const text = `{${'a,'.repeat(98)}a}{${'b,'.repeat(379)}b}.example.com`;
    const create = { subject: 'certificates', action: ['create', 'read'] };
    const rules = [create, { ...create, inverted: true, conditions: { commonName: { $in: Array(300).fill(text) } } }];
    const machine = await test.identity({ projectId, rules });
    const asked = ordered({ commonName: '*.example.com', altNames: '*.example.com' });
    expect((await machine.call('POST', `/api/v1/pki/ca/${id}/issue-certificate`, asked)).status).toBe(200);
  });

  it('come with a private key whose reading computes for minutes', async () => {
    const made = openssl(['req', '-x509', ...NEW_KEY, '-subj', '/CN=a.example.com', '-days', '30']);
    const certificatePem = made.file('a.pem').toString();
    const keys = [1024, 8192].map(longDsaKey);
    for (const url of IMPORTS)
      for (const privateKeyPem of keys) {
        const { status, body } = await call('POST', url, { projectId, certificatePem, privateKeyPem });
        expect([status, body.message]).toEqual([400, expect.stringContaining('RSA of up to 8192 bits')]);
      }
  });
});

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'a.key', '-out', 'a.pem'];

/** A certificate with these extensions below so many authorities. */
function chainOf(depth: number, ofAuthority: readonly string[], ofLeaf: readonly string[]) {
  const made: string[] = [];
  let issuer: Record<string, Buffer> | undefined;
  for (let level = depth; level >= 0; level--) {
    const isLeaf = level === 0;
    const usage = isLeaf ? 'basicConstraints=critical,CA:FALSE' : 'keyUsage=critical,keyCertSign';
    const extensions = [usage, ...(isLeaf ? ofLeaf : ofAuthority)].flatMap((one) => ['-addext', one]);
    const by = issuer ? ['-CA', 'by.pem', '-CAkey', 'by.key'] : [];
    const subject = ['-subj', `/O=Level ${level}`, '-days', '30'];
    const run = openssl(['req', '-x509', ...NEW_KEY, ...by, ...subject, ...extensions], issuer);
    expect([run.code, run.code === 0 ? '' : run.text]).toEqual([0, '']);
    issuer = { 'by.pem': run.file('a.pem'), 'by.key': run.file('a.key') };
    made.unshift(issuer['by.pem']!.toString());
  }
  const [certificatePem, ...chain] = made;
  return { certificatePem, chainPem: chain.join('') };
}

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
