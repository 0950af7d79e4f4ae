import { z } from 'zod';

/** Canonical: no other text stands for the same bytes. */
const CANONICAL = /^[A-Za-z0-9+/]*(?:[AQgw]==|[AEIMQUYcgkosw048]=)?$/;

const lengthOf = (given: string): number =>
  (given.length / 4) * 3 - (given.endsWith('==') ? 2 : Number(given.endsWith('=')));

/** Base64 with padding (RFC 4648, section 4) of at most so many bytes. */
export const base64 = (bytes: number) =>
  z
    .string()
    .max(Math.ceil(bytes / 3) * 4, { abort: true, error: `At most ${bytes} bytes, as base64` })
    .refine((given) => given.length % 4 === 0 && CANONICAL.test(given), { error: 'Expected base64', abort: true })
    .refine((given) => lengthOf(given) <= bytes, `At most ${bytes} bytes, as base64`)
    .meta({ examples: ['aGVsbG8='] });
