import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const MODULE = import.meta.resolve('./young-generation.ts');

/** Bytes of the young generation of a process that has made 300 MB of objects, of which the last 50 MB are alive, in turns. */
async function youngGenerationOf(isLimited: boolean): Promise<number> {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    ${isLimited ? `import { limitYoungGeneration } from '${MODULE}'; limitYoungGeneration();` : ''}
    const alive = [];
    for (let turn = 0; turn < 150; turn++) {
      for (let n = 0; n < 20_000; n++) alive[(turn * 20_000 + n) % 500_000] = { n, list: [n] };
      await new Promise(setImmediate);
    }
    console.log(getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  return Number(stdout);
}

describe('the young generation of V8', () => {
  it('becomes at most 32 MiB large, where it is larger without a limit', async () => {
    expect(await youngGenerationOf(true)).toBeLessThanOrEqual(32 * 1024 ** 2);
    expect(await youngGenerationOf(false)).toBeGreaterThan(32 * 1024 ** 2);
  });
});
