import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { assetOf, type Asset } from '../http/asset.ts';

/** The page, and the files that it loads by their names, which contain a hash of their content. */
export interface ConsoleFiles {
  readonly page: Asset;
  readonly assets: ReadonlyMap<string, Asset>;
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

const readOne = async (path: string): Promise<Asset> =>
  assetOf(TYPES[extname(path)]!, await readFile(path), await readFile(`${path}.br`).catch(() => undefined));
