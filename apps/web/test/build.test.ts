import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, lutimes, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepBuild, useBuild } from '../build/keep.ts';
import { nameOfSources, rememberedNameOfSources, sourcesOfConsole } from '../build/sources.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coffer-build-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A program that notes in `made` when it works, and takes a while. */
const programOf = (builds: string, made: string) => `
  import { appendFile, mkdir, writeFile } from 'node:fs/promises';
  import { setTimeout } from 'node:timers/promises';
  import { keepBuild } from ${JSON.stringify(join(import.meta.dirname, '../build/keep.ts'))};
  await keepBuild(${JSON.stringify(builds)}, 'current', async (outside) => {
    await mkdir(outside);
    await appendFile(${JSON.stringify(made)}, 'made ');
    console.log('makes');
    await setTimeout(Number(process.argv[1]));
    await writeFile(outside + '/index.html', 'the page');
  });
`;
const start = (code: string, milliseconds: number) =>
  spawn(process.execPath, ['--input-type=module', '-e', code, String(milliseconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

describe('a build', () => {
  it('is made by one of several processes that want it at once, and the others wait for it', async () => {
    const [builds, made] = [join(folder, 'together'), join(folder, 'together.txt')];
    const all = Array.from({ length: 3 }, () => start(programOf(builds, made), 200));
    expect(await Promise.all(all.map(async (one) => (await once(one, 'close'))[0] as number))).toEqual([0, 0, 0]);
    expect(await readFile(made, 'utf8')).toBe('made ');
    expect(await readdir(builds)).toEqual(['current']);
  });

  it('of a process that was killed holds up nobody, and its files go, as those of older builds do', async () => {
    const [builds, made] = [join(folder, 'killed'), join(folder, 'killed.txt')];
    const killed = start(programOf(builds, made), 3_600_000);
    await once(killed.stdout, 'data');
    const ended = once(killed, 'close');
    killed.kill('SIGKILL');
    await ended;
    await mkdir(join(builds, 'older'));
    expect((await readdir(builds)).length).toBe(3);

    const directory = await keepBuild(builds, 'current', (outside) => mkdir(outside));
    expect(directory).toBe(join(builds, 'current'));
    expect(await readdir(builds)).toEqual(['current']);
  });

  it('that failed leaves nothing behind, and is tried again', async () => {
    const builds = join(folder, 'failed');
    const fail = async (outside: string) => {
      await mkdir(outside);
      throw new Error('no memory');
    };
    await expect(keepBuild(builds, 'current', fail)).rejects.toThrow('no memory');
    expect(await readdir(builds)).toEqual([]);
    await keepBuild(builds, 'current', (outside) => mkdir(outside));
    expect(await readdir(builds)).toEqual(['current']);
  });

  it('that somebody held for hours is made all the same', async () => {
    const builds = join(folder, 'held');
    await mkdir(builds);
    const lock = join(builds, 'lock');
    // This process runs; that it has this number is a coincidence after a restart of the machine.
    await symlink(String(process.pid), lock);
    await lutimes(lock, new Date(0), new Date(0));
    await keepBuild(builds, 'current', (outside) => mkdir(outside));
    expect(await readdir(builds)).toEqual(['current']);
  });
});

describe('an older build', () => {
  it('stays while a process uses it, and goes with a build after that', async () => {
    const builds = join(folder, 'used');
    const make = (name: string) => keepBuild(builds, name, (outside) => mkdir(outside));
    const older = await make('older');
    const user = start(
      `import { useBuild } from ${JSON.stringify(join(import.meta.dirname, '../build/keep.ts'))};
       process.on('SIGTERM', () => process.exit());
       console.log(useBuild(${JSON.stringify(older)}));
       setTimeout(() => undefined, Number(process.argv[1]));`,
      3_600_000,
    );
    expect(String(await once(user.stdout, 'data'))).toBe('true\n');
    await make('current');
    expect((await readdir(builds)).toSorted()).toEqual(['current', 'older']);

    const ended = once(user, 'close');
    user.kill();
    await ended;
    expect(await readdir(older)).toEqual([]);
    await make('newest');
    expect(await readdir(builds)).toEqual(['newest']);
  });

  it('that was removed is not used', () => {
    expect(useBuild(join(folder, 'removed'))).toBe(false);
  });
});

describe('the name of the sources', () => {
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const FILES = {
    'apps/web/index.html': 'page',
    'apps/web/vite.config.ts': 'settings',
    'apps/web/package.json': '{}',
    'apps/web/build/language.ts': 'translations',
    'apps/web/build/pseudo.ts': 'accents',
    'apps/web/src/screens/secrets/cell.tsx': 'cell',
    'apps/web/src/ui/base.css': 'styles',
    'packages/client/src/client.ts': 'client',
    'pnpm-lock.yaml': 'versions',
  };
  const sources = () => sourcesOfConsole(join(folder, 'checkout'));
  const name = async () => nameOfSources(await sources());
  beforeAll(async () => {
    for (const [path, text] of Object.entries(FILES)) await write(join('checkout', path), text);
  });

  it.each(Object.keys(FILES))('changes with %s: a stale build is not served', async (path) => {
    const before = await name();
    expect(await name()).toBe(before);
    await write(join('checkout', path), 'changed');
    expect(await name()).not.toBe(before);
  });

  it('changes with a file that is new, and with one that has another name', async () => {
    const before = await name();
    await write('checkout/apps/web/src/screens/new/new.tsx', 'screen');
    const withNew = await name();
    const source = join(folder, 'checkout/apps/web/src/screens/new/new.tsx');
    await cp(source, join(dirname(source), 'other.tsx'));
    await rm(source);
    expect(new Set([before, withNew, await name()]).size).toBe(3);
  });

  it('stays the same with tests, and with types of the contract', async () => {
    const before = await name();
    await write('checkout/apps/web/src/ui/field.test.ts', 'test');
    await write('checkout/packages/client/src/contract/secrets.ts', 'types');
    expect(await name()).toBe(before);
  });

  it('is remembered, and not after a change that keeps the size and the dates of a file', async () => {
    const memory = join(folder, 'memory', 'sources');
    const remembered = async () => rememberedNameOfSources(await sources(), memory);
    const current = await name();
    // Not while a further change could have the time of the last one.
    await expect.poll(async () => [await remembered(), existsSync(memory)]).toEqual([current, true]);

    // What is remembered is believed.
    const [state] = (await readFile(memory, 'utf8')).split(' ');
    await writeFile(memory, `${state} believed`);
    expect(await remembered()).toBe('believed');

    const source = join(folder, 'checkout/apps/web/src/ui/base.css');
    const { atime, mtime } = await stat(source);
    await writeFile(source, (await readFile(source, 'utf8')).toUpperCase());
    await utimes(source, atime, mtime);
    const changed = await remembered();
    expect(new Set(['believed', current, changed]).size).toBe(3);
    expect(changed).toBe(await name());
  });
});
