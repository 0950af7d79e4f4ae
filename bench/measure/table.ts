import type { LineResult, Taken } from './rounds.ts';
import type { Sample } from './sample.ts';
import { ratio } from './show.ts';

const figure = (value: number) => (value >= 10 ? value.toFixed(0) : value.toFixed(1));
const cost = ({ cpu, postgresCpu }: Sample) => `${figure(cpu)} + ${figure(postgresCpu)}`;

/** The lines as a table of Markdown, one row for each comparison: what docs/performance.md shows. */
export const tableOf = (results: readonly LineResult[]): string =>
  [
    '| work | Coffer: CPU + PostgreSQL, µs; p50, p99 | compared with: CPU + PostgreSQL, µs | ratio of CPU (rounds from – to); with PostgreSQL | at most | |',
    '| --- | --- | --- | --- | --- | --- |',
    ...results.flatMap(rows),
    '',
  ].join('\n');

function rows({ title, target, rate, coffer, floors }: LineResult): string[] {
  if (!coffer) return [];
  const latencies = `${coffer.p50.toFixed(1)}, ${coffer.p99.toFixed(1)} ms`;
  // The bounds are for the first comparison.
  return floors.map((floor, index) =>
    index === 0
      ? row(title, `${cost(coffer)}; ${latencies}`, floor, rate ? rateOf(floor, rate) : costOf(floor, target))
      : row('', '', floor, costOf(floor, undefined)),
  );
}

/** What was measured, its bound, and whether that is met. */
type Judged = readonly [measured: string, bound: string, verdict: string];

const verdict = (isMet: boolean) => (isMet ? 'met' : 'missed');
const costOf = ({ ratio: cpu, wholeRatio }: Taken, target: number | undefined): Judged => {
  const measured = `${ratio(cpu!)}; ${wholeRatio!.median.toFixed(2)}`;
  return target === undefined ? [measured, '–', ''] : [measured, String(target), verdict(cpu!.median <= target)];
};
const rateOf = ({ rateRatio }: Taken, least: number): Judged => [
  `rate ${ratio(rateRatio!)}`,
  `at least ${least}`,
  verdict(rateRatio!.median >= least),
];

const row = (work: string, ours: string, floor: Taken, judged: Judged) =>
  `| ${[work, ours, `${floor.name}: ${cost(floor)}`, ...judged].join(' | ')} |`;
