import { readConfig, writeConfig, type Profile } from '../../home.ts';
import { clientFor } from '../../client.ts';
import { domainOf, profileName } from '../../session.ts';
import type { Action } from '../../table/command.ts';
import type { Credentials } from '../../vault/credentials.ts';
import { changeLogins } from '../../vault/vault.ts';
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
  const login = { name: profileName(invocation, config), profile: { ...who, domain } };
  const place = await keep(login, { token, refreshToken }, { env: io.env, isOnly: flags['clear-domains'] });
  if (flags.json) io.write(`${JSON.stringify({ domain, ...who })}\n`);
  io.say(
    'info',
    `Logged in at ${domain} as ${who.name}${who.organization ? ` in ${who.organization}` : ''}; the token is in ${place}`,
  );
};

interface Login {
  readonly name: string;
  readonly profile: Profile;
}

/** Keeps a login, and returns where. No token is ever beside the domain of another one, so that it goes to no other server. */
const keep = (
  { name, profile }: Login,
  credentials: Credentials,
  { env, isOnly }: { readonly env: Parameters<typeof changeLogins>[0]; readonly isOnly: boolean },
): Promise<string> =>
  changeLogins(env, ({ config, vault }) => {
    // The one before, of the same server, is there until the next one is.
    const isReplaced = config.profiles[name]?.domain === profile.domain;
    const others = Object.keys(config.profiles).filter((one) => isOnly && one !== name);
    for (const one of isReplaced ? others : [...others, name]) if (vault.read(one)) vault.remove(one);
    writeConfig(env, { ...config, current: name, profiles: { ...(!isOnly && config.profiles), [name]: profile } });
    vault.write(name, credentials);
    return vault.place;
  });
