import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { BUILDER, BUNDLES, CHECKOUT, nameOfBundle, sourcesOfServer } from '../src/bundle/sources.ts';
import { stackInSources } from '../src/bundle/stack.ts';
import { childEnvironment, NODE_FLAGS, serverEnvironment } from './harness/child-environment.ts';
import { FROM_SOURCES, MAIN } from './harness/program.ts';

const inNode = (...args: string[]) => promisify(execFile)(process.execPath, args, { env: childEnvironment() });

describe('the bundle of the server', () => {
  let directory: string;
  beforeAll(async () => {
    await inNode(BUILDER);
    directory = join(BUNDLES, await nameOfBundle());
  });

  it('contains no module of ours that could change without another name', async () => {
    const maps = (await readdir(directory)).filter((name) => name.endsWith('.map'));
    const sources = await Promise.all(
      maps.map(async (name) => {
        const map = JSON.parse(await readFile(join(directory, name), 'utf8')) as { sources: string[] };
        return map.sources.map((source) => resolve(directory, source));
      }),
    );
    const ours = [...new Set(sources.flat())].filter((path) => existsSync(path) && !path.includes('/node_modules/'));
    const { files } = await sourcesOfServer();
    expect(ours.filter((path) => !files.includes(path))).toEqual([]);
    expect(ours.length).toBeGreaterThan(1000);
  });

  it('has the places that Node finds, for every line of some modules', async () => {
    let compared = 0;
    for (const name of [
      'run.js',
      'worker.js',
      ...(await readdir(directory)).filter((one) => /^start-.*\.js$/.test(one)),
    ]) {
      const file = join(directory, name);
      const map = new SourceMap(JSON.parse(await readFile(`${file}.map`, 'utf8')) as SourceMapPayload);
      for (const [line, code] of (await readFile(file, 'utf8')).split('\n').entries())
        for (let column = 0; column < code.length; column += 31) {
          const entry = map.findEntry(line, column);
          if (!('originalSource' in entry) || !entry.originalSource || entry.generatedLine !== line) continue;
          const place = `${pathToFileURL(file).href}:${line + 1}:${column + 1}`;
          const source = new URL(entry.originalSource, pathToFileURL(file)).href;
          const expected = `    at ${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
          expect(stackInSources(`    at ${place}`)).toBe(expected);
          compared++;
        }
    }
    expect(compared).toBeGreaterThan(200);
  });

  it('logs an internal error with its places in the sources, as a server from the sources does', async () => {
    const fromBundle = await failingStart(MAIN);
    expect(fromBundle.isBundled).toBe(true);
    const fromSources = await failingStart(...FROM_SOURCES);
    expect(fromSources.isBundled).toBe(false);
    expect(fromBundle.places).toEqual(fromSources.places);

    const [path, line] = fromBundle.places[0]!.split(':') as [string, string];
    expect(path).toBe(join(CHECKOUT, 'apps/server/src/start.ts'));
    expect((await readFile(path, 'utf8')).split('\n')[Number(line) - 1]).toContain('probe.listen(');
  });
});

/** A start at which nothing can listen, for a reason that nobody knows. The places of the logged error, innermost first. */
async function failingStart(...program: string[]): Promise<{ places: string[]; isBundled: boolean }> {
  const home = await mkdtemp(join(tmpdir(), 'coffer-failing-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const fault = `
    import { readdirSync } from 'node:fs';
    import { Server } from 'node:net';
    Server.prototype.listen = () => {
      const uses = (name) => readdirSync('${BUNDLES}/' + name).includes('used-by-' + process.pid);
      console.error(readdirSync('${BUNDLES}').some(uses) ? 'bundled' : '');
      throw new Error('a fault');
    };`;
  const flags = [...NODE_FLAGS, '--import', `data:text/javascript,${encodeURIComponent(fault)}`];
  const env = { ...serverEnvironment(), PORT: '0', COFFER_DATA_DIR: join(home, 'data') };
  const child = spawn(process.execPath, [...flags, ...program], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [log, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const { err } = JSON.parse(log.split('\n').find((line) => line.includes('a fault'))!) as { err: { stack: string } };
  const places = [...err.stack.matchAll(/(file:\/\/[^\s()]+):(\d+):\d+/g)].map(
    ([, file, line]) => `${fileURLToPath(file!)}:${line}`,
  );
  // Where they begin, programs differ.
  return { places: places.filter((place) => place.includes('/start.ts:')), isBundled: errors.startsWith('bundled') };
}

describe('a program that starts from its bundle', () => {
  let copy: string;
  const at = (path: string) => join(copy, path);
  const write = async (path: string, content: string) => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), content);
  };
  /** What runs: it says its text, where it believes to be, and whether it runs from a bundle. */
  const program = (says: string, more = '') => `
    export async function run() {
      const place: string = new Error().stack!.includes('/bundles/') ? 'bundle' : 'sources';
      console.log('${says}', new URL(import.meta.url).pathname, place);${more}
    }`;
  const RUN = 'apps/server/src/run.ts';
  const BUNDLES_OF_COPY = 'node_modules/.cache/coffer/bundles';
  const main = async () => (await inNode(at('apps/server/src/main.ts'))).stdout.trim();
  const build = () => inNode(at('scripts/bundle.mjs'));
  const from = (place: 'bundle' | 'sources', says: string) => `${says} ${at(RUN)} ${place}`;

  // The smallest workspace that has one, with what starts and bundles the server here.
  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'coffer-bundle-'));
    for (const path of ['scripts/bundle.mjs', 'apps/web/build', 'apps/web/package.json', 'apps/server/src/bundle'])
      await cp(join(CHECKOUT, path), at(path), { recursive: true });
    for (const name of ['main.ts', 'compact-start.ts', 'heap-limits.ts'])
      await cp(join(CHECKOUT, 'apps/server/src', name), at(`apps/server/src/${name}`));
    await write('apps/server/src/workers/worker.ts', 'export {};');
    for (const name of ['api', 'domain', 'postgres', 'ssh', 'x509']) await write(`packages/${name}/src/index.ts`, '');
    await write('pnpm-lock.yaml', '');
    await write(RUN, program('one'));
    await mkdir(at('node_modules/@coffer'), { recursive: true });
    await symlink(at('apps/web'), at('node_modules/@coffer/web'));
    await symlink(join(CHECKOUT, 'node_modules/vite'), at('node_modules/vite'));
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  it('starts from its sources until there is one, and then believes to be where these are', async () => {
    expect(await main()).toBe(from('sources', 'one'));
    await build();
    expect(await main()).toBe(from('bundle', 'one'));
    expect(readdirSync(at(BUNDLES_OF_COPY))).toHaveLength(1);
  });

  it('starts from its sources after a change of them, also of one that keeps the size and the dates', async () => {
    await build();
    const { atime, mtime } = await stat(at(RUN));
    await write(RUN, program('two'));
    await utimes(at(RUN), atime, mtime);
    expect(await main()).toBe(from('sources', 'two'));
    await build();
    expect(await main()).toBe(from('bundle', 'two'));
    expect(readdirSync(at(BUNDLES_OF_COPY))).toHaveLength(1);
  });

  it('starts from its sources under a debugger and a profiler', async () => {
    await build();
    const { stdout } = await inNode('--cpu-prof', `--cpu-prof-dir=${at('profiles')}`, at('apps/server/src/main.ts'));
    expect(stdout.trim()).toBe(from('sources', 'two'));
    const { stdout: said } = await inNode('--inspect=127.0.0.1:0', at('apps/server/src/main.ts'));
    expect(said.trim()).toBe(from('sources', 'two'));
  });

  it('starts from its sources where the bundle cannot be loaded', async () => {
    await build();
    const [name = ''] = readdirSync(at(BUNDLES_OF_COPY));
    await write(`${BUNDLES_OF_COPY}/${name}/run.js`, 'export const');
    expect(await main()).toBe(from('sources', 'two'));
    await rm(at(BUNDLES_OF_COPY), { recursive: true });
  });

  it('starts from its sources where nothing can be written', async () => {
    await rm(at('node_modules/.cache'), { recursive: true, force: true });
    await write('node_modules/.cache', 'no directory');
    await expect(build()).rejects.toThrow('ENOTDIR');
    expect(await main()).toBe(from('sources', 'two'));
    await rm(at('node_modules/.cache'));
  });

  it('makes its bundle after it has started from the sources, and not after it has ended', async () => {
    const load = await readFile(at('apps/server/src/bundle/load.ts'), 'utf8');
    await write('apps/server/src/bundle/load.ts', load.replace('REST_MS = 10_000', 'REST_MS = 1'));
    const isBuilt = () => existsSync(at(BUNDLES_OF_COPY));
    expect(await main()).toBe(from('sources', 'two'));
    expect(isBuilt()).toBe(false);

    await write(RUN, program('three', 'setInterval(() => undefined, 1000);'));
    const child = spawn(process.execPath, [at('apps/server/src/main.ts')], {
      env: childEnvironment(),
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    onTestFinished(async () => {
      child.kill();
      await ended;
    });
    await expect
      .poll(() => isBuilt() && readdirSync(at(BUNDLES_OF_COPY)))
      .toEqual([expect.stringMatching(/^[0-9a-f]{20}$/)]);
  });
});
