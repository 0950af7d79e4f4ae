import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// What other repositories install: the packed packages in a project outside of this workspace, with their dependencies
// and nothing else.

const root = join(import.meta.dirname, '..');
const NAMES = ['postgres', 'domain', 'api', 'client'] as const;
const COMPILERS = {
  'TypeScript 5': 'examples/node_modules/typescript-5/bin/tsc',
  'TypeScript 7': 'node_modules/typescript/bin/tsc',
};

let project: string;
const tarballOf = (name: string) => join(project, `coffer-${name}-0.1.0.tgz`);

async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const PATH = join(root, 'node_modules/.bin') + delimiter + process.env['PATH'];
  const ran = promisify(execFile)(command, args, { cwd, env: { ...process.env, ...env, PATH } });
  const { stdout } = await ran.catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${command} ${args.join(' ')}: ${error.stdout}${error.stderr}`);
  });
  return stdout;
}

/** Packs a package and unpacks it into the project, beside what it depends on. */
async function install(name: (typeof NAMES)[number]): Promise<void> {
  const home = join(root, 'packages', name);
  const packed = join(project, 'node_modules/@coffer', name);
  await mkdir(packed, { recursive: true });
  await run('pnpm', ['pack', '--pack-destination', project], home);
  await run('tar', ['xzf', tarballOf(name), '-C', packed, '--strip-components', '1'], project);
  const { dependencies } = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const dependency of Object.keys(dependencies).filter((one) => !one.startsWith('@coffer/')))
    await link(home, dependency);
}

async function link(home: string, name: string): Promise<void> {
  const to = join(project, 'node_modules', name);
  await mkdir(join(to, '..'), { recursive: true });
  await symlink(await realpath(join(home, 'node_modules', name)), to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

beforeAll(async () => {
  project = await realpath(await mkdtemp(join(tmpdir(), 'coffer-packages-')));
  for (const name of NAMES) await install(name);
  await link(root, '@types/node');
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  await copyFile(join(import.meta.dirname, 'installed/main.ts'), join(project, 'main.ts'));
}, 300_000);
afterAll(() => rm(project, { recursive: true, force: true }));

describe('the packages', () => {
  it.each(NAMES)('%s holds JavaScript and declarations, and neither sources nor tests', async (name) => {
    const files = await readdir(join(project, 'node_modules/@coffer', name), { recursive: true });
    expect(files.filter((file) => /\btest|testing|\.tsbuildinfo|(?<!\.d)\.ts$/.test(file))).toEqual([]);
    expect(files.some((file) => file.endsWith('index.js'))).toBe(true);
  });

  it.each(NAMES)('%s is published as it should be, in the eyes of publint', async (name) => {
    const tarball = Uint8Array.from(await readFile(tarballOf(name))).buffer;
    const { messages } = await publint({ pack: { tarball }, strict: true });
    expect(messages).toEqual([]);
  });

  it.each(NAMES)('%s has types that fit its modules, in the eyes of arethetypeswrong', async (name) => {
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(tarballOf(name)))));
    // They are modules (ESM) only: who requires them gets them by Node's require(esm), and has no main field to go by.
    const known = ['CJSResolvesToESM', 'NoResolution'];
    const problems = analysis.types ? analysis.problems.filter(({ kind }) => !known.includes(kind)) : ['no types'];
    expect(problems).toEqual([]);
  });

  it.each(Object.entries(COMPILERS))(
    'are understood by %s in strict mode',
    async (name, compiler) => {
      const compilerOptions = {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
        target: 'es2024',
        lib: ['es2024', 'esnext.collection', 'dom', 'dom.iterable'],
        module: 'nodenext',
        types: ['node'],
        skipLibCheck: true,
      };
      const file = `${name.replace(' ', '-')}.json`;
      await writeFile(join(project, file), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
      expect(await run(process.execPath, [join(root, compiler), '-p', file], project)).toBe('');
    },
    120_000,
  );

  it('run an operation of the domain and a procedure of the API on a PostgreSQL of their own', async () => {
    const DATA_DIRECTORY = join(project, 'data');
    expect(await run(process.execPath, ['main.ts'], project, { DATA_DIRECTORY })).toBe(
      'GREETING is Hello in version 1\n',
    );
  }, 120_000);
});
