import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { handOver } from '../../src/http/drain.ts';
import { echoRouter } from '../harness/echo-router.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer({}, { router: echoRouter });
  await test.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => test.close());

it('a process that hands over answers on open connections once more, closes them with that, and accepts no others', async () => {
  const { port } = test.app.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (path: string, through: Agent | false = agent) =>
    new Promise<{ status: number | undefined; connection: string | undefined; reused: boolean }>((resolve, reject) => {
      const req = request({ host: '127.0.0.1', port, path, agent: through }, (res) => {
        const { statusCode: status, headers } = res.resume();
        res.once('end', () => resolve({ status, connection: headers.connection, reused: req.reusedSocket }));
      });
      req.once('error', reject).end();
    });
  expect(await ask('/echo/1')).toEqual({ status: 200, connection: 'keep-alive', reused: false });
  // Its time is never up: it ends with the connections.
  const standing = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => standing.mockRestore());
  const handed = handOver(test.app);
  await expect(ask('/echo/2', false)).rejects.toThrow('ECONNREFUSED');
  expect(await ask('/echo/3')).toEqual({ status: 200, connection: 'close', reused: true });
  // It does not wait any longer than that.
  await handed;
  agent.destroy();
});
