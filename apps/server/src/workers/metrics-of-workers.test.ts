import { expect, it } from 'vitest';
import type { Metric, Metrics } from '../http/peers.ts';
import { MetricsOfWorkers } from './metrics-of-workers.ts';

const counter = (value: number, route = '/a'): Metric => ({
  name: 'requests',
  help: '',
  type: 'counter',
  aggregator: 'sum',
  values: [{ value, labels: { route } }],
});
const gauge: Metric = {
  name: 'memory',
  help: '',
  type: 'gauge',
  aggregator: 'sum',
  values: [{ value: 7, labels: {} }],
};

/** Workers that say what `says` holds. */
function workers(says: Record<string, Metrics>) {
  const metrics: MetricsOfWorkers<string> = new MetricsOfWorkers((worker, id) => {
    const own = says[worker];
    if (own) metrics.receive(worker, id, own);
  }, 50);
  const sums = async (...names: string[]) => {
    const all = (await metrics.collect(names)).flat().filter(({ name }) => name === 'requests');
    const values = all.flatMap((metric) => metric.values);
    const byRoute = Map.groupBy(values, ({ labels }) => labels['route']!);
    return Array.from(byRoute, ([route, same]) => [route, same.reduce((sum, { value }) => sum + value, 0)]);
  };
  return { metrics, sums };
}

it('keeps the counts of workers that have ended, and nothing that was only measured', async () => {
  const says: Record<string, Metrics> = { a: [counter(3), gauge], b: [counter(4), gauge] };
  const { metrics, sums } = workers(says);
  expect(await sums('a', 'b')).toEqual([['/a', 7]]);
  metrics.end('b');
  says['c'] = [counter(0), counter(1, '/b')];
  expect(await sums('a', 'c')).toEqual([
    ['/a', 7],
    ['/b', 1],
  ]);
  metrics.end('c');
  metrics.end('a');
  expect(await sums()).toEqual([
    ['/a', 7],
    ['/b', 1],
  ]);
  expect((await metrics.collect([])).flat().map(({ name }) => name)).toEqual(['requests']);
});

it('uses what a worker said last while it does not answer', async () => {
  const says: Record<string, Metrics> = { a: [counter(3)], b: [counter(4)] };
  const { sums } = workers(says);
  await sums('a', 'b');
  delete says['b'];
  expect(await sums('a', 'b')).toEqual([['/a', 7]]);
});
