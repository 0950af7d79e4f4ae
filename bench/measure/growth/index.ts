import type { Run } from '../../subject/stage.ts';
import type { Load } from '../load.ts';
import { interleave, ratios, type Ratio, type WorkBudget } from '../rounds.ts';
import { middle, type Measured, type Sample } from '../sample.ts';
import { dimensions, type Dimension } from './dimensions.ts';
import { worksOf } from './works.ts';

/** What a work costs in an instance of the largest size, against the smallest. */
export const TARGET = 1.25;

/** One work, measured in instances of all sizes. */
export interface Growth {
  readonly work: string;
  readonly sizes: readonly {
    readonly size: number;
    readonly cost: Sample;
    /** Against the smallest size, in the same round: of the CPU time of program and database together. */
    readonly ratio: Ratio;
  }[];
}

export interface DimensionGrowth {
  readonly name: string;
  readonly works: readonly Growth[];
}

export const growthNames = dimensions.map(({ name }) => name);

/** Each size has a separate server and database; they take turns, work by work. */
export async function measureGrowth(
  run: Run,
  dimension: Dimension,
  pace: WorkBudget,
  sizes: readonly number[] = dimension.sizes,
): Promise<DimensionGrowth> {
  const { name } = dimension;
  const stages: { readonly size: number; readonly measured: Measured; readonly works: ReadonlyMap<string, Load> }[] =
    [];
  for (const size of sizes) {
    const stage = await run.stage(`${name}-${size}`);
    const works = await worksOf(stage);
    const started = performance.now();
    await dimension.fill(stage, size);
    console.log(`${size} ${name} in ${((performance.now() - started) / 1000).toFixed(0)} s`);
    stages.push({ size, measured: stage.measured, works });
  }
  const results: Growth[] = [];
  for (const work of stages[0]!.works.keys()) {
    const contestants = stages.map(({ size, measured, works }) => ({
      name: String(size),
      measured,
      load: works.get(work)!,
    }));
    const samples = await interleave(contestants, pace);
    const whole = (index: number) => samples[index]!.map(({ cpu, postgresCpu }) => cpu + postgresCpu);
    const growth = {
      work,
      sizes: stages.map(({ size }, index) => ({
        size,
        cost: middle(samples[index]!),
        ratio: ratios(whole(index), whole(0)),
      })),
    };
    console.log(showGrowth(growth));
    results.push(growth);
  }
  await run.close();
  return { name, works: results };
}

export const dimensionOf = (name: string): Dimension => {
  const dimension = dimensions.find((one) => one.name === name);
  if (!dimension) throw new Error(`Nothing that grows is named ${name}; there are ${growthNames.join(', ')}`);
  return dimension;
};

function showGrowth({ work, sizes }: Growth): string {
  const each = sizes.map(({ size, cost, ratio }) => {
    const times = `CPU ${cost.cpu.toFixed(0)} + PostgreSQL ${cost.postgresCpu.toFixed(0)} µs`;
    return `  ${String(size).padStart(10)}  ${times.padEnd(32)} × ${ratio.median.toFixed(2)} (${ratio.least.toFixed(2)}–${ratio.most.toFixed(2)})`;
  });
  const last = sizes.at(-1)!.ratio.median;
  return `${work}: at most ${TARGET}: ${last <= TARGET ? 'met' : 'MISSED'}\n${each.join('\n')}`;
}
