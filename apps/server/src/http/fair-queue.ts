import { CallerTurns, mayHaveOneMore, mostOfOneCaller } from '@coffer/domain';
import { busy } from './busy.ts';
import { Members, type Member } from './members.ts';

/** Maximum number of waiting requests of one caller. */
const MAX_WAITING = 1_000;
/** Milliseconds after which a request that waits for its body or another system no longer counts as work. */
const PATIENCE_MS = 250;
/** Milliseconds after which no request counts as work: one that never ends must not keep its place forever. */
const LONGEST_MS = 60_000;
/** A caller has at most so many places for each one that remains free. */
const PORTION = 3;
/** Strangers together have as many places as remain for callers whose tokens are known. */
const PORTION_OF_STRANGERS = 1;

type Caller = string | number;
type Start = (place: Place) => void;

/** The queue, as places use it. */
interface Turns {
  leave(place: Place): void;
  comeBack(place: Place): void;
  now(): number;
}

/** A request that enters. */
interface Entrant {
  readonly callerOf: () => Caller;
  readonly isStranger: () => boolean;
  readonly start: Start;
}

/** The place of one request, waiting or running. */
export class Place implements Member {
  isGone = false;
  isWorking = false;
  startedAt = 0;
  /** The number of waits: for its body, for other systems. */
  waits = 0;
  waitsSince = 0;
  /** Among those at work. */
  position = -1;
  start: Start;
  readonly #callerOf: () => Caller;
  readonly #isStranger: () => boolean;
  readonly #turns: Turns;
  #caller: Caller | undefined;

  constructor(turns: Turns, { callerOf, isStranger, start }: Entrant) {
    this.#turns = turns;
    this.#callerOf = callerOf;
    this.#isStranger = isStranger;
    this.start = start;
  }

  /** Determined once: it may change when the token has been verified. */
  get caller(): Caller {
    return (this.#caller ??= this.#callerOf());
  }

  /** No token of it is known: anybody may have sent it. Verifying its token ends that. */
  get isStranger(): boolean {
    return this.#isStranger();
  }

  /** The request is over, started or not. */
  leave(): void {
    this.isGone = true;
    this.#turns.leave(this);
  }

  /** A wait for its body or another system begins. If it takes long, others get the place; at once, if that is known before. */
  beginWait(isLong = false): void {
    if (this.waits++ === 0) this.waitsSince = this.#turns.now();
    if (isLong) this.#turns.leave(this);
  }

  /** A wait is over. The request continues, without a place if others have it now. */
  endWait(): void {
    this.waits--;
  }

  /** A wait is over. Continues immediately if it still has its place, otherwise when it is its turn again. */
  resume(next: () => void): void {
    this.endWait();
    if (this.isWorking) return next();
    // Fastify takes what it is called with for an error.
    this.start = () => next();
    this.#turns.comeBack(this);
  }
}

/**
 * Limits the number of concurrent requests. Further ones wait, and callers take turns: a caller with one request waits
 * for at most one of each other caller. No caller has more than three quarters of the places, nor of what others leave
 * (`mayHaveOneMore`), so that a further caller starts immediately. Strangers, who are a caller for each of their addresses, together have
 * half of the places: callers whose tokens are known wait for none of them. Where both wait, they start alternately. Below the limit, a request costs an element of an array.
 */
export class FairQueue {
  readonly #limit: number;
  /** So many places can be those of one caller: while fewer are taken, nobody has to be looked up. */
  readonly #share: number;
  /** The same for all strangers together. */
  readonly #shareOfStrangers: number;
  readonly #turns: Turns;
  readonly #working = new Members<Place>();
  readonly #known = new CallerTurns<Caller, Place>();
  /** Apart: however many addresses they have, nobody looks through them while they have their places. */
  readonly #strangers = new CallerTurns<Caller, Place>();
  #isTurnOfStrangers = false;
  #sweeper: NodeJS.Timeout | undefined;

  /** `limit` requests at a time; 0 for no limit. */
  constructor(limit: number, now: () => number = () => performance.now()) {
    this.#limit = limit;
    this.#share = mostOfOneCaller(limit, PORTION);
    this.#shareOfStrangers = mostOfOneCaller(limit, PORTION_OF_STRANGERS);
    this.#turns = {
      now,
      leave: (place) => {
        if (this.#stop(place)) this.#next();
      },
      comeBack: (place) => {
        if (this.#hasRoomFor(place)) this.#work(place);
        else this.#wait(place, true);
      },
    };
  }

  /**
   * Starts a request when it is its turn, immediately below the limit. `callerOf` is called only if most places are
   * taken, `isStranger` if half of them are.
   *
   * @throws DomainError 429 if the caller has too many waiting requests.
   */
  enter(callerOf: () => Caller, start: Start, isStranger: () => boolean = () => false): Place {
    const place = new Place(this.#turns, { callerOf, isStranger, start });
    if (this.#limit === 0 || this.#hasRoomFor(place)) this.#work(place);
    else this.#wait(place);
    return place;
  }

  /** Requests that wait now. */
  get waiting(): number {
    return this.#known.size + this.#strangers.size;
  }

  /** Frees the places of requests that wait for others. Called automatically while there is a queue. */
  sweep(): void {
    const now = this.#turns.now();
    for (const place of [...this.#working]) {
      const isWaiting = place.waits > 0 && now - place.waitsSince >= PATIENCE_MS;
      if (isWaiting || now - place.startedAt >= LONGEST_MS) this.#stop(place);
    }
    this.#next();
  }

  #hasRoomFor(place: Place): boolean {
    const { size } = this.#working;
    if (size >= this.#shareOfStrangers && place.isStranger && !this.#hasRoomForStrangers()) return false;
    return size < this.#share || (size < this.#limit && this.#isBelowShare(place.caller));
  }

  #hasRoomForStrangers(): boolean {
    let strangers = 0;
    for (const { isStranger } of this.#working) if (isStranger) strangers++;
    return strangers < this.#shareOfStrangers;
  }

  #isBelowShare(caller: Caller): boolean {
    let own = 0;
    for (const place of this.#working) if (place.caller === caller) own++;
    return mayHaveOneMore(own, this.#limit - this.#working.size, PORTION);
  }

  /** `isFirst`: before its caller's other requests. @throws DomainError 429 */
  #wait(place: Place, isFirst = false): void {
    const waiting = place.isStranger ? this.#strangers : this.#known;
    if (!isFirst && waiting.sizeOf(place.caller) >= MAX_WAITING) throw busy('requests at once');
    waiting.add(place.caller, place, isFirst);
    this.#sweeper ??= setInterval(() => this.sweep(), PATIENCE_MS).unref();
  }

  #work(place: Place): void {
    place.isWorking = true;
    place.startedAt = this.#turns.now();
    if (this.#limit > 0) this.#working.add(place);
    place.start(place);
  }

  #stop(place: Place): boolean {
    place.isWorking = false;
    return this.#working.delete(place);
  }

  #next(): void {
    for (let place = this.#takeNext(); place; place = this.#takeNext()) if (!place.isGone) this.#work(place);
    if (!this.#known.isEmpty || !this.#strangers.isEmpty) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  /** The first one of the first caller below its share. */
  #takeNext(): Place | undefined {
    if (this.#working.size >= this.#limit) return undefined;
    const mayStart = (caller: Caller) => this.#working.size < this.#share || this.#isBelowShare(caller);
    const known = () => this.#known.take(mayStart);
    const stranger = () =>
      this.#strangers.isEmpty || !this.#hasRoomForStrangers() ? undefined : this.#strangers.take(mayStart);
    this.#isTurnOfStrangers = !this.#isTurnOfStrangers;
    return this.#isTurnOfStrangers ? (stranger() ?? known()) : (known() ?? stranger());
  }
}
