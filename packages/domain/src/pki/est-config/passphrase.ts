import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Attempt, organizationOf, type ThrottlePolicy } from '../../access/index.ts';
import { hashPassword, verifyPassword } from '../../crypto/index.ts';
import { clientNetwork, type Context } from '../../kernel/index.ts';

/** 192 random bits. */
const newPassphrase = (): string => randomBytes(24).toString('base64url');

export interface GivenPassphrase {
  readonly passphrase?: string | undefined;
  readonly rotatePassphrase?: boolean | undefined;
}

/** The stored form. */
export interface KeptPassphrase {
  /** argon2id. */
  readonly passphrase: string;
  /** Identifies the right one cheaply; absent for those of earlier releases, which may be weak. */
  readonly check: Buffer | null;
}

export interface PreparedPassphrase {
  readonly kept: KeptPassphrase;
  /** Returned once if it was generated. */
  readonly generated?: string | undefined;
}

/** Hashes the given passphrase, or generates one; outside of transactions, because hashing is slow. */
export async function preparePassphrase(ctx: Context, given: GivenPassphrase): Promise<PreparedPassphrase> {
  const generated = given.passphrase === undefined ? newPassphrase() : undefined;
  const chosen = given.passphrase ?? generated!;
  // It is of the organization, which has any number of machine identities.
  const whose = { key: organizationOf(ctx), isStranger: false };
  const hashed = await hashPassword(ctx, chosen, whose);
  return { kept: { passphrase: hashed, check: checkOf(hashed, chosen) }, ...(generated && { generated }) };
}

const sha256 = (value: string) => hash('sha256', value, 'buffer');
const checkOf = (hashed: string, given: string): Buffer =>
  Buffer.concat([sha256(hashed), sha256(`${hashed}\0${given}`)]);

/** Limits wrong ones of one address, or IPv6 network, for one profile or template. */
const THROTTLE: ThrottlePolicy = { threshold: 10, delaySeconds: 60, resetSeconds: 300 };
/** Limits wrong ones of all addresses for one profile or template with a possibly weak passphrase. */
const THROTTLE_ALL: ThrottlePolicy = { threshold: 100, delaySeconds: 60, resetSeconds: 300 };

/**
 * Verifies a passphrase. The right one is recognized before failures are counted, so that wrong ones from the same
 * address do not lock it out; one of an earlier release is counted until it is replaced.
 *
 * @throws DomainError 429 after too many wrong ones from this address; for one of an earlier release, from all.
 */
export async function isPassphrase(
  ctx: Context,
  { id, passphrase: hashed, check }: KeptPassphrase & { readonly id: string },
  given: string,
): Promise<boolean> {
  // The previous release may have updated only the hash.
  const isCurrent = check !== null && sha256(hashed).equals(check.subarray(0, 32));
  if (isCurrent && timingSafeEqual(checkOf(hashed, given), check)) return true;
  const address = clientNetwork(ctx.request.ipAddress);
  // What was generated cannot be guessed: there, an address waits for its own guesses alone.
  const client = { known: address, unknown: address, isKnown: isCurrent };
  const attempt = new Attempt(ctx, `est:${id.toLowerCase()}`, client, { client: THROTTLE, strangers: THROTTLE_ALL });
  await attempt.requireAllowed();
  const whose = { key: address, isStranger: true };
  if (!isCurrent && (await verifyPassword(ctx, { stored: hashed, password: given }, whose))) return true;
  await attempt.countFailure();
  return false;
}
