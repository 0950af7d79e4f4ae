import type { TOTP } from 'otpauth';
import { z } from 'zod';
import { badRequest } from '../../../../kernel/index.ts';
import { defineProvider } from '../../provider.ts';
import { BASE32, Inputs } from './inputs.ts';

const ALGORITHMS = { sha1: 'SHA1', sha256: 'SHA256', sha512: 'SHA512' } as const;

/** The codes of an authenticator: nothing is made anywhere, and nothing revoked. */
export const totp = defineProvider({
  type: 'totp',
  title: 'TOTP',
  inputs: Inputs,
  data: z.object({ TOTP: z.string(), TIME_REMAINING: z.number().describe('Seconds for which a code is valid') }),
  target: () => undefined,
  validate(inputs) {
    if (inputs.configType === 'url') requireUrl(inputs.url);
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

/** The optional parameters of a URL besides the secret. */
const PARAMETERS: Readonly<Record<string, RegExp>> = {
  algorithm: /^sha-?(?:1|256|512)$/i,
  digits: /^(?:[6-9]|10)$/,
  period: /^[1-9]\d{0,4}$/,
};

/** @throws DomainError 400. */
function requireUrl(given: string): void {
  const url = URL.parse(given);
  const isTotp = url?.protocol === 'otpauth:' && url.hostname.toLowerCase() === 'totp';
  const says = (name: string) => url?.searchParams.get(name) ?? undefined;
  const isGood = Object.entries(PARAMETERS).every(([name, pattern]) => pattern.test(says(name) ?? '') || !says(name));
  if (isTotp && isGood && BASE32.test(says('secret') ?? '')) return;
  throw badRequest('totp.url', 'url must be an otpauth://totp/ URL with a secret');
}

async function generatorOf(inputs: z.output<typeof Inputs>): Promise<TOTP> {
  const otpauth = await import('otpauth');
  if (inputs.configType === 'manual') {
    const { secret, period = 30, algorithm = 'sha1', digits = 6 } = inputs;
    return new otpauth.TOTP({
      secret: otpauth.Secret.fromBase32(secret),
      period,
      algorithm: ALGORITHMS[algorithm],
      digits,
    });
  }
  let generator: unknown;
  try {
    generator = otpauth.URI.parse(inputs.url);
  } catch {
    // The parser's message could contain the secret.
  }
  if (generator instanceof otpauth.TOTP) return generator;
  throw badRequest('totp.url', 'url must be an otpauth://totp/ URL with a secret');
}
