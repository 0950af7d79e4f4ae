import fc from 'fast-check';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signatureIdentifier, spkiOf } from '../algorithm.ts';
import { tbsOf } from '../certificate.ts';
import { KEY_ALGORITHMS, type CertificateContent } from '../content.ts';
import { bitString, der, generalizedTime, integer, octetString, oid, sequence, TAG, time } from '../der.ts';
import * as extensions from '../extension.ts';
import { EXTENSIONS, extension } from '../extension.ts';
import { encodeName } from '../name.ts';
import { caContent, inDays, keyOf, leafContent, rootOf } from '../testing/authority.ts';
import { planted, type Parts } from '../testing/planted.ts';
import { lint, LINT_RULES, throwAwayKey } from './index.ts';

interface Fault {
  rule: string;
  /** The certificate with the planted fault; default: a server's. */
  content?: Partial<CertificateContent>;
  isCa?: boolean;
  change?: (parts: Parts) => void;
}

const text = (value: string, tag: number = TAG.utf8String) => der(tag, Buffer.from(value));
const attribute = (type: string, value: Buffer) => der(TAG.set, sequence(oid(type), value));
const usages = (...list: CertificateContent['keyUsages']) => ({ keyUsages: list });
const altNames = (...names: Buffer[]) => extension(EXTENSIONS.subjectAltName, false, sequence(...names));
const withNames =
  (...names: Buffer[]) =>
  (parts: Parts) => {
    parts.extensions['altNames'] = altNames(...names);
    parts.subject = encodeName({ organization: 'Example' });
  };
const constraints = (isCritical: boolean, value: Buffer) => (parts: Parts) => {
  parts.extensions['nameConstraints'] = extension(EXTENSIONS.nameConstraints, isCritical, value);
};
const permitted = extensions.nameConstraints({ permitted: [{ type: 'dns', value: 'example.com' }] });
const weak = () => spkiOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey);
const critical = (id: string, value: Buffer) => extension(id, true, value);

/** For every rule, certificates that break it. */
const FAULTS: Fault[] = [
  { rule: 'rfc5280.der', change: (parts) => (parts.serialNumber = Buffer.from(`0216000001${'11'.repeat(19)}`, 'hex')) },
  { rule: 'rfc5280.der', change: (parts) => (parts.subject = Buffer.concat([Buffer.of(0x30, 0x81, 0x00)])) },
  {
    rule: 'rfc5280.default_value',
    change: (parts) => {
      const off = der(TAG.boolean, Buffer.of(0));
      parts.extensions['subjectKeyId'] = sequence(
        oid(EXTENSIONS.subjectKeyIdentifier),
        off,
        octetString(octetString(Buffer.of(1))),
      );
    },
  },
  {
    rule: 'rfc5280.default_value',
    change: (parts) => {
      const value = sequence(der(TAG.boolean, Buffer.of(0)));
      parts.extensions['basicConstraints'] = extension(EXTENSIONS.basicConstraints, false, value);
    },
  },
  { rule: 'rfc5280.version', change: (parts) => (parts.version = []) },
  { rule: 'rfc5280.version', change: (parts) => (parts.version = [der(0xa0, integer(1))]) },
  { rule: 'rfc5280.serial_positive', change: (parts) => (parts.serialNumber = integer(0)) },
  { rule: 'rfc5280.serial_positive', change: (parts) => (parts.serialNumber = der(2, Buffer.alloc(20, 0x80))) },
  { rule: 'rfc5280.serial_length', change: (parts) => (parts.serialNumber = der(2, Buffer.alloc(21, 1))) },
  { rule: 'cabf.serial_entropy', change: (parts) => (parts.serialNumber = integer(7)) },
  {
    rule: 'rfc5280.signature_algorithm_match',
    change: (parts) => (parts.outerAlgorithm = signatureIdentifier('RSA_2048')),
  },
  { rule: 'rfc5280.signature_algorithm', change: (parts) => (parts.algorithm = signatureIdentifier('RSA_2048')) },
  { rule: 'rfc5280.issuer_empty', change: (parts) => (parts.issuer = sequence()) },
  { rule: 'rfc5280.issuer_name', change: (parts) => (parts.issuer = encodeName({ commonName: 'Somebody else' })) },
  { rule: 'rfc5280.validity_encoding', change: (parts) => (parts.notAfter = generalizedTime(inDays(1))) },
  {
    rule: 'rfc5280.validity_encoding',
    change: (parts) => (parts.notAfter = text('20260101000000.5Z', TAG.generalizedTime)),
  },
  { rule: 'rfc5280.validity_encoding', change: (parts) => (parts.notBefore = text('2601010000Z', TAG.utcTime)) },
  { rule: 'rfc5280.validity_encoding', change: (parts) => (parts.notBefore = text('260230000000Z', TAG.utcTime)) },
  { rule: 'rfc5280.validity_order', change: (parts) => (parts.notBefore = time(inDays(200))) },
  { rule: 'rfc5280.validity_of_issuer', content: { notAfter: inDays(45 * 365) } },
  { rule: 'rfc5280.validity_of_issuer', content: { notBefore: inDays(-1) } },
  { rule: 'rfc5280.name_malformed', change: (parts) => (parts.subject = sequence(der(TAG.set))) },
  { rule: 'rfc5280.subject_empty', isCa: true, content: { subject: {} } },
  {
    rule: 'rfc5280.subject_string',
    change: (parts) => (parts.subject = sequence(attribute('2.5.4.10', text('a@b', TAG.printableString)))),
  },
  { rule: 'rfc5280.subject_string', change: (parts) => (parts.subject = sequence(attribute('2.5.4.6', text('DE')))) },
  {
    rule: 'rfc5280.subject_string',
    change: (parts) => (parts.subject = sequence(attribute('2.5.4.10', text('old', TAG.teletexString)))),
  },
  {
    rule: 'rfc5280.subject_length',
    change: (parts) => (parts.subject = sequence(attribute('2.5.4.10', text('x'.repeat(65))))),
  },
  { rule: 'rfc5280.subject_value', change: (parts) => (parts.subject = sequence(attribute('2.5.4.10', text('')))) },
  { rule: 'rfc5280.subject_value', change: (parts) => (parts.subject = sequence(attribute('2.5.4.10', text('a\0b')))) },
  {
    rule: 'iso3166.country',
    change: (parts) => (parts.subject = sequence(attribute('2.5.4.6', text('D1', TAG.printableString)))),
  },
  { rule: 'rfc5280.key', change: (parts) => (parts.spki = sequence(sequence(oid('1.2.3')), bitString(Buffer.of(1)))) },
  {
    rule: 'rfc5280.key',
    change: (parts) => {
      // A point that is not on the curve.
      parts.spki = Buffer.from(parts.spki);
      parts.spki[parts.spki.length - 1]! ^= 1;
    },
  },
  { rule: 'cabf.key_strength', change: (parts) => (parts.spki = weak()) },
  {
    rule: 'cabf.key_strength',
    change: (parts) => (parts.spki = spkiOf(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey)),
  },
  { rule: 'rfc5280.unique_id', change: (parts) => (parts.uniqueIds = [der(0x81, Buffer.of(0, 1))]) },
  { rule: 'rfc5280.extension_duplicate', change: (parts) => parts.more.push(parts.extensions['subjectKeyId']!) },
  {
    rule: 'rfc6960.ocsp_nocheck',
    change: (parts) => parts.more.push(extension(EXTENSIONS.ocspNoCheck, false, der(TAG.null))),
  },
  {
    rule: 'rfc5280.extension_malformed',
    change: (parts) => (parts.extensions['altNames'] = extension(EXTENSIONS.subjectAltName, false, integer(1))),
  },
  {
    rule: 'rfc5280.extension_unknown_critical',
    change: (parts) => (parts.extensions['other'] = critical('1.2.3.4', integer(1))),
  },
  {
    rule: 'rfc5280.basic_constraints_critical',
    isCa: true,
    change: (parts) =>
      (parts.extensions['basicConstraints'] = extension(
        EXTENSIONS.basicConstraints,
        false,
        extensions.basicConstraints({}),
      )),
  },
  {
    rule: 'rfc5280.path_length',
    change: (parts) =>
      (parts.extensions['basicConstraints'] = extension(EXTENSIONS.basicConstraints, false, sequence(integer(1)))),
  },
  { rule: 'rfc5280.path_length', isCa: true, content: { ca: { pathLength: 1 }, ...usages('cRLSign') } },
  { rule: 'rfc5280.ca_key_usage', isCa: true, content: usages('cRLSign') },
  { rule: 'rfc5280.key_cert_sign', content: usages('keyCertSign', 'digitalSignature') },
  { rule: 'rfc5280.crl_sign', content: usages('cRLSign', 'digitalSignature') },
  {
    rule: 'rfc5280.key_usage_empty',
    change: (parts) => (parts.extensions['keyUsage'] = critical(EXTENSIONS.keyUsage, der(3, Buffer.of(0)))),
  },
  {
    rule: 'rfc5280.key_usage_bits',
    change: (parts) => (parts.extensions['keyUsage'] = critical(EXTENSIONS.keyUsage, der(3, Buffer.of(0, 0x80)))),
  },
  {
    rule: 'rfc5280.key_usage_critical',
    change: (parts) =>
      (parts.extensions['keyUsage'] = extension(EXTENSIONS.keyUsage, false, extensions.keyUsage(['digitalSignature']))),
  },
  { rule: 'rfc5280.key_usage_of_key', content: usages('digitalSignature', 'keyEncipherment') },
  { rule: 'rfc5280.key_usage_one_way', content: usages('digitalSignature', 'decipherOnly') },
  {
    rule: 'rfc5280.extended_key_usage_list',
    change: (parts) =>
      (parts.extensions['extendedKeyUsage'] = extension(EXTENSIONS.extendedKeyUsage, false, sequence())),
  },
  { rule: 'rfc5280.extended_key_usage_list', content: { extendedKeyUsages: ['clientAuth', 'clientAuth'] } },
  {
    rule: 'rfc5280.extended_key_usage_consistent',
    content: { extendedKeyUsages: ['codeSigning'], ...usages('keyAgreement') },
  },
  { rule: 'rfc3161.time_stamping', content: { extendedKeyUsages: ['timeStamping'] } },
  { rule: 'rfc3161.time_stamping_alone', content: { extendedKeyUsages: ['timeStamping', 'clientAuth'] } },
  { rule: 'rfc5280.alt_names_empty', change: (parts) => (parts.extensions['altNames'] = altNames()) },
  { rule: 'rfc5280.nameless', content: { subject: {}, altNames: [] } },
  { rule: 'rfc5280.alt_names_critical', content: { subject: {} } },
  { rule: 'rfc5280.alt_name_kind', change: withNames(der(0x88, Buffer.from('2a0304', 'hex'))) },
  { rule: 'rfc5280.alt_name_kind', change: withNames(der(0xa4, encodeName({ commonName: 'a' }))) },
  { rule: 'rfc5280.alt_name_ascii', change: withNames(text('bücher.example', 0x82)) },
  ...[
    'a_b.example.com',
    '-a.example.com',
    'a..b',
    'example.com.',
    `${'a'.repeat(64)}.com`,
    '',
    'a b.com',
    'a\0.com',
    '1.2.3.4',
    'xn--\u007f',
  ].map((name) => ({ rule: 'rfc5280.dns_name', change: withNames(text(name, 0x82)) })),
  ...['*', 'a.*.com', '*a.example.com', 'www*.example.com', '*.*.example.com'].map((name) => ({
    rule: 'rfc6125.wildcard',
    change: withNames(text(name, 0x82)),
  })),
  { rule: 'rfc5280.ip_address', change: withNames(der(0x87, Buffer.alloc(5))) },
  { rule: 'rfc5280.email', change: withNames(text('nobody', 0x81)) },
  { rule: 'rfc5280.email', change: withNames(text('Some Body <a@b.com>', 0x81)) },
  { rule: 'rfc5280.uri', change: withNames(text('/relative', 0x86)) },
  { rule: 'rfc5280.uri', change: withNames(text('https://a_b/', 0x86)) },
  { rule: 'rfc6125.common_name', content: { subject: { commonName: 'other.example.com' } } },
  { rule: 'rfc6125.server_name', content: { altNames: [] } },
  { rule: 'rfc5280.name_constraints_ca', change: constraints(true, permitted) },
  { rule: 'rfc5280.name_constraints_critical', isCa: true, change: constraints(false, permitted) },
  { rule: 'rfc5280.name_constraints_form', isCa: true, change: constraints(true, sequence()) },
  {
    rule: 'rfc5280.name_constraints_form',
    isCa: true,
    change: constraints(true, sequence(der(0xa0, sequence(der(0x87, Buffer.of(10, 0, 0, 0, 255, 0, 255, 0)))))),
  },
  {
    rule: 'rfc5280.name_constraints_form',
    isCa: true,
    change: constraints(true, sequence(der(0xa0, sequence(text('.example.com', 0x82))))),
  },
  {
    rule: 'rfc5280.name_constraints_form',
    isCa: true,
    change: constraints(true, sequence(der(0xa0, sequence(text('example.com', 0x82), der(0x81, Buffer.of(3)))))),
  },
  { rule: 'rfc5280.subject_key_id', isCa: true, change: (parts) => delete parts.extensions['subjectKeyId'] },
  { rule: 'rfc5280.subject_key_id_leaf', change: (parts) => delete parts.extensions['subjectKeyId'] },
  {
    rule: 'rfc5280.subject_key_id_empty',
    change: (parts) =>
      (parts.extensions['subjectKeyId'] = extension(EXTENSIONS.subjectKeyIdentifier, false, octetString(Buffer.of()))),
  },
  {
    rule: 'rfc5280.key_id_critical',
    change: (parts) =>
      (parts.extensions['subjectKeyId'] = critical(EXTENSIONS.subjectKeyIdentifier, octetString(Buffer.of(1)))),
  },
  { rule: 'rfc5280.authority_key_id', change: (parts) => delete parts.extensions['authorityKeyId'] },
  {
    rule: 'rfc5280.authority_key_id_pair',
    change: (parts) =>
      (parts.extensions['authorityKeyId'] = extension(
        EXTENSIONS.authorityKeyIdentifier,
        false,
        sequence(der(0x82, Buffer.of(1))),
      )),
  },
  {
    rule: 'rfc5280.authority_key_id_match',
    change: (parts) =>
      (parts.extensions['authorityKeyId'] = extension(
        EXTENSIONS.authorityKeyIdentifier,
        false,
        extensions.authorityKeyIdentifier(Buffer.alloc(20)),
      )),
  },
  ...['ftp://example.com/crl', 'crl', 'http://'].map((url) => ({
    rule: 'rfc5280.crl_points',
    change: (parts: Parts) =>
      parts.more.push(extension(EXTENSIONS.crlDistributionPoints, false, extensions.crlDistributionPoints([url]))),
  })),
  {
    rule: 'rfc5280.crl_points',
    change: (parts) => parts.more.push(extension(EXTENSIONS.crlDistributionPoints, false, sequence())),
  },
  {
    rule: 'rfc5280.crl_points_critical',
    change: (parts) =>
      parts.more.push(critical(EXTENSIONS.crlDistributionPoints, extensions.crlDistributionPoints(['http://a/']))),
  },
  {
    rule: 'rfc5280.access',
    change: (parts) =>
      parts.more.push(
        extension(EXTENSIONS.authorityInfoAccess, false, extensions.authorityInfoAccess(['mailto:a@b.c'], [])),
      ),
  },
  {
    rule: 'rfc5280.access_critical',
    change: (parts) =>
      parts.more.push(critical(EXTENSIONS.authorityInfoAccess, extensions.authorityInfoAccess(['http://a/'], []))),
  },
];

const serverContent = async () => ({
  ...leafContent((await keyOf('EC_prime256v1', 'leaf')).publicKey),
  crlUrls: [],
  ocspUrls: [],
  issuerUrls: [],
});

describe('lint', () => {
  it('finds nothing in valid certificates', async () => {
    const root = await rootOf('EC_prime256v1');
    const content = await serverContent();
    expect(
      lint(
        planted(content, root, () => {}),
        { issuer: root },
      ),
    ).toEqual([]);
    const ca = caContent(content.publicKey, 'Below');
    expect(
      lint(
        planted(ca, root, () => {}),
        { issuer: root },
      ),
    ).toEqual([]);
  });

  it.each(FAULTS.map((fault, i) => [fault.rule, i, fault] as const))('finds %s (%i)', async (rule, _, fault) => {
    const root = await rootOf('EC_prime256v1');
    const server = await serverContent();
    const content = { ...(fault.isCa ? caContent(server.publicKey, 'Below') : server), ...fault.content };
    const found = lint(planted(content, root, fault.change ?? (() => {})), { issuer: root });
    const severity = LINT_RULES.find(({ id }) => id === rule)?.severity ?? 'error';
    expect(found).toContainEqual({ rule, severity, message: expect.stringMatching(/^[A-Za-z"].*[^.]$/s) });
  });

  it('has a planted fault for every rule, and every rule once', () => {
    const ids = LINT_RULES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !FAULTS.some(({ rule }) => rule === id))).toEqual([]);
    expect(LINT_RULES.filter(({ source }) => !/\d/.test(source))).toEqual([]);
  });

  it('recognizes a known signature without an issuer', async () => {
    const root = await rootOf('EC_prime256v1');
    const found = lint(
      planted(await serverContent(), root, (parts) => (parts.algorithm = sequence(oid('1.2.840.10045.4.1')))),
    );
    expect(found).toContainEqual(expect.objectContaining({ rule: 'rfc5280.signature_algorithm' }));
  });

  it('lints a TBSCertificate as well as a certificate', async () => {
    const root = await rootOf('EC_prime256v1');
    expect(lint(tbsOf(await serverContent(), root), { issuer: root })).toEqual([]);
  });

  it('reports anything else as not a certificate, and never throws', async () => {
    const root = await rootOf('EC_prime256v1');
    const whole = tbsOf(await serverContent(), root);
    expect(lint(Buffer.from('hello'))).toEqual([
      expect.objectContaining({ rule: 'rfc5280.structure', severity: 'error' }),
    ]);
    fc.assert(
      fc.property(fc.nat(whole.length * 8 - 1), fc.nat(whole.length), (bit, length) => {
        const flipped = Buffer.from(whole);
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        lint(flipped, { issuer: root });
        expect(lint(whole.subarray(0, length)).length > 0).toBe(length < whole.length);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('throwAwayKey', () => {
  it.each(KEY_ALGORITHMS)(
    'is created once (%s)',
    async (algorithm) => {
      const [one, other] = await Promise.all([throwAwayKey(algorithm), throwAwayKey(algorithm)]);
      expect(one).toBe(other);
      expect(createPublicKey(one.privateKey).equals(one.publicKey)).toBe(true);
    },
    300_000,
  );
});
