import { join } from 'node:path';
import { filesIn, rememberedNameOfSources, type Sources } from '@coffer/web/sources';

/** Root of the workspace. */
export const CHECKOUT = join(import.meta.dirname, '../../../..');
/** What is made from a checkout, and may be removed at any time. */
export const CACHE = join(CHECKOUT, 'node_modules', '.cache', 'coffer');
/** A directory for each bundle of the server, with the name of its sources. */
export const BUNDLES = join(CACHE, 'bundles');
/** What makes them. */
export const BUILDER = join(CHECKOUT, 'scripts', 'bundle.mjs');

const FOLDERS = [
  'apps/server/src',
  'apps/web/build',
  ...['api', 'domain', 'postgres', 'ssh', 'x509'].map((name) => `packages/${name}/src`),
];

/** What the bundle is made from. Libraries are as the lock file says. */
export async function sourcesOfServer(): Promise<Sources> {
  const all = (await Promise.all(FOLDERS.map((folder) => filesIn(join(CHECKOUT, folder))))).flat();
  const files = all.filter((path) => !/\.test\.ts$|\.md$|\/testing\//.test(path)).toSorted();
  // It contains the paths of its sources, and what Node makes of them is Node's.
  const settings = `${CHECKOUT} ${process.version}`;
  return { checkout: CHECKOUT, files: [...files, join(CHECKOUT, 'pnpm-lock.yaml'), BUILDER], settings };
}

/** Names the bundle of these sources. */
export const nameOfBundle = async (): Promise<string> =>
  rememberedNameOfSources(await sourcesOfServer(), join(CACHE, 'bundle-sources'));
