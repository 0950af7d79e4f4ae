import { CofferError } from '@coffer/client';
import { choose } from '../../ask.ts';
import { clientFor } from '../../client.ts';
import { failure, notLoggedIn, usage } from '../../exit.ts';
import { deleteCache } from '../../cache/offline-cache.ts';
import { changeConfig, deleteConfig, readConfig, whileUnchanged } from '../../home.ts';
import { profileName } from '../../session.ts';
import type { Io } from '../../io.ts';
import type { Action } from '../../table/command.ts';
import { KeptLogin } from '../../vault/kept-login.ts';
import { keyring } from '../../vault/keyring.ts';
import { readLogin } from '../../vault/vault.ts';
import type { switchFlags, tokenFlags } from './flags.ts';

export const switchProfile: Action<typeof switchFlags> = async ({ flags, io }) => {
  const before = readConfig(io.env);
  const names = Object.keys(before.profiles);
  if (!names.length) throw notLoggedIn('No login is kept', 'Run coffer login, with --profile for several');
  const describe = (name: string, { profiles } = before) =>
    `${name}: ${profiles[name]!.name} at ${profiles[name]!.domain}`;
  const chosen = flags.to ?? (await choose(io, 'Login', names, (name) => describe(name), 'pass --to'));
  const after = await changeConfig(io.env, (config) => {
    if (!Object.hasOwn(config.profiles, chosen))
      throw failure(`There is no login ${chosen}`, `There are: ${Object.keys(config.profiles).join(', ')}`);
    return { ...config, current: chosen };
  });
  io.say('info', `Using ${describe(chosen, after)}`);
};

export const showToken: Action<typeof tokenFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const config = readConfig(io.env);
  const name = profileName(invocation, config);
  const credentials = await readLogin(io.env, config, name);
  const domain = config.profiles[name]?.domain;
  if (!credentials || domain === undefined) throw notLoggedIn('No login is kept', 'Run coffer login');
  const token = credentials.refreshToken
    ? await accepted(new KeptLogin({ name, domain, io }, credentials), domain, io)
    : credentials.token;
  if (flags.json) return io.write(`${JSON.stringify({ token })}\n`);
  io.write(flags.plain ? `${token}\n` : `Token: ${token}\n`);
};

/** A token that the server accepts, as far as it can be asked. @throws CofferError if the login has ended. */
async function accepted(login: KeptLogin, domain: string, io: Io): Promise<string> {
  try {
    await clientFor(io, domain, { token: login, retries: 0 }).sessions.check.mutate({});
  } catch (error) {
    if (!(error instanceof CofferError) || error.status === 401) throw error;
    io.say('debug', `The token is not checked: ${error.message}`);
  }
  return login.token();
}

export const updateDomain: Action = async ({ args: [domain], io }) => {
  if (!domain || !/^https?:\/\//.test(domain) || !URL.canParse(domain)) throw usage(`${domain} is no URL`);
  await changeConfig(io.env, (config) => ({ ...config, domain }));
  io.say('info', `Logins without --domain are at ${domain}`);
};

/** Deletes all logins, also damaged ones. */
export const reset: Action = async ({ io }) => {
  await whileUnchanged(io.env, async () => {
    await clearKeyring(io);
    deleteConfig(io.env);
  });
  deleteCache(io.env);
  io.say('info', 'All logins and settings on this machine are deleted');
};

/** Files go with their directory. What a damaged configuration does not name stays in the keyring, where nothing reads it. */
async function clearKeyring(io: Io): Promise<void> {
  try {
    const config = readConfig(io.env);
    const found = await keyring(io.env);
    for (const name of Object.keys(config.profiles)) found?.remove(name);
  } catch (error) {
    io.say('debug', `The keyring is left as it is: ${error instanceof Error ? error.message : String(error)}`);
  }
}
