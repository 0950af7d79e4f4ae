import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { sshKeygen, temporaryDirectory, testCoffer, type TestCoffer } from '@coffer/domain/testing';
import { createApp } from '@coffer/server';
import { afterAll, beforeAll, expect, it } from 'vitest';

let test: TestCoffer;
let app: Awaited<ReturnType<typeof createApp>>;
let url: string;
let directory: string;
beforeAll(async () => {
  directory = await temporaryDirectory('readme');
  test = await testCoffer();
  app = await createApp({ coffer: test.coffer });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app.close();
  await test.close();
  await rm(directory, { recursive: true, force: true });
});

it('the examples of the README run as printed, one after the other', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
  const examples = Array.from(readme.matchAll(/```sh\n(.*?)```/gs), ([, block = '']) => block).filter(
    (block) => /call POST|coffer run/.test(block) && !(sshKeygen.isMissing && block.includes('ssh-keygen')),
  );
  const script = examples.join('').replace('http://127.0.0.1:8080', url);
  const bin = join(import.meta.dirname, '../node_modules/.bin');
  const PATH = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter);
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', `TOKEN=\n${script}`], {
    env: { PATH, HOME: directory },
    cwd: directory,
  });
  const secrets = ['100', 'value 7', '100', '2: another, 1: value 7', 'KEY_7'];
  const commandLine = ["it's me", String.raw`export GREETING='it'\''s me'`, 'dev and prod differ'];
  const revoked = /^id_deploy-cert.pub .*REVOKED$/;
  const ssh = ['Principals:', 'deploy', expect.stringMatching(revoked), 'It is revoked'];
  const shown = [
    ...secrets,
    ...commandLine,
    'shop.pem: OK',
    '2',
    'IBAN 7',
    'Verified OK',
    ...(sshKeygen.isMissing ? [] : ssh),
  ];
  expect(stdout.trim().split(/\s*\n\s*/)).toEqual(shown);
});
