import { median } from '../measure/sample.ts';
import { fifths, growthOf, TELLING, trendOf } from './judge.ts';
import type { Present } from './minute.ts';
import type { Answered } from './requests.ts';

/** What happened in one minute, and what was there at its end. */
export interface Minute extends Answered {
  readonly minute: number;
  /** Milliseconds of a program that always does the same. */
  readonly machine: readonly number[];
  readonly present: Present;
}

const MOST_GROWTH = 1.1;

const quantile = (values: readonly number[], part: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
};
const timesOf = ({ byKind }: Answered): number[] => [...byKind.values()].flat();
const p99 = (minute: Answered): number => quantile(timesOf(minute), 0.99);
const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const ofAll = (minute: Minute, what: 'own' | 'resident') => sum(minute.present.processes.map((one) => one[what]));
const mb = (bytes: number): string => (bytes / 1e6).toFixed(0);

export function showMinute(minute: Minute, before: Minute | undefined): string {
  const times = timesOf(minute);
  const { processes, postgres, database, rows, load, cpu, young } = minute.present;
  const taken = cpu.map((seconds, index) => (seconds - (before?.present.cpu[index] ?? NaN)) / 60);
  const memory = processes.map(
    ({ own, resident, heap }) => `${mb(own)} (${mb(resident)}${heap ? `, heap ${mb(heap)}` : ''})`,
  );
  return [
    `${String(minute.minute).padStart(4)} min  ${times.length} requests, ${minute.unexpected.length} unexpected`,
    `p50 ${quantile(times, 0.5).toFixed(1)} p99 ${quantile(times, 0.99).toFixed(1)} ms, machine p95 ${quantile(minute.machine, 0.95).toFixed(1)} ms, load ${load.toFixed(1)}, cores ${taken.map((cores) => cores.toFixed(2)).join(' + ')}`,
    `memory ${memory.join(' + ')}, young ${mb(young)}${postgres ? `, PostgreSQL ${mb(postgres)}` : ''} MB; database ${mb(database)} MB, ${Object.entries(
      rows,
    )
      .map(([table, count]) => `${table} ${count}`)
      .join(', ')}`,
  ].join('; ');
}

/** A table of all kinds of requests, early and late; and all figures, for programs. */
export function closing(series: readonly Minute[]): { text: string; json: string } {
  const [early, late] = fifths(series);
  const kinds = new Set(series.flatMap(({ byKind }) => [...byKind.keys()]));
  const of = (minutes: readonly Minute[], kind: string) => minutes.flatMap(({ byKind }) => byKind.get(kind) ?? []);
  const both = (values: readonly number[]) =>
    `${quantile(values, 0.5).toFixed(1).padStart(7)} ${quantile(values, 0.99).toFixed(1).padStart(8)}`;
  const lines = [...kinds]
    .toSorted()
    .map(
      (kind) =>
        `${kind.padEnd(24)}${String(of(series, kind).length).padStart(8)}${both(of(early, kind))}${both(of(late, kind))}`,
    );
  const figures = series.map(({ byKind, machine, unexpected, minute, present }) => ({
    ...{ minute, requests: timesOf({ byKind, unexpected }).length, unexpected },
    ...{
      p50: quantile([...byKind.values()].flat(), 0.5),
      p99: p99({ byKind, unexpected }),
      machineP95: quantile(machine, 0.95),
    },
    ...present,
  }));
  return {
    text: `${''.padEnd(24)}requests  p50, p99 of the second fifth, of the last (ms)\n${lines.join('\n')}`,
    json: `${JSON.stringify(figures, undefined, 2)}\n`,
  };
}

interface Verdict {
  readonly isPassed: boolean;
  readonly sentences: readonly string[];
}

/** What a run has shown. The first fifth, in which caches fill and code is compiled, does not count. */
export function judged(series: readonly Minute[]): Verdict {
  const later = series.slice(Math.max(1, Math.floor(series.length / 5)));
  const unexpected = sum(series.map((minute) => minute.unexpected.length));
  const own = growthOf(series.map((minute) => ofAll(minute, 'own')));
  const resident = growthOf(series.map((minute) => ofAll(minute, 'resident')));
  const trend = trendOf(later.map(p99));
  const besideMachine = trendOf(later.map((minute) => p99(minute) / quantile(minute.machine, 0.95)));
  const [early, late] = fifths(series.map(p99));
  const isSlower = trend > TELLING && besideMachine > TELLING;
  const isFlat = own <= MOST_GROWTH && resident <= MOST_GROWTH;
  const percent = (growth: number) => `${growth < 1 ? '−' : '+'}${Math.abs((growth - 1) * 100).toFixed(1)} %`;
  return {
    isPassed: unexpected === 0 && isFlat && !isSlower,
    sentences: [
      `${sum(series.map((minute) => timesOf(minute).length))} requests, ${unexpected} unexpected answers`,
      `memory of the server from the second to the last fifth: own ${percent(own)}, resident ${percent(resident)}; at most +10 %: ${isFlat ? 'met' : 'MISSED'}`,
      `p99 ${median(early).toFixed(1)} → ${median(late).toFixed(1)} ms; trend z = ${trend.toFixed(2)}, relative to the machine ${besideMachine.toFixed(2)}; no trend (both above ${TELLING}): ${isSlower ? 'MISSED' : 'met'}`,
    ],
  };
}
