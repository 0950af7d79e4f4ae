import { failure } from '../../exit.ts';
import type { Io } from '../../io.ts';
import { withoutCredentials } from '../../own-credentials.ts';
import type { Secret } from '../../secrets.ts';
import { settable } from '../../variables.ts';

/**
 * The environment of a program: this one's, without Coffer's own credentials, and the secrets.
 *
 * @throws CommandError for a value that no environment can hold.
 */
export function environmentWith(
  secrets: readonly Secret[],
  io: Pick<Io, 'env' | 'say'>,
  { keepsCredentials, keepsLoaders }: { readonly keepsCredentials: boolean; readonly keepsLoaders: boolean },
): Record<string, string> {
  const all = withoutCredentials(io.env, { keepsCredentials });
  for (const { secretKey, secretValue } of settable(secrets, { keepsLoaders }, io)) {
    if (secretKey.includes('=') || secretKey.includes('\0')) {
      io.say('warn', `${secretKey} is left out: no variable can have this name`);
      continue;
    }
    if (secretValue.includes('\0'))
      throw failure(`The value of ${secretKey} has a NUL character, which no variable can hold`);
    requireFits(secretKey, secretValue);
    all[secretKey] = secretValue;
  }
  return all;
}

/** What Linux takes of one variable, with its name: MAX_ARG_STRLEN of execve(2), in bytes. */
const LONGEST = 131_071;

function requireFits(name: string, value: string): void {
  const bytes = Buffer.byteLength(`${name}=${value}`);
  if (bytes >= LONGEST)
    throw failure(
      `The value of ${name} has ${bytes} bytes; a variable can have ${LONGEST}`,
      'Write it to a file instead: coffer secrets get, coffer export',
    );
}
