import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, makeIssuer, ok, type Issuer } from '../../harness/certificates.ts';
import { makeRequest, type WantedRequest } from '../../harness/csr.ts';
import { issuingServer } from '../../harness/issuing.ts';
import { openssl, verify } from '../../harness/openssl.ts';
import type { TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let projectId: string;
let ca: Issuer;
let templateId: string;
beforeAll(async () => {
  ({ test, projectId, ca } = await issuingServer());
  const template = await test.admin('POST', '/api/v1/cert-manager/certificate-templates', {
    caId: ca.id,
    name: 'servers',
    commonName: '[a-z]+\\.example\\.com',
    subjectAlternativeName: '[a-z]+\\.example\\.com|10\\.1\\..*',
    ttl: '90d',
    extendedKeyUsages: ['serverAuth'],
  });
  ({ id: templateId } = ok(template));
});
afterAll(() => test.close());

const sign = (body: object) => test.admin('POST', `/api/v1/pki/ca/${ca.id}/sign-certificate`, { ttl: '30d', ...body });
const signByTemplate = (body: object) =>
  test.admin('POST', '/api/v1/pki/certificates/sign-certificate', { certificateTemplateId: templateId, ...body });

const RSA = (bits: number) => [`rsa:${bits}`];
const CURVE = (name: string) => ['ec', '-pkeyopt', `ec_paramgen_curve:${name}`];

describe('signing a request', () => {
  it.each([
    ['P-256', CURVE('P-256')],
    ['P-384', CURVE('P-384')],
    ['Ed25519', ['ed25519']],
    ['RSA of 2048 bits', RSA(2048)],
    ['RSA of 3072 bits', RSA(3072)],
    ['RSA of 4096 bits', RSA(4096)],
  ])('certifies its key (%s) and its names, and nothing else', async (_, key) => {
    const request = makeRequest({
      key,
      extensions: ['subjectAltName=DNS:app.example.com,IP:10.1.2.3,email:a@example.com'],
    });
    const signed = ok(await sign({ csr: request.csr }));
    expect(Object.keys(signed).toSorted()).toEqual(
      ['certificate', 'certificateChain', 'certificateId', 'issuingCaCertificate', 'serialNumber'].toSorted(),
    );
    expect(verify(signed.certificate, ca.certificate, ['-verify_hostname', 'app.example.com']).text).toBe(
      'leaf.pem: OK\n',
    );
    const leaf = new X509Certificate(signed.certificate);
    const own = openssl(['req', '-in', 'a.csr', '-noout', '-pubkey'], { 'a.csr': request.csr }).text;
    expect(leaf.publicKey.export({ type: 'spki', format: 'pem' })).toBe(own);
    expect(leaf.subjectAltName).toBe('DNS:app.example.com, IP Address:10.1.2.3, email:a@example.com');
    expect(leaf.ca).toBe(false);
    const { rows } = await test.coffer.pool.query(
      `select type, data->>'source' as source from audit_events where data->>'certificateId' = $1`,
      [signed.certificateId],
    );
    expect(rows).toEqual([{ type: 'certificate.signed', source: 'sign' }]);
  });

  it('uses its usages, and the given names instead of its own', async () => {
    const { csr } = makeRequest({
      extensions: ['subjectAltName=DNS:app.example.com', 'keyUsage=digitalSignature', 'extendedKeyUsage=clientAuth'],
    });
    const usages = async (body: object) => {
      const { certificate } = ok(await sign({ csr, ...body }));
      const leaf = new X509Certificate(certificate);
      return [leaf.subject, leaf.subjectAltName, leaf.keyUsage];
    };
    expect(await usages({})).toEqual(['CN=app.example.com', 'DNS:app.example.com', ['1.3.6.1.5.5.7.3.2']]);
    expect(
      await usages({ commonName: 'b.example.com', altNames: 'b.example.com', extendedKeyUsages: ['serverAuth'] }),
    ).toEqual(['CN=b.example.com', 'DNS:b.example.com', ['1.3.6.1.5.5.7.3.1']]);
  });

  it('keeps its names if empty ones are given', async () => {
    const { csr } = makeRequest({ extensions: ['subjectAltName=DNS:app.example.com'] });
    const leaf = new X509Certificate(ok(await sign({ csr, commonName: '', altNames: '' })).certificate);
    expect([leaf.subject, leaf.subjectAltName]).toEqual(['CN=app.example.com', 'DNS:app.example.com']);
  });

  const flip = (csr: string) => {
    const der = Buffer.from(csr.replaceAll(/-----.+-----|\s/g, ''), 'base64');
    der[der.length - 5]! ^= 1;
    return `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  };
  const requests: [name: string, wanted: WantedRequest | string, rule: string][] = [
    ['no PEM', 'hello', 'csr.malformed'],
    [
      'PEM of nothing',
      '-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n',
      'csr.malformed',
    ],
    ['a signature by another key', 'flipped', 'csr.signature'],
    ['a weak RSA key', { key: RSA(1024) }, 'csr.key'],
    ['an RSA key of an odd length', { key: RSA(2056) }, 'csr.key'],
    ['a curve that is not taken', { key: CURVE('secp256k1') }, 'csr.key'],
    ['another such curve', { key: CURVE('P-521') }, 'csr.key'],
    ['a signature over MD5', { key: RSA(2048), digest: 'md5' }, 'csr.signature_algorithm'],
    ['a signature over SHA-1', { key: RSA(2048), digest: 'sha1' }, 'csr.signature_algorithm'],
    ['CA:true', { extensions: ['basicConstraints=critical,CA:true'] }, 'csr.ca'],
    [
      'CA:true with all that belongs to it',
      { extensions: ['basicConstraints=CA:true,pathlen:3', 'keyUsage=keyCertSign,cRLSign'] },
      'csr.ca',
    ],
    [
      'a key that signs certificates, and CA:false',
      { extensions: ['basicConstraints=CA:false', 'keyUsage=keyCertSign'] },
      'csr.contradiction',
    ],
    [
      'encipherOnly without keyAgreement',
      { extensions: ['keyUsage=digitalSignature,encipherOnly'] },
      'csr.contradiction',
    ],
    [
      'a kind of name that is not certified',
      { extensions: ['subjectAltName=DNS:app.example.com,otherName:1.2.3.4;UTF8:evil'] },
      'csr.alt_name_kind',
    ],
    ['a registered id as name', { extensions: ['subjectAltName=RID:1.2.3.4'] }, 'csr.alt_name_kind'],
    ['a name that is none', { extensions: ['subjectAltName=DNS:-evil-.example.com'] }, 'csr.alt_name'],
    [
      'a wildcard in the middle',
      { extensions: ['subjectAltName=DNS:a.*.example.com'], subject: '/O=Example' },
      'csr.alt_name',
    ],
    ['an extension beyond those', { extensions: ['nsComment=hello'] }, 'csr.extension'],
    ['name constraints', { extensions: ['nameConstraints=permitted;DNS:example.com'] }, 'csr.extension'],
    ['an extended usage without a name', { extensions: ['extendedKeyUsage=1.2.3.4'] }, 'csr.extended_key_usage'],
    ['a subject with more than is certified', { subject: '/CN=app.example.com/serialNumber=1' }, 'csr.subject'],
    ['two common names', { subject: '/CN=app.example.com/CN=evil.example.com' }, 'csr.subject'],
    [
      'a common name that is none of the names',
      { extensions: ['subjectAltName=DNS:other.example.com'] },
      'csr.common_name',
    ],
    [
      'an address as common name that is none of the names',
      { subject: '/CN=10.1.2.3', extensions: ['subjectAltName=DNS:app.example.com'] },
      'csr.common_name',
    ],
    ['a usage that its key has not', { extensions: ['keyUsage=keyEncipherment'] }, 'rfc5280.key_usage_of_key'],
  ];
  it.each(requests)('is refused for %s, by the name of the rule', async (_, wanted, rule) => {
    const csr =
      wanted === 'flipped' ? flip(makeRequest().csr) : typeof wanted === 'string' ? wanted : makeRequest(wanted).csr;
    for (const signing of [sign, signByTemplate]) {
      const { status, body } = await signing({ csr });
      expect([status, body.details?.findings?.[0]?.rule, body.message]).toEqual([
        400,
        rule,
        expect.stringContaining(`(${rule})`),
      ]);
    }
  });

  it('accepts a common name that is not a host name beside other names', async () => {
    const { csr } = makeRequest({ subject: '/CN=Ann Lee', extensions: ['subjectAltName=email:ann@example.com'] });
    expect(new X509Certificate(ok(await sign({ csr })).certificate).subject).toBe('CN=Ann Lee');
  });

  it('is rejected if it is too long, or not text', async () => {
    expect((await sign({ csr: 'x'.repeat(20_000) })).status).toBe(422);
    expect((await sign({ csr: 5 })).status).toBe(422);
    expect((await sign({})).status).toBe(422);
  });
});

describe('signing a request by a template', () => {
  const request = (names: string, subject = '/CN=app.example.com') =>
    makeRequest({ subject, extensions: [`subjectAltName=${names}`] }).csr;

  it('issues within it, with its usages and validity', async () => {
    const csr = request('DNS:app.example.com,IP:10.1.2.3');
    const signed = ok(await signByTemplate({ csr }));
    const leaf = new X509Certificate(signed.certificate);
    expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(Math.round((leaf.validToDate.getTime() - leaf.validFromDate.getTime()) / DAY)).toBe(90);
    const { certificate } = ok(await test.admin('GET', `/api/v1/pki/certificates/${signed.serialNumber}`));
    expect([certificate.certificateTemplateId, certificate.keyUsages]).toEqual([templateId, ['digitalSignature']]);
  });

  it.each([
    ['a name of another domain', request('DNS:app.example.com,DNS:app.example.org'), {}, 'template.dns'],
    ['a name that only ends like one', request('DNS:app.example.com,DNS:app.example.com.evil.org'), {}, 'template.dns'],
    ['a wildcard', request('DNS:app.example.com,DNS:*.example.com'), {}, 'template.dns'],
    ['an address outside of the range', request('DNS:app.example.com,IP:10.2.0.1'), {}, 'template.ip'],
    ['an e-mail address', request('DNS:app.example.com,email:a@example.com'), {}, 'template.email'],
    ['a URI', request('DNS:app.example.com,URI:https://app.example.com/'), {}, 'template.uri'],
    [
      'another common name',
      request('DNS:app.example.com,DNS:b9.example.com', '/CN=app.example.com'),
      { commonName: 'b9.example.com' },
      'template.common_name',
    ],
    [
      'an organization, which could be a group',
      request('DNS:app.example.com', '/CN=app.example.com/O=system:masters'),
      {},
      'template.organization',
    ],
    [
      'a usage beyond it',
      request('DNS:app.example.com'),
      { extendedKeyUsages: ['clientAuth'] },
      'template.extended_key_usage',
    ],
    [
      'another usage beyond it',
      request('DNS:app.example.com'),
      { keyUsages: ['digitalSignature', 'nonRepudiation'] },
      'template.key_usage',
    ],
    ['more time', request('DNS:app.example.com'), { ttl: '91d' }, 'template.validity'],
    ['names said instead', request('DNS:app.example.com'), { altNames: 'app.example.com,evil.org' }, 'template.dns'],
  ])('is refused for %s', async (_, csr, more, rule) => {
    const { status, body } = await signByTemplate({ csr, ...more });
    const rules = body.details?.findings?.map((finding: { rule: string }) => finding.rule);
    expect([status, rules]).toEqual([400, expect.arrayContaining([rule])]);
    expect(body.message).toContain('(template.');
  });

  it('must belong to the named authority', async () => {
    const other = await makeIssuer(test, projectId);
    const csr = request('DNS:app.example.com');
    const url = `/api/v1/pki/ca/${other.id}/sign-certificate`;
    expect((await test.admin('POST', url, { csr, certificateTemplateId: templateId })).status).toBe(400);
    expect((await test.admin('POST', url, { csr, certificateTemplateId: 'none' })).status).toBe(404);
  });
});

describe('the right to issue by a template', () => {
  const right = { subject: 'certificate-templates', action: 'issue-cert', conditions: { name: 'servers' } };
  const csr = makeRequest({ extensions: ['subjectAltName=DNS:app.example.com'] }).csr;
  const body = () => ({ csr, certificateTemplateId: templateId });
  const url = '/api/v1/pki/certificates/sign-certificate';

  it('is sufficient for what the template allows, and for nothing else', async () => {
    const { call } = await test.identity({ projectId, rules: [right] });
    expect((await call('POST', url, body())).status).toBe(200);
    expect((await call('POST', url, { csr, ttl: '1d', caId: ca.id })).status).toBe(403);
    const { call: other } = await test.identity({
      projectId,
      rules: [{ ...right, conditions: { name: 'others' } }],
    });
    expect((await other('POST', url, body())).status).toBe(403);
  });

  it('is none to a certificate that a rule forbids', async () => {
    const forbids = (altNames: string) => ({
      subject: 'certificates',
      action: 'create',
      inverted: true,
      conditions: { altNames: { $glob: altNames } },
    });
    const { call } = await test.identity({ projectId, rules: [right, forbids('app.*')] });
    expect((await call('POST', url, body())).status).toBe(403);
    const { call: other } = await test.identity({ projectId, rules: [right, forbids('b.*')] });
    expect((await other('POST', url, body())).status).toBe(200);
  });
});
