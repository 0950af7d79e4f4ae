import { createPublicKey, generateKeyPairSync, X509Certificate, type KeyObject } from 'node:crypto';
import { signerOf, type Signer } from '@coffer/domain';
import {
  buildCertificate,
  judges,
  newSerialNumber,
  readCertificate,
  type CertificateContent,
} from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Authorities } from '../harness/authorities.ts';
import { CA, DAY, KEY_TYPES, ok, type MadeCertificate } from '../harness/certificates.ts';
import { openssl, type ToolRun } from '../harness/openssl.ts';
import { judgeOcsp, ocspOf, rawly } from '../harness/revocation.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

// OpenSSL and GnuTLS accept valid results and reject invalid ones, for every type of key. Invalid ones are signed by
// the real keys, bypassing all checks here.

const HOST = 'leaf.example.com';

let test: TestServer;
let of: Authorities;
let stranger: Authority;
/** A key without a known owner. */
const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
beforeAll(async () => {
  test = await testServer();
  of = await Authorities.in(test);
  stranger = await of.authority();
});
afterAll(() => test.close());

/** PEM of a certificate that an authority would not have issued. */
async function forged(issuer: Signer['issuer'], publicKey: KeyObject, more: Partial<CertificateContent> = {}) {
  const content: CertificateContent = {
    serialNumber: newSerialNumber(),
    subject: { commonName: HOST },
    altNames: [{ type: 'dns', value: HOST }],
    publicKey,
    notBefore: daysAgo(0),
    notAfter: daysAgo(-1),
    keyUsages: ['digitalSignature'],
    extendedKeyUsages: ['serverAuth'],
    crlUrls: [],
    ocspUrls: [],
    issuerUrls: [],
    ...more,
  };
  return new X509Certificate(await buildCertificate(content, issuer, issuer)).toString();
}

const daysAgo = (days: number) => new Date(Math.floor(Date.now() / 1000) * 1000 - days * DAY);

/** With one bit of the signature, the last element of everything that is signed, flipped. */
function turned(signed: Uint8Array): Buffer {
  const octets = Buffer.from(signed);
  octets[octets.length - 1]! ^= 1;
  return octets;
}
const pemOf = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;

interface Authority {
  readonly id: string;
  readonly keyId: string;
  /** PEM. */
  readonly certificate: string;
}

const crlOf = async ({ keyId }: Authority) => (await rawly(test)('GET', `/api/v1/pki/crl/${keyId}`)).octets.toString();

describe.skipIf(judges.isMissing).each(KEY_TYPES)(
  `a root, an authority below it and a leaf of %s${judges.orSkipped}`,
  (keyAlgorithm) => {
    let root: Authority;
    let between: Authority & { readonly serialNumber: string };
    let good: MadeCertificate;
    let bad: MadeCertificate;

    beforeAll(async () => {
      const { id } = await of.make({
        keyAlgorithm,
        maxPathLength: 1,
        notAfter: of.inDays(3000),
        nameConstraints: { permitted: [{ type: 'dns', value: 'example.com' }] },
      });
      root = { ...(await of.certificateOf(id)), id, keyId: await of.keyOf(id) };
      // By its CSR and an import, like an external authority.
      const waiting = await of.make({ type: 'intermediate', keyAlgorithm });
      const order = { csr: await of.csrOf(waiting.id), notAfter: of.inDays(1000), maxPathLength: 0 };
      const signed = ok(await test.admin('POST', `${CA}/${id}/sign-intermediate`, order));
      ok(await test.admin('POST', `${CA}/${waiting.id}/import-certificate`, signed));
      between = { ...signed, id: waiting.id, keyId: await of.keyOf(waiting.id) };
      good = await of.issue(between.id, { commonName: HOST, altNames: HOST });
      bad = await of.issue(between.id, { keyAlgorithm: 'EC_prime256v1' });
    });

    interface Question {
      readonly leaf: string;
      readonly host?: string;
      readonly trusted?: string;
      readonly steps?: string;
    }

    const byOpenssl = ({ leaf, host = HOST, trusted = root.certificate, steps = between.certificate }: Question) =>
      openssl(
        [
          ...['verify', '-x509_strict', '-check_ss_sig', '-purpose', 'sslserver', '-verify_hostname', host],
          ...['-CAfile', 'root.pem', '-untrusted', 'between.pem', 'leaf.pem'],
        ],
        { 'root.pem': trusted, 'between.pem': steps, 'leaf.pem': leaf },
      );
    const byGnutls = ({ leaf, host = HOST, trusted = root.certificate, steps = between.certificate }: Question) =>
      openssl(
        ['--verify', '--load-ca-certificate', 'root.pem', '--verify-hostname', host, '--infile', 'chain.pem'],
        { 'root.pem': trusted, 'chain.pem': `${leaf}${steps}` },
        'certtool',
      );
    const isSaid = ({ code, text }: ToolRun, words: string) => [code === 0, text.includes(words) ? words : text];

    it('are accepted as a chain, and refused where anything is wrong with it', async () => {
      const { issuer } = await signerOf(of.platform(), between.id);
      const publicKey = createPublicKey(good.certificate);
      const last = await forged(issuer, own.publicKey, {
        subject: { commonName: 'One too many' },
        altNames: [],
        keyUsages: ['keyCertSign', 'cRLSign'],
        extendedKeyUsages: [],
        ca: {},
      });
      const { subjectName: name, keyId } = readCertificate(last);
      const tooDeep = { ...issuer, ...own, name, keyId: keyId!, algorithm: 'EC_prime256v1' as const };
      const outside = await forged(issuer, publicKey, { altNames: [{ type: 'dns', value: 'example.org' }] });
      const over = await forged(issuer, publicKey, { notBefore: daysAgo(3), notAfter: daysAgo(2) });
      const cases: [Question, openssl: string, gnutls: string][] = [
        [{ leaf: good.certificate, host: 'other.example.com' }, 'hostname mismatch', 'does not match the expected'],
        [{ leaf: good.certificate, trusted: stranger.certificate }, 'unable to get local issuer', 'issuer is unknown'],
        [{ leaf: good.certificate, steps: stranger.certificate }, 'unable to get local issuer', 'issuer is unknown'],
        [
          { leaf: pemOf(turned(new X509Certificate(good.certificate).raw)) },
          'certificate signature failure',
          'signature in the certificate is invalid',
        ],
        [{ leaf: over }, 'certificate has expired', 'expired certificate'],
        [{ leaf: outside, host: 'example.org' }, 'permitted subtree violation', "violates the signer's constraints"],
        [
          { leaf: await forged(tooDeep, publicKey), steps: `${last}${between.certificate}` },
          'path length constraint exceeded',
          "violates the signer's constraints",
        ],
      ];
      expect(isSaid(byOpenssl({ leaf: good.certificate }), 'leaf.pem: OK')).toEqual([true, 'leaf.pem: OK']);
      const verified = 'Chain verification output: Verified';
      expect(isSaid(byGnutls({ leaf: good.certificate }), verified)).toEqual([true, verified]);
      const whole = { 'chain.pem': `${good.certificate}${between.certificate}${root.certificate}` };
      expect(openssl(['--verify-chain', '--infile', 'chain.pem'], whole, 'certtool')).toMatchObject({ code: 0 });
      for (const [question, words, gnutlsWords] of cases) {
        expect(isSaid(byOpenssl(question), words)).toEqual([false, words]);
        expect(isSaid(byGnutls(question), gnutlsWords)).toEqual([false, gnutlsWords]);
      }
    });

    it('have OCSP answers that are valid, at once, and only by the responder', async () => {
      const asWhole = ({ certificate }: MadeCertificate | Authority, by: Authority, response: Buffer) =>
        judgeOcsp(by, certificate, response).text;
      expect(asWhole(good, between, await ocspOf(test, between, good.certificate))).toMatch(
        /leaf.pem: good[^]*verify OK/,
      );
      await of.revoke(bad, 'KEY_COMPROMISE');
      const response = await ocspOf(test, between, bad.certificate);
      const said = asWhole(bad, between, response);
      expect(said).toMatch(/leaf.pem: revoked[^]*Reason: keyCompromise[^]*Revocation Time: \w[^]*verify OK/);
      expect(asWhole(bad, between, turned(response))).toContain('Response Verify Failure');
      expect(asWhole(bad, root, response)).toContain('Response Verify Failure');
      const byOcsptool = (signer: Authority, octets: Buffer) =>
        openssl(
          ['--verify-response', '--load-signer', 'ca.pem', '--load-response', 'r.der'],
          { 'ca.pem': signer.certificate, 'r.der': octets },
          'ocsptool',
        );
      expect(byOcsptool(between, response).text).toMatch(/Certificate Status: revoked[^]*OCSP Response: Success/);
      for (const wrong of [byOcsptool(stranger, response), byOcsptool(between, turned(response))])
        expect(wrong.text).toMatch(/Verifying OCSP Response: (Failure|The signature is incompatible)/);
    });

    it('have revocation lists that are read, checked and obeyed, also of the authority itself', async () => {
      const verify = (leaf: string, lists: string, check: string) =>
        openssl(
          ['verify', check, '-CAfile', 'root.pem', '-untrusted', 'between.pem', '-CRLfile', 'crl.pem', 'leaf.pem'],
          {
            'root.pem': root.certificate,
            'between.pem': between.certificate,
            'crl.pem': lists,
            'leaf.pem': leaf,
          },
        );
      await of.rebuild(between.keyId);
      const list = await crlOf(between);
      const files = { 'crl.pem': list, 'ca.pem': between.certificate, 'stranger.pem': stranger.certificate };
      const read = (trusted: string) =>
        openssl(['crl', '-in', 'crl.pem', '-noout', '-text', '-CAfile', trusted], files).text;
      expect(read('ca.pem')).toMatch(/CRL Number:\s+1\b[^]*Key Compromise[^]*verify OK/);
      expect(read('ca.pem').toLowerCase()).toContain(bad.serialNumber);
      expect(read('stranger.pem')).not.toContain('verify OK');
      const byCerttool = (trusted: string) =>
        openssl(['--verify-crl', '--load-ca-certificate', trusted, '--infile', 'crl.pem'], files, 'certtool');
      expect(byCerttool('ca.pem')).toMatchObject({ code: 0, text: expect.stringContaining('Verified') });
      expect(byCerttool('stranger.pem').code).not.toBe(0);
      expect(openssl(['--crl-info', '--infile', 'crl.pem'], files, 'certtool').text).toMatch(
        /Revoked certificates \(1\)/,
      );

      expect(isSaid(verify(bad.certificate, list, '-crl_check'), 'certificate revoked')[1]).toBe('certificate revoked');
      const all = `${list}${await crlOf(root)}`;
      expect(verify(good.certificate, all, '-crl_check_all')).toMatchObject({ code: 0 });
      await of.revoke(between, 'CA_COMPROMISE');
      await of.rebuild(root.keyId);
      const refused = verify(good.certificate, `${list}${await crlOf(root)}`, '-crl_check_all');
      expect(refused.text).toMatch(/at 1 depth lookup: certificate revoked/);
      const { text } = judgeOcsp(root, between.certificate, await ocspOf(test, root, between.certificate));
      expect(text).toMatch(/leaf.pem: revoked[^]*Reason: cACompromise[^]*verify OK/);
    });
  },
);
