import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

// What the machine does to a program that always does the same: a server in a process of its own, which has no state and no database.

const SELF = fileURLToPath(import.meta.url);
const WORK = Buffer.alloc(256 * 1024);
/** Milliseconds between two requests. */
const PAUSE = 100;

export class Machine {
  readonly #child: ReturnType<typeof fork>;
  readonly #url: string;
  #times: number[] = [];

  private constructor(child: ReturnType<typeof fork>, url: string) {
    this.#child = child;
    this.#url = url;
  }

  static async start(): Promise<Machine> {
    const child = fork(SELF, ['serve']);
    const [port] = (await once(child, 'message')) as [number];
    return new Machine(child, `http://127.0.0.1:${port}`);
  }

  /** Asks until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const started = performance.now();
      // A connection of its own each time: none is closed while it is used.
      await (await fetch(this.#url, { headers: { connection: 'close' } })).text();
      this.#times.push(performance.now() - started);
      await sleep(PAUSE);
    }
  }

  /** Milliseconds of the answers since the last call. */
  take(): readonly number[] {
    return this.#times.splice(0);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    await ended;
  }
}

if (process.argv[1] === SELF && process.send) {
  const server = createServer((_, res) => void res.end(createHash('sha256').update(WORK).digest('hex')));
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit());
}
