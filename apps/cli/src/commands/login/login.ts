import { readConfig, writeConfig, type Profile } from '../../home.ts';
import { clientFor } from '../../client.ts';
import { domainOf, profileName } from '../../session.ts';
import type { Action, Invocation } from '../../table/command.ts';
import type { Credentials } from '../../vault/credentials.ts';
import { openVault } from '../../vault/vault.ts';
import type { loginFlags } from './flags.ts';
import { machineToken } from './machine.ts';
import { userToken } from './user.ts';

export const logIn: Action<typeof loginFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const config = readConfig(io.env);
  const domain = domainOf(invocation, config);
  const client = clientFor(io, domain);
  const { token, refreshToken, ...who } =
    flags.method === 'user' ? await userToken(invocation, domain, client) : await machineToken(invocation, client);
  if (flags.plain) return io.write(`${token}\n`);
  const place = await keep(invocation, { ...who, domain }, { token, refreshToken });
  if (flags.json) io.write(`${JSON.stringify({ domain, ...who })}\n`);
  io.say(
    'info',
    `Logged in at ${domain} as ${who.name}${who.organization ? ` in ${who.organization}` : ''}; the token is in ${place}`,
  );
};

/** Keeps a login, and returns where. */
async function keep(
  invocation: Invocation<typeof loginFlags>,
  profile: Profile,
  credentials: Credentials,
): Promise<string> {
  const { flags, io } = invocation;
  const config = readConfig(io.env);
  const name = profileName(invocation, config);
  const vault = await openVault(io.env, config);
  const others = Object.entries(config.profiles).filter(([other]) => other !== name);
  if (flags['clear-domains']) for (const [other] of others) vault.remove(other);
  vault.write(name, credentials);
  const kept = flags['clear-domains'] ? {} : config.profiles;
  writeConfig(io.env, { ...config, current: name, profiles: { ...kept, [name]: profile } });
  return vault.place;
}
