import { hash, verify } from '@node-rs/argon2';
import type { Context, Outside, PasswordCaller } from '../kernel/index.ts';

/** Argon2id with OWASP's recommended parameters: 19 MiB, two passes, one lane. Runs off the event loop. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash without a password: verifying against it costs the same as a real one. */
let decoy: Promise<string> | undefined;

type Turns = Outside<Pick<Context, 'passwordTurns'>>;

/** Hashes a password when it is the turn of its caller. */
export const hashPassword = ({ passwordTurns }: Turns, password: string, whose: PasswordCaller): Promise<string> =>
  passwordTurns.run(whose, () => hash(password, PARAMETERS));

/**
 * Verifies a password when it is the turn of its caller. Without a stored hash (unknown user, no password set) it takes as long, and is
 * false.
 */
export function verifyPassword(
  { passwordTurns }: Turns,
  { stored, password }: { stored: string | null | undefined; password: string },
  whose: PasswordCaller,
): Promise<boolean> {
  return passwordTurns.run(whose, async () => {
    decoy ??= hash('no password hashes to this', PARAMETERS);
    const isRight = await verify(stored ?? (await decoy), password);
    return isRight && typeof stored === 'string';
  });
}
