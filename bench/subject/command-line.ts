import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const PACKAGE = fileURLToPath(new URL('../../apps/cli/', import.meta.url));

/** Makes the package of the command line as it is published, in a directory. Returns its program. */
export async function buildCommandLine(directory: string): Promise<string> {
  await build({ configFile: join(PACKAGE, 'vite.config.ts'), build: { outDir: join(directory, 'dist/bundle') } });
  cpSync(join(PACKAGE, 'bin'), join(directory, 'bin'), { recursive: true });
  return join(directory, 'bin/coffer.mjs');
}
