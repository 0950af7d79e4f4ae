import type { CofferClient, CofferClientOptions } from '@coffer/client';
import { clientFor } from './client.ts';
import { withoutChanges } from './dry-run.ts';
import { notLoggedIn, usage } from './exit.ts';
import { readConfig, type Config, type Profile } from './home.ts';
import { KeptLogin } from './vault/kept-login.ts';
import { firstSet } from './parse.ts';
import { findProjectFile } from './project-file.ts';
import type { Invocation } from './table/command.ts';
import { readLogin } from './vault/vault.ts';

/** Where Coffer is if nothing else is said. Once a login or a default names another server, this one is known no more than any other. */
const LOCAL = 'http://127.0.0.1:8080';

/** Variables with an access token, the first that is set. */
export const TOKEN = ['COFFER_TOKEN', 'INFISICAL_TOKEN'] as const;
/** Variables with the credentials of a machine identity. */
export const CLIENT_ID = ['COFFER_UNIVERSAL_AUTH_CLIENT_ID', 'INFISICAL_UNIVERSAL_AUTH_CLIENT_ID'] as const;
export const CLIENT_SECRET = ['COFFER_UNIVERSAL_AUTH_CLIENT_SECRET', 'INFISICAL_UNIVERSAL_AUTH_CLIENT_SECRET'] as const;

/** What a command needs of an invocation to find the server. */
export type Caller = Pick<Invocation, 'flags' | 'io' | 'isGiven'>;

/** The profile that is used: `--profile`, else the one that was used last. */
export const profileName = ({ flags }: Caller, config: Config): string => flags.profile ?? config.current;

/** A server, and the project file where nobody else names it. */
interface Server {
  readonly domain: string;
  readonly onlyIn?: string | undefined;
}

/** The server: `--domain` or its variable, the project file, the profile, the default of `coffer user update domain`, this machine. */
function serverOf(caller: Caller, config: Config): Server {
  const { domain: given } = caller.flags;
  const file = given === undefined ? findProjectFile(caller.io.cwd) : undefined;
  const usual = config.profiles[profileName(caller, config)]?.domain ?? config.domain;
  const domain = urlOf(given ?? file?.domain ?? usual ?? LOCAL);
  const named = [config.domain, ...Object.values(config.profiles).map((profile) => profile.domain)];
  const known = named.filter((one) => one !== undefined);
  const isKnown = (known.length ? known : [LOCAL]).some((one) => isSameServer(one, domain));
  return { domain, onlyIn: file?.domain !== undefined && !isKnown ? file.path : undefined };
}

/** Another path of the same host may be another program, behind the same proxy. */
const isSameServer = (one: string, other: string): boolean => new URL(urlOf(one)).href === new URL(urlOf(other)).href;

/**
 * The server that gets credentials which are of no server in particular: a project file is written by whoever changes the
 * repository, so that it names only what is known from elsewhere.
 *
 * @throws CommandError if only a project file names the server.
 */
function requireKnown({ domain, onlyIn }: Server): string {
  if (onlyIn === undefined) return domain;
  throw notLoggedIn(
    `${onlyIn} names the server ${domain}, which gets no credentials before you name it, too`,
    `If it is yours: pass --domain ${domain}, or set COFFER_DOMAIN`,
  );
}

/** The server of a login. @throws CommandError as `requireKnown`. */
export const domainOf = (caller: Caller, config: Config): string => requireKnown(serverOf(caller, config));

/** @throws CommandError for what is no URL. */
function urlOf(domain: string): string {
  const url = /^https?:\/\//i.test(domain) ? domain : `https://${domain}`;
  if (!URL.canParse(url)) throw usage(`The domain ${domain} is no URL`);
  return url.replace(/(?:\/api)?\/?$/, '');
}

/** How the caller authenticates. */
export interface Authentication {
  readonly domain: string;
  /** Where the credentials come from. */
  readonly source: 'flag' | 'environment' | 'machine' | 'profile';
  readonly options: Pick<CofferClientOptions, 'token' | 'auth'>;
  readonly profile?: Profile;
}

/**
 * Finds the credentials: the token that was given, a token in the environment, a client ID and secret there, the login of the profile.
 *
 * @throws CommandError if there are none.
 */
export async function authenticate(caller: Caller, given = tokenFlag(caller)): Promise<Authentication> {
  const config = readConfig(caller.io.env);
  const server = serverOf(caller, config);
  if (given) return { domain: requireKnown(server), source: 'flag', options: { token: given } };
  const token = firstSet(caller.io.env, TOKEN);
  if (token) return { domain: requireKnown(server), source: 'environment', options: { token } };
  const [clientId, clientSecret] = [firstSet(caller.io.env, CLIENT_ID), firstSet(caller.io.env, CLIENT_SECRET)];
  if (clientId && clientSecret)
    return { domain: requireKnown(server), source: 'machine', options: { auth: { clientId, clientSecret } } };
  return fromProfile(caller, config, server.domain);
}

/** `--token`, of commands that have it. */
const tokenFlag = ({ flags }: Caller): string | undefined => (flags as { readonly token?: string }).token;

async function fromProfile(caller: Caller, config: Config, domain: string): Promise<Authentication> {
  const name = profileName(caller, config);
  const profile = config.profiles[name];
  const credentials = profile && (await readLogin(caller.io.env, config, name));
  const hint = `Run coffer login, or set ${TOKEN[0]}`;
  if (!profile || !credentials) throw notLoggedIn(`You are not logged in at ${domain}`, hint);
  // A token goes only to the server that it is of.
  if (!isSameServer(profile.domain, domain))
    throw notLoggedIn(`The login of profile ${name} is for ${profile.domain}, not for ${domain}`, hint);
  const { token, refreshToken } = credentials;
  const login = refreshToken === undefined ? token : new KeptLogin({ name, domain, io: caller.io }, credentials);
  return { domain, source: 'profile', options: { token: login }, profile };
}

/** The server of an agent: the one that is given, else of its configuration, else this machine. */
export const agentDomain = ({ flags }: Caller, configured: string | undefined): string =>
  urlOf(flags.domain ?? configured ?? LOCAL);

/** `--dry-run`, of commands that have it. */
export const isDryRun = ({ flags }: Pick<Caller, 'flags'>): boolean =>
  (flags as { readonly 'dry-run'?: boolean })['dry-run'] === true;

/** A client that is logged in, with its server and what tells its caller from others. */
export interface Session {
  readonly client: CofferClient;
  readonly domain: string;
  /** The user, or what a machine identity logged in with. It may contain credentials: it is only for comparison. */
  readonly subject: unknown;
}

/** @throws CommandError if nobody is logged in. */
export async function openSession(caller: Caller): Promise<Session> {
  const { domain, options, profile } = await authenticate(caller);
  const client = clientFor(caller.io, domain, options);
  return {
    client: isDryRun(caller) ? withoutChanges(client) : client,
    domain,
    subject: profile?.kind === 'user' ? profile : options,
  };
}

/** A client that is logged in. @throws CommandError if nobody is. */
export const connect = async (caller: Caller): Promise<CofferClient> => (await openSession(caller)).client;
