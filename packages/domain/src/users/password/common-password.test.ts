import { describe, expect, it } from 'vitest';
import { isCommonPassword } from './common-password.ts';

describe('a common password', () => {
  it.each([
    'password',
    'PASSWORD',
    'Password1234',
    'Dragon!2024',
    '1q2w3e4r5t6y',
    '123qweasdzxc',
    'motherfucker',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'dragondragon',
    '123456789012',
    '987654321098',
    'abcdefghijkl',
    'qwertyuiopas',
    'ｐａｓｓｗｏｒｄ',
  ])('is found: %s', async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  });

  it.each(['correct horse battery', 'tr0ub4dor&3-and-more', 'a better one', '7391#vx8842-qq', 'päßwörter sind lang'])(
    'is not taken for another one: %s',
    async (password) => {
      expect(await isCommonPassword(password)).toBe(false);
    },
  );

  it('is one that everybody knows about its owner', async () => {
    expect(await isCommonPassword('annabelle.lee1', ['annabelle.lee'])).toBe(true);
    expect(await isCommonPassword('annabelle.lee1')).toBe(false);
  });
});
