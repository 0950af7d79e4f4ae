// @long: runs programs
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { challengeServer, debianProgram, freePorts, temporaryDirectory } from '@coffer/domain/testing';
import acme from 'acme-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { acmeWorld, type AcmeWorld } from '../../harness/acme.ts';
import { ok } from '../../harness/groups.ts';

// Real clients against a listening server. Its names resolve to where the clients serve their proofs.

// They wait between looks, and make RSA keys.
vi.setConfig({ testTimeout: 120_000 });

const run = promisify(execFile);
const certbot = debianProgram('/usr/bin/certbot', 'certbot');
const lego = debianProgram('/usr/bin/lego', 'lego');
const isMissing = challengeServer.isMissing || certbot.isMissing || lego.isMissing;
const why = [challengeServer, certbot, lego].find((one) => one.isMissing)?.orSkipped ?? '';

let world: AcmeWorld;
let directory: string;
let directoryUrl: string;
let eab: { eabKid: string; eabSecret: string };
beforeAll(async () => {
  if (isMissing) return;
  const [port] = (await freePorts(1)) as [number];
  world = await acmeWorld({ settings: { siteUrl: `http://127.0.0.1:${port}`, maxLeases: 1 } });
  await world.test.app.listen({ host: '127.0.0.1', port });
  await world.work();
  const profileId = await world.profile();
  directoryUrl = `http://127.0.0.1:${port}/api/v1/cert-manager/acme/${profileId}/directory`;
  eab = await ok(
    world.test.admin('GET', `/api/v1/cert-manager/certificate-profiles/${profileId}/acme/eab-secret/reveal`),
  );
  directory = await temporaryDirectory('acme');
});
afterAll(async () => {
  await world?.close();
  if (directory) await rm(directory, { recursive: true, force: true });
});

/** What the server has of a certificate. */
async function stored(pem: string): Promise<{ status: string; source: string; names: { value: string }[] }> {
  const { fingerprint256 } = new X509Certificate(pem);
  const { rows } = await world.test.coffer.pool.query(
    `select status, source, names, renewed_from_id as "renewedFromId" from certificates where fingerprint_sha256 = decode($1, 'hex')`,
    [fingerprint256.replaceAll(':', '')],
  );
  return rows[0];
}

const leafOf = (pem: string) => `${pem.split('-----END CERTIFICATE-----')[0]}-----END CERTIFICATE-----\n`;

/** The chain, as OpenSSL sees it, up to the root of the test. */
async function requireChain(fullchain: string, name: string): Promise<X509Certificate> {
  const body = await ok(world.test.admin('GET', `/api/v1/cert-manager/ca/internal/${world.caId}/certificate`));
  const [leaf, root] = [join(directory, 'leaf.pem'), join(directory, 'root.pem')];
  await writeFile(leaf, fullchain);
  await writeFile(root, body.certificate);
  const args = ['verify', '-x509_strict', '-purpose', 'sslserver', '-verify_hostname', name, '-CAfile', root, leaf];
  const { stdout } = await run('openssl', args);
  expect(stdout).toBe(`${leaf}: OK\n`);
  return new X509Certificate(leafOf(fullchain));
}

describe.skipIf(isMissing)(`certbot${why}`, () => {
  const bot = async (...args: string[]) => {
    const at = join(directory, 'certbot');
    const where = ['config', 'work', 'logs'].flatMap((kind) => [`--${kind}-dir`, join(at, kind)]);
    const common = ['--non-interactive', '--server', directoryUrl, ...where];
    return run('/usr/bin/certbot', [...args, ...common]);
  };
  const manage = () => world.challenges.managementUrl;
  /** As people write them for their name servers. */
  const hooks = async () => {
    const at = join(directory, 'hooks');
    await mkdir(at, { recursive: true });
    const write = async (name: string, ...lines: string[]) => {
      await writeFile(join(at, name), ['#!/bin/sh', 'set -e', ...lines, ''].join('\n'), { mode: 0o755 });
      return join(at, name);
    };
    return {
      http: await write(
        'http',
        `exec curl -fsS -d '{"token":"'"$CERTBOT_TOKEN"'","content":"'"$CERTBOT_VALIDATION"'"}' ${manage()}/add-http01`,
      ),
      dns: await write(
        'dns',
        `exec curl -fsS -d '{"host":"_acme-challenge.'"$CERTBOT_DOMAIN"'.","value":"'"$CERTBOT_VALIDATION"'"}' ${manage()}/set-txt`,
      ),
    };
  };
  const live = (name: string, file = 'fullchain.pem') =>
    readFile(join(directory, 'certbot/config/live', name, file), 'utf8');

  it('registers with the external key, obtains by http-01, renews and revokes', async () => {
    const { http } = await hooks();
    await bot(
      ...['register', '--agree-tos', '--email', 'ops@example.com'],
      ...['--eab-kid', eab.eabKid, '--eab-hmac-key', eab.eabSecret],
    );
    const names = ['certbot.example.com', 'www.certbot.example.com'];
    const manual = ['--manual', '--preferred-challenges', 'http', '--manual-auth-hook', http];
    await bot('certonly', ...manual, '--cert-name', 'one', ...names.flatMap((name) => ['-d', name]));
    const first = await live('one');
    const certificate = await requireChain(first, names[1]!);
    expect(certificate.subjectAltName).toBe('DNS:certbot.example.com, DNS:www.certbot.example.com');
    await bot('renew', '--cert-name', 'one', '--force-renewal', '--no-random-sleep-on-renew');
    const second = await live('one');
    expect((await requireChain(second, names[0]!)).serialNumber).not.toBe(certificate.serialNumber);
    const path = join(directory, 'certbot/config/live/one/cert.pem');
    await bot('revoke', '--cert-path', path, '--reason', 'keycompromise', '--no-delete-after-revoke');
    expect(await stored(leafOf(second))).toMatchObject({ status: 'revoked', source: 'acme' });
    expect(await stored(leafOf(first))).toMatchObject({ status: 'active' });
    await bot('update_account', '--email', 'others@example.com');
    await bot('unregister');
  });

  it('obtains for a wildcard by dns-01, and revokes with the key of the certificate', async () => {
    const { dns } = await hooks();
    const manual = ['--manual', '--preferred-challenges', 'dns', '--manual-auth-hook', dns];
    await bot(
      ...['certonly', ...manual, '--cert-name', 'wild', '-d', '*.wild.example.com', '--agree-tos'],
      ...['--register-unsafely-without-email', '--key-type', 'rsa'],
      ...['--eab-kid', eab.eabKid, '--eab-hmac-key', eab.eabSecret],
    );
    const pem = await live('wild');
    await requireChain(pem, 'any.wild.example.com');
    const at = join(directory, 'certbot/config/live/wild');
    const files = ['--cert-path', join(at, 'cert.pem'), '--key-path', join(at, 'privkey.pem')];
    await bot('revoke', ...files, '--reason', 'superseded', '--no-delete-after-revoke');
    expect(await stored(leafOf(pem))).toMatchObject({ status: 'revoked' });
  });
});

describe.skipIf(isMissing)(`lego${why}`, () => {
  const go = (args: readonly string[], env: Record<string, string> = {}) =>
    run(
      '/usr/bin/lego',
      [
        ...['--server', directoryUrl, '--accept-tos', '--path', join(directory, 'lego'), '--email', 'ops@example.com'],
        ...['--eab', '--kid', eab.eabKid, '--hmac', eab.eabSecret, ...args],
      ],
      { env: { ...process.env, ...env } },
    );
  const read = (name: string) => readFile(join(directory, 'lego/certificates', `${name}.crt`), 'utf8');

  async function cycle(name: string, args: readonly string[], env?: Record<string, string>): Promise<unknown> {
    const all = [...args, '--domains', name];
    await go([...all, 'run'], env);
    const first = await read(name.replace('*', '_'));
    const certificate = await requireChain(first, name.replace('*', 'any'));
    expect(certificate.subjectAltName).toBe(`DNS:${name}`);
    await go([...all, 'renew', '--days', '365', '--no-random-sleep'], env);
    const second = await read(name.replace('*', '_'));
    expect((await requireChain(second, name.replace('*', 'any'))).serialNumber).not.toBe(certificate.serialNumber);
    await go([...all, 'revoke', '--keep'], env);
    return stored(leafOf(second));
  }
  const REVOKED = { status: 'revoked', source: 'acme' };

  /** Where its own server listens is where the names' ports lead. */
  async function leading<T>(kind: 'http' | 'tls', work: (address: string) => Promise<T>): Promise<T> {
    const before = world.leads[kind];
    const [port] = (await freePorts(1)) as [number];
    world.leads[kind] = port;
    try {
      return await work(`127.0.0.1:${port}`);
    } finally {
      world.leads[kind] = before;
    }
  }

  it('obtains, renews and revokes by http-01, with its own web server', async () => {
    const one = leading('http', (address) => cycle('http.lego.example.com', ['--http', '--http.port', address]));
    expect(await one).toMatchObject(REVOKED);
  });

  it('obtains, renews and revokes by tls-alpn-01, with its own server', async () => {
    const one = leading('tls', (address) =>
      cycle('tls.lego.example.com', ['--tls', '--tls.port', address, '--key-type', 'rsa2048']),
    );
    expect(await one).toMatchObject(REVOKED);
  });

  it('obtains, renews and revokes a wildcard by dns-01', async () => {
    const bridge = await dnsBridge();
    try {
      const { port } = bridge.address() as AddressInfo;
      const dns = ['--dns', 'httpreq', '--dns.disable-cp', '--dns.resolvers', world.challenges.nameServer];
      const env = { HTTPREQ_ENDPOINT: `http://127.0.0.1:${port}` };
      expect(await cycle('*.dns.lego.example.com', dns, env)).toMatchObject(REVOKED);
    } finally {
      bridge.close();
    }
  });
});

/** The requests of lego's provider `httpreq`, forwarded to the challenge server. */
async function dnsBridge(): Promise<Server> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { fqdn, value } = (await json(request)) as { fqdn: string; value: string };
    if (request.url === '/present') await world.challenges.tell('set-txt', { host: fqdn, value });
    else await world.challenges.tell('clear-txt', { host: fqdn });
    response.end();
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe.skipIf(challengeServer.isMissing)(`acme-client${challengeServer.orSkipped}`, () => {
  it.each(['http-01', 'dns-01', 'tls-alpn-01'])('obtains, renews and revokes by %s', async (type) => {
    const client = new acme.Client({
      directoryUrl,
      accountKey: await acme.crypto.createPrivateKey(),
      externalAccountBinding: { kid: eab.eabKid, hmacKey: eab.eabSecret },
    });
    const name = `${type}.client.example.com`;
    const [, csr] = await acme.crypto.createCsr({ commonName: name, altNames: [name] });
    const { challenges } = world;
    const obtain = () =>
      client.auto({
        csr,
        email: 'ops@example.com',
        termsOfServiceAgreed: true,
        skipChallengeVerification: true,
        challengePriority: [type],
        challengeCreateFn: async ({ identifier: { value: host } }, { token }, content) => {
          if (type === 'http-01') await challenges.tell('add-http01', { token, content });
          else if (type === 'dns-01')
            await challenges.tell('set-txt', { host: `_acme-challenge.${host}.`, value: content });
          else await challenges.tell('add-tlsalpn01', { host, content });
        },
        challengeRemoveFn: () => Promise.resolve(),
      });
    const first = await obtain();
    const certificate = await requireChain(first, name);
    const second = await obtain();
    expect((await requireChain(second, name)).serialNumber).not.toBe(certificate.serialNumber);
    await client.revokeCertificate(leafOf(first), JSON.parse('{"reason":4}') as object);
    expect(await stored(leafOf(first))).toMatchObject({ status: 'revoked' });
    await client.updateAccountKey(await acme.crypto.createPrivateEcdsaKey());
    await client.revokeCertificate(leafOf(second));
    expect(await stored(leafOf(second))).toMatchObject({ status: 'revoked' });
  });
});
