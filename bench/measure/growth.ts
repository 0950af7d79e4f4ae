import { ENVIRONMENT, writeSecrets } from '../subject/world.ts';
import { onDatabase, type Run } from '../subject/stage.ts';
import { withoutBody } from './lines/index.ts';
import { interleave, ratios, type Contestant, type WorkBudget, type Ratio } from './rounds.ts';
import { middle, type Sample } from './sample.ts';

export interface Growth {
  readonly size: number;
  readonly cost: Sample;
  /** Against the smallest size, in the same round: of the program's CPU time, and of the database's with it. */
  readonly ratio: Ratio;
  readonly wholeRatio: Ratio;
}

const KEYS = 2000;

/**
 * The cost of reading one random secret, with a growing number of secrets; each size has a separate server and
 * database.
 */
export async function measureGrowth(run: Run, sizes: readonly number[], pace: WorkBudget): Promise<Growth[]> {
  const contestants: Contestant[] = [];
  for (const size of sizes) {
    const { world, measured, databaseUrl } = await run.stage(`size-${size}`);
    const started = performance.now();
    await writeSecrets(world, 'SECRET_', size);
    // What autovacuum does within minutes.
    await onDatabase(databaseUrl, (client) => client.query('vacuum (analyze) secrets'));
    console.log(`${size} secrets written in ${((performance.now() - started) / 1000).toFixed(0)} s`);
    const step = 0.618_033_988_75;
    const paths = Array.from({ length: KEYS }, (_, i) => {
      const index = Math.floor(((i * step) % 1) * size);
      return `/api/v4/secrets/SECRET_${index}?projectId=${world.projectId}&environment=${ENVIRONMENT}&secretPath=%2F`;
    });
    const { url, headers } = world.admin;
    contestants.push({ name: String(size), measured, load: withoutBody({ url, headers, method: 'GET', paths }) });
  }
  const samples = await interleave(contestants, pace);
  const of = (index: number, figure: (one: Sample) => number) => samples[index]!.map(figure);
  const whole = (one: Sample) => one.cpu + one.postgresCpu;
  return sizes.map((size, index) => ({
    size,
    cost: middle(samples[index]!),
    ratio: ratios(
      of(index, (one) => one.cpu),
      of(0, (one) => one.cpu),
    ),
    wholeRatio: ratios(of(index, whole), of(0, whole)),
  }));
}

export const showGrowth = (results: readonly Growth[]): string =>
  results
    .map(({ size, cost, ratio, wholeRatio }) => {
      const times = `CPU ${cost.cpu.toFixed(1)} + PostgreSQL ${cost.postgresCpu.toFixed(1)} µs`;
      return `${String(size).padStart(9)} secrets  ${times}  × ${ratio.median.toFixed(3)} of the smallest, × ${wholeRatio.median.toFixed(3)} with PostgreSQL (target 1.2)`;
    })
    .join('\n');
