import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createCofferClient } from '@coffer/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetch } from './fetch.ts';

/** Starts a server, and returns its URL. */
async function serve(listener: RequestListener, onTunnel?: (to: string) => void): Promise<string> {
  const server = createServer(listener).on('connect', ({ url }, socket) => {
    onTunnel?.(url!);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  onTestFinished(() => server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const INIT = { method: 'GET', headers: {}, body: null, signal: null };

/** What a process with this environment gets from its URL, or the code of its error. */
async function inProcess(variables: Readonly<Record<string, string>>): Promise<string> {
  const [module, init] = [join(import.meta.dirname, 'fetch.ts'), INIT].map((one) => JSON.stringify(one));
  const script = `import { fetch } from ${module};
    const ask = async () => (await fetch(process.env.URL, ${init})).text();
    console.log(await ask().catch(({ code }) => code));`;
  const env = { PATH: process.env['PATH'], ...variables };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
  return stdout.trim();
}

describe('a request of the command line', () => {
  it('sends its body and headers, and reads the response, of several pieces, as UTF-8', async () => {
    const url = await serve((asked, answer) => {
      answer.setHeader('set-cookie', ['a=1', 'b=2']).setHeader('content-type', 'text/plain');
      const é = Buffer.from('é');
      answer.write(é.subarray(0, 1));
      asked.once('data', (part: Buffer) => {
        answer.write(é.subarray(1));
        const { 'x-own': own, 'content-length': length } = asked.headers;
        answer.end([asked.method, asked.url, own, length, part.toString()].join(' '));
      });
    });
    const headers = { 'x-own': 'yes' };
    const response = await fetch(`${url}/path?query=1`, { ...INIT, method: 'POST', headers, body: 'ü' });
    expect([response.ok, response.status, response.headers.get('Content-Type')]).toEqual([true, 200, 'text/plain']);
    expect([response.headers.get('absent'), response.headers.getSetCookie()]).toEqual([null, ['a=1', 'b=2']]);
    expect(await response.text()).toBe('éPOST /path?query=1 yes 2 ü');
  });

  it('follows no redirect', async () => {
    const asked: string[] = [];
    const elsewhere = await serve((_, answer) => {
      asked.push('elsewhere');
      answer.end();
    });
    const url = await serve((_, answer) => answer.writeHead(307, { location: elsewhere }).end());
    const { ok, status } = await fetch(url, INIT);
    expect([ok, status, asked]).toEqual([false, 307, []]);
  });

  it.each([1, 3_000_000])('of a stream that is refused has the refusal, of %i characters', async (length) => {
    const data = { httpStatus: 401, code: 'UNAUTHORIZED', reason: 'token.ended' };
    const message = 'x'.repeat(length);
    const url = await serve((_, answer) =>
      answer.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message, data } })),
    );
    const client = createCofferClient({ url, fetch, token: 'token' });
    const stream = client.secretEvents.watch.subscribe({ projectId: randomUUID(), register: [] });
    const first = stream[Symbol.asyncIterator]().next();
    await expect(first).rejects.toMatchObject({ status: 401, reason: 'token.ended', message });
  });

  it('takes another protocol for an answer that is none of Coffer', async () => {
    const url = await serve((_, answer) =>
      answer.socket!.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'),
    );
    expect(await fetch(url, INIT)).toMatchObject({ ok: false, status: 101 });
  });

  it('fails by the code of the system where nobody listens, the connection breaks, or the signal ends it', async () => {
    const broken = await serve((_, answer) => answer.write('half', () => answer.destroy()));
    const silent = await serve(() => undefined);
    // Port 9 (discard) has no server.
    await expect(fetch('http://127.0.0.1:9', INIT)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(fetch(broken, INIT).then((response) => response.text())).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(fetch(silent, { ...INIT, signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    await expect(fetch(silent, { ...INIT, signal: AbortSignal.timeout(10) })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it.each<[string, (proxy: string) => Record<string, string>, string]>([
    [
      'through the proxy of the environment',
      (proxy) => ({ HTTP_PROXY: `http://${proxy}` }),
      'proxied http://a.example/',
    ],
    ['through one without a scheme', (proxy) => ({ http_proxy: proxy }), 'proxied http://a.example/'],
    ['to this machine directly', (proxy) => ({ HTTP_PROXY: `http://${proxy}`, URL: `http://${proxy}` }), 'proxied /'],
    ['nowhere where its URL cannot be read', () => ({ HTTP_PROXY: 'bad host' }), 'ERR_PROXY_INVALID_CONFIG'],
    ['past it to a host of NO_PROXY', (proxy) => ({ HTTP_PROXY: proxy, NO_PROXY: '.example' }), 'ENOTFOUND'],
  ])('goes %s', async (_, variables, expected) => {
    const proxy = await serve((asked, answer) => answer.end(`proxied ${asked.url}`));
    const { host } = new URL(proxy);
    expect(await inProcess({ URL: 'http://a.example/', ...variables(host) })).toBe(expected);
  });

  it('to a server with TLS opens a tunnel through the proxy', async () => {
    const asked: string[] = [];
    const proxy = await serve(
      () => undefined,
      (to) => asked.push(to),
    );
    expect([await inProcess({ URL: 'https://a.example/', HTTPS_PROXY: proxy }), asked]).toEqual([
      'ERR_PROXY_TUNNEL',
      ['a.example:443'],
    ]);
  });
});
