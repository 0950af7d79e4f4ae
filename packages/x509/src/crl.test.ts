import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KEY_ALGORITHMS, REVOCATION_REASONS, type RevocationReason } from './content.ts';
import { crlEntry, readCrl, signCrl, tbsCrlOf } from './crl.ts';
import { toPem } from './pem.ts';
import { newSerialNumber } from './serial.ts';
import { inDays, keyOf, leafContent, NOW, rootOf, type TestCa } from './testing/authority.ts';
import { atWork, judges } from './testing/tools.ts';
import { refusalOf } from './testing/refusal.ts';

const listOf = (ca: TestCa, entries: readonly Buffer[], number = 1n) =>
  signCrl(
    tbsCrlOf({
      issuerName: ca.name,
      keyId: ca.keyId,
      number,
      thisUpdate: NOW,
      nextUpdate: inDays(7),
      entries: Buffer.concat(entries),
      algorithm: ca.algorithm,
    }),
    ca,
  );

describe.each(KEY_ALGORITHMS)('a revocation list by a key of the kind %s', (algorithm) => {
  it.skipIf(judges.isMissing)(
    `is accepted by OpenSSL and GnuTLS, which reject its certificates${judges.orSkipped}`,
    async () => {
      const root = await rootOf(algorithm);
      const { publicKey } = await keyOf(algorithm, 'leaf');
      const [good, revoked] = [await root.issue(leafContent(publicKey)), await root.issue(leafContent(publicKey))];
      const list = await listOf(root, [crlEntry(revoked.serialNumber, NOW, 'KEY_COMPROMISE')]);
      const certificate = (bytes: Buffer) => toPem('CERTIFICATE', bytes);
      await atWork(async ({ put, run }) => {
        await put({
          'root.pem': certificate(root.certificate.der),
          'good.pem': certificate(good.der),
          'revoked.pem': certificate(revoked.der),
          'list.pem': toPem('X509 CRL', list),
          'empty.pem': toPem('X509 CRL', await listOf(root, [])),
        });
        const signature = await run('openssl', 'crl', '-in', 'list.pem', '-CAfile', 'root.pem', '-noout', '-text');
        expect(signature.said).toContain('verify OK');
        expect(signature.said).toContain('Key Compromise');
        const verify = (crl: string, leaf: string) =>
          run('openssl', 'verify', '-x509_strict', '-crl_check', '-CAfile', 'root.pem', '-CRLfile', crl, leaf);
        expect(await verify('list.pem', 'good.pem')).toMatchObject({ ok: true });
        expect((await verify('list.pem', 'revoked.pem')).said).toContain('certificate revoked');
        expect(await verify('empty.pem', 'revoked.pem')).toMatchObject({ ok: true });
        const gnutls = await run(
          'certtool',
          '--verify-crl',
          '--load-ca-certificate',
          'root.pem',
          '--infile',
          'list.pem',
        );
        expect(gnutls.said).toContain('Verification output: Verified.');
      });
    },
  );
});

describe('crlEntry', () => {
  it('is read back as it was written', async () => {
    const root = await rootOf('EC_prime256v1');
    const reasons = Object.keys(REVOCATION_REASONS) as RevocationReason[];
    const arbitraryEntry = fc.record({
      serialNumber: fc.constant(0).map(newSerialNumber),
      revokedAt: fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => new Date(seconds * 1000)),
      reason: fc.option(fc.constantFrom(...reasons), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryEntry, { maxLength: 5 }),
        fc.bigInt({ min: 1n, max: 1n << 150n }),
        async (list, number) => {
          const entries = list.map(({ serialNumber, revokedAt, reason }) => crlEntry(serialNumber, revokedAt, reason));
          const read = readCrl(await listOf(root, entries, number));
          expect(read).toMatchObject({ number, thisUpdate: NOW, nextUpdate: inDays(7), authorityKeyId: root.keyId });
          expect(read.isSignedBy(root.publicKey)).toBe(true);
          expect([...read.entries]).toEqual(
            list.map(({ serialNumber, revokedAt, reason }) => [
              serialNumber,
              { revokedAt, reason: reason === 'UNSPECIFIED' ? undefined : reason },
            ]),
          );
        },
      ),
    );
  });

  it('is enough for lists of a hundred thousand', async () => {
    const root = await rootOf('RSA_2048');
    const entries: Buffer[] = [];
    for (let made = 0; made < 100_000; made++) {
      entries.push(crlEntry(newSerialNumber(), NOW, 'SUPERSEDED'));
    }
    const list = await listOf(root, entries);
    expect(list.length).toBeGreaterThan(3_000_000);
    expect(readCrl(list).entries.size).toBe(100_000);
  });

  it('throws nothing but refusals for lists that are none', async () => {
    const root = await rootOf('EC_prime256v1');
    const whole = await listOf(root, [crlEntry(newSerialNumber(), NOW, 'SUPERSEDED')]);
    fc.assert(
      fc.property(fc.nat(whole.length * 8 - 1), fc.nat(whole.length - 1), (bit, length) => {
        const flipped = Buffer.from(whole);
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        for (const bytes of [flipped, whole.subarray(0, length)]) {
          const taken: boolean[] = [];
          refusalOf(() => taken.push(readCrl(bytes).isSignedBy(root.publicKey)));
          expect(taken).not.toContain(true);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
