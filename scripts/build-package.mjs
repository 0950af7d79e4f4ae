// Collects the published files of a package in its folder `build`: the JavaScript, declarations and source maps of `tsc
// -b`, without tests, their examples and outputs of deleted sources. `node ../../scripts/build-package.mjs`
import { copyFileSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

rmSync('build', { recursive: true, force: true });
const sources = globSync('src/**/*.ts', { exclude: ['src/**/*.test.ts', 'src/**/testing/**', 'src/**/examples.ts'] });
for (const source of sources) {
  const name = source.slice('src/'.length, -'.ts'.length);
  mkdirSync(dirname(join('build', name)), { recursive: true });
  // `cpSync` takes ten times as long.
  for (const ending of ['.js', '.js.map', '.d.ts'])
    copyFileSync(join('dist', name + ending), join('build', name + ending));
}
