import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { createOutbound, parseCidrs, validateChallenge } from '@coffer/domain';
import { challengeServer, makeAuthority } from '@coffer/domain/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AcmeClient } from '../../harness/acme-client.ts';
import { acmeWorld, type AcmeWorld } from '../../harness/acme.ts';
import { openssl } from '../../harness/openssl.ts';

// The results of missing proofs, and of unusual servers.

let world: AcmeWorld;
let client: AcmeClient;
const servers: Server[] = [];
beforeAll(async () => {
  if (challengeServer.isMissing) return;
  world = await acmeWorld();
  client = await AcmeClient.withAccount(world, await world.profile({ skipEabBinding: true }));
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  if (world) Object.assign(world.leads, { http: world.challenges.httpPort, tls: world.challenges.tlsPort });
});
afterAll(() => world?.close());

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

let number = 0;
interface Pending {
  readonly name: string;
  readonly token: string;
  readonly content: string;
  /** Validates it until the last attempt; returns the error. */
  readonly outcome: () => Promise<string>;
  /** The error text. */
  readonly reason: () => Promise<string>;
}

/** A challenge to validate. */
async function pending(type: string, name = `c${number++}.example.com`): Promise<Pending> {
  const order = await client.order(name);
  const [url] = order.body.authorizations;
  const { body } = await client.post(url);
  const challenge = body.challenges.find((one: { type: string }) => one.type === type);
  await client.post(challenge.url, {});
  const platform = world.test.coffer.contextFor({ type: 'platform', organizationId: world.test.organizationId });
  return {
    name,
    token: challenge.token,
    content: `${challenge.token}.${client.thumbprint}`,
    reason: async () => (await client.post(challenge.url)).body.error.detail,
    outcome: async () => {
      for (let attempt = 0; attempt < 4; attempt++) await validateChallenge(platform, challenge.url.split('/').at(-1));
      const { status, error } = (await client.post(challenge.url)).body;
      const { status: authorization } = (await client.post(url)).body;
      expect(authorization).toBe(status);
      return status === 'valid' ? status : error.type.replace('urn:ietf:params:acme:error:', '');
    },
  };
}

const serveHttp = async (listener: RequestListener) => {
  world.leads.http = await listen(createServer(listener));
};

describe.skipIf(challengeServer.isMissing)(`http-01${challengeServer.orSkipped}`, () => {
  it('accepts the response with trailing space, and nothing else', async () => {
    const one = await pending('http-01');
    let asked: unknown;
    await serveHttp(({ url, headers }, response) => {
      asked = [url, headers.host, headers.connection];
      response.end(`${one.content} \r\n`);
    });
    expect(await one.outcome()).toBe('valid');
    expect(asked).toEqual([`/.well-known/acme-challenge/${one.token}`, one.name, 'close']);
    for (const wrong of ['', 'x', one.content.slice(1), `${one.content}${'x'.repeat(10)}`, `x${one.content}`]) {
      const other = await pending('http-01');
      await serveHttp((_request, response) => response.end(wrong.replaceAll(one.token, other.token)));
      expect([wrong, await other.outcome()]).toEqual([wrong, 'incorrectResponse']);
    }
  });

  it('requires status 200', async () => {
    const one = await pending('http-01');
    await serveHttp((_request, response) => response.writeHead(404).end(one.content));
    expect(await one.outcome()).toBe('unauthorized');
  });

  it('follows redirects to names by http and https, with any certificate', async () => {
    const { cert, key } = makeAuthority('Nobody');
    const one = await pending('http-01');
    const paths: string[] = [];
    world.leads.tls = await listen(
      createHttps({ cert, key }, ({ url }, response) => {
        paths.push(String(url));
        response.end(one.content);
      }),
    );
    await serveHttp(({ url }, response) => {
      paths.push(String(url));
      const location = url === '/again' ? 'https://other.example.com/there?a=b' : '/again';
      response.writeHead(url === '/again' ? 308 : 302, { location }).end();
    });
    expect(await one.outcome()).toBe('valid');
    expect(paths).toEqual([`/.well-known/acme-challenge/${one.token}`, '/again', '/there?a=b']);
  });

  it('follows them five times, and not to other ports, addresses or protocols', async () => {
    let asked = 0;
    for (const location of [
      '/round',
      'http://other.example.com:8080/',
      'http://127.0.0.1/',
      'http://[::1]/',
      'http://2130706433/',
      'ftp://other.example.com/',
      'file:///etc/passwd',
      'http://user@other.example.com/',
      'http://',
    ]) {
      const one = await pending('http-01');
      asked = 0;
      await serveHttp((_request, response) => {
        asked++;
        response.writeHead(302, { location }).end();
      });
      expect([location, await one.outcome()]).toEqual([location, 'connection']);
      expect([location, asked]).toEqual([location, location === '/round' ? 24 : 4]);
    }
  });

  it('reads no more than a proof has', async () => {
    const one = await pending('http-01');
    await serveHttp((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        response.once('drain', more);
      };
      more();
    });
    expect(await one.outcome()).toBe('incorrectResponse');
    const other = await pending('http-01');
    world.leads.http = await listen(
      createTcp((socket) => socket.on('error', () => undefined).end('x'.repeat(300_000))),
    );
    expect(await other.outcome()).toBe('connection');
  });

  it('is validated one at a time for each account, so that a silent server delays no other account', async () => {
    const held = new Set<Socket>();
    let most = 0;
    const silent = await listen(
      createTcp((socket) => {
        held.add(socket.on('error', () => undefined).once('close', () => held.delete(socket)));
        most = Math.max(most, held.size);
      }),
    );
    const other = await AcmeClient.withAccount(world, client.profileId);
    try {
      world.leads.http = silent;
      for (let i = 0; i < 5; i++) await pending('http-01');
      await world.work();
      await expect.poll(() => most).toBe(1);
      const order = await other.order(`c${number++}.example.com`);
      expect((await other.prove(order.body.authorizations[0], 'dns-01')).body.status).toBe('valid');
      expect(most).toBe(1);
    } finally {
      for (const socket of held) socket.destroy();
      await world.rest();
    }
  });

  it('reports that nothing listens, and that a name does not exist', async () => {
    const one = await pending('http-01');
    const port = await listen(createTcp());
    for (const server of servers.splice(0)) server.close();
    world.leads.http = port;
    expect(await one.outcome()).toBe('connection');
    const other = await pending('http-01');
    await world.challenges.tell('set-servfail', { host: other.name });
    expect(await other.outcome()).toBe('dns');
  });
});

describe.skipIf(challengeServer.isMissing)(`dns-01${challengeServer.orSkipped}`, () => {
  it('accepts one of several records, also through a CNAME', async () => {
    const one = await pending('dns-01');
    const value = await digestOf(one.content);
    const at = `elsewhere-${one.name}.`;
    await world.challenges.tell('set-txt', { host: at, value: 'another' });
    await world.challenges.tell('set-txt', { host: at, value });
    await world.challenges.tell('set-cname', { host: `_acme-challenge.${one.name}.`, target: at });
    expect(await one.outcome()).toBe('valid');
  });

  it('reports a missing record, and a wrong one', async () => {
    expect(await (await pending('dns-01')).outcome()).toBe('dns');
    const one = await pending('dns-01');
    await world.challenges.tell('set-txt', { host: `_acme-challenge.${one.name}.`, value: one.content });
    expect(await one.outcome()).toBe('unauthorized');
  });
});

describe.skipIf(challengeServer.isMissing)(`tls-alpn-01${challengeServer.orSkipped}`, () => {
  it('requires the protocol, and a certificate for the name with the token', async () => {
    const { cert, key } = makeAuthority('Nobody');
    const serve = async (options: object) => {
      world.leads.tls = await listen(createTls({ cert, key, ...options }));
    };
    await serve({});
    expect(await (await pending('tls-alpn-01')).outcome()).toBe('unauthorized');
    await serve({ ALPNProtocols: ['h2'] });
    expect(await (await pending('tls-alpn-01')).outcome()).toBe('tls');
    await serve({ ALPNProtocols: ['acme-tls/1'] });
    expect(await (await pending('tls-alpn-01')).outcome()).toBe('unauthorized');
    const one = await pending('tls-alpn-01');
    world.leads.tls = world.challenges.tlsPort;
    await world.challenges.tell('add-tlsalpn01', { host: one.name, content: `${one.content}x` });
    expect(await one.outcome()).toBe('unauthorized');
  });

  it('reads no certificate that is larger than a proof', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const shown = async (padding: number) => {
      const one = await pending('tls-alpn-01');
      const digest = createHash('sha256').update(one.content).digest('hex');
      const made = openssl(
        [
          ...['req', '-x509', '-key', 'own.key', '-out', 'proof.pem', '-subj', '/CN=proof'],
          ...['-addext', `subjectAltName=DNS:${one.name}`],
          ...['-addext', `1.3.6.1.5.5.7.1.31=critical,DER:0420${digest}`],
          ...['-addext', `1.2.3.4=DER:${'00'.repeat(padding)}`],
        ],
        { 'own.key': key },
      );
      const cert = made.file('proof.pem');
      world.leads.tls = await listen(createTls({ cert, key, ALPNProtocols: ['acme-tls/1'] }));
      return one.outcome();
    };
    expect(await shown(10)).toBe('valid');
    expect(await shown(4_096)).toBe('unauthorized');
  });

  it('is not blocked by servers without TLS', async () => {
    world.leads.tls = await listen(
      createTcp((socket) => socket.on('error', () => undefined).end('HTTP/1.1 400\r\n\r\n')),
    );
    expect(await (await pending('tls-alpn-01')).outcome()).toBe('tls');
  });
});

describe.skipIf(challengeServer.isMissing)(`a name${challengeServer.orSkipped}`, () => {
  it('with one private address is rejected, unless the operator permits it', async () => {
    const { challenges } = world;
    const outbound = createOutbound({ allow: parseCidrs('127.0.0.1'), nameServers: [challenges.nameServer] });
    const strict = await acmeWorld({ connect: outbound.connect, names: outbound.names });
    try {
      const other = await AcmeClient.withAccount(strict, await strict.profile({ skipEabBinding: true }));
      const own = [client, world] as const;
      [client, world] = [other, strict];
      try {
        for (const address of ['10.0.0.1', '169.254.169.254', '192.168.1.1', '127.0.0.2', '100.64.0.1']) {
          const one = await pending('http-01');
          await challenges.tell('add-a', { host: `${one.name}.`, addresses: [address] });
          expect([address, await one.outcome()]).toEqual([address, 'connection']);
          expect(await one.reason()).toBe('The server could not be reached, or may not be called');
        }
      } finally {
        [client, world] = own;
      }
    } finally {
      await strict.close();
      await outbound.close();
    }
  });
});

const digestOf = async (text: string) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('base64url');
