import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { data, failure, standIn, type StandIn } from './testing/stand-in.ts';

const home = join(import.meta.dirname, '..');
const root = join(home, '../..');
const bin = join(root, 'node_modules/.bin');

/** A project that has the packed client, what that depends on, and nothing else of this workspace. */
let project: string;
let server: StandIn;

const run = async (
  command: string,
  args: readonly string[],
  cwd = project,
  env: NodeJS.ProcessEnv = {},
): Promise<string> => {
  const PATH = bin + delimiter + process.env['PATH'];
  const { stdout } = await promisify(execFile)(command, args, { cwd, env: { ...process.env, ...env, PATH } }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${command} ${args.join(' ')}: ${error.stdout}${error.stderr}`);
    },
  );
  return stdout;
};

beforeAll(async () => {
  project = await realpath(await mkdtemp(join(tmpdir(), 'coffer-client-')));
  server = await standIn();
  const packed = join(project, 'node_modules/@coffer/client');
  await mkdir(packed, { recursive: true });
  await mkdir(join(project, 'node_modules/@trpc'));
  await run('pnpm', ['pack', '--pack-destination', project], home);
  await run('tar', ['xzf', 'coffer-client-0.1.0.tgz', '-C', packed, '--strip-components', '1']);
  const { dependencies } = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const link = async (from: string, name: string) =>
    symlink(await realpath(join(from, 'node_modules', name)), join(project, 'node_modules', name));
  for (const name of Object.keys(dependencies)) await link(home, name);
  await mkdir(join(project, 'node_modules/@types'));
  await link(root, '@types/node');
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
}, 120_000);

afterAll(async () => {
  await server.close();
  await rm(project, { recursive: true, force: true });
});

/** This one, and the machine's own where it is one that the package is for. */
const NODES = [process.execPath, '/usr/bin/node'].filter((node) => {
  const [, version] = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.match(/^v(\d+)/) ?? [];
  return Number(version) >= 20;
});

const PROGRAM = `
  import { CofferError, createCofferClient, type CofferClient, type Inputs, type Outputs } from '@coffer/client';

  const place: Inputs['secrets']['list'] = { projectId: 'p', environment: 'dev' };
  export const coffer: CofferClient = createCofferClient({ url: 'https://coffer.example.com', fetch, auth: { clientId: 'a', clientSecret: 'b' } });

  export async function names(signal: AbortSignal): Promise<string[]> {
    const { secrets }: Outputs['secrets']['list'] = await coffer.secrets.list.query(place, { signal });
    const since: string[] = secrets.map((secret) => secret.createdAt);
    return secrets.map((secret) => secret.secretKey + secret.version.toFixed() + since.length);
  }
  export const status = () => coffer.instance.status.query();
  export const inferred = () => coffer.secrets.trace.query({ ...place, secretName: 'A' });
  export const reason = (error: unknown) => (error instanceof CofferError ? error.reason : undefined);

  // @ts-expect-error a field is missing
  export const missing = coffer.secrets.list.query({ projectId: 'p' });
  // @ts-expect-error there is no such procedure
  export const unknown = coffer.secrets.steal.query({});
  // @ts-expect-error it is no mutation
  export const wrongKind = coffer.secrets.list.mutate(place);
  // @ts-expect-error a required input
  export const none = coffer.secrets.list.query();
  // @ts-expect-error not in the answer
  export const absent = async () => (await coffer.secrets.list.query(place)).secret;
`;

describe('the published package', () => {
  it('has what it exports, and no tests', async () => {
    const packed = join(project, 'node_modules/@coffer/client');
    const files = await readdir(packed, { recursive: true });
    expect(files).toContain('dist/index.js');
    expect(files).toContain('dist/index.d.ts');
    expect(files.filter((file) => /test|scripts|\.tsbuildinfo|(?<!\.d)\.ts$/.test(file))).toEqual([]);
  });

  it('needs nothing of the server, and nothing of Node', async () => {
    const dist = join(project, 'node_modules/@coffer/client/dist');
    const specifiers = new Set<string>();
    for (const file of await readdir(dist)) {
      for (const [, name] of (await readFile(join(dist, file), 'utf8')).matchAll(/(?:from|import\() ?'([^'.][^']*)'/g))
        specifiers.add(name ?? '');
    }
    expect([...specifiers].toSorted()).toEqual(['@trpc/client', 'eventsource-parser']);
  });

  it.each([
    ['a browser', { lib: ['es2022', 'dom'], module: 'preserve', moduleResolution: 'bundler' }],
    ['Node', { lib: ['es2023'], types: ['node'], module: 'nodenext' }],
    ['both', { lib: ['es2023', 'dom'], types: ['node'], module: 'nodenext' }],
  ])(
    'is understood by the compiler for %s, which refuses what is wrong',
    async (platform, options) => {
      const name = platform.replaceAll(' ', '-');
      await writeFile(join(project, `${name}.ts`), PROGRAM);
      const compilerOptions = {
        types: [],
        ...options,
        strict: true,
        exactOptionalPropertyTypes: true,
        declaration: true,
        outDir: 'out',
        skipLibCheck: false,
      };
      await writeFile(join(project, `${name}.json`), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
      expect(await run('tsc', ['-p', `${name}.json`])).toBe('');
    },
    60_000,
  );

  it.each(NODES)(
    'runs on %s',
    async (node) => {
      server.answer(({ path }) =>
        path === 'secrets.list'
          ? data({ secrets: [{ secretKey: 'A' }] })
          : failure(404, 'NOT_FOUND', 'secret.not_found'),
      );
      const program = `
      import { createCofferClient } from '@coffer/client';
      const coffer = createCofferClient({ url: process.env.COFFER_URL, token: 'tok-1' });
      const { secrets } = await coffer.secrets.list.query({ projectId: 'p', environment: 'dev' });
      const reason = await coffer.secrets.get.query({ projectId: 'p', environment: 'dev', secretName: 'B' }).catch((error) => error.reason);
      console.log(JSON.stringify([secrets, reason]));`;
      const output = await run(node, ['--input-type=module', '-e', program], project, { COFFER_URL: server.url });
      expect(JSON.parse(output)).toEqual([[{ secretKey: 'A' }], 'secret.not_found']);
    },
    60_000,
  );

  it('runs in a browser once it is bundled', async () => {
    const entry = `
      import { createCofferClient } from '@coffer/client';
      globalThis.result = createCofferClient({ url: '/coffer/', token: 'tok-1' }).secrets.list.query({ projectId: 'p', environment: 'dev' });`;
    await writeFile(join(project, 'entry.js'), entry);
    const config = {
      build: { lib: { entry: 'entry.js', formats: ['iife'], name: 'app', fileName: 'bundle' }, outDir: 'bundle' },
    };
    await writeFile(join(project, 'vite.config.js'), `export default ${JSON.stringify(config)};`);
    const output = await run('vite', ['build']);
    expect(output).not.toMatch(/externalized|warn/i);
    const [file] = (await readdir(join(project, 'bundle'))).filter((name) => name.endsWith('.js'));
    const bundle = await readFile(join(project, 'bundle', file ?? ''), 'utf8');
    expect(bundle).not.toMatch(/require\(|["'`]node:/);

    // What a page has and what Node has besides: no process, no Buffer, no require.
    const asked: string[] = [];
    const fetch = (url: string) => {
      asked.push(url);
      return Promise.resolve(new Response('[{"result":{"data":"secrets"}}]'));
    };
    const page = createContext({
      fetch,
      URL,
      AbortController,
      DOMException,
      setTimeout,
      clearTimeout,
      performance,
      location: new URL('https://shop.example/cart'),
    });
    new Script(bundle).runInContext(page);
    expect(await (page as { result: Promise<unknown> }).result).toBe('secrets');
    expect(asked).toEqual([
      expect.stringMatching(/^https:\/\/shop\.example\/coffer\/api\/trpc\/secrets\.list\?batch=1/),
    ]);
  }, 60_000);
});
