// What a build may weigh: `pnpm check budgets`.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { consoleDirectory } from './console.ts';

/** Bytes, compressed by gzip: what every visitor loads first, and what one more screen or library adds to it. */
const FIRST_LOAD = 146_000;
const FURTHER = 60_000;
/** The style sheets of the first load. */
const FIRST_STYLES = 12_000;

/** A file of the build, as Vite's manifest describes it. */
interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  /** Loaded together with it, by their names in the manifest. */
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const directory = await consoleDirectory();
const manifest = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
const [entry = ''] = Object.keys(manifest).filter((name) => manifest[name]?.isEntry);
const first = loadedWith(entry);
const further = Object.keys(manifest).filter((name) => manifest[name]?.isDynamicEntry && !first.has(name));

const lines = [
  await line('first load', [...first], FIRST_LOAD),
  await line('first styles', [...first], FIRST_STYLES, ({ css = [] }) => css),
  ...(await Promise.all(
    further.map((name) =>
      line(
        name,
        [...loadedWith(name)].filter((one) => !first.has(one)),
        FURTHER,
      ),
    ),
  )),
];
for (const { text } of lines.toSorted((a, b) => b.bytes - a.bytes)) console.log(text);
if (further.length === 0) console.log('Nothing is loaded later: screens are to be imported when they are opened');
process.exitCode = further.length > 0 && lines.every(({ isWithin }) => isWithin) ? 0 : 1;

/** The names of what is loaded before a chunk runs, with its own. */
function loadedWith(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const one of manifest[name]?.imports ?? []) loadedWith(one, found);
  return found;
}

async function line(
  label: string,
  names: readonly string[],
  most: number,
  filesOf: (chunk: Chunk) => readonly string[] = ({ file }) => [file],
) {
  const files = new Set(names.flatMap((name) => filesOf(manifest[name]!)));
  const sizes = await Promise.all([...files].map(compressedSize));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const isWithin = bytes <= most;
  const text = `${isWithin ? ' ' : '✗'} ${(bytes / 1000).toFixed(1).padStart(6)} kB of ${most / 1000} kB  ${label}`;
  return { text, bytes, isWithin };
}

async function compressedSize(file: string): Promise<number> {
  return (await promisify(gzip)(await readFile(join(directory, file)), { level: 9 })).length;
}
