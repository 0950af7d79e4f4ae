import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const MODULE = import.meta.resolve('./heap-limits.ts');

/** Bytes. */
interface Heap {
  readonly young: number;
  readonly least: number;
  readonly most: number;
}

/** The heap of a process that makes 600 MB of objects, of which the last 50 MB are alive, in turns. */
async function heapOf(isLimited: boolean): Promise<Heap> {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    ${isLimited ? `import { limitHeap } from '${MODULE}'; limitHeap();` : ''}
    const alive = [];
    let [least, most] = [Infinity, 0];
    for (let turn = 0; turn < 300; turn++) {
      for (let n = 0; n < 20_000; n++) alive[(turn * 20_000 + n) % 500_000] = { n, list: [n] };
      await new Promise(setImmediate);
      const used = process.memoryUsage().heapUsed;
      if (turn > 50) [least, most] = [Math.min(least, used), Math.max(most, used)];
    }
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
    console.log(JSON.stringify({ young, least, most }));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  return JSON.parse(stdout) as Heap;
}

describe('the heap of V8', () => {
  let limited: Heap;
  let unlimited: Heap;
  beforeAll(async () => {
    limited = await heapOf(true);
    unlimited = await heapOf(false);
  });

  it('has a young generation of at most 32 MiB, where it is larger without a limit', () => {
    expect(limited.young).toBeLessThanOrEqual(32 * 1024 ** 2);
    expect(unlimited.young).toBeGreaterThan(32 * 1024 ** 2);
  });

  it('is collected when it has about doubled, where it grows by more without a limit', () => {
    expect(limited.most / limited.least).toBeLessThan(3.5);
    expect(unlimited.most / unlimited.least).toBeGreaterThan(3.5);
  });
});
