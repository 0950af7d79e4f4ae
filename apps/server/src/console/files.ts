import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** A file of the console, as it is and compressed. */
export interface ConsoleFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly brotli: Buffer | undefined;
  readonly etag: string;
}

/** The page, and the files that it loads by their names, which contain a hash of their content. */
export interface ConsoleFiles {
  readonly page: ConsoleFile;
  readonly assets: ReadonlyMap<string, ConsoleFile>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads a built console into memory: some hundred kilobytes. */
export async function readConsole(directory: string): Promise<ConsoleFiles> {
  const assets = join(directory, 'assets');
  const names = (await readdir(assets)).filter((name) => extname(name) in TYPES);
  const read = await Promise.all(names.map(async (name) => [name, await readOne(join(assets, name))] as const));
  return { page: await readOne(join(directory, 'index.html')), assets: new Map(read) };
}

async function readOne(path: string): Promise<ConsoleFile> {
  const brotli = await readFile(`${path}.br`).catch(() => undefined);
  const bytes = await readFile(path);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  return { type: TYPES[extname(path)]!, bytes, brotli, etag };
}
