// @long: large values, many callers
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { appRouter, operationsOf } from '@coffer/api';
import { isLongSearch, makeUser } from '@coffer/domain/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { routeOf } from '../../src/rest.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';
import { turnsOf } from '../harness/turns.ts';

const LIMIT = 1;
const MB = 1_000_000;
const JSON_TYPE = 'application/json';
const ID = '00000000-0000-4000-8000-000000000000';

let test: TestServer;
let port: number;
let projectId: string;
const sockets = new Set<Socket>();

beforeAll(async () => {
  test = await testServer(
    {},
    { refusedTokenLimit: LIMIT, isTrustedProxy: () => true, strangers: { maxUnfinished: 3, patienceMs: 500 } },
  );
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = test.app.server.address() as AddressInfo);
  projectId = (await test.project()).id;
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});
afterAll(() => test.close());

let addresses = 0;
/** Another address, so that limits of tests do not meet. */
const address = () => `10.${++addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
const from = () => `X-Forwarded-For: ${address()}`;

/** A request on a connection of its own. */
function send(head: string, body = '', headers = [from()], host = 'localhost'): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.write([`${head} HTTP/1.1`, `Host: ${host}`, ...headers, '', body].join('\r\n'));
  return socket;
}
const json = (...headers: string[]) => [from(), `Content-Type: ${JSON_TYPE}`, ...headers];
const bearer = (token: string) => `Authorization: Bearer ${token}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const chunk = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n`;
const place = () => new URLSearchParams({ projectId, environment: 'dev', secretPath: '/' }).toString();

const answerOf = async (socket: Socket): Promise<string> => text(socket);
/** The status of an answer, which may be followed by others. */
const statusOf = (socket: Socket): Promise<number> =>
  new Promise((resolve) => {
    socket.once('data', (data: Buffer) => resolve(Number(data.toString('latin1').slice(9, 12))));
    socket.once('close', () => resolve(0));
  });

describe('attack: bodies where nobody reads them', () => {
  const unfinished = ['Content-Length: 10000000'];
  const part = ' '.repeat(100_000);

  it.each([
    ['POST', '/api/nowhere', 404],
    ['PUT', '/x', 404],
    ['DELETE', '/', 404],
    ['OPTIONS', '/api/status', 404],
    ['POST', '/api/status', 404],
    ['PUT', '/api/v4/secrets/batch', 404],
    ['PATCH', '/api/trpc/secrets.createMany', 404],
    ['POST', '/api/trpc/secrets/createMany', 404],
    ['PROPFIND', '/api/v4/secrets', 404],
    ['POST', '/api/%zz', 400],
    ['GET', '/api/status', 200],
    ['HEAD', '/api/nowhere', 404],
  ])('%s %s is answered before a large one is sent, and the connection ends', async (method, url, status) => {
    for (const headers of [json(...unfinished), json(CHUNKED)]) {
      const body = headers.includes(CHUNKED) ? chunk(part) : part;
      const answer = await answerOf(send(`${method} ${url}`, body, headers));
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer).toMatch(/\r\nx-request-id: req-/i);
      expect(answer).toMatch(/\r\nx-content-type-options: nosniff/i);
    }
    expect(test.app.transferMemory.used).toBe(0);
  });

  it.each([
    ['POST', '/api/nowhere', 404],
    ['PUT', '/api/v4/secrets/batch', 404],
    ['POST', '/api/%zz', 400],
  ])('%s %s is refused by the rules for all requests, whatever its body', async (method, url, status) => {
    const body = '{"malformed';
    const size = `Content-Length: ${body.length}`;
    const close = 'Connection: close';
    const ask = async (headers: string[], host?: string) =>
      (await answerOf(send(`${method} ${url}`, body, [...json(size, close), ...headers], host))).slice(9, 12);
    expect(await ask([])).toBe(`${status}`);
    expect(await ask([], 'evil.example')).toBe('421');
    expect(await ask([bearer('x'), 'X-API-Key: y'])).toBe('400');
    const guess = { 'x-forwarded-for': address(), authorization: 'Bearer guess' };
    const refused = await test.app.inject({ url: '/api/v1/identities/details', headers: guess });
    expect(refused.statusCode).toBe(401);
    const { statusCode, headers } = await test.app.inject({
      method: method as 'POST',
      url,
      headers: { ...guess, 'content-type': JSON_TYPE },
      payload: body,
    });
    expect([statusCode, headers['x-content-type-options']]).toEqual([429, 'nosniff']);
  });

  it('of a GET are neither counted nor timed, while its answer is made and streamed', async () => {
    const { token } = await test.identity({ projectId, projectRole: 'admin' });
    const client = await test.coffer.pool.connect();
    try {
      await client.query('begin');
      await client.query('lock table secrets in access exclusive mode');
      const headers = [from(), bearer(token), 'Content-Length: 2', 'Connection: close'];
      const lists = Array.from({ length: 5 }, () => answerOf(send(`GET /api/v4/secrets?${place()}`, '{}', headers)));
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      await client.query('rollback');
      for (const answer of await Promise.all(lists)) expect(answer).toMatch(/^HTTP\/1.1 200 /);
    } finally {
      client.release();
    }
    const { token: other } = await test.identity({ projectId, projectRole: 'admin' });
    const input = encodeURIComponent(JSON.stringify({ projectId, register: [{ event: 'secret:update' }] }));
    const stream = send(`GET /api/trpc/secretEvents.watch?input=${input}`, '{}', [
      from(),
      bearer(other),
      'Content-Length: 2',
    ]);
    let received = '';
    stream.on('data', (data: Buffer) => (received += data.toString('latin1')));
    await expect.poll(() => received).toMatch(/^HTTP\/1.1 200 /);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(received).not.toContain('408');
    expect(stream.closed).toBe(false);
  });

  it('of a GET do not hide that the client has disconnected', async () => {
    const { token } = await test.identity({ projectId, projectRole: 'admin' });
    const input = encodeURIComponent(JSON.stringify({ projectId, register: [{ event: 'secret:update' }] }));
    const before = test.app.traffic.inFlight;
    const headers = [from(), bearer(token), 'Content-Length: 500000'];
    const stream = send(`GET /api/trpc/secretEvents.watch?input=${input}`, ' '.repeat(400_000), headers);
    await expect.poll(() => test.app.traffic.inFlight).toBe(before + 1);
    stream.destroy();
    await expect.poll(() => test.app.traffic.inFlight).toBe(before);
  });
});

describe('attack: guessing tokens by requests with bodies', () => {
  const FRAMINGS = ['small', 'chunked', 'large', 'large chunked'] as const;
  const large = Buffer.from(`{}${' '.repeat(65_535)}`);

  /** The registered routes, and how they are called; of operations of REST only some in the short form. */
  const routes = () => {
    const operations = new Set(operationsOf(appRouter).map(routeOf));
    return test.app.traffic.routes
      .filter(({ route }, n) => route !== '(none)' && (isLongSearch || !operations.has(route) || n % 5 === 0))
      .flatMap(({ method, route }) =>
        method.split(',').map((one) => ({
          method: one as 'POST',
          url: route
            .replace('/api/trpc/:path', `/api/trpc/${one === 'GET' ? 'secrets.list' : 'secrets.createMany'}`)
            .replaceAll(/:\w+/g, ID)
            .replace('*', 'x'),
        })),
      );
  };

  async function ask(
    { method, url }: { method: 'POST'; url: string },
    framing: (typeof FRAMINGS)[number],
    token: string,
    ipAddress: string,
  ): Promise<number> {
    const body = framing.startsWith('large') ? large : Buffer.from('{}');
    const isChunked = framing.endsWith('chunked');
    const { statusCode } = await test.app.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': JSON_TYPE,
        'x-forwarded-for': ipAddress,
        ...(isChunked && { 'transfer-encoding': 'chunked' }),
      },
      payload: isChunked ? Readable.from([body]) : body,
      payloadAsStream: true,
    });
    return statusCode;
  }

  /** What was recorded of the refused requests of an address. */
  async function eventsOf(ipAddress: string): Promise<string[]> {
    const { rows } = await test.coffer.pool.query<{ event: string }>(
      `select type || ' ' || (data ->> 'details') as event from audit_events where ip_address = $1 order by 1`,
      [ipAddress],
    );
    return rows.map(({ event }) => event);
  }

  it('is limited and recorded at every route in the same way, or no token is looked at', async () => {
    const { token } = await test.identity();
    const problems: unknown[] = [];
    let verifying = 0;
    for (const [n, route] of routes().entries()) {
      let expected: string | undefined;
      for (const framing of ['small', 'large', n % 2 === 0 ? 'chunked' : 'large chunked'] as const) {
        const ipAddress = address();
        const statuses: number[] = [];
        for (let guess = 0; guess <= LIMIT; guess++)
          statuses.push(await ask(route, framing, `${token.slice(0, -6)}${100_000 + guess}`, ipAddress));
        const isRefused = statuses.some((status) => [401, 403, 429].includes(status));
        const found = `${statuses.join()} ${isRefused ? (await eventsOf(ipAddress)).join() : ''}`;
        expected ??= found;
        if (framing === 'small' && found.startsWith('401,429 token.refused')) verifying++;
        // What does not look at tokens answers a valid one alike.
        const isSame = isRefused ? found === expected : (await ask(route, framing, token, address())) === statuses[0];
        if (!isSame) problems.push({ ...route, framing, found, expected });
      }
    }
    expect(problems).toEqual([]);
    expect(verifying).toBeGreaterThan(isLongSearch ? 400 : 80);
  });

  it.each(['secrets.createMany', 'secrets.createMany,secrets.updateMany?batch=1'])(
    'is recorded with its operation by tRPC: %s',
    async (url) => {
      for (const framing of FRAMINGS) {
        const ipAddress = address();
        expect(await ask({ method: 'POST', url: `/api/trpc/${url}` }, framing, 'guess', ipAddress)).toBe(401);
        expect([framing, await eventsOf(ipAddress)]).toEqual([framing, ['token.refused ["tRPC secrets.createMany"]']]);
      }
    },
  );

  it('a stolen token is not tried from untrusted addresses without an event', async () => {
    const { id } = await test.identity();
    const method = `/api/v1/auth/token-auth/identities/${id}`;
    await test.admin('PATCH', method, { accessTokenTrustedIps: [{ ipAddress: '192.0.2.1/32' }] });
    const { accessToken } = (await test.admin('POST', `${method}/tokens`, { name: 'stolen' })).body;
    const operations = {
      '/api/trpc/secrets.createMany': 'tRPC secrets.createMany',
      '/api/v4/secrets/batch': 'POST /api/v4/secrets/batch',
    };
    for (const [url, operation] of Object.entries(operations))
      for (const framing of FRAMINGS) {
        const ipAddress = address();
        expect(await ask({ method: 'POST', url }, framing, accessToken, ipAddress)).toBe(403);
        const [event] = await eventsOf(ipAddress);
        expect([framing, event]).toEqual([framing, expect.stringMatching(`^request.denied .*${operation} `)]);
      }
  });
});

describe('attack: bodies of unknown size', () => {
  const BATCH = 'POST /api/v4/secrets/batch';
  const big = ' '.repeat(70_000);

  it('reserve nothing while they are small, and what they have once they are read', async () => {
    const { token } = await test.identity({ projectId, projectRole: 'member' });
    const { transferMemory } = test.app;
    const headers = () => json(CHUNKED, bearer(token), 'Connection: close');
    const secret = (key: string, value: string) =>
      JSON.stringify({
        ...Object.fromEntries(new URLSearchParams(place())),
        secrets: [{ secretKey: key, secretValue: value }],
      });
    const small = send(BATCH, chunk(secret('Small', 'v')), headers());
    await expect.poll(() => test.app.traffic.inFlight).toBeGreaterThan(0);
    expect(transferMemory.used).toBe(0);
    small.write('0\r\n\r\n');
    expect(await statusOf(small)).toBe(200);
    const body = secret('Large', 'v'.repeat(200_000));
    const socket = send(BATCH, chunk(body.slice(0, 100_000)), headers());
    await expect.poll(() => transferMemory.used).toBe(3 * 10 * 1024 * 1024);
    const client = await test.coffer.pool.connect();
    try {
      await client.query('begin');
      await client.query('lock table secrets in access exclusive mode');
      socket.write(`${chunk(body.slice(100_000))}0\r\n\r\n`);
      await expect.poll(() => transferMemory.used).toBe(3 * body.length);
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect(await statusOf(socket)).toBe(200);
  });

  it('are refused without a valid token as soon as they are large, and timed until then', async () => {
    const late: Promise<number>[] = [];
    for (const url of [BATCH, 'POST /api/trpc/secrets.createMany'])
      for (const guess of [[], [bearer('guess')]]) {
        expect(await statusOf(send(url, chunk(big), json(CHUNKED, ...guess)))).toBe(401);
        late.push(statusOf(send(url, chunk('{'), json(CHUNKED, ...guess))));
      }
    expect(await Promise.all(late)).toEqual([408, 408, 408, 408]);
    const shared = from();
    const slow = Array.from({ length: 4 }, () =>
      send(BATCH, chunk('{'), [shared, `Content-Type: ${JSON_TYPE}`, CHUNKED]),
    );
    // The fourth ends the slowest of three.
    expect(await Promise.all(slow.map(statusOf))).toEqual([408, 408, 408, 408]);
  });

  it('are read for public operations, also by tRPC, and for new tokens at any speed', async () => {
    const login = chunk('{"clientId":"nobody","clientSecret":"none"}');
    const close = 'Connection: close';
    for (const url of ['/api/v1/auth/universal-auth/login', '/api/trpc/universalAuth.logIn']) {
      const answer = await answerOf(send(`POST ${url}`, `${login}0\r\n\r\n`, json(CHUNKED, close)));
      expect([url, answer]).toEqual([url, expect.not.stringContaining('auth.no_token')]);
      expect(answer).not.toContain('Send a token');
    }
    const { token } = await test.identity({ projectId, projectRole: 'member' });
    const slow = send(BATCH, chunk(`{${big}`), json(CHUNKED, bearer(token), close));
    const status = statusOf(slow);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    slow.write(`${chunk('}')}0\r\n\r\n`);
    expect(await status).toBe(422);
  });

  it('that go on after they were refused end with their clients, too', async () => {
    const before = test.app.traffic.inFlight;
    for (const url of ['POST /api/v1/auth/universal-auth/login', BATCH]) {
      const socket = send(url, chunk(big), json(CHUNKED));
      const status = statusOf(socket);
      const going = setInterval(() => socket.write(chunk(big)), 10);
      expect([url, await status]).toEqual([url, url === BATCH ? 401 : 413]);
      clearInterval(going);
      socket.destroy();
    }
    await expect.poll(() => test.app.traffic.inFlight).toBe(before);
    // An unhandled error would end the test run.
    await new Promise((resolve) => setTimeout(resolve, 100));
  });

  it('end with their clients', async () => {
    const { token } = await test.identity({ projectId, projectRole: 'member' });
    const socket = send(BATCH, chunk(`{${big}`), json(CHUNKED, bearer(token)));
    await expect.poll(() => test.app.transferMemory.used).toBeGreaterThan(0);
    socket.destroy();
    await expect.poll(() => [test.app.transferMemory.used, test.app.traffic.inFlight]).toEqual([0, 0]);
  });
});

describe('attack: an ID or name of a million characters', () => {
  it('is unknown like any other, and its answer repeats no more than a part of it', async () => {
    const { call: powerless } = await test.identity({ organizationRole: 'no-access' });
    const [long, name] = ['x'.repeat(MB), 'y'];
    for (const [call, url, body, status] of [
      [test.admin, '/api/v1/projects', { projectName: name, kmsKeyId: long }, 404],
      [test.admin, '/api/v1/projects', { projectName: name, template: long }, 404],
      [test.admin, '/api/v1/kms/keys', { projectId: long, name }, 404],
      [powerless, '/api/v1/projects', { projectName: name, template: long }, 403],
    ] as const) {
      const answer = await call('POST', url, body);
      expect([url, answer.status]).toEqual([url, status]);
      expect(JSON.stringify(answer.body).length).toBeLessThan(2_000);
    }
  });
});

describe('attack: JSON that is slow to read', () => {
  const quotes = '\\"';
  it.each([
    [
      'texts of escaped quotes',
      `[${Array(49_000)
        .fill(`"${quotes.repeat(95)}"`)
        .join()}]`,
    ],
    ['repeated keys with escaped quotes', `[${`{"${quotes.repeat(95)}":1},`.repeat(24_900)}1${' '.repeat(5 * MB)}]`],
    ['a text of escapes', `["${'\\u0041'.repeat(1_600_000)}"]`],
  ])('%s: is read in several turns', async (_, payload) => {
    expect(payload.length).toBeGreaterThan(9 * MB);
    const headers = { 'content-type': JSON_TYPE, authorization: `Bearer ${test.adminIdentity.token}` };
    const ask = () => test.app.inject({ method: 'POST', url: '/api/v4/secrets/batch', headers, payload });
    await turnsOf(2, async () => expect((await ask()).statusCode).toBe(422));
  });
});

describe('attack: long bodies whose ends arrive at once', () => {
  it('are put together in a turn each, and read in further ones', async () => {
    const [BODIES, TURNS_OF_ONE] = [8, 3];
    const headers = { 'content-type': JSON_TYPE, authorization: `Bearer ${test.adminIdentity.token}` };
    const payload = JSON.stringify({ long: 'x'.repeat(100_000) });
    const ask = () => test.app.inject({ method: 'POST', url: '/api/v4/secrets/batch', headers, payload });
    await turnsOf(BODIES * TURNS_OF_ONE, async () => {
      for (const { statusCode } of await Promise.all(Array.from({ length: BODIES }, ask))) expect(statusCode).toBe(422);
    });
  });
});

describe('attack: JSON that takes long to read by what is not counted', () => {
  const post = (url: string, payload: string, { token }: { token: string } = test.adminIdentity) =>
    test.app.inject({
      ...{ method: 'POST', url, payload },
      headers: { 'content-type': JSON_TYPE, authorization: `Bearer ${token}` },
    });

  it.each([
    ['integers', '123456789'.repeat(20)],
    ['numbers between two doubles', `2.2250738585072011${'3'.repeat(170)}e-308`],
    ['numbers with zeros', `1${'0'.repeat(180)}.5e-300`],
  ])('in %s of hundreds of digits: is too large', async (_, number) => {
    const payload = `{"a":[${`${number},`.repeat(49_000)}1]}`;
    expect(payload.length).toBeGreaterThan(8 * MB);
    expect((await post('/api/v4/secrets/batch', payload)).statusCode).toBe(413);
  });

  it.each([
    ['in one object', (n: number) => `"k${n}":1`],
    ['with escaped quotes', (n: number) => `"${n}${'\\"'.repeat(95)}":1`],
    ['in many objects', (n: number) => `"k${n}":{"j${n}":1}`],
  ])('in tens of thousands of distinct keys %s: is too large', async (_, member) => {
    const payload = `{${Array.from({ length: 24_000 }, (_key, n) => member(n)).join()}}`;
    const answer = await post('/api/v4/secrets/batch', payload);
    expect([answer.statusCode, answer.body]).toEqual([413, expect.stringContaining('distinct keys')]);
  });

  it.each([
    ['many values in one', [`[${'1,'.repeat(4 * MB)}1]`]],
    ['many values in several', Array<string>(100).fill(`[${'{},'.repeat(1_000)}1]`)],
    ['many distinct keys', [`{${Array.from({ length: 24_000 }, (_, n) => `"k${n}":1`).join()}}`]],
    ['deep ones', ['['.repeat(4 * MB)]],
    ['many values behind the beginning of a string', ['"', `[${'1,'.repeat(4 * MB)}1]`]],
    ['deep ones behind ends', [']'.repeat(4 * MB), '['.repeat(1_000)]],
  ])('in the texts of requested rules: %s are refused before they are parsed', async (_, permissions) => {
    const url = '/api/v1/access-approvals/requests?projectSlug=x';
    const person = await makeUser(test.coffer, { organizationId: test.organizationId });
    const answer = await post(url, JSON.stringify({ permissions, isTemporary: false }), person);
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('The JSON texts hold more than');
  });
});
