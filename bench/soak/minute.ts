import { loadavg } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';
import { heapOf } from '../measure/heap.ts';
import { childrenOf, cpuOf, cpuOfTree, memoryOf, privateMemoryOf } from '../subject/processes.ts';

/** Bytes of one process; what it shares with no other, all that is resident, and its heap after a full collection. */
interface ProcessMemory {
  readonly pid: number;
  readonly own: number;
  readonly resident: number;
  readonly heap?: number | undefined;
}

/** What is there at the end of a minute. */
export interface Present {
  /** The server's processes, the primary first. */
  readonly processes: readonly ProcessMemory[];
  /** Memory of PostgreSQL's processes that they do not share; absent where they run elsewhere. */
  readonly postgres?: number | undefined;
  /** Seconds of processor time that the server has taken so far, and PostgreSQL where it runs here. */
  readonly cpu: readonly [server: number, postgres: number];
  /** Bytes of the database on disk. */
  readonly database: number;
  /** Entries of the caches of all processes. */
  readonly caches: Readonly<Record<string, number>>;
  /** Bytes of V8's young generation in all workers, which is as large as the rate of allocation asks for. */
  readonly young: number;
  /** Rows that have to stay as few as they are. */
  readonly rows: Readonly<Record<string, number>>;
  /** Processes that run or wait for a core, on average of a minute. */
  readonly load: number;
}

const COUNTED = ['secrets', 'folders', 'dynamic_secret_leases', 'certificates', 'projects', 'identity_access_tokens'];
const SIZES = `select pg_database_size(current_database())::float8 as database, json_build_object(
  ${COUNTED.map((table) => `'${table}', (select count(*) from ${table})`).join(', ')},
  'jobs', (select count(*) from graphile_worker.jobs)) as rows`;

export const METRICS = 'a-token-of-sixteen-letters-or-more';

interface Subject {
  readonly url: string;
  readonly pid: number;
  /** Of PostgreSQL; absent where it runs elsewhere. */
  readonly postgresPid: number | undefined;
  readonly database: pg.Client;
}

export async function lookAt({ url, pid, postgresPid, database }: Subject): Promise<Present> {
  const processes: ProcessMemory[] = [];
  for (const one of [pid, ...childrenOf(pid)]) {
    if (one === postgresPid) continue;
    const memory = memoryNow(one);
    if (memory) processes.push({ pid: one, ...memory, heap: await heapOf(one) });
    await turn();
  }
  const { rows } = await database.query<Pick<Present, 'database' | 'rows'>>(SIZES);
  const cpu = processes.reduce((sum, one) => sum + cpuOf(one.pid), 0);
  return {
    processes,
    postgres: postgresPid && (await ownMemoryOfTree(postgresPid)),
    cpu: [cpu / 1e6, postgresPid ? cpuOfTree(postgresPid) / 1e6 : 0],
    ...(await metricsOf(url)),
    ...rows[0]!,
    load: loadavg()[0]!,
  };
}

async function metricsOf(url: string): Promise<Pick<Present, 'caches' | 'young'>> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS}` } });
  const text = await answer.text();
  const entries = text.matchAll(/^coffer_cache_entries\{of="(\w+)"\} (\d+)$/gm);
  const [, young = 'NaN'] = /^nodejs_heap_space_size_total_bytes\{space="new"\} (\S+)$/m.exec(text) ?? [];
  return {
    caches: Object.fromEntries(Array.from(entries, ([, name, count]) => [name!, Number(count)])),
    young: Number(young),
  };
}

/** `undefined` if it has ended. */
function memoryNow(pid: number): { own: number; resident: number } | undefined {
  try {
    return { own: privateMemoryOf(pid), resident: memoryOf(pid) };
  } catch {
    return undefined;
  }
}

async function ownMemoryOfTree(root: number): Promise<number> {
  let sum = 0;
  for (const pid of [root, ...childrenOf(root)]) {
    sum += memoryNow(pid)?.own ?? 0;
    // Others may be asking.
    await turn();
  }
  return sum;
}
