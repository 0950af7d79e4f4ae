import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { shellWord } from './format/quote.ts';
import { settable, type Variable } from './variables.ts';

let directory: string;
let marker: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'coffer-variables-'));
  marker = join(directory, 'ran');
  return () => rmSync(directory, { recursive: true });
});

const quiet = { say: () => undefined };
const variable = (secretKey: string, secretValue: string): Variable => ({ secretKey, secretValue });
const kept = (all: readonly Variable[]) => settable(all, { keepsLoaders: false }, quiet);

/** Whether the marker was made since the last time. */
function ran(): boolean {
  const is = existsSync(marker);
  rmSync(marker, { force: true });
  return is;
}

const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;
const env = () => ({ PATH: process.env['PATH'], HOME: directory, TERM: 'dumb' });
const timeout = 20_000;

/** How a shell lists the variables that it has. */
const KNOWN = {
  bash: 'compgen -v',
  dash: 'set | sed s/=.*//',
  zsh: 'zmodload zsh/parameter; print -l ${(k)parameters}',
} as const;

describe('secrets that become variables', () => {
  it.each(Object.entries(KNOWN))(
    'run nothing when %s sets them, whatever name that it knows they have',
    (shell, command) => {
      if (!isInstalled(shell)) return;
      const { stdout } = spawnSync(shell, ['-c', command], { encoding: 'utf8', env: env() });
      const names = [...new Set(stdout.split('\n').filter((name) => /^[A-Za-z_]\w*$/.test(name)))];
      expect(names.length).toBeGreaterThan(5);
      const touch = `$(touch ${marker})`;
      const all = names.flatMap((name) =>
        [touch, `a[${touch}]`, `path[${touch}]`, `x\`touch ${marker}\``].map((value) => variable(name, value)),
      );
      // Each on its own: some cannot be set, which ends a shell.
      const set = (variables: readonly Variable[]) =>
        variables.map((one) => `( export ${one.secretKey}=${shellWord(one.secretValue)}; : )\n`).join('');
      const run = (variables: readonly Variable[]) => spawnSync(shell, { input: set(variables), env: env(), timeout });
      run(all);
      // What the search can find: arithmetic, of bash with any name, of zsh with that of an array.
      expect(ran() || shell === 'dash').toBe(true);
      run(kept(all));
      expect(ran()).toBe(false);
    },
  );

  /** Programs that obey a variable: what it holds, and how the program is called. `DIR` is a directory with `file` and `script`. */
  const PROGRAMS: readonly (readonly [name: string, value: string, program: string, ...args: string[]])[] = [
    ['TAR_OPTIONS', '--checkpoint=1 --checkpoint-action=exec=DIR/script', 'tar', 'cf', '/dev/null', 'file'],
    ['GIT_SSH_COMMAND', 'DIR/script', 'git', 'ls-remote', 'ssh://host.example/x'],
    ['RSYNC_RSH', 'DIR/script', 'rsync', 'host.example:x', 'y'],
    ['ZIPOPT', '-T -TT DIR/script', 'zip', 'out.zip', 'file'],
    ['MAKEFLAGS', '--eval=$(shell${IFS}DIR/script)', 'make', '-f', '/dev/null'],
    ['PERL5DB', 'BEGIN { system("DIR/script"); exit }', 'perl', '-d', '-e', '1'],
    ['NODE_OPTIONS', '--require DIR/loaded.cjs', 'node', '-e', '1'],
    ['DBUS_SESSION_BUS_ADDRESS', 'unixexec:path=DIR/script', 'busctl', '--user', 'list'],
    ['PROMPT_COMMAND', 'DIR/script', 'bash', '--norc', '-i'],
    ['PS0', '$(DIR/script)', 'bash', '--norc', '-i'],
    ['ENV', '$(DIR/script)', 'dash', '-i'],
    ['BASH_ENV', 'DIR/script', 'bash', 'file'],
    ['PATH', 'DIR/bin:PATH', 'sh', '-c', 'program'],
  ];

  it('have no program run a command', () => {
    mkdirSync(join(directory, 'bin'));
    for (const file of ['script', 'bin/program'])
      writeFileSync(join(directory, file), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    writeFileSync(join(directory, 'loaded.cjs'), `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`);
    writeFileSync(join(directory, 'file'), ':\n');
    const obeyed = PROGRAMS.filter(([name, value, program, ...args]) => {
      const secret = variable(name, value.replaceAll('DIR', directory).replace(':PATH', `:${process.env['PATH']}`));
      const runs = (variables: readonly Variable[]) => {
        const set = Object.fromEntries(variables.map((one) => [one.secretKey, one.secretValue]));
        spawnSync(program, args, { cwd: directory, input: 'echo\n', env: { ...env(), ...set }, timeout });
        return ran();
      };
      const isObeyed = runs([secret]);
      expect([name, runs(kept([secret]))]).toEqual([name, false]);
      return isObeyed;
    });
    // Not every machine has all of them.
    expect(obeyed.length).toBeGreaterThan(5);
  });

  it('send nothing to another server, and have none trusted', () => {
    const names = [
      ...['COFFER_DOMAIN', 'COFFER_TOKEN', 'INFISICAL_API_URL', 'HTTP_PROXY', 'https_proxy', 'ALL_PROXY', 'NO_PROXY'],
      ...['NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'SSLKEYLOGFILE'],
      ...['REQUESTS_CA_BUNDLE', 'AWS_CA_BUNDLE', 'GIT_SSL_NO_VERIFY', 'HOSTALIASES'],
      ...['BUNDLE_SSL_CA_CERT', 'BUNDLE_SSL_VERIFY_MODE', 'COMPOSER_CAFILE'],
    ];
    const said: string[] = [];
    const all = names.map((name) => variable(name, 'http://elsewhere.example'));
    const io = { say: (_level: string, message: string) => void said.push(message) };
    expect(settable(all, { keepsLoaders: false }, io)).toEqual([]);
    expect(said.map((message) => message.split(' ')[0])).toEqual(names);
    expect(said.join('\n')).not.toContain('elsewhere');
    expect(settable(all, { keepsLoaders: true }, quiet)).toEqual(all);
  });

  it('are left out with what to do about it', () => {
    const said: string[] = [];
    const all = [variable('PATH', '/x'), variable('AWS_PAGER', 'sh'), variable('A', '1')];
    const io = { say: (_level: string, message: string) => void said.push(message) };
    expect(settable(all, { keepsLoaders: false }, io)).toEqual([variable('A', '1')]);
    expect(said).toEqual([
      expect.stringMatching(/^PATH .*Rename/),
      expect.stringMatching(/^AWS_PAGER .*--loader-variables$/),
    ]);
    expect(kept([variable('PATH', '/x')])).toEqual([]);
    expect(settable(all, { keepsLoaders: true }, quiet)).toEqual(all.slice(1));
  });

  it('stay where their names and values are usual', () => {
    const usual = {
      ...{ ENV: 'production', UID: '1000', RANDOM: '4', LINES: '', PROMPT: 'You are a helpful assistant!' },
      ...{ CREDITOR: 'x', DATABASE_URL: "postgres://u:p'$@h/d", UV_PUBLISH_TOKEN: 'x', GIT_TOKEN: 'x', user: 'me' },
      ...{
        RSYNC_PASSWORD: 'x',
        BUNDLE_GEMS__EXAMPLE__COM: 'u:p',
        COMPOSER_AUTH: '{}',
        PYTHONUNBUFFERED: '1',
        TZ: 'UTC',
      },
    };
    const all = Object.entries(usual).map(([name, value]) => variable(name, value));
    expect(kept(all)).toEqual(all);
  });

  it('stay where they are about one service, beside the credentials for it', () => {
    const names = [
      ...['DATABASE_URL', 'REDIS_URL', 'PGHOST', 'PGSSLROOTCERT', 'VAULT_ADDR', 'VAULT_TOKEN', 'VAULT_CACERT'],
      ...['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_S3', 'S3_ENDPOINT', 'DOCKER_HOST', 'DOCKER_TLS_VERIFY', 'GH_HOST'],
    ];
    const all = names.map((name) => variable(name, 'https://service.example'));
    expect(kept(all)).toEqual(all);
  });
});
