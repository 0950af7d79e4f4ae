import type { CofferClient, RenewableToken } from '@coffer/client';
import type { Issued } from '../commands/login/machine.ts';
import type { Io } from '../io.ts';
import { isAway, messageOf } from './failure.ts';
import { Backoff, type RetryStrategy } from './backoff.ts';
import { wait } from './wait.ts';

export interface TokenKeeperOptions {
  readonly logIn: () => Promise<Issued>;
  /** A client without a token, with which one is renewed. */
  readonly client: CofferClient;
  readonly retry: RetryStrategy;
  readonly io: Pick<Io, 'say'>;
  /** Is given each new token. */
  readonly onToken: (token: string) => void;
}

interface Held {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly renewAt: number;
  readonly endsAt: number;
}

/** A renewed token that ends sooner than this, in milliseconds, is at the end of its longest life. */
const MARGIN = 20_000;
/** Milliseconds between logins that the server refuses: more would count as guessing. */
const REFUSED = { baseDelay: 1000, maxDelay: 60_000 };

/** Has a valid token at any time: logs in, renews before the end, and logs in again where renewing ends. */
export class TokenKeeper implements RenewableToken {
  readonly #options: TokenKeeperOptions;
  #held: Held | undefined;
  #coming: Promise<Held> | undefined;

  constructor(options: TokenKeeperOptions) {
    this.#options = options;
  }

  /** Milliseconds since 1970; `undefined` without a token. */
  get endsAt(): number | undefined {
    return this.#held?.endsAt;
  }

  async token(): Promise<string> {
    if (this.#held && Date.now() < this.#held.endsAt) return this.#held.token;
    return (await this.#get(() => this.#logIn())).token;
  }

  refused(token: string): boolean {
    if (this.#held?.token === token) this.#held = undefined;
    return true;
  }

  /** Keeps the token valid until the signal is aborted. */
  async keep(signal: AbortSignal): Promise<void> {
    const away = new Backoff(this.#options.retry);
    const refused = new Backoff(REFUSED);
    while (!signal.aborted) {
      try {
        if (!this.#held || Date.now() >= this.#held.renewAt) await this.#get(() => this.#renew());
        away.reset();
        refused.reset();
        await wait(this.#pause(), signal);
      } catch (error) {
        this.#options.io.say('warn', `Not logged in: ${messageOf(error)}`);
        await wait((isAway(error) ? away : refused).next(), signal);
      }
    }
  }

  /** The token may be refused meanwhile, so it is looked at now and then. */
  #pause = (): number => Math.min(Math.max((this.#held?.renewAt ?? 0) - Date.now(), 100), 5000);

  /** Concurrent calls wait for the same. */
  #get(how: () => Promise<Held>): Promise<Held> {
    this.#coming ??= how()
      .then((held) => {
        this.#held = held;
        this.#options.onToken(held.token);
        return held;
      })
      .finally(() => (this.#coming = undefined));
    return this.#coming;
  }

  async #logIn(): Promise<Held> {
    const at = Date.now();
    return hold(await this.#options.logIn(), at);
  }

  async #renew(): Promise<Held> {
    const old = this.#held;
    if (!old || Date.now() >= old.endsAt) return this.#logIn();
    const at = Date.now();
    try {
      const renewed = hold(await this.#options.client.accessTokens.renew.mutate({ accessToken: old.token }), at);
      return renewed.endsAt - at > Math.min(MARGIN, (old.endsAt - at) * 2) ? renewed : await this.#logIn();
    } catch (error) {
      if (isAway(error)) throw error;
      return this.#logIn();
    }
  }
}

/** Renewed after two thirds of its life. */
function hold({ accessToken: token, expiresIn }: Issued, at: number): Held {
  if (!(expiresIn > 0)) return { token, renewAt: Infinity, endsAt: Infinity };
  const life = expiresIn * 1000;
  return { token, renewAt: at + (life * 2) / 3, endsAt: at + life };
}
