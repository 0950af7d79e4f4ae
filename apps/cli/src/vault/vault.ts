import type { Config } from '../home.ts';
import type { Environment } from '../parse.ts';
import type { Vault } from './credentials.ts';
import { fileVault } from './file.ts';
import { keyring } from './keyring.ts';

/** The vault that is configured. A keyring that does not work (no desktop session, a container) is replaced by the file. */
export async function openVault(env: Environment, { vault }: Pick<Config, 'vault'>): Promise<Vault> {
  return (vault === 'auto' ? await keyring(env) : undefined) ?? fileVault(env);
}
