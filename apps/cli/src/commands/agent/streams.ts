import type { CofferClient } from '@coffer/client';
import { Backoff } from '../../daemon/backoff.ts';
import { messageOf } from '../../daemon/failure.ts';
import { wait } from '../../daemon/wait.ts';
import type { Io } from '../../io.ts';
import { SECRET_EVENTS } from '../../secrets.ts';

export interface StreamsOptions {
  readonly client: CofferClient;
  readonly io: Pick<Io, 'say'>;
  readonly signal: AbortSignal;
  /** Something may have changed in a project. */
  readonly onChange: (projectId: string) => void;
}

/** Milliseconds between attempts at a stream that is refused. Changes are then found by polling. */
const RETRY = { baseDelay: 1000, maxDelay: 60_000 };

/** Follows the changes of projects. Each opening of a stream counts as a change, since one may have come before it. */
export class Streams {
  readonly #options: StreamsOptions;
  readonly #open = new Map<string, AbortController>();
  readonly #following: Promise<void>[] = [];

  constructor(options: StreamsOptions) {
    this.#options = options;
  }

  follow(projectIds: readonly string[]): void {
    for (const projectId of projectIds) if (!this.#open.has(projectId)) this.#following.push(this.#follow(projectId));
  }

  /** Waits for the end of all streams, which comes with the signal. */
  ended = (): Promise<unknown> => Promise.all(this.#following);

  /** The server is back: streams that wait for it open at once. */
  reopen(): void {
    for (const controller of this.#open.values()) controller.abort();
  }

  async #follow(projectId: string): Promise<void> {
    const { signal, io, client, onChange } = this.#options;
    const backoff = new Backoff(RETRY);
    const register = SECRET_EVENTS.map((event) => ({ event, conditions: { secretPath: '/**' } }));
    while (!signal.aborted) {
      const controller = new AbortController();
      this.#open.set(projectId, controller);
      const ending = AbortSignal.any([signal, controller.signal]);
      try {
        for await (const { id } of client.secretEvents.watch.subscribe({ projectId, register }, { signal: ending })) {
          backoff.reset();
          io.say('trace', `Event ${id} of ${projectId}`);
          onChange(projectId);
        }
      } catch (error) {
        if (ending.aborted) continue;
        io.say('debug', `No stream of changes of ${projectId}: ${messageOf(error)}`);
      }
      await wait(backoff.next(), ending);
    }
  }
}
