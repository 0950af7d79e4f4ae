import type { Load } from './load.ts';
import { isMissing, type Line, type Work } from './lines/index.ts';
import { median, middle, sample, type Measured, type Sample } from './sample.ts';
import type { Stage } from '../subject/stage.ts';

export interface WorkBudget {
  readonly rounds: number;
  /** The results of one round. */
  readonly seconds: number;
  readonly warmUp: number;
  /** Requests at a time; default: 32. */
  readonly connections?: number | undefined;
}

export interface Contestant {
  readonly name: string;
  readonly measured: Measured;
  readonly load: Load;
}

/** What each contestant took, and how much more than `reference` in the same round: the median, and the extremes. */
export interface Taken extends Sample {
  readonly name: string;
  readonly ratio?: Ratio;
  /** Of the CPU time of the program and the database together. */
  readonly wholeRatio?: Ratio;
  /** Of the requests in a second. */
  readonly rateRatio?: Ratio;
}
export interface Ratio {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** Measures in turn, round by round, so that other load of the machine affects all of them. */
export async function interleave(
  contestants: readonly Contestant[],
  { rounds, seconds, warmUp, connections }: WorkBudget,
): Promise<Sample[][]> {
  for (const { measured, load } of contestants) await sample(measured, load, warmUp, connections);
  const samples = contestants.map((): Sample[] => []);
  for (let round = 0; round < rounds; round++) {
    // In alternating order, so that none is always first.
    const order = contestants.map((_, index) => index);
    for (const index of round % 2 ? order.toReversed() : order) {
      const { measured, load } = contestants[index]!;
      samples[index]!.push(await sample(measured, load, seconds, connections));
    }
  }
  return samples;
}

export const ratios = (ours: readonly number[], theirs: readonly number[]): Ratio => {
  const each = ours.map((one, round) => one / theirs[round]!);
  return { median: median(each), least: Math.min(...each), most: Math.max(...each) };
};

const whole = ({ cpu, postgresCpu }: Sample) => cpu + postgresCpu;

export interface LineResult {
  readonly name: string;
  readonly title: string;
  readonly target: number | undefined;
  readonly rate?: number | undefined;
  readonly skipped?: string;
  readonly coffer?: Sample;
  readonly floors: readonly Taken[];
}

/** One line of the table; skipped with the reason if the server has no such operation. */
export async function measureLine(
  line: Line,
  stage: Stage,
  floor: { url: string; measured: Measured },
  pace: WorkBudget,
): Promise<LineResult> {
  const work = await prepare(line, stage);
  if (typeof work === 'string') return skippedLine(line, work);
  const { without, ...load } = work;
  const headers: Record<string, string> =
    (load.body ?? load.bodies) === undefined ? {} : { 'content-type': 'application/json' };
  const floors = line.floors.map((one): Contestant => ({
    name: one.name,
    measured: floor.measured,
    load: { ...one.load, url: floor.url, headers },
  }));
  const simpler = { name: 'same without', measured: stage.measured };
  const others = [...(without ? [{ ...simpler, load: without }] : []), ...floors];
  return compare(line, { name: 'coffer', measured: stage.measured, load }, others, pace);
}

/** One line against the same work of another checkout; there are no limits for this. */
export async function measureAgainst(line: Line, stage: Stage, other: Stage, pace: WorkBudget): Promise<LineResult> {
  const withoutLimits = { ...line, target: undefined, rate: undefined };
  const [ours, theirs] = [await prepare(line, stage), await prepare(line, other)];
  if (typeof ours === 'string') return skippedLine(line, ours);
  if (typeof theirs === 'string') return skippedLine(line, theirs);
  const coffer = { name: 'coffer', measured: stage.measured, load: ours };
  return compare(withoutLimits, coffer, [{ name: 'other checkout', measured: other.measured, load: theirs }], pace);
}

/** What the line needs is made; the reason if the server has no such operation. */
async function prepare(line: Line, stage: Stage): Promise<Work | string> {
  try {
    return await line.prepare(stage.world, stage.databaseUrl);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return `${stage.server.url} has no such operation: ${(error as Error).message}`;
  }
}

const skippedLine = ({ name, title, target }: Line, skipped: string): LineResult => ({
  name,
  title,
  target,
  skipped,
  floors: [],
});

async function compare(
  { name, title, target, rate, connections }: Omit<Line, 'rate'> & { readonly rate?: number | undefined },
  ours: Contestant,
  others: readonly Contestant[],
  pace: WorkBudget,
): Promise<LineResult> {
  const [coffer, ...samples] = await interleave([ours, ...others], { ...pace, connections });
  return {
    name,
    title,
    target,
    rate,
    coffer: middle(coffer!),
    floors: samples.map((each, index) => ({
      name: others[index]!.name,
      ...middle(each),
      ratio: ratios(
        coffer!.map((one) => one.cpu),
        each.map((one) => one.cpu),
      ),
      wholeRatio: ratios(coffer!.map(whole), each.map(whole)),
      rateRatio: ratios(
        coffer!.map((one) => one.rate),
        each.map((one) => one.rate),
      ),
    })),
  };
}
