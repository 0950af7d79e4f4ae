import { pathOf, readText } from '../../files.ts';
import { Changes } from '../../changes.ts';
import { Backoff, type RetryStrategy } from '../../daemon/backoff.ts';
import { DeliveredFile } from '../../daemon/delivered-file.ts';
import { execute } from '../../daemon/execute.ts';
import { isAway, messageOf } from '../../daemon/failure.ts';
import type { State } from '../../daemon/state.ts';
import type { Io } from '../../io.ts';
import { TemplateError } from '../../template/error.ts';
import { compile, type Template } from '../../template/evaluate.ts';
import type { Functions } from '../../template/functions.ts';
import { sprig } from '../../template/sprig/sprig.ts';
import type { TemplateConfig } from './config.ts';
import type { Leases, Order } from './leases.ts';
import { projectsOf, readAgain, readingFunctions, type ReadingOptions, type Readings } from './reading.ts';

export interface TemplateJobOptions extends ReadingOptions {
  readonly leases: Leases;
  readonly io: Io;
  readonly state: State;
  readonly retry: RetryStrategy;
  /** It has been read from these projects, and worked after failures where `isBack`. */
  readonly onRead: (projectIds: readonly string[], isBack: boolean) => void;
}

/** Milliseconds between attempts at what does not help itself: a denied read, a fault of the template, a full disk. */
const SLOW = { baseDelay: 1000, maxDelay: 60_000 };

/** One template: rendered anew when what it reads has changed, delivered to its file, and followed by its command. */
export class TemplateJob {
  readonly config: TemplateConfig;
  /** What went wrong the last time. */
  fault: string | undefined;
  /** Milliseconds since 1970. */
  deliveredAt: number | undefined;
  writes = 0;
  readonly #options: TemplateJobOptions;
  readonly #file: DeliveredFile;
  readonly #changes = new Changes();
  readonly #template: (functions: Functions) => Template;
  #readings: Readings | undefined;

  /** @throws CommandError for a template that cannot be read; TemplateError for one with a fault. */
  constructor(config: TemplateConfig, options: TemplateJobOptions) {
    this.config = config;
    this.#options = options;
    const { io } = options;
    this.#file = new DeliveredFile(pathOf(config.destination, io.cwd), config);
    this.#file.clean();
    const source = 'path' in config.source ? readText(pathOf(config.source.path, io.cwd)) : config.source.text;
    this.#template = (functions) => compile(source, { ...sprig, ...functions });
    this.#template(readingFunctions(options, new Map()));
  }

  /** Whether it reads from this project. */
  readsFrom = (projectId: string): boolean =>
    this.#readings !== undefined && projectsOf(this.#readings).includes(projectId);

  /** Something that it reads may have changed. */
  notify(): void {
    this.#changes.notify();
  }

  /** Keeps the file up to date until the signal is aborted. */
  async keep(signal: AbortSignal): Promise<void> {
    const away = new Backoff(this.#options.retry);
    const slow = new Backoff(SLOW);
    signal.addEventListener('abort', () => this.notify());
    while (!signal.aborted) {
      let pause = this.config.pollingInterval;
      const hadFault = this.fault !== undefined;
      try {
        await this.refresh();
        away.reset();
        slow.reset();
        this.#options.onRead(projectsOf(this.#readings!), hadFault);
      } catch (error) {
        if (signal.aborted) return;
        pause = (isAway(error) ? away : slow).next();
        this.#options.io.say('warn', `${this.config.destination} stays as it is: ${messageOf(error)}`);
      }
      await this.#changes.next(pause);
    }
  }

  /** Renders it if what it reads has changed. @throws what reading, rendering or writing throws. */
  async refresh(): Promise<void> {
    try {
      const fresh = this.#readings && (await readAgain(this.#readings));
      if (!this.#readings || fresh || !this.#file.isThere) await this.#deliver(fresh);
      this.fault = undefined;
    } catch (error) {
      this.fault = messageOf(error);
      throw error;
    }
  }

  async #deliver(known: Readings | undefined): Promise<void> {
    const { state, leases } = this.#options;
    const readings = new Map<string, Readings extends ReadonlyMap<string, infer One> ? One : never>();
    const text = await this.#template(readingFunctions(this.#options, readings, known)).render();
    const { path } = this.#file;
    const isNew = !this.#file.has(text);
    if (isNew) {
      state.setDue(path, this.config.execute !== undefined);
      this.#file.write(text);
      this.writes++;
      this.#options.io.say('info', `${this.config.destination} is written`);
    }
    this.deliveredAt = Date.now();
    await this.#execute();
    this.#readings = readings;
    leases.delivered(path, ordersIn(readings));
  }

  /** Runs the command if the file has changed, also when that was before a kill. */
  async #execute(): Promise<void> {
    const { state, io } = this.#options;
    if (!this.config.execute || !state.isDue(this.#file.path)) return;
    try {
      await execute(this.config.execute, io);
    } catch (error) {
      io.say('error', messageOf(error));
    }
    state.setDue(this.#file.path, false);
  }
}

const ordersIn = (readings: Readings): Order[] =>
  [...readings.keys()].flatMap((key) => {
    const [kind, order] = JSON.parse(key) as [string, Order];
    return kind === 'lease' ? [order] : [];
  });

/** Names the template of a fault. */
export const inTemplate = (destination: string, error: unknown): unknown =>
  error instanceof TemplateError
    ? new TemplateError(`template of ${destination}: ${error.message}`, error.line)
    : error;
