import cluster from 'node:cluster';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { CLOSING } from '../ending.ts';
import type { Prepared, Served } from '../serve.ts';
import { EXIT, StartError } from '../start-error.ts';
import { MetricsOfWorkers } from './metrics-of-workers.ts';
import { WorkerProcess, type ToOthers } from './worker-process.ts';

/** A worker that ran this long has recovered; its next end counts as the first. */
const HEALTHY_AFTER_MS = 60_000;
const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/** The place of one worker: the process that has it is replaced when it ends. */
interface Slot {
  readonly number: number;
  /** The process that serves; absent while it is being replaced. */
  process: WorkerProcess | undefined;
  /** Ends in a row, none of them after a long time. */
  failures: number;
  /** The rolling restart has this slot, and replaces its process itself. */
  isRestarting: boolean;
}

type Primary = Omit<Prepared, 'rootKey'>;

/**
 * The workers that serve one port, of which this process, the primary, accepts the connections and hands them out in
 * turns. A worker that ends is replaced, with backoff if it ends again and again. The first one does what one process has
 * to do (`serve.ts`), and starts before the others.
 */
export class Workers {
  /** Called when no worker serves any more and none can be started. */
  onLost: (reason: StartError) => void = () => undefined;
  readonly #primary: Primary;
  readonly #log: Logger;
  readonly #slots: readonly Slot[];
  /** All processes there are: also those that start, and those that were replaced and finish their requests. */
  readonly #processes = new Set<WorkerProcess>();
  readonly #metrics = new MetricsOfWorkers<WorkerProcess>((worker, id) => worker.tell({ type: 'read metrics', id }));
  readonly #stopping = new AbortController();
  #restarting: Promise<void> = Promise.resolve();

  constructor(primary: Primary) {
    this.#primary = primary;
    this.#log = primary.log;
    this.#slots = Array.from({ length: primary.config.COFFER_WORKERS }, (_, index) => ({
      number: index + 1,
      process: undefined,
      failures: 0,
      isRestarting: false,
    }));
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.setupPrimary({ exec: join(import.meta.dirname, 'main.ts'), args: [] });
  }

  /**
   * Resolves when all serve.
   *
   * @throws StartError if one of them cannot start.
   */
  async start(): Promise<Served> {
    const [first, ...others] = this.#slots as [Slot, ...Slot[]];
    const served = await this.#launch(first, true);
    await Promise.all(others.map((slot) => this.#launch(slot)));
    const hint = `${this.#slots.length} workers serve; kill -HUP ${process.pid} replaces them one after another`;
    return { ...served, hints: [...served.hints, hint] };
  }

  /** Replaces one worker after another. Each stops when another process serves in its place. */
  restart(): void {
    this.#restarting = this.#restarting.then(() => this.#renewAll());
    this.#restarting.catch((error: unknown) => this.#log.error({ err: error }, 'The workers could not be replaced'));
  }

  /** Ends all, after their running requests. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(Array.from(this.#processes, (process) => this.#end(process, false)));
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** A new process for a slot; resolves when it serves. */
  async #launch(slot: Slot, issuesSetupCode = false): Promise<Served> {
    if (this.#isStopping) throw new Error('The server is stopping');
    const { port, database } = this.#primary;
    const process = new WorkerProcess(
      { number: slot.number, workers: this.#slots.length, port, database, issuesSetupCode },
      {
        onMessage: (from, message) => this.#passOn(from, message),
        onEnd: (ended, how) => this.#hasEnded(slot, ended, how),
      },
    );
    this.#processes.add(process);
    const served = await process.serves;
    slot.process = process;
    return served;
  }

  #passOn(from: WorkerProcess, message: ToOthers): void {
    if (message.type === 'own metrics') this.#metrics.receive(from, message.id, message.metrics);
    else if (message.type === 'limits') {
      for (const other of this.#processes) if (other !== from) other.tell(message);
    } else {
      this.#metrics
        .collect([...this.#processes])
        .then((all) => from.tell({ type: 'all metrics', id: message.id, all }))
        .catch((error: unknown) => this.#log.error({ err: error }, 'The metrics could not be collected'));
    }
  }

  #hasEnded(slot: Slot, process: WorkerProcess, how: string): void {
    this.#processes.delete(process);
    this.#metrics.end(process);
    if (slot.process !== process) return;
    slot.process = undefined;
    if (this.#isStopping) return;
    if (performance.now() - process.startedAt > HEALTHY_AFTER_MS) slot.failures = 0;
    this.#log.error({ worker: slot.number }, `Worker ${slot.number} has ended unexpectedly (${how})`);
    if (!slot.isRestarting) this.#replace(slot);
  }

  #replace(slot: Slot): void {
    this.#tryToReplace(slot).catch((error: unknown) =>
      this.onLost(new StartError(`no worker can start: ${(error as Error).message}`, exitCodeOf(error))),
    );
  }

  /** Until another process serves in this slot. @throws Error where no other slot has a process either */
  async #tryToReplace(slot: Slot): Promise<void> {
    while (!slot.process && !this.#isStopping) {
      await this.#pause(slot);
      try {
        await this.#launch(slot);
        this.#log.info({ worker: slot.number }, `Worker ${slot.number} was replaced`);
      } catch (error) {
        if (this.#isStopping) return;
        this.#complain(slot, error);
        if (this.#processes.size === 0) throw error;
      }
    }
  }

  /** Only the first replacement is immediate. */
  async #pause(slot: Slot): Promise<void> {
    const ms = slot.failures === 0 ? 0 : Math.min(SHORTEST_PAUSE_MS * 2 ** slot.failures, LONGEST_PAUSE_MS);
    slot.failures++;
    if (ms === 0) return;
    this.#log.warn(
      { worker: slot.number, failures: slot.failures },
      `Worker ${slot.number} ends again and again: it is replaced in ${ms / 1000} seconds`,
    );
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  #complain({ number }: Slot, error: unknown): void {
    this.#log.error({ worker: number, reason: (error as Error).message }, `Worker ${number} did not start`);
  }

  async #renewAll(): Promise<void> {
    this.#log.info('The workers are replaced, one after another');
    for (const slot of this.#slots) {
      // One that has no process gets a new one anyway.
      if (slot.process && !(await this.#renew(slot, slot.process))) return;
      if (this.#isStopping) return;
    }
    this.#log.info('All workers were replaced');
  }

  /** Another process for a slot, and then the end of the one before. Whether it serves. */
  async #renew(slot: Slot, before: WorkerProcess): Promise<boolean> {
    slot.isRestarting = true;
    try {
      await this.#launch(slot);
    } catch (error) {
      if (this.#isStopping) return false;
      this.#complain(slot, error);
      this.#log.error('The restart was given up: the other workers continue to serve');
      if (!slot.process) this.#replace(slot);
      return false;
    } finally {
      slot.isRestarting = false;
    }
    slot.failures = 0;
    await this.#end(before, true);
    return true;
  }

  /** A worker has a time limit of its own, before this one. */
  #end(process: WorkerProcess, isReplaced: boolean): Promise<void> {
    const { COFFER_STOP_DELAY: delay, COFFER_STOP_TIMEOUT: timeout } = this.#primary.config;
    return process.stop(isReplaced, delay + timeout + CLOSING + 1);
  }
}

const exitCodeOf = (error: unknown): number => (error instanceof StartError ? error.exitCode : EXIT.bug);
