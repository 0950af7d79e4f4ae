import { appRouter } from '@coffer/api';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { echoRouter } from './harness/echo-router.ts';
import { testServer, type TestServer } from './harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer(
    { settings: { loginLimit: 3 }, clock: 'standing' },
    { router: echoRouter, bodyLimit: 20_000 },
  );
});
afterAll(() => test.close());

interface Shape {
  code: number;
  message: string;
  data: {
    code: string;
    httpStatus: number;
    error: string;
    reason: string;
    reqId: string;
    details?: unknown;
    issues?: object[];
  };
}
type Result = { result: { data: unknown }; error?: undefined } | { error: Shape; result?: undefined };

const bearer = () => ({ authorization: `Bearer ${test.adminIdentity.token}` });

async function call(method: 'GET' | 'POST', path: string, input?: unknown, headers: Record<string, string> = {}) {
  const query =
    method === 'GET' && input !== undefined
      ? `${path.includes('?') ? '&' : '?'}input=${encodeURIComponent(JSON.stringify(input))}`
      : '';
  const answer = await test.app.inject({
    method,
    url: `/api/trpc/${path}${query}`,
    headers: { ...headers, ...(method === 'POST' && { 'content-type': 'application/json' }) },
    ...(method === 'POST' && input !== undefined && { payload: JSON.stringify(input) }),
  });
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, body: answer.json<Result>() };
}

const batchOf = (answer: { body: unknown }) => answer.body as Result[];

describe('tRPC', () => {
  it('returns the bytes of REST', async () => {
    const input = { id: 'x', text: 'Grüße "\u{1f600}"', count: 1.5, flag: true, list: ['a'], nested: { when: null } };
    const overRest = await test.app.inject({ method: 'PATCH', url: '/echo/x', payload: input });
    expect((await call('POST', 'echo.change', input)).text).toBe(`{"result":{"data":${overRest.body}}}`);
    const read = await test.app.inject({ method: 'GET', url: '/echo/x?flag=false' });
    expect((await call('GET', 'echo.read', { id: 'x', flag: false })).text).toBe(`{"result":{"data":${read.body}}}`);
    expect((await call('GET', 'echo.read')).body.result).toEqual({ data: { echo: {} } });
  });

  it('returns errors of REST in its own format', async () => {
    const { status, body, headers } = await call('GET', 'echo.whoami', {});
    expect(status).toBe(401);
    expect(body.error).toEqual({
      code: -32_001,
      message: expect.any(String) as string,
      data: {
        code: 'UNAUTHORIZED',
        httpStatus: 401,
        error: 'UnauthorizedError',
        reason: 'auth.no_token',
        reqId: headers['x-request-id'],
      },
    });
    const invalid = await call('POST', 'echo.write', { text: 1 });
    expect(invalid.status).toBe(422);
    expect(invalid.body.error?.data).toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
      issues: [{ path: ['text'], code: 'invalid_type' }],
    });
  });

  it('discloses nothing of an internal error', async () => {
    const { status, text, body } = await call('POST', 'echo.broken', { text: 'canary' });
    expect(status).toBe(500);
    expect(text).not.toContain('canary');
    expect(body.error?.data).toMatchObject({ code: 'INTERNAL_SERVER_ERROR', reason: 'internal' });
    expect(await call('POST', 'echo.leaky', { text: 'canary' })).toMatchObject({ status: 500 });
    expect(await call('GET', 'echo.careless', {}, bearer())).toMatchObject({ status: 500 });
    expect(await call('POST', 'echo.query', { text: 'a\0b' })).toMatchObject({ status: 400 });
  });

  it('gives each call of a batch its own context', async () => {
    const { body } = {
      body: batchOf(
        await call('GET', 'echo.whoami,echo.careless,echo.whoami?batch=1', { 0: {}, 1: {}, 2: {} }, bearer()),
      ),
    };
    expect(body.map((one) => one.result?.data ?? one.error?.data.httpStatus)).toEqual([
      { echo: { id: test.adminIdentity.id } },
      500,
      { echo: { id: test.adminIdentity.id } },
    ]);
  });

  it('lets one call of a batch fail individually', async () => {
    const answer = await call('POST', 'echo.write,echo.broken,nothing?batch=1', { 0: { text: 'a' }, 1: {}, 2: {} });
    expect(answer.status).toBe(207);
    expect(batchOf(answer).map((one) => one.result?.data ?? one.error?.data.reason)).toEqual([
      { echo: { text: 'a' } },
      'internal',
      'procedure.not_found',
    ]);
  });

  it('rejects malformed requests in its own format, with the ID of the request', async () => {
    const tooMany = `${'echo.read,'.repeat(100)}echo.read?batch=1`;
    const cases: [status: number, answer: Awaited<ReturnType<typeof call>>][] = [
      [400, await call('GET', tooMany, {})],
      [400, await call('GET', 'echo.read,echo.write?batch=1', {})],
      [400, await call('GET', 'echo.read?batch=1', [])],
      [400, await call('POST', 'echo.write?batch=1', [])],
      [400, await call('GET', 'echo.read?input=%7B')],
      [400, await call('GET', 'echo.read?input=%7B%22__proto__%22:1%7D')],
      [413, await call('POST', 'echo.write', { text: 'x'.repeat(20_000) })],
      [400, await call('POST', 'echo.write', undefined, { 'x-api-key': 'x', authorization: 'Bearer x' })],
    ];
    for (const [status, { status: answered, body, headers }] of cases) {
      expect(answered).toBe(status);
      expect(body.error?.data).toMatchObject({ httpStatus: status, reqId: headers['x-request-id'] });
    }
  });

  it.each(Object.getOwnPropertyNames(Object.prototype))(
    'returns 404 to %s, alone and in a batch, as for any unknown procedure',
    async (name) => {
      const reasonOf = (one: Result | undefined) => [one?.error?.data.httpStatus, one?.error?.data.reason];
      for (const method of ['GET', 'POST'] as const) {
        const alone = await call(method, name, {});
        expect([alone.status, ...reasonOf(alone.body)]).toEqual([404, 404, 'procedure.not_found']);
        const batch = await call(method, `${name},${name}?batch=1`, { 0: {}, 1: {} });
        expect(batchOf(batch).map(reasonOf)).toEqual([1, 2].map(() => [404, 'procedure.not_found']));
      }
    },
  );

  it('requires GET for queries and POST for mutations', async () => {
    expect(await call('POST', 'echo.read', {})).toMatchObject({ status: 400 });
    expect(await call('GET', 'echo.write', {})).toMatchObject({ status: 400 });
  });

  it.each([
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'text/plain',
    'application/x-www-form-urlencoded',
  ])('accepts only JSON, not %s', async (type) => {
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/trpc/echo.write',
      headers: { 'content-type': type },
      payload: '{}',
    });
    expect(answer.statusCode).toBe(415);
    expect(answer.json<Result>().error?.data.code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  it('counts each login of a batch', async () => {
    expect(await call('POST', 'echo.login,echo.login?batch=1', { 0: {}, 1: {} })).toMatchObject({ status: 200 });
    const { status, headers, body } = await call('POST', 'echo.login,echo.login?batch=1', { 0: {}, 1: {} });
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(body.error?.data.reason).toBe('rate.limited');
  });

  it('serves every procedure of the product', async () => {
    const product = await testServer();
    onTestFinished(() => product.close());
    const answer = await product.app.inject({ method: 'GET', url: '/api/trpc/instance.nothing' });
    expect(answer.json<Result>().error?.data.reason).toBe('procedure.not_found');
    for (const name of Object.keys(appRouter._def.procedures)) {
      const asked = await product.app.inject({ method: 'GET', url: `/api/trpc/${name}` });
      // A subscription is refused in its stream.
      expect([name, asked.body.includes('procedure.not_found')]).toEqual([name, false]);
    }
  });
});
