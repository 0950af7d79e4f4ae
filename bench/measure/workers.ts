import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf, privateMemoryOf } from '../subject/processes.ts';
import { writeBatch } from '../subject/world.ts';
import type { Run, Stage } from '../subject/stage.ts';
import { lines } from './lines/index.ts';
import { HUNDRED_SECRETS } from './lines/line.ts';
import { interleave, ratios, type Ratio, type WorkBudget } from './rounds.ts';
import { middle, processesOf, type Measured, type Sample } from './sample.ts';

/** Bytes of one process: what it shares with none, and all that is resident. */
interface Memory {
  readonly own: number;
  readonly resident: number;
}

interface WorkersResult {
  readonly workers: number;
  /** Of each process, the primary first, before and after the load. */
  readonly idle: readonly Memory[];
  readonly after: readonly Memory[];
  readonly lines: readonly {
    readonly title: string;
    readonly cost: Sample;
    /** Against one process, in the same round. */
    readonly cpu: Ratio;
    readonly rate: Ratio;
  }[];
}

const LINES = ['read-one', 'list-100', 'login'];
/** Seconds after the start, and after the load. */
const REST = 10;

/** Several workers against one process, each with a separate database: CPU per request, requests per second, memory. */
export async function measureWorkers(run: Run, count: number, pace: WorkBudget): Promise<WorkersResult[]> {
  const counts = [1, count];
  const stages: Stage[] = [];
  for (const workers of counts)
    stages.push(await run.stage(`workers-${workers}`, { environment: { COFFER_WORKERS: String(workers) } }));
  await sleep(REST * 1000);
  const idle = stages.map(({ measured }) => memoriesOf(measured));
  for (const { world } of stages) await writeBatch(world, '/', HUNDRED_SECRETS);
  const measured: { title: string; samples: Sample[][] }[] = [];
  for (const line of lines.filter(({ name }) => LINES.includes(name))) {
    const contestants = await Promise.all(
      stages.map(async (stage, i) => ({
        name: String(counts[i]),
        measured: stage.measured,
        load: await line.prepare(stage.world, stage.databaseUrl),
      })),
    );
    measured.push({ title: line.title, samples: await interleave(contestants, pace) });
  }
  await sleep(REST * 1000);
  return counts.map((workers, i) => ({
    workers,
    idle: idle[i]!,
    after: memoriesOf(stages[i]!.measured),
    lines: measured.map(({ title, samples }) => {
      const against = (figure: (one: Sample) => number) => ratios(samples[i]!.map(figure), samples[0]!.map(figure));
      return {
        title,
        cost: middle(samples[i]!),
        cpu: against((one) => one.cpu),
        rate: against((one) => one.rate),
      };
    }),
  }));
}

const memoriesOf = (measured: Measured): Memory[] =>
  processesOf(measured).map((pid) => ({ own: privateMemoryOf(pid), resident: memoryOf(pid) }));

export const showWorkers = (results: readonly WorkersResult[]): string => results.map(show).join('\n');

function show({ workers, idle, after, lines: measured }: WorkersResult): string {
  const times = ({ median, least, most }: Ratio) => `× ${median.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;
  return [
    `${workers} ${workers === 1 ? 'process' : 'workers'}`,
    ...measured.map(
      ({ title, cost, cpu, rate }) =>
        `  ${title.padEnd(24)}CPU ${cost.cpu.toFixed(0).padStart(5)} + PostgreSQL ${cost.postgresCpu.toFixed(0).padStart(5)} µs  ${times(cpu)}   ${cost.rate.toFixed(0).padStart(6)} req/s  ${times(rate)}   p99 ${cost.p99.toFixed(1)} ms`,
    ),
    `  memory idle: ${megabytes(idle)}; after the load: ${megabytes(after)} (own, resident in brackets; MB, the primary first)`,
    '',
  ].join('\n');
}

const megabytes = (memories: readonly Memory[]): string =>
  memories.map(({ own, resident }) => `${Math.round(own / 1e6)} (${Math.round(resident / 1e6)})`).join(' + ');
