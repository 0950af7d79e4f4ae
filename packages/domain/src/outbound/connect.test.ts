import { once } from 'node:events';
import { createServer, TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseCidrs } from '../kernel/address.ts';
import type { OutboundConnection, OutboundTarget } from '../kernel/outbound.ts';
import type { Resolve } from './guard.ts';
import { createOutbound } from './outbound.ts';
import { makeAuthority } from './testing/certificates.ts';
import { serveRaw } from './testing/servers.ts';

const root = makeAuthority('Test root');
const named = root.issue('name.test');
const failure = (reason: string) => ({ kind: 'bad_request', code: `outbound.${reason}` });
const toLoopback: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];

function client(resolve = toLoopback, allow = '127.0.0.0/8') {
  const outbound = createOutbound({ allow: parseCidrs(allow), resolve });
  onTestFinished(() => outbound.close());
  const connect = (target: Partial<OutboundTarget> & { port: number }) =>
    outbound.connect({ host: 'name.test', lifetimeMs: 5000, maxBytes: 100_000, ...target });
  return { ...outbound, connect };
}

const closed = ({ stream }: OutboundConnection) => new Promise((resolve) => stream.once('close', resolve));

/** A TLS server that greets with this text. */
async function greet(text: string, { cert, key } = named) {
  const names: unknown[] = [];
  const server = createServer({ cert, key }, (socket) => {
    names.push((socket as TLSSocket & { servername?: string }).servername);
    socket.on('error', () => undefined).write(text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, names };
}

describe('connect', () => {
  it('opens a connection to the checked address, and resolves the name once', async () => {
    const { port } = await serveRaw((socket) => socket.pipe(socket));
    const resolve = vi.fn<Resolve>(toLoopback);
    const { stream, failure: none } = await client(resolve).connect({ port });
    stream.write('echo');
    expect(String((await once(stream, 'data'))[0])).toBe('echo');
    expect(none).toBeUndefined();
    expect(resolve).toHaveBeenCalledTimes(1);
    stream.destroy();
  });

  it('has turns at a host for owners who ask for them: one never has all connections, until some end', async () => {
    const { port } = await serveRaw(() => undefined);
    const { connect } = client();
    const opened: OutboundConnection[] = [];
    const open = async (whose: string) => void opened.push(await connect({ port, whose, lifetimeMs: 60_000 }));
    const many = Array.from({ length: 40 }, () => open('a'));
    await expect.poll(() => opened.length).toBe(24);
    await open('b');
    (await connect({ port })).stream.destroy();
    expect(opened).toHaveLength(25);
    for (let at = 0; at < 41; at++) {
      await expect.poll(() => opened.length).toBeGreaterThan(at);
      opened[at]!.stream.destroy();
    }
    await Promise.all(many);
  });

  it('opens nothing any more for those who wait for a turn when it is closed', async () => {
    let opened = 0;
    const { port } = await serveRaw(() => void opened++);
    const { connect, close } = client();
    const all = Array.from({ length: 30 }, () => connect({ port, whose: 'a', lifetimeMs: 60_000 }));
    const ends = Promise.allSettled(all);
    await expect.poll(() => opened).toBe(24);
    await close();
    const results = (await ends).map(({ status }) => status);
    expect(results.filter((status) => status === 'rejected')).toHaveLength(6);
    expect(opened).toBe(24);
  });

  it('keeps no turn of a connection for which nobody waits any more', async () => {
    const { port } = await serveRaw(() => undefined);
    const { connect } = client();
    const held = await Promise.all(Array.from({ length: 24 }, () => connect({ port, whose: 'a', lifetimeMs: 60_000 })));
    const late = Array.from({ length: 5 }, () => connect({ port, whose: 'a', timeoutMs: 20 }));
    for (const result of await Promise.allSettled(late))
      expect(result).toMatchObject({ status: 'rejected', reason: failure('timeout') });
    held[0]!.stream.destroy();
    (await connect({ port, whose: 'a' })).stream.destroy();
    for (const { stream } of held) stream.destroy();
  });

  it('ends a connection whose listener throws, and not the process', async () => {
    const { port } = await serveRaw((socket) => socket.write('unexpected'));
    const connection = await client().connect({ port });
    connection.stream.on('data', () => {
      throw new RangeError('Out of the parser of a library');
    });
    await closed(connection);
    expect(connection.failure).toMatchObject(failure('bad_response'));
  });

  it('does not follow a second lookup', async () => {
    const { port, sockets } = await serveRaw(() => undefined);
    const answers = ['203.0.113.1', '127.0.0.1'];
    const resolve: Resolve = async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }];
    const { connect } = client(resolve, '10.0.0.0/8');
    await expect(connect({ port, timeoutMs: 200 })).rejects.toMatchObject({ kind: 'bad_request' });
    expect(answers).toEqual(['127.0.0.1']);
    expect(sockets).toEqual([]);
  });

  it('refuses what fetch refuses', async () => {
    const { port, sockets } = await serveRaw(() => undefined);
    const { connect } = client(toLoopback, '10.0.0.0/8');
    for (const host of [
      '127.0.0.1',
      '0x7f.1',
      '2130706433',
      '[::1]',
      '::ffff:127.0.0.1',
      'localhost',
      '169.254.169.254',
    ])
      await expect(connect({ host, port }), host).rejects.toMatchObject(failure('refused'));
    await expect(connect({ port })).rejects.toMatchObject(failure('unreachable'));
    for (const host of ['', 'a b', 'user@name.test', 'name.test:1'])
      await expect(connect({ host, port }), host).rejects.toMatchObject(failure('bad_url'));
    expect(sockets).toEqual([]);
  });

  it('reaches allowed addresses however they are written', async () => {
    const { port, sockets } = await serveRaw(() => undefined);
    for (const host of ['127.0.0.1', '0x7f.1', 'localhost', '::ffff:127.0.0.1'])
      (await client().connect({ host, port })).stream.destroy();
    expect(sockets).toHaveLength(4);
  });

  it('reports that nothing listens, and that a name has no address', async () => {
    await expect(client().connect({ port: 1 })).rejects.toMatchObject({
      ...failure('unreachable'),
      message: 'name.test refuses connections',
    });
    await expect(client(async () => []).connect({ port: 1 })).rejects.toThrow('name.test has no address');
  });

  it('gives up on an unresolvable name, and on an endless handshake', async () => {
    const { port, sockets } = await serveRaw((socket) => socket.resume());
    const silent = client(() => new Promise(() => {}));
    await expect(silent.connect({ port, timeoutMs: 50 })).rejects.toMatchObject(failure('timeout'));
    await expect(client().connect({ port, tls: {}, timeoutMs: 100 })).rejects.toMatchObject(failure('timeout'));
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });

  it('ends a connection at its deadline', async () => {
    const { port } = await serveRaw(() => undefined);
    const connection = await client().connect({ port, lifetimeMs: 50 });
    await closed(connection);
    expect(connection.failure).toMatchObject(failure('timeout'));
  });

  it('ends a connection after too much data, and returns no more than allowed', async () => {
    const { port } = await serveRaw((socket) => socket.end('x'.repeat(200_000)));
    const connection = await client().connect({ port });
    let size = 0;
    connection.stream.on('data', (chunk: Buffer) => (size += chunk.length));
    await closed(connection);
    expect(connection.failure).toMatchObject(failure('too_large'));
    expect(size).toBeLessThanOrEqual(100_000);
  });

  it('detects that the peer has closed the connection', async () => {
    const { port } = await serveRaw((socket) => socket.destroy());
    const connection = await client().connect({ port });
    connection.stream.resume();
    await closed(connection);
    expect(connection.failure).toMatchObject(failure('unreachable'));
  });

  it('ends with the client, and opens nothing afterwards', async () => {
    const { port } = await serveRaw(() => undefined);
    const outbound = client();
    const { stream } = await outbound.connect({ port });
    await outbound.close();
    expect(stream.destroyed).toBe(true);
    await expect(outbound.connect({ port })).rejects.toMatchObject(failure('unreachable'));
  });
});

describe('connect in TLS', () => {
  it('is for the name only', async () => {
    const { port, names } = await greet('hello');
    const { stream } = await client().connect({ port, tls: { ca: root.cert } });
    expect(String((await once(stream, 'data'))[0])).toBe('hello');
    expect(names).toEqual(['name.test']);
    stream.destroy();
    for (const host of ['other.test', '127.0.0.1'])
      await expect(client().connect({ host, port, tls: { ca: root.cert } })).rejects.toThrow(
        `${host} presents a certificate for another name`,
      );
  });

  it('trusts only the given root', async () => {
    const { port } = await greet('hello');
    for (const ca of [undefined, makeAuthority('Test root').cert])
      await expect(client().connect({ port, tls: { ca } })).rejects.toThrow(
        'presents a certificate that is not trusted',
      );
    await expect(client().connect({ port, tls: { ca: 'no PEM' } })).rejects.toMatchObject(failure('bad_request'));
  });

  it('is bounded in time and in bytes', async () => {
    const { port } = await greet('x'.repeat(200_000));
    const tls = { ca: root.cert };
    const large = await client().connect({ port, tls });
    large.stream.resume();
    await closed(large);
    expect(large.failure).toMatchObject(failure('too_large'));
    const small = await greet('hello');
    const slow = await client().connect({ port: small.port, tls, lifetimeMs: 500 });
    slow.stream.resume();
    await closed(slow);
    expect(slow.failure).toMatchObject(failure('timeout'));
  });

  it('upgrades a plaintext connection', async () => {
    const { port } = await serveRaw((socket) => {
      socket.once('data', () => {
        const secured = new TLSSocket(socket, { isServer: true, cert: named.cert, key: named.key });
        secured.on('error', () => undefined).on('data', (chunk) => secured.write(chunk));
        socket.write('go');
      });
    });
    const upgraded = async (ca: string) => {
      const plain = await client().connect({ port });
      plain.stream.write('starttls');
      await once(plain.stream, 'data');
      return plain.secure({ ca });
    };
    const { stream } = await upgraded(root.cert);
    stream.write('echo');
    expect(String((await once(stream, 'data'))[0])).toBe('echo');
    stream.destroy();
    await expect(upgraded(makeAuthority('Other').cert)).rejects.toMatchObject(failure('unreachable'));
  });
});
