import { z } from 'zod';
import { text } from '../../kernel/schema.ts';

// Passphrases are credentials of machines: Coffer generates them, and accepts others that look generated.

const MIN_BITS = 128;

/**
 * An upper bound of the entropy of a text in bits: by its character classes; dictionary words count little and
 * repetitions nothing.
 */
function estimatedBits(given: string): number {
  const isHex = /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(given);
  const size = isHex ? 16 : [/[a-z]/, /[A-Z]/].filter((one) => one.test(given)).length * 26 + sizeOfOthers(given);
  const perCharacter = Math.log2(Math.max(size, 2));
  // Generated text of letters alternates between upper and lower case, and has no spaces.
  const isMixed = /[a-z]/.test(given) && /[A-Z]/.test(given) && !/\s/.test(given);
  const word = isMixed ? /(?:[a-z]{4}|[A-Z]{4})$/ : /(?:[a-z]{2}|[A-Z]{2})$/;
  let bits = 0;
  for (let at = 0; at < given.length; at++) {
    const isRepeated = at >= 3 && given.slice(0, at).includes(given.slice(at - 3, at + 1));
    const isRun = at > 1 && Math.abs(stepAt(given, at)) <= 1 && stepAt(given, at) === stepAt(given, at - 1);
    const isWord = !isHex && word.test(given.slice(0, at + 1));
    bits += isRepeated ? 0 : isRun ? 1 : isWord ? 1.5 : perCharacter;
  }
  return bits;
}

const stepAt = (given: string, at: number): number => given.charCodeAt(at) - given.charCodeAt(at - 1);
const sizeOfOthers = (given: string) => (/[0-9]/.test(given) ? 10 : 0) + (/[^0-9A-Za-z]/.test(given) ? 20 : 0);

const isStrong = (given: string): boolean => estimatedBits(given) >= MIN_BITS;

export const passphrase = text(256)
  .refine(
    isStrong,
    'A passphrase needs 128 random bits, for example 32 characters of base64: omit it to have one generated',
  )
  .meta({ examples: ['xV7_o9QmTz3kLw1RfB8yHc2NsD5uGj6E'] });
export const rotatePassphrase = z.boolean().optional().describe('Generates a new passphrase, which is returned once');

export const caChain = text(65_536)
  .trim()
  .describe('PEM of the authorities that sign the client certificates for the first enrolment');
