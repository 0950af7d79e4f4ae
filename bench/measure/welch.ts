/** A growing sample, with its values and what the test needs. */
export interface Compared {
  /** Welch's t of all values; how far the means are apart, in standard errors. */
  readonly t: number;
  /** The largest absolute t over all values, and over those below some quantiles of both samples. */
  readonly worst: number;
  /** Difference of the means, in the unit of the values. */
  readonly difference: number;
}

/**
 * Values above these quantiles of both samples are omitted, one quantile after the other: a few long delays would hide
 * a small common difference.
 */
const CROPS = [1, 0.99, 0.9, 0.75, 0.5];

/** Whether two samples differ significantly (Welch's t-test for unequal variances). */
export function compare(a: readonly number[], b: readonly number[]): Compared {
  const sorted = [...a, ...b].toSorted((x, y) => x - y);
  const limits = CROPS.map((part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
  const ts = limits.map((limit) => {
    const below = (values: readonly number[]) => values.filter((value) => value <= limit);
    return welch(below(a), below(b));
  });
  const worst = ts.reduce((most, t) => (Math.abs(t) > Math.abs(most) ? t : most), 0);
  return { t: ts[0] ?? 0, worst, difference: mean(a) - mean(b) };
}

/** Welch's t: how far two means are apart, in standard errors of their difference. */
export function welch(a: readonly number[], b: readonly number[]): number {
  const error = Math.sqrt(variance(a) / a.length + variance(b) / b.length);
  return error > 0 ? (mean(a) - mean(b)) / error : 0;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function variance(values: readonly number[]): number {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, values.length - 1);
}
