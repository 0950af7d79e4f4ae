import { randomInt } from 'node:crypto';
import { z } from 'zod';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
/** None of them means anything to a shell, a URL or a quoted text. */
const SYMBOLS = '-_.~!*';

const atLeast = () => z.int().min(0).max(250).default(0);

/** The published `passwordRequirements`; `allowedSymbols` are those that may be used where symbols are. */
export const PasswordRequirements = z
  .object({
    length: z.int().min(1).max(250),
    required: z
      .object({ lowercase: atLeast(), uppercase: atLeast(), digits: atLeast(), symbols: atLeast() })
      .describe('Minimum number of characters of each class'),
    allowedSymbols: z
      .string()
      .max(100)
      .regex(/^[!-/:-@[-`{-~]*$/, 'Expected ASCII symbols')
      .optional()
      .describe(`${SYMBOLS} where absent`),
  })
  .refine(
    ({ length, required }) => sum(required) <= length,
    'The required characters exceed the length of the password',
  );
export type PasswordRequirements = z.output<typeof PasswordRequirements>;

const sum = (required: Record<string, number>) => Object.values(required).reduce((a, b) => a + b, 0);

/** What passwords are where nobody says anything: 48 characters, some 285 bits. */
const USUAL: PasswordRequirements = {
  length: 48,
  required: { lowercase: 1, uppercase: 1, digits: 1, symbols: 0 },
};

/**
 * A random password that meets the requirements. Symbols are in it only where some are required. Where too little is
 * asked for it to be hard to guess, nothing is added: the target may take no longer one.
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
