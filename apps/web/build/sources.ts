import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** A name for what the build of a checkout is made from: each change of it gives another one. */
export async function nameOfSources(checkout: string): Promise<string> {
  const web = join(checkout, 'apps', 'web');
  const client = join(checkout, 'packages', 'client', 'src');
  const single = ['index.html', 'vite.config.ts', 'package.json', 'build/language.ts', 'build/pseudo.ts'].map((name) =>
    join(web, name),
  );
  const all = [...single, ...(await filesIn(join(web, 'src'))), ...(await filesIn(client))];
  const lock = join(checkout, 'pnpm-lock.yaml');
  const hash = createHash('sha256');
  for (const file of [...all.filter((path) => isBuilt(path, client)).toSorted(), ...(existsSync(lock) ? [lock] : [])]) {
    hash.update(`${relative(checkout, file).split(sep).join('/')}\0`);
    hash.update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 20);
}

/** Tests are not, nor is the contract of the client: it is types only. */
const isBuilt = (path: string, client: string): boolean =>
  !path.includes('.test.') && !path.startsWith(join(client, 'contract'));

/** All files in a directory and below. */
export async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
