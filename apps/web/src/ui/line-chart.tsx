import styles from './line-chart.module.css';
import { texts } from './texts.ts';

export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
}

interface LineChartProps {
  readonly label: string;
  readonly samples: readonly Sample[];
  /** A value as text: `1.2 GB`. */
  readonly text: (value: number) => string;
}

const [WIDTH, HEIGHT] = [320, 80];

/** How a number has changed: a line from the oldest sample to the newest, from zero up. */
export function LineChart({ label, samples, text }: LineChartProps) {
  const values = samples.map(({ value }) => value);
  const [last, highest] = [values.at(-1), Math.max(1, ...values)];
  if (last === undefined) return null;
  return (
    <figure className={styles['chart']}>
      <figcaption>
        {label} <strong>{text(last)}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.nowAndAtMost(label, text(last), text(highest))}
      >
        <polyline points={pointsOf(samples, highest)} />
      </svg>
      <small>{texts.atMost(text(highest))}</small>
    </figure>
  );
}

function pointsOf(samples: readonly Sample[], highest: number): string {
  const [from, to] = [samples[0]!.at, samples.at(-1)!.at];
  const x = (at: number) => (to === from ? WIDTH : ((at - from) / (to - from)) * WIDTH);
  const y = (value: number) => HEIGHT - 1 - (value / highest) * (HEIGHT - 4);
  const points = samples.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
  // One sample is a line, too.
  return [...(samples.length === 1 ? [`0,${y(samples[0]!.value).toFixed(1)}`] : []), ...points].join(' ');
}
