import { DomainError, mayHaveOneMore, unavailable, type Watch, type Watcher, type Watches } from '../kernel/index.ts';
import type { BusListener } from './cache-bus.ts';

export interface WatchLimits {
  /** Maximum number of watches of one caller in this process; default 20. */
  readonly perCaller?: number;
  /** Maximum number of watches of one organization; default 500. */
  readonly perOrganization?: number;
  /** Maximum number of all watches; default 1,000. An organization has half of what others leave, at most. */
  readonly perProcess?: number;
}

/** Interval in milliseconds at which permissions of a watch are checked: the total is well below a second. */
const CHECK_MS = 400;
/** After this number of checks, look for changes that a killed process did not announce: every ten seconds. */
const CHECKS_PER_LOOK = 25;
const RETRY_AFTER = 10;

/** Everybody who waits for something in this process to change, by the tag under which that is dropped from caches. */
export class ProcessWatches implements Watches, BusListener {
  readonly #byTag = new Map<string, Set<OpenWatch>>();
  readonly #limits: Required<WatchLimits>;
  /** How many each caller has, and each organization. */
  readonly #open = new Map<string, number>();
  #count = 0;
  #isHearing = false;
  #isStopped = false;
  #checks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ perCaller = 20, perOrganization = 500, perProcess = 1000 }: WatchLimits = {}) {
    this.#limits = { perCaller, perOrganization, perProcess };
  }

  get size(): number {
    return this.#count;
  }

  open(tag: string, caller: Watcher, check: () => Promise<void>): Watch {
    if (this.#isStopped) throw stopping();
    this.#requireRoom(caller);
    const watch = new OpenWatch(check, () => {
      const others = this.#byTag.get(tag);
      others?.delete(watch);
      if (others?.size === 0) this.#byTag.delete(tag);
      this.#add(caller, -1);
      if (this.#count === 0) clearInterval(this.#timer);
    });
    const others = this.#byTag.get(tag);
    if (others) others.add(watch);
    else this.#byTag.set(tag, new Set([watch]));
    this.#add(caller, 1);
    if (this.#count === 1) this.#timer = setInterval(() => this.#checkAll(), CHECK_MS);
    return watch;
  }

  #requireRoom(caller: Watcher): void {
    const { perCaller, perOrganization, perProcess } = this.#limits;
    const [own, all] = keysOf(caller).map((key) => this.#open.get(key) ?? 0) as [number, number];
    if (own >= perCaller) throw tooMany(`A caller can have at most ${perCaller} streams`);
    if (all >= perOrganization) throw tooMany(`An organization can have at most ${perOrganization} streams`);
    const free = perProcess - this.#count;
    if (free <= 0) throw tooMany('This server has reached its maximum number of streams');
    if (!mayHaveOneMore(all, free, 1))
      throw tooMany('The streams that are left on this server are for organizations with fewer of them');
  }

  #add(caller: Watcher, difference: 1 | -1): void {
    this.#count += difference;
    for (const key of keysOf(caller)) {
      const count = (this.#open.get(key) ?? 0) + difference;
      if (count > 0) this.#open.set(key, count);
      else this.#open.delete(key);
    }
  }

  invalidate(tags: Iterable<string>): void {
    if (this.#count === 0) return;
    for (const tag of tags) for (const watch of this.#byTag.get(tag) ?? []) watch.wake();
  }

  /** Looks for changes that happened while the connection was lost. */
  set enabled(isHearing: boolean) {
    this.#isHearing = isHearing;
    if (isHearing) for (const watch of this.#all()) watch.wake();
  }

  /** Ends all of them, and lets no other begin. */
  stop(): void {
    this.#isStopped = true;
    for (const watch of this.#all()) watch.end(stopping());
  }

  #all(): OpenWatch[] {
    return Array.from(this.#byTag.values(), (watches) => [...watches]).flat();
  }

  #checkAll(): void {
    const looks = !this.#isHearing || ++this.#checks % CHECKS_PER_LOOK === 0;
    for (const watch of this.#all()) {
      watch.check();
      if (looks) watch.wake();
    }
  }
}

class OpenWatch implements Watch {
  readonly #check: () => Promise<void>;
  readonly #remove: () => void;
  #isChecking = false;
  #isWoken = false;
  #isClosed = false;
  #end: Error | undefined;
  #waiting: { resolve: () => void; reject: (reason: unknown) => void } | undefined;

  constructor(check: () => Promise<void>, remove: () => void) {
    this.#check = check;
    this.#remove = remove;
  }

  next(): Promise<void> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    if (this.#isWoken || this.#isClosed) {
      this.#isWoken = false;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }));
  }

  isOpen(): boolean {
    if (this.#end !== undefined) throw this.#end;
    return !this.#isClosed;
  }

  close(): void {
    this.#leave();
    this.wake();
  }

  /** Gives back its place: it may have ended for a reader that never asks for it. */
  #leave(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#remove();
  }

  wake(): void {
    const { resolve } = this.#waiting ?? {};
    this.#waiting = undefined;
    if (resolve) resolve();
    else this.#isWoken = true;
  }

  end(reason: Error): void {
    this.#end ??= reason;
    this.#leave();
    this.#waiting?.reject(this.#end);
    this.#waiting = undefined;
  }

  /** One at a time: the previous check may still wait for an unavailable database. */
  check(): void {
    if (this.#isChecking || this.#isClosed) return;
    this.#isChecking = true;
    this.#check()
      .catch((error: Error) => this.end(error))
      .finally(() => (this.#isChecking = false));
  }
}

const keysOf = ({ organizationId, actorId }: Watcher): [own: string, all: string] => [
  `${organizationId}/${actorId}`,
  organizationId,
];

const stopping = () => unavailable('watch.stopping', 'The server is stopping: subscribe again');
const tooMany = (message: string) =>
  new DomainError('rate_limited', 'watch.too_many', `${message}: close one first`, { retryAfter: RETRY_AFTER });
