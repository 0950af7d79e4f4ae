// Makes the bundle from which the server starts (`apps/server/src/bundle/load.ts`), unless it is there: `node scripts/bundle.mjs`.
// `--idle`: only with time that nobody else wants.
import { readdir, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUNDLES, CACHE, CHECKOUT, nameOfBundle } from '../apps/server/src/bundle/sources.ts';
import { keepBuild } from '../apps/web/build/keep.ts';
import { filesIn } from '../apps/web/build/sources.ts';

/** The modules that a process of the server begins with. */
const input = {
  run: join(CHECKOUT, 'apps/server/src/run.ts'),
  worker: join(CHECKOUT, 'apps/server/src/workers/worker.ts'),
};

const OWN_PLACE = /\bimport\.meta\.(?:url|dirname)\b/;
/** In modules of the older kind. Others may declare these names. */
const OLDER = /\b__(?:dirname|filename)\b/;

/** In the bundle, a module finds the files beside it, and the packages that it loads later, as it does from its own place. */
const places = {
  name: 'places',
  transform: {
    filter: { id: /^\//, code: [OWN_PLACE, OLDER] },
    handler(code, id) {
      const values = { 'import.meta.url': pathToFileURL(id).href, __filename: id };
      const place = OWN_PLACE.test(code) ? OWN_PLACE : OLDER;
      return code.replaceAll(new RegExp(place, 'g'), (name) => JSON.stringify(values[name] ?? dirname(id)));
    },
  },
};

/** What has compiled parts stays where it is. */
const compiled = {
  name: 'compiled',
  resolveId: {
    filter: { id: /^@node-rs\// },
    handler: (source, importer) => ({
      id: pathToFileURL(createRequire(importer).resolve(source)).href,
      external: true,
    }),
  },
};

/** Fills a directory. */
async function make(directory) {
  // Vite brings it.
  const ofVite = createRequire(createRequire(import.meta.url).resolve('vite/package.json'));
  const { rolldown } = await import(pathToFileURL(ofVite.resolve('rolldown')).href);
  const bundle = await rolldown({
    cwd: CHECKOUT,
    platform: 'node',
    input,
    plugins: [places, compiled],
    logLevel: 'silent',
  });
  const sourcemaps = { sourcemap: 'hidden', sourcemapExcludeSources: true };
  const names = { keepNames: true, chunkFileNames: '[name]-[hash].js' };
  await bundle.write({ dir: directory, format: 'esm', comments: false, ...sourcemaps, ...names });
  await bundle.close();
}

/** Milliseconds after which compiled code goes. */
const COMPILED_MS = 24 * 60 * 60 * 1000;

/** Node keeps the compiled code of each bundle. What is still in use is compiled again. */
async function removeCompiled() {
  for (const name of await readdir(CACHE)) {
    if (!/^(?:main|v\d.*)$/.test(name)) continue;
    for (const path of await filesIn(join(CACHE, name))) {
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > COMPILED_MS) await rm(path, { force: true });
    }
  }
}

if (process.argv.includes('--idle')) setPriority(constants.priority.PRIORITY_LOW);
const name = await nameOfBundle();
await keepBuild(BUNDLES, name, async (directory) => {
  await make(directory);
  if ((await nameOfBundle()) !== name) throw new Error('The sources have changed meanwhile');
  await removeCompiled();
});
