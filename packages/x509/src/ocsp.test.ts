import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KEY_ALGORITHMS } from './content.ts';
import { der, integer, octetString, oid, sequence, TAG } from './der.ts';
import { certIdMatches, ocspError, ocspResponse, readOcspRequest, type OcspAnswer } from './ocsp.ts';
import { toPem } from './pem.ts';
import { inDays, keyOf, leafContent, NOW, rootOf } from './testing/authority.ts';
import { atWork, judges } from './testing/tools.ts';
import { refusalOf } from './testing/refusal.ts';

const pem = (certificate: Buffer) => toPem('CERTIFICATE', certificate);
const times = { producedAt: NOW, thisUpdate: NOW, nextUpdate: inDays(1) };

describe.each(KEY_ALGORITHMS)('a response by a key of the type %s', (algorithm) => {
  it.skipIf(judges.isMissing)(
    `is accepted by OpenSSL, for good, revoked and unknown certificates${judges.orSkipped}`,
    async () => {
      const root = await rootOf(algorithm);
      const { publicKey } = await keyOf(algorithm, 'leaf');
      const leaf = await root.issue(leafContent(publicKey));
      const other = await rootOf(algorithm, {}, 'Other');
      await atWork(async ({ put, run, path }) => {
        await put({
          'root.pem': pem(root.certificate.der),
          'leaf.pem': pem(leaf.der),
          'other.pem': pem(other.certificate.der),
        });
        const check = async (status: OcspAnswer['status'], hash: string, issuer = 'root.pem', signer = root) => {
          await run(
            'openssl',
            'ocsp',
            `-${hash}`,
            '-issuer',
            'root.pem',
            '-cert',
            'leaf.pem',
            '-reqout',
            'request.der',
          );
          const { certIds, nonce } = readOcspRequest(await readFile(join(path, 'request.der')));
          expect(certIds).toMatchObject([{ serialNumber: leaf.serialNumber, hashAlgorithm: hash }]);
          expect(certIdMatches(certIds[0]!, root)).toBe(true);
          expect(certIdMatches(certIds[0]!, other)).toBe(false);
          expect(nonce).toBeInstanceOf(Buffer);
          const answers = certIds.map((certId) => ({ certId, status }));
          await put({ 'response.der': await ocspResponse(signer, { ...times, answers, nonce }) });
          const args = ['-issuer', 'root.pem', '-cert', 'leaf.pem', '-CAfile', issuer, '-respin', 'response.der'];
          return run('openssl', 'ocsp', `-${hash}`, '-no_nonce', '-reqin', 'request.der', ...args);
        };
        expect((await check('good', 'sha1')).said).toMatch(/Response verify OK[^]*leaf\.pem: good/);
        expect((await check('good', 'sha256')).said).toMatch(/Response verify OK[^]*: good/);
        expect((await check('unknown', 'sha1')).said).toMatch(/Response verify OK[^]*: unknown/);
        const revoked = { revokedAt: NOW, reason: 'KEY_COMPROMISE' } as const;
        expect((await check(revoked, 'sha1')).said).toMatch(/Response verify OK[^]*: revoked[^]*keyCompromise/);
        expect((await check({ revokedAt: NOW }, 'sha1')).said).toMatch(/: revoked/);
        expect((await check('good', 'sha1')).said).not.toMatch(/nonce/i);
        expect((await check('good', 'sha1', 'root.pem', other)).said).toContain('Response Verify Failure');
      });
    },
  );
});

describe('readOcspRequest', () => {
  const certId = (serial: Buffer = integer(5)) =>
    sequence(
      sequence(oid('1.3.14.3.2.26'), der(TAG.null)),
      octetString(Buffer.alloc(20)),
      octetString(Buffer.alloc(20)),
      serial,
    );
  const request = (...ids: Buffer[]) => sequence(sequence(sequence(...ids.map((id) => sequence(id)))));

  it('accepts its maximum of identifiers, and unknown hashes', () => {
    expect(readOcspRequest(request(certId()))).toMatchObject({
      certIds: [{ serialNumber: '05', hashAlgorithm: 'sha1' }],
      nonce: undefined,
    });
    const unknown = sequence(
      sequence(oid('1.2.840.113549.2.5')),
      octetString(Buffer.of(1)),
      octetString(Buffer.of(1)),
      integer(1),
    );
    const [read] = readOcspRequest(request(unknown)).certIds;
    expect(read?.hashAlgorithm).toBeUndefined();
    expect(readOcspRequest(request(...Array.from({ length: 20 }, () => certId()))).certIds).toHaveLength(20);
  });

  it('rejects what is empty, too much, too long, or not a request', () => {
    const refusal = (code: string) => expect.objectContaining({ name: 'X509Error', code });
    expect(() => readOcspRequest(request())).toThrow(refusal('ocsp.malformed'));
    expect(() => readOcspRequest(Buffer.of())).toThrow(refusal('ocsp.malformed'));
    expect(() => readOcspRequest(request(...Array.from({ length: 21 }, () => certId())))).toThrow(
      refusal('ocsp.too_many'),
    );
    expect(() => readOcspRequest(Buffer.alloc(16_385))).toThrow(refusal('ocsp.too_large'));
    expect(() => readOcspRequest(request(certId(der(2, Buffer.alloc(65, 1)))))).toThrow(refusal('ocsp.malformed'));
    const nonce = sequence(oid('1.3.6.1.5.5.7.48.1.2'), octetString(octetString(Buffer.alloc(200))));
    const long = sequence(sequence(sequence(sequence(certId())), der(0xa2, sequence(nonce))));
    expect(() => readOcspRequest(long)).toThrow(refusal('ocsp.malformed'));
  });

  it('throws nothing but refusals', () => {
    const whole = request(certId());
    fc.assert(
      fc.property(fc.nat(whole.length * 8 - 1), fc.nat(whole.length - 1), fc.uint8Array(), (bit, length, noise) => {
        const flipped = Buffer.from(whole);
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        for (const bytes of [flipped, whole.subarray(0, length), noise]) {
          expect(refusalOf(() => readOcspRequest(bytes)) ?? 'ocsp.').toMatch(/^ocsp\./);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it.skipIf(judges.isMissing)(`has errors that OpenSSL understands${judges.orSkipped}`, async () => {
    const root = await rootOf('EC_prime256v1');
    await atWork(async ({ put, run }) => {
      await put({ 'root.pem': pem(root.certificate.der) });
      for (const [status, said] of [
        ['malformedRequest', 'malformedrequest'],
        ['internalError', 'internalerror'],
        ['tryLater', 'trylater'],
        ['sigRequired', 'sigrequired'],
        ['unauthorized', 'unauthorized'],
      ] as const) {
        await put({ 'response.der': ocspError(status) });
        const outcome = await run('openssl', 'ocsp', '-respin', 'response.der', '-CAfile', 'root.pem', '-resp_text');
        expect(outcome.said).toContain(`Responder Error: ${said}`);
      }
    });
  });
});
