import { once } from 'node:events';
import { writeFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { world, type CommandLine, type World } from './harness/command-line.ts';

let at: World;
let cli: CommandLine;
beforeAll(async () => {
  at = await world();
  cli = at.administrator();
  await cli.run(['secrets', 'set', 'A=1', `QUOTES=it's "x" $y`, 'PATH=/nowhere']);
});
afterAll(() => at.close());

describe('coffer run', () => {
  it('gives a program the secrets, its arguments as they are, and its own exit code', async () => {
    const done = await cli.run([
      'run',
      '--',
      'sh',
      '-c',
      'printf "%s|" "$A" "$QUOTES" "$@"; exit 7',
      'sh',
      '--env',
      'a b',
      '-x',
    ]);
    expect([done.code, done.stdout]).toEqual([7, `1|it's "x" $y|--env|a b|-x|`]);
    expect(done.stderr).toContain('PATH is left out');
    for (const format of ['dotenv', 'dotenv-export', 'dotenv-eval', 'fish', 'docker']) {
      const exported = await cli.run(['export', '--format', format, '--loader-variables']);
      expect([format, exported.stdout]).toEqual([format, expect.not.stringContaining('PATH')]);
    }
  });

  it('gives it no secrets by which it would load code or use another server, unless the caller wants them', async () => {
    const marker = join(cli.home, 'loaded');
    const script = join(cli.home, 'evil.cjs');
    writeFileSync(script, `require('node:fs').writeFileSync(${JSON.stringify(marker)}, 'x')`);
    const names = [
      'LD_PRELOAD',
      'BASH_ENV',
      'PYTHONSTARTUP',
      'JAVA_TOOL_OPTIONS',
      'OPENSSL_CONF',
      'CLASSPATH',
      'CARGO_HOME',
      'TAR_OPTIONS',
      'AWS_PAGER',
      'COFFER_DOMAIN',
      'INFISICAL_TOKEN',
      'HTTPS_PROXY',
      'no_proxy',
      'NODE_EXTRA_CA_CERTS',
      'SSL_CERT_FILE',
    ];
    const set = ['secrets', 'set', '--path', '/loaders'];
    await at.test.admin('POST', '/api/v2/folders', {
      projectId: at.projectId,
      environment: 'dev',
      path: '/',
      name: 'loaders',
    });
    await cli.run([...set, `NODE_OPTIONS=--require ${script}`, 'PLAIN=yes', ...names.map((name) => `${name}=/x`)]);
    const program = ['run', '--path', '/loaders'];
    const print = ['--', process.execPath, '-e', 'console.log(process.env.PLAIN, process.env.NODE_OPTIONS)'];
    const done = await cli.run([...program, ...print]);
    expect([done.code, done.stdout, existsSync(marker)]).toEqual([0, 'yes undefined\n', false]);
    for (const name of ['NODE_OPTIONS', ...names]) expect(done.stderr).toContain(`${name} is left out`);
    // A file that a shell reads is an environment, too.
    for (const format of ['dotenv', 'dotenv-export', 'dotenv-eval', 'docker']) {
      const exported = await cli.run(['export', '--path', '/loaders', '--format', format]);
      expect([exported.stdout, exported.stderr]).toEqual([
        expect.stringMatching(/^(?:export )?PLAIN='?yes'?\n$/),
        expect.stringContaining('NODE_OPTIONS is left out'),
      ]);
      const all = await cli.run(['export', '--path', '/loaders', '--format', format, '--loader-variables']);
      expect(all.stdout).toContain('LD_PRELOAD=');
    }
    expect((await cli.run(['export', '--path', '/loaders', '--format', 'json'])).stdout).toContain('LD_PRELOAD');
    await cli.run(['secrets', 'delete', '--path', '/loaders', ...names]);
    const wanted = await cli.run([...program, '--loader-variables', ...print]);
    expect([wanted.code, existsSync(marker)]).toEqual([0, true]);
  });

  it('runs a command line of the shell', async () => {
    expect((await cli.run(['run', '--command', 'echo "$A" && false || exit 3'])).code).toBe(3);
  });

  it('is replaced by the program: same process, signals, defaults of signals and standard input', async () => {
    const child = await cli.start([
      'run',
      '--',
      'sh',
      '-c',
      'trap "exit 42" TERM; echo $$; while :; do sleep 0.05; done',
    ]);
    const [first] = (await once(child.stdout, 'data')) as [Buffer];
    expect(first.toString().split('\n')[0]).toBe(String(child.pid));
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([42, null]);
    const piped = await cli.run(['run', '--', 'cat'], { input: 'typed' });
    expect(piped.stdout).toBe('typed');
    const ignored = await cli.run(['run', '--', 'grep', 'SigIgn', '/proc/self/status']);
    expect(ignored.stdout.trim()).toMatch(/^SigIgn:\s+0{16}$/);
    const killed = await cli.run(['run', '--', 'sh', '-c', 'kill -KILL $$']);
    expect([killed.code, killed.signal]).toEqual([null, 'SIGKILL']);
  });

  it('does not give the program its own credentials, unless asked to', async () => {
    const own = async (...flags: string[]) =>
      (await cli.run(['run', ...flags, '--', 'sh', '-c', 'echo "${COFFER_TOKEN:-none}"'])).stdout.trim();
    expect(await own()).toBe('none');
    expect(await own('--keep-credentials')).toBe(at.test.adminIdentity.token);
    const env = {
      COFFER_ADMIN_PASSWORD: 'a-secret',
      COFFER_CUSTOM_HEADERS: 'x-proxy=a-secret',
      INFISICAL_JWT: 'a-secret',
    };
    const all = await cli.run(['run', '--', 'env'], { env });
    expect([all.code, all.stdout]).toEqual([0, expect.not.stringContaining('a-secret')]);
  });

  it('ends as a shell does where there is no such program, and never starts one without its secrets', async () => {
    writeFileSync(join(cli.home, 'text'), 'text', { mode: 0o644 });
    writeFileSync(join(cli.home, 'script'), 'exit 5', { mode: 0o755 });
    expect((await cli.run(['run', '--', 'no-such-program'])).code).toBe(127);
    expect((await cli.run(['run', '--', './text'])).code).toBe(126);
    expect((await cli.run(['run', '--', './script'])).code).toBe(5);
    const marker = join(cli.home, 'marker');
    const denied = await cli.run(['run', '--env', 'nowhere', '--', 'touch', marker]);
    expect([denied.code, existsSync(marker)]).toEqual([1, false]);
    expect((await cli.run(['run'])).code).toBe(2);
    expect((await cli.run(['run', '-c', 'true', 'x'])).code).toBe(2);
  });

  it('passes values of 100 kB and 5,000 variables, and says which value is too long for a variable', async () => {
    const long = at.administrator();
    const folder = async (name: string) =>
      at.test.admin('POST', '/api/v2/folders', { projectId: at.projectId, environment: 'dev', path: '/', name });
    await folder('long');
    await folder('many');
    await long.run(['secrets', 'set', 'LONG=-', '--path', '/long'], { input: 'x'.repeat(100_000) });
    expect((await long.run(['run', '--path', '/long', '--', 'sh', '-c', 'echo ${#LONG}'])).stdout).toBe('100000\n');
    const set = await long.run(['secrets', 'set', 'LONGER=-', '--path', '/long'], { input: 'x'.repeat(1_000_000) });
    expect([set.code, set.stderr]).toEqual([0, '']);
    const longer = await long.run(['run', '--path', '/long', '--', 'true']);
    expect([longer.code, longer.stderr]).toEqual([1, expect.stringContaining('The value of LONGER has 1000007 bytes')]);
    writeFileSync(
      join(long.home, 'many.env'),
      Array.from({ length: 5000 }, (_, index) => `MANY_${index}=${'v'.repeat(100)}\n`).join(''),
    );
    expect((await long.run(['secrets', 'set', '--file', 'many.env', '--path', '/many'])).code).toBe(0);
    expect((await long.run(['run', '--path', '/many', '-c', 'env | grep -c ^MANY_'])).stdout).toBe('5000\n');
  });
});

describe('coffer run --watch', () => {
  it('restarts the program on a change, keeps it while secrets cannot be read, and ends with it', async () => {
    const watcher = at.administrator();
    const log = join(watcher.home, 'log');
    await watcher.run(['secrets', 'set', 'WATCHED=one']);
    const child = await watcher.start([
      'run',
      '--watch',
      '--',
      'sh',
      '-c',
      `trap 'exit 9' USR1; echo "$WATCHED" >> ${log}; while :; do sleep 0.05; done`,
    ]);
    const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
    await expect.poll(lines).toEqual(['one']);
    // The stream may open after the program has started: what changes before that is found by the next look.
    await expect
      .poll(
        async () => {
          await watcher.run(['secrets', 'set', 'WATCHED=two']);
          return lines();
        },
        { timeout: 30_000 },
      )
      .toEqual(['one', 'two']);
    child.kill('SIGUSR1');
    expect((await once(child, 'exit'))[0]).toBe(9);
  });
});
