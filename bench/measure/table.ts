import type { LineResult, Ratio } from './rounds.ts';
import type { Sample } from './sample.ts';

const figure = (value: number) => (value >= 10 ? value.toFixed(0) : value.toFixed(1));
const ratio = ({ median, least, most }: Ratio) => `${median.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;
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
  return floors.map((floor, index) => {
    const isFirst = index === 0;
    const [work, ours] = isFirst
      ? [title, `${cost(coffer)}; ${coffer.p50.toFixed(1)}, ${coffer.p99.toFixed(1)} ms`]
      : ['', ''];
    const compared = `${floor.name}: ${cost(floor)}`;
    const ratios = `${ratio(floor.ratio!)}; ${floor.wholeRatio!.median.toFixed(2)}`;
    if (isFirst && rate)
      return row(
        work,
        ours,
        compared,
        `rate ${ratio(floor.rateRatio!)}`,
        `at least ${rate}`,
        floor.rateRatio!.median >= rate,
      );
    const bound = isFirst ? target : undefined;
    return row(
      work,
      ours,
      compared,
      ratios,
      bound?.toString() ?? '–',
      bound === undefined || floor.ratio!.median <= bound,
      bound !== undefined,
    );
  });
}

const row = (
  work: string,
  ours: string,
  compared: string,
  ratios: string,
  bound: string,
  isMet: boolean,
  isBound = true,
) => `| ${work} | ${ours} | ${compared} | ${ratios} | ${bound} | ${isBound ? (isMet ? 'met' : 'missed') : ''} |`;
