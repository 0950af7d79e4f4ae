import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childrenOf, cpuOf, cpuOfTree } from '../subject/processes.ts';
import type { Load, LoadFor, Outcome } from './load.ts';

const LOAD = fileURLToPath(new URL('load.ts', import.meta.url));

/** What the work of a round leaves for afterwards (counters, the sealing of events) is done within this time. */
const SETTLE = 1500;

/** Who is measured: the program's process with its workers, and the database server that it uses. */
export interface Measured {
  readonly pid: number;
  readonly postgresPid: number;
}

/** The processes of a program, its database apart. */
export const processesOf = ({ pid, postgresPid }: Measured): number[] => [
  pid,
  ...childrenOf(pid).filter((child) => child !== postgresPid),
];

const cpuSoFar = (measured: Measured) =>
  [processesOf(measured).reduce((sum, pid) => sum + cpuOf(pid), 0), cpuOfTree(measured.postgresPid)] as const;

/** One round of load on one program. CPU times are microseconds per request. */
export interface Sample {
  readonly requests: number;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpu: number;
  readonly postgresCpu: number;
}

/** Puts a load on a program for some seconds. @throws Error where a request failed: such figures would mean nothing */
export async function sample(measured: Measured, load: Load, seconds: number, connections = 32): Promise<Sample> {
  const before = cpuSoFar(measured);
  const { failures, ...outcome } = await putLoad({ ...load, seconds, connections });
  await sleep(SETTLE);
  const after = cpuSoFar(measured);
  if (Object.keys(failures).length > 0 || outcome.requests === 0) {
    throw new Error(`${load.method} ${load.paths[0]} failed under load (times by status): ${JSON.stringify(failures)}`);
  }
  const each = (index: 0 | 1) => (after[index] - before[index]) / outcome.requests;
  return { ...outcome, cpu: each(0), postgresCpu: each(1) };
}

/** Generates the load in a separate process. */
export async function putLoad(load: LoadFor): Promise<Outcome> {
  const child = fork(LOAD, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const limit = setTimeout(() => child.kill('SIGKILL'), (load.seconds + 60) * 1000);
  try {
    const outcome = once(child, 'message') as Promise<[Outcome]>;
    const exited = once(child, 'exit');
    child.send(load);
    const first = await Promise.race([outcome, exited.then(() => undefined)]);
    if (!first) throw new Error('The program that makes the load ended early');
    await exited;
    return first[0];
  } finally {
    clearTimeout(limit);
  }
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** The middle of some rounds, figure by figure. */
export const middle = (samples: readonly Sample[]): Sample => {
  const of = (figure: keyof Sample) => median(samples.map((one) => one[figure]));
  return {
    requests: of('requests'),
    rate: of('rate'),
    p50: of('p50'),
    p99: of('p99'),
    cpu: of('cpu'),
    postgresCpu: of('postgresCpu'),
  };
};
