import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLog } from '../src/log.ts';
import { echoRouter } from './harness/echo-router.ts';
import { testServer, type TestServer } from './harness/test-server.ts';

const lines: string[] = [];
const log = makeLog('trace', { write: (line: string) => void lines.push(line) });

let test: TestServer;
let echo: TestServer;
beforeAll(async () => {
  test = await testServer({ log }, { logger: log });
  echo = await testServer({ log, settings: { callLimit: 50 } }, { logger: log, router: echoRouter });
});
afterAll(async () => {
  await test.close();
  await echo.close();
});

it('logs one line for each request, without its contents', async () => {
  const planted: string[] = [];
  const canary = () => {
    const text = `canary${randomBytes(12).toString('hex')}`;
    planted.push(text);
    return text;
  };
  const answers: string[] = [];
  let sent = 0;
  const send = async (
    server: TestServer,
    method: 'GET' | 'POST' | 'DELETE' | 'PUT',
    url: string,
    payload?: string | object,
    headers: Record<string, string> = {},
  ) => {
    sent++;
    const json: Record<string, string> = typeof payload === 'string' ? { 'content-type': 'application/json' } : {};
    const answer = await server.app.inject({
      method,
      url,
      headers: { ...json, ...headers },
      ...(payload !== undefined && { payload }),
    });
    if (answer.statusCode >= 400) answers.push(answer.body);
  };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  // Headers, of any kind.
  await send(test, 'GET', '/api/v1/workspace', undefined, bearer(canary()));
  await send(test, 'GET', '/api/v1/workspace', undefined, {
    authorization: `Basic ${canary()}`,
    cookie: `jid=${canary()}`,
    'x-api-key': canary(),
  });
  await send(test, 'GET', '/api/v1/workspace', undefined, { 'x-api-key': canary() });
  await send(test, 'GET', '/api/v1/workspace', undefined, {
    'x-api-key': `ak.00000000-0000-4000-8000-000000000000.${canary()}`,
  });
  await send(echo, 'GET', '/whoami', undefined, {
    ...bearer(canary()),
    'user-agent': canary(),
    'x-anything': canary(),
    referer: `http://x/${canary()}`,
  });
  // Paths and queries, found and not.
  await send(
    test,
    'GET',
    `/api/v4/secrets/${canary()}?projectId=${canary()}`,
    undefined,
    bearer(test.adminIdentity.token),
  );
  await send(echo, 'GET', `/echo/${canary()}?text=${canary()}`);
  await send(echo, 'GET', `/echo/${canary()}%zz`);
  await send(echo, 'GET', `/echo/x?text=${canary()}%zz`);
  await send(echo, 'PUT', '/echo/x', { text: canary() });
  // Bodies: wrong in every way, and of faults of ours.
  await send(echo, 'POST', '/echo', `{"text":"${canary()}`);
  await send(echo, 'POST', '/echo', `["${canary()}"]`);
  await send(echo, 'POST', '/echo', { text: [canary()], flag: canary(), list: canary() });
  await send(echo, 'POST', '/echo', canary(), { 'content-type': 'text/plain' });
  await send(echo, 'POST', '/broken', { text: canary() });
  await send(echo, 'POST', '/leaky', { text: canary() });
  await send(echo, 'POST', '/query', { text: `${canary()}\0` });
  await send(echo, 'GET', '/careless', undefined, bearer(canary()));
  await send(test, 'POST', '/api/v1/auth/universal-auth/login', { clientId: canary(), clientSecret: canary() });
  await send(test, 'POST', '/api/v3/auth/login', { email: `${canary()}@example.com`, password: canary() });
  await send(test, 'POST', '/api/v1/admin/bootstrap', {
    email: canary(),
    password: canary(),
    organization: [canary()],
  });
  // The other door.
  await send(echo, 'POST', '/api/trpc/echo.broken', { text: canary() });
  await send(echo, 'GET', `/api/trpc/echo.read?input=${canary()}`);
  await send(echo, 'GET', `/api/trpc/${canary()}`);

  const requests = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'request');
  expect(requests).toHaveLength(sent);
  for (const request of requests)
    expect(request).toMatchObject({
      level: 'info',
      reqId: expect.stringMatching(/^req-/) as string,
      route: expect.any(String) as string,
      status: expect.any(Number) as number,
      ms: expect.any(Number) as number,
    });
  expect(requests.filter(({ actor }) => actor === test.adminIdentity.id)).toHaveLength(1);

  const logged = lines.join('');
  expect(lines.length).toBeGreaterThan(sent);
  expect(planted.filter((text) => logged.includes(text))).toEqual([]);
  // A caller may see the path that it requested; nothing else is returned.
  const allowed = answers.join('').replaceAll(/"(?:GET|PUT) [^"]* does not exist[^"]*"/g, '');
  expect(answers.length).toBeGreaterThan(10);
  expect(planted.filter((text) => allowed.includes(text))).toEqual([]);
});

it('adds the ID of the request to every line of the request', async () => {
  lines.length = 0;
  const answer = await echo.app.inject({ method: 'POST', url: '/broken', payload: {} });
  const { reqId } = answer.json<{ reqId: string }>();
  expect(lines.length).toBe(2);
  for (const line of lines) expect(line).toContain(`"reqId":"${reqId}"`);
});
