import { hash, verify } from '@node-rs/argon2';

/** Argon2id with OWASP's recommended parameters: 19 MiB, two passes, one lane. Runs off the event loop. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash without a password: verifying against it costs the same as a real one. */
let decoy: Promise<string> | undefined;

export const hashPassword = (password: string): Promise<string> => hash(password, PARAMETERS);

/** Verifies a password. Without a stored hash (unknown user, no password set) it takes as long, and is false. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('no password hashes to this');
  const isRight = await verify(stored ?? (await decoy), password);
  return isRight && typeof stored === 'string';
}
