import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Attempt, type ThrottlePolicy } from '../../access/index.ts';
import { hashPassword, verifyPassword } from '../../crypto/index.ts';
import { clientNetwork, type Context } from '../../kernel/index.ts';

/** 192 random bits. */
const newPassphrase = (): string => randomBytes(24).toString('base64url');

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
 * Whether it is the right passphrase. The right one is recognized before failures are counted, so that wrong ones of
 * others behind the same address do not lock it out; one of an earlier release is counted until it is set again.
 *
 * @throws DomainError 429 after too many wrong ones from this address; for one of an earlier release, from all.
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
