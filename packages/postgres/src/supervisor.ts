import { setTimeout as sleep } from 'node:timers/promises';
import { endLeftovers } from './leftovers.ts';
import type { Lock } from './lock.ts';
import type { EmbeddedPostgres } from './options.ts';
import { boundLog, hasEnded, type Postmaster, startPostmaster, stopPostmaster } from './postmaster.ts';
import { kill } from './processes.ts';
import type { Server } from './server.ts';

/** A server that ran this long has recovered; the next failure counts as the first. */
const HEALTHY_AFTER = 60_000;
const LONGEST_PAUSE = 10_000;
const LOG_CHECK = 600_000;

/** Servers to end when the process exits without stop(). A start would end them too; this is only tidier. */
const running = new Set<Supervisor>();
function endAllAtExit(): void {
  for (const supervisor of running) supervisor.abandon();
}

/** Keeps one server running on one port until it is stopped. */
export class Supervisor implements EmbeddedPostgres {
  readonly url: string;
  readonly servingUrl: string;
  readonly #server: Server;
  readonly #port: number;
  readonly #lock: Lock;
  readonly #stopping = new AbortController();
  readonly #watching: Promise<void>;
  readonly #logCheck: NodeJS.Timeout;
  #postmaster: Postmaster;
  #stopped?: Promise<void>;

  constructor(
    server: Server,
    { url, servingUrl }: Pick<EmbeddedPostgres, 'url' | 'servingUrl'>,
    port: number,
    lock: Lock,
    postmaster: Postmaster,
  ) {
    this.url = url;
    this.servingUrl = servingUrl;
    this.#server = server;
    this.#port = port;
    this.#lock = lock;
    this.#postmaster = postmaster;
    this.#watching = this.#watch();
    this.#logCheck = setInterval(() => void boundLog(server).catch(() => undefined), LOG_CHECK).unref();
    if (running.size === 0) process.on('exit', endAllAtExit);
    running.add(this);
  }

  get pid(): number {
    return this.#postmaster.pid;
  }

  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  /** For the exit of the process: signals the server without waiting for it. */
  abandon(): void {
    if (!hasEnded(this.#postmaster)) kill(this.pid, 'SIGINT');
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#logCheck);
    // The watch does not keep the process alive, except while somebody awaits the end.
    const awake = setInterval(() => undefined, 1_000);
    try {
      await stopPostmaster(this.#postmaster, this.#server);
      await this.#watching;
      // A running restart may have started a new one.
      await stopPostmaster(this.#postmaster, this.#server);
      // A killed one leaves backends, which need a moment to notice.
      await endLeftovers(this.#server.home.cluster, this.#server.log);
    } finally {
      clearInterval(awake);
      running.delete(this);
      if (running.size === 0) process.off('exit', endAllAtExit);
      await this.#lock.release();
    }
  }

  async #watch(): Promise<void> {
    const { log } = this.#server;
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      const since = performance.now();
      this.#postmaster.child.unref();
      const how = await this.#postmaster.exited;
      if (signal.aborted) return;
      log('error', `The database server exited unexpectedly (${how}): restarting it`, { pid: this.pid });
      // The first restart is immediate; repeated failures, or early deaths, are delayed with backoff.
      if (performance.now() - since > HEALTHY_AFTER) failures = 0;
      for (let up = false; !up && !signal.aborted;) {
        if (failures > 0) await this.#pause(failures);
        failures += 1;
        up = await this.#restart();
      }
    }
  }

  async #restart(): Promise<boolean> {
    const { log, home } = this.#server;
    const { signal } = this.#stopping;
    const started = performance.now();
    try {
      await endLeftovers(home.cluster, log);
      this.#postmaster = await startPostmaster(this.#server, this.#port, signal);
      log('info', 'The database server is running again', {
        pid: this.pid,
        milliseconds: Math.round(performance.now() - started),
      });
      return true;
    } catch (error) {
      if (!signal.aborted) log('error', `The database server did not restart: ${(error as Error).message}`);
      return false;
    }
  }

  async #pause(failures: number): Promise<void> {
    const milliseconds = Math.min(50 * 2 ** failures, LONGEST_PAUSE);
    const { signal } = this.#stopping;
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
