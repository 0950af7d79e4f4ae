import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

// Preloaded into a server (`--import`), and into its workers with it: writes to a file how many bytes of the heap are in use after each
// collection of the old generation. Nothing is collected for that.

const noteOf = (pid: number): string => join(tmpdir(), `coffer-heap-${pid}`);

/** Bytes of a process's heap after its last full collection; `undefined` if there was none. */
export async function heapOf(pid: number): Promise<number | undefined> {
  const text = await readFile(noteOf(pid), 'utf8').catch(() => '');
  return text === '' ? undefined : Number(text);
}

function noteHeap(): void {
  const note = noteOf(process.pid);
  const observer = new PerformanceObserver((list) => {
    const entries = list.getEntries() as { detail?: { kind?: number } }[];
    if (!entries.some(({ detail }) => detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR)) return;
    // Whole, or as it was.
    writeFileSync(`${note}.new`, String(process.memoryUsage().heapUsed));
    renameSync(`${note}.new`, note);
  });
  observer.observe({ entryTypes: ['gc'] });
  process.on('exit', () => rmSync(note, { force: true }));
}

if (isMainThread && process.execArgv.includes(import.meta.url)) noteHeap();
