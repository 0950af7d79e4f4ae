import { describe, expect, it } from 'vitest';
import { KEY_ALGORITHMS } from './content.ts';
import { pkcs12, pkcs12Key } from './pkcs12.ts';
import { toPem } from './pem.ts';
import { keyOf, leafContent, rootOf } from './testing/authority.ts';
import { atWork, judges } from './testing/tools.ts';

describe('pkcs12Key', () => {
  // RFC 7292 has no vectors. Passwords and salts of the first four are those of the vectors of OpenSSL's own PKCS12KDF.
  it.skipIf(judges.isMissing)(`derives the same keys as OpenSSL${judges.orSkipped}`, async () => {
    await atWork(async ({ run }) => {
      for (const [password, salt, iterations, purpose, length] of [
        ['smeg', '0a58cf64530d823f', 1, 1, 24],
        ['smeg', '0a58cf64530d823f', 1, 2, 8],
        ['queeg', '05dec959acff72f7', 1000, 3, 32],
        ['queeg', '1682c0fc5b3f7ec5', 1000, 1, 100],
        ['pässwörd 😀 of more than sixty-four octets, which is a block of the hash', '00'.repeat(20), 3, 1, 77],
      ] as const) {
        const encoded = Buffer.from(`${password}\0`, 'utf16le').swap16().toString('hex');
        const options = { digest: 'SHA256', hexpass: encoded, hexsalt: salt, iter: iterations, id: purpose };
        const args = Object.entries(options).flatMap(([name, value]) => ['-kdfopt', `${name}:${value}`]);
        const { said } = await run('openssl', 'kdf', '-keylen', String(length), ...args, 'PKCS12KDF');
        const made = pkcs12Key(password, Buffer.from(salt, 'hex'), iterations, purpose, length);
        expect(made.toString('hex')).toBe(said.trim().replaceAll(':', '').toLowerCase());
      }
    });
  });
});

describe.each(KEY_ALGORITHMS)('a bundle with a key of the kind %s', (algorithm) => {
  it.skipIf(judges.isMissing)(
    `is opened by OpenSSL and GnuTLS with its password alone${judges.orSkipped}`,
    async () => {
      const root = await rootOf(algorithm);
      const intermediate = await root.below('Intermediate');
      const key = await keyOf(algorithm, 'leaf');
      const leaf = await intermediate.issue(leafContent(key.publicKey));
      await atWork(async ({ put, run }) => {
        await put({
          'bundle.p12': await pkcs12({
            privateKey: key.privateKey,
            certificate: leaf.der,
            chain: [intermediate.certificate.der, root.certificate.der],
            password: 'pässword',
            friendlyName: 'Web sörver',
          }),
        });
        const open = (password: string, ...args: string[]) =>
          run('openssl', 'pkcs12', '-in', 'bundle.p12', '-passin', `pass:${password}`, '-nodes', ...args);
        const { ok, said } = await open('pässword');
        expect(ok).toBe(true);
        const flat = said.replaceAll('\r', '');
        for (const one of [leaf, intermediate.certificate, root.certificate])
          expect(flat).toContain(toPem('CERTIFICATE', one.der));
        expect(flat).toContain(key.privateKey.export({ type: 'pkcs8', format: 'pem' }));
        expect(said).toMatch(/friendlyName: Web s.rver/);
        expect((await open('wrong')).ok).toBe(false);
        const info = await open('pässword', '-info', '-noout');
        expect(info.said).toMatch(/MAC: sha256/);
        expect(info.said).toMatch(/PBES2, PBKDF2, AES-256-CBC, Iteration 100000, PRF hmacWithSHA256/);
        const gnutls = await run(
          'certtool',
          '--p12-info',
          '--inder',
          '--password',
          'pässword',
          '--infile',
          'bundle.p12',
        );
        expect(gnutls).toMatchObject({ ok: true, said: expect.stringContaining('BEGIN CERTIFICATE') });
      });
    },
  );
});
