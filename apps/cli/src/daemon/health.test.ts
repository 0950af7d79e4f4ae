import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { healthListener } from './health.ts';

describe('the health of an agent', () => {
  it('is shown to GET of its two paths, and anything else is not found', async () => {
    const server = createServer(healthListener(() => [{ isHealthy: true, report: {}, metrics: [] }]));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const statusOf = async (line: string) => {
      const socket = connect(port, '127.0.0.1');
      socket.end(`${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      return Number((await text(socket)).split(' ')[1]);
    };
    try {
      expect(await statusOf('GET /health')).toBe(200);
      expect(await statusOf('GET /metrics')).toBe(200);
      for (const line of ['POST /health', 'GET /other', 'GET //', 'GET http://[', 'GET ///health'])
        expect([line, await statusOf(line)]).toEqual([line, 404]);
    } finally {
      server.close();
    }
  });
});
