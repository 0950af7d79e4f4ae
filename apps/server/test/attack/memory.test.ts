// @long: large values, many callers
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const VALUE = 'v'.repeat(500_000);
/** Values of a list: more than sockets hold. */
const VALUES = 9;
const LISTS = 8;
/** The memory of the server, of which a caller gets half. */
const MEMORY = 60_000_000;

let test: TestServer;
let port: number;
let projectId: string;
let heavy: { id: string; token: string; call: Caller };
let light: { id: string; token: string; call: Caller };
let list: string;
const sockets = new Set<Socket>();

beforeAll(async () => {
  test = await testServer({}, { concurrency: 32, transfers: { bytes: MEMORY } });
  port = await listen(test);
  projectId = (await test.project()).id;
  const member = () => test.identity({ projectId, projectRole: 'member' });
  [heavy, light] = [await member(), await member()];
  list = await put(heavy.call, projectId);
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});
afterAll(() => test.close());

async function listen({ app }: TestServer): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

/** Writes the values, and answers the URL of their list. */
async function put(call: Caller, id: string): Promise<string> {
  const place = { projectId: id, environment: 'dev', secretPath: '/' };
  const secrets = Array.from({ length: VALUES }, (_, n) => ({ secretKey: `K${n}`, secretValue: VALUE }));
  expect((await call('POST', '/api/v4/secrets/batch', { ...place, secrets })).status).toBe(200);
  return `/api/v4/secrets?${new URLSearchParams(place).toString()}`;
}

/** A request on a connection of its own. What is answered is read as far as the test reads it. */
function send(text: string, body = '', to = port): Socket {
  const socket = connect({ port: to, host: '127.0.0.1', allowHalfOpen: true });
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.write(`${text}\r\nHost: localhost\r\n\r\n${body}`);
  return socket;
}
const get = (url: string, token: string, to?: number) =>
  send(`GET ${url} HTTP/1.1\r\nAuthorization: Bearer ${token}\r\nConnection: close`, '', to);

/** The beginning of an answer. */
const answerOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    socket.once('data', (data: Buffer) => resolve(data.toString('latin1')));
    socket.once('close', () => resolve('closed'));
  });
const statusOf = async (socket: Socket): Promise<number> =>
  Number(/^HTTP\/1.1 (\d+)/.exec(await answerOf(socket))?.[1]);

describe('attack: many large answers at once', () => {
  it('are made a few at a time, while nobody reads them as well, and other callers are answered', async () => {
    const all = Array.from({ length: LISTS }, () => get(list, heavy.token));
    let [underWay, most, begun, read] = [0, 0, 0, 0];
    const begin = async (socket: Socket) => {
      const [head] = (await once(socket, 'data')) as [Buffer];
      socket.pause();
      expect(head.toString('latin1')).toMatch(/^HTTP\/1.1 200 /);
      begun++;
      most = Math.max(most, ++underWay);
    };
    const beginning = all.map(begin);
    // Another caller, with small and large reads.
    for (let n = 0; n < 2; n++) {
      expect((await light.call('GET', list.replace('?', '/K1?'))).status).toBe(200);
      expect((await light.call('GET', list)).body.secrets).toHaveLength(VALUES);
    }
    const reading = all.map(async (socket, index) => {
      await beginning[index];
      let bytes = 0;
      socket.on('data', (data: Buffer) => (bytes += data.length));
      socket.once('end', () => underWay--);
      socket.resume();
      await once(socket, 'end');
      if (bytes > (VALUES - 1) * VALUE.length) read++;
    });
    await Promise.all(reading);
    expect([begun, read]).toEqual([LISTS, LISTS]);
    expect(most * VALUES * VALUE.length).toBeLessThanOrEqual(MEMORY / 2);
    await expect.poll(() => test.app.transferMemory.used).toBe(0);
  });

  it('are not made for clients that have disconnected', async () => {
    const { transferMemory } = test.app;
    const all = Array.from({ length: 10 }, () => get(list, heavy.token));
    await expect.poll(() => transferMemory.waiting).toBeGreaterThan(5);
    for (const socket of all) socket.destroy();
    await expect.poll(() => [transferMemory.waiting, transferMemory.used]).toEqual([0, 0]);
  });

  it('wait in the same way where they are read from the past', async () => {
    const { transferMemory } = test.app;
    const tree = `/api/v1/projects/${projectId}/history/tree?environment=dev&secretPath=/`;
    const all = Array.from({ length: 4 }, () => get(tree, heavy.token));
    await expect.poll(() => transferMemory.waiting).toBe(3);
    for (const socket of all.slice(1)) socket.destroy();
    expect(await statusOf(all[0]!)).toBe(200);
  });

  it('wait for each other with any body of their requests', async () => {
    const { transferMemory } = test.app;
    const place = { projectId, environment: 'dev', secretPath: '/' };
    const query = new URLSearchParams(place).toString();
    const { secrets } = (await heavy.call('GET', list.replace('?', '?viewSecretValue=false&'))).body;
    const input = (value: unknown) => `input=${encodeURIComponent(JSON.stringify(value))}`;
    const calls = [
      list,
      `/api/v3/secrets/raw?workspaceId=${projectId}&environment=dev`,
      `/api/v1/projects/${projectId}/history/tree?${query}`,
      `/api/trpc/secrets.list?${input(place)}`,
      `/api/trpc/secrets.list,secrets.list?batch=1&${input({ 0: place, 1: place })}`,
    ];
    expect(secrets).toHaveLength(VALUES);
    const bodies = [
      ['Content-Length: 70000', ' '.repeat(70_000)],
      ['Transfer-Encoding: chunked', `11170\r\n${' '.repeat(70_000)}\r\n0\r\n\r\n`],
      ['Content-Length: 2', '{}'],
    ] as const;
    for (const [n, call] of calls.entries())
      for (const [size, body] of n === 0 ? bodies : bodies.slice(0, 1)) {
        const head = `GET ${call} HTTP/1.1\r\nAuthorization: Bearer ${heavy.token}\r\nContent-Type: application/json`;
        const all = Array.from({ length: 4 }, () => send(`${head}\r\n${size}`, body));
        await expect.poll(() => [call, size, transferMemory.waiting >= 2]).toEqual([call, size, true]);
        for (const socket of all) socket.destroy();
        await expect.poll(() => [transferMemory.waiting, transferMemory.used]).toEqual([0, 0]);
      }
  });

  it('in batches do not wait for each other forever', async () => {
    const batchOf = (count: number) => {
      const place = { projectId, environment: 'dev', secretPath: '/' };
      const inputs = Object.fromEntries(Array.from({ length: count }, (_, n) => [n, place]));
      const names = Array<string>(count).fill('secrets.list').join();
      return `/api/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
    };
    const answers = await Promise.all([2, 2, 2].map((count) => heavy.call('GET', batchOf(count))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('are for the caller as it is when they are made: a token that was revoked in the queue gets none', async () => {
    const { transferMemory } = test.app;
    const first = get(list, heavy.token);
    await expect.poll(() => first.bytesRead).toBeGreaterThan(0);
    const other = await test.identity({ projectId, projectRole: 'member' });
    const blockers = Array.from({ length: 8 }, () => get(list, other.token));
    await expect.poll(() => transferMemory.waiting).toBeGreaterThan(3);
    expect(await test.as(other.token)('POST', '/api/v1/auth/token/revoke', { accessToken: other.token })).toMatchObject(
      {
        status: 200,
      },
    );
    const statuses = await Promise.all(
      blockers.map(async (socket) => {
        const status = await statusOf(socket);
        socket.resume();
        return status;
      }),
    );
    expect(statuses).toContain(401);
  });
});

describe('attack: an answer that nobody reads', () => {
  it('ends: its client is disconnected', async () => {
    const impatient = await testServer({}, { transfers: { patienceMs: 1_500 } });
    try {
      const to = await listen(impatient);
      const { app } = impatient;
      const { id } = await impatient.project();
      const { token, call } = await impatient.identity({ projectId: id, projectRole: 'member' });
      const url = await put(call, id);
      const unread = Array.from({ length: 3 }, () => get(url, token, to));
      for (const socket of unread) socket.pause();
      await expect.poll(() => app.traffic.inFlight).toBe(3);
      await expect.poll(() => [app.traffic.inFlight, app.transferMemory.used]).toEqual([0, 0]);
    } finally {
      await impatient.close();
    }
  });
});

describe('attack: bodies of strangers', () => {
  const LOGIN = '/api/v1/auth/universal-auth/login';
  const post = (url: string, headers: string, body = '', to?: number) =>
    send(`POST ${url} HTTP/1.1\r\nContent-Type: application/json\r\n${headers}`, body, to);
  const large = 'Content-Length: 5000000';
  const chunked = 'Transfer-Encoding: chunked';

  it('are refused before they are sent, if they are large for a login', async () => {
    expect(await statusOf(post(LOGIN, large))).toBe(413);
    const body = `10000\r\n${' '.repeat(0x10000)}\r\n1\r\n \r\n`;
    expect(await statusOf(post(LOGIN, chunked, body))).toBe(413);
  });

  it('are refused before they are read, if they are large, without a valid token', async () => {
    const urls = ['/api/v4/secrets/batch', '/api/trpc/secrets.createMany', '/api/trpc/a,b?batch=1'];
    const bodies = { [large]: '', [chunked]: `20000\r\n${' '.repeat(0x20000)}\r\n` };
    for (const url of urls)
      for (const [size, body] of Object.entries(bodies))
        for (const token of ['', `\r\nAuthorization: Bearer ${heavy.token}x`, '\r\nAuthorization: Bearer x'])
          expect([url, size, token, await statusOf(post(url, size + token, body))]).toEqual([url, size, token, 401]);
  });

  it('while those of callers with a token are read, at any speed, also if the token is new here', async () => {
    const { token } = await test.identity({ projectId, projectRole: 'member' });
    const secrets = [{ secretKey: `Slow${Date.now()}`, secretValue: VALUE }];
    const body = JSON.stringify({ projectId, environment: 'prod', secretPath: '/', secrets });
    const socket = post(
      '/api/v4/secrets/batch',
      `Authorization: Bearer ${token}\r\nContent-Length: ${body.length}`,
      body.slice(0, 100_000),
    );
    await expect.poll(() => test.app.transferMemory.used).toBe(3 * body.length);
    const status = statusOf(socket);
    socket.write(body.slice(100_000));
    expect(await status).toBe(200);
  });

  it('of callers with a token count for them: further ones wait, those of others do not', async () => {
    const { transferMemory } = test.app;
    const unfinished = Array.from({ length: 5 }, () =>
      post('/api/v4/secrets/batch', `Authorization: Bearer ${heavy.token}\r\n${large}`),
    );
    await expect.poll(() => [transferMemory.used, transferMemory.waiting]).toEqual([30_000_000, 3]);
    expect((await light.call('GET', list)).body.secrets).toHaveLength(VALUES);
    for (const socket of unfinished) socket.destroy();
    await expect.poll(() => [transferMemory.used, transferMemory.waiting]).toEqual([0, 0]);
  });

  it('that are unfinished are few from one address, and end soon, while those with a token stay', async () => {
    const strict = await testServer({}, { strangers: { maxUnfinished: 3, patienceMs: 1_500 } });
    try {
      const to = await listen(strict);
      const { token } = await strict.identity();
      expect((await strict.as(token)('GET', '/api/v1/identities/details')).status).toBeLessThan(500);
      const body = JSON.stringify({ clientId: 'nobody', clientSecret: 'none' });
      const known = post(LOGIN, `Authorization: Bearer ${token}\r\nContent-Length: ${body.length}`, '{', to);
      const slow = Array.from({ length: 3 }, () => post(LOGIN, 'Content-Length: 100', '{', to));
      const statuses = slow.map(statusOf);
      await expect.poll(() => strict.app.traffic.inFlight).toBe(4);
      // A further one ends the slowest, and what is complete is read.
      const further = statusOf(post(LOGIN, 'Content-Length: 100', '{', to));
      expect(await statuses[0]).toBe(408);
      await expect.poll(() => strict.app.traffic.inFlight).toBeLessThanOrEqual(4);
      expect(await statusOf(post(LOGIN, `Content-Length: ${body.length}`, body, to))).toBe(401);
      expect(await Promise.all([...statuses, further])).toEqual([408, 408, 408, 408]);
      // Also those that keep their side open.
      await expect.poll(() => strict.app.traffic.inFlight).toBe(1);
      const status = statusOf(known);
      known.write(body.slice(1));
      expect(await status).toBe(401);
    } finally {
      await strict.close();
    }
  });
});
