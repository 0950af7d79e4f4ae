import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/** A name for what the build of a checkout is made from: each change of it gives another one. */
export async function nameOfSources(checkout: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await sourcesOf(checkout)) {
    hash.update(`${relative(checkout, file).split(sep).join('/')}\0`);
    hash.update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 20);
}

/** Milliseconds after a change within which the next one may have the same time, on any file system. */
const TICK_MS = 2_000;

/**
 * The same without reading the files (a tenth of a second of processor time in each process of a server), as `memory` has it since
 * the last change of one of them. A file has changed if it is another one, or of another size or time of change, which no program sets.
 */
export async function rememberedNameOfSources(checkout: string, memory: string): Promise<string> {
  const hash = createHash('sha256');
  let newest = 0;
  for (const file of await sourcesOf(checkout)) {
    const { ino, size, ctimeMs } = statSync(file);
    hash.update(`${file}\0${ino} ${size} ${ctimeMs}\0`);
    newest = Math.max(newest, ctimeMs);
  }
  const state = hash.digest('hex');
  const [knownState, known] = (await readFile(memory, 'utf8').catch(() => '')).split(' ');
  if (knownState === state && known) return known;
  const name = await nameOfSources(checkout);
  if (Date.now() - newest > TICK_MS) {
    await mkdir(dirname(memory), { recursive: true });
    await writeFile(`${memory}.${process.pid}`, `${state} ${name}`);
    await rename(`${memory}.${process.pid}`, memory);
  }
  return name;
}

async function sourcesOf(checkout: string): Promise<string[]> {
  const web = join(checkout, 'apps', 'web');
  const client = join(checkout, 'packages', 'client', 'src');
  const single = ['index.html', 'vite.config.ts', 'package.json', 'build/language.ts', 'build/pseudo.ts'].map((name) =>
    join(web, name),
  );
  const all = [...single, ...(await filesIn(join(web, 'src'))), ...(await filesIn(client))];
  const lock = join(checkout, 'pnpm-lock.yaml');
  return [...all.filter((path) => isBuilt(path, client)).toSorted(), ...(existsSync(lock) ? [lock] : [])];
}

/** Tests are not, nor is the contract of the client: it is types only. */
const isBuilt = (path: string, client: string): boolean =>
  !path.includes('.test.') && !path.startsWith(join(client, 'contract'));

/** All files in a directory and below. */
export async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
