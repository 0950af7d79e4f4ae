import fc from 'fast-check';
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signBytes, signatureIdentifier, spkiOf } from './algorithm.ts';
import { KEY_ALGORITHMS } from './content.ts';
import { makeCsr, readCsr } from './csr.ts';
import { bitString, der, integer, oid, sequence, TAG } from './der.ts';
import * as extensions from './extension.ts';
import { EXTENSIONS, extension } from './extension.ts';
import { encodeName } from './name.ts';
import { toPem } from './pem.ts';
import { keyOf } from './testing/authority.ts';
import { atWork, judges } from './testing/tools.ts';
import { refusalOf } from './testing/refusal.ts';

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const refusal = (code: string) => expect.objectContaining({ name: 'X509Error', code });

describe.each(KEY_ALGORITHMS)('a request for a key of the kind %s', (algorithm) => {
  it.skipIf(judges.isMissing)(`is taken from OpenSSL and GnuTLS, and taken by OpenSSL${judges.orSkipped}`, async () => {
    const key = await keyOf(algorithm);
    const subject = { commonName: 'Intermediate', organization: 'Exämple', country: 'DE' };
    const made = await makeCsr(subject, { ...key, algorithm }, { ca: true });
    expect(readCsr(made)).toMatchObject({
      subject: { ...subject, other: [] },
      keyAlgorithm: algorithm,
      ca: true,
      keyUsages: ['digitalSignature', 'keyCertSign', 'cRLSign'],
      extensions: [],
    });
    const privateKey = key.privateKey.export({ type: 'pkcs8', format: 'pem' });
    await atWork(async ({ put, run }) => {
      await put({
        'made.pem': toPem('CERTIFICATE REQUEST', made),
        'key.pem': privateKey,
        'template.cfg':
          'cn = "www.example.com"\ndns_name = "www.example.com"\nip_address = "10.1.2.3"\ntls_www_server\n',
      });
      expect(await run('openssl', 'req', '-in', 'made.pem', '-verify', '-noout')).toMatchObject({ ok: true });
      const san = 'subjectAltName=DNS:www.example.com,IP:10.1.2.3,email:a@example.com,URI:spiffe://example.com/a';
      await run(
        'openssl',
        'req',
        '-new',
        '-key',
        'key.pem',
        '-out',
        'o.pem',
        '-subj',
        '/CN=www.example.com/O=Ex',
        '-addext',
        san,
      );
      await run(
        'certtool',
        '--generate-request',
        '--load-privkey',
        'key.pem',
        '--template',
        'template.cfg',
        '--outfile',
        'g.pem',
      );
      const [theirs, gnutls] = await Promise.all(['o.pem', 'g.pem'].map((name) => run('openssl', 'req', '-in', name)));
      expect(readCsr(theirs!.said)).toMatchObject({
        subject: { commonName: 'www.example.com', organization: 'Ex' },
        altNames: [
          { type: 'dns', value: 'www.example.com' },
          { type: 'ip', value: '10.1.2.3' },
          { type: 'email', value: 'a@example.com' },
          { type: 'uri', value: 'spiffe://example.com/a' },
        ],
        keyAlgorithm: algorithm,
        ca: false,
      });
      expect(readCsr(gnutls!.said)).toMatchObject({ keyAlgorithm: algorithm, extendedKeyUsages: ['serverAuth'] });
    });
  });
});

interface Wrong {
  version?: Buffer;
  name?: Buffer;
  spki?: Buffer;
  extensions?: Buffer[];
  attributes?: Buffer[];
  identifier?: Buffer;
  break?: boolean;
}

/** A signed CSR with this content, valid or not. */
async function request(wrong: Wrong): Promise<Buffer> {
  const key = { ...(await keyOf('EC_prime256v1')), algorithm: 'EC_prime256v1' as const };
  const asked = wrong.extensions ? [sequence(oid(EXTENSION_REQUEST), der(TAG.set, sequence(...wrong.extensions)))] : [];
  const info = sequence(
    wrong.version ?? integer(0),
    wrong.name ?? encodeName({ commonName: 'a.example.com' }),
    wrong.spki ?? spkiOf(key.publicKey),
    der(0xa0, ...(wrong.attributes ?? asked)),
  );
  const signature = await signBytes(key, wrong.break ? Buffer.concat([info, info]) : info);
  return sequence(info, wrong.identifier ?? signatureIdentifier('EC_prime256v1'), bitString(signature));
}

const names = (...list: Buffer[]) => extension(EXTENSIONS.subjectAltName, false, sequence(...list));
const basic = (ca?: { pathLength?: number }) =>
  extension(EXTENSIONS.basicConstraints, true, extensions.basicConstraints(ca));
const usage = (...list: Parameters<typeof extensions.keyUsage>[0]) =>
  extension(EXTENSIONS.keyUsage, true, extensions.keyUsage(list));
/** As older clients of Microsoft's ask for extensions. */
const asMicrosoft = (...list: Buffer[]) => sequence(oid('1.3.6.1.4.1.311.2.1.14'), der(TAG.set, sequence(...list)));
const challenge = sequence(oid('1.2.840.113549.1.9.7'), der(TAG.set, der(TAG.utf8String, Buffer.from('secret'))));

describe('readCsr', () => {
  it('accepts a valid one, and reports what is not certified', async () => {
    const read = readCsr(
      await request({
        extensions: [names(der(0x82, Buffer.from('A.example.com'))), extension('1.2.3', true, integer(1))],
      }),
    );
    expect(read).toMatchObject({
      altNames: [{ type: 'dns', value: 'a.example.com' }],
      extensions: ['1.2.3'],
      keyUsages: undefined,
    });
    expect(readCsr(await request({ attributes: [challenge] })).challengePassword).toBe('secret');
    expect(readCsr(await request({ attributes: [] }))).toMatchObject({ altNames: [], ca: false });
    const older = asMicrosoft(basic({}), names(der(0x82, Buffer.from('a.example.com'))));
    expect(readCsr(await request({ attributes: [older] }))).toMatchObject({
      altNames: [{ type: 'dns', value: 'a.example.com' }],
      ca: true,
    });
    expect(readCsr(await request({ extensions: [basic({ pathLength: 1 }), usage('keyCertSign')] }))).toMatchObject({
      ca: true,
      pathLength: 1,
    });
  });

  it.each<[string, Wrong]>([
    ['csr.version', { version: integer(1) }],
    ['csr.signature', { break: true }],
    ['csr.signature_algorithm', { identifier: signatureIdentifier('RSA_2048') }],
    ['csr.signature_algorithm', { identifier: sequence(oid('1.2.840.10045.4.1')) }],
    ['csr.key', { spki: spkiOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey) }],
    ['csr.key', { spki: spkiOf(generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 }).publicKey) }],
    ['csr.key', { spki: spkiOf(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey) }],
    [
      'csr.key',
      { spki: spkiOf(generateKeyPairSync('ec', { namedCurve: 'prime256v1', paramEncoding: 'explicit' }).publicKey) },
    ],
    ['csr.key', { spki: spkiOf(generateKeyPairSync('x25519').publicKey) }],
    ['csr.key', { spki: Buffer.from(`302a300506032b6570032100${'01'.padEnd(64, '0')}`, 'hex') }],
    ['csr.key', { spki: sequence(integer(1)) }],
    ['csr.malformed', { name: sequence(integer(1)) }],
    [
      'csr.subject',
      { name: sequence(der(TAG.set, sequence(oid('2.5.4.3'), der(TAG.utf8String, Buffer.from('a\0b'))))) },
    ],
    [
      'csr.subject',
      { name: sequence(der(TAG.set, sequence(oid('2.5.4.6'), der(TAG.utf8String, Buffer.from('Germany'))))) },
    ],
    ['csr.duplicate_attribute', { attributes: [challenge, challenge] }],
    ['csr.duplicate_attribute', { attributes: [sequence(oid(EXTENSION_REQUEST), der(TAG.set))] }],
    [
      'csr.duplicate_attribute',
      { attributes: [asMicrosoft(basic()), sequence(oid(EXTENSION_REQUEST), der(TAG.set, sequence(basic())))] },
    ],
    ['csr.duplicate_extension', { extensions: [basic(), basic({})] }],
    ['csr.extension', { extensions: [extension(EXTENSIONS.keyUsage, true, integer(1))] }],
    ['csr.contradiction', { extensions: [usage('keyCertSign')] }],
    ['csr.contradiction', { extensions: [basic({}), usage('digitalSignature')] }],
    ['csr.contradiction', { extensions: [usage('encipherOnly')] }],
    ['csr.contradiction', { extensions: [extension(EXTENSIONS.basicConstraints, true, sequence(integer(3)))] }],
    ['csr.alt_name', { extensions: [names(der(0x82, Buffer.from('a_b.example.com')))] }],
    ['csr.alt_name', { extensions: [names(der(0x82, Buffer.from('www*.example.com')))] }],
    ['csr.alt_name', { extensions: [names(der(0x87, Buffer.alloc(5)))] }],
    ['csr.alt_name_kind', { extensions: [names(der(0x88, Buffer.from('2a03', 'hex')))] }],
    ['csr.alt_name_kind', { extensions: [names(der(0xa4, encodeName({ commonName: 'a' })))] }],
    [
      'csr.extended_key_usage',
      { extensions: [extension(EXTENSIONS.extendedKeyUsage, false, sequence(oid('2.5.29.37.0')))] },
    ],
  ])('refuses with %s what breaks that rule', async (code, wrong) => {
    const made = await request(wrong);
    expect(() => readCsr(made)).toThrow(refusal(code));
  });

  it('rejects what is too long, truncated, or has trailing data', async () => {
    const made = await request({});
    expect(() => readCsr(Buffer.concat([made, Buffer.of(0)]))).toThrow(refusal('csr.malformed'));
    expect(() => readCsr(toPem('CERTIFICATE REQUEST', made).repeat(2))).toThrow(refusal('csr.malformed'));
    expect(() => readCsr(toPem('CERTIFICATE', made))).toThrow(refusal('csr.malformed'));
    expect(() => readCsr('x'.repeat(16_385))).toThrow(refusal('csr.too_large'));
    expect(readCsr(toPem('CERTIFICATE REQUEST', made).replaceAll('\n', '\r\n')).der).toEqual(made);
  });

  it('never accepts a modified CSR, and throws only rejections', async () => {
    const whole = await request({
      extensions: [names(der(0x82, Buffer.from('a.example.com'))), usage('digitalSignature')],
    });
    fc.assert(
      fc.property(fc.nat(whole.length * 8 - 1), fc.nat(whole.length - 1), (bit, length) => {
        const flipped = Buffer.from(whole);
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        for (const bytes of [flipped, whole.subarray(0, length)]) {
          expect(refusalOf(() => readCsr(bytes))).toMatch(/^csr\./);
        }
      }),
      { numRuns: 1500 },
    );
  });
});
