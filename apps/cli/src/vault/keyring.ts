import { configDirectory } from '../home.ts';
import type { Environment } from '../parse.ts';
import type { Credentials, Vault } from './credentials.ts';

/** An entry of the keyring. */
export interface KeyringEntry {
  read(): string | undefined;
  write(text: string): void;
  remove(): void;
}

const SERVICE = 'coffer';
/** An entry that shows whether the keyring answers. */
const PROBE = 'coffer-probe';

/**
 * The entries of the keyring of the operating system; `undefined` where there is none, or it is locked and cannot ask. On Linux that
 * is the Secret Service of a desktop session: without a session the kernel's keyring would answer, which forgets everything.
 */
export async function keyringEntries(env: Environment): Promise<((name: string) => KeyringEntry) | undefined> {
  if (process.platform === 'linux' && !env['DBUS_SESSION_BUS_ADDRESS']) return undefined;
  try {
    const { Entry } = await import('@napi-rs/keyring');
    const entryOf = (name: string): KeyringEntry => {
      // Configuration directories have entries of their own.
      const entry = new Entry(SERVICE, `${name} ${configDirectory(env)}`);
      return {
        read: () => entry.getPassword() ?? undefined,
        write: (text) => entry.setPassword(text),
        remove: () => void entry.deletePassword(),
      };
    };
    entryOf(PROBE).read();
    return entryOf;
  } catch {
    return undefined;
  }
}

/** The vault in the keyring; `undefined` where there is none. */
export async function keyring(env: Environment): Promise<Vault | undefined> {
  const entryOf = await keyringEntries(env);
  return (
    entryOf && {
      place: 'the keyring of the system',
      read(profile) {
        const stored = entryOf(profile).read();
        return stored === undefined ? undefined : (JSON.parse(stored) as Credentials);
      },
      write: (profile, credentials) => entryOf(profile).write(JSON.stringify(credentials)),
      remove: (profile) => entryOf(profile).remove(),
    }
  );
}
