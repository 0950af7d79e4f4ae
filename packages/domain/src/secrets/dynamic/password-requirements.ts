import { z } from 'zod';

/** None of them means anything to a shell, a URL or a quoted text. */
export const SYMBOLS = '-_.~!*';

const atLeast = () => z.int().min(0).max(250).default(0);

/** The published `passwordRequirements`; `allowedSymbols` are the permitted symbols. */
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
      .describe(`Default: ${SYMBOLS}`),
  })
  .refine(
    ({ length, required }) => sum(required) <= length,
    'The required characters exceed the length of the password',
  );
export type PasswordRequirements = z.output<typeof PasswordRequirements>;

const sum = (required: Record<string, number>) => Object.values(required).reduce((a, b) => a + b, 0);
