import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { appRouter, operationsOf, procedure, rest, router } from '@coffer/api';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { echoRouter } from '../harness/echo-router.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer({}, { router: echoRouter, bodyLimit: 20_000 });
});
afterAll(() => test.close());

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS';

async function send(
  method: Method,
  url: string,
  payload?: string | Buffer | object,
  headers: Record<string, string> = {},
) {
  const answer = await test.app.inject({
    method,
    url,
    headers,
    ...(payload !== undefined && { payload: payload as object }),
  });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.body ? (JSON.parse(answer.body) as Record<string, unknown>) : undefined,
  };
}

/** The published body of an error, to the last field. */
const error = (statusCode: number, name: string, message: unknown = expect.any(String)) => ({
  reqId: expect.stringMatching(/^req-[A-Za-z0-9]{14}$/) as string,
  statusCode,
  message,
  error: name,
});

describe('a request', () => {
  it('merges path, query and body; the path wins, then the body', async () => {
    const { body } = await send('PATCH', '/echo/path?id=query&text=query&flag=true', {
      id: 'body',
      text: 'body',
      unknown: 1,
    });
    expect(body).toEqual({ echo: { id: 'path', text: 'body', flag: true } });
  });

  it('is decoded, with slashes and line ends in names', async () => {
    expect((await send('GET', '/echo/a%2Fb%20c%0A%C3%BC?text=x+y%2Bz')).body).toEqual({
      echo: { id: 'a/b c\n\u00fc', text: 'x y+z' },
    });
  });

  it('can have a trailing slash, but is case-sensitive', async () => {
    expect((await send('POST', '/echo/', {})).status).toBe(200);
    expect((await send('POST', '/Echo', {})).status).toBe(404);
  });

  it('accepts one value of a query for a list of one', async () => {
    expect((await send('GET', '/echo/x?list=a')).body).toEqual({ echo: { id: 'x', list: ['a'] } });
    expect((await send('GET', '/echo/x?list=a&list=b')).body).toEqual({ echo: { id: 'x', list: ['a', 'b'] } });
  });

  it('is answered under all names of its operation', async () => {
    expect((await send('GET', '/older/echo/x')).body).toEqual({ echo: { id: 'x' } });
  });

  it('carries its ID in the response', async () => {
    const { headers, body } = await send('GET', '/nowhere');
    expect(headers['x-request-id']).toBe(body?.['reqId']);
  });

  it('is not cached by intermediaries', async () => {
    const { headers } = await send('GET', '/echo/x');
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('a body', () => {
  it('of a GET is ignored', async () => {
    expect(await send('GET', '/echo/x', '{"text":"ignored', JSON_TYPE)).toMatchObject({
      status: 200,
      body: { echo: { id: 'x' } },
    });
  });

  it('belongs to a DELETE, which may also do without it, and without a type', async () => {
    expect((await send('DELETE', '/echo/x', { text: 'body' })).body).toEqual({ echo: { id: 'x', text: 'body' } });
    expect(await send('DELETE', '/echo/x')).toMatchObject({ status: 200, body: { echo: { id: 'x' } } });
  });

  it('of no bytes is none, whatever is announced', async () => {
    expect((await send('POST', '/echo', undefined, JSON_TYPE)).status).toBe(200);
    expect((await send('POST', '/echo', '', { ...JSON_TYPE, 'content-length': '0' })).status).toBe(200);
    expect((await send('POST', '/echo', 'null', JSON_TYPE)).status).toBe(200);
  });

  it.each([
    ['that is cut off', '{"text":'],
    ['that is no JSON', 'text=1'],
    ['that is not UTF-8', Buffer.from('{"text":"\xff"}', 'latin1')],
    ['with half a surrogate pair', String.raw`{"text":"\ud83d"}`],
    ['with half a surrogate pair in a name', String.raw`{"nested":[{"\udc00":1}]}`],
    ['that reaches for a prototype', '{"__proto__":{"text":"x"}}'],
    ['that reaches for a prototype in disguise', String.raw`{"nested":{"\u005f_proto__":1}}`],
    ['that reaches for a constructor', '{"nested":{"constructor":{"prototype":{}}}}'],
    ['that is nested too deep', `{"nested":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ])('%s gets a 400', async (_, payload) => {
    expect(await send('POST', '/echo', payload, JSON_TYPE)).toMatchObject({
      status: 400,
      body: error(400, 'BadRequest'),
    });
  });

  it('may hold whole pairs, escapes of escapes, and NUL', async () => {
    const payload = String.raw`{"text":"\ud83d\ude00 \\ud83d \u0000"}`;
    expect((await send('POST', '/echo', payload, JSON_TYPE)).body).toEqual({ echo: { text: '\u{1f600} \\ud83d \0' } });
  });

  it.each(['[]', '"text"', '1', 'true'])('of %s gets a 422: it is not an object', async (payload) => {
    const { status, body } = await send('POST', '/echo', payload, JSON_TYPE);
    expect(status).toBe(422);
    expect(body).toEqual(
      error(422, 'ValidationFailure', [
        { code: 'invalid_type', expected: 'object', path: [], message: expect.any(String) as string },
      ]),
    );
  });

  it.each([
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'nonsense',
    '',
  ])('of type "%s" gets a 415', async (type) => {
    expect(await send('POST', '/echo', '{}', { 'content-type': type })).toMatchObject({
      status: 415,
      body: error(415, 'UnsupportedMediaType'),
    });
  });

  it('gets a 415 without a type, or with an encoding', async () => {
    const untyped = await test.app.inject({ method: 'POST', url: '/echo', payload: Buffer.from('{}'), headers: {} });
    expect(untyped.statusCode).toBe(415);
    expect(
      (await send('POST', '/echo', Buffer.from([31, 139]), { ...JSON_TYPE, 'content-encoding': 'gzip' })).status,
    ).toBe(415);
  });

  it('may be a form if the operation supports it, or JSON', async () => {
    expect((await send('POST', '/form', 'id=1&text=a%20b&__proto__=x', FORM)).body).toEqual({
      echo: { id: '1', text: 'a b' },
    });
    expect((await send('POST', '/form', { id: '1' })).body).toEqual({ echo: { id: '1' } });
    expect((await send('POST', '/form', 'x', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('that is too large gets a 413 before it is read', async () => {
    const tooLarge = { status: 413, body: error(413, 'PayloadTooLarge') };
    expect(await send('POST', '/echo', { text: 'x'.repeat(20_000) })).toMatchObject(tooLarge);
    expect(await send('POST', '/form', `text=${'x'.repeat(20_000)}`, FORM)).toMatchObject(tooLarge);
    expect(await send('POST', '/echo', '{', { ...JSON_TYPE, 'content-length': '99999999' })).toMatchObject(tooLarge);
  });

  it('of the wrong shape gets a 422 that lists what is wrong and repeats nothing of it', async () => {
    const { status, body } = await send('POST', '/echo', { text: 1, count: 'canary', list: [{}], flag: 'canary' });
    expect(status).toBe(422);
    expect(body).toEqual(error(422, 'ValidationFailure', expect.any(Array)));
    expect((body as { message: { path: unknown[] }[] }).message.map(({ path }) => path)).toEqual([
      ['text'],
      ['count'],
      ['flag'],
      ['list', 0],
    ]);
    expect(JSON.stringify(body)).not.toContain('canary');
  });
});

describe('an address', () => {
  it('without a route gets a 404', async () => {
    expect(await send('GET', '/api/v1/nowhere?text=secret')).toMatchObject({
      status: 404,
      body: error(404, 'NotFound', 'GET /api/v1/nowhere does not exist'),
    });
    expect((await send('POST', '/api/v1/nowhere', 'x', { 'content-type': 'text/plain' })).status).toBe(404);
  });

  it('with another method gets a 404 that names the right ones', async () => {
    const { status, headers, body } = await send('PUT', '/echo/x', {});
    expect(status).toBe(404);
    expect(headers['allow']).toBe('DELETE, GET, HEAD, PATCH');
    expect(body?.['message']).toBe('PUT /echo/x does not exist, but this path takes DELETE and GET and HEAD and PATCH');
    expect((await send('OPTIONS', '/echo/x')).status).toBe(404);
  });

  it.each([
    '/echo/%',
    '/echo/%zz',
    '/echo/%E0%A4%A',
    '/echo/%ff',
    '/echo/x?text=%',
    '/echo/x?text=%zz',
    '/echo/x?%ff=1',
    '/echo/x?text=%ed%a0%80',
    `/echo/${'x'.repeat(3000)}`,
  ])('with invalid encoding gets a 400: %s', async (url) => {
    expect(await send('GET', url)).toMatchObject({ status: 400, body: error(400, 'BadRequest') });
  });
});

describe('a credential', () => {
  it('is a bearer token or none', async () => {
    const token = test.adminIdentity.token;
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token} `]) {
      expect((await send('GET', '/whoami', undefined, { authorization })).body).toEqual({
        echo: { id: test.adminIdentity.id },
      });
    }
    for (const authorization of [
      token,
      `Basic ${token}`,
      `Bearer${token}`,
      `Bearer ${token} x`,
      'Bearer',
      'Bearer x',
    ]) {
      const { status, headers, body } = await send('GET', '/whoami', undefined, { authorization });
      expect({ status, body }).toEqual({ status: 401, body: error(401, 'UnauthorizedError') });
      expect(headers['www-authenticate']).toBe('Bearer');
    }
  });

  it('rejects an invalid API key, and an API key beside an Authorization header', async () => {
    const [status, body] = [401, error(401, 'UnauthorizedError')];
    expect(await send('GET', '/whoami', undefined, { 'x-api-key': 'x' })).toMatchObject({ status, body });
    for (const authorization of ['Bearer x', 'Basic eDp4', ''])
      expect(await send('GET', '/whoami', undefined, { 'x-api-key': 'x', authorization })).toMatchObject({
        status: 400,
        body: error(400, 'BadRequest'),
      });
  });

  it('may be a cookie, and is set for this site alone', async () => {
    const { headers, body } = await send('POST', '/cookies', undefined, { cookie: 'other=1; held=a%20b' });
    expect(body).toEqual({ echo: { held: 'a b' } });
    expect(headers['set-cookie']).toBe('given=a%20b; Max-Age=60; Path=/; HttpOnly; SameSite=Strict');
  });
});

describe('the address of a caller', () => {
  const address = async (server: TestServer, forwardedFor?: string) => {
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
    const answer = await server.app.inject({
      method: 'GET',
      url: '/address',
      remoteAddress: '::ffff:10.0.0.1',
      headers,
    });
    return answer.json<{ echo: { address: string } }>().echo.address;
  };

  it('is that of the socket, with any headers, unless a proxy is trusted', async () => {
    expect(await address(test)).toBe('10.0.0.1');
    expect(await address(test, '203.0.113.1')).toBe('10.0.0.1');
    const isTrustedProxy = (one: string) => one === '10.0.0.1';
    const behind = await testServer({}, { router: echoRouter, isTrustedProxy });
    onTestFinished(() => behind.close());
    expect(await address(behind)).toBe('10.0.0.1');
    expect(await address(behind, '198.51.100.7, 203.0.113.1')).toBe('203.0.113.1');
  });
});

describe('a fault of ours', () => {
  it('is answered with nothing of what happened', async () => {
    for (const url of ['/broken', '/leaky']) {
      const { status, body } = await send('POST', url, { text: 'canary' });
      expect({ status, body }).toEqual({ status: 500, body: error(500, 'InternalServerError') });
      expect(JSON.stringify(body)).not.toContain('canary');
    }
  });

  it('is a check that was forgotten', async () => {
    expect(
      (await send('GET', '/careless', undefined, { authorization: `Bearer ${test.adminIdentity.token}` })).status,
    ).toBe(500);
  });

  it('is not text that the database cannot store', async () => {
    expect(await send('POST', '/query', { text: 'a\0b' })).toMatchObject({
      status: 400,
      body: error(400, 'BadRequest'),
    });
  });
});

describe('an ETag', () => {
  it('saves a response that the client has', async () => {
    const first = await send('GET', '/cached?text=a');
    const etag = String(first.headers['etag']);
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    for (const header of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await send('GET', '/cached?text=a', undefined, { 'if-none-match': header });
      expect(again).toMatchObject({ status: 304, body: undefined });
      expect(again.headers['etag']).toBe(etag);
    }
    expect((await send('GET', '/cached?text=b', undefined, { 'if-none-match': etag })).status).toBe(200);
  });
});

describe('a connection', () => {
  it('that is not HTTP is answered and closed', async () => {
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.server.address() as { port: number };
    const talk = (words: string) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(words);
      return text(socket);
    };
    expect(await talk('HELLO\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [^]*"statusCode":400,"message":"This is not an HTTP request","error":"BadRequest"}$/,
    );
    expect(await talk(`GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
    expect(
      await talk('POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n'),
    ).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('with an expectation that Coffer does not know is served', async () => {
    const { port } = test.app.server.address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /cached?text=a HTTP/1.1\r\nhost: localhost\r\nexpect: nothing\r\nconnection: close\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('limits', () => {
  it('respond with 429 and the delay', async () => {
    const limited = await testServer(
      { settings: { callLimit: 4, loginLimit: 1 }, clock: 'standing' },
      { router: echoRouter },
    );
    onTestFinished(() => limited.close());
    const ask = async (method: 'GET' | 'POST', url: string, token?: string) =>
      limited.app.inject({
        method,
        url,
        ...(token && { headers: { authorization: `Bearer ${token}` } }),
        ...(method === 'POST' && { payload: {} }),
      });
    const { token } = limited.adminIdentity;
    expect((await ask('GET', '/whoami', token)).statusCode).toBe(200);
    expect((await ask('POST', '/login')).statusCode).toBe(200);
    const login = await ask('POST', '/login');
    expect(login.statusCode).toBe(429);
    expect(login.json()).toEqual(error(429, 'RateLimitExceeded', expect.stringMatching(/try again in \d+ seconds/)));
    expect(login.headers).toMatchObject({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' });
    expect(Number(login.headers['retry-after'])).toBeGreaterThan(0);
    expect(login.headers['x-ratelimit-reset']).toBe(login.headers['retry-after']);
    // Logins are no calls.
    for (let i = 0; i < 3; i++) expect((await ask('GET', '/echo/x')).statusCode).toBe(200);
    expect((await ask('GET', '/nowhere')).statusCode).toBe(429);
    expect((await ask('GET', '/echo/x', 'invented')).statusCode).toBe(429);
    const own: number[] = [];
    for (let i = 0; i < 5; i++) own.push((await ask('GET', '/whoami', token)).statusCode);
    expect(own).toEqual([200, 200, 200, 200, 429]);
  });

  it('serve a caller with one request before the rest of a caller with many', async () => {
    let entered = 0;
    let served = 0;
    let gate = Promise.resolve();
    const light = Promise.withResolvers<void>();
    const gated = procedure
      .meta(rest('GET', '/gated', 'member', 'Wait at the gate'))
      .input(z.object({}))
      .output(z.object({}))
      .query(async ({ ctx }) => {
        entered++;
        await gate;
        // How long the other one takes once it has its turn is not the question.
        if (++served > 20 && 'id' in ctx.actor && ctx.actor.id !== other.id) await light.promise;
        return {};
      });
    const narrow = await testServer({}, { router: router({ test: router({ gated }) }), concurrency: 3 });
    onTestFinished(() => narrow.close());
    const [other, third] = [await narrow.identity(), await narrow.identity()];
    const answered: string[] = [];
    const ask = async (who: string, token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      expect((await narrow.app.inject({ url: '/gated', headers })).statusCode).toBe(200);
      answered.push(who);
    };
    // A known token is a separate caller.
    for (const token of [narrow.adminIdentity.token, other.token, third.token]) await ask('before', token);
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => (open = resolve));
    const many = (count: number) => Array.from({ length: count }, () => ask('heavy', narrow.adminIdentity.token));
    const first = [...many(2), ask('third', third.token)];
    await expect.poll(() => entered).toBe(6);
    const others = [...many(198), ask('light', other.token).finally(light.resolve)];
    // All of them are in line before the first is answered.
    for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
    open();
    await Promise.all([...first, ...others]);
    expect(answered).toHaveLength(205);
    expect(answered.indexOf('light')).toBeLessThan(25);
  });
});

describe('pages of other origins', () => {
  it('may call where the operator names them', async () => {
    const open = await testServer({}, { router: echoRouter, corsOrigins: ['https://app.example.com'] });
    onTestFinished(() => open.close());
    const preflight = (origin: string) =>
      open.app.inject({
        method: 'OPTIONS',
        url: '/echo/x',
        headers: {
          origin,
          'access-control-request-method': 'PATCH',
          'access-control-request-headers': 'authorization',
        },
      });
    const answer = await preflight('https://app.example.com');
    expect(answer.statusCode).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-credentials': 'true',
    });
    expect((await preflight('https://evil.example.com')).headers['access-control-allow-origin']).not.toBe(
      'https://evil.example.com',
    );
  });

  it('may call every operation by its method', async () => {
    const open = await testServer({}, { corsOrigins: ['https://app.example.com'] });
    onTestFinished(() => open.close());
    const answer = await open.app.inject({
      method: 'OPTIONS',
      url: '/api/v1/projects',
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'DELETE' },
    });
    const allowed = String(answer.headers['access-control-allow-methods']).split(', ');
    expect(allowed).toEqual(expect.arrayContaining(operationsOf(appRouter).map(({ method }) => method)));
    expect(allowed).toEqual(expect.arrayContaining(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']));
  });
});
