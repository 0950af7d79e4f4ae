import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { testCoffer, type TestCoffer } from '@coffer/domain/testing';
import { createApp } from '@coffer/server';
import { afterAll, beforeAll, expect, it } from 'vitest';

let test: TestCoffer;
let app: Awaited<ReturnType<typeof createApp>>;
let url: string;
beforeAll(async () => {
  test = await testCoffer();
  app = await createApp({ coffer: test.coffer });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
}, 60_000);
afterAll(async () => {
  await app.close();
  await test.close();
});

it('the example of the README runs as printed', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
  const example = Array.from(readme.matchAll(/```sh\n(.*?)```/gs), ([, block = '']) => block).find((block) =>
    block.includes('admin/bootstrap'),
  )!;
  const script = example.replace('http://127.0.0.1:8080', url);
  const PATH = dirname(process.execPath) + delimiter + process.env['PATH'];
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', `TOKEN=\n${script}`], {
    env: { PATH },
  });
  expect(stdout.trim().split('\n')).toEqual(['100', 'value 7', '100', '2: another, 1: value 7', 'KEY_7']);
}, 60_000);
