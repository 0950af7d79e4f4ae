import cluster, { type Worker as Child } from 'node:cluster';
import type { Served } from '../serve.ts';
import { StartError } from '../start-error.ts';
import { closeWithItsWorker } from './handed-connections.ts';
import type { FromWorker, Task, ToWorker } from './messages.ts';

/** What a worker has to say to the others. */
export type ToOthers = Exclude<FromWorker, { type: 'serves' | 'refused' }>;

interface Listeners {
  readonly onMessage: (from: WorkerProcess, message: ToOthers) => void;
  /** `how`: a phrase. */
  readonly onEnd: (ended: WorkerProcess, how: string) => void;
}

/** The process of a worker, as the primary sees it. */
export class WorkerProcess {
  readonly startedAt = performance.now();
  /** Resolves when it serves; rejects if it ends before, with a StartError where the operator can do something about it. */
  readonly serves: Promise<Served>;
  readonly ended: Promise<void>;
  readonly #child: Child;

  constructor(task: Task, { onMessage, onEnd }: Listeners) {
    const serves = Promise.withResolvers<Served>();
    const ended = Promise.withResolvers<void>();
    this.serves = serves.promise;
    this.ended = ended.promise;
    this.#child = cluster.fork();
    closeWithItsWorker(this.#child);
    let refusal: StartError | undefined;
    this.#child.on('message', (message: FromWorker) => {
      if (message.type === 'serves') serves.resolve(message.served);
      else if (message.type === 'refused') refusal = new StartError(message.message, message.exitCode);
      else onMessage(this, message);
    });
    const end = (how: string) => {
      serves.reject(refusal ?? new Error(`Worker ${task.number} ended before it served (${how})`));
      ended.resolve();
      onEnd(this, how);
    };
    this.#child.once('exit', (code, signal) => end(signal ? `signal ${signal}` : `exit code ${code}`));
    // Without a process there is no exit: the system has no room for another one.
    this.#child.on('error', ({ message }) => this.#child.process.pid === undefined && end(message));
    this.tell({ type: 'start', task });
  }

  /** A process that has just ended gets nothing. */
  tell(message: ToWorker): void {
    if (this.#child.isConnected()) this.#child.send(message, () => undefined);
  }

  /** Lets it finish its requests, and kills it if it has not ended after some seconds. */
  async stop(isReplaced: boolean, seconds: number): Promise<void> {
    this.tell({ type: 'stop', isReplaced });
    const timer = setTimeout(() => this.#child.process.kill('SIGKILL'), seconds * 1000);
    await this.ended;
    clearTimeout(timer);
  }
}
