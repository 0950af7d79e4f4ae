import { randomInt } from 'node:crypto';
import { SYMBOLS, type PasswordRequirements } from './password-requirements.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';

/** The default passwords: 48 characters, some 285 bits. */
const USUAL: PasswordRequirements = {
  length: 48,
  required: { lowercase: 1, uppercase: 1, digits: 1, symbols: 0 },
};

/**
 * A random password that meets the requirements. It has symbols only if some are required. Weak requirements are not
 * strengthened: the target may not accept a longer password.
 */
export function makePassword(requirements?: PasswordRequirements | null): string {
  const { length, required, allowedSymbols } = requirements ?? USUAL;
  const symbols = allowedSymbols || SYMBOLS;
  const classes = [
    { alphabet: LOWER, count: required.lowercase },
    { alphabet: UPPER, count: required.uppercase },
    { alphabet: DIGITS, count: required.digits },
    { alphabet: symbols, count: required.symbols },
  ];
  const owed = classes.flatMap(({ alphabet, count }) => Array.from({ length: count }, () => oneOf(alphabet)));
  const asked = classes.filter(({ count }) => count > 0).map(({ alphabet }) => alphabet);
  const anything = asked.length > 0 ? asked.join('') : LOWER + UPPER + DIGITS;
  const rest = Array.from({ length: length - owed.length }, () => oneOf(anything));
  return shuffled([...owed, ...rest]).join('');
}

const oneOf = (alphabet: string): string => alphabet[randomInt(alphabet.length)]!;

function shuffled(characters: string[]): string[] {
  for (let i = characters.length - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    [characters[i], characters[j]] = [characters[j]!, characters[i]!];
  }
  return characters;
}
