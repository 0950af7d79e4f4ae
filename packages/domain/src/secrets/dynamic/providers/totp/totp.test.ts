import { Secret } from 'otpauth';
import { expect, it } from 'vitest';
import type { LeaseOf, ProviderIo } from '../../provider.ts';
import { totp } from './totp.ts';

const secretOf = (ascii: string) => Secret.fromUTF8(ascii).base32;
const DIGITS = '1234567890';
const SECRETS = {
  sha1: secretOf(DIGITS.repeat(2)),
  sha256: secretOf(DIGITS.repeat(4).slice(0, 32)),
  sha512: secretOf(DIGITS.repeat(7).slice(0, 64)),
};

const codeAt = (inputs: object, seconds: number) =>
  totp.issue(totp.inputs.parse(inputs), {} as LeaseOf, { now: new Date(seconds * 1000) } as ProviderIo);

// RFC 6238, appendix B.
it.each([
  ['sha1', 59, '94287082'],
  ['sha256', 59, '46119246'],
  ['sha512', 59, '90693936'],
  ['sha1', 1_111_111_109, '07081804'],
  ['sha256', 1_111_111_111, '67062674'],
  ['sha512', 1_234_567_890, '93441116'],
  ['sha1', 20_000_000_000, '65353130'],
  ['sha256', 20_000_000_000, '77737706'],
  ['sha512', 20_000_000_000, '47863826'],
] as const)('makes the published code by %s at %i', async (algorithm, seconds, code) => {
  const { TOTP, TIME_REMAINING } = await codeAt(
    { configType: 'manual', secret: SECRETS[algorithm], algorithm, digits: 8 },
    seconds,
  );
  expect([TOTP, TIME_REMAINING]).toEqual([code, 30 - (seconds % 30)]);
});

it('treats a URL like its parts', async () => {
  const url = `otpauth://totp/Shop:ann@example.com?secret=${SECRETS.sha256}&issuer=Shop&algorithm=SHA256&digits=8&period=60`;
  const parts = { configType: 'manual', secret: SECRETS.sha256, algorithm: 'sha256', digits: 8, period: 60 };
  expect(await codeAt({ configType: 'url', url }, 1_111_111_109)).toEqual(await codeAt(parts, 1_111_111_109));
});

it('reads the names of parameters in any case, and what is empty as absent', async () => {
  const url = `otpauth://totp/Shop:ann?Secret=${SECRETS.sha256}&ALGORITHM=sha-256&Digits=8&period=`;
  const parts = { configType: 'manual', secret: SECRETS.sha256, algorithm: 'sha256', digits: 8 };
  expect(await codeAt({ configType: 'url', url }, 1_111_111_109)).toEqual(await codeAt(parts, 1_111_111_109));
});

it('reads a secret as people write it down', () => {
  const { secret } = totp.inputs.parse({ configType: 'manual', secret: 'gezd gnbv-gy3t QOJQ' }) as { secret: string };
  expect(secret).toBe('gezdgnbvgy3tQOJQ');
});

it.each([
  'otpauth://hotp/Shop:ann?secret=JBSWY3DPEHPK3PXP&counter=1',
  'https://example.com/?secret=JBSWY3DPEHPK3PXP',
  'otpauth://totp/Shop:ann?secret=none!',
  'JBSWY3DPEHPK3PXP',
  'otpauth://totp/Shop:ann?secret=JBSWY3DPEHPK3PXP&digits=400000000',
  'otpauth://totp/Shop:ann?secret=JBSWY3DPEHPK3PXP&DIGITS=400000000',
  'otpauth://totp/Shop:ann?secret=JBSWY3DPEHPK3PXP&digits=6&digits=400000000',
  'otpauth://totp/Shop:ann?secret=JBSWY3DPEHPK3PXP&Period=99999999999999999999',
  'otpauth://totp/Shop:ann?secret=JBSWY3DPEHPK3PXP&Algorithm=MD5',
])('rejects %s as a URL, without repeating it', (url) => {
  expect(() => totp.validate!({ configType: 'url', url })).toThrow('url must be an otpauth://totp/ URL with a secret');
});
