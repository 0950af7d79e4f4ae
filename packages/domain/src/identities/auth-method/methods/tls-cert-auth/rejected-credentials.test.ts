import { webcrypto, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { restsSoFar } from '../../../../kernel/index.ts';
import { attempt } from '../../testing/attempt.ts';
import {
  asHeader,
  CLIENT_AUTH,
  Extension,
  KeyUsageFlags,
  makeClient,
  makeIntermediate,
  makeRoot,
  SERVER_AUTH,
  type Certified,
  type Make,
} from '../../testing/client-certificates.ts';
import { missingBindings } from '../../trust-root.ts';
import { tlsCertAuth } from './tls-cert-auth.ts';

let root: Certified;
let other: Certified;
let web: Certified;
beforeAll(async () => {
  [root, other] = [await makeRoot(), await makeRoot()];
  web = await makeClient(root, {
    altNames: [
      { type: 'dns', value: 'web.example.com' },
      { type: 'url', value: 'spiffe://example.com/web' },
      { type: 'email', value: 'web@example.com' },
      { type: 'ip', value: '10.0.0.1' },
      { type: 'ip', value: '2001:db8::1' },
    ],
  });
});

const parse = (given: object) => {
  const config = tlsCertAuth.config.parse({ caCertificate: root.pem, ...given });
  tlsCertAuth.check?.(config);
  return config;
};
const prove = (clientCertificate: string | undefined, given: object = {}, now = new Date()) =>
  tlsCertAuth.verify!(
    parse(given),
    {},
    attempt({ now, request: { id: 'req', ipAddress: '127.0.0.1', userAgent: '', clientCertificate } }),
  );
const refused = (reason: string) => ({ kind: 'unauthenticated', code: `tls_cert_auth.${reason}` });
const chain = { verifyClientCertificateChain: true };

describe('a true proof', () => {
  it('identifies the owner of the certificate', async () => {
    const proved = {
      tlsCert: {
        commonName: 'web',
        subjectAltNames: ['web.example.com', 'spiffe://example.com/web', 'web@example.com', '10.0.0.1', '2001:db8::1'],
        serialNumber: web.certificate.serialNumber.toUpperCase(),
        fingerprint: expect.stringMatching(/^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/),
      },
    };
    expect(await prove(asHeader(web))).toEqual(proved);
    for (const allowed of [
      { allowedCommonNames: 'web' },
      { allowedCommonNames: 'api, web' },
      { allowedCommonNames: null },
      { allowedCommonNames: '' },
      { allowedSubjectAltNames: ['web.example.com'] },
      { allowedSubjectAltNames: ['x', 'spiffe://example.com/web'] },
      { allowedSubjectAltNames: ['2001:db8::1'] },
      { allowedCommonNames: 'web', allowedSubjectAltNames: ['10.0.0.1'] },
    ])
      expect(await prove(asHeader(web), allowed)).toEqual(proved);
  });

  it('may be written as proxies write it', async () => {
    const { pem } = web;
    for (const header of [pem.replaceAll('\n', '%0A'), pem.replaceAll('\n', '\t'), encodeURIComponent(`\n${pem}\r\n`)])
      expect(await prove(header)).toMatchObject({ tlsCert: { commonName: 'web' } });
  });

  it('may come from any of several authorities, old and new ones with the same name', async () => {
    const both = { caCertificate: `${other.pem}\n${root.pem}` };
    for (const issuer of [root, other])
      expect(await prove(asHeader(await makeClient(issuer)), both)).toMatchObject({ tlsCert: { commonName: 'web' } });
  });

  it('may need authorities between it and the root, where the method verifies the chain', async () => {
    const upper = await makeIntermediate(root);
    const lower = await makeIntermediate(upper, { name: 'CN=Lower', pathLength: 0 });
    const leaf = await makeClient(lower);
    expect(await prove(asHeader(leaf, lower, upper), chain)).toMatchObject({ tlsCert: { commonName: 'web' } });
    expect(await prove(asHeader(leaf, lower, upper, root), chain)).toMatchObject({ tlsCert: { commonName: 'web' } });
    expect(await prove(asHeader(web), chain)).toMatchObject({ tlsCert: { commonName: 'web' } });
    expect(await prove(asHeader(leaf), { caCertificate: lower.pem })).toMatchObject({ tlsCert: { commonName: 'web' } });
  });

  it('needs no extended key usage', async () => {
    expect(await prove(asHeader(await makeClient(root, { usages: [] })))).toBeDefined();
    expect(await prove(asHeader(await makeClient(root, { usages: [SERVER_AUTH, CLIENT_AUTH] })))).toBeDefined();
  });
});

describe('no proof', () => {
  it.each([undefined, ''])('(%j) is a 400', async (header) => {
    await expect(prove(header)).rejects.toMatchObject({ kind: 'bad_request', code: 'tls_cert_auth.no_certificate' });
  });
});

describe('rejected credentials', () => {
  const from =
    (make: Make, issuer = () => root) =>
    async () =>
      asHeader(await makeClient(issuer(), make));
  const past = new Date(Date.now() - 1000);
  const future = new Date(Date.now() + 60_000);
  const unknown = new Extension('1.2.3.4', true, new Uint8Array([5, 0]));
  const nameConstraints = new Extension('2.5.29.30', false, new Uint8Array([0x30, 0]));

  it.each<[string, () => Promise<string>, string]>([
    ['of the same name from another authority of the same name', from({}, () => other), 'untrusted'],
    [
      'with the serial number and the key identifier of a true one, signed by another key',
      async () => asHeader(await makeClient(other, { serialNumber: web.certificate.serialNumber, claims: root })),
      'untrusted',
    ],
    ['that has signed itself', async () => asHeader(await selfSigned()), 'untrusted'],
    [
      'that has signed itself in the name of the authority',
      async () => asHeader(await selfSigned('CN=Clients')),
      'untrusted',
    ],
    ['that has expired', from({ notAfter: past }), 'untrusted'],
    ['that is not valid yet', from({ notBefore: future }), 'untrusted'],
    ['for servers', from({ usages: [SERVER_AUTH] }), 'usage'],
    ['for anything', from({ usages: ['2.5.29.37.0'] }), 'usage'],
    ['for signing code', from({ usages: ['1.3.6.1.5.5.7.3.3'] }), 'usage'],
    ['whose key only encrypts', from({ keyUsages: KeyUsageFlags.keyEncipherment }), 'usage'],
    ['whose key only signs lists', from({ keyUsages: KeyUsageFlags.cRLSign }), 'usage'],
    ['of the authority itself', async () => asHeader(root), 'usage'],
    ['of an authority below it', async () => asHeader(await makeIntermediate(root)), 'usage'],
    ['signed by a client', from({}, () => web), 'untrusted'],
    ['with a critical extension that nobody here knows', from({ extensions: [unknown] }), 'usage'],
    ['signed by SHA-1', from({ hash: 'SHA-1' }), 'untrusted'],
    ['that comes with another', async () => asHeader(web, await makeClient(root)), 'malformed'],
    ['that comes twice', async () => asHeader(web, web), 'malformed'],
    ['that comes with its authority', async () => asHeader(web, root), 'malformed'],
    ['that comes in two headers', async () => `${asHeader(web)}, ${asHeader(web)}`, 'malformed'],
    ['whose signature was changed', async () => encodeURIComponent(tampered(web, -1)), 'untrusted'],
    ['whose name was changed', async () => encodeURIComponent(renamed(web)), 'untrusted'],
    ['of which half is missing', async () => encodeURIComponent(web.pem.slice(0, 300)), 'malformed'],
    ['of which half is missing, with its end', async () => encodeURIComponent(cut(web)), 'malformed'],
    [
      'that is a key',
      async () => encodeURIComponent('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'),
      'malformed',
    ],
    [
      'that is a request',
      async () => encodeURIComponent('-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----'),
      'malformed',
    ],
    ['that is encoded twice', async () => encodeURIComponent(asHeader(web)), 'malformed'],
    ['that is wrongly encoded', async () => `${asHeader(web)}%`, 'malformed'],
    ['that is no UTF-8', async () => '%ff%fe', 'malformed'],
    ['with words in front', async () => encodeURIComponent(`Subject: CN=web\n${web.pem}`), 'malformed'],
    ['with a NUL behind', async () => `${asHeader(web)}%00`, 'malformed'],
    [
      'that is empty',
      async () => encodeURIComponent('-----BEGIN CERTIFICATE-----\n\n-----END CERTIFICATE-----'),
      'malformed',
    ],
    ['that is huge', async () => asHeader(...Array.from({ length: 200 }, () => web)), 'malformed'],
    ['that is one huge text', async () => 'A'.repeat(1_000_000), 'malformed'],
    ['that is nonsense', async () => 'web', 'malformed'],
  ])('%s is refused', async (_, make, reason) => {
    await expect(prove(await make())).rejects.toMatchObject(refused(reason));
  });

  const selfSigned = (name = 'CN=web') => makeRoot(name, { pathLength: undefined, usages: [CLIENT_AUTH] });
  const asPem = (bytes: Buffer) =>
    `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`;
  const bytesOf = ({ certificate }: Certified) => Buffer.from(certificate.rawData);
  const tampered = (one: Certified, at: number) => {
    const bytes = bytesOf(one);
    const index = bytes.length + at;
    bytes[index] = bytes[index]! ^ 1;
    return asPem(bytes);
  };
  const renamed = (one: Certified) =>
    asPem(Buffer.from(bytesOf(one).toString('latin1').replace('web', 'api'), 'latin1'));
  const cut = (one: Certified) => asPem(bytesOf(one).subarray(0, 200));

  it.each([
    ['a part of', 'CN=we'],
    ['more than', 'CN=web2'],
    ['another case of', 'CN=Web'],
    ['a list with', 'CN="web, api"'],
    ['a pattern for', 'CN=*'],
    ['a look-alike of', 'CN=w\u0435b'],
    ['a NUL behind', 'CN=web\0.evil.example'],
    ['a line break and', 'CN=x\\0ACN=web'],
    ['two, one of them', 'CN=web, CN=evil'],
    ['another field with', 'O=web'],
    ['another field that reads like', 'O="x\\0ACN=web"'],
    ['none, in place of', 'O=Example'],
    ['blanks around', 'CN=\\ web\\ '],
  ])('whose common name is %s an allowed one is refused (%s)', async (_, name) => {
    const leaf = await makeClient(root, { name });
    await expect(prove(asHeader(leaf), { allowedCommonNames: 'web, api' })).rejects.toMatchObject(
      refused('common_name'),
    );
  });

  it.each([
    ['example.com'],
    ['web.example.com.'],
    ['*.example.com'],
    ['WEB.example.com'],
    ['spiffe://example.com/we'],
    ['spiffe://example.com/web/'],
    ['DNS:web.example.com'],
    ['10.0.0.1/32'],
    ['web'],
  ])('without the alternative name %s is refused', async (name) => {
    const config = { allowedSubjectAltNames: [name], allowedCommonNames: 'web' };
    await expect(prove(asHeader(web), config)).rejects.toMatchObject(refused('alt_name'));
  });

  it('without any alternative name is rejected if one is required', async () => {
    const leaf = await makeClient(root, { name: 'CN=web.example.com' });
    const config = { allowedSubjectAltNames: ['web.example.com'] };
    await expect(prove(asHeader(leaf), config)).rejects.toMatchObject(refused('alt_name'));
  });

  it('with an alternative name that looks like two is one name', async () => {
    const leaf = await makeClient(root, { altNames: [{ type: 'dns', value: 'x, DNS:web.example.com' }] });
    const config = { allowedSubjectAltNames: ['web.example.com'] };
    await expect(prove(asHeader(leaf), config)).rejects.toMatchObject(refused('alt_name'));
  });

  it.each([
    ['10.0.0.1', { type: 'dns', value: '10.0.0.1' }],
    ['2001:db8::1', { type: 'dns', value: '2001:db8::1' }],
    ['spiffe://example.com/web', { type: 'dns', value: 'spiffe://example.com/web' }],
    ['web@example.com', { type: 'dns', value: 'web@example.com' }],
    ['web.example.com', { type: 'email', value: 'web.example.com' }],
    ['web.example.com', { type: 'url', value: 'web.example.com' }],
  ] as const)('with %s as a name of another type is rejected: %j', async (name, altName) => {
    const leaf = await makeClient(root, { altNames: [altName] });
    await expect(prove(asHeader(leaf), { allowedSubjectAltNames: [name] })).rejects.toMatchObject(refused('alt_name'));
  });

  it('is issued by an invalid authority: not a CA, expired, or with name constraints', async () => {
    for (const make of [{ notAfter: past }, { notBefore: future }]) {
      const authority = await makeRoot('CN=Clients', make);
      const config = { caCertificate: authority.pem };
      await expect(prove(asHeader(await makeClient(authority)), config)).rejects.toMatchObject(refused('untrusted'));
    }
    for (const make of [
      { pathLength: undefined },
      { keyUsages: KeyUsageFlags.digitalSignature },
      { extensions: [nameConstraints] },
      { extensions: [unknown] },
    ]) {
      const authority = await makeRoot('CN=Clients', make);
      expect(() => parse({ caCertificate: authority.pem })).toThrow('caCertificate');
      expect(() => parse({ caCertificate: `${root.pem}\n${authority.pem}` })).toThrow('caCertificate');
    }
  });

  it('has expired for a later clock, and its authority with it', async () => {
    const leaf = await makeClient(root, { notAfter: new Date(Date.now() + 60_000) });
    expect(await prove(asHeader(leaf))).toBeDefined();
    const later = new Date(Date.now() + 61_000);
    await expect(prove(asHeader(leaf), {}, later)).rejects.toMatchObject(refused('untrusted'));
    const long = await makeClient(root, { notAfter: new Date(Date.now() + 10 * 86_400_000) });
    const afterRoot = new Date(Date.now() + 5 * 86_400_000);
    await expect(prove(asHeader(long), {}, afterRoot)).rejects.toMatchObject(refused('untrusted'));
  });
});

describe('a long chain', () => {
  it('has its signatures verified in turns', async () => {
    const above = [await makeRoot('CN=Above', { pathLength: 20 })];
    for (let depth = 0; depth < 8; depth++)
      above.unshift(await makeIntermediate(above[0]!, { name: `CN=${depth}`, pathLength: 19 - depth }));
    const header = asHeader(await makeClient(above[0]!), ...above);
    const before = restsSoFar();
    expect(await prove(header, { ...chain, caCertificate: above.at(-1)!.pem })).toBeDefined();
    expect(restsSoFar() - before).toBeGreaterThanOrEqual(8);
  });
});

describe('a false chain', () => {
  it('is refused', async () => {
    const intermediate = await makeIntermediate(root);
    const leaf = await makeClient(intermediate);
    const foreign = await makeIntermediate(other);
    const past = new Date(Date.now() - 1000);
    const without = async (make: Make) => {
      const between = await makeIntermediate(root, make);
      return asHeader(await makeClient(between), between);
    };
    const last = await makeIntermediate(root, { pathLength: 0 });
    const tooFar = await makeIntermediate(last, { name: 'CN=Too far' });
    const bounded = await makeRoot('CN=Clients', { pathLength: 0 });
    const belowBounded = await makeIntermediate(bounded);
    const chains: Record<string, [string, object?]> = {
      'the one between is missing': [asHeader(leaf)],
      'the one between is of the same name and another root': [asHeader(leaf, foreign)],
      'another root comes along': [asHeader(await makeClient(foreign), foreign, other)],
      'it is in another order': [asHeader(intermediate, leaf)],
      'there is one too many in it': [asHeader(leaf, foreign, intermediate)],
      'there is one too many behind it': [asHeader(leaf, intermediate, foreign)],
      'the one between is no authority': [await without({ pathLength: undefined })],
      'the one between may not sign': [await without({ keyUsages: KeyUsageFlags.cRLSign })],
      'the one between has expired': [await without({ notAfter: past })],
      'the one between is for servers': [await without({ usages: [SERVER_AUTH] })],
      'the one between is for e-mail': [await without({ usages: ['1.3.6.1.5.5.7.3.4'] })],
      'the one between was signed by SHA-1': [await without({ hash: 'SHA-1' })],
      'a client has signed': [asHeader(await makeClient(web), web)],
      'an authority stands below one that allows none': [asHeader(await makeClient(tooFar), tooFar, last)],
      'an authority stands below a root that allows none': [
        asHeader(await makeClient(belowBounded), belowBounded),
        { caCertificate: bounded.pem },
      ],
    };
    for (const [why, [header, config]] of Object.entries(chains))
      await expect(prove(header, { ...chain, ...config }), why).rejects.toMatchObject({ kind: 'unauthenticated' });
    await expect(prove(asHeader(leaf, intermediate))).rejects.toMatchObject(refused('malformed'));
    expect(await prove(asHeader(leaf, intermediate), chain)).toBeDefined();
    for (const usage of [CLIENT_AUTH, '2.5.29.37.0'])
      expect(await prove(await without({ usages: [SERVER_AUTH, usage] }), chain), usage).toBeDefined();
  });
});

describe('for any text in the header', () => {
  it('is refused clearly', async () => {
    const der = Buffer.from(web.certificate.rawData);
    const change = fc.record({ at: fc.nat(der.length - 1), byte: fc.integer({ min: 0, max: 255 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const changed = Buffer.from(der);
        for (const { at, byte } of changes) changed[at] = byte;
        fc.pre(!changed.equals(der));
        const pem = `-----BEGIN CERTIFICATE-----\n${changed.toString('base64')}\n-----END CERTIFICATE-----`;
        await expect(prove(encodeURIComponent(pem))).rejects.toMatchObject({ kind: 'unauthenticated' });
      }),
      { numRuns: 500 },
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: 'binary' }), async (text) => {
        await expect(prove(text)).rejects.toMatchObject({ kind: 'unauthenticated' });
      }),
    );
  });
});

describe('the configuration', () => {
  it('has a public authority also where that is certified by another one', async () => {
    const roots = rootCertificates.map((pem) => new X509Certificate(pem));
    const { publicKey } = roots.find((one) => one.publicKey.asymmetricKeyType === 'rsa')!;
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    const key = await webcrypto.subtle.importKey('spki', spki, rsa, true, ['verify']);
    const crossSigned = await makeIntermediate(root, { publicKey: key });
    const unbound = (caCertificate: string) => missingBindings(tlsCertAuth, parse({ caCertificate }));
    expect(unbound(crossSigned.pem)).toEqual(['allowedCommonNames', 'allowedSubjectAltNames']);
    expect(unbound((await makeIntermediate(root)).pem)).toEqual([]);
  });

  it('accepts only authorities in PEM form', () => {
    for (const caCertificate of ['', 'x', `${root.pem}x`, root.pem.replaceAll('A', '!'), 'A'.repeat(10_241)])
      expect([caCertificate.slice(0, 20), tlsCertAuth.config.safeParse({ caCertificate }).success]).toEqual([
        caCertificate.slice(0, 20),
        false,
      ]);
    expect(() => parse({ caCertificate: web.pem })).toThrow('caCertificate');
  });
});
