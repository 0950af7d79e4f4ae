import { CallerLimiter } from './caller-limiter.ts';

/** Whose password is hashed. */
export interface PasswordCaller {
  /** An account, or the address of a stranger: never what one account can have many of, such as devices. */
  readonly key: string;
  /** Anybody may have sent the password: no earlier login, session or code makes its sender known. */
  readonly isStranger: boolean;
}

const STRANGERS = 'strangers';

/**
 * Hashing a password takes a processor for a twentieth of a second, and a thread of the few that read files, find names and sign, too.
 * Callers take turns. Strangers have one place together, in turns by address: who is known never waits for more than one of them.
 */
export class PasswordTurns {
  readonly #places: CallerLimiter;
  readonly #strangers = new CallerLimiter(1);

  /** The number of passwords that are hashed at a time. */
  constructor(places: number) {
    this.#places = new CallerLimiter(places);
  }

  /** @throws DomainError 503 `request.closed` if its client has disconnected by its turn; whatever the work throws. */
  run<T>({ key, isStranger }: PasswordCaller, work: () => Promise<T>): Promise<T> {
    if (!isStranger) return this.#places.run(key, work);
    return this.#strangers.run(key, () => this.#places.run(STRANGERS, work));
  }
}
