import { median } from '../measure/sample.ts';
import type { KeyUser } from './key-user.ts';
import { isClean, type Findings } from './verify.ts';
import type { Writer } from './writer.ts';

interface Outcome {
  readonly killed: number;
  readonly wanted: number;
  readonly writers: readonly Writer[];
  readonly users?: readonly KeyUser[];
  readonly found: Findings;
  /** Milliseconds until it served again, by what was killed. */
  readonly back: Readonly<Record<string, readonly number[]>>;
}

/** Prints what a run has shown. Whether it is complete and nothing was found. */
export function report({ killed, wanted, writers, users = [], found, back }: Outcome): boolean {
  for (const [victim, times] of Object.entries(back)) {
    if (times.length > 0)
      console.log(
        `${victim}: ${times.length} kills, back after ${(median(times) / 1000).toFixed(2)} s (median), ${(Math.max(...times) / 1000).toFixed(2)} s (maximum)`,
      );
  }
  const all = [...writers, ...users];
  const faults = all.flatMap((one) => one.faults);
  for (const sentence of [...found.sentences.slice(0, 20), ...faults.slice(0, 5)]) console.log(`  ${sentence}`);
  const acknowledged = all.reduce((sum, one) => sum + one.acknowledged, 0);
  const secrets = writers.reduce((sum, writer) => sum + writer.known.size, 0);
  const keys = users.flatMap((user) => user.keys);
  const versions = keys.reduce((sum, { version }) => sum + version, 0);
  console.log(
    `${secrets} secrets, ${keys.length} keys with ${versions} versions; events without change ${found.withoutChange}, versions with gaps ${found.gaps}, correct requests refused ${faults.length}`,
  );
  console.log(
    `${killed} kills, acknowledged ${acknowledged}, lost ${found.lost}, half batches ${found.halfBatches}, changes without event ${found.withoutEvent}`,
  );
  if (killed < wanted)
    console.log(
      `Only ${killed} of ${wanted} kills: ${found.sentences.length ? 'stopped at the first finding' : 'the time was over'}`,
    );
  return killed === wanted && found.sentences.length === 0 && isClean(found) && faults.length === 0;
}
