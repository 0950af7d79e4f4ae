import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { keepBuild } from './keep.ts';
import { filesIn, rememberedNameOfSources, sourcesOfConsole } from './sources.ts';

const HERE = join(import.meta.dirname, '..');
const ENGLISH = 'en';

/**
 * The directory with the console in a language: `index.html` and `assets/`. In a checkout it is built again (a second or two) if
 * its sources have changed since; where there are no sources, it is what the package contains.
 *
 * @throws Error if it cannot be built.
 */
export async function consoleDirectory(language = ENGLISH): Promise<string> {
  const builds = join(HERE, 'dist', language === ENGLISH ? 'console' : `console-${language}`);
  if (!existsSync(join(HERE, 'src', 'main.tsx'))) return builds;
  const name = await rememberedNameOfSources(
    await sourcesOfConsole(join(HERE, '..', '..')),
    join(HERE, 'dist', 'sources'),
  );
  return keepBuild(builds, name, async (outside) => {
    await runVite(outside, language);
    await compress(outside);
  });
}

/** The console as the server serves it. A further language is named here, and has its modules of texts. */
export const webConsole = { languages: [ENGLISH] as const, directory: consoleDirectory };

/** Each file also with `.br` at the end of its name, for browsers that take it. */
async function compress(directory: string): Promise<void> {
  for (const file of await filesIn(directory)) {
    await writeFile(`${file}.br`, await promisify(brotliCompress)(await readFile(file)));
  }
}

/** In a process of its own, whose memory is returned. */
async function runVite(outside: string, language: string): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin', 'vite.js');
  // Nothing of the server's own settings, which are secret.
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, COFFER_WEB_OUT: outside, COFFER_WEB_LANGUAGE: language, NODE_ENV: 'production' };
  const child = spawn(process.execPath, [vite, 'build'], { cwd: HERE, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  if (code !== 0) throw new Error(`The console could not be built:\n${Buffer.concat(output).toString().trim()}`);
}
