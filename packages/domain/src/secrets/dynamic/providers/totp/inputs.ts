import { z } from 'zod';
import { sealed } from '../../../../family/sealed-field.ts';
import { text } from '../../../../kernel/schema.ts';

export const BASE32 = /^[A-Z2-7]+=*$/i;

const ByUrl = z.object({
  configType: z.literal('url'),
  url: sealed(text(2048).trim().min(1)).describe('otpauth://totp/…, as in a QR code'),
});
const ByHand = z.object({
  configType: z.literal('manual'),
  secret: sealed(
    text(1024)
      .transform((given) => given.replaceAll(/[\s-]/g, ''))
      .refine((given) => BASE32.test(given), 'Expected base32'),
  ),
  period: z.int().min(1).max(86_400).optional().describe('Seconds. Default: 30'),
  algorithm: z.enum(['sha1', 'sha256', 'sha512']).optional().describe('Default: sha1'),
  digits: z.int().min(6).max(10).optional().describe('Default: 6'),
});
export const Inputs = z.discriminatedUnion('configType', [ByUrl, ByHand]);
export type Inputs = z.output<typeof Inputs>;
