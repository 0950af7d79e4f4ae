import { isRemote } from '../../../../family/index.ts';
import type { SshAccess } from '../../../apps/ssh/index.ts';
import type { RotationTarget } from '../../rotation.ts';

export interface Login {
  readonly username: string;
  readonly password: string;
}

// Commands are constants. What is secret or given goes to their standard input.

/** https://man7.org/linux/man-pages/man8/chpasswd.8.html: lines of a name, a colon and a password. */
const CHPASSWD = '/usr/sbin/chpasswd';
/** Fails before it runs anything where sudo asks for a password. */
const WITH_SUDO = `env LC_ALL=C sudo -n ${CHPASSWD}`;
const NEEDS_PASSWORD = /(?:password|authentication) is required/;
/** `-S` reads the password from standard input, `-k` always asks for it, and `-p ''` without a prompt. */
const WITH_SUDO_AND_PASSWORD = `sudo -k -S -p '' ${CHPASSWD}`;

/** Sets the password of an account with the rights of the connection. */
export const setPassword = (
  { client, credentials }: RotationTarget<SshAccess>,
  { username, password }: Login,
  { useSudo }: { readonly useSudo: boolean },
): Promise<void> =>
  client.run(async (session) => {
    const line = `${username}:${password}\n`;
    if (!useSudo) return session.run(CHPASSWD, line);
    const own = credentials['password'];
    return session.run(WITH_SUDO, line).catch((error: unknown) => {
      if (typeof own !== 'string' || !isRemote(error, 'rejected') || !NEEDS_PASSWORD.test(error.message)) throw error;
      return session.run(WITH_SUDO_AND_PASSWORD, `${own}\n${line}`);
    });
  });

/** Has an account change its own password: passwd asks for the present one, and twice for the new one. */
export const changeOwnPassword = (access: SshAccess, present: string, password: string): Promise<void> =>
  access.run((session) => session.run('passwd', `${present}\n${password}\n${password}\n`));
