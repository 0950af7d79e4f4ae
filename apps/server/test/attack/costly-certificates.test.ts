import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeIssuer, NEWER, ordered, V1 } from '../harness/certificates.ts';
import { csrOf } from '../harness/csr.ts';
import { basic, HEADER, PASSPHRASE, PROFILES, shown, TEMPLATES } from '../harness/est.ts';
import { turnsOf } from '../harness/turns.ts';
import { openssl } from '../harness/openssl.ts';
import { SshProject } from '../harness/ssh.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let projectId: string;
let call: Caller;
beforeAll(async () => {
  test = await testServer({}, { isTrustedProxy: () => true, clientCertificateHeader: HEADER });
  projectId = (await test.project()).id;
  call = (await test.identity({ projectId, projectRole: 'admin' })).call;
});
afterAll(() => test.close());

const IMPORTS = ['/api/v1/pki/certificates', '/api/v1/cert-manager/certificates'].map(
  (url) => `${url}/import-certificate`,
);

describe('attack: certificates that are expensive to parse', () => {
  it('have names and name constraints that are expensive to compare', async () => {
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

  it('are checked against rules whose texts match thousands of names', async () => {
    const { id } = await makeIssuer(test, projectId);
    const text = `{${'a,'.repeat(98)}a}{${'b,'.repeat(379)}b}.example.com`;
    const create = { subject: 'certificates', action: ['create', 'read'] };
    const rules = [create, { ...create, inverted: true, conditions: { commonName: { $in: Array(300).fill(text) } } }];
    const machine = await test.identity({ projectId, rules });
    const asked = ordered({ commonName: '*.example.com', altNames: '*.example.com' });
    expect((await machine.call('POST', `/api/v1/pki/ca/${id}/issue-certificate`, asked)).status).toBe(200);
  });

  it('come with a private key that takes minutes to parse', async () => {
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

describe('attack: a client of EST with a chain in which each certificate may be below an anchor', () => {
  it('has its signatures verified in turns', async () => {
    const { id: caId } = await makeIssuer(test, projectId);
    const name = String.raw`.*\.example\.com`;
    const template = { caId, name: 'chains', commonName: name, subjectAlternativeName: name, ttl: '1d' };
    const { id } = (await call('POST', TEMPLATES, template)).body;
    const anchors = Array.from({ length: 3 }, () => chainOf(1, [], []).chainPem);
    const config = { passphrase: PASSPHRASE, caChain: anchors.join('') };
    expect((await call('POST', `${TEMPLATES}/${id}/est-config`, config)).status).toBe(200);
    const { certificatePem, chainPem } = chainOf(1, [], []);
    const chain = shown(certificatePem!, ...Array<string>(19).fill(chainPem));
    await turnsOf(60, async () => {
      expect((await enrolAt(id, requestFor(['urn:a']), chain)).status).toBe(401);
    });
    // Without the passphrase, the chain is read alone.
    await turnsOf(1, async () => {
      expect((await enrolAt(id, requestFor(['urn:a']), chain, 'simplereenroll')).status).toBe(401);
    });
  });
});

describe('attack: rules on certificates that are expensive to evaluate one by one', () => {
  const TOO_COSTLY_RULES = [403, expect.stringContaining('take too long to evaluate')];
  const may = { subject: 'certificates', action: ['create', 'read'] };
  /** Each matches the asterisk of a wildcard as it matches any character. */
  const partial = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      ...may,
      conditions: { altNames: { $glob: '{?,?-?}.d*.example.com' }, friendlyName: { $ne: `x${n}` } },
    }));
  /** Allows all that the wildcards cover, and no wildcard. */
  const covered = { ...may, conditions: { altNames: { $glob: '[!*]*.d*.example.com' } } };
  const excepting = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      ...may,
      conditions: { altNames: { $ne: `a${n}.example.com` }, friendlyName: { $glob: `x*${n}` } },
    }));
  const named = (count: number, start: string) =>
    ordered({ altNames: Array.from({ length: count }, (_, n) => `${start}d${n}.example.com`).join(',') });

  it('are few patterns, and allow a hundred wildcards of which they match what these cover', async () => {
    const { id } = await makeIssuer(test, projectId);
    const machine = await test.identity({ projectId, rules: [...partial(10), covered] });
    const issue = () => machine.call('POST', `/api/v1/pki/ca/${id}/issue-certificate`, named(100, '*.'));
    expect(await inTurns(issue)).toEqual([200, '']);
  });

  it.each<[string, object[], string]>([
    ['thousands of patterns for one character', [...partial(3_000), covered], '*.'],
    [
      'thousands that leave out a name',
      [...excepting(7_000), { ...may, conditions: { altNames: { $glob: 'd*' } } }],
      '',
    ],
  ])('are refused with %s, for an order and for a list', async (_, rules, start) => {
    const { id } = await makeIssuer(test, projectId);
    const url = `/api/v1/pki/ca/${id}/issue-certificate`;
    const order = named(300, start);
    expect((await call('POST', url, order)).status).toBe(200);
    const machine = await test.identity({ projectId, rules: rules as never });
    expect(await inTurns(() => machine.call('POST', url, order))).toEqual(TOO_COSTLY_RULES);
    const list = `/api/v1/cert-manager/certificates?projectId=${projectId}&limit=1`;
    expect(await inTurns(() => machine.call('GET', list))).toEqual(TOO_COSTLY_RULES);
  });
});

describe('attack: sixty orders of one caller at once', () => {
  it('are checked and signed one in each turn of the event loop', async () => {
    const { id } = await makeIssuer(test, projectId);
    const order = () => call('POST', `/api/v1/pki/ca/${id}/issue-certificate`, ordered());
    await turnsOf(60, async () => {
      for (const { status } of await Promise.all(Array.from({ length: 60 }, order))) expect(status).toBe(200);
    });
  });

  it('are signed one in each turn, also for SSH', async () => {
    const ssh = new SshProject(test, projectId);
    const { id } = await ssh.template((await ssh.authority()).id);
    await turnsOf(60, async () => {
      for (const { status } of await Promise.all(Array.from({ length: 60 }, () => ssh.issue(id, {}, call))))
        expect(status).toBe(200);
    });
  });
});

const POLICIES = '/api/v1/cert-manager/certificate-policies';
const TOO_COSTLY = [400, expect.stringContaining('certificate.too_costly')];
/** Compiles to 1,206 and 603 of the 1,500 instructions, which mostly all wait for the next character. */
const EXPRESSIONS = ['(?:.{0,300}a.{0,300}b)*c', '.*a(?:.{1,600})x'];

describe('attack: names and patterns that are expensive to compare', () => {
  const template = async (subjectAlternativeName: string) => {
    const { id: caId } = await makeIssuer(test, projectId);
    const names = { commonName: '.*', subjectAlternativeName };
    const body = { caId, name: `t-${randomBytes(4).toString('hex')}`, ...names, ttl: '30d' };
    return call('POST', TEMPLATES, body);
  };
  const uris = (count: number) => Array.from({ length: count }, (_, number) => `urn:x:${number}${letters(2_035)}`);

  it.each(EXPRESSIONS)('are refused for a certificate and for a CSR under the template %s', async (text) => {
    const { body } = await template(text);
    const order = { certificateTemplateId: body.id, commonName: 'Any one', ttl: '1d' };
    const issue = `${V1}/issue-certificate`;
    const altNames = uris(8).join(',');
    expect(await inTurns(() => call('POST', issue, { ...order, altNames }))).toEqual(TOO_COSTLY);
    const csr = pemOf(requestFor(uris(5)));
    const sign = `${V1}/sign-certificate`;
    expect(await inTurns(() => call('POST', sign, { ...order, csr }))).toEqual(TOO_COSTLY);
  });

  it('are rejected for EST clients, too', async () => {
    const { body } = await template(EXPRESSIONS[1]!);
    const config = { passphrase: PASSPHRASE, disableBootstrapCertValidation: true };
    expect((await call('POST', `${TEMPLATES}/${body.id}/est-config`, config)).status).toBe(200);
    const enrol = () => enrolAt(body.id, requestFor(uris(7)));
    expect(await inTurns(enrol)).toEqual(TOO_COSTLY);
  });

  it.each([
    ['[^a]{0,1000}', 80],
    ['.{0,1000}', 100],
  ])('are not compiled if repetitions make them large: %s, %i times', async (text, times) => {
    const refused = [400, expect.stringContaining('has too many repetitions')];
    expect(await inTurns(() => template(text.repeat(times)))).toEqual(refused);
  });

  it.each([
    ['[B-\\x{1e000}]', '(?i)' + '[B-\\x{1e000}]'.repeat(78)],
    ['[B-𞀀]', '(?i)' + '[B-𞀀]'.repeat(170)],
    ['B-𞀀 in one class', `(?i)[${'B-𞀀'.repeat(254)}]`],
    ['\\PL\\PN in one class', `(?i)[${'\\PL\\PN'.repeat(168)}]`],
    ['\\pL and others as nested alternatives', `(?i)${'(?:'.repeat(110)}\\pL${'|\\pN)'.repeat(110)}`],
  ])('are not compiled if ignoring case makes them large: %s', async (_, text) => {
    const refused = [400, expect.stringContaining('or character classes')];
    expect(await inTurns(() => template(text))).toEqual(refused);
    const { body } = await template('.*\\.example\\.com');
    const update = (change: object) => inTurns(() => call('PATCH', `${TEMPLATES}/${body.id}`, change));
    expect(await update({ subjectAlternativeName: text })).toEqual(refused);
    expect(await update({ commonName: text })).toEqual(refused);
  });

  it('are compiled in a short time if they begin with `^`, and if they ignore case as usual', async () => {
    // Another one each time: compiled ones are kept.
    const first = 0x4e00 + Math.floor(Math.random() * 10_000);
    const anchored = `^${Array.from({ length: 495 }, (_, n) => `${String.fromCodePoint(first + n)}*`).join('')}$`;
    for (const text of [anchored, '(?i)^[a-z0-9-]+\\.example\\.com$', '(?i)[\\pL\\pN\\x{80}-\\x{10ffff}-]+'])
      expect(await inTurns(() => template(text))).toEqual([200, '']);
  });

  it('are refused if ignoring case takes long', async () => {
    const { body } = await template(`(?i)(?:${'θ?'.repeat(490)}.?)*`);
    const order = { certificateTemplateId: body.id, commonName: 'Any one', ttl: '1d' };
    for (const length of [900, 1_850]) {
      const altNames = [1, 2, 3].map((number) => `urn:x:${number}${'k'.repeat(length)}`).join(',');
      expect(await inTurns(() => call('POST', `${V1}/issue-certificate`, { ...order, altNames }))).toEqual(TOO_COSTLY);
    }
  });

  it('are refused under a policy of long globs, and are not where both are of usual length', async () => {
    const half = 'a'.repeat(500);
    // As many as a policy may have.
    const long = Array.from({ length: 96 }, (_, number) => `*${half}b${half}*${number}`);
    const third = long.slice(0, 32);
    const usual = Array.from({ length: 20 }, (_, number) => `*.team-${number}.example.com`);
    const { id: caId } = await makeIssuer(test, projectId);
    const ordering = async (type: string, rule: object, values: readonly string[]) => {
      const policy = { projectId, name: `p-${randomBytes(4).toString('hex')}`, sans: [{ type, ...rule }] };
      const made = await call('POST', POLICIES, policy);
      const certificatePolicyId = made.body.certificatePolicy.id;
      const profile = { projectId, caId, certificatePolicyId, slug: policy.name, enrollmentType: 'api' };
      const profileId = (await call('POST', PROFILES, profile)).body.certificateProfile.id;
      const altNames = values.map((value) => ({ type, value }));
      return inTurns(() =>
        call('POST', NEWER, { profileId, attributes: { commonName: values[0]!.slice(0, 60), ttl: '1d', altNames } }),
      );
    };
    const periodic = Array.from({ length: 200 }, (_, number) => `urn:x:${number}${'a'.repeat(1_014)}`);
    expect(await ordering('uri', { allowed: third, required: third, denied: third }, periodic)).toEqual(TOO_COSTLY);
    expect(await ordering('uri', { denied: long }, periodic)).toEqual(TOO_COSTLY);
    const names = Array.from({ length: 100 }, (_, number) => `host-${number}.team-${number % 20}.example.com`);
    expect(await ordering('dns_name', { allowed: usual, denied: ['*.team-20.example.com'] }, names)).toEqual([200, '']);
  });
});

async function enrolAt(
  id: string,
  csr: Buffer,
  headers: Record<string, string> = {},
  operation = 'simpleenroll',
): Promise<Answer> {
  const answer = await test.app.inject({
    method: 'POST',
    url: `/.well-known/est/${id}/${operation}`,
    headers: { 'content-type': 'application/pkcs10', 'content-transfer-encoding': 'base64', ...basic(), ...headers },
    payload: csr.toString('base64'),
  });
  return { status: answer.statusCode, body: answer.json(), headers: {} };
}

/** The response, after checking that no turn of the event loop was too long. */
async function inTurns(ask: () => Promise<Answer>): Promise<unknown[]> {
  let answer: Answer | undefined;
  await turnsOf(0, async () => {
    answer = await ask();
  });
  const { status, body } = answer!;
  return [status, status === 200 ? '' : String(body.message)];
}

/** At random, and different each time: nothing that was computed for others helps. */
const letters = (length: number) => Array.from(randomBytes(length), (byte) => (byte % 2 ? 'a' : 'b')).join('');

const requestFor = (uris: readonly string[]): Buffer => {
  const names = uris.map((uri) => `URI:${uri}`).join(',');
  return Buffer.from(csrOf({ subject: '/', extensions: [`subjectAltName=critical,${names}`] }), 'base64url');
};
const pemOf = (der: Buffer) =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;

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

/** Random numbers: the parser computes with them anyway. */
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
