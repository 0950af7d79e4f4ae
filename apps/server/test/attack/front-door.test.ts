import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressMatcher, issueSetupCode, parseCidrs, type Log } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

const FIRST = { email: 'admin@example.com', password: 'correct horse battery', organization: 'Acme' };
const METRICS_TOKEN = 'a-token-of-sixteen-letters-or-more';
const warnings: object[] = [];
const log: Log = {
  debug: () => undefined,
  info: () => undefined,
  error: (one) => warnings.push(one),
  warn: (one) => warnings.push(one),
};

let test: TestServer;
/** Without an administrator. */
let fresh: TestServer;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' }, { logger: log, metricsToken: METRICS_TOKEN, refusedTokenLimit: 5 });
  fresh = await testServer({}, { isTrustedProxy: addressMatcher(parseCidrs('127.0.0.2')) });
});
afterAll(async () => {
  await test.close();
  await fresh.close();
});

/** Of a socket, where what `inject` sends is not enough. */
async function portOf({ app }: TestServer): Promise<number> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

const ask = async (
  server: TestServer,
  {
    url,
    headers = {},
    remoteAddress = '127.0.0.1',
    payload,
  }: {
    url: string;
    headers?: Record<string, string>;
    remoteAddress?: string;
    payload?: object;
  },
) => {
  const method = payload ? 'POST' : 'GET';
  const { statusCode, body } = await server.app.inject({
    method,
    url,
    headers,
    remoteAddress,
    ...(payload && { payload }),
  });
  return { status: statusCode, body };
};

describe('attack: several credentials in one request', () => {
  it('is open to whoever counts another one than the server', async () => {
    const port = await portOf(test);
    const told = (...credentials: readonly string[]) => {
      const socket = connect(port, '127.0.0.1');
      const headers = [`host: 127.0.0.1:${port}`, 'connection: close', ...credentials];
      socket.write(`GET /api/v1/organization HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      return text(socket);
    };
    const token = `authorization: Bearer ${test.adminIdentity.token}`;
    expect(await told(token)).toMatch(/^HTTP\/1\.1 200 /);
    for (const other of [token, 'Authorization: Bearer nonsense', 'AUTHORIZATION: Basic eDp4', 'x-api-key: nonsense'])
      for (const both of [
        [token, other],
        [other, token],
      ])
        expect(await told(...both)).toMatch(/^HTTP\/1\.1 400 [^]*not several/);
  });
});

describe('attack: DNS rebinding', () => {
  it.each([
    'evil.example',
    'evil.example:8080',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil.example.',
    '0.0.0.0',
    '169.254.169.254',
    'localhost@evil.example',
  ])('a page of %s reads nothing', async (host) => {
    const token = `Bearer ${test.adminIdentity.token}`;
    for (const url of [
      '/api/v1/organization',
      '/api/v1/admin/config',
      '/api/docs',
      '/metrics',
      '/nowhere',
      '/api/trpc/instance.config',
    ]) {
      const { status, body } = await ask(test, { url, headers: { host, authorization: token } });
      expect([url, status]).toEqual([url, 421]);
      expect(body).not.toContain('Acme');
    }
  });

  it('a request with a second Host, or another one in its target, reads nothing', async () => {
    const port = await portOf(fresh);
    const send = async (target: string, ...hosts: string[]) => {
      const socket = connect(port, '127.0.0.1');
      const headers = hosts.map((host) => `Host: ${host}\r\n`).join('');
      socket.write(`GET ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
      return (await text(socket)).split('\r\n')[0];
    };
    const path = '/api/v1/admin/config';
    expect(await send(path, 'localhost')).toContain('200');
    for (const hosts of [
      ['localhost', 'evil.example'],
      ['evil.example', 'localhost'],
      ['localhost', 'localhost'],
    ])
      expect([hosts, await send(path, ...hosts)]).toEqual([hosts, expect.stringContaining('421')]);
    for (const target of [`http://evil.example${path}`, `http://localhost@evil.example${path}`])
      expect([target, await send(target, 'localhost')]).toEqual([target, expect.stringContaining('421')]);
    expect(await send(`http://localhost${path}`, 'evil.example')).toContain('421');
    expect(await send(path)).toContain('400');
  });

  it('a page does not become the first administrator', async () => {
    for (const url of ['/api/v1/admin/bootstrap', '/api/trpc/instance.bootstrap'])
      expect((await ask(fresh, { url, headers: { host: 'evil.example' }, payload: FIRST })).status).toBe(421);
  });

  it('probes by address can read the status, and nothing else', async () => {
    expect((await ask(test, { url: '/api/status', headers: { host: '10.1.2.3:8080' } })).status).toBe(200);
    expect((await ask(test, { url: '/api/status/', headers: { host: '10.1.2.3:8080' } })).status).toBe(200);
    expect((await ask(test, { url: '/api/trpc/instance.status', headers: { host: '10.1.2.3:8080' } })).status).toBe(
      421,
    );
  });
});

describe('attack: taking a fresh instance', () => {
  const take = (setupCode?: string, from: Partial<Parameters<typeof ask>[1]> = {}) =>
    ask(fresh, { url: '/api/v1/admin/bootstrap', payload: { ...FIRST, setupCode }, ...from });
  const form = { firstName: 'E', email: FIRST.email, password: FIRST.password };

  it.each([
    ['another machine', { remoteAddress: '192.0.2.1' }],
    ['another machine with a name of this one', { remoteAddress: '192.0.2.1', headers: { host: 'localhost' } }],
    ['a proxy on this machine', { headers: { 'x-forwarded-for': '127.0.0.1' } }],
    ['a trusted proxy on this machine', { remoteAddress: '127.0.0.2', headers: { 'x-forwarded-for': '127.0.0.1' } }],
    ['a proxy that says Forwarded', { headers: { forwarded: 'for=127.0.0.1' } }],
    ['a proxy that says Via', { headers: { via: '1.1 proxy' } }],
    ['a proxy that says X-Real-IP', { headers: { 'x-real-ip': '127.0.0.1' } }],
    ['a page of another site', { headers: { origin: 'https://evil.example' } }],
    ['a page of nowhere', { headers: { origin: 'null' } }],
    ['a page at another port', { headers: { host: 'localhost:8080', origin: 'http://localhost:3000' } }],
    ['a page that hides its origin', { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } }],
  ])('%s needs the set-up code', async (_name, from) => {
    const code = await issueSetupCode(fresh.coffer.contextFor({ type: 'platform', organizationId: undefined }));
    const wrong = `${code!.slice(0, -1)}${code!.endsWith('a') ? 'b' : 'a'}`;
    for (const given of [undefined, '', 'guess', wrong]) {
      const { status, body } = await take(given, from);
      expect(status).toBe(401);
      expect(body).not.toContain(code);
    }
    expect((await ask(fresh, { url: '/api/v1/admin/signup', payload: form, ...from })).status).toBe(401);
    // A page needs no CORS permission to send a POST without a body.
    const url = `/api/v1/admin/bootstrap?${new URLSearchParams(FIRST).toString()}`;
    expect((await fresh.app.inject({ method: 'POST', url, ...from })).statusCode).toBe(401);
  });

  it('a code works once, the previous one does not, and neither permits a common password', async () => {
    const ctx = fresh.coffer.contextFor({ type: 'platform', organizationId: undefined });
    const before = await issueSetupCode(ctx);
    const code = await issueSetupCode(ctx, before);
    const away = { remoteAddress: '192.0.2.1' };
    expect((await take(before, away)).status).toBe(401);
    expect(
      (
        await ask(fresh, {
          url: '/api/v1/admin/bootstrap',
          payload: { ...FIRST, password: 'password1234', setupCode: code },
          ...away,
        })
      ).status,
    ).toBe(422);
    const answers = await Promise.all([take(code, away), take(code, away), take(code, away)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    const { rows } = await fresh.coffer.pool.query('select 1 from setup_codes');
    expect(rows).toEqual([]);
    expect(await issueSetupCode(ctx)).toBeUndefined();
  });
});

describe('attack: other doors', () => {
  it('metrics are refused without the token, from any address', async () => {
    for (const remoteAddress of ['127.0.0.1', '::1', '192.0.2.1'])
      expect((await ask(test, { url: '/metrics', remoteAddress })).status).toBe(401);
    for (const remoteAddress of ['127.0.0.1', '::1', '192.0.2.1'])
      expect((await ask(fresh, { url: '/metrics', remoteAddress })).status).toBe(404);
  });

  it('guesses of tokens do not block others behind the same address from reading the metrics', async () => {
    const from = { remoteAddress: '192.0.2.77' };
    const scrape = (token: string) =>
      ask(test, { url: '/metrics', headers: { authorization: `Bearer ${token}` }, ...from });
    const guesses: number[] = [];
    for (let i = 0; i < 7; i++) guesses.push((await scrape(`guess-${i}`)).status);
    expect(guesses).toEqual([...Array(5).fill(401), 429, 429]);
    expect((await scrape(METRICS_TOKEN)).status).toBe(200);
  });

  it('X-Forwarded-For of an untrusted peer is logged once', async () => {
    warnings.length = 0;
    for (const forwarded of ['10.0.0.1', '10.0.0.2'])
      await ask(test, { url: '/api/status', headers: { 'x-forwarded-for': forwarded }, remoteAddress: '192.0.2.9' });
    expect(warnings).toEqual([{ peer: '192.0.2.9' }]);
  });

  it('clients that disconnect in the middle of a body leave no warning, and none about the database', async () => {
    warnings.length = 0;
    const port = await portOf(test);
    const types = {
      form: 'application/x-www-form-urlencoded',
      json: 'application/json',
      der: 'application/ocsp-request',
    };
    const heads = [
      ['/api/v1/auth/universal-auth/login', types.json, 'Content-Length: 10'],
      ['/api/v1/auth/universal-auth/login', types.json, 'Transfer-Encoding: chunked'],
      ['/api/v1/auth/aws-auth/login', types.form, 'Content-Length: 10'],
      ['/api/v1/pki/ocsp/x', types.der, 'Content-Length: 10'],
      ['/api/v4/secrets/batch', types.json, 'Content-Length: 300000'],
      ['/api/trpc/secrets.list', types.json, 'Content-Length: 10'],
      ['/api/v1/cert-manager/acme/x/new-order', 'application/jose+json', 'Content-Length: 10'],
      ['/no/such/path', types.json, 'Content-Length: 10'],
    ];
    const ends = [
      (socket: Socket) => socket.resetAndDestroy(),
      (socket: Socket) => socket.destroy(),
      (socket: Socket) => socket.end(),
    ];
    const { traffic } = test.app;
    for (const end of ends)
      await Promise.all(
        heads.map(async ([path, type, length]) => {
          const socket = connect(port, '127.0.0.1');
          socket.on('error', () => undefined).resume();
          const bearer = `Authorization: Bearer ${test.adminIdentity.token}`;
          const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', bearer, `Content-Type: ${type}`, length];
          socket.write(`${head.join('\r\n')}\r\n\r\n${length!.startsWith('T') ? '2\r\n' : ''}{"`);
          await expect.poll(() => traffic.inFlight).toBeGreaterThan(0);
          await sleep(50);
          end(socket);
        }),
      );
    await expect.poll(() => traffic.inFlight).toBe(0);
    expect(warnings).toEqual([]);
  });
});
