import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { childEnvironment, NODE_FLAGS, serverEnvironment } from './harness/child-environment.ts';
import { FROM_SOURCES, MAIN } from './harness/program.ts';

/** Timeout of tests that start several processes: each takes seconds. */
const PATIENCE = 300_000;

let home: string;
/** One database serves all tests that need one: creating it takes seconds. */
let dataDir: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'coffer-start-'));
  dataDir = join(home, 'data');
});

const running = new Set<ChildProcess>();
afterAll(async () => {
  const ended = Array.from(running, (child) => once(child, 'exit'));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ended);
  await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}, PATIENCE);

/** The real program, as `npm start` runs it. */
function start(environment: Record<string, string>, program: readonly string[] = [MAIN]) {
  const env = { ...serverEnvironment(), PORT: '0', COFFER_DATA_DIR: dataDir, ...environment };
  const child = spawn(process.execPath, [...NODE_FLAGS, ...program], {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const errors = text(child.stderr);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return {
    child,
    ended,
    errors,
    output: () => output,
    /** The address, after the start. */
    async url(): Promise<string> {
      for (;;) {
        const [, url] = /Coffer serves on (http:\/\/[\d.:]+)/.exec(output) ?? [];
        if (url) return url;
        if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${await errors}`);
        await sleep(20);
      }
    },
    async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
      child.kill(signal);
      return ended;
    },
  };
}

/** A refused start: one message, an exit code, no stack. */
async function refusal(environment: Record<string, string>) {
  const server = start(environment);
  const code = await server.ended;
  const message = await server.errors;
  expect(message).toMatch(/^Coffer did not start: /);
  expect(message + server.output()).not.toMatch(/\n\s+at |Error:/);
  return { code, message };
}

const BOOTSTRAP = { email: 'admin@example.com', password: 'correct horse', organization: 'Acme' };
const bootstrap = (url: string, more: { setupCode?: string | undefined } = {}) =>
  fetch(`${url}/api/v1/admin/bootstrap`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...BOOTSTRAP, ...more }),
  });

describe('the first start', () => {
  it(
    'starts from an empty directory, prints the first steps, and finishes requests before it stops',
    async () => {
      const server = start({});
      const url = await server.url();
      await expect.poll(server.output).toContain('Keep a copy of');
      expect(server.output()).toContain(`curl ${url}/api/v1/admin/bootstrap`);
      expect((await stat(join(dataDir, 'root.key'))).mode & 0o777).toBe(0o600);
      const key = await readFile(join(dataDir, 'root.key'), 'utf8');
      expect(server.output()).not.toContain(key.trim());
      // It serves with a role of minimal privileges: the start warns about others.
      expect(server.output()).not.toContain('"excess"');

      // The bootstrap request is half sent when the server gets two signals to stop.
      const body = JSON.stringify(BOOTSTRAP);
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      const idle = connect(Number(new URL(url).port), '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      const answered = once(socket, 'end');
      socket.write(
        `POST /api/v1/admin/bootstrap HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
      );
      await expect.poll(() => answer).toBe('HTTP/1.1 100 Continue\r\n\r\n');
      socket.write(body.slice(0, 10));
      server.child.kill('SIGTERM');
      const served = () => fetch(`${url}/api/status`).then(({ status }) => status, String);
      await expect.poll(served, { timeout: 30_000 }).toContain('fetch failed');
      server.child.kill('SIGINT');
      expect(await served()).toContain('fetch failed');
      socket.write(body.slice(10));
      await answered;
      expect(answer).toMatch(/Continue\r\n\r\nHTTP\/1\.1 200 OK[^]*connection: close[^]*Successfully bootstrapped/i);
      expect(await server.ended).toBe(0);
      expect(server.output()).toContain('Coffer has stopped');
      expect(await server.errors).toBe('');
      idle.destroy();
    },
    PATIENCE,
  );
});

describe('a first start that others reach', () => {
  it(
    'accepts the set-up code from its log and from a file for its owner, and only known hosts',
    async () => {
      const own = join(home, 'exposed');
      const environment = { HOST: '0.0.0.0', COFFER_DATA_DIR: own, COFFER_METRICS_ADDRESS: '127.0.0.1:0' };
      const first = start(environment, FROM_SOURCES);
      await first.url();
      await expect.poll(first.output).toContain('setup-code');
      expect(first.output()).toContain('set COFFER_SITE_URL');
      const path = join(own, 'setup-code');
      const stale = (await readFile(path, 'utf8')).trim();
      expect(first.output()).toContain(stale);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      await first.stop();

      const server = start({ ...environment, COFFER_HOSTS: 'coffer.test' });
      const url = (await server.url()).replace('0.0.0.0', '127.0.0.1');
      expect(server.output()).not.toContain('set COFFER_SITE_URL');
      const code = (await readFile(path, 'utf8')).trim();
      expect(code).not.toBe(stale);
      // From this machine as from any other.
      for (const setupCode of [undefined, stale]) expect((await bootstrap(url, { setupCode })).status).toBe(401);
      expect((await bootstrap(url, { setupCode: code })).status).toBe(200);
      expect((await bootstrap(url, { setupCode: code })).status).toBe(400);
      const ask = (host: string) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        socket.write(`GET /api/v1/admin/config HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
        return text(socket);
      };
      expect(await ask('coffer.test')).toMatch(/^HTTP\/1\.1 200 /);
      for (const host of ['0.0.0.0', 'evil.example']) expect(await ask(host)).toMatch(/^HTTP\/1\.1 421 /);
      await server.stop();
    },
    PATIENCE,
  );
});

describe('a start', () => {
  it(
    'after a kill keeps its data, locks the directory, and restarts after the next one',
    async () => {
      const killed = start({});
      const url = await killed.url();
      expect(killed.output()).not.toContain('create the first administrator');
      expect((await bootstrap(url)).status).toBe(400);

      const second = await refusal({});
      expect(second.code).toBe(69);
      expect(second.message).toMatch(/is in use by process \d+ .*COFFER_DATA_DIR/);
      expect((await fetch(`${url}/api/status`)).status).toBe(200);

      expect(await killed.stop('SIGKILL')).toBe(null);
      const server = start({});
      expect((await bootstrap(await server.url())).status).toBe(400);
      expect(await server.stop()).toBe(0);
    },
    PATIENCE,
  );

  it(
    'is rejected with another root key, and none is created to replace a lost one',
    async () => {
      const wrong = await refusal({ COFFER_ROOT_KEY: Buffer.alloc(32, 1).toString('base64') });
      expect(wrong.code).toBe(78);
      expect(wrong.message).toMatch(
        /belongs to the root key with fingerprint [0-9a-f-]{19}; the given one has [0-9a-f-]{19}/,
      );
      const path = join(dataDir, 'root.key');
      const key = await readFile(path, 'utf8');
      // What follows starts with the key, whatever comes of this.
      onTestFinished(() => writeFile(path, key, { mode: 0o600 }));
      await unlink(path);
      const lost = await refusal({});
      expect(lost.code).toBe(78);
      expect(lost.message).toContain('root.key is missing, but');
      await writeFile(path, 'nonsense');
      expect((await refusal({})).message).toContain('holds no root key');
    },
    PATIENCE,
  );

  it(
    'uses the root key that a command has replaced',
    async () => {
      const old = await readFile(join(dataDir, 'root.key'), 'utf8');
      const cli = join(import.meta.dirname, '../../cli/bin/coffer.mjs');
      const rotate = async (environment: Record<string, string>) => {
        const command = spawn(process.execPath, [...NODE_FLAGS, cli, 'server', 'keys', 'rotate-root'], {
          cwd: home,
          env: { ...childEnvironment(), COFFER_DATA_DIR: dataDir, ...environment },
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        const faults = text(command.stderr);
        const [code] = await once(command, 'exit');
        return [code, code === 0 ? '' : await faults];
      };
      const key = () => readFile(join(dataDir, 'root.key'), 'utf8');
      const draft = join(dataDir, 'root.key.new');
      // An interrupted rotation may have wrapped everything with the key of the draft.
      await writeFile(draft, `${Buffer.alloc(32, 2).toString('base64')}\n`, { mode: 0o600 });
      const given = Buffer.alloc(32, 3).toString('base64');
      expect(await rotate({ COFFER_NEW_ROOT_KEY: given })).toEqual([78, expect.stringContaining('finish that first')]);
      expect(await key()).toBe(old);
      await unlink(draft);
      expect(await rotate({ COFFER_NEW_ROOT_KEY: given })).toEqual([0, '']);
      expect(await key()).toBe(`${given}\n`);
      expect(await rotate({})).toEqual([0, '']);
      expect([old, `${given}\n`]).not.toContain(await key());
      expect(await readdir(dataDir)).not.toContain('root.key.new');
      const refused = { code: 78, message: expect.stringContaining('the root key with fingerprint') };
      expect(await refusal({ COFFER_ROOT_KEY: old.trim() })).toEqual(refused);
    },
    PATIENCE,
  );

  it(
    'with the right root key serves, and shuts down cleanly, with a non-zero exit code, on an uncaught error',
    async () => {
      const fault = `process.once('SIGUSR2', () => void Promise.reject(new Error('a fault')))`;
      const server = start({}, ['--import', `data:text/javascript,${encodeURIComponent(fault)}`, MAIN]);
      await server.url();
      expect(await server.stop('SIGUSR2')).toBe(1);
      expect(server.output()).toContain('Uncaught error');
      expect(server.output()).toContain('Coffer has stopped');
    },
    PATIENCE,
  );
});

describe('a start is refused', { timeout: PATIENCE }, () => {
  const empty = () => join(home, `empty-${Math.random()}`);

  it('where the configuration is wrong', async () => {
    const { code, message } = await refusal({ PORT: 'x', LOG_LEVEL: 'y' });
    expect(code).toBe(78);
    expect(message).toMatch(/2 faults:\n {2}PORT: .*\n {2}LOG_LEVEL: /);
  });

  it('if another program has the port, and creates nothing', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const directory = empty();
    const { code, message } = await refusal({
      PORT: String((other.address() as AddressInfo).port),
      COFFER_DATA_DIR: directory,
    });
    other.close();
    expect(code).toBe(69);
    expect(message).toMatch(/cannot listen on 127\.0\.0\.1, port \d+: another program uses this port/);
    await expect(stat(directory)).rejects.toThrow('ENOENT');
  });

  it('if a file has the name of the data directory', async () => {
    const path = join(home, 'file');
    await writeFile(path, '');
    for (const directory of [path, join(path, 'below')]) {
      const { code, message } = await refusal({ COFFER_DATA_DIR: directory });
      expect(code).toBe(78);
      expect(message).toContain('a file has this name');
    }
  });

  it('where the database is not there', async () => {
    const [port] = (await freePorts(1)) as [number];
    const directory = empty();
    const { code, message } = await refusal({
      DATABASE_URL: `postgres://me:canary@127.0.0.1:${port}/coffer`,
      COFFER_ROOT_KEY: Buffer.alloc(32, 1).toString('base64'),
      COFFER_DATABASE_WAIT: '1',
      COFFER_DATA_DIR: directory,
    });
    expect(code).toBe(69);
    expect(message).toContain(`the database at 127.0.0.1:${port}/coffer (as me) does not answer (ECONNREFUSED)`);
    expect(message).not.toContain('canary');
    await expect(stat(directory)).rejects.toThrow('ENOENT');
  });

  it('if the database rejects the login', async () => {
    const url = new URL(process.env['COFFER_TEST_DATABASE_URL'] ?? '');
    const key = { COFFER_ROOT_KEY: Buffer.alloc(32, 1).toString('base64') };
    const none = await refusal({
      ...key,
      DATABASE_URL: Object.assign(new URL(url), { pathname: '/nothing' }).toString(),
    });
    expect(none).toMatchObject({ code: 78, message: expect.stringContaining('the database does not exist') as string });
    const password = await refusal({
      ...key,
      DATABASE_URL: Object.assign(new URL(url), { password: 'wrong' }).toString(),
    });
    expect(password).toMatchObject({
      code: 78,
      message: expect.stringContaining('the server rejects the password') as string,
    });
  });

  it('and leaves no temporary key file behind', async () => {
    expect((await readdir(dataDir)).filter((name) => name.startsWith('root.key'))).toEqual(['root.key']);
  });
});
