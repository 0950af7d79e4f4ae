// @long: runs programs
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData, type Package } from '@arethetypeswrong/core';
import { PackedProject } from '@coffer/client/testing';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// What other repositories install: the packed packages in a project outside of this workspace, with only their
// dependencies.

const root = join(import.meta.dirname, '..');
const NAMES = ['postgres', 'x509', 'ssh', 'domain', 'api', 'client'] as const;
const COMPILERS = {
  'TypeScript 5': 'examples/node_modules/typescript-5/bin/tsc',
  'TypeScript 7': 'node_modules/typescript/bin/tsc',
};

/** The packed package, which by itself looks through all of its files whenever it is asked for a folder. */
function packageOf(tarball: Uint8Array): Package {
  const packed = createPackageFromTarballData(tarball);
  const parts = packed.listFiles().map((file) => file.split('/'));
  const folders = new Set(parts.flatMap((names) => names.map((_, depth) => names.slice(0, depth).join('/'))));
  packed.directoryExists = (path) => folders.has(path.replace(/\/$/, ''));
  return packed;
}

let project: PackedProject;
beforeAll(async () => {
  project = await PackedProject.of(...NAMES);
  await copyFile(join(import.meta.dirname, 'installed/main.ts'), join(project.path, 'main.ts'));
  // All packages are compiled for it.
}, 900_000);
afterAll(() => project?.remove());

describe('the packages', () => {
  it.each(NAMES)('%s contains JavaScript and declarations, and neither sources nor tests', async (name) => {
    const files = await readdir(project.folderOf(name), { recursive: true });
    expect(files.filter((file) => /\btest|testing|\.tsbuildinfo|(?<!\.d)\.ts$/.test(file))).toEqual([]);
    expect(files.some((file) => file.endsWith('index.js'))).toBe(true);
  });

  it.each(NAMES)('%s is published as it should be, in the eyes of publint', async (name) => {
    const tarball = Uint8Array.from(await readFile(project.tarballOf(name))).buffer;
    const { messages } = await publint({ pack: { tarball }, strict: true });
    expect(messages).toEqual([]);
  });

  it.each(NAMES)(
    '%s has types that fit its modules, in the eyes of arethetypeswrong',
    { timeout: 300_000 },
    async (name) => {
      const analysis = await checkPackage(packageOf(new Uint8Array(await readFile(project.tarballOf(name)))));
      // They are modules (ESM) only: who requires them gets them by Node's require(esm), and has no main field to go by.
      const known = ['CJSResolvesToESM', 'NoResolution'];
      const problems = analysis.types ? analysis.problems.filter(({ kind }) => !known.includes(kind)) : ['no types'];
      expect(problems).toEqual([]);
    },
  );

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
      await writeFile(join(project.path, file), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
      expect(await project.run(process.execPath, [join(root, compiler), '-p', file])).toBe('');
    },
    300_000,
  );

  it('run an operation of the domain and a procedure of the API on a separate PostgreSQL', async () => {
    const DATA_DIRECTORY = join(project.path, 'data');
    expect(await project.run(process.execPath, ['main.ts'], { DATA_DIRECTORY })).toBe(
      'GREETING is Hello in version 1\nThe request is for shop.example.com\nThe ssh-ed25519 key is for ann@example.com\n',
    );
  });
});
