import { AsnConvert } from '@peculiar/asn1-schema';
import * as asn1 from '@peculiar/asn1-x509';
import fc from 'fast-check';
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyIdOf, signatureIdentifier } from './algorithm.ts';
import { berElements } from './ber.ts';
import { buildCertificate, readCertificate, readChain, signTbs, tbsOf } from './certificate.ts';
import { verifyChain } from './chain.ts';
import { KEY_ALGORITHMS } from './content.ts';
import { bitString, der, sequence } from './der.ts';
import { EXTENSIONS } from './extension.ts';
import { lint } from './lint/index.ts';
import { encodeName } from './name.ts';
import { chainPem, toPem } from './pem.ts';
import { inDays, keyOf, leafContent, NOW, rootOf } from './testing/authority.ts';
import { arbitraryContent } from './testing/arbitrary-content.ts';
import { atWork, judges } from './testing/tools.ts';
import { refusalOf } from './testing/refusal.ts';

const pem = (certificate: Uint8Array) => toPem('CERTIFICATE', certificate);

describe.each(KEY_ALGORITHMS)('a chain of %s keys', (algorithm) => {
  it.skipIf(judges.isMissing)(`is accepted by OpenSSL and GnuTLS for its usages only${judges.orSkipped}`, async () => {
    const root = await rootOf(algorithm, { ca: { pathLength: 1 } });
    const intermediate = await root.below('Intermediate', { ca: { pathLength: 0 }, notAfter: inDays(3650) });
    const leaf = await intermediate.issue(leafContent((await keyOf(algorithm, 'leaf')).publicKey));
    await atWork(async ({ put, run }) => {
      await put({
        'root.pem': pem(root.certificate.der),
        'intermediate.pem': pem(intermediate.certificate.der),
        'leaf.pem': pem(leaf.der),
        'other.pem': pem((await rootOf(algorithm, {}, 'Other')).certificate.der),
        'chain.pem': chainPem([leaf.der, intermediate.certificate.der, root.certificate.der]),
      });
      const verify = (...args: string[]) =>
        run('openssl', 'verify', '-x509_strict', '-untrusted', 'intermediate.pem', ...args);
      expect(await verify('-CAfile', 'root.pem', '-purpose', 'sslserver', 'leaf.pem')).toMatchObject({ ok: true });
      expect(
        await verify(
          '-CAfile',
          'root.pem',
          '-verify_hostname',
          'www.example.com',
          '-verify_ip',
          '10.1.2.3',
          'leaf.pem',
        ),
      ).toMatchObject({ ok: true });
      expect((await verify('-CAfile', 'root.pem', '-verify_hostname', 'example.org', 'leaf.pem')).ok).toBe(false);
      expect((await verify('-CAfile', 'other.pem', 'leaf.pem')).ok).toBe(false);
      expect((await verify('-CAfile', 'root.pem', '-purpose', 'smimesign', 'leaf.pem')).ok).toBe(false);
      const late = String(Math.floor(inDays(91).getTime() / 1000));
      expect((await verify('-CAfile', 'root.pem', '-attime', late, 'leaf.pem')).said).toContain('expired');

      const gnutls = await run('certtool', '--verify', '--load-ca-certificate', 'root.pem', '--infile', 'chain.pem');
      expect(gnutls).toMatchObject({
        ok: true,
        said: expect.stringContaining('Chain verification output: Verified.'),
      });
      const foreign = await run('certtool', '--verify', '--load-ca-certificate', 'other.pem', '--infile', 'leaf.pem');
      expect(foreign.ok).toBe(false);
    });
    expect(verifyChain(leaf, [intermediate.certificate, root.certificate], NOW)).toBeUndefined();
  });

  it('is parsed to what was requested', async () => {
    const root = await rootOf(algorithm);
    const { publicKey } = await keyOf(algorithm, 'leaf');
    const content = leafContent(publicKey);
    const read = await root.issue(content);
    const { publicKey: _, subject, ...rest } = content;
    expect(read).toMatchObject({
      ...rest,
      subject: { ...subject, other: [] },
      keyAlgorithm: algorithm,
      selfSigned: false,
    });
    expect(read.publicKey.equals(publicKey)).toBe(true);
    expect(root.certificate).toMatchObject({ selfSigned: true, ca: {}, authorityKeyId: root.keyId, keyId: root.keyId });
    const node = new X509Certificate(read.der);
    expect(node.verify(root.publicKey)).toBe(true);
    expect(node.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(read.fingerprintSha256);
    expect(node.fingerprint.replaceAll(':', '').toLowerCase()).toBe(read.fingerprintSha1);
    expect(node.serialNumber.toLowerCase()).toBe(read.serialNumber);
  });
});

const SYNTAX: Record<string, new () => object> = {
  [EXTENSIONS.basicConstraints]: asn1.BasicConstraints,
  [EXTENSIONS.keyUsage]: asn1.KeyUsage,
  [EXTENSIONS.extendedKeyUsage]: asn1.ExtendedKeyUsage,
  [EXTENSIONS.subjectAltName]: asn1.SubjectAlternativeName,
  [EXTENSIONS.subjectKeyIdentifier]: asn1.SubjectKeyIdentifier,
  [EXTENSIONS.authorityKeyIdentifier]: asn1.AuthorityKeyIdentifier,
  [EXTENSIONS.crlDistributionPoints]: asn1.CRLDistributionPoints,
  [EXTENSIONS.authorityInfoAccess]: asn1.AuthorityInfoAccessSyntax,
};

describe('tbsOf', () => {
  it('has no findings of the linter, and parses to its input', async () => {
    const root = await rootOf('EC_prime256v1');
    const { publicKey } = await keyOf('EC_prime256v1', 'leaf');
    await fc.assert(
      fc.asyncProperty(arbitraryContent(publicKey, root), async (content) => {
        const made = await buildCertificate(content, root, root);
        expect(lint(made, { issuer: root }).filter(({ severity }) => severity === 'error')).toEqual([]);
        const { publicKey: _, subject, nameConstraints: __, ...rest } = content;
        const read = readCertificate(made);
        expect(read).toMatchObject({ ...rest, subject: { ...subject, other: [] } });
        expect(new X509Certificate(made).verify(root.publicKey)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('equals the output of another encoder', async () => {
    const root = await rootOf('EC_prime256v1');
    const { publicKey } = await keyOf('EC_prime256v1', 'leaf');
    const again = (octets: ArrayBuffer, type: new () => object) =>
      Buffer.from(AsnConvert.serialize(AsnConvert.parse(octets, type))).toString('hex');
    fc.assert(
      fc.property(arbitraryContent(publicKey, root), (content) => {
        const octets = new Uint8Array(tbsOf(content, root)).buffer;
        expect(again(octets, asn1.TBSCertificate)).toBe(Buffer.from(octets).toString('hex'));
        const { extensions = [] } = AsnConvert.parse(octets, asn1.TBSCertificate);
        for (const { extnID, extnValue } of extensions) {
          const value = Buffer.from(extnValue.buffer).toString('hex');
          // That one is NULL, for which there is no type.
          const own = extnID === EXTENSIONS.ocspNoCheck ? '0500' : again(extnValue.buffer, SYNTAX[extnID]!);
          expect([extnID, own]).toEqual([extnID, value]);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('refuses names that are not ASCII rather than to write others', async () => {
    const root = await rootOf('EC_prime256v1');
    const content = leafContent((await keyOf('EC_prime256v1', 'leaf')).publicKey);
    // Of š, the last octet alone is an a.
    for (const [type, value] of [
      ['dns', 'exampleš.com'],
      ['email', 'a@exampleš.com'],
      ['uri', 'https://exampleš.com/'],
    ] as const) {
      expect(refusalOf(() => tbsOf({ ...content, altNames: [{ type, value }] }, root))).toBe('certificate.not_ascii');
    }
    const altNames = [{ type: 'ip', value: '10.0.0.256' }] as const;
    expect(refusalOf(() => tbsOf({ ...content, altNames }, root))).toBe('alt_name.ip');
  });

  it('has the same octets for the same content', async () => {
    const root = await rootOf('EC_prime256v1');
    const content = leafContent((await keyOf('EC_prime256v1', 'leaf')).publicKey);
    expect(tbsOf(content, root)).toEqual(tbsOf(content, root));
  });
});

describe('readCertificate', () => {
  it('rejects everything that is not one certificate, and throws nothing else', async () => {
    const root = await rootOf('EC_prime256v1');
    const { der: whole } = await root.issue(leafContent((await keyOf('EC_prime256v1', 'leaf')).publicKey));
    const mutilated = fc.oneof(
      fc.nat(whole.length - 1).map((length) => whole.subarray(0, length)),
      fc.nat(whole.length * 8 - 1).map((bit) => {
        const copy = Buffer.from(whole);
        copy[bit >> 3]! ^= 1 << (bit & 7);
        return copy;
      }),
      fc.uint8Array({ minLength: 1, maxLength: 40 }).map((tail) => Buffer.concat([whole, tail])),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(mutilated, (bytes) => {
        for (const text of [bytes, pem(bytes)]) {
          // A flipped bit may result in a certificate, but never with a valid signature.
          const isTaken = () => verifyChain(readCertificate(text), [root.certificate], NOW) === undefined;
          const taken: boolean[] = [];
          refusalOf(() => taken.push(isTaken()));
          expect(taken).not.toContain(true);
        }
        expect(() => lint(bytes)).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['no text', ''],
    ['other text', 'hello'],
    ['two certificates', 'TWO'],
    ['text beside it', 'BESIDE'],
    ['a key', '-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----\n'],
  ])('refuses %s', async (_, text) => {
    const { certificate } = await rootOf('EC_prime256v1');
    const one = pem(certificate.der);
    const input = text.replace('TWO', one + one).replace('BESIDE', `${one}subject=x\n`);
    expect(() => readCertificate(input)).toThrow(expect.objectContaining({ code: 'certificate.malformed' }));
  });

  it('rejects a time in the year 0, which cannot be stored', async () => {
    const root = await rootOf('EC_prime256v1');
    const { publicKey } = await keyOf('EC_prime256v1', 'leaf');
    const tbs = tbsOf({ ...leafContent(publicKey), notAfter: new Date('2060-01-01T00:00:00Z') }, root);
    const until = async (year: string) =>
      signTbs(Buffer.from(tbs.toString('latin1').replace('20600101', `${year}0101`), 'latin1'), root);
    const read = readCertificate(await until('0001'));
    expect(read.notAfter.toISOString()).toBe('0001-01-01T00:00:00.000Z');
    const never = await until('0000');
    expect(refusalOf(() => readCertificate(never))).toBe('certificate.malformed');
  });

  it('computes nothing with a key on a slow curve, also for a certificate under its own name', async () => {
    const root = await rootOf('EC_prime256v1');
    const read = (namedCurve: string) => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
      const content = leafContent(publicKey);
      const name = encodeName(content.subject);
      const tbs = tbsOf(content, { ...root, name, keyId: keyIdOf(publicKey) });
      const signature = bitString(sign('sha256', tbs, privateKey));
      return readCertificate(sequence(tbs, signatureIdentifier('EC_prime256v1'), signature)).selfSigned;
    };
    expect([read('P-521'), read('sect571r1')]).toEqual([true, false]);
  });

  it('rejects a duplicate extension', async () => {
    const { certificate } = await rootOf('EC_prime256v1');
    const [keyId] = [Buffer.from('301d0603551d0e0416', 'hex')];
    const at = certificate.der.indexOf(keyId);
    const twice = certificate.der.subarray(at, at + 31);
    const doubled = rebuilt(certificate.der, (list) => Buffer.concat([list, twice]));
    expect(() => readCertificate(doubled)).toThrow(
      expect.objectContaining({ code: 'certificate.duplicate_extension' }),
    );
  });

  it('parses a chain in order, and rejects anything else', async () => {
    const root = await rootOf('EC_prime256v1');
    const child = await root.below('Intermediate');
    const read = readChain(chainPem([child.certificate.der, root.certificate.der]));
    expect(read.map(({ serialNumber }) => serialNumber)).toEqual([
      child.certificate.serialNumber,
      root.certificate.serialNumber,
    ]);
    expect(readChain('')).toEqual([]);
    expect(() => readChain('garbage')).toThrow(expect.objectContaining({ code: 'certificate.malformed' }));
  });
});

/** The same certificate with other extensions; its signature then is false. */
function rebuilt(whole: Buffer, change: (extensions: Buffer) => Buffer): Buffer {
  const outer = split(whole);
  const tbs = split(outer[0]!);
  const list = split(split(tbs.at(-1)!)[0]!);
  return sequence(sequence(...tbs.slice(0, -1), der(0xa3, sequence(change(Buffer.concat(list))))), ...outer.slice(1));
}

const split = (element: Buffer) => berElements(berElements(element)[0]!.content).map(({ whole }) => whole);
