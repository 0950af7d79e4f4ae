import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { CofferError, type RenewableToken } from '@coffer/client';
import { isUnreachable } from '../again.ts';
import { CommandError } from '../exit.ts';
import { configDirectory, readConfig } from '../home.ts';
import type { Io } from '../io.ts';
import { withLock } from '../lock.ts';
import type { Credentials } from './credentials.ts';
import { refreshed } from './user-session.ts';
import { changeLogins, readLogin } from './vault.ts';

export interface KeptLoginOptions {
  /** Of the profile. */
  readonly name: string;
  readonly domain: string;
  readonly io: Io;
}

/**
 * The login of a user that is kept: where the server does not accept its access token any more, the session gets the next one. One process
 * at a time does so, and others take what it has kept.
 */
export class KeptLogin implements RenewableToken {
  readonly #options: KeptLoginOptions;
  #credentials: Credentials;
  #refused: string | undefined;
  #coming: Promise<void> | undefined;
  #isEnded = false;

  constructor(options: KeptLoginOptions, credentials: Credentials) {
    this.#options = options;
    this.#credentials = credentials;
  }

  async token(): Promise<string> {
    if (this.#refused === this.#credentials.token && !this.#isEnded)
      await (this.#coming ??= this.#renew().finally(() => (this.#coming = undefined)));
    return this.#credentials.token;
  }

  refused(token: string): boolean {
    this.#refused = token;
    return !this.#isEnded;
  }

  /** The refused token stays where there is no other: the server then says why. */
  async #renew(): Promise<void> {
    const { io, name } = this.#options;
    const lock = createHash('sha256').update(name).digest('hex').slice(0, 12);
    try {
      await withLock(join(configDirectory(io.env), `${lock}.lock`), () => this.#next());
      this.#isEnded = this.#credentials.token === this.#refused;
    } catch (error) {
      if (!(error instanceof CofferError) && !(error instanceof CommandError)) throw error;
      io.say('debug', `The login is not renewed: ${error.message}`);
      this.#isEnded = !isUnreachable(error);
    }
  }

  async #next(): Promise<void> {
    const { io, name, domain } = this.#options;
    const config = readConfig(io.env);
    // Somebody has logged in at another server meanwhile: nothing of that is for this one.
    const kept = config.profiles[name]?.domain === domain ? await readLogin(io.env, config, name) : undefined;
    if (!kept) return;
    const isNewer = kept.token !== this.#refused;
    if (!isNewer && kept.refreshToken === undefined) return;
    this.#credentials = isNewer ? kept : await refreshed(io, domain, kept.refreshToken!);
    if (!isNewer) await this.#keep(kept);
  }

  /** Unless somebody has logged in or out meanwhile. */
  #keep(before: Credentials): Promise<void> {
    const { io, name, domain } = this.#options;
    return changeLogins(io.env, ({ config, vault }) => {
      const isSame = config.profiles[name]?.domain === domain && vault.read(name)?.token === before.token;
      if (isSame) vault.write(name, this.#credentials);
    });
  }
}
