import { busy } from './busy.ts';

/**
 * Logins of one address as one subject that ask another system at a time: as many as there are connections for one owner, and fewer
 * where some were refused in this minute.
 */
const AT_ONCE = { none: 24, some: 8 };
/** So many wait for that: as many as may wait of any caller. */
const MAX_WAITING = 1_000;
/** Beyond the limit of refused logins: one at a time, so many wait, and each refused one takes so many milliseconds longer. */
const BEYOND = { atOnce: 1, waiting: 50, pauseMs: 200 };

/** None, some, or as many as the limit. */
export type Refusals = 'none' | 'some' | 'beyond';

/** Ends the turn of a login. */
export type EndTurn = (isRefused: boolean) => void;

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Logins that ask another system take turns, by address and subject: guesses do not flood that system in Coffer's name. Right
 * ones come through, also beyond the limit of refused ones.
 */
export class LoginTurns {
  readonly #lines = new Map<string, Line>();
  readonly #refusalsOf: (key: string) => Refusals;

  /** `refusalsOf`: how many logins of an address as a subject were refused in this minute. */
  constructor(refusalsOf: (key: string) => Refusals) {
    this.#refusalsOf = refusalsOf;
  }

  #isBeyond(key: string): boolean {
    return this.#refusalsOf(key) === 'beyond';
  }

  /** Resolves when it is the turn of a login. @throws DomainError 429 `rate.busy` if too many wait. */
  async take(key: string): Promise<EndTurn> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    this.#lines.set(key, line);
    if (this.#mayStart(key, line)) line.running++;
    else {
      if (line.waiting.length >= (this.#isBeyond(key) ? BEYOND.waiting : MAX_WAITING)) throw busy('logins at once');
      await new Promise<void>((start) => line.waiting.push(start));
    }
    return (isRefused) => {
      if (isRefused && this.#isBeyond(key)) setTimeout(() => this.#end(key, line), BEYOND.pauseMs).unref();
      else this.#end(key, line);
    };
  }

  #mayStart(key: string, { running }: Line): boolean {
    const refusals = this.#refusalsOf(key);
    return running < (refusals === 'beyond' ? BEYOND.atOnce : AT_ONCE[refusals]);
  }

  #end(key: string, line: Line): void {
    line.running--;
    while (line.waiting.length > 0 && this.#mayStart(key, line)) {
      line.running++;
      line.waiting.shift()!();
    }
    if (line.running === 0) this.#lines.delete(key);
  }
}
