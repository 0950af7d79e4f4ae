import { readConfig, writeConfig } from '../../home.ts';
import type { Action } from '../../table/command.ts';
import { changeLogins, openVault } from '../../vault/vault.ts';

export const showVault: Action = async ({ io, flags }) => {
  const config = readConfig(io.env);
  const { place } = await openVault(io.env, config);
  io.write(flags.json ? `${JSON.stringify({ vault: config.vault, place })}\n` : `${config.vault}: ${place}\n`);
};

export const setVault =
  (vault: 'auto' | 'file'): Action =>
  async ({ io }) => {
    const place = await changeLogins(io.env, async ({ config, vault: before, vaultOf }) => {
      const after = await vaultOf({ vault });
      const moved =
        before.place === after.place ? [] : Object.keys(config.profiles).filter((name) => before.read(name));
      for (const name of moved) after.write(name, before.read(name)!);
      writeConfig(io.env, { ...config, vault });
      for (const name of moved) before.remove(name);
      return after.place;
    });
    io.say('info', `Credentials are kept in ${place}`);
  };
