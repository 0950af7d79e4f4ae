import { readConfig, writeConfig } from '../../home.ts';
import type { Action } from '../../table/command.ts';
import { openVault } from '../../vault/vault.ts';

export const showVault: Action = async ({ io, flags }) => {
  const config = readConfig(io.env);
  const { place } = await openVault(io.env, config);
  io.write(flags.json ? `${JSON.stringify({ vault: config.vault, place })}\n` : `${config.vault}: ${place}\n`);
};

export const setVault =
  (vault: 'auto' | 'file'): Action =>
  async ({ io }) => {
    const config = readConfig(io.env);
    const before = await openVault(io.env, config);
    const after = await openVault(io.env, { vault });
    for (const name of Object.keys(config.profiles)) {
      const credentials = before.read(name);
      if (!credentials || before.place === after.place) continue;
      after.write(name, credentials);
      before.remove(name);
    }
    writeConfig(io.env, { ...config, vault });
    io.say('info', `Credentials are kept in ${after.place}`);
  };
