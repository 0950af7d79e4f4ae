import { describe, expect, it } from 'vitest';
import { verifyPassword } from '../../crypto/index.ts';
import { PasswordTurns, type Settings } from '../../kernel/index.ts';
import { hashNewPassword, requireGoodPassword } from './new-password.ts';

const ctx = {
  settings: { minPasswordLength: 12 } as Settings,
  passwordTurns: new PasswordTurns(1),
  actor: { type: 'anonymous' } as const,
  request: { id: 'test', ipAddress: '192.0.2.1', userAgent: '' },
};
const whose = { key: 'test', isStranger: true };
const email = 'annabelle.lee@ravens.example';
const codeOf = (password: string) =>
  requireGoodPassword(ctx, { password, email }).then(
    () => 'good',
    (error: { code: string }) => error.code,
  );

describe('a new password', () => {
  it.each([
    ['', 'password.too_short'],
    ['elevenchars', 'password.too_short'],
    // Each of these is one character, whatever its length in code units.
    ['\u{1f426}'.repeat(11), 'password.too_short'],
    ['password1234', 'password.common'],
    ['annabelle.lee', 'password.common'],
    ['annabelle.lee@ravens.example', 'password.common'],
    ['ravens.example1', 'password.common'],
    ['coffercoffer', 'password.common'],
    ['nevermore at midnight', 'good'],
    ['\u{1f426}\u{1f319} over the old harbour', 'good'],
  ])('%j is answered: %s', async (password, code) => {
    expect(await codeOf(password)).toBe(code);
  });

  it('is stored as a different hash each time', async () => {
    const password = 'nevermore at midnight';
    const hashes = await Promise.all([1, 2].map(() => hashNewPassword(ctx, { password, email })));
    expect(hashes[0]).not.toBe(hashes[1]);
    for (const hash of hashes) {
      expect(hash).not.toContain(password);
      expect(await verifyPassword(ctx, { stored: hash, password }, whose)).toBe(true);
      expect(await verifyPassword(ctx, { stored: hash, password: `${password} ` }, whose)).toBe(false);
    }
  });
});
