// @long: runs programs
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundle } from './harness/bundle.ts';
import { world, type CommandLine, type World } from './harness/command-line.ts';
import { gateTo, type Gate } from './harness/gate.ts';
import { isInstalled } from './harness/programs.ts';

let at: World;
let gate: Gate;
let cli: CommandLine;
let projectId: string;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.close());
beforeEach(async () => {
  gate = await gateTo(at.url);
  ({ id: projectId } = await at.test.project());
  cli = keyed();
  await cli.run(['secrets', 'set', 'A=value-1', 'B=2']);
  return () => gate.shut();
});

function open(env: Record<string, string>, token = at.test.adminIdentity.token): CommandLine {
  return at.open({ COFFER_DOMAIN: gate.url, COFFER_TOKEN: token, COFFER_PROJECT_ID: projectId, ...env });
}

/** With a key in a file: to make one of a passphrase takes longer than the command. */
function keyed(token?: string): CommandLine {
  const opened = open({ COFFER_CACHE_KEY_FILE: 'cache.key' }, token);
  writeFileSync(join(opened.home, 'cache.key'), 'k'.repeat(43), { mode: 0o600 });
  return opened;
}
const withPassphrase = (): CommandLine => open({ COFFER_CACHE_PASSPHRASE: 'correct horse' });

const allow = async (seconds: number): Promise<void> => {
  const { status } = await at.test.admin('PATCH', `/api/v1/projects/${projectId}`, { offlineCacheMaxAge: seconds });
  expect(status).toBe(200);
};
const entries = ({ home }: CommandLine): string[] => {
  try {
    return readdirSync(join(home, '.cache/coffer')).filter((name) => name.endsWith('.sealed'));
  } catch {
    return [];
  }
};
const get = ['secrets', 'get', 'A', '--plain'];

describe('the offline cache', () => {
  it('is used while the server is unreachable, which is announced, for run, export and secrets get', async () => {
    await allow(3600);
    for (const command of [['run', '--', 'sh', '-c', 'echo $A'], ['export', '--format', 'json'], get]) {
      const before = await cli.run(command);
      expect([before.code, before.stderr]).toEqual([0, '']);
      await gate.shut();
      const away = await cli.run(command);
      expect([away.code, away.stdout, away.stderr]).toEqual([
        0,
        before.stdout,
        expect.stringContaining('from the offline cache'),
      ]);
      await gate.open();
    }
    await gate.shut();
    // What was not read is not there.
    expect((await cli.run([...get, '--env', 'prod'])).code).toBe(5);
    expect((await cli.run([...get, '--offline-cache=false'])).code).toBe(5);
    await gate.open();
  });

  it('is encrypted, in files of mode 0600, under the key and for the caller of the read', async () => {
    await allow(3600);
    const own = withPassphrase();
    await own.run(get);
    const [name] = entries(own);
    const path = join(own.home, '.cache/coffer', name!);
    expect([statSync(path).mode & 0o777, statSync(join(own.home, '.cache/coffer')).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    const bytes = readFileSync(path, 'utf8');
    expect(bytes + Buffer.from(bytes, 'base64').toString('latin1')).not.toMatch(/value-1|"A"/);
    await gate.shut();
    expect((await own.run(get, { env: { COFFER_CACHE_PASSPHRASE: 'another' } })).code).toBe(5);
    expect((await own.run(get, { env: { COFFER_TOKEN: 'cfa_another' } })).code).toBe(5);
    expect((await own.run(get)).code).toBe(0);
    writeFileSync(path, bytes.replace(/.{4}$/, 'AAAA'));
    expect([(await own.run(get)).code, entries(own)]).toEqual([5, []]);
    await gate.open();
  });

  it('is for the login of a machine identity that has read it, not for the next one of the same method', async () => {
    await allow(3600);
    const machine = keyed('');
    const logIn = async (roles: readonly string[]) => {
      const { id } = await at.test.identity();
      const member = `/api/v1/projects/${projectId}/memberships/identities/${id}`;
      for (const role of roles) await at.test.admin('POST', member, { roles: [{ role }] });
      const path = `/api/v1/auth/universal-auth/identities/${id}`;
      const { clientId } = (await at.test.admin('POST', path, {})).body.identityUniversalAuth;
      const { clientSecret } = (await at.test.admin('POST', `${path}/client-secrets`, {})).body;
      const args = ['login', '--method=universal-auth', `--client-id=${clientId}`, `--client-secret=${clientSecret}`];
      expect((await machine.run(args)).code).toBe(0);
    };
    await logIn(['admin']);
    expect((await machine.run(get)).stdout).toBe('value-1\n');
    await gate.shut();
    expect((await machine.run(get)).stdout).toBe('value-1\n');
    await gate.open();
    await logIn([]);
    await gate.shut();
    expect(await machine.run(get)).toMatchObject({ code: 5, stdout: '' });
    await gate.open();
  });

  it('is not there unless the project allows it, there is a key, and the caller may read the setting', async () => {
    await cli.run(get);
    expect(entries(cli)).toEqual([]);
    await allow(3600);
    const withoutKey = open({});
    await withoutKey.run(get);
    expect(entries(withoutKey)).toEqual([]);
    await cli.run(get);
    expect(entries(cli)).toHaveLength(1);
    await allow(0);
    await cli.run(get);
    expect(entries(cli)).toEqual([]);
  });

  it('is not used after a refusal, which removes it, nor when it is too old', async () => {
    await allow(3600);
    const { id, token } = await at.test.identity();
    const membership = `/api/v2/workspace/${projectId}/identity-memberships/${id}`;
    await at.test.admin('POST', membership, { role: 'admin' });
    const other = keyed(token);
    expect([(await other.run(get)).code, entries(other).length]).toEqual([0, 1]);
    await at.test.admin('DELETE', membership);
    const refused = await other.run(get);
    expect([refused.code, refused.stdout, entries(other)]).toEqual([1, '', []]);
    await allow(1);
    await cli.run(get);
    await gate.shut();
    await expect.poll(async () => (await cli.run(get)).code).toBe(5);
    expect(entries(cli)).toEqual([]);
    await gate.open();
  });

  it('has its key in a file that only its owner reads, and is deleted by coffer reset', async () => {
    await allow(3600);
    const owner = open({ COFFER_CACHE_KEY_FILE: 'key' });
    writeFileSync(join(owner.home, 'key'), 'k'.repeat(43), { mode: 0o644 });
    expect(await owner.run(get)).toMatchObject({ code: 1, stderr: expect.stringContaining('chmod 600') });
    writeFileSync(join(owner.home, 'short'), 'short', { mode: 0o600 });
    expect(await owner.run(get, { env: { COFFER_CACHE_KEY_FILE: 'short' } })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('openssl rand'),
    });
    writeFileSync(join(owner.home, 'own'), 'k'.repeat(43), { mode: 0o600 });
    await owner.run(get, { env: { COFFER_CACHE_KEY_FILE: 'own' } });
    expect(entries(owner)).toHaveLength(1);
    await owner.run(['reset']);
    expect(entries(owner)).toEqual([]);
  });

  it('is not kept where its place is read-only, and the read works', async () => {
    await allow(3600);
    const done = await withPassphrase().run(get, { env: { XDG_CACHE_HOME: '/proc/none' } });
    expect([done.code, done.stdout, done.stderr]).toEqual([0, 'value-1\n', '']);
  });

  it('does not give its passphrase to the program', async () => {
    const done = await withPassphrase().run(['run', '--', 'sh', '-c', 'echo "${COFFER_CACHE_PASSPHRASE:-none}"']);
    expect(done.stdout).toBe('none\n');
  });
});

describe('the key of the offline cache in the keyring of a desktop session', () => {
  const isThere = isInstalled('dbus-run-session', 'gnome-keyring-daemon');
  it.runIf(isThere)('opens the entries in that session, and no file of the home directory has it', async () => {
    await allow(3600);
    const person = open({});
    const session = `
      coffer() { '${process.execPath}' '${await bundle()}' "$@"; }
      printf x | gnome-keyring-daemon --unlock --components=secrets > /dev/null 2>&1
      coffer ${get.join(' ')}
      touch read
      until [ -e away ]; do sleep 0.1; done
      coffer ${get.join(' ')} 2> /dev/null
      unset DBUS_SESSION_BUS_ADDRESS
      coffer ${get.join(' ')} 2> /dev/null || echo "without it: $?"`;
    const own = { COFFER_DOMAIN: gate.url, COFFER_TOKEN: at.test.adminIdentity.token, COFFER_PROJECT_ID: projectId };
    const child = spawn('dbus-run-session', ['--', 'bash', '-c', session], {
      cwd: person.home,
      env: { PATH: process.env['PATH'], HOME: person.home, ...own },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const printed = text(child.stdout);
    await expect.poll(() => existsSync(join(person.home, 'read'))).toBe(true);
    expect(readdirSync(join(person.home, '.cache/coffer'))).toEqual([expect.stringMatching(/\.sealed$/)]);
    expect(existsSync(join(person.home, '.config/coffer'))).toBe(false);
    await gate.shut();
    writeFileSync(join(person.home, 'away'), '');
    expect(await printed).toBe('value-1\nvalue-1\nwithout it: 5\n');
    await gate.open();
  });
});
