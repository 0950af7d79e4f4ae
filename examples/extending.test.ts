// @long: runs programs
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { runs } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// The cost of adding a member to a family: the patches in `extending/`, applied to a copy of the workspace.

const root = join(import.meta.dirname, '..');
const domain = 'packages/domain/src';
const MEMBERS = [
  {
    patch: 'login-method.patch',
    family: `${domain}/identities/auth-method`,
    folders: ['methods/cloudflare-access-auth'],
    page: 'docs/login-methods.md',
    section: '## Cloudflare Access Auth',
  },
  {
    patch: 'dynamic-secret-provider.patch',
    family: `${domain}/secrets/dynamic`,
    folders: ['providers/open-search'],
    page: 'docs/dynamic-secrets.md',
    section: '## OpenSearch',
  },
  {
    patch: 'sync-destination.patch',
    family: `${domain}/connections`,
    folders: ['apps/circleci', 'sync/destinations/circleci'],
    page: 'docs/integrations.md',
    section: '## CircleCI',
  },
] as const;
const isLong = runs(0, 1) > 0;
/**
 * The suites that find new members automatically. `pnpm search examples/extending` also runs those that take half a
 * minute.
 */
const suites = [
  ...MEMBERS.map(({ family }) => `${family}/conformance.test.ts`),
  'apps/server/test/docs/compatibility.test.ts',
  ...(isLong
    ? [
        'apps/server/test/family.test.ts',
        'apps/server/test/connections/integration/fault.test.ts',
        ...MEMBERS.flatMap(({ family, folders }) => folders.map((folder) => `${family}/${folder}/`)),
      ]
    : []),
];
/** In the folder of a member, each file counts. */
const TEST_FILES = isLong ? 8 : 4;
const NEW = /cloudflare-access-auth|Cloudflare Access Auth|open-search|OpenSearch|circleci|CircleCI/;
const PATIENCE = 600_000;

let copy: string;

async function run(command: string, args: readonly string[], cwd = copy): Promise<string> {
  // Of this run, nothing is handed down but where programs are. The copy is loaded by several programs: compiled once.
  const { HOME, CI } = process.env;
  const NODE_COMPILE_CACHE = join(copy, '.compiled');
  const env = { HOME, CI, NODE_COMPILE_CACHE, PATH: join(root, 'node_modules/.bin') + delimiter + process.env['PATH'] };
  const ran = promisify(execFile)(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
  const { stdout } = await ran.catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${command} ${args.join(' ')}: ${error.stdout}${error.stderr}`);
  });
  return stdout;
}

const patchOf = (name: string) => join(import.meta.dirname, 'extending', name);
const textOf = (path: string) => readFile(join(copy, path), 'utf8');

/** Copies what the tests of the packages and of the server need. Links to packages lead to their copies. */
async function copyWorkspace(): Promise<void> {
  const isWanted = (source: string) => !/\/(?:packages|apps)\/\w+\/(?:build|dist)$/.test(source);
  for (const path of ['packages', 'apps', 'docs', 'scripts'])
    await cp(join(root, path), join(copy, path), { recursive: true, verbatimSymlinks: true, filter: isWanted });
  for (const file of ['package.json', 'tsconfig.base.json', 'vitest.config.ts'])
    await cp(join(root, file), join(copy, file));
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const project of ['examples', 'bench']) await mkdir(join(copy, project));
}

/** Type-checks these files with their imports. The complete workspace takes a minute. */
async function checkTypes(include: readonly string[]): Promise<void> {
  const compilerOptions = { noEmit: true, composite: false, declaration: false, sourceMap: false, rootDir: '.' };
  await writeFile(
    join(copy, 'tsconfig.json'),
    JSON.stringify({ extends: './tsconfig.base.json', compilerOptions, include }),
  );
  expect(await run('tsc', ['-p', 'tsconfig.json'])).toBe('');
}

/** Runs the tests of the new members, and of the page of supported ones; returns how many pass in each file. */
async function runTests(files: readonly string[]): Promise<Record<string, number>> {
  const titles = `${NEW.source}|docs/compatibility.md`;
  const report = { '--reporter': 'json', '--outputFile': 'report.json' };
  const options = {
    '--project': 'product',
    '--maxWorkers': isLong ? '2' : '1',
    '--testNamePattern': titles,
    ...report,
  };
  const given = Object.entries(options).map(([name, value]) => `${name}=${value}`);
  await run('vitest', ['run', ...given, ...files]);
  const { testResults } = JSON.parse(await textOf('report.json')) as {
    testResults: { name: string; assertionResults: { status: string }[] }[];
  };
  const passed = testResults.map(({ name, assertionResults }) => [
    name.slice(copy.length + 1),
    assertionResults.filter(({ status }) => status === 'passed').length,
  ]);
  return Object.fromEntries(passed);
}

beforeAll(async () => {
  copy = await realpath(await mkdtemp(join(tmpdir(), 'coffer-extending-')));
  await copyWorkspace();
}, PATIENCE);
afterAll(() => rm(copy, { recursive: true, force: true }));

describe('a new member of a family', () => {
  it.each(MEMBERS)('is its folder and its entry in the registry: $patch', async ({ patch, family, folders }) => {
    await run('git', ['apply', '--check', patchOf(patch)]);
    const stat = await run('git', ['apply', '--numstat', patchOf(patch)]);
    const changes = stat
      .trim()
      .split('\n')
      .map((line) => line.split('\t') as [added: string, removed: string, path: string]);
    const outside = changes.filter(([, , path]) => !folders.some((folder) => path.startsWith(`${family}/${folder}/`)));
    expect(outside.map(([, , path]) => path)).toEqual([`${family}/registry.ts`]);
    // An import and the name, where the list may be broken into lines.
    const [added = 0] = outside.map(([count]) => Number(count));
    expect(added).toBeLessThanOrEqual(12);
  });

  it(
    'gets its pages, its types and the tests of its family',
    async () => {
      for (const { patch } of MEMBERS) await run('git', ['apply', patchOf(patch)]);
      await run('node', ['scripts/pages.mjs']);
      await run('node', ['scripts/generate.ts'], join(copy, 'packages/client'));

      for (const { page, section } of MEMBERS) expect(await textOf(page)).toContain(`\n${section}\n`);
      const rows = await textOf('docs/compatibility.md');
      expect(rows).toContain('`POST /api/v1/auth/cloudflare-access-auth/login`');
      expect(rows).toContain('`open-search`; what');
      const contract = 'packages/client/src/contract';
      expect(await textOf(`${contract}/index.ts`)).toContain('  cloudflareAccessAuth: CloudflareAccessAuthApi;\n');
      expect(await textOf(`${contract}/dynamic-secrets.ts`)).toContain("'open-search'");

      await checkTypes([
        ...MEMBERS.flatMap(({ family, folders }) => [
          `${family}/registry.ts`,
          ...folders.map((folder) => `${family}/${folder}/*.ts`),
        ]),
        'packages/client/src/index.ts',
      ]);
      const passed = await runTests(suites);
      expect(Object.keys(passed)).toHaveLength(TEST_FILES);
      expect(Object.entries(passed).filter(([, count]) => count < 2)).toEqual([]);
    },
    PATIENCE,
  );
});
