import { resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'vite';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** The bundle of `@coffer/domain/schemas` for browsers, as text, and its imports from outside of this workspace. */
async function bundle() {
  const packages = new Set();
  const plugin = {
    name: 'packages',
    enforce: 'pre',
    resolveId: (id, importer) => {
      if (!/^[./\0]|^@coffer\//.test(id) && !importer?.includes('/node_modules/')) packages.add(id);
    },
  };
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'silent',
    root,
    plugins: [plugin],
    build: {
      write: false,
      minify: false,
      lib: { entry: 'packages/domain/src/schemas.ts', name: 'schemas', formats: ['iife'] },
      // Without tree shaking: the result must not depend on the bundler.
      rolldownOptions: { treeshake: false },
    },
  });
  return { packages, code: output[0].code };
}

it('the schemas of the domain run in a browser, and reach neither Node nor the database', async () => {
  const { packages, code } = await bundle();
  expect(packages).toEqual(new Set(['ipaddr.js', 'zod']));
  expect(code).not.toMatch(/__vite-browser-external|require\(['"]/);
  const browser = createContext({ URL, TextEncoder, TextDecoder, crypto });
  const parse = (schema, value) =>
    JSON.parse(
      runInContext(
        `JSON.stringify(schemas.${schema}.safeParse(${JSON.stringify(value)}).error?.issues ?? [])`,
        browser,
      ),
    ).map(({ path }) => path.join('.'));
  runInContext(`${code}; globalThis.schemas = schemas`, browser);
  expect(parse('CreateTag', { projectId: 'p', slug: 'Not a slug!', color: '' })).toEqual(['slug']);
  const kubernetes = `authMethodInputs['kubernetes-auth'].Config`;
  expect(parse(kubernetes, { kubernetesHost: 'http://cluster', allowedNamespaces: '', allowedNames: '' })).toEqual([
    'kubernetesHost',
    'allowedAudience',
  ]);
  const redis = { host: 'cache', port: 6379, username: '', creationStatement: 'x', revocationStatement: 'x', ca: 'no' };
  // Only the server reads certificates.
  expect(parse(`providerInputs.find(({ type }) => type === 'redis').inputs`, { ...redis, port: 0 })).toEqual(['port']);
});
