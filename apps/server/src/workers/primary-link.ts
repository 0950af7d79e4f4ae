import type { LimitNews, Metrics, Peers } from '../http/peers.ts';
import type { FromWorker, Task, ToWorker } from './messages.ts';

/** A worker's connection to the primary, and by it to the other workers. If it breaks, Node ends this process. */
export class PrimaryLink {
  /** What this worker has to do. */
  readonly task: Promise<Task>;
  /** What happens when the primary says stop; before there is anything to close, the process ends. */
  onStop: (isReplaced: boolean) => void = () => process.exit(0);
  #receiveLimits: (news: LimitNews) => void = () => undefined;
  #readMetrics: () => Promise<Metrics> = async () => [];
  /** Answers of the primary that somebody here waits for. */
  readonly #asked = new Map<number, (all: readonly Metrics[]) => void>();
  #asks = 0;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<Task>();
    this.task = promise;
    process.on('message', (message: ToWorker) => {
      if (message.type === 'start') resolve(message.task);
      else if (message.type === 'stop') this.onStop(message.isReplaced);
      else if (message.type === 'limits') this.#receiveLimits(message.news);
      else if (message.type === 'read metrics') this.#answerMetrics(message.id);
      else this.#asked.get(message.id)?.(message.all);
    });
  }

  /** The other workers, for the server. */
  peers(processes: number): Peers {
    return {
      processes,
      shareLimits: (receive) => {
        this.#receiveLimits = receive;
        return (news) => void this.send({ type: 'limits', news });
      },
      shareMetrics: (read) => {
        this.#readMetrics = read;
        return () => this.#collectMetrics();
      },
    };
  }

  /** Resolves when the message has left. */
  send(message: FromWorker): Promise<void> {
    return new Promise((resolve) => {
      process.send!(message, undefined, undefined, () => resolve());
    });
  }

  /** Without an answer, what this worker said last counts. */
  #answerMetrics(id: number): void {
    const answered = this.#readMetrics().then((metrics) => this.send({ type: 'own metrics', id, metrics }));
    answered.catch(() => undefined);
  }

  async #collectMetrics(): Promise<readonly Metrics[]> {
    const id = this.#asks++;
    const { promise, resolve } = Promise.withResolvers<readonly Metrics[]>();
    this.#asked.set(id, resolve);
    await this.send({ type: 'collect metrics', id });
    return promise.finally(() => this.#asked.delete(id));
  }
}
