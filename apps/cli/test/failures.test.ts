import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from './harness/bundle.ts';
import { world, type CommandLine, type World } from './harness/command-line.ts';
import { isInstalled } from './harness/programs.ts';

let at: World;
let cli: CommandLine;
beforeAll(async () => {
  at = await world();
  cli = at.administrator();
});
afterAll(() => at.close());

const folder = async (name: string) => {
  await cli.run(['secrets', 'folders', 'create', '--name', name]);
  return `/${name}`;
};

/** Runs a line of bash, in which `coffer` is the bundle. */
async function bash(line: string, env: Readonly<Record<string, string>> = {}) {
  const script = `coffer() { '${process.execPath}' '${await bundle()}' "$@"; }\n${line}`;
  const own = { COFFER_DOMAIN: at.url, COFFER_TOKEN: at.test.adminIdentity.token, COFFER_PROJECT_ID: at.projectId };
  const names = { PATH: process.env['PATH'], HOME: cli.home };
  // Not at once: the server is in this process.
  const child = spawn('bash', ['-c', script], {
    cwd: cli.home,
    env: { ...names, ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { stdout, stderr, status };
}

describe('many and large secrets', () => {
  it('are 5,000 variables in one file, all of which a program gets', async () => {
    const path = await folder('many');
    const names = Array.from({ length: 5000 }, (_, index) => `NAME_${index}`);
    writeFileSync(join(cli.home, 'many.env'), names.map((name) => `${name}=value of ${name}\n`).join(''));
    const set = await cli.run(['secrets', 'set', '--file', 'many.env', '--path', path]);
    expect([set.stderr, set.code]).toEqual(['', 0]);
    const count = `node -pe 'Object.keys(process.env).filter((name) => name.startsWith("NAME_")).length'`;
    expect((await cli.run(['run', '--path', path, '--', 'sh', '-c', count])).stdout).toBe('5000\n');
    const exported = await cli.run(['export', '--path', path]);
    expect(exported.stdout.split('\n')).toHaveLength(5001);
    // Whoever reads goes away: the same end as by SIGPIPE.
    const piped = await bash(`coffer export --path ${path} | head -c 1; echo " \${PIPESTATUS[0]}"`);
    expect([piped.stdout, piped.stderr]).toEqual(['N 141\n', '']);
  });

  it('are values of a megabyte, which come back as they were, and which no variable can hold', async () => {
    const path = await folder('large');
    const value = '0123456789abcdef'.repeat(62_500);
    writeFileSync(join(cli.home, 'large.txt'), value);
    const set = await cli.run(['secrets', 'set', 'LARGE=@large.txt', '--path', path]);
    expect([set.stderr, set.code]).toEqual(['', 0]);
    expect((await cli.run(['secrets', 'get', 'LARGE', '--plain', '--path', path])).stdout).toBe(`${value}\n`);
    const run = await cli.run(['run', '--path', path, '--', 'true']);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('Write it to a file instead')]);
  });
});

describe('what is missing around the command line', () => {
  it('is room on the disk: the result is not half there without a word', async () => {
    const { status, stderr } = await bash('coffer secrets folders get --json > /dev/full');
    expect([status, stderr]).toEqual([1, expect.stringContaining('cannot be written (ENOSPC)')]);
  });

  it.each(['', '/dev/null', '/proc/nothing', '/nonexistent/home'])('is a usable home directory: %j', async (HOME) => {
    // A token in the environment needs none.
    const read = await bash('coffer secrets folders get --json', { HOME, XDG_CONFIG_HOME: `${HOME}/config` });
    expect([read.stderr, read.status]).toEqual(['', 0]);
  });

  // Below /proc, making a directory fails as if the one above it were not there.
  it.each(['/dev/null', '/proc/nothing'])(
    'is a home directory for a login, which then says where it wanted to write: %s',
    async (HOME) => {
      const { email } = await makeUser(at.test.coffer, {
        organizationId: at.test.organizationId,
        password: 'correct horse',
      });
      const line = `coffer login --email ${email}`;
      const { status, stderr } = await bash(line, {
        HOME,
        COFFER_TOKEN: '',
        COFFER_PASSWORD: 'correct horse',
      });
      expect([status, stderr]).toEqual([1, expect.stringMatching(/\/(null|nothing)\/.* cannot be made \(E\w+\)/)]);
    },
  );

  it.each(['http://127.0.0.1:9', 'https://nowhere.invalid'])('is the network: %s', async (domain) => {
    const { status, stdout, stderr } = await bash(`coffer export --domain ${domain}`);
    expect([status, stdout, stderr]).toEqual([5, '', expect.stringContaining('can this machine reach it?')]);
  });

  it.runIf(isInstalled('faketime'))('is the right time: commands work an hour off, and doctor notices', async () => {
    for (const shift of ['+1h', '-1h']) {
      const coffer = `faketime -f '${shift}' '${process.execPath}' '${await bundle()}'`;
      const read = await bash(`${coffer} secrets folders get --json`);
      expect([read.stderr, read.status]).toEqual(['', 0]);
      const doctor = await bash(`${coffer} doctor`);
      expect([doctor.status, doctor.stdout]).toEqual([
        1,
        expect.stringMatching(/clock and this machine's differ by 3\d{3} s/),
      ]);
    }
  });
});

const hasKeyring = isInstalled('dbus-run-session', 'gnome-keyring-daemon');
describe('the keyring of a desktop session', () => {
  it.runIf(hasKeyring)('keeps a login, and no file has it', async () => {
    const password = 'correct horse battery';
    const { email } = await makeUser(at.test.coffer, { organizationId: at.test.organizationId, password });
    const session = `
      printf x | gnome-keyring-daemon --unlock --components=secrets > /dev/null 2>&1
      coffer login --email ${email} 2>&1
      coffer user get token --plain
      coffer vault
      coffer reset 2> /dev/null
      coffer user get token --plain 2>&1`;
    writeFileSync(
      join(cli.home, 'session.sh'),
      `coffer() { '${process.execPath}' '${await bundle()}' "$@"; }\n${session}`,
    );
    const { stdout } = await bash(`dbus-run-session -- bash session.sh`, {
      COFFER_TOKEN: '',
      COFFER_PASSWORD: password,
    });
    expect(stdout).toMatch(
      /the token is in the keyring of the system\ncfu_\S+\nauto: the keyring of the system\nerror: No login is kept/,
    );
    const file = join(cli.home, '.config/coffer/credentials.json');
    expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe('');
  });
});
