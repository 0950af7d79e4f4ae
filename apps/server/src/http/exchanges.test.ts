import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { Exchanges } from './exchanges.ts';

const PATIENCE = 1_500;
/** More than the buffers of the operating system hold. */
const BODY = Buffer.alloc(32 * 1024 * 1024);

/** A server of one test, whose clients are watched; `/probe` is a path without an exchange. */
async function serve(patience = PATIENCE) {
  const exchanges = new Exchanges(patience);
  const server = createServer((req, res) => {
    const exchange = req.url === '/probe' ? undefined : exchanges.begin(res);
    if (exchange) res.on('close', () => exchanges.end(exchange));
    exchanges.sending(res, exchange);
    res.end(BODY);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    exchanges,
    connections: () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count))),
    ask: async (...paths: readonly string[]): Promise<Socket> => {
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
      await once(client, 'connect');
      client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`).join(''));
      return client;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

// They mostly wait, so they do it together.
describe.concurrent('a client that does not read its response', () => {
  it.for([[['/']], [['/', '/']], [['/probe']]] as const)(
    'is disconnected: %j',
    async ([paths], { expect, onTestFinished }) => {
      const { ask, connections, exchanges, close } = await serve();
      onTestFinished(close);
      const client = await ask(...paths);
      client.pause();
      await expect.poll(connections).toBe(1);
      await expect.poll(connections).toBe(0);
      await expect.poll(() => exchanges.size).toBe(0);
      client.destroy();
    },
  );
});

describe.concurrent('a client that reads slowly', () => {
  it('gets all of its response', async ({ expect, onTestFinished }) => {
    // A stall of the machine for most of this time would make the client one that reads nothing.
    const patience = 2 * PATIENCE;
    const { ask, close } = await serve(patience);
    onTestFinished(close);
    const client = await ask('/');
    const since = performance.now();
    let bytes = 0;
    for await (const part of client) {
      const before = bytes >> 22;
      bytes += (part as Buffer).length;
      if (bytes >> 22 > before) await sleep(patience / 7);
      if (bytes > BODY.length) break;
    }
    expect(performance.now() - since).toBeGreaterThan(patience);
    expect(bytes).toBeGreaterThan(BODY.length);
  });
});
