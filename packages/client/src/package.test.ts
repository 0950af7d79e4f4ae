import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PackedProject } from './testing/packed-project.ts';
import { data, failure, standIn, type StandIn } from './testing/stand-in.ts';

/** It has the packed client. */
let project: PackedProject;
let server: StandIn;

beforeAll(async () => {
  project = await PackedProject.of('client');
  server = await standIn();
});

afterAll(async () => {
  await server.close();
  await project.remove();
});

/** The running one, and the machine's own if the package supports it. */
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
  // @ts-expect-error unknown procedure
  export const unknown = coffer.secrets.steal.query({});
  // @ts-expect-error it is no mutation
  export const wrongKind = coffer.secrets.list.mutate(place);
  // @ts-expect-error a required input
  export const none = coffer.secrets.list.query();
  // @ts-expect-error not in the answer
  export const absent = async () => (await coffer.secrets.list.query(place)).secret;
`;

describe('the published package', () => {
  it('has its exports, and no tests', async () => {
    const files = await readdir(project.folderOf('client'), { recursive: true });
    expect(files).toContain('dist/index.js');
    expect(files).toContain('dist/index.d.ts');
    expect(files.filter((file) => /test|scripts|\.tsbuildinfo|(?<!\.d)\.ts$/.test(file))).toEqual([]);
  });

  it('needs nothing of the server, and nothing of Node', async () => {
    const dist = join(project.folderOf('client'), 'dist');
    const specifiers = new Set<string>();
    for (const file of await readdir(dist, { recursive: true })) {
      if (!/\.(js|ts)$/.test(file)) continue;
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
      await writeFile(join(project.path, `${name}.ts`), PROGRAM);
      const compilerOptions = {
        types: [],
        ...options,
        strict: true,
        exactOptionalPropertyTypes: true,
        declaration: true,
        outDir: 'out',
        skipLibCheck: false,
      };
      await writeFile(join(project.path, `${name}.json`), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
      expect(await project.run('tsc', ['-p', `${name}.json`])).toBe('');
    },
    300_000,
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
      const output = await project.run(node, ['--input-type=module', '-e', program], { COFFER_URL: server.url });
      expect(JSON.parse(output)).toEqual([[{ secretKey: 'A' }], 'secret.not_found']);
    },
    300_000,
  );

  it('runs in a browser after bundling', async () => {
    const entry = `
      import { createCofferClient } from '@coffer/client';
      globalThis.result = createCofferClient({ url: '/coffer/', token: 'tok-1' }).secrets.list.query({ projectId: 'p', environment: 'dev' });`;
    await writeFile(join(project.path, 'entry.js'), entry);
    const config = {
      build: { lib: { entry: 'entry.js', formats: ['iife'], name: 'app', fileName: 'bundle' }, outDir: 'bundle' },
    };
    await writeFile(join(project.path, 'vite.config.js'), `export default ${JSON.stringify(config)};`);
    const output = await project.run('vite', ['build']);
    expect(output).not.toMatch(/externalized|warn/i);
    const [file] = (await readdir(join(project.path, 'bundle'))).filter((name) => name.endsWith('.js'));
    const bundle = await readFile(join(project.path, 'bundle', file ?? ''), 'utf8');
    expect(bundle).not.toMatch(/require\(|["'`]node:/);

    // The globals that pages and Node share: no process, no Buffer, no require.
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
  });
});
