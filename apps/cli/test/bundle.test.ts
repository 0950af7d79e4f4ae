import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bundle } from './harness/bundle.ts';

describe('the bundle', () => {
  it('has less than a megabyte, and loads for --version only what that needs', async () => {
    const main = await bundle();
    const directory = dirname(main);
    const sizeOf = (name: string): number => statSync(join(directory, name)).size;
    const all = readdirSync(directory).map(sizeOf);
    expect(all.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000);
    // Imports of modules, not those that wait for a command.
    const imported = [...readFileSync(main, 'utf8').matchAll(/import\{[^}]*\}from"\.\/([^"]+)"/g)].map(
      ([, name]) => name!,
    );
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.map(sizeOf).reduce((sum, size) => sum + size, sizeOf('main.mjs'))).toBeLessThan(4000);
  });

  it('sends a request without loading what fetch needs, or TLS', async () => {
    const shown = 'process.on("exit", () => console.error(process.moduleLoadList.join()))';
    const args = ['--import', `data:text/javascript,${shown}`, await bundle(), 'secrets', '--projectId=p', '--token=t'];
    const env = { PATH: process.env['PATH'], HOME: tmpdir(), COFFER_DOMAIN: 'http://127.0.0.1:9' };
    const { stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    expect(stderr).toContain('ECONNREFUSED');
    expect(stderr).toContain('NativeModule _http_client,');
    expect(stderr).not.toMatch(/undici|NativeModule tls/);
  });
});

describe('the package', () => {
  it('has its bundle and needs no other package, and runs where it is unpacked', () => {
    const [root, directory] = [join(import.meta.dirname, '../../..'), mkdtempSync(join(tmpdir(), 'coffer-package-'))];
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const run = (program: string, args: readonly string[], cwd = directory, input = '') =>
      spawnSync(program, args, { cwd, input, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: directory } });
    const packed = run(
      join(root, 'node_modules/.bin/pnpm'),
      ['pack', '--pack-destination', directory],
      join(root, 'apps/cli'),
    );
    expect(packed.status, packed.stderr).toBe(0);
    const [tarball] = readdirSync(directory).filter((name) => name.endsWith('.tgz'));
    expect(run('tar', ['xzf', tarball!]).status).toBe(0);
    expect(readdirSync(join(directory, 'package')).toSorted()).toEqual(['LICENSE', 'bin', 'dist', 'package.json']);
    const manifest = JSON.parse(readFileSync(join(directory, 'package/package.json'), 'utf8')) as Record<
      string,
      object
    >;
    expect([manifest['private'], manifest['dependencies']]).toEqual([undefined, undefined]);
    const program = join(directory, 'package/bin/coffer.mjs');
    expect(run(process.execPath, [program, '--version']).stdout).toMatch(/^coffer version \d/);
    // The rules are beside the bundle.
    expect(run(process.execPath, [program, 'scan', '--pipe'], directory, 'nothing').stderr).toBe('no leaks found\n');
  });
});
