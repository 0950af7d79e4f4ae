import type { Logger } from 'pino';
import { EXIT } from './start-error.ts';

/** How long everything that is closed after the last request may take, in seconds. */
export const CLOSING = 25;

interface EndingOptions {
  readonly log: Logger;
  readonly flush: () => void;
  /** The time limit of `stop`. */
  readonly seconds: number;
  readonly stop: () => Promise<void>;
}

/** The end of a process: it stops once, within a time limit, and writes its last lines. An uncaught error ends it, too. */
export class Ending {
  readonly #options: EndingOptions;
  #isUnderWay = false;

  constructor(options: EndingOptions) {
    this.#options = options;
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (error: unknown) => {
        options.log.fatal({ err: error }, 'Uncaught error: Coffer stops and should be restarted');
        this.begin(EXIT.bug);
      });
    }
  }

  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Stops and exits. Only the first call has an effect. */
  begin(code: number): void {
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    const { log, seconds, stop } = this.#options;
    setTimeout(() => {
      log.fatal('The shutdown takes too long: terminating');
      this.#exit(EXIT.bug);
    }, seconds * 1000).unref();
    stop().then(
      () => this.#exit(code),
      () => this.#exit(EXIT.bug),
    );
  }

  #exit(code: number): void {
    this.#options.flush();
    process.exit(code);
  }
}
