import type { TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseCidrs } from '../kernel/address.ts';
import { createOutbound } from './outbound.ts';
import { makeAuthority } from './testing/certificates.ts';
import { serve, serveTls } from './testing/servers.ts';

const root = makeAuthority('Test root');
const named = root.issue('name.test');
const client = root.issue('client.test');
const unreachable = { kind: 'bad_request', code: 'outbound.unreachable' };

function calls() {
  const outbound = createOutbound({
    allow: parseCidrs('127.0.0.0/8'),
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  onTestFinished(() => outbound.close());
  return outbound.fetch;
}

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
