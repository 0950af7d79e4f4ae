import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

let built: Promise<string> | undefined;

/** The bundle as it is published, built once for the tests of a worker: the path of its first module. */
export const bundle = (): Promise<string> => (built ??= make());

async function make(): Promise<string> {
  const root = join(import.meta.dirname, '../..');
  // Inside of the package, as the keyring is found from there.
  const dist = join(root, 'dist');
  mkdirSync(dist, { recursive: true });
  removeLeftovers(dist);
  const outDir = mkdtempSync(join(dist, `bundle-${process.pid}-`));
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  await build({ configFile: join(root, 'vite.config.ts'), build: { outDir } });
  return join(outDir, 'main.mjs');
}

/** A worker that ends by a signal leaves its bundle behind. */
function removeLeftovers(dist: string): void {
  for (const name of readdirSync(dist)) {
    const [, pid] = /^bundle-(\d+)-/.exec(name) ?? [];
    if (pid && !isRunning(Number(pid))) rmSync(join(dist, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
