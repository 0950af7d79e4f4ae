import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { createOutbound, jobs, parseCidrs, startWorker } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReceiver, type Receiver } from '../harness/receiver.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const KEY = 'a-key-that-both-sides-know';
const page = readFileSync(`${import.meta.dirname}/../../../../docs/watching.md`, 'utf8');

/** The example that contains this text, as printed. */
function example(language: string, text: string): string {
  const found = Array.from(page.matchAll(/```(\w+)\n(.*?)```/gs)).find(
    ([, name, block = '']) => name === language && block.includes(text),
  );
  return found?.[2] ?? `no example holds ${text}`;
}

const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
let test: TestServer;
let receiver: Receiver;
let env: Record<string, string>;
let at: { projectId: string; environment: string; secretPath: string };
beforeAll(async () => {
  test = await testServer({ fetch: outbound.fetch });
  receiver = await openReceiver();
  const project = await test.project();
  at = { projectId: project.id, environment: 'dev', secretPath: '/app' };
  await test.admin('POST', '/api/v2/folders', { ...at, path: '/', name: 'app' });
  env = {
    PATH: process.env['PATH'] ?? '',
    COFFER: await test.app.listen({ port: 0, host: '127.0.0.1' }),
    TOKEN: test.adminIdentity.token,
    PROJECT: project.id,
    RECEIVER: receiver.url,
    KEY,
  };
});
afterAll(async () => {
  await test.close();
  await receiver.close();
  await outbound.close();
});

const bash = (script: string) => ['-euo', 'pipefail', '-c', script];
const run = async (script: string): Promise<string> =>
  (await promisify(execFile)('bash', bash(script), { env, timeout: 60_000 })).stdout.trim();
const node = async (script: string): Promise<string> =>
  (await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { timeout: 60_000 })).stdout;
const write = async (key: string) =>
  expect((await test.admin('POST', `/api/v4/secrets/${key}`, { ...at, secretValue: 'x' })).status).toBe(200);

describe('docs/watching.md', () => {
  it('spares a read by its tag as printed', async () => {
    expect(await run(example('sh', 'If-None-Match'))).toBe('304');
  });

  it('subscribes as printed', async () => {
    const curl = spawn('bash', bash(`exec ${example('sh', 'subscribe')}`), { env });
    let told = '';
    curl.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
    try {
      await expect.poll(() => told).toContain('id: ');
      await write('HEARD');
      await expect.poll(() => told).toContain('"secretKey":"HEARD"');
      expect(told).toContain('"eventType":"secret:create"');
    } finally {
      curl.kill();
      await once(curl, 'close');
    }
  });

  it('creates a webhook as printed, whose calls its receiver can verify as printed', async () => {
    expect(JSON.parse(await run(example('sh', '/webhooks')))).toMatchObject({ webhook: { secretPath: '/app/**' } });
    const worker = await startWorker(test.coffer, jobs, { pollInterval: 100 });
    try {
      await write('TOLD');
      await expect.poll(() => receiver.received.length).toBe(1);
    } finally {
      await worker.stop();
    }
    const [{ headers, text, body }] = receiver.received as [Receiver['received'][number]];
    const shown = JSON.parse(example('json', 'secrets.modified')) as { project: object };
    expect([Object.keys(body), Object.keys(body.project)]).toEqual([Object.keys(shown), Object.keys(shown.project)]);

    // Another program, as a receiver is.
    const isFromCoffer = async (...given: readonly (string | undefined)[]): Promise<unknown> =>
      JSON.parse(
        await node(`${example('js', 'isFromCoffer')}
          const [key, header, body] = ${JSON.stringify(given)};
          process.stdout.write(JSON.stringify(isFromCoffer(key, header, body)));`),
      );
    const signature = String(headers['x-coffer-signature']);
    expect(headers['x-infisical-signature']).toBe(signature);
    expect(await isFromCoffer(KEY, signature, text)).toBe(true);
    const later = text.replace(String(body.timestamp), String(body.timestamp - 600_000));
    for (const [key, header, said] of [
      ['another', signature, text],
      [KEY, undefined, text],
      [KEY, signature.slice(0, -1), text],
      [KEY, signature, `${text} `],
      [KEY, signature, later],
    ] as const)
      expect(await isFromCoffer(key, header, said)).toBe(false);
  });
});
