import type { Heartbeat } from '../cache/index.ts';
import type { Log } from '../kernel/index.ts';

/** Milliseconds of difference up to which the clock of this machine counts: other machines have other milliseconds anyway. */
const TOLERANCE = 1_000;
/** Milliseconds. Half of what a heartbeat took is its possible error. */
const TOO_LONG = 500;

/**
 * The clock of a process. All that serve one database have the same time, to a second: where the clock of the machine
 * differs more, that of the database counts. Otherwise a claim, a lifetime or a window of rights that one process has
 * stored would be over for another one, or not begun.
 */
export class DatabaseClock {
  readonly #machine: () => number;
  readonly #log: Log;
  /** Milliseconds from the clock of the machine to that which counts. */
  #offset = 0;

  /** @param machine The clock of the machine; tests pass their own. */
  constructor(log: Log, machine: () => number = Date.now) {
    this.#log = log;
    this.#machine = machine;
  }

  readonly now = (): Date => new Date(this.milliseconds());
  readonly milliseconds = (): number => this.#machine() + this.#offset;

  /** Compares the clocks; call it when a heartbeat arrives. */
  readonly compare = ({ time, took }: Heartbeat): void => {
    if (took > TOO_LONG) return;
    const difference = Math.round(time + took / 2 - this.#machine());
    if (Math.abs(difference - this.#offset) <= TOLERANCE) return;
    this.#offset = Math.abs(difference) <= TOLERANCE ? 0 : difference;
    this.#log.warn(
      { milliseconds: -difference },
      this.#offset === 0
        ? 'The clock of this machine has the time of the database again'
        : 'The clock of this machine differs from that of the database, whose time is used: synchronize them',
    );
  };
}
