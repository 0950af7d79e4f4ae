import type { RequestListener, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseCidrs } from '../kernel/address.ts';
import type { OutboundRequest } from '../kernel/outbound.ts';
import { DomainError } from '../kernel/errors.ts';
import { createOutbound } from './outbound.ts';
import { serve, serveRaw } from './testing/servers.ts';

const canary = 'canary-7f3a';
const failure = (code: string) => ({ kind: 'bad_request', code: `outbound.${code}` });
const at = (address: string) => [{ address, family: 4 as const }];

/** An outbound client that may call this machine, and for which every name leads to it. */
function client(resolve: Parameters<typeof createOutbound>[0]['resolve'] = async () => at('127.0.0.1')) {
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8'), resolve });
  onTestFinished(() => outbound.close());
  return outbound;
}

/** The error of a call that must fail. */
const failed = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => error,
  );

/** How an address is refused, and a name that leads to one. */
const notCalled = (host: string) =>
  /\.test\b/.test(host)
    ? { ...failure('unreachable'), message: expect.stringContaining('has no address, or one that') as string }
    : failure('refused');

describe('fetch', () => {
  it('sends the given request, with only the headers that the protocol needs', async () => {
    const seen: unknown[] = [];
    const { port } = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        seen.push({
          line: `${request.method} ${request.url}`,
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        });
        response.writeHead(201, { 'Content-Type': 'application/json', 'Set-Cookie': ['a=1', 'b=2'] }).end('{"a":[1]}');
      });
    });
    const { fetch } = client();
    const answer = await fetch(`http://Name.test:${port}/a%2Fb?c=d#e`);
    expect(answer).toMatchObject({
      status: 201,
      headers: { 'content-type': 'application/json', 'set-cookie': 'a=1, b=2' },
    });
    expect(answer.body).toEqual(new TextEncoder().encode('{"a":[1]}'));
    expect(answer.text()).toBe('{"a":[1]}');
    expect(answer.json()).toEqual({ a: [1] });

    await fetch(`http://name.test:${port}/`, {
      method: 'post',
      headers: { 'X-Token': 't', 'User-Agent': 'me' },
      body: 'bödy',
    });
    await fetch(`http://name.test:${port}/`, { method: 'PUT', body: new Uint8Array([65, 66]) });
    const own = { host: `name.test:${port}`, connection: 'keep-alive', 'user-agent': 'coffer' };
    expect(seen).toEqual([
      { line: 'GET /a%2Fb?c=d', headers: own, body: '' },
      { line: 'POST /', headers: { ...own, 'user-agent': 'me', 'x-token': 't', 'content-length': '5' }, body: 'bödy' },
      { line: 'PUT /', headers: { ...own, 'content-length': '2' }, body: 'AB' },
    ]);
  });

  it('reads no JSON that would take long to parse', async () => {
    const texts = [`[${'1,'.repeat(200_000)}1]`, '['.repeat(10_000)];
    const { port } = await serve((request, response) => response.end(texts[Number(request.url!.slice(1))]));
    for (const which of texts.keys()) {
      const answer = await client().fetch(`http://name.test:${port}/${which}`);
      expect(() => answer.json()).toThrow('answered with JSON with more');
    }
  });

  it('does not let a caller frame the message or name another host', async () => {
    const { port } = await serve((request, response) => response.end(JSON.stringify(request.headers)));
    const headers = {
      Host: 'inner.test',
      'Transfer-Encoding': 'chunked',
      'Content-Length': '99',
      Connection: 'upgrade',
      Upgrade: 'h2c',
    };
    const answer = await client().fetch(`http://name.test:${port}/`, {
      method: 'POST',
      headers: { ...headers, TE: 'trailers', 'Proxy-Authorization': canary, Expect: '100-continue' },
      body: 'x',
    });
    expect(answer.json()).toEqual({
      host: `name.test:${port}`,
      connection: 'keep-alive',
      'content-length': '1',
      'user-agent': 'coffer',
    });
  });

  it.each<OutboundRequest>([
    { headers: { 'x-a': `${canary}\r\nx-b: 1` } },
    { headers: { 'x-a': `${canary}☃` } },
    { headers: { [`x a${canary}`]: '1' } },
    { headers: { '': '1' } },
    { method: 'CONNECT' },
    { method: 'TRACE' },
    { method: 'GET / HTTP/1.1' },
  ])('refuses to send %j', async (request) => {
    const { origin, sockets } = await serve((_, response) => response.end());
    const error = await client().fetch(origin, request).catch(String);
    expect(error).toContain('cannot be sent');
    expect(error).not.toContain(canary);
    expect(sockets).toEqual([]);
  });

  it('accepts any status as a response', async () => {
    const { origin } = await serve((request, response) => response.writeHead(Number(request.url?.slice(1))).end('no'));
    const { fetch } = client();
    for (const status of [204, 304, 401, 404, 429, 500, 503])
      expect(await fetch(`${origin}/${status}`)).toMatchObject({ status });
  });

  it('reports invalid JSON without quoting it', async () => {
    const { origin } = await serve((_, response) => response.end(`{"password": ${canary}`));
    const answer = await client().fetch(origin);
    expect(() => answer.json()).toThrow(expect.objectContaining(failure('bad_response')));
    expect(() => answer.json()).not.toThrow(canary);
  });

  it('ignores the proxy variables of the environment', async () => {
    const proxy = await serve((_, response) => response.end('proxy'));
    const { port } = await serve((_, response) => response.end('direct'));
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY']) vi.stubEnv(name, proxy.origin);
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await client().fetch(`http://name.test:${port}/`)).text()).toBe('direct');
    expect(proxy.sockets).toEqual([]);
  });
});

describe('fetch, and its targets', () => {
  it('connects to nothing that is refused, however it is spelled', async () => {
    const { port, sockets } = await serve((_, response) => response.end());
    const { fetch } = createOutbound({ allow: [], resolve: async () => at('127.0.0.1') });
    const hosts = [
      '127.0.0.1',
      'localhost',
      'name.test',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '127.0.0.1.',
      'name.test.',
    ];
    for (const host of [
      ...hosts,
      '0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
    ]) {
      await expect(fetch(`http://${host}:${port}/`), host).rejects.toMatchObject(notCalled(host));
      await expect(fetch(`https://${host}:${port}/`), host).rejects.toMatchObject(notCalled(host));
    }
    expect(sockets).toEqual([]);
  });

  it.each([
    'ftp://name.test/',
    'file:///etc/passwd',
    'name.test',
    'http://user:pw@name.test/',
    'http://[::1%25lo]/',
    '',
  ])('refuses %j', async (url) => {
    await expect(client().fetch(url)).rejects.toMatchObject(failure('bad_url'));
  });

  it('resolves a name once per connection, and checks each result', async () => {
    const { port, sockets } = await serve((_, response) => response.end('ok'));
    const answers = ['127.0.0.1', '10.0.0.1', '127.0.0.1'];
    const asked: string[] = [];
    const { fetch } = client(async (name) => {
      asked.push(name);
      return at(answers.shift() ?? '10.0.0.1');
    });
    const url = `http://rebind.test:${port}/`;
    expect([(await fetch(url)).text(), (await fetch(url)).text()]).toEqual(['ok', 'ok']);
    expect(asked).toEqual(['rebind.test']);

    for (const socket of sockets) socket.destroy();
    // Until the client has noticed, a call may still go to the old connection and fail with it.
    await expect.poll(() => failed(fetch(url))).toMatchObject(notCalled('rebind.test'));
    expect((await fetch(url)).text()).toBe('ok');
    expect(asked).toHaveLength(3);
  });

  it('tries the next address if one does not respond', async () => {
    const { port } = await serve((request, response) => response.end(request.socket.localAddress));
    const { fetch } = createOutbound({
      allow: parseCidrs('127.0.0.0/8, ::1'),
      resolve: async () => [{ address: '::1', family: 6 }, ...at('127.0.0.9'), ...at('127.0.0.1')],
    });
    expect((await fetch(`http://many.test:${port}/`)).text()).toMatch(/^127/);
  });

  it('opens a separate connection for schemes that authenticate the connection', async () => {
    const { origin, sockets } = await serve((_, response) => response.end());
    const { fetch } = client();
    for (const scheme of ['Negotiate', 'NTLM']) await fetch(origin, { headers: { Authorization: `${scheme} x` } });
    expect(sockets).toHaveLength(2);
    for (let i = 0; i < 3; i += 1) await fetch(origin, { headers: { Authorization: 'Bearer x' } });
    expect(sockets).toHaveLength(3);
  });
});

describe('fetch, on redirects', () => {
  const redirecting =
    (to: (path: string) => string | undefined): RequestListener =>
    (request, response) => {
      const location = to(request.url ?? '');
      if (location) response.writeHead(302, { location }).end('elsewhere');
      else response.end(JSON.stringify({ url: request.url, headers: request.headers }));
    };

  it('follows up to three', async () => {
    const { origin } = await serve(
      redirecting((path) => (path === '/0' ? undefined : `/${Number(path.slice(1)) - 1}`)),
    );
    const { fetch } = client();
    expect((await fetch(`${origin}/3`)).json()).toMatchObject({ url: '/0' });
    await expect(fetch(`${origin}/4`)).rejects.toMatchObject(failure('redirect'));
    expect((await fetch(`${origin}/4`, { maxRedirects: 4 })).status).toBe(200);
    await expect(fetch(`${origin}/1`, { maxRedirects: 0 })).rejects.toMatchObject(failure('redirect'));
  });

  it('ends in a loop', async () => {
    const { origin } = await serve(redirecting((path) => path));
    await expect(client().fetch(`${origin}/`)).rejects.toMatchObject(failure('redirect'));
  });

  it('checks every hop: a name or address that is not public is refused there too', async () => {
    const targets = [
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://inner.test/',
      'http://0x0a000001/',
      '//[::1]/',
      'http://[fd00::1]/',
    ];
    const { port } = await serve(redirecting((path) => targets[Number(path.slice(1))]));
    const { fetch } = client(async (name) => at(name === 'inner.test' ? '10.0.0.1' : '127.0.0.1'));
    for (const index of targets.keys()) {
      await expect(fetch(`http://name.test:${port}/${index}`), targets[index]).rejects.toMatchObject(
        notCalled(targets[index]!),
      );
    }
  });

  it('hands no credential to another origin', async () => {
    const there = await serve(redirecting(() => undefined));
    const here = await serve(redirecting(() => `http://there.test:${there.port}/`));
    const headers = { Authorization: canary, Cookie: canary, 'X-Vault-Token': canary, Accept: 'text/plain' };
    const answer = await client().fetch(here.origin, { method: 'POST', headers, body: canary });
    expect(answer.text()).not.toContain(canary);
    expect(answer.json()).toMatchObject({ headers: { accept: 'text/plain', host: `there.test:${there.port}` } });
  });

  it('does not wait for the body of a redirect', async () => {
    const { origin } = await serve((request, response) => {
      if (request.url === '/end') response.end('end');
      else response.writeHead(302, { location: '/end' }).write('more to come');
    });
    // To wait for it would end in a timeout.
    expect((await client().fetch(origin)).text()).toBe('end');
  });
});

describe('fetch, on bytes', () => {
  it('accepts as many as allowed and not one more', async () => {
    const { origin } = await serve((request, response) =>
      response.end(Buffer.alloc(Number(request.url?.slice(1)), 'x')),
    );
    const { fetch } = client();
    expect((await fetch(`${origin}/100`, { maxBytes: 100 })).text()).toBe('x'.repeat(100));
    await expect(fetch(`${origin}/101`, { maxBytes: 100 })).rejects.toMatchObject(failure('too_large'));
    expect((await fetch(`${origin}/0`, { maxBytes: 0 })).text()).toBe('');
    expect((await fetch(`${origin}/${1024 * 1024}`)).body).toHaveLength(1024 * 1024);
    await expect(fetch(`${origin}/${1024 * 1024 + 1}`)).rejects.toMatchObject(failure('too_large'));
  });

  it('returns the body, for any chunks', async () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 9000 }), { maxLength: 12 });
    let next: Uint8Array[] = [];
    const { origin } = await serve((_, response) => {
      const [...left] = next;
      const write = (): unknown => (left.length ? response.write(left.shift(), write) : response.end());
      write();
    });
    const { fetch } = client();
    await fc.assert(
      fc.asyncProperty(pieces, async (sent) => {
        next = sent.filter((piece) => piece.length);
        expect(Buffer.concat(sent).equals((await fetch(origin)).body)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('stops an endless body, and hangs up', async () => {
    let sent = 0;
    let hungUp = false;
    const { origin } = await serve((_, response) => {
      const write = () => {
        while (!hungUp && response.write(Buffer.alloc(64 * 1024))) sent += 64 * 1024;
      };
      response.on('drain', write).on('close', () => (hungUp = true));
      write();
    });
    await expect(client().fetch(origin)).rejects.toMatchObject(failure('too_large'));
    await expect.poll(() => hungUp).toBe(true);
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  it('does not decompress', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    const { origin } = await serve((request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(request.headers['accept-encoding'] ?? bomb),
    );
    const answer = await client().fetch(origin);
    expect(answer.body).toHaveLength(bomb.length);
    expect(() => answer.text()).toThrow(expect.objectContaining(failure('bad_response')));
  });

  it('reads no body if there is none', async () => {
    const { origin } = await serve((_, response) => response.writeHead(200, { 'content-length': '99999999' }).end());
    expect(await client().fetch(origin, { method: 'HEAD' })).toMatchObject({ status: 200, body: new Uint8Array() });
  });

  it('stops a flood of informational responses, and hangs up', async () => {
    const flood = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10_000);
    const { origin, sockets } = await serveRaw((socket) => socket.write(flood));
    await expect(client().fetch(origin)).rejects.toMatchObject(failure('bad_response'));
    await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true);
  });

  it('bounds the headers', async () => {
    const { origin } = await serveRaw((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`));
    await expect(client().fetch(origin)).rejects.toMatchObject(failure('too_large'));
  });
});

describe('fetch, on time', () => {
  /** A call without `timeoutMs` gets ten seconds. */
  const SOONER_THAN_BY_DEFAULT = { timeout: 9_000 };
  const drip = (head: string): ReturnType<typeof serveRaw> =>
    serveRaw((socket) => {
      socket.write(head);
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    });

  it.each([
    ['a server that never answers', () => serveRaw((socket) => socket.resume())],
    ['headers that drip', () => drip('HTTP/1.1 200 OK\r\nx: ')],
    ['a body that drips', () => drip('HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n')],
    [
      'endless notices',
      () =>
        serveRaw((socket) => {
          const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 20);
          socket.on('close', () => clearInterval(timer));
        }),
    ],
  ])('gives up on %s', SOONER_THAN_BY_DEFAULT, async (_, start) => {
    const { origin, sockets } = await start();
    await expect(client().fetch(origin, { timeoutMs: 200 })).rejects.toMatchObject(failure('timeout'));
    await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true);
  });

  it('includes the TLS handshake', SOONER_THAN_BY_DEFAULT, async () => {
    const { port } = await serveRaw(() => {});
    const handshake = client().fetch(`https://name.test:${port}/`, { timeoutMs: 200 });
    await expect(handshake).rejects.toMatchObject(failure('timeout'));
  });

  it('includes the lookup, and never connects afterwards', async () => {
    const { port, sockets } = await serve((_, response) => response.end());
    const slow = Promise.withResolvers<ReturnType<typeof at>>();
    const { fetch } = client(async (name) => (name === 'slow.test' ? slow.promise : at('127.0.0.1')));
    const late = fetch(`http://slow.test:${port}/`, { timeoutMs: 50 });
    await expect(late).rejects.toMatchObject(failure('timeout'));
    slow.resolve(at('127.0.0.1'));
    // A connection for the late response would exist before this one, which is opened afterwards.
    await fetch(`http://quick.test:${port}/`);
    expect(sockets).toHaveLength(1);
  });

  it('covers all redirects', async () => {
    let hops = 0;
    const { origin } = await serve((_, response) => {
      hops++;
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 100);
    });
    const redirected = client().fetch(origin, { timeoutMs: 250, maxRedirects: 100 });
    await expect(redirected).rejects.toMatchObject(failure('timeout'));
    expect(hops).toBeLessThan(10);
  });

  it('a silent target delays no other target, and recovers', async () => {
    const silent = new Set<ServerResponse>();
    const slow = await serve((_, response) => silent.add(response.on('close', () => silent.delete(response))));
    const quick = await serve((_, response) => response.end('quick'));
    const { fetch } = client();
    const ask = (timeoutMs: number) => Array.from({ length: 100 }, () => fetch(slow.origin, { timeoutMs }));
    for (const result of await Promise.all(ask(200).map(failed))) expect(result).toMatchObject(failure('timeout'));

    await expect.poll(() => silent.size).toBe(0);
    const waiting = ask(25_000);
    let answered = 0;
    for (const answer of waiting)
      answer.then(
        () => answered++,
        () => undefined,
      );
    // A quarter of its connections is for others.
    await expect.poll(() => silent.size).toBe(24);
    expect((await fetch(quick.origin)).text()).toBe('quick');
    expect([answered, silent.size]).toEqual([0, 24]);

    const speaking = setInterval(
      () => silent.forEach((response) => silent.delete(response) && response.end('again')),
      1,
    );
    onTestFinished(() => clearInterval(speaking));
    const answers = await Promise.all(waiting);
    expect(answers.every((answer) => answer.text() === 'again')).toBe(true);
  });

  it('calls of one owner at a target do not wait for those of another, however many these are', async () => {
    const { origin } = await serve(({ url }, response) => {
      if (url !== '/slow') response.end('quick');
    });
    const { fetch } = client();
    const slow = Array.from({ length: 100 }, () => fetch(`${origin}/slow`, { timeoutMs: 3_000, whose: 'a' }));
    const failing = Promise.all(slow.map(failed));
    for (const whose of ['b', 'c']) expect((await fetch(origin, { whose })).text()).toBe('quick');
    for (const result of await failing) expect(result).toMatchObject(failure('timeout'));
  });
});

describe('fetch, on faults of the remote', () => {
  it.each([
    ['hangs up', ''],
    ['cuts the body off', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
    ['cuts a chunked body off', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
    ['speaks no HTTP', `SSH-2.0-OpenSSH_9 ${canary}\r\n`],
    ['frames twice', `HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n${canary}`],
    ['breaks its chunks', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${canary}\r\n`],
    ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ])('is unreachable if it %s', async (_, text) => {
    const { origin } = await serveRaw((socket) => socket.once('data', () => socket.end(text)));
    await expect(client().fetch(origin)).rejects.toMatchObject(failure('unreachable'));
  });

  it('reports that nothing listens', async () => {
    const { origin, sockets } = await serveRaw((socket) => socket.resetAndDestroy());
    await expect(client().fetch(origin)).rejects.toMatchObject(failure('unreachable'));
    expect(sockets).toHaveLength(1);
    await expect(client().fetch('http://127.0.0.1:1/')).rejects.toThrow('127.0.0.1 refuses connections');
  });

  it('keeps query, headers and bodies out of every error', async () => {
    const { port } = await serveRaw((socket) =>
      socket.once('data', (head) => {
        const [, kind] = /^\S+ \/(\w+)/.exec(head.toString()) ?? [];
        if (kind === 'garbage') socket.end(`${canary}\r\n\r\n`);
        if (kind === 'large') socket.end(`HTTP/1.1 200 OK\r\nx-a: ${canary}\r\n\r\n${canary.repeat(100)}`);
        if (kind === 'loop') socket.end(`HTTP/1.1 307 X\r\nContent-Length: 0\r\nLocation: /loop?${canary}\r\n\r\n`);
        if (kind === 'away')
          socket.end(`HTTP/1.1 307 X\r\nContent-Length: 0\r\nLocation: ftp://u:${canary}@x.test/\r\n\r\n`);
        if (kind === 'cut') socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n${canary}`);
      }),
    );
    const { fetch } = client(async (name) => at(name === 'inner.test' ? '10.20.30.40' : '127.0.0.1'));
    const request = { method: 'POST', headers: { 'x-a': canary }, body: canary, maxBytes: 100, timeoutMs: 300 };
    const urls = ['garbage', 'large', 'loop', 'away', 'cut', 'silent'].map(
      (kind) => `http://name.test:${port}/${kind}?${canary}`,
    );
    for (const url of [
      ...urls,
      `http://inner.test/?${canary}`,
      `ftp://name.test/?${canary}`,
      `http://name.test:1/?${canary}`,
    ]) {
      const error = await fetch(url, request).catch((reason: DomainError) => reason);
      expect(error, url).toBeInstanceOf(DomainError);
      const { message, stack, details, cause } = error as DomainError;
      expect(JSON.stringify([message, stack, details, String(cause)])).not.toContain(canary);
      expect(message).not.toContain('10.20.30.40');
    }
  });
});

describe('resolveHost', () => {
  it('returns the address to connect to', async () => {
    const { resolveHost } = client(async () => [{ address: '::ffff:127.0.0.5', family: 6 }]);
    expect(await resolveHost('db.test')).toEqual({ address: '127.0.0.5', family: 4 });
    expect(await resolveHost('127.1')).toEqual({ address: '127.0.0.1', family: 4 });
    expect(await resolveHost('localhost')).toEqual({ address: '127.0.0.1', family: 4 });
  });

  it('refuses as fetch does', async () => {
    const { resolveHost } = createOutbound({ allow: [], resolve: async () => at('10.0.0.1') });
    for (const host of ['db.test', '10.0.0.1', '0xa000001', '::1', '[::1]', 'fd00::1', '::ffff:10.0.0.1']) {
      await expect(resolveHost(host), host).rejects.toMatchObject(notCalled(host));
    }
    for (const host of ['', 'a b', 'db.test:5432', 'postgres://db.test', 'user@db.test']) {
      await expect(resolveHost(host), host).rejects.toMatchObject(failure('bad_url'));
    }
  });

  describe('with a resolver that stays silent', () => {
    beforeEach(() => {
      vi.useFakeTimers();
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    it('gives up after ten seconds', async () => {
      const { resolveHost } = createOutbound({ allow: [], resolve: () => new Promise(() => {}) });
      const error = resolveHost('db.test').catch((reason: unknown) => reason);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await error).toMatchObject(failure('timeout'));
    });
  });
});

describe('close', () => {
  it('waits for running calls and rejects later ones', async () => {
    const asked: ServerResponse[] = [];
    const { origin, sockets } = await serve((_, response) => asked.push(response));
    const outbound = client();
    const answer = outbound.fetch(origin);
    await expect.poll(() => asked).toHaveLength(1);
    const closing = outbound.close();
    await expect(outbound.fetch(origin)).rejects.toMatchObject(failure('unreachable'));
    asked[0]!.end('done');
    await closing;
    expect((await answer).text()).toBe('done');
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });
});
