import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { Attempt, type ThrottlePolicy } from '../../access/index.ts';
import { hashPassword, verifyPassword } from '../../crypto/index.ts';
import { clientNetwork, text, type Context } from '../../kernel/index.ts';

// Passphrases are credentials of machines: Coffer generates them, and takes others where they could have been generated.

const MIN_BITS = 128;

/** 192 random bits. */
const newPassphrase = (): string => randomBytes(24).toString('base64url');

/**
 * Bits that a text has at the most as far as can be seen: characters of the kinds that it has, where words count little
 * and what was there before counts nothing.
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

export interface GivenPassphrase {
  readonly passphrase?: string | undefined;
  readonly rotatePassphrase?: boolean | undefined;
}

/** As it is kept. */
export interface KeptPassphrase {
  /** argon2id. */
  readonly passphrase: string;
  /** Finds the right one at once; absent for those of earlier releases, which may be weak. */
  readonly check: Buffer | null;
}

export interface PreparedPassphrase {
  readonly kept: KeptPassphrase;
  /** Shown once, where it was generated. */
  readonly generated?: string | undefined;
}

/** What a caller gives, or a new one; outside of transactions, as hashing takes its time. */
export async function preparePassphrase(given: GivenPassphrase): Promise<PreparedPassphrase> {
  const generated = given.passphrase === undefined ? newPassphrase() : undefined;
  const chosen = given.passphrase ?? generated!;
  const hashed = await hashPassword(chosen);
  return { kept: { passphrase: hashed, check: checkOf(hashed, chosen) }, ...(generated && { generated }) };
}

const sha256 = (value: string) => hash('sha256', value, 'buffer');
const checkOf = (hashed: string, given: string): Buffer =>
  Buffer.concat([sha256(hashed), sha256(`${hashed}\0${given}`)]);

/** Wrong ones of one address, or network of IPv6, at one place. */
const THROTTLE: ThrottlePolicy = { threshold: 10, delaySeconds: 60, resetSeconds: 300 };
/** Wrong ones of all addresses at one place whose passphrase may be weak. */
const THROTTLE_ALL: ThrottlePolicy = { threshold: 100, delaySeconds: 60, resetSeconds: 300 };

/**
 * Whether it is the right passphrase. The right one is known before anything is counted, so that wrong ones of others
 * behind the same address do not keep it out; one of an earlier release waits with them until it is set anew.
 *
 * @throws DomainError 429 where there were too many wrong ones from this address; for one of an earlier release, from all.
 */
export async function isPassphrase(
  ctx: Context,
  { id, passphrase: hashed, check }: KeptPassphrase & { readonly id: string },
  given: string,
): Promise<boolean> {
  // A release before this one may have changed the hash alone.
  const isCurrent = check !== null && sha256(hashed).equals(check.subarray(0, 32));
  if (isCurrent && timingSafeEqual(checkOf(hashed, given), check)) return true;
  const address = clientNetwork(ctx.request.ipAddress);
  // What was generated cannot be guessed: there, an address waits for its own guesses alone.
  const client = { known: address, unknown: address, isKnown: isCurrent };
  const attempt = new Attempt(ctx, `est:${id.toLowerCase()}`, client, { client: THROTTLE, strangers: THROTTLE_ALL });
  await attempt.requireAllowed();
  if (!isCurrent && (await verifyPassword(hashed, given))) return true;
  await attempt.countFailure();
  return false;
}
