import type { CofferClient } from '@coffer/client';
import { askHidden } from '../../ask.ts';
import { usage } from '../../exit.ts';
import { pathOf, readText } from '../../files.ts';
import type { Io } from '../../io.ts';
import type { Invocation, Values } from '../../table/command.ts';
import { signedIdentityRequest } from './aws.ts';
import { azureToken, googleIdentityToken, googleServiceAccountToken } from './cloud.ts';
import type { loginFlags } from './flags.ts';
import type { LoggedIn } from './logged-in.ts';

/** What the methods need of a login. */
export interface Login {
  readonly flags: Pick<
    Values<typeof loginFlags>,
    | 'client-id'
    | 'client-secret'
    | 'machine-identity-id'
    | 'service-account-token-path'
    | 'service-account-key-file-path'
    | 'jwt'
    | 'username'
    | 'password'
  >;
  readonly io: Io;
}

/** The token of a machine identity, with its lifetime in seconds. */
export type Issued = Awaited<ReturnType<CofferClient['universalAuth']['logIn']['mutate']>>;

const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** How each method logs in. */
const METHODS: Readonly<Record<string, (login: Login, client: CofferClient) => Promise<Issued>>> = {
  'universal-auth': async ({ flags }, client) =>
    client.universalAuth.logIn.mutate({
      clientId: required(flags['client-id'], 'client-id'),
      clientSecret: required(flags['client-secret'], 'client-secret'),
    }),
  kubernetes: async (login, client) => {
    const path = login.flags['service-account-token-path'] ?? SERVICE_ACCOUNT_TOKEN;
    return client.kubernetesAuth.logIn.mutate({ identityId: identityOf(login), jwt: tokenIn(path, login) });
  },
  azure: async (login, client) =>
    client.azureAuth.logIn.mutate({ identityId: identityOf(login), jwt: await azureToken(login.io) }),
  'gcp-id-token': async (login, client) => {
    const identityId = identityOf(login);
    return client.gcpAuth.logIn.mutate({ identityId, jwt: await googleIdentityToken(identityId, login.io) });
  },
  'gcp-iam': async (login, client) => {
    const identityId = identityOf(login);
    const path = required(login.flags['service-account-key-file-path'], 'service-account-key-file-path');
    return client.gcpAuth.logIn.mutate({
      identityId,
      jwt: await googleServiceAccountToken(identityId, tokenIn(path, login)),
    });
  },
  'aws-iam': async (login, client) =>
    client.awsAuth.logIn.mutate({ identityId: identityOf(login), ...(await signedIdentityRequest(login.io)) }),
  'oidc-auth': async (login, client) =>
    client.oidcAuth.logIn.mutate({ identityId: identityOf(login), jwt: required(login.flags.jwt, 'jwt') }),
  'jwt-auth': async (login, client) =>
    client.jwtAuth.logIn.mutate({ identityId: identityOf(login), jwt: required(login.flags.jwt, 'jwt') }),
  'ldap-auth': async (login, client) =>
    client.ldapAuth.logIn.mutate({
      identityId: identityOf(login),
      username: required(login.flags.username, 'username'),
      password: login.flags.password ?? (await askHidden(login.io, 'Password: ', 'set COFFER_PASSWORD')),
    }),
};

/** Logs a machine identity in by a method. */
export const issueToken = (method: string, login: Login, client: CofferClient): Promise<Issued> =>
  METHODS[method]!(login, client);

/** Logs a machine identity in by the method of the command line. */
export async function machineToken(invocation: Invocation<typeof loginFlags>, client: CofferClient): Promise<LoggedIn> {
  const { method } = invocation.flags;
  const { accessToken: token } = await issueToken(method, invocation, client);
  return { token, kind: 'machine', name: method };
}

const identityOf = ({ flags }: Login): string => required(flags['machine-identity-id'], 'machine-identity-id');

function required(value: string | undefined, name: string): string {
  if (value) return value;
  throw usage(`This method needs --${name}`);
}

const tokenIn = (path: string, { io }: Login): string => readText(pathOf(path, io.cwd)).trim();
