import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CofferError, createCofferClient, type CofferClientOptions, type Inputs } from './index.ts';
import { data, failure, standIn, type StandIn } from './testing/stand-in.ts';

let server: StandIn;
beforeEach(async () => {
  server = await standIn();
});
afterEach(() => server.close());

const place = { projectId: 'p', environment: 'dev' };
const secret: Inputs['secrets']['create'] = { ...place, secretName: 'A', secretValue: 'hunter2' };
const clientOf = (options: Partial<CofferClientOptions> = {}) =>
  createCofferClient({ url: server.url, token: 'tok-1', retries: 0, ...options });

const rejection = async (call: Promise<unknown>): Promise<CofferError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CofferError);
  return error as CofferError;
};

describe('a call', () => {
  it('reads with GET and the token, and returns the data', async () => {
    server.answer(() => data({ secrets: [] }));
    expect(await clientOf({ headers: { 'x-team': 'core' } }).secrets.list.query(place)).toEqual({ secrets: [] });
    expect(server.received).toMatchObject([
      {
        method: 'GET',
        path: 'secrets.list',
        input: { 0: place },
        headers: { authorization: 'Bearer tok-1', 'x-team': 'core' },
      },
    ]);
  });

  it('writes with POST', async () => {
    await clientOf().secrets.create.mutate(secret);
    expect(server.received).toMatchObject([{ method: 'POST', path: 'secrets.create', input: { 0: secret } }]);
  });

  it('sends an empty input by default', async () => {
    await clientOf().account.me.query();
    expect(server.received[0]?.input).toEqual({ 0: {} });
  });

  it('shares its request with concurrent ones, each with its own result', async () => {
    server.answer(() => ({
      status: 207,
      body: [...(data('first').body as []), ...(failure(404, 'NOT_FOUND', 'secret.not_found').body as [])],
    }));
    const client = clientOf();
    const [first, second] = await Promise.allSettled([
      client.secrets.list.query(place),
      client.secrets.get.query({ ...place, secretName: 'A' }),
    ]);
    expect(server.received).toMatchObject([{ path: 'secrets.list,secrets.get', isBatch: true }]);
    expect(first).toEqual({ status: 'fulfilled', value: 'first' });
    expect(second).toMatchObject({ status: 'rejected', reason: { reason: 'secret.not_found' } });
  });

  it('splits what exceeds one request', async () => {
    server.answer(({ path }) => data(...path.split(',')));
    const client = clientOf();
    await Promise.all(Array.from({ length: 60 }, () => client.secrets.list.query(place)));
    await Promise.all(
      Array.from({ length: 4 }, () => client.secrets.list.query({ ...place, tagSlugs: 'x'.repeat(2000) })),
    );
    expect(server.received.map(({ path }) => path.split(',').length)).toEqual([25, 25, 10, 3, 1]);
  });

  it('is sent alone if it leaves no room for others', async () => {
    server.answer(({ path, isBatch }) => (isBatch ? data(path) : { body: { result: { data: 'long' } } }));
    const client = clientOf();
    const long = client.secrets.list.query({ ...place, tagSlugs: 'x'.repeat(8000) });
    expect(await Promise.all([client.account.me.query(), long])).toEqual(['account.me', 'long']);
    const value = 'x'.repeat(100_000);
    expect(await client.secrets.create.mutate({ ...secret, secretValue: value })).toBe('secrets.create');
  });

  it('rejects an input that JSON cannot represent', async () => {
    const circular: Record<string, unknown> = { ...place };
    circular['self'] = circular;
    await expect(clientOf().secrets.list.query(circular as typeof place)).rejects.toThrow(TypeError);
    await expect(clientOf().secrets.create.mutate(circular as typeof secret)).rejects.toThrow(TypeError);
    expect(server.received).toEqual([]);
  });

  it('travels alone where batches are off', async () => {
    server.answer(({ path }) => ({ body: { result: { data: path } } }));
    const client = clientOf({ batch: false });
    await Promise.all([client.secrets.list.query(place), client.secrets.list.query(place)]);
    expect(server.received).toMatchObject([{ isBatch: false, input: place }, { isBatch: false }]);
  });

  it('calls a function for the token of each request', async () => {
    const tokens = ['tok-1', 'tok-2\n'];
    const client = clientOf({ token: () => Promise.resolve(tokens.shift() ?? '') });
    await Promise.all([client.account.me.query(), client.account.me.query()]);
    await client.account.me.query();
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer tok-1', 'Bearer tok-2']);
  });

  it('sends no token by default', async () => {
    await createCofferClient({ url: server.url }).instance.status.query();
    expect(server.received[0]?.headers.authorization).toBeUndefined();
  });

  it.each(['', '/', '/api', '/api/', '//'])('finds Coffer at an address that ends in "%s"', async (end) => {
    await clientOf({ url: server.url + end }).account.me.query();
    expect(server.received[0]?.path).toBe('account.me');
  });

  it('keeps a base path of the address', async () => {
    const urls: string[] = [];
    const fetch: CofferClientOptions['fetch'] = (url) => {
      urls.push(url);
      return Promise.reject(new Error('nobody'));
    };
    await rejection(
      createCofferClient({ url: 'https://example.com/coffer/api/', fetch, retries: 0 }).instance.status.query(),
    );
    expect(urls).toEqual(['https://example.com/coffer/api/trpc/instance.status?batch=1&input=%7B%220%22%3A%7B%7D%7D']);
  });

  it.each(['coffer.example.com', 'file:///etc/passwd', ''])('refuses the address "%s"', (url) => {
    expect(() => createCofferClient({ url })).toThrow(TypeError);
  });

  it('refuses a token beside credentials', () => {
    expect(() => clientOf({ auth: { clientId: 'c', clientSecret: 's' } })).toThrow('not both');
  });
});

it('is not a promise, nor is a part of it', async () => {
  const client = clientOf();
  expect(await Promise.resolve<unknown>(client)).toBe(client);
  expect(await Promise.resolve<unknown>(client.secrets)).toBe(client.secrets);
  expect(JSON.stringify({ client })).toBe('{"client":{}}');
  expect(server.received).toEqual([]);
});

describe('an error', () => {
  it("has Coffer's message", async () => {
    const issues = [{ code: 'too_small', path: ['secrets', 0], message: 'Too small' }];
    server.answer(() => failure(422, 'UNPROCESSABLE_CONTENT', 'input.invalid', { issues, details: { field: 1 } }));
    expect(await rejection(clientOf().secrets.create.mutate(secret))).toMatchObject({
      name: 'CofferError',
      status: 422,
      code: 'UNPROCESSABLE_CONTENT',
      reason: 'input.invalid',
      message: 'It is input.invalid',
      issues,
      details: { field: 1 },
      reqId: 'req-abc',
    });
  });

  it('is understood where the request is refused as a whole', async () => {
    const [one] = failure(413, 'PAYLOAD_TOO_LARGE', 'request.too_large').body as [object];
    server.answer(() => ({ status: 413, body: one }));
    expect(await rejection(clientOf().secrets.create.mutate(secret))).toMatchObject({
      status: 413,
      reason: 'request.too_large',
      reqId: 'req-abc',
    });
    server.answer(() => ({
      status: 404,
      body: { reqId: 'req-x', statusCode: 404, message: 'There is no POST /x', error: 'NotFound' },
    }));
    expect(await rejection(clientOf().secrets.create.mutate(secret))).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
      reason: 'http.404',
      reqId: 'req-x',
    });
  });

  it.each([
    ['a page', { status: 502, body: '<html>hunter2</html>' }, 502],
    ['other JSON', { status: 403, body: { error: 'denied' } }, 403],
    ['nothing', { status: 200, body: '' }, 200],
    ['a text', { status: 200, body: '"x"' }, 200],
    ['half a batch', { status: 200, body: [] }, 0],
    ['results that are none', { status: 200, body: [{}] }, 200],
    ['a batch of something else', { status: 200, body: ['hunter2'] }, 200],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' }, body: '' }, 0],
  ])('names what answered that is not Coffer: %s', async (_what, reply, status) => {
    server.answer(() => reply);
    const error = await rejection(clientOf().secrets.list.query(place));
    expect(error.status).toBe(status);
    expect(error.reason).toMatch(/^client\.(not_coffer|unreachable)$/);
    expect(server.received).toHaveLength(1);
  });

  it('reports that there was no response', async () => {
    server.answer(() => undefined);
    expect(await rejection(clientOf().account.me.query())).toMatchObject({
      status: 0,
      code: 'UNREACHABLE',
      reason: 'client.unreachable',
    });
    await server.close();
    expect((await rejection(clientOf().account.me.query())).message).toBe('Coffer could not be reached (ECONNREFUSED)');
  });

  it.each([
    ['Coffer refuses', () => server.answer(() => failure(403, 'FORBIDDEN', 'access.denied'))],
    [
      'something else answers',
      () => server.answer(({ headers, input }) => ({ status: 500, body: JSON.stringify([headers, input]) + '<' })),
    ],
    ['nobody answers', () => server.answer(() => undefined)],
  ])('contains neither the token nor the input when %s', async (_when, prepare) => {
    prepare();
    const error = await rejection(clientOf({ headers: { 'x-key': 'hunter3' } }).secrets.create.mutate(secret));
    expect(`${inspect(error, { depth: 9, showHidden: true })}${JSON.stringify(error)}`).not.toMatch(/tok-1|hunter/);
  });

  it('does not quote a token that is not valid in a header', async () => {
    const error = await rejection(clientOf({ token: 'hunter2\nx' }).account.me.query());
    expect(error).toMatchObject({ code: 'BAD_TOKEN' });
    expect(inspect(error, { depth: 9 })).not.toContain('hunter2');
    const quoting = await rejection(clientOf({ headers: { 'x-key': 'hunter2\0' } }).account.me.query());
    expect(inspect(quoting, { depth: 9, showHidden: true })).not.toContain('hunter2');
  });

  it("of the caller's own function is unchanged", async () => {
    const own = new Error('signed out');
    const client = clientOf({ token: () => Promise.reject(own), retries: 2 });
    await expect(client.account.me.query()).rejects.toBe(own);
    expect(server.received).toEqual([]);
  });
});

describe('retrying', () => {
  const soon = { 'retry-after': '0' };
  const client = (retries?: number) =>
    createCofferClient({ url: server.url, token: 'tok-1', ...(retries !== undefined && { retries }) });

  it.each([
    ['the server is busy', failure(429, 'TOO_MANY_REQUESTS', 'rate.limited', { headers: soon })],
    ['the database is away', failure(503, 'SERVICE_UNAVAILABLE', 'database.away', { headers: soon })],
    ['a proxy finds no server', { status: 502, headers: soon, body: '<html>' }],
    ['the connection breaks', undefined],
  ])('retries a query when %s', async (_when, reply) => {
    server.answer((_request, count) => (count === 1 ? reply : data('now')));
    expect(await client().account.me.query()).toBe('now');
    expect(server.received).toHaveLength(2);
  });

  it('gives up after the maximum number of retries', async () => {
    server.answer(() => failure(429, 'TOO_MANY_REQUESTS', 'rate.limited', { headers: soon }));
    expect(await rejection(client().account.me.query())).toMatchObject({ status: 429, retryAfter: 0 });
    expect(server.received).toHaveLength(3);
    expect(await rejection(client(0).account.me.query())).toMatchObject({ status: 429 });
    expect(server.received).toHaveLength(4);
  });

  it.each([
    [
      'a mutation',
      () => client().secrets.create.mutate(secret),
      failure(429, 'TOO_MANY_REQUESTS', 'rate.limited', { headers: soon }),
    ],
    ['a permanent rejection', () => client().account.me.query(), failure(404, 'NOT_FOUND', 'user.not_found')],
    ['an error of the server', () => client().account.me.query(), failure(500, 'INTERNAL_SERVER_ERROR', 'internal')],
    [
      'what is not welcome for an hour',
      () => client().account.me.query(),
      failure(429, 'TOO_MANY_REQUESTS', 'rate.limited', { headers: { 'retry-after': '3600' } }),
    ],
    [
      'what may not take that long',
      () => client().account.me.query({}, { timeoutMs: 5_000 }),
      failure(429, 'TOO_MANY_REQUESTS', 'rate.limited', { headers: { 'retry-after': '5' } }),
    ],
  ])('does not repeat %s', async (_what, call, reply) => {
    server.answer(() => reply);
    await rejection(call());
    expect(server.received).toHaveLength(1);
  });

  it('reads a time as well as seconds', async () => {
    server.answer((_request, count) =>
      count === 1
        ? failure(503, 'X', 'x', { headers: { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' } })
        : data('now'),
    );
    expect(await client().account.me.query()).toBe('now');
    server.answer(() =>
      failure(503, 'X', 'x', { headers: { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() } }),
    );
    expect((await rejection(client().account.me.query())).retryAfter).toBeGreaterThan(3500);
  });
});

describe('ending a call', () => {
  const never = () => server.answer(() => new Promise(() => undefined));

  it('rejects it with the reason of the signal, before it begins, while it runs and between two attempts', async () => {
    never();
    const reason = new Error('the user left');
    const client = clientOf({ retries: 5 });
    await expect(client.account.me.query({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.received).toEqual([]);

    const controller = new AbortController();
    const running = client.account.me.query({}, { signal: controller.signal });
    await expect.poll(() => server.received).toHaveLength(1);
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);

    server.answer(() => failure(429, 'TOO_MANY_REQUESTS', 'rate.limited', { headers: { 'retry-after': '20' } }));
    const waiting = new AbortController();
    const call = client.account.me.query({}, { signal: waiting.signal });
    await expect.poll(() => server.received).toHaveLength(2);
    waiting.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it('does not affect others of its request', async () => {
    const { promise: asked, resolve: go } = Promise.withResolvers<void>();
    server.answer(async () => {
      await asked;
      return data('one', 'two');
    });
    const controller = new AbortController();
    const client = clientOf();
    const first = client.account.me.query({}, { signal: controller.signal });
    const second = client.account.me.query();
    await expect.poll(() => server.received).toHaveLength(1);
    controller.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    go();
    expect(await second).toBe('two');
  });

  it('runs automatically when due', async () => {
    never();
    const late = { status: 0, code: 'TIMEOUT', reason: 'client.timeout' };
    expect(await rejection(clientOf({ timeoutMs: 50 }).account.me.query())).toMatchObject(late);
    expect(await rejection(clientOf({ timeoutMs: Infinity }).account.me.query({}, { timeoutMs: 50 }))).toMatchObject(
      late,
    );
  });
});

describe('a machine identity', () => {
  const auth = { clientId: 'id-1', clientSecret: 'hunter2' };
  const LOGIN = '/api/v1/auth/universal-auth/login';
  const RENEW = '/api/v1/auth/token/renew';
  const grant = (accessToken: string, expiresIn: number) => ({
    body: { accessToken, expiresIn, accessTokenMaxTTL: 7200, tokenType: 'Bearer' },
  });
  const refusal = {
    status: 401,
    body: { reqId: 'req-x', statusCode: 401, message: 'Invalid credentials', error: 'UnauthorizedError' },
  };
  const paths = () => server.received.map(({ path }) => path);
  const tokens = () =>
    server.received.filter(({ path }) => path === 'account.me').map(({ headers }) => headers.authorization);

  /** A Coffer that grants `tok-1`, `tok-2`, … */
  function granting(expiresIn: number, { renew = true }: { renew?: boolean } = {}) {
    let granted = 0;
    server.answer(({ path }) => {
      if (path === LOGIN) return grant(`tok-${++granted}`, expiresIn);
      if (path === RENEW) return renew ? grant(`tok-${granted}`, expiresIn) : refusal;
      return data(...path.split(','));
    });
  }
  const client = () => createCofferClient({ url: server.url, auth, retries: 0 });

  beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());
  const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

  it('logs in once, on first use, for all waiting calls', async () => {
    granting(3600);
    const coffer = client();
    expect(server.received).toEqual([]);
    await Promise.all([coffer.account.me.query(), coffer.secrets.create.mutate(secret), coffer.account.me.query()]);
    await coffer.account.me.query();
    expect(paths().filter((path) => path === LOGIN)).toHaveLength(1);
    expect(server.received[0]).toMatchObject({ method: 'POST', path: LOGIN, input: auth });
    expect(new Set(server.received.slice(1).map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer tok-1']),
    );
  });

  it('logs in and renews with the headers of the caller, as everything is sent', async () => {
    granting(3600);
    const coffer = createCofferClient({ url: server.url, auth, retries: 0, headers: { 'x-proxy': 'pass' } });
    await coffer.account.me.query();
    pass(3300);
    await coffer.account.me.query();
    expect(paths()).toEqual([LOGIN, 'account.me', RENEW, 'account.me']);
    expect(server.received.map(({ headers }) => headers['x-proxy'])).toEqual(['pass', 'pass', 'pass', 'pass']);
  });

  it('renews its token before it expires', async () => {
    granting(3600);
    const coffer = client();
    await coffer.account.me.query();
    pass(3200);
    await coffer.account.me.query();
    pass(100);
    await Promise.all([coffer.account.me.query(), coffer.secrets.create.mutate(secret)]);
    await coffer.account.me.query();
    expect(paths().filter((path) => path === RENEW)).toHaveLength(1);
    expect(server.received.find(({ path }) => path === RENEW)?.input).toEqual({ accessToken: 'tok-1' });
  });

  it('logs in again if a token cannot be renewed, has expired, or soon will', async () => {
    granting(3600, { renew: false });
    const coffer = client();
    await coffer.account.me.query();
    pass(3500);
    await coffer.account.me.query();
    pass(4000);
    await coffer.account.me.query();
    expect(paths()).toEqual([LOGIN, 'account.me', RENEW, LOGIN, 'account.me', LOGIN, 'account.me']);
    expect(tokens()).toEqual(['Bearer tok-1', 'Bearer tok-2', 'Bearer tok-3']);

    server.received.length = 0;
    granting(15);
    const brief = client();
    await brief.account.me.query();
    pass(10);
    await brief.account.me.query();
    expect(paths()).toEqual([LOGIN, 'account.me', RENEW, LOGIN, 'account.me']);
  });

  it('uses its token while renewing fails with transient errors', async () => {
    granting(3600);
    const coffer = client();
    await coffer.account.me.query();
    pass(3500);
    server.answer(({ path }) => (path === RENEW ? { status: 502, body: '<html>' } : data('me')));
    expect(await coffer.account.me.query()).toBe('me');
    expect(tokens()).toEqual(['Bearer tok-1', 'Bearer tok-1']);
  });

  it('keeps a token without expiry', async () => {
    granting(0);
    const coffer = client();
    await coffer.account.me.query();
    pass(10 ** 8);
    await coffer.account.me.query();
    expect(paths()).toEqual([LOGIN, 'account.me', 'account.me']);
  });

  it('logs in again once if its token is rejected, also for a mutation', async () => {
    granting(3600);
    const coffer = client();
    await coffer.account.me.query();
    let granted = 1;
    server.answer(({ path, headers }) => {
      if (path === LOGIN) return grant(`tok-${++granted}`, 3600);
      return headers.authorization === 'Bearer tok-1'
        ? failure(401, 'UNAUTHORIZED', 'auth.token_revoked', { count: path.split(',').length })
        : data(...path.split(','));
    });
    expect(
      await Promise.all([
        coffer.secrets.create.mutate(secret),
        coffer.secrets.delete.mutate({ ...place, secretName: 'A' }),
      ]),
    ).toEqual(['secrets.create', 'secrets.delete']);
    expect(paths().filter((path) => path === LOGIN)).toHaveLength(2);

    server.answer(({ path }) =>
      path === LOGIN ? grant('tok-9', 3600) : failure(401, 'UNAUTHORIZED', 'auth.token_revoked'),
    );
    server.received.length = 0;
    expect(await rejection(coffer.account.me.query())).toMatchObject({ status: 401, reason: 'auth.token_revoked' });
    expect(paths()).toEqual(['account.me', LOGIN, 'account.me']);
  });

  it('logs in again for a retried query', async () => {
    server.answer(({ path }, count) => (count === 1 ? undefined : path === LOGIN ? grant('tok-1', 60) : data('me')));
    const coffer = createCofferClient({ url: server.url, auth });
    expect(await coffer.account.me.query()).toBe('me');
    expect(paths()).toEqual([LOGIN, LOGIN, 'account.me']);
  });

  it('fails with the error of its login, which contains no secret', async () => {
    server.answer(() => refusal);
    const coffer = client();
    const error = await rejection(coffer.account.me.query());
    expect(error).toMatchObject({ status: 401, reqId: 'req-x', message: 'Invalid credentials' });
    expect(inspect([error, coffer], { depth: 9, showHidden: true })).not.toContain('hunter2');
    expect(paths()).toEqual([LOGIN]);

    server.answer(() => ({ body: { hello: 'world' } }));
    expect(await rejection(coffer.account.me.query())).toMatchObject({ reason: 'client.not_coffer' });
    granting(60);
    expect(await coffer.account.me.query()).toBe('account.me');
  });
});
