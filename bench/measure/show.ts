import type { LineResult, Ratio } from './rounds.ts';
import type { Sample } from './sample.ts';

const figure = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1));
/** The median, and the extremes. */
export const ratio = ({ median, least, most }: Ratio): string =>
  `${median.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;

const row = (name: string, one: Sample) =>
  `  ${name.padEnd(14)}${figure(one.rate).padStart(8)} req/s  CPU ${figure(one.cpu).padStart(6)} + PostgreSQL ${figure(one.postgresCpu).padStart(6)}  p50 ${one.p50.toFixed(1)} ms  p99 ${one.p99.toFixed(1)} ms`;

export function showLine({ title, target, rate, skipped, coffer, floors }: LineResult): string {
  if (skipped || !coffer) return `${title}: skipped, ${skipped}\n`;
  const compared = floors.map(
    (floor) =>
      `  CPU ${ratio(floor.ratio!)} × the ${floor.name}, ${ratio(floor.wholeRatio!)} × with PostgreSQL${target && floor === floors[0] ? `; target ${target}: ${floor.ratio!.median <= target ? 'met' : 'MISSED'}` : ''}`,
  );
  const [first] = floors;
  if (rate && first?.rateRatio)
    compared.push(
      `  rate ${ratio(first.rateRatio)} × the ${first.name}; at least ${rate}: ${first.rateRatio.median >= rate ? 'met' : 'MISSED'}`,
    );
  return [title, row('Coffer', coffer), ...floors.map((floor) => row(floor.name, floor)), ...compared, ''].join('\n');
}
