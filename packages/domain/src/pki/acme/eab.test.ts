import { expect, it } from 'vitest';
import { newMacKey } from './eab.ts';

it('the key of an external account binding begins with a letter, as an argument of a command line', () => {
  const keys = Array.from({ length: 1_000 }, newMacKey);
  expect(keys.filter((key) => !/^[A-Za-z][\w-]{42}$/.test(key))).toEqual([]);
  expect(new Set(keys).size).toBe(keys.length);
});
