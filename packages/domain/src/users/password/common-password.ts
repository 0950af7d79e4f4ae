import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { hashOf } from '../../crypto/index.ts';

/** The entry of a password in the list: 8 bytes of its hash, because the texts take ten times the memory. */
const digestOf = (password: string): bigint => hashOf(password).readBigUInt64BE();

/** The 49,000 most common passwords. Loaded with the first new password, and kept in memory: 400 kB. */
let listed: Promise<BigUint64Array> | undefined;

async function load(): Promise<BigUint64Array> {
  const require = createRequire(import.meta.url);
  const path = require.resolve('@zxcvbn-ts/language-common/src/passwords.json');
  const passwords = JSON.parse(await readFile(path, 'utf8')) as string[];
  return BigUint64Array.from(passwords, digestOf).toSorted();
}

async function isListed(password: string): Promise<boolean> {
  const digests = await (listed ??= load());
  const digest = digestOf(password);
  let [low, high] = [0, digests.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (digests[middle]! < digest) low = middle + 1;
    else high = middle;
  }
  return digests[low] === digest;
}

/** Keys in the order in which fingers find them. */
const RUNS = [
  'abcdefghijklmnopqrstuvwxyz',
  '1234567890'.repeat(3),
  '9876543210'.repeat(3),
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
];

/** Characters that guessers add to a word of the list: `Dragon!2024`. */
const PADDING = /^[^\p{L}]{0,8}(.{4,}?)[^\p{L}]{0,8}$/su;

/** The longest repeated text that counts as common: `abcabcabcabc`. */
const LONGEST_UNIT = 6;

/**
 * Whether a password is easy to guess: a common one, with or without added digits and signs, a repeated text, a
 * keyboard sequence, or a word that is known about its owner.
 */
export async function isCommonPassword(password: string, known: readonly string[] = []): Promise<boolean> {
  const text = password.normalize('NFKC').toLowerCase().trim();
  const core = PADDING.exec(text)?.[1] ?? text;
  if ([text, core].some((one) => known.includes(one))) return true;
  if (isRepeated(text) || RUNS.some((run) => run.includes(text) || run.includes(core))) return true;
  return (await isListed(text)) || (await isListed(core));
}

function isRepeated(text: string): boolean {
  const characters = Array.from(text);
  for (let unit = 1; unit <= LONGEST_UNIT && unit * 2 <= characters.length; unit++)
    if (characters.every((character, i) => character === characters[i % unit])) return true;
  return false;
}
