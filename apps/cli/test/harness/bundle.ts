import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

let built: Promise<string> | undefined;

/** The bundle as it is published, built once for the tests of a worker: the path of its first module. */
export const bundle = (): Promise<string> => (built ??= make());

async function make(): Promise<string> {
  const root = join(import.meta.dirname, '../..');
  // Inside of the package, as the keyring is found from there.
  mkdirSync(join(root, 'dist'), { recursive: true });
  const outDir = mkdtempSync(join(root, 'dist/bundle-'));
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  await build({ configFile: join(root, 'vite.config.ts'), build: { outDir } });
  return join(outDir, 'main.mjs');
}
