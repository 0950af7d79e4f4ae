import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { world, type CommandLine, type World } from './harness/command-line.ts';

let at: World;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.close());

const password = 'correct horse battery';

const credentialsOf = ({ home }: CommandLine) => join(home, '.config/coffer/credentials.json');

/** A user who can log in, in the organization. */
async function person(): Promise<{ email: string; id: string }> {
  const user = await makeUser(at.test.coffer, { organizationId: at.test.organizationId, password });
  return { email: user.email, id: user.id };
}

describe('coffer login', () => {
  it('logs a user in, keeps the token in a file of mode 0600, and shows who it is', async () => {
    const cli = at.open();
    const { email, id } = await person();
    const done = await cli.run(['login', '--email', email, '--organization-id', at.test.organizationId], {
      env: { COFFER_PASSWORD: password },
    });
    expect([done.code, done.stdout]).toEqual([0, '']);
    expect(done.stderr).toContain(`Logged in at ${at.url} as ${email}`);
    expect(statSync(credentialsOf(cli)).mode & 0o777).toBe(0o600);
    expect(statSync(join(cli.home, '.config/coffer')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(cli.home, '.config/coffer')).toSorted()).toEqual(['config.json', 'credentials.json']);
    expect(readFileSync(join(cli.home, '.config/coffer/config.json'), 'utf8')).not.toContain('cfu_');
    const status = await cli.run(['login', 'status', '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({ authenticated: true, type: 'user', id, domain: at.url });
    const token = await cli.run(['user', 'get', 'token', '--plain']);
    expect(token.stdout).toMatch(/^cfu_\S+\n$/);
  });

  it('keeps the login before until it has the next one of the same server', async () => {
    const cli = at.open();
    const { email } = await person();
    const logIn = () => cli.run(['login', '--email', email], { env: { COFFER_PASSWORD: password } });
    await logIn();
    const again = logIn().then(({ code }) => code);
    const states = new Set<boolean>();
    for (
      let code: number | null | undefined;
      code === undefined;
      code = await Promise.race([again, setImmediate(undefined)])
    )
      states.add(existsSync(credentialsOf(cli)));
    expect([await again, [...states]]).toEqual([0, [true]]);
  });

  it('never sends a kept token to another server', async () => {
    const cli = at.open();
    const { email } = await person();
    await cli.run(['login', '--email', email], { env: { COFFER_PASSWORD: password } });
    const other = await cli.run(['login', 'status', '--domain', 'http://127.0.0.1:9']);
    expect([other.code, other.stderr]).toEqual([3, expect.stringContaining('not for http://127.0.0.1:9')]);
  });

  it('goes on where the server does not answer a request at first', async () => {
    const lost: string[] = [];
    const { url, close } = await relayTo(at.url, async (path) => {
      const [name] = /sessions\.(?:logIn|selectOrganization)/.exec(path) ?? [];
      if (!name || lost.includes(name)) return;
      lost.push(name);
      throw new Error('The request is lost');
    });
    try {
      const { email } = await person();
      const done = await at.open({ COFFER_DOMAIN: url }).run(['login', '--email', email], {
        env: { COFFER_PASSWORD: password },
      });
      expect([done.code, lost]).toEqual([0, ['sessions.logIn', 'sessions.selectOrganization']]);
    } finally {
      close();
    }
  });

  it('keeps nothing after a wrong password', async () => {
    const cli = at.open();
    const { email } = await person();
    const failed = await cli.run(['login', '--email', email], { env: { COFFER_PASSWORD: 'wrong horse battery' } });
    expect(failed.code).toBe(3);
    expect(failed.stderr).not.toContain('wrong horse');
    expect((await cli.run(['login', 'status'])).code).toBe(3);
  });

  it('asks nothing without a terminal, and says what to pass', async () => {
    const { code, stderr } = await at.open().run(['login']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('pass --email')]);
  });

  it('encrypts the file with a passphrase, and opens it with that only', async () => {
    const cli = at.open({ COFFER_VAULT_FILE_PASSPHRASE: 'open sesame' });
    const { email } = await person();
    await cli.run(['login', '--email', email], { env: { COFFER_PASSWORD: password } });
    expect(readFileSync(credentialsOf(cli), 'utf8')).not.toContain('cfu_');
    expect((await cli.run(['login', 'status'])).code).toBe(0);
    for (const wrong of ['', 'close sesame']) {
      const { code, stderr } = await cli.run(['login', 'status'], { env: { COFFER_VAULT_FILE_PASSPHRASE: wrong } });
      expect([code, stderr]).toEqual([1, expect.stringContaining('COFFER_VAULT_FILE_PASSPHRASE')]);
    }
  });

  it('does not read a file that others may read, or that is damaged', async () => {
    const cli = at.open();
    const { email } = await person();
    await cli.run(['login', '--email', email], { env: { COFFER_PASSWORD: password } });
    chmodSync(credentialsOf(cli), 0o644);
    expect((await cli.run(['login', 'status'])).stderr).toContain('chmod 600');
    chmodSync(credentialsOf(cli), 0o600);
    writeFileSync(credentialsOf(cli), '{');
    expect(await cli.run(['login', 'status'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is damaged'),
    });
    expect((await cli.run(['reset'])).code).toBe(0);
    expect((await cli.run(['login', 'status'])).stderr).toContain('You are not logged in');
  });

  it('keeps several logins by profile, and switches between them', async () => {
    const cli = at.open();
    const [ann, bob] = [await person(), await person()];
    await cli.run(['login', '--email', ann.email], { env: { COFFER_PASSWORD: password } });
    await cli.run(['login', '--email', bob.email, '--profile', 'second'], { env: { COFFER_PASSWORD: password } });
    const who = async (...args: string[]) =>
      (JSON.parse((await cli.run(['login', 'status', '--json', ...args])).stdout) as { id: string }).id;
    expect(await who()).toBe(bob.id);
    expect(await who('--profile', 'default')).toBe(ann.id);
    expect((await cli.run(['user', 'switch', '--to', 'default'])).code).toBe(0);
    expect(await who()).toBe(ann.id);
    expect(await cli.run(['user', 'switch', '--to', 'third'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There are: default, second'),
    });
  });
});

/** Passes requests on to a server, after some work for each of them. Where that fails, the connection ends. */
async function relayTo(target: string, before: (path: string) => Promise<void>) {
  const server = createServer((incoming, answer) => {
    void before(incoming.url!).then(
      () => {
        const { method, headers } = incoming;
        const outgoing = request(new URL(incoming.url!, target), { method, headers }, (response) => {
          answer.writeHead(response.statusCode!, response.headers);
          response.pipe(answer);
        });
        incoming.pipe(outgoing.on('error', () => incoming.destroy()));
        return outgoing;
      },
      () => incoming.destroy(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

describe('a login that is kept', () => {
  // Its clock is moved.
  let later: World;
  beforeAll(async () => {
    later = await world();
  });
  afterAll(() => later.close());

  const CONFIG = '.config/coffer';
  const LOCK = join(CONFIG, `${createHash('sha256').update('default').digest('hex').slice(0, 12)}.lock`);
  const credentials = (cli: CommandLine) =>
    (JSON.parse(readFileSync(credentialsOf(cli), 'utf8')) as { default: { token: string; refreshToken: string } })
      .default;
  /** So long that an access token has expired, and the session not yet. */
  const waitForTheEnd = () => later.test.advance(11 * 24 * 3600 * 1000);
  const loggedIn = async () => {
    const cli = at.open({ COFFER_DOMAIN: later.url });
    const { email } = await makeUser(later.test.coffer, { organizationId: later.test.organizationId, password });
    const done = await cli.run(['login', '--email', email], { env: { COFFER_PASSWORD: password } });
    expect(done.code).toBe(0);
    return cli;
  };

  it('gets the next access token when its own has expired, and keeps that', async () => {
    const cli = await loggedIn();
    const before = credentials(cli);
    expect(before.refreshToken).toMatch(/^cfr_/);
    waitForTheEnd();
    const status = await cli.run(['login', 'status', '--json']);
    expect([status.code, status.stderr]).toEqual([0, '']);
    const after = credentials(cli);
    expect([after.token === before.token, after.refreshToken === before.refreshToken]).toEqual([false, false]);
    waitForTheEnd();
    const printed = await cli.run(['user', 'get', 'token', '--plain']);
    expect(printed.stdout.trim()).toBe(credentials(cli).token);
    expect(printed.stdout.trim()).not.toBe(after.token);
    expect(readdirSync(join(cli.home, CONFIG)).toSorted()).toEqual(['config.json', 'credentials.json']);
    expect(statSync(credentialsOf(cli)).mode & 0o777).toBe(0o600);
  });

  it('is renewed once by many commands at the same time, also where one was killed meanwhile', async () => {
    const cli = await loggedIn();
    for (const isKilled of [false, false, true]) {
      waitForTheEnd();
      if (isKilled) writeFileSync(join(cli.home, LOCK), String(spawnSync('true').pid));
      const all = await Promise.all(Array.from({ length: 6 }, () => cli.run(['login', 'status'])));
      expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(all.map(() => [0, '']));
      // The use of an old token would have ended the session.
      later.test.advance(60_000);
    }
    expect((await cli.run(['login', 'status'])).code).toBe(0);
  });

  it('keeps the next tokens of each of several logins that are made and renewed at the same time', async () => {
    // With a passphrase a change of the file takes so long that others begin meanwhile.
    const cli = at.open({ COFFER_DOMAIN: later.url, COFFER_VAULT_FILE_PASSPHRASE: 'open sesame' });
    const profiles = ['first', 'second'];
    const codesOf = async (words: (profile: string) => Promise<readonly string[]>, env = {}) =>
      Promise.all(
        profiles.map(
          async (profile) => (await cli.run([...(await words(profile)), '--profile', profile], { env })).code,
        ),
      );
    const newLogin = async () => {
      const { email } = await makeUser(later.test.coffer, { organizationId: later.test.organizationId, password });
      return ['login', '--email', email];
    };
    expect(await codesOf(newLogin, { COFFER_PASSWORD: password })).toEqual([0, 0]);
    // The use of an old refresh token would end the session.
    for (const _ of [1, 2]) {
      waitForTheEnd();
      expect(await codesOf(async () => ['login', 'status'])).toEqual([0, 0]);
    }
  });

  it('stays as it is where somebody logs in while the one before is renewed', async () => {
    let cli: CommandLine;
    const next = { default: { token: 'cfu_of_somebody_else', refreshToken: 'cfr_of_somebody_else' } };
    const { url, close } = await relayTo(later.url, async (path) => {
      if (path.includes('sessions.refresh')) writeFileSync(credentialsOf(cli), JSON.stringify(next));
    });
    try {
      cli = at.open({ COFFER_DOMAIN: url });
      const { email } = await makeUser(later.test.coffer, { organizationId: later.test.organizationId, password });
      await cli.run(['login', '--email', email], { env: { COFFER_PASSWORD: password } });
      expect(credentials(cli).refreshToken).toMatch(/^cfr_/);
      waitForTheEnd();
      expect((await cli.run(['login', 'status'])).code).toBe(0);
      expect(credentials(cli)).toEqual(next.default);
    } finally {
      close();
    }
  });

  it('ends with its session, and says what to do', async () => {
    const cli = await loggedIn();
    await later.test.as(credentials(cli).token)('POST', '/api/v1/auth/logout');
    const list = await cli.run(['secrets', '--projectId', later.projectId]);
    expect([list.code, list.stderr]).toEqual([3, expect.stringContaining('run coffer login')]);
    expect(await cli.run(['user', 'get', 'token', '--plain'])).toMatchObject({ code: 3, stdout: '' });
  });
});

describe('a machine identity', () => {
  it('logs in by universal auth: with --plain the token is printed and not kept', async () => {
    const { id } = await at.test.identity();
    const attached = await at.test.admin('POST', `/api/v1/auth/universal-auth/identities/${id}`, {});
    const { clientId } = attached.body.identityUniversalAuth;
    const secret = await at.test.admin('POST', `/api/v1/auth/universal-auth/identities/${id}/client-secrets`, {});
    const env = {
      COFFER_UNIVERSAL_AUTH_CLIENT_ID: clientId,
      INFISICAL_UNIVERSAL_AUTH_CLIENT_SECRET: secret.body.clientSecret,
    };
    const cli = at.open();
    const plain = await cli.run(['login', '--method=universal-auth', '--plain', '--silent'], { env });
    expect([plain.code, plain.stdout, plain.stderr]).toEqual([0, expect.stringMatching(/^\S+\n$/), '']);
    expect((await cli.run(['login', 'status'])).code).toBe(3);
    const status = await cli.run(['login', 'status', '--json'], { env: { COFFER_TOKEN: plain.stdout.trim() } });
    expect(JSON.parse(status.stdout)).toMatchObject({ type: 'identity', id, source: 'environment' });
    // Without a token, each command logs in by these credentials.
    const machine = await cli.run(['login', 'status', '--json'], { env });
    expect(JSON.parse(machine.stdout)).toMatchObject({ type: 'identity', id, source: 'machine' });
    const renewed = await cli.run(['token', 'renew', plain.stdout.trim()]);
    expect([renewed.code, renewed.stdout]).toEqual([0, expect.stringMatching(/^\S+\n$/)]);
  });

  it('needs the fields of its method', async () => {
    const cli = at.open();
    for (const [method, flag] of [
      ['universal-auth', 'client-id'],
      ['oidc-auth', 'machine-identity-id'],
      ['gcp-iam', 'machine-identity-id'],
    ])
      expect(await cli.run(['login', '--method', method!])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`needs --${flag}`),
      });
  });

  it('whose token is refused gets the exit code for it', async () => {
    const { code, stderr } = await at.open().run(['secrets', '--projectId', at.projectId], {
      env: { COFFER_TOKEN: 'cfa_invented' },
    });
    expect([code, stderr]).toEqual([3, expect.stringContaining('COFFER_TOKEN')]);
    expect(stderr).not.toContain('invented');
  });
});
