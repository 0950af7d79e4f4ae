import type { Metric, Metrics } from '../http/peers.ts';

/** Milliseconds to wait for a worker: what a busy one has said last counts then. */
const PATIENCE_MS = 2_000;

/**
 * Collects the metrics of all workers, and keeps the counts of those that have ended, as they were last seen: sums must
 * not fall when a worker is replaced, because Prometheus takes a lower count for a new beginning at zero.
 */
export class MetricsOfWorkers<Worker> {
  readonly #read: (worker: Worker, id: number) => void;
  readonly #patienceMs: number;
  readonly #last = new Map<Worker, Metrics>();
  /** The workers whose answer is awaited, by collection. */
  readonly #collecting = new Map<number, { readonly missing: Set<Worker>; readonly done: () => void }>();
  #ended: Metrics = [];
  #collections = 0;

  /** `read` asks a worker for its metrics, which `receive` gets. */
  constructor(read: (worker: Worker, id: number) => void, patienceMs = PATIENCE_MS) {
    this.#read = read;
    this.#patienceMs = patienceMs;
  }

  async collect(workers: readonly Worker[]): Promise<readonly Metrics[]> {
    const id = this.#collections++;
    const { promise, resolve: done } = Promise.withResolvers<void>();
    const timer = setTimeout(done, workers.length > 0 ? this.#patienceMs : 0);
    this.#collecting.set(id, { missing: new Set(workers), done });
    for (const worker of workers) this.#read(worker, id);
    await promise;
    clearTimeout(timer);
    this.#collecting.delete(id);
    return [...workers.map((worker) => this.#last.get(worker) ?? []), this.#ended];
  }

  receive(worker: Worker, id: number, metrics: Metrics): void {
    this.#last.set(worker, metrics);
    this.#wait(worker, id);
  }

  end(worker: Worker): void {
    this.#ended = sumOfCounts([...this.#ended, ...(this.#last.get(worker) ?? [])]);
    this.#last.delete(worker);
    for (const id of this.#collecting.keys()) this.#wait(worker, id);
  }

  /** No longer for this one. */
  #wait(worker: Worker, id: number): void {
    const collecting = this.#collecting.get(id);
    if (collecting?.missing.delete(worker) === true && collecting.missing.size === 0) collecting.done();
  }
}

/** Only what is counted: what a gauge measured is over. */
const COUNTED = new Set(['counter', 'histogram', 'summary']);

function sumOfCounts(metrics: Metrics): Metrics {
  const byName = Map.groupBy(
    metrics.filter(({ type }) => COUNTED.has(type)),
    ({ name }) => name,
  );
  return Array.from(byName.values(), sumOf);
}

function sumOf(same: readonly Metric[]): Metric {
  const bySeries = Map.groupBy(
    same.flatMap(({ values }) => values),
    ({ metricName, labels }) => JSON.stringify([metricName, labels]),
  );
  const values = Array.from(bySeries.values(), (series) => ({
    ...series[0]!,
    value: series.reduce((sum, { value }) => sum + value, 0),
  }));
  return { ...same[0]!, values };
}
