import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSshCertificate, signCertificate, type SshCertificateContent } from './certificate.ts';
import { DEFAULT_EXTENSIONS } from './content.ts';
import { fingerprintOf, lineOf } from './public-key.ts';
import { keyNamed, TESTED_ALGORITHMS } from './testing/keys.ts';
import { refusalOf } from './testing/refusal.ts';
import { atSshWork, sshKeygen } from './testing/tools.ts';

const FROM = new Date('2026-03-01T08:00:00Z');
const UNTIL = new Date('2026-03-01T09:00:00Z');

const SIGNATURES: Readonly<Record<string, string>> = {
  RSA_2048: 'rsa-sha2-512',
  EC_prime256v1: 'ecdsa-sha2-nistp256',
  EC_secp384r1: 'ecdsa-sha2-nistp384',
  ED25519: 'ssh-ed25519',
};

const contentOf = (publicKey: Buffer): SshCertificateContent => ({
  type: 'user',
  publicKey,
  serialNumber: 8_070_450_532_247_928_833n,
  keyId: 'ann@example.com',
  principals: ['deploy', 'web'],
  notBefore: FROM,
  notAfter: UNTIL,
  criticalOptions: { 'source-address': '10.0.0.0/8,2001:db8::/32', 'force-command': 'uptime -p' },
  extensions: { ...DEFAULT_EXTENSIONS, 'login@example.com': 'ann' },
});

describe.skipIf(sshKeygen.isMissing)(`ssh-keygen -L${sshKeygen.orSkipped}`, () => {
  it.each(TESTED_ALGORITHMS)('shows what a certificate says that a key of %s has signed', async (algorithm) => {
    sshKeygen.require();
    const ca = await keyNamed(algorithm, 'ca');
    const { publicKey } = await keyNamed('ED25519', 'leaf');
    const blob = await signCertificate(contentOf(publicKey), ca);
    await atSshWork(async ({ put, keygen }) => {
      await put({ 'one-cert.pub': lineOf(blob) });
      const { ok, said } = await keygen('-L', '-f', 'one-cert.pub');
      expect(ok).toBe(true);
      const shown = said.split('\n').map((line) => line.trim());
      expect(shown.slice(1)).toEqual([
        'Type: ssh-ed25519-cert-v01@openssh.com user certificate',
        `Public key: ED25519-CERT ${fingerprintOf(publicKey)}`,
        expect.stringContaining(`${fingerprintOf(ca.publicKey)} (using ${SIGNATURES[algorithm]})`),
        'Key ID: "ann@example.com"',
        'Serial: 8070450532247928833',
        'Valid: from 2026-03-01T08:00:00 to 2026-03-01T09:00:00',
        'Principals:',
        'deploy',
        'web',
        'Critical Options:',
        'force-command uptime -p',
        'source-address 10.0.0.0/8,2001:db8::/32',
        'Extensions:',
        expect.stringMatching(/^login@example.com UNKNOWN OPTION: .* \(len 7\)$/),
        'permit-X11-forwarding',
        'permit-agent-forwarding',
        'permit-port-forwarding',
        'permit-pty',
        'permit-user-rc',
        '',
      ]);
    });
  });

  it.each(TESTED_ALGORITHMS)('shows a host certificate for a key of %s', async (algorithm) => {
    sshKeygen.require();
    const ca = await keyNamed('EC_prime256v1', 'ca');
    const { publicKey } = await keyNamed(algorithm, 'leaf');
    const host = { type: 'host', principals: ['web1.example.com'], criticalOptions: {}, extensions: {} } as const;
    const blob = await signCertificate({ ...contentOf(publicKey), ...host }, ca);
    await atSshWork(async ({ put, keygen }) => {
      await put({ 'one-cert.pub': lineOf(blob) });
      const { said } = await keygen('-L', '-f', 'one-cert.pub');
      expect(said).toContain('host certificate');
      expect(said).toMatch(/Critical Options: \(none\)\s+Extensions: \(none\)/);
    });
  });
});

const name = fc.stringMatching(/^[a-z][a-z0-9.-]{0,20}$/);
const options = fc.dictionary(
  fc.oneof(
    name,
    name.map((one) => `${one}@example.com`),
  ),
  fc.oneof(fc.constant(''), name),
  {
    maxKeys: 6,
    noNullPrototype: true,
  },
);
const arbitraryContent = fc.record({
  type: fc.constantFrom('user' as const, 'host' as const),
  serialNumber: fc.bigInt({ min: 1n, max: (1n << 63n) - 1n }),
  keyId: fc.string({ unit: 'binary', maxLength: 60 }),
  principals: fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 256 }),
  notBefore: fc.integer({ min: 0, max: 2_000_000_000 }).map((time) => new Date(time * 1000)),
  notAfter: fc.integer({ min: 2_000_000_000, max: 4_000_000_000 }).map((time) => new Date(time * 1000)),
  criticalOptions: options,
  extensions: options,
});

describe('readSshCertificate', () => {
  it('reads exactly what was signed', async () => {
    const ca = await keyNamed('ED25519', 'ca');
    const { publicKey } = await keyNamed('EC_secp384r1', 'leaf');
    await fc.assert(
      fc.asyncProperty(arbitraryContent, async (content) => {
        const {
          publicKey: certified,
          issuer,
          ...read
        } = readSshCertificate(await signCertificate({ ...content, publicKey }, ca));
        expect(read).toEqual(content);
        expect([certified.blob, issuer.blob]).toEqual([publicKey, ca.publicKey]);
      }),
      { numRuns: 300 },
    );
  });

  it('rejects a certificate of which one octet was changed', async () => {
    const ca = await keyNamed('EC_prime256v1', 'ca');
    const { publicKey } = await keyNamed('ED25519', 'leaf');
    const blob = await signCertificate(contentOf(publicKey), ca);
    fc.assert(
      fc.property(fc.nat(blob.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(blob);
        changed[at]! ^= change;
        expect(refusalOf(() => readSshCertificate(changed))).toMatch(/^ssh_(certificate|public_key|signature)\./);
      }),
      { numRuns: 1500 },
    );
  });
});

describe('signCertificate', () => {
  it('signs none without principals, which would be valid for any', async () => {
    const ca = await keyNamed('ED25519', 'ca');
    await expect(signCertificate({ ...contentOf(ca.publicKey), principals: [] }, ca)).rejects.toThrow(RangeError);
  });

  it('uses another nonce each time', async () => {
    const ca = await keyNamed('ED25519', 'ca');
    const made = [
      await signCertificate(contentOf(ca.publicKey), ca),
      await signCertificate(contentOf(ca.publicKey), ca),
    ];
    expect(made[0]).not.toEqual(made[1]);
  });
});
