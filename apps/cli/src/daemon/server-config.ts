import type { Environment } from '../parse.ts';
import { authShape, type Auth } from './auth.ts';
import type { RetryStrategy } from './backoff.ts';
import { anything, count, duration, flag, needed, object, text, type Shape } from './config-shape.ts';
import type { Execute } from './execute.ts';

/** Where the server is, and how an agent treats it. */
export interface ServerConfig {
  readonly address: string | undefined;
  readonly exitAfterAuth: boolean;
  /** Whether leases, and if it is said the token, are revoked at an orderly end. */
  readonly revokes: boolean | undefined;
  readonly retry: RetryStrategy;
}

/** What an agent of any kind is configured by. */
export interface MachineConfig {
  readonly server: ServerConfig;
  readonly auth: Auth;
  readonly stateDirectory: string | undefined;
  readonly healthPort: number | undefined;
}

const retryShape: Shape<RetryStrategy> = (node, at) => {
  const read = object({
    'max-retries': count(3),
    'max-delay': duration(5000, 1),
    'base-delay': duration(200, 1),
  })(node, at);
  return { maxRetries: read['max-retries'], maxDelay: read['max-delay'], baseDelay: read['base-delay'] };
};

const serverShape: Shape<ServerConfig> = (node, at) => {
  const read = object({
    address: text,
    'exit-after-auth': flag(false),
    'revoke-credentials-on-shutdown': flag(undefined),
    'retry-strategy': retryShape,
  })(node, at);
  return {
    address: read.address,
    exitAfterAuth: read['exit-after-auth'],
    revokes: read['revoke-credentials-on-shutdown'],
    retry: read['retry-strategy'],
  };
};

/** A command with its timeout, which is in seconds where it has no unit. */
export const executeShape: Shape<Execute | undefined> = (node, at) => {
  if (node === undefined) return undefined;
  const { command, timeout } = object({ command: needed, timeout: duration(30_000, 1) })(node, at);
  return { command, timeout };
};

/** The configuration of an agent of a kind: what all of them have, and these fields. */
export const machineShape =
  <Read extends object>(
    env: Environment,
    fields: { readonly [Name in keyof Read]: Shape<Read[Name]> },
    options: { readonly takesValues?: boolean } = {},
  ): Shape<MachineConfig & Read> =>
  (node, at) => {
    const common = {
      version: anything,
      coffer: (part: Parameters<typeof serverShape>[0], place: Parameters<typeof serverShape>[1]) =>
        part === undefined ? undefined : serverShape(part, place),
      infisical: serverShape,
      auth: authShape(env, options),
      'state-directory': text,
      'health-port': count<number | undefined>(undefined),
    };
    type Common = { readonly [Name in keyof typeof common]: ReturnType<(typeof common)[Name]> };
    const read = object<Common & Read>({ ...common, ...fields } as never)(node, at);
    return {
      ...read,
      server: read.coffer ?? read.infisical,
      stateDirectory: read['state-directory'],
      healthPort: read['health-port'],
    };
  };
