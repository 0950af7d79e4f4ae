import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundle } from './harness/bundle.ts';

describe('the bundle', () => {
  it('has less than a megabyte, and loads for --version only what that needs', async () => {
    const main = await bundle();
    const directory = dirname(main);
    const sizeOf = (name: string): number => statSync(join(directory, name)).size;
    const all = readdirSync(directory).map(sizeOf);
    expect(all.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000);
    // Imports of modules, not those that wait for a command.
    const imported = [...readFileSync(main, 'utf8').matchAll(/import\{[^}]*\}from"\.\/([^"]+)"/g)].map(
      ([, name]) => name!,
    );
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.map(sizeOf).reduce((sum, size) => sum + size, sizeOf('main.mjs'))).toBeLessThan(4000);
  });
});
