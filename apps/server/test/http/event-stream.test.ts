import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { procedure, rest, router, type RouterLike } from '@coffer/api';
import { tracked } from '@trpc/server';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { testServer, type TestServer } from '../harness/test-server.ts';

const PIECE = 64 * 1024;
/** Far more than a socket buffers. */
const PLENTY = 2000;

let told = 0;
let running = 0;

/** Sends as much as anybody reads. */
async function* loud() {
  running++;
  try {
    for (; told < PLENTY; told++) yield tracked(String(told), 'x'.repeat(PIECE));
  } finally {
    running--;
  }
}

/** Sends one event, and then nothing. */
async function* quiet(signal: AbortSignal | undefined) {
  running++;
  try {
    yield tracked('1', 'first');
    await new Promise((done) => signal?.addEventListener('abort', done, { once: true }));
  } finally {
    running--;
  }
}

const streams: RouterLike = router({
  loud: procedure
    .meta(rest('POST', '/loud', 'public', 'Tell much', { events: z.string() }))
    .input(z.object({}))
    .subscription(() => loud()),
  quiet: procedure
    .meta(rest('POST', '/quiet', 'public', 'Tell little', { events: z.string() }))
    .input(z.object({}))
    .subscription(({ signal }) => quiet(signal)),
});

const PATIENCE = 500;
let test: TestServer;
let port: number;
beforeAll(async () => {
  test = await testServer({}, { router: streams, streams: { patienceMs: PATIENCE } });
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = test.app.server.address() as AddressInfo);
});
afterAll(() => test.close());
beforeEach(() => {
  told = 0;
});

/** Sends a request, and reads nothing of the response. */
async function ask(method: string, path: string, at = port): Promise<Socket> {
  const socket = connect(at, '127.0.0.1');
  await once(socket, 'connect');
  socket.pause();
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n`);
  return socket;
}

const doors: [door: string, method: string, path: (name: string) => string][] = [
  ['REST', 'POST', (name) => `/${name}`],
  ['tRPC', 'GET', (name) => `/api/trpc/${name}?input=%7B%7D`],
];

describe.each(doors)('a stream over %s', (_, method, path) => {
  it('stops before the buffer of a slow reader grows, and finally disconnects it', async () => {
    const socket = await ask(method, path('loud'));
    try {
      await expect.poll(() => running).toBe(1);
      await expect.poll(() => running).toBe(0);
      // The system's buffers of a connection, and a little of ours.
      expect(told).toBeLessThan(PLENTY / 4);
      await expect.poll(() => test.app.traffic.inFlight).toBe(0);
    } finally {
      socket.destroy();
    }
  });

  it('ends with its reader, and no longer counts as a running request', async () => {
    const socket = await ask(method, path('quiet'));
    socket.resume();
    await expect.poll(() => [running, test.app.traffic.inFlight]).toEqual([1, 1]);
    socket.destroy();
    await expect.poll(() => [running, test.app.traffic.inFlight]).toEqual([0, 0]);
  });
});

describe('a stream', () => {
  it('stays open for a slow reader longer than for one who reads nothing', async () => {
    // A stall of the machine for this time would make all readers slow.
    const patienceMs = 4_000;
    const on = await testServer({}, { router: streams, streams: { patienceMs } });
    onTestFinished(() => on.close());
    await on.app.listen({ port: 0, host: '127.0.0.1' });
    const { port: there } = on.app.server.address() as AddressInfo;
    const bytes = doors.map(() => 0);
    const sockets = await Promise.all(doors.map(([, method, path]) => ask(method, path('loud'), there)));
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    for (const [index, socket] of sockets.entries())
      socket.on('data', (chunk: Buffer) => {
        bytes[index]! += chunk.length;
        socket.pause();
        setTimeout(() => socket.resume(), 10);
      });
    await expect.poll(() => running).toBe(2);
    for (const socket of sockets) socket.resume();
    await sleep(1.25 * patienceMs);
    await expect.poll(() => bytes.every((count) => count > 3 * PIECE)).toBe(true);
    expect(running).toBe(2);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => running).toBe(0);
  });
});

describe('a server that stops', () => {
  it('does not wait for closed connections, nor for idle ones', async () => {
    const on = await testServer({}, { router: streams });
    await on.app.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = on.app.server.address() as AddressInfo);
    const silent = connect(port, '127.0.0.1');
    await once(silent, 'connect');
    const gone = await ask('POST', '/quiet');
    await expect.poll(() => running).toBe(1);
    gone.destroy();
    const closed = once(silent, 'close');
    silent.resume();
    await on.close();
    await closed;
    expect(running).toBe(0);
  });
});
