import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatheredBody } from './gathered-body.ts';

const server = createServer();
let port: number;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A request whose body has chunks of these bytes. */
async function requestOf(
  chunks: readonly string[],
): Promise<{ req: IncomingMessage; res: ServerResponse; client: Socket }> {
  const client = connect(port, '127.0.0.1');
  const begun = once(server, 'request');
  client.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
  const [req, res] = (await begun) as [IncomingMessage, ServerResponse];
  for (const chunk of chunks) client.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  client.write('0\r\n\r\n');
  return { req, res, client };
}

describe('GatheredBody', () => {
  it('holds chunks of a byte together, as much as may wait, until they are read', async () => {
    const sent = Array.from({ length: 200_000 }, (_, n) => String(n % 10));
    const { req, client } = await requestOf(sent);
    const body = new GatheredBody(req);
    await expect.poll(() => req.socket.isPaused()).toBe(true);
    expect(body.readableLength).toBeLessThan(128 * 1024);
    expect(req.readableLength).toBe(0);
    const parts: Buffer[] = [];
    for await (const part of body) parts.push(part as Buffer);
    expect(Buffer.concat(parts).toString()).toBe(sent.join(''));
    expect(parts.length).toBeLessThan(200);
    client.destroy();
  });

  it('takes no more from its connection than came at once, before somebody reads it', async () => {
    const { req, client } = await requestOf(['x'.repeat(1_000_000)]);
    const body = new GatheredBody(req);
    await expect.poll(() => req.socket.isPaused()).toBe(true);
    expect(req.socket.bytesRead).toBeLessThan(96 * 1024);
    expect(body.readableLength).toBeLessThan(96 * 1024);
    client.destroy();
  });

  it('passes on large chunks and none at all', async () => {
    for (const sent of [['x'.repeat(500_000), 'y'.repeat(20_000), 'z'], []]) {
      const { req, client } = await requestOf(sent);
      expect((await buffer(new GatheredBody(req))).toString()).toBe(sent.join(''));
      client.destroy();
    }
  });

  it('that nobody reads is dropped, and the next request on the connection is received', async () => {
    const { req, res, client } = await requestOf(Array<string>(30).fill('x'.repeat(10_000)));
    const body = new GatheredBody(req);
    await expect.poll(() => req.socket.isPaused()).toBe(true);
    const next = once(server, 'request');
    res.once('close', () => body.destroy());
    res.end();
    client.write('GET /next HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(((await next) as [IncomingMessage])[0].url).toBe('/next');
    client.destroy();
  });

  it('fails with its client', async () => {
    const { req, client } = await requestOf(['x']);
    const unfinished = connect(port, '127.0.0.1');
    const begun = once(server, 'request');
    unfinished.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nx');
    const [other] = (await begun) as [IncomingMessage];
    const body = new GatheredBody(other);
    const failed = buffer(body).catch((error: unknown) => error);
    unfinished.destroy();
    expect(await failed).toMatchObject({ code: 'request.closed' });
    expect(req.destroyed).toBe(false);
    client.destroy();
  });
});
