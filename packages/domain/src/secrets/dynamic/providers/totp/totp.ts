import type { TOTP } from 'otpauth';
import { z } from 'zod';
import { badRequest } from '../../../../kernel/index.ts';
import { defineProvider } from '../../provider.ts';
import { BASE32, Inputs } from './inputs.ts';

const ALGORITHMS = { sha1: 'SHA1', sha256: 'SHA256', sha512: 'SHA512' } as const;
const USUAL = { period: 30, algorithm: 'sha1', digits: 6 } as const;

/** The codes of an authenticator: nothing is made anywhere, and nothing revoked. */
export const totp = defineProvider({
  type: 'totp',
  title: 'TOTP',
  inputs: Inputs,
  data: z.object({ TOTP: z.string(), TIME_REMAINING: z.number().describe('Seconds for which a code is valid') }),
  target: () => undefined,
  validate(inputs) {
    if (inputs.configType === 'url') readUrl(inputs.url);
  },
  check: () => Promise.resolve(),
  prepare: (_inputs, { leaseId }) => leaseId,
  async issue(inputs, _lease, { now }) {
    const generator = await generatorOf(inputs);
    const timestamp = now.getTime();
    return {
      TOTP: generator.generate({ timestamp }),
      TIME_REMAINING: generator.period - (Math.floor(timestamp / 1000) % generator.period),
    };
  },
  revoke: () => Promise.resolve(),
});

/** What is in a URL, with the usual values of what is not. */
const OfUrl = z.object({
  secret: z.string().regex(BASE32),
  algorithm: z
    .string()
    .regex(/^sha-?(?:1|256|512)$/i)
    .transform((name) => name.toLowerCase().replace('-', '') as keyof typeof ALGORITHMS)
    .default(USUAL.algorithm),
  digits: z
    .string()
    .regex(/^(?:[6-9]|10)$/)
    .transform(Number)
    .default(USUAL.digits),
  period: z
    .string()
    .regex(/^[1-9]\d{0,4}$/)
    .transform(Number)
    .default(USUAL.period),
});

/**
 * Reads a URL; names of parameters in any case, of equal ones the last. No library reads it again, which could take values that were
 * not checked.
 *
 * @throws DomainError 400, without the URL
 */
function readUrl(given: string): z.output<typeof OfUrl> {
  const url = URL.parse(given);
  const isTotp = url?.protocol === 'otpauth:' && url.hostname.toLowerCase() === 'totp';
  const parameters = [...(url?.searchParams ?? [])].filter(([, value]) => value !== '');
  const { data } = OfUrl.safeParse(Object.fromEntries(parameters.map(([name, value]) => [name.toLowerCase(), value])));
  if (isTotp && data) return data;
  throw badRequest('totp.url', 'url must be an otpauth://totp/ URL with a secret');
}

async function generatorOf(inputs: Inputs): Promise<TOTP> {
  const otpauth = await import('otpauth');
  const given = inputs.configType === 'url' ? readUrl(inputs.url) : inputs;
  const { secret, period = USUAL.period, algorithm = USUAL.algorithm, digits = USUAL.digits } = given;
  const name = ALGORITHMS[algorithm];
  return new otpauth.TOTP({ secret: otpauth.Secret.fromBase32(secret), period, algorithm: name, digits });
}
