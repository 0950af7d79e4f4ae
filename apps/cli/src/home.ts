import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { failure } from './exit.ts';
import { readIfThere, writePrivate } from './files.ts';
import { withLock } from './lock.ts';
import type { Environment } from './parse.ts';

/** Where Coffer keeps its files (XDG Base Directory Specification). */
export function configDirectory(env: Environment): string {
  const base = env['XDG_CONFIG_HOME'];
  return join(base?.startsWith('/') ? base : join(env['HOME'] || homedir(), '.config'), 'coffer');
}

/** A login that is kept. */
export interface Profile {
  readonly domain: string;
  readonly kind: 'user' | 'machine';
  /** E-mail address, or the method of a machine identity. */
  readonly name: string;
  readonly organizationId?: string | undefined;
  readonly organization?: string | undefined;
}

/** What is kept beside the credentials. Nothing in it is secret. */
export interface Config {
  /** Where credentials are kept: `auto` is the keyring of the system, if there is one, and else a file. */
  readonly vault: 'auto' | 'file';
  /** The domain of logins without one. */
  readonly domain?: string | undefined;
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const configFile = (env: Environment): string => join(configDirectory(env), 'config.json');

/** @throws CommandError if the file is damaged. */
export function readConfig(env: Environment): Config {
  const path = configFile(env);
  const stored = readIfThere(path);
  if (stored === undefined) return { vault: 'auto', current: 'default', profiles: {} };
  try {
    const { vault = 'auto', domain, current = 'default', profiles = {} } = JSON.parse(stored) as Partial<Config>;
    return { vault, domain, current, profiles };
  } catch {
    throw failure(`${path} is damaged`, 'Delete it and log in again: coffer reset, coffer login');
  }
}

/** Only `whileUnchanged`. */
export const writeConfig = (env: Environment, config: Config): void =>
  writePrivate(configFile(env), `${JSON.stringify(config, undefined, 2)}\n`);

/** Does some work while no other process changes what is kept here. What is changed has to be read within. It must not be nested. */
export const whileUnchanged = <Result>(env: Environment, work: () => Result | Promise<Result>): Promise<Result> =>
  withLock(join(configDirectory(env), 'config.lock'), work);

/** Changes the configuration as it is at that moment. Returns the new one. */
export const changeConfig = (env: Environment, change: (config: Config) => Config): Promise<Config> =>
  whileUnchanged(env, () => {
    const next = change(readConfig(env));
    writeConfig(env, next);
    return next;
  });

/** Deletes everything that is kept here. Only `whileUnchanged`. */
export const deleteConfig = (env: Environment): void => rmSync(configDirectory(env), { recursive: true, force: true });
