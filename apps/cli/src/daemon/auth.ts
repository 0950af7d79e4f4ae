import { existsSync, rmSync } from 'node:fs';
import type { CofferClient } from '@coffer/client';
import { issueToken, type Issued, type Login } from '../commands/login/machine.ts';
import { pathOf, readText } from '../files.ts';
import type { Io } from '../io.ts';
import { firstSet, type Environment } from '../parse.ts';
import { flag, object, text, type At, type Shape } from './config-shape.ts';

/** A credential: the name of its flag, its variables, and whether its value is in the file that is named, or is the name of a file. */
interface Credential {
  readonly flag: keyof Login['flags'];
  readonly env: readonly string[];
  readonly isPath?: true;
}

const both = (...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [`COFFER_${name}`, `INFISICAL_${name}`]);

const CREDENTIALS = {
  'client-id': { flag: 'client-id', env: both('UNIVERSAL_AUTH_CLIENT_ID') },
  'client-secret': {
    flag: 'client-secret',
    env: both('UNIVERSAL_AUTH_CLIENT_SECRET', 'UNIVERSAL_CLIENT_SECRET'),
  },
  'identity-id': { flag: 'machine-identity-id', env: both('MACHINE_IDENTITY_ID') },
  'service-account-token': {
    flag: 'service-account-token-path',
    env: both('KUBERNETES_SERVICE_ACCOUNT_TOKEN_PATH'),
    isPath: true,
  },
  'service-account-key': {
    flag: 'service-account-key-file-path',
    env: both('GCP_IAM_SERVICE_ACCOUNT_KEY_FILE_PATH'),
    isPath: true,
  },
  jwt: { flag: 'jwt', env: both('JWT') },
  username: { flag: 'username', env: both('LDAP_USERNAME') },
  password: { flag: 'password', env: both('LDAP_PASSWORD') },
} as const satisfies Record<string, Credential>;
type Name = keyof typeof CREDENTIALS;
const NAMES = Object.keys(CREDENTIALS) as Name[];

/** What each method needs. */
const METHODS: Readonly<Record<string, readonly Name[]>> = {
  'universal-auth': ['client-id', 'client-secret'],
  kubernetes: ['identity-id'],
  azure: ['identity-id'],
  'gcp-id-token': ['identity-id'],
  'gcp-iam': ['identity-id', 'service-account-key'],
  'aws-iam': ['identity-id'],
  'oidc-auth': ['identity-id', 'jwt'],
  'jwt-auth': ['identity-id', 'jwt'],
  'ldap-auth': ['identity-id', 'username', 'password'],
};
/** Further published names of methods. */
const ALIASES: Readonly<Record<string, string>> = {
  'kubernetes-auth': 'kubernetes',
  'azure-auth': 'azure',
  'gcp-id-token-auth': 'gcp-id-token',
  'gcp-iam-auth': 'gcp-iam',
  'aws-auth': 'aws-iam',
  oidc: 'oidc-auth',
  jwt: 'jwt-auth',
  ldap: 'ldap-auth',
};

/** The `auth` of a configuration. */
export interface Auth {
  readonly method: string;
  /** Names of files with the credentials, as they are configured. */
  readonly given: Readonly<Partial<Record<Name, string>>>;
  /** Credentials whose files are deleted after reading. */
  readonly removed: readonly Name[];
  /** Whether a credential itself may stand in place of a file name. */
  readonly takesValues: boolean;
}

const config = object({
  ...(Object.fromEntries(NAMES.map((name) => [name, text])) as Record<Name, typeof text>),
  'service-account-token-path': text,
  'service-account-key-path': text,
  remove_client_secret_on_read: flag(false),
  'remove-client-secret-on-read': flag(false),
  'remove-password-on-read': flag(false),
  remove_password_on_read: flag(false),
});

/** Reads `auth`. Credentials in the environment come before files. */
export const authShape =
  (env: Environment, { takesValues = false } = {}): Shape<Auth> =>
  (node, at) => {
    const { type = '', config: read } = object({ type: text, config })(node, at);
    const method = ALIASES[type] ?? type;
    const required = Object.hasOwn(METHODS, method) ? METHODS[method]! : undefined;
    if (!required) at.below('type').fault(`has to be one of: ${Object.keys(METHODS).join(', ')}`, node);
    const given: Partial<Record<Name, string>> = {};
    const aliases = {
      'service-account-token': read['service-account-token-path'],
      'service-account-key': read['service-account-key-path'],
    } as Partial<Record<Name, string>>;
    for (const name of NAMES) {
      const value = read[name] ?? aliases[name];
      if (value !== undefined) given[name] = value;
    }
    requireAll(required ?? [], given, env, at.below('config'));
    const removed: Name[] = [];
    if (read.remove_client_secret_on_read || read['remove-client-secret-on-read']) removed.push('client-secret');
    if (read.remove_password_on_read || read['remove-password-on-read']) removed.push('password');
    return { method, given, removed, takesValues };
  };

function requireAll(required: readonly Name[], given: Auth['given'], env: Environment, at: At): void {
  for (const name of required)
    if (!given[name] && !firstSet(env, CREDENTIALS[name].env))
      at.below(name).fault(`is missing; it names a file, or set ${CREDENTIALS[name].env[0]!}`);
}

/** A function that logs in, with the credentials as they are at that moment. */
export function loginBy(auth: Auth, client: CofferClient, io: Io): () => Promise<Issued> {
  const kept: Partial<Record<Name, string>> = {};
  const read = (name: Name): string | undefined => {
    const credential: Credential = CREDENTIALS[name];
    const found = kept[name] ?? firstSet(io.env, credential.env) ?? auth.given[name];
    if (found === undefined || credential.isPath || found !== auth.given[name] || kept[name]) return found;
    const path = pathOf(found, io.cwd);
    if (auth.takesValues && !found.includes('/') && !existsSync(path)) return found;
    const value = readText(path, `It is to hold the ${name} of the machine identity`).trim();
    if (auth.removed.includes(name)) {
      kept[name] = value;
      rmSync(path, { force: true });
    }
    return value;
  };
  return () => {
    const flags = Object.fromEntries(NAMES.map((name) => [CREDENTIALS[name].flag, read(name)])) as Login['flags'];
    return issueToken(auth.method, { flags, io: { ...io, isInteractive: false } }, client);
  };
}
