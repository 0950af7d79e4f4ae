import { median } from '../measure/sample.ts';

/** The second fifth, and the last: the first has the start. */
export function fifths<T>(series: readonly T[]): readonly [early: readonly T[], late: readonly T[]] {
  const fifth = Math.max(1, Math.floor(series.length / 5));
  return [series.slice(fifth, 2 * fifth), series.slice(-fifth)];
}

/** How many times the median of the second fifth the median of the last one is. */
export function growthOf(series: readonly number[]): number {
  const [early, late] = fifths(series);
  return median(late) / median(early);
}

/** A value that chance exceeds once in a hundred series without a trend. */
export const TELLING = 2.326;

/**
 * Whether later values are larger (Mann–Kendall): the number of pairs that rise less those that fall, in standard deviations. It asks
 * for no distribution, and is not moved by single large values.
 */
export function trendOf(series: readonly number[]): number {
  let rising = 0;
  for (const [index, value] of series.entries())
    for (const later of series.slice(index + 1)) rising += Math.sign(later - value);
  const ties = Map.groupBy(series, (value) => value).values();
  const term = (n: number) => n * (n - 1) * (2 * n + 5);
  const variance = [...ties].reduce((left, { length }) => left - term(length), term(series.length)) / 18;
  return variance > 0 ? (rising - Math.sign(rising)) / Math.sqrt(variance) : 0;
}
