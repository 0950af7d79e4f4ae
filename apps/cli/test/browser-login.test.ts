import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { world, type CommandLine, type World } from './harness/command-line.ts';
import { Terminal } from './harness/terminal.ts';

const password = 'correct horse battery';
let at: World;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.close());

/** Somebody who is signed in at the console, and agrees there: what the page does after the click. */
async function browser() {
  const { id, email } = await makeUser(at.test.coffer, { organizationId: at.test.organizationId, password });
  const login = await at.test.as()('POST', '/api/v3/auth/login', { email, password });
  const chosen = await at.test.as(login.body.accessToken)('POST', '/api/v3/auth/select-organization', {
    organizationId: at.test.organizationId,
  });
  const cookie = [login.headers['set-cookie']]
    .flat()
    .map(String)
    .find((one) => one.startsWith('jid='))!
    .split(';')[0]!;
  const authorize = async (address: URL): Promise<string> => {
    const codeChallenge = address.searchParams.get('code_challenge');
    const path = '/api/v1/auth/command-line/authorize';
    return (await at.test.as(chosen.body.token)('POST', path, { codeChallenge }, { cookie })).body.code;
  };
  return { id, email, authorize };
}

const callback = (address: URL, query: Readonly<Record<string, string>>, method = 'GET') =>
  fetch(`http://127.0.0.1:${address.searchParams.get('callback_port')}/callback?${new URLSearchParams(query)}`, {
    method,
  });

async function follow(address: string, method = 'GET') {
  const { status, headers } = await fetch(address, { method, redirect: 'manual' });
  return { status, to: headers.get('location') };
}

/** A login that waits for the browser. */
async function waiting(cli: CommandLine, opener = '/bin/true') {
  const child = await cli.start(['login', '--browser'], { env: { BROWSER: opener } });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
  await expect.poll(() => said).toMatch(/\/login\?\S+\n/);
  return {
    address: new URL(/http\S+\/login\?\S+/.exec(said)![0]),
    stdout: text(child.stdout),
    ended,
    said: () => said,
  };
}

describe('coffer login by the browser', () => {
  it('opens the console, and gets a session by the code that comes back', async () => {
    const cli = at.open();
    const [person, login] = [await browser(), await waiting(cli)];
    expect(login.address.origin).toBe(at.url);
    expect(Object.fromEntries(login.address.searchParams)).toEqual({
      callback_port: expect.stringMatching(/^\d{4,5}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{16,128}$/),
    });
    const state = login.address.searchParams.get('state')!;
    const answer = await callback(login.address, { code: await person.authorize(login.address), state });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('You can close this window')]);
    expect([await login.ended, await login.stdout]).toEqual([0, '']);
    expect(login.said()).toContain(`Logged in at ${at.url} as ${person.email} in`);
    const status = await cli.run(['login', 'status', '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({ authenticated: true, id: person.id, source: 'profile' });
  });

  it('takes nothing without its state, and goes on waiting', async () => {
    const [person, login] = [await browser(), await waiting(at.open())];
    const code = await person.authorize(login.address);
    const state = login.address.searchParams.get('state')!;
    const others: Readonly<Record<string, string>>[] = [
      { code },
      { code, state: `${state}x` },
      { code, state: 'x'.repeat(state.length) },
      { error: 'access_denied' },
    ];
    for (const query of others) expect((await callback(login.address, query)).status).toBe(404);
    expect((await callback(login.address, { code, state }, 'POST')).status).toBe(404);
    expect((await callback(login.address, { code, state })).status).toBe(200);
    expect(await login.ended).toBe(0);
  });

  it('ends with 3 where the user refuses, and where the code is of another login', async () => {
    const refused = await waiting(at.open());
    await callback(refused.address, { error: 'access_denied', state: refused.address.searchParams.get('state')! });
    expect([await refused.ended, refused.said()]).toEqual([3, expect.stringContaining('was refused')]);
    const [person, login] = [await browser(), await waiting(at.open())];
    const other = new URL(login.address);
    other.searchParams.set('code_challenge', createHash('sha256').update('another').digest('base64url'));
    await callback(login.address, {
      code: await person.authorize(other),
      state: login.address.searchParams.get('state')!,
    });
    expect(await login.ended).toBe(3);
  });

  it('opens the browser by BROWSER, at a terminal without being asked; the code can be pasted there', async () => {
    const cli = at.open();
    const [opener, record] = [join(cli.home, 'opener'), join(cli.home, 'address')];
    writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > '${record}'\n`);
    chmodSync(opener, 0o755);
    const person = await browser();
    const terminal = await Terminal.run('login', cli, { COFFER_DOMAIN: at.url, BROWSER: opener });
    await terminal.sees('paste the code that the page shows: ');
    await expect.poll(() => existsSync(record) && readFileSync(record, 'utf8')).toMatch(/^http:\/\/127\.0\.0\.1:/);
    const first = await fetch(readFileSync(record, 'utf8'), { redirect: 'manual' });
    const address = new URL(first.headers.get('location')!);
    expect(address.href.startsWith(`${at.url}/login?`)).toBe(true);
    terminal.types(`${await person.authorize(address)}\r`);
    expect([await terminal.ended, terminal.shown]).toEqual([0, expect.stringContaining(`as ${person.email}`)]);
  });

  /** A login whose browser only notes the address that it gets, as `ps` shows it. */
  const noted = async () => {
    const cli = at.open();
    const [opener, record] = [join(cli.home, 'opener'), join(cli.home, 'address')];
    writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > '${record}'\n`, { mode: 0o755 });
    const login = await waiting(cli, opener);
    await expect.poll(() => existsSync(record) && readFileSync(record, 'utf8')).toMatch(/./);
    return { login, shown: readFileSync(record, 'utf8') };
  };
  const finish = async ({ address, ended }: Awaited<ReturnType<typeof waiting>>) => {
    const code = await (await browser()).authorize(address);
    await callback(address, { code, state: address.searchParams.get('state')! });
    expect(await ended).toBe(0);
  };

  it('gives the browser an address without the state, which works once', async () => {
    const { login, shown } = await noted();
    expect(shown).not.toContain(login.address.searchParams.get('state'));
    expect(await follow(shown, 'POST')).toEqual({ status: 404, to: null });
    expect(await follow(shown)).toEqual({ status: 302, to: login.address.href });
    expect(await follow(shown)).toEqual({ status: 404, to: null });
    await finish(login);
  });

  it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
    'sends no other user of the machine from that address to the server',
    async () => {
      const { login, shown } = await noted();
      const ask = `fetch('${shown}').then(({ status }) => process.exit(status === 404 ? 0 : 1))`;
      const asked = spawn(process.execPath, ['-e', ask], { uid: 65_534, cwd: '/', stdio: 'inherit' });
      expect(await once(asked, 'exit')).toEqual([0, null]);
      expect(await follow(shown)).toEqual({ status: 302, to: login.address.href });
      await finish(login);
    },
  );
});
