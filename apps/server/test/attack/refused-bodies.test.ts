// @long: large values, many callers
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lingeringConnections } from '../../src/http/linger.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const LOGIN = '/api/v1/auth/universal-auth/login';
const LARGE = 12_000_000;
const TIMES = 6;

let test: TestServer;
let port: number;
beforeAll(async () => {
  test = await testServer({}, { isTrustedProxy: () => true });
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = test.app.server.address() as AddressInfo);
});
afterAll(() => test.close());

type Answered = readonly [status: number | undefined, code: number];
const headers = { 'content-type': 'application/json' };
const body = Buffer.alloc(LARGE, ' ');

/** In a thread of its own: a client whose loop is the server's sees the answer before anything that comes after it. */
const FETCH = `
  const { parentPort, workerData: { url, method, headers, large, times, isStream } } = require('node:worker_threads');
  const all = new Uint8Array(large).fill(32);
  async function* pieces() {
    for (let at = 0; at < large; at += 100_000) yield all.subarray(at, at + 100_000);
  }
  (async () => {
    const answers = [];
    for (let n = 0; n < times; n++) {
      const body = isStream ? ReadableStream.from(pieces()) : all;
      const answer = await fetch(url, { method, headers, body, duplex: 'half' })
        .catch(({ cause }) => ({ status: String(cause), json: () => ({}) }));
      answers.push([answer.status, (await answer.json()).statusCode]);
    }
    parentPort.postMessage(answers);
  })();`;
async function byFetch(method: string, path: string, isStream: boolean): Promise<Answered[]> {
  const url = `http://127.0.0.1:${port}${path}`;
  const workerData = { url, method, headers, large: LARGE, times: TIMES, isStream };
  const worker = new Worker(FETCH, { eval: true, workerData });
  const [answers] = (await once(worker, 'message')) as [Answered[]];
  await worker.terminate();
  return answers;
}
const byNode = (method: string, path: string): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method, path, headers: { ...headers, 'content-length': LARGE } });
    sent.once('response', (answer) => {
      // What is sent after the answer may be refused.
      sent.on('error', () => undefined);
      json(answer).then((read) => resolve([answer.statusCode, (read as { statusCode: number }).statusCode]), reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
async function byCurl(method: string, path: string): Promise<Answered> {
  const url = `http://127.0.0.1:${port}${path}`;
  const write = ['-s', '-S', '-w', '\n%{http_code}', '-H', 'Content-Type: application/json', '-H', 'Expect:'];
  const curl = promisify(execFile)('curl', [...write, '-X', method, '--data-binary', '@-', url]);
  curl.child.stdin?.on('error', () => undefined).end(body);
  const [read, status] = (await curl).stdout.split('\n');
  return [Number(status), (JSON.parse(read!) as { statusCode: number }).statusCode];
}
describe('the answer to a body that is refused while it is sent', () => {
  it.each([
    ['a public operation', 'POST', LOGIN, 413],
    ['an operation without a body', 'DELETE', '/api/v1/webhooks/x', 413],
    ['an operation that needs a token', 'POST', '/api/v4/secrets/batch', 401],
    ['a path without an operation', 'POST', '/api/nowhere', 404],
  ])('reaches usual clients: %s', async (_, method, path, status) => {
    const same = Array.from({ length: TIMES }, () => [status, status]);
    expect(await byFetch(method, path, false)).toEqual(same);
    expect(await byFetch(method, path, true)).toEqual(same);
    expect(await byNode(method, path)).toEqual([status, status]);
    expect(await byCurl(method, path)).toEqual([status, status]);
  });
});

describe('attack: connections with refused bodies', () => {
  const sockets: Socket[] = [];
  /** One that never closes its side, and sends as long as it can. */
  function send(address: string): Socket {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket);
    socket.on('error', () => undefined).resume();
    socket.write(
      `POST ${LOGIN} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json\r\nContent-Length: ${LARGE}\r\n\r\n`,
    );
    socket.write(body);
    return socket;
  }

  it('are few and short, also of a client that never closes them', async () => {
    for (let n = 0; n < 80; n++) send('192.0.2.1');
    await expect.poll(() => test.app.traffic.inFlight).toBe(0);
    await expect.poll(() => lingeringConnections()).toBeGreaterThan(0);
    expect(lingeringConnections()).toBeLessThanOrEqual(64);
    await expect.poll(() => sockets.every((socket) => socket.destroyed || socket.closed)).toBe(true);
    expect(lingeringConnections()).toBe(0);
    expect(test.app.transferMemory.used).toBe(0);
  });

  it('take no more of a body than its first part', async () => {
    const connected = once(test.app.server, 'connection');
    send('192.0.2.2');
    const [server] = (await connected) as [Socket];
    await once(server, 'close');
    expect(server.bytesRead).toBeGreaterThan(LARGE / 100);
    expect(server.bytesRead).toBeLessThan(2 * 1024 * 1024);
  });
});
