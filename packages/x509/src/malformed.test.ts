import fc from 'fast-check';
import { sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signatureIdentifier, type KeyPair } from './algorithm.ts';
import { readCertificate, readChain, tbsOf } from './certificate.ts';
import { verifyChain } from './chain.ts';
import { crlEntry, readCrl, signCrl, tbsCrlOf } from './crl.ts';
import { makeCsr, readCsr } from './csr.ts';
import type { CertificateContent } from './content.ts';
import { bitString, der, integer, nonCanonical, octetString, oid, sequence, TAG } from './der.ts';
import { lint } from './lint/index.ts';
import { decodeName, encodeName } from './name.ts';
import { readOcspRequest } from './ocsp.ts';
import { toPem } from './pem.ts';
import { newSerialNumber } from './serial.ts';
import { readEnvelope } from './structure.ts';
import { caContent, inDays, keyOf, leafContent, NOW, rootOf } from './testing/authority.ts';
import { mutilated } from './testing/mutilated.ts';
import { refusalOf } from './testing/refusal.ts';

const ALGORITHM = 'EC_prime256v1';
const signedBy = (tbs: Buffer, { privateKey }: Pick<KeyPair, 'privateKey'>) =>
  sequence(tbs, signatureIdentifier(ALGORITHM), bitString(sign('sha256', tbs, privateKey)));

describe('a well-formed structure with impossible content', () => {
  it('is rejected as a certificate, also with a valid signature', async () => {
    const root = await rootOf(ALGORITHM);
    const { publicKey } = await keyOf(ALGORITHM, 'leaf');
    const nameConstraints = {
      permitted: [{ type: 'dns' as const, value: 'example.com' }],
      excluded: [{ type: 'ip' as const, value: '10.0.0.0/8' }],
    };
    const contents = [
      leafContent(publicKey),
      caContent(publicKey, 'Below', { ca: { pathLength: 1 }, nameConstraints }),
    ];
    const whole = contents.map((content) => mutilated(tbsOf(content, root)));
    fc.assert(
      fc.property(fc.oneof(...whole), (tbs) => {
        const bytes = signedBy(tbs, root);
        expect(refusalOf(() => verifyChain(readCertificate(bytes), [root.certificate], NOW)) ?? 'certificate.').toMatch(
          /^(certificate|name)\./,
        );
        expect(refusalOf(() => readChain(toPem('CERTIFICATE', bytes))) ?? 'certificate.').toMatch(/^certificate\./);
        lint(tbs, { issuer: root, publicKey });
        lint(bytes, { issuer: root });
      }),
      { numRuns: 1500 },
    );
  });

  it('is rejected as an authority in comparisons', async () => {
    const root = await rootOf(ALGORITHM);
    const ca = await keyOf(ALGORITHM, 'ca');
    const { publicKey } = await keyOf(ALGORITHM, 'leaf');
    const more = { nameConstraints: { permitted: [{ type: 'dns' as const, value: 'example.com' }] } };
    const content = caContent(ca.publicKey, 'Below', more);
    const issuer = { ...root, ...ca, name: encodeName(content.subject) };
    const leaf = readCertificate(signedBy(tbsOf(leafContent(publicKey), issuer), ca));
    fc.assert(
      fc.property(mutilated(tbsOf(content, root)), (tbs) => {
        const bytes = signedBy(tbs, root);
        refusalOf(() => verifyChain(leaf, [readCertificate(bytes), root.certificate], NOW));
      }),
      { numRuns: 700 },
    );
  });

  it('is rejected as a CSR that was signed with its key', async () => {
    const pair = await keyOf(ALGORITHM);
    const altNames = [
      { type: 'dns', value: 'a.example.com' },
      { type: 'ip', value: '10.1.2.3' },
    ] as const;
    const whole = await makeCsr(
      { commonName: 'a.example.com' },
      { ...pair, algorithm: ALGORITHM },
      { ca: true, altNames },
    );
    fc.assert(
      fc.property(mutilated(readEnvelope(whole).tbs), (info) => {
        expect(refusalOf(() => readCsr(signedBy(info, pair))) ?? 'csr.').toMatch(/^csr\./);
      }),
      { numRuns: 1500 },
    );
  });

  it('is rejected as a revocation list, a name, or an OCSP request', async () => {
    const root = await rootOf(ALGORITHM);
    const tbs = tbsCrlOf({
      issuerName: root.name,
      keyId: root.keyId,
      number: 1n,
      thisUpdate: NOW,
      nextUpdate: inDays(7),
      entries: crlEntry(newSerialNumber(), NOW, 'SUPERSEDED'),
      algorithm: ALGORITHM,
    });
    const asked = sequence(
      sequence(oid('1.3.14.3.2.26'), der(TAG.null)),
      octetString(Buffer.alloc(20)),
      octetString(Buffer.alloc(20)),
      integer(5),
    );
    fc.assert(
      fc.property(
        mutilated(await signCrl(tbs, root)),
        mutilated(encodeName({ commonName: 'a', country: 'DE', domainComponents: ['example', 'com'] })),
        mutilated(sequence(sequence(sequence(sequence(asked))))),
        (list, name, request) => {
          expect(refusalOf(() => readCrl(list)) ?? 'crl.').toMatch(/^crl\./);
          expect(refusalOf(() => decodeName(name)) ?? 'name.').toMatch(/^name\./);
          expect(refusalOf(() => readOcspRequest(request)) ?? 'ocsp.').toMatch(/^ocsp\./);
        },
      ),
      { numRuns: 700 },
    );
  });
});

const nest = (depth: number): string =>
  Array.from({ length: depth })
    .reduce((inner: Buffer) => sequence(inner), der(TAG.null))
    .toString('hex');

describe('nonCanonical', () => {
  it.each([
    ['020100', undefined],
    ['3100', undefined],
    ['3106020101020102', undefined],
    ['3106020102020101', 'a set is out of order'],
    ['02020001', 'a number is not in its shortest form'],
    ['0202ff80', 'a number is not in its shortest form'],
    ['0200', 'a number is empty'],
    ['010101', 'a boolean is neither 0 nor ff'],
    ['0100', 'a boolean is neither 0 nor ff'],
    ['0300', 'a bit string is malformed'],
    ['030101', 'a bit string is malformed'],
    ['030204ff', 'spare bits are not zero'],
    ['050100', 'a null is not empty'],
    ['2403040100', 'a string is constructed'],
    ['1000', 'a sequence is not constructed'],
    ['048101ff', 'a length is not in its shortest form'],
    ['04820001ff', 'a length is not in its shortest form'],
    ['30800201000000', 'A length is indefinite or too long'],
    ['04850000000001ff', 'A length is indefinite or too long'],
    ['0402ff', 'An element is truncated'],
    ['30030402ff', 'An element is truncated'],
    ['04', 'An element is truncated'],
    ['30020484', 'An element is truncated'],
    ['1f810100', 'A tag is too large'],
    [nest(30), 'it is nested too deeply'],
  ])('of %s is %s', (hex, problem) => {
    expect(nonCanonical(Buffer.from(hex, 'hex'))).toBe(problem);
  });

  it('does not read beyond its element', () => {
    // A length that only the octets behind its element would fill.
    expect(nonCanonical(Buffer.from('300204010401ff', 'hex'))).toBe('An element is truncated');
  });
});

describe('a certificate of somebody else', () => {
  const names = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ type: 'dns' as const, value: `a${n}.example.com` }));

  it('has at most 5,000 elements, alone and with all others of a chain: names, constraints on names and usages', async () => {
    const root = await rootOf(ALGORITHM);
    const { publicKey } = await keyOf(ALGORITHM, 'leaf');
    const signedOf = (content: CertificateContent) => signedBy(tbsOf(content, root), root);
    const leaf = (count: number) => signedOf({ ...leafContent(publicKey), altNames: names(count) });
    expect(readCertificate(leaf(4_900)).altNames).toHaveLength(4_900);
    const nameConstraints = { permitted: names(2_600) };
    const many = [
      leaf(5_000),
      signedOf(caContent(publicKey, 'Below', { nameConstraints })),
      signedOf({ ...leafContent(publicKey), extendedKeyUsages: Array.from({ length: 5_000 }, () => 'serverAuth') }),
    ];
    for (const one of many) {
      expect(() => readCertificate(one)).toThrow('too many elements');
      expect(refusalOf(() => readCertificate(one))).toMatch(/^certificate\./);
      expect(refusalOf(() => readChain(toPem('CERTIFICATE', one)))).toMatch(/^certificate\./);
    }
    const chain = (...counts: number[]) => counts.map((count) => toPem('CERTIFICATE', leaf(count))).join('');
    expect(readChain(chain(1_200, 1_200, 1_200))).toHaveLength(3);
    expect(refusalOf(() => readChain(chain(1_700, 1_700, 1_700)))).toMatch(/^certificate\./);
  });
});
