import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';

const HERE = join(import.meta.dirname, '..');
const CLIENT = join(HERE, '..', '..', 'packages', 'client', 'src');
/** Types only, which no build contains. */
const CONTRACT = join(CLIENT, 'contract');
const BUILDS = join(HERE, 'dist', 'console');

/**
 * The directory with the built console: `index.html` and `assets/`. In a checkout it is built again (a second or two) if its
 * sources have changed since; where there are no sources, it is what the package contains.
 *
 * @throws Error if it cannot be built.
 */
export async function consoleDirectory(): Promise<string> {
  if (!existsSync(join(HERE, 'src', 'main.tsx'))) return BUILDS;
  const directory = join(BUILDS, await fingerprint());
  if (!existsSync(directory)) await build(directory);
  return directory;
}

/** Builds beside and moves the whole into place, so that several processes may do it at once. */
async function build(directory: string): Promise<void> {
  await mkdir(BUILDS, { recursive: true });
  const outside = join(BUILDS, `building-${process.pid}-${Date.now()}`);
  try {
    await runVite(outside);
    await compress(outside);
    await rename(outside, directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(outside, { recursive: true, force: true });
  }
  await removeOthers(directory);
}

/** Each file also with `.br` at the end of its name, for browsers that take it. */
async function compress(directory: string): Promise<void> {
  for (const file of await filesIn(directory)) {
    await writeFile(`${file}.br`, await promisify(brotliCompress)(await readFile(file)));
  }
}

async function removeOthers(current: string): Promise<void> {
  for (const name of await readdir(BUILDS)) {
    const directory = join(BUILDS, name);
    if (directory !== current && !name.startsWith('building-')) await rm(directory, { recursive: true, force: true });
  }
}

/** In a process of its own, whose memory is returned. */
async function runVite(outside: string): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin', 'vite.js');
  // Nothing of the server's own settings, which are secret.
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, COFFER_WEB_OUT: outside, NODE_ENV: 'production' };
  const child = spawn(process.execPath, [vite, 'build'], { cwd: HERE, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  if (code !== 0) throw new Error(`The console could not be built:\n${Buffer.concat(output).toString().trim()}`);
}

/** A hash of everything that the build is made from. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  const own = ['index.html', 'vite.config.ts', 'package.json'].map((name) => join(HERE, name));
  for (const file of [...own, ...(await filesIn(join(HERE, 'src'))), ...(await filesIn(CLIENT))].toSorted()) {
    hash.update(`${relative(HERE, file).split(sep).join('/')}\0`);
    hash.update(await readFile(file));
  }
  const lock = join(HERE, '..', '..', 'pnpm-lock.yaml');
  if (existsSync(lock)) hash.update(await readFile(lock));
  return hash.digest('hex').slice(0, 20);
}

async function filesIn(directory: string): Promise<string[]> {
  if (directory === CONTRACT) return [];
  const entries = await readdir(directory, { withFileTypes: true });
  const nested = await Promise.all(
    entries.map(async (entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return filesIn(path);
      return entry.name.includes('.test.') ? [] : [path];
    }),
  );
  return nested.flat();
}
