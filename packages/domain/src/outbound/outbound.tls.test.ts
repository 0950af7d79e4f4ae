import type { TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseCidrs } from '../kernel/address.ts';
import { createOutbound } from './outbound.ts';
import { getUnauthenticated } from './unauthenticated-peer.ts';
import { makeAuthority } from './testing/certificates.ts';
import { serve, serveTls } from './testing/servers.ts';

const root = makeAuthority('Test root');
const named = root.issue('name.test');
const client = root.issue('client.test');
const unreachable = { kind: 'bad_request', code: 'outbound.unreachable' };

function outbound() {
  const made = createOutbound({
    allow: parseCidrs('127.0.0.0/8'),
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  onTestFinished(() => made.close());
  return made;
}
const calls = () => outbound().fetch;

const serveNamed = () =>
  serveTls(
    { cert: named.cert, key: named.key, ca: root.cert, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const socket = request.socket as TLSSocket & { servername?: string };
      const peer = socket.getPeerCertificate();
      response.end(
        JSON.stringify({ servername: socket.servername, host: request.headers.host, client: peer?.subject?.CN }),
      );
    },
  );

describe('fetch over TLS', () => {
  it('connects to the checked address under the name', async () => {
    const { port } = await serveNamed();
    const answer = await calls()(`https://name.test.:${port}/`, { ca: root.cert });
    expect(answer.json()).toEqual({ servername: 'name.test', host: `name.test:${port}` });
  });

  it('checks the certificate of an address against that address', async () => {
    const { cert, key } = root.issue('127.0.0.1');
    const { origin } = await serveTls({ cert, key }, (_, response) => response.end('ok'));
    expect((await calls()(origin, { ca: root.cert })).text()).toBe('ok');
  });

  it('refuses a certificate for another name', async () => {
    const { port, origin } = await serveNamed();
    const fetch = calls();
    for (const url of [`https://other.test:${port}/`, origin]) {
      await expect(fetch(url, { ca: root.cert })).rejects.toMatchObject({
        ...unreachable,
        message: expect.stringContaining('presents a certificate for another name'),
      });
    }
  });

  it('trusts only the given roots, on every connection', async () => {
    const { port } = await serveNamed();
    const fetch = calls();
    const url = `https://name.test:${port}/`;
    const untrusted = { ...unreachable, message: 'name.test presents a certificate that is not trusted' };
    await expect(fetch(url)).rejects.toMatchObject(untrusted);
    expect((await fetch(url, { ca: root.cert })).status).toBe(200);
    await expect(fetch(url)).rejects.toMatchObject(untrusted);
    await expect(fetch(url, { ca: makeAuthority('Other root').cert })).rejects.toMatchObject(untrusted);
    await expect(fetch(url, { ca: ' ' })).rejects.toMatchObject(untrusted);
  });

  /** A server whose certificate is below so many authorities, all of which it presents. */
  const serveBelow = (depth: number) => {
    let [authority, chain] = [root, ''];
    for (let n = 0; n < depth; n++) {
      authority = authority.issue(`Authority ${n}`, { authority: true });
      chain = authority.cert + chain;
    }
    const { cert, key } = authority.issue('name.test');
    return serveTls({ cert: cert + chain, key }, (_, response) => response.end('ok'));
  };

  it('accepts a chain of ten, and gives up on one of a hundred before it is verified', async () => {
    const [few, many] = [await serveBelow(10), await serveBelow(98)];
    const { fetch, connect } = outbound();
    expect((await fetch(`https://name.test:${few.port}/`, { ca: root.cert })).text()).toBe('ok');
    const tooLong = {
      code: 'outbound.too_large',
      message: 'name.test answered with a longer TLS handshake than accepted',
    };
    await expect(fetch(`https://name.test:${many.port}/`, { ca: root.cert })).rejects.toMatchObject(tooLong);
    const target = { host: 'name.test', lifetimeMs: 10_000, maxBytes: 1_000_000, tls: { ca: root.cert } };
    const connection = await connect({ ...target, port: few.port });
    expect(connection.failure).toBeUndefined();
    await expect(connect({ ...target, port: many.port })).rejects.toMatchObject(tooLong);
  });

  it('lets no server choose the group of a key exchange', async () => {
    const { cert, key } = root.issue('name.test', { isRsa: true });
    const dhe = { ciphers: 'DHE-RSA-AES128-GCM-SHA256', maxVersion: 'TLSv1.2', dhparam: 'auto' } as const;
    const { port } = await serveTls({ cert, key, ...dhe }, (_, response) => response.end('ok'));
    const { fetch, connect } = outbound();
    const failed = { message: 'name.test fails the TLS handshake' };
    await expect(fetch(`https://name.test:${port}/`, { ca: root.cert })).rejects.toMatchObject(failed);
    const target = { host: 'name.test', port, lifetimeMs: 10_000, maxBytes: 1_000_000 };
    await expect(connect({ ...target, tls: { ca: root.cert } })).rejects.toMatchObject(failed);
    const plain = await connect(target);
    await expect(getUnauthenticated(plain, new URL(`https://name.test:${port}/`), 100)).rejects.toThrow(/handshake/);
  });

  it('cannot be talked out of the check by the environment', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { port } = await serveNamed();
    await expect(calls()(`https://name.test:${port}/`)).rejects.toMatchObject(unreachable);
  });

  it('accepts an intermediate certificate as a root', async () => {
    const intermediate = root.issue('Intermediate', { authority: true });
    const { cert, key } = intermediate.issue('name.test');
    const { port } = await serveTls({ cert, key }, (_, response) => response.end('ok'));
    const fetch = calls();
    expect((await fetch(`https://name.test:${port}/`, { ca: intermediate.cert })).text()).toBe('ok');
    await expect(fetch(`https://name.test:${port}/`, { ca: root.cert })).rejects.toMatchObject(unreachable);
  });

  it('rejects invalid PEM before it connects', async () => {
    const { port, sockets } = await serveNamed();
    const bad = { kind: 'bad_request', code: 'outbound.bad_request' };
    const url = `https://name.test:${port}/`;
    await expect(calls()(url, { ca: 'root' })).rejects.toMatchObject(bad);
    await expect(calls()(url, { clientCertificate: { cert: client.cert, key: 'canary' } })).rejects.toMatchObject(bad);
    await expect(calls()(url, { clientCertificate: { cert: client.cert, key: named.key } })).rejects.toMatchObject(bad);
    expect(sockets).toEqual([]);
  });

  it('presents a client certificate, and only in the requests that bring it', async () => {
    const { port } = await serveNamed();
    const fetch = calls();
    const present = async (request: object) =>
      (await fetch(`https://name.test:${port}/`, { ca: root.cert, ...request })).json();
    expect(await present({ clientCertificate: client })).toMatchObject({ client: 'client.test' });
    expect(await present({})).not.toHaveProperty('client');
    expect(await present({ clientCertificate: root.issue('second.test') })).toMatchObject({ client: 'second.test' });
    expect(await present({ clientCertificate: client })).toMatchObject({ client: 'client.test' });
  });

  it('presents no client certificate to another origin', async () => {
    const there = await serveNamed();
    const here = await serveTls({ cert: named.cert, key: named.key }, (_, response) =>
      response.writeHead(302, { location: `https://name.test:${there.port}/` }).end(),
    );
    const answer = await calls()(`https://name.test:${here.port}/`, { ca: root.cert, clientCertificate: client });
    expect(answer.json()).toEqual({ servername: 'name.test', host: `name.test:${there.port}` });
  });

  it('is not led from https to http', async () => {
    const plain = await serve((_, response) => response.end());
    const { port } = await serveTls({ cert: named.cert, key: named.key }, (_, response) =>
      response.writeHead(302, { location: plain.origin }).end(),
    );
    await expect(calls()(`https://name.test:${port}/`, { ca: root.cert })).rejects.toMatchObject({
      code: 'outbound.redirect',
    });
    expect(plain.sockets).toEqual([]);
  });

  it('reports a remote without TLS', async () => {
    const { port } = await serve((_, response) => response.end());
    await expect(calls()(`https://name.test:${port}/`)).rejects.toThrow('name.test fails the TLS handshake');
  });
});
