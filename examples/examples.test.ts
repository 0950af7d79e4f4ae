import { execFile } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createCofferClient } from '@coffer/client';
import { testCoffer, type TestCoffer } from '@coffer/domain/testing';
import { createApp } from '@coffer/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// Each example runs as its reader would run it: as a separate program, against a listening server.

type App = Awaited<ReturnType<typeof createApp>>;
let test: TestCoffer;
let app: App;
let url: string;
/** The others continue from the end of this one. */
let quickstart: Ran;

beforeAll(async () => {
  test = await testCoffer();
  app = await createApp({ coffer: test.coffer });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  quickstart = await run('http/quickstart.sh', { COFFER_URL: url, COFFER_PASSWORD: 'correct horse battery' });
});
afterAll(async () => {
  await app.close();
  await test.close();
});

interface Ran {
  readonly lines: string[];
  /** What its last lines export. */
  readonly exported: Record<string, string>;
}

async function run(file: string, env: Record<string, string>): Promise<Ran> {
  const program = file.endsWith('.sh') ? 'bash' : process.execPath;
  const PATH = dirname(process.execPath) + delimiter + process.env['PATH'];
  // They load the domain from its sources: compiled once.
  const { NODE_COMPILE_CACHE } = process.env;
  const { stdout } = await promisify(execFile)(program, [join(import.meta.dirname, file)], {
    env: { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...env },
  });
  const lines = stdout.trim().split('\n');
  const exported = Array.from(stdout.matchAll(/^export (\w+)=(.*)$/gm), ([, name = '', value = '']) => [name, value]);
  return { lines, exported: Object.fromEntries(exported) as Record<string, string> };
}

describe('the examples', () => {
  it('fill an empty Coffer with curl', () => {
    const { lines, exported } = quickstart;
    expect(lines).toEqual(
      expect.arrayContaining([
        'Ok',
        'a token for 3600 seconds',
        '100 secrets',
        'value 42',
        'version 2: another value',
        'version 1: value 42',
        '2 versions',
        '99 secrets',
      ]),
    );
    const names = ['COFFER_URL', 'COFFER_CLIENT_ID', 'COFFER_CLIENT_SECRET', 'COFFER_PROJECT_ID', 'COFFER_TOKEN'];
    expect(Object.keys(exported)).toEqual(names);
  });

  it('report why a call was rejected', async () => {
    await expect(run('http/quickstart.sh', { COFFER_URL: url })).rejects.toThrow(
      /POST \/api\/v1\/admin\/bootstrap: .*"statusCode":400/,
    );
  });

  it('read and write with the typed client', async () => {
    const { lines } = await run('frontend/main.ts', quickstart.exported);
    expect(lines).toEqual([
      expect.stringMatching(/^Quickstart has 99 secrets, last changed on \d{4}-\d\d-\d\dT/),
      expect.stringMatching(/^GREETING is new \(404 secret\.not_found, in the log under req-\w{14}\)$/),
      'GREETING is "Hello, world" in version 2',
      'Nobody waited for the list',
      'heard of [{"environment":"dev","secretPath":"/","secretKey":"GREETING"}]',
    ]);
  });

  it('encrypt and sign with the typed client', async () => {
    const { lines } = await run('kms/main.ts', quickstart.exported);
    expect(lines).toEqual([
      'It is DE02 1203',
      'In another row: kms.ciphertext',
      'Now by version 2',
      '3 of 3 are encrypted',
      'The signature is true',
    ]);
  });

  it('issue and revoke an SSH certificate with the typed client', async () => {
    const { lines } = await run('ssh/main.ts', quickstart.exported);
    expect(lines).toEqual([
      'TrustedUserCAKeys has ssh-ed25519',
      '-----BEGIN OPENSSH PRIVATE KEY----- and ssh-ed25519-cert-v01@openssh.com',
      'As root: ssh_certificate.principals',
      'For deploy: revoked',
    ]);
  });

  it('work on the database without HTTP, and the server sees it', async () => {
    const { COFFER_TOKEN = '' } = quickstart.exported;
    const { lines } = await run('domain/main.ts', {
      DATABASE_URL: test.databaseUrl,
      COFFER_ROOT_KEY: test.rootKey,
      COFFER_TOKEN,
    });
    expect(lines).toEqual([
      'DATABASE is postgres://db.example.com/app in version 1',
      expect.stringMatching(/^Domain example \([0-9a-f-]{36}\) has DATABASE and HOST$/),
      'NOTHING: not_found, secret.not_found',
    ]);
    const projectId = lines[1]?.match(/\((.*)\)/)?.[1] ?? '';
    const client = createCofferClient({ url, token: COFFER_TOKEN });
    const { secret } = await client.secrets.get.query({ projectId, environment: 'dev', secretName: 'HOST' });
    expect(secret.secretValue).toBe('db.example.com');
  });

  it.each(['frontend/main.ts', 'kms/main.ts', 'ssh/main.ts', 'domain/main.ts'])(
    'report what they need: %s',
    async (file) => {
      await expect(run(file, {})).rejects.toThrow(/Set [A-Z_, and]+/);
    },
  );
});
