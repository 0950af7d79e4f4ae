import { databaseFault, unavailable } from '../kernel/index.ts';
import { eventsJson, type EventRow } from './event-row.ts';

interface Waiting {
  rows: readonly EventRow[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

const LIMIT = 1000;

/** 503 for the caller: what cannot be recorded is not done. */
const unwritable = (error: unknown) =>
  unavailable(
    'audit.unwritable',
    'The audit log cannot be written. Without it, nothing is read or changed; try again',
    error,
  );

/** The error for a change whose events cannot be written. Retriable errors and errors of the caller stay. */
export function unaudited(error: unknown): unknown {
  const { sqlState = '' } = databaseFault(error) ?? {};
  return sqlState.startsWith('40') || sqlState.startsWith('22') ? error : unwritable(error);
}

/**
 * Writes the events of reads as a group commit: all waiting events in one insert and one commit; those that arrive
 * meanwhile wait for the next one. A read is answered after its event is committed, and rejected if that fails.
 */
export class GroupCommit {
  readonly #write: (json: string) => Promise<unknown>;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(write: (json: string) => Promise<unknown>) {
    this.#write = write;
  }

  /** Resolves when all of these are committed, which they are together. */
  commit(rows: readonly EventRow[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ rows, resolve, reject });
      this.#writing ??= this.#drain();
    });
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // One turn of the event loop collects the requests that are already in the sockets.
      await new Promise(setImmediate);
      const batch = this.#waiting.splice(0, LIMIT);
      try {
        await this.#write(eventsJson(batch.flatMap(({ rows }) => rows)));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        const refusal = unwritable(error);
        for (const { reject } of batch) reject(refusal);
      }
    }
    this.#writing = undefined;
  }
}
