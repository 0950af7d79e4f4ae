import { configDirectory } from '../home.ts';
import type { Environment } from '../parse.ts';
import type { Credentials, Vault } from './credentials.ts';

const SERVICE = 'coffer';
/** An entry that shows whether the keyring answers. */
const PROBE = 'coffer-probe';

/**
 * The keyring of the operating system; `undefined` where there is none, or it is locked and cannot ask. On Linux that is the Secret
 * Service of a desktop session: without a session the kernel's keyring would answer, which forgets everything.
 */
export async function keyring(env: Environment): Promise<Vault | undefined> {
  if (process.platform === 'linux' && !env['DBUS_SESSION_BUS_ADDRESS']) return undefined;
  try {
    const { Entry } = await import('@napi-rs/keyring');
    // Configuration directories have logins of their own.
    const entryOf = (profile: string) => new Entry(SERVICE, `${profile} ${configDirectory(env)}`);
    entryOf(PROBE).getPassword();
    return {
      place: 'the keyring of the system',
      read(profile) {
        const stored = entryOf(profile).getPassword();
        return stored === null ? undefined : (JSON.parse(stored) as Credentials);
      },
      write: (profile, credentials) => entryOf(profile).setPassword(JSON.stringify(credentials)),
      remove: (profile) => void entryOf(profile).deletePassword(),
    };
  } catch {
    return undefined;
  }
}
