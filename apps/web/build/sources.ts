import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/** What a build is made from. */
export interface Sources {
  readonly checkout: string;
  /** In the same order each time. */
  readonly files: readonly string[];
  /** What it depends on besides. */
  readonly settings?: string;
}

/** A name for what a build is made from: each change of it gives another one. */
export async function nameOfSources({ checkout, files, settings = '' }: Sources): Promise<string> {
  const hash = createHash('sha256').update(`${settings}\0`);
  for (const file of files) {
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
export async function rememberedNameOfSources(sources: Sources, memory: string): Promise<string> {
  const hash = createHash('sha256').update(`${sources.settings ?? ''}\0`);
  let newest = 0;
  for (const file of sources.files) {
    const { ino, size, ctimeMs } = statSync(file);
    hash.update(`${file}\0${ino} ${size} ${ctimeMs}\0`);
    newest = Math.max(newest, ctimeMs);
  }
  const state = hash.digest('hex');
  const [knownState, known] = (await readFile(memory, 'utf8').catch(() => '')).split(' ');
  if (knownState === state && known) return known;
  const name = await nameOfSources(sources);
  // Where nothing can be written, it is computed each time.
  if (Date.now() - newest > TICK_MS) await remember(memory, `${state} ${name}`).catch(() => undefined);
  return name;
}

async function remember(memory: string, text: string): Promise<void> {
  await mkdir(dirname(memory), { recursive: true });
  await writeFile(`${memory}.${process.pid}`, text);
  await rename(`${memory}.${process.pid}`, memory);
}

/** What the console is made from. */
export async function sourcesOfConsole(checkout: string): Promise<Sources> {
  const web = join(checkout, 'apps', 'web');
  const client = join(checkout, 'packages', 'client', 'src');
  const single = ['index.html', 'vite.config.ts', 'package.json', 'build/language.ts', 'build/pseudo.ts'].map((name) =>
    join(web, name),
  );
  const all = [...single, ...(await filesIn(join(web, 'src'))), ...(await filesIn(client))];
  const lock = join(checkout, 'pnpm-lock.yaml');
  const files = [...all.filter((path) => isBuilt(path, client)).toSorted(), ...(existsSync(lock) ? [lock] : [])];
  return { checkout, files };
}

/** Tests are not, nor is the contract of the client: it is types only. */
const isBuilt = (path: string, client: string): boolean =>
  !path.includes('.test.') && !path.startsWith(join(client, 'contract'));

/** All files in a directory and below. */
export async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
