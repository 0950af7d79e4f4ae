import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '../subject/processes.ts';
import { secretOf, makeWorld, writeBatch } from '../subject/world.ts';
import type { Run } from '../subject/stage.ts';
import { place, reading } from './lines/line.ts';
import { median } from './sample.ts';

/** What a start takes, and memory with no calls. */
export interface StartFigures {
  readonly firstStartMs: number;
  readonly warmStartMs: number;
  /** Reading one secret as the first request after a warm start. */
  readonly firstReadMs: number;
  readonly idleMemoryBytes: number;
}

/** The first start makes the database and its schema; three others find them. `rest`: milliseconds before memory is measured. */
export async function measureStart(run: Run, rest: number): Promise<StartFigures> {
  const dataDir = await run.directory('start');
  const first = await run.server({ dataDir });
  const world = await makeWorld(first.url);
  await writeBatch(world, '/', [secretOf('FIRST')]);
  const { paths, headers } = reading(world, `/api/v4/secrets/FIRST?${place(world.projectId, '/')}`);
  await first.stop();
  const [starts, reads]: [number[], number[]] = [[], []];
  let idleMemoryBytes = 0;
  for (let i = 0; i < 3; i++) {
    const server = await run.server({ dataDir });
    starts.push(server.readyAfter);
    if (i === 2) {
      await sleep(rest);
      idleMemoryBytes = memoryOf(server.pid);
    }
    const sent = performance.now();
    const answer = await fetch(`${server.url}${paths[0]}`, { headers });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`The first request was answered ${answer.status}`);
    reads.push(performance.now() - sent);
    await server.stop();
  }
  return { firstStartMs: first.readyAfter, warmStartMs: median(starts), firstReadMs: median(reads), idleMemoryBytes };
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

export const showStart = ({ firstStartMs, warmStartMs, firstReadMs, idleMemoryBytes }: StartFigures): string =>
  `first start ${seconds(firstStartMs)} (at most 3 s), warm start ${seconds(warmStartMs)} (1 s), first read after it ${firstReadMs.toFixed(0)} ms, idle memory ${Math.round(idleMemoryBytes / 1e6)} MB (150 MB)\n`;
