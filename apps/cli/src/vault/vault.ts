import { readConfig, whileUnchanged, type Config } from '../home.ts';
import type { Environment } from '../parse.ts';
import type { Credentials, Kept, Vault } from './credentials.ts';
import { fileVault } from './file.ts';
import { keyring } from './keyring.ts';

type Choice = Pick<Config, 'vault'>;

/** The vault that is configured. A keyring that does not work (no desktop session, a container) is replaced by the file. */
export const openVault = (env: Environment, choice: Choice): Promise<Kept> => vaultOf(env, choice);

const vaultOf = async (env: Environment, { vault }: Choice): Promise<Vault> =>
  (vault === 'auto' ? await keyring(env) : undefined) ?? fileVault(env);

/**
 * The credentials of a profile of a configuration; `undefined` if there are none, or the profile is that of another server by now: no token
 * goes to the server of another one.
 */
export async function readLogin(env: Environment, config: Config, name: string): Promise<Credentials | undefined> {
  const credentials = (await openVault(env, config)).read(name);
  const isSame = readConfig(env).profiles[name]?.domain === config.profiles[name]?.domain;
  return isSame ? credentials : undefined;
}

/** Logins as they are while no other process changes them. */
export interface Logins {
  readonly config: Config;
  /** The vault that is configured. */
  readonly vault: Vault;
  /** The vault of another configuration. */
  readonly vaultOf: (choice: Choice) => Promise<Vault>;
}

/** Changes logins: no other process does so at the same time. */
export const changeLogins = <Result>(
  env: Environment,
  change: (logins: Logins) => Result | Promise<Result>,
): Promise<Result> =>
  whileUnchanged(env, async () => {
    const config = readConfig(env);
    return change({ config, vault: await vaultOf(env, config), vaultOf: (choice) => vaultOf(env, choice) });
  });
