import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createOutbound, parseCidrs } from '@coffer/domain';
import { atSshWork, freePorts, SshStandIn } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefused, ok } from '../harness/groups.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const PATH = '/api/v1/app-connections/ssh';
const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
let test: TestServer;
let server: SshStandIn;
let other: SshStandIn;
let number = 0;
beforeAll(async () => {
  test = await testServer({ connect: outbound.connect });
  [server, other] = [await SshStandIn.start(), await SshStandIn.start()];
  for (const one of [server, other]) one.accounts.set('root', { password: 'of root' });
});
afterAll(async () => {
  await test.close();
  await server.stop();
  await other.stop();
  await outbound.close();
});

const at = ({ port }: { port: number }) => ({ host: '127.0.0.1', port, username: 'root' });
const create = (method: string, credentials: object) =>
  test.admin('POST', PATH, { name: `ssh-${++number}`, method, credentials });
const update = (id: string, credentials: object) => test.admin('PATCH', `${PATH}/${id}`, { credentials });
const checkOf = (id: string) => test.admin('GET', `${PATH}/${id}`);

/** A key pair as `ssh-keygen` makes it. */
const keyPair = (type: string, ...options: string[]): Promise<{ privateKey: string; publicKey: string }> =>
  atSshWork(async ({ path, keygen }) => {
    await keygen('-q', '-t', type, '-f', 'key', ...(options.includes('-N') ? [] : ['-N', '']), ...options);
    const publicKey = await readFile(join(path, 'key.pub'), 'utf8');
    return { privateKey: await readFile(join(path, 'key'), 'utf8'), publicKey: publicKey.split(' ', 2).join(' ') };
  });

describe('a connection by SSH', () => {
  it('stores the host key that the server presents, and shows it', async () => {
    const { appConnection } = await ok(create('password', { ...at(server), password: 'of root' }));
    expect(appConnection.credentials).toEqual({ ...at(server), hostKey: server.hostKey });
  });

  it('sends a password to no server with another key, now and later', async () => {
    const pinned = { ...at(server), password: 'of root', hostKey: other.hostKey };
    await expectRefused(create('password', pinned), 400, 'another host key');
    const { appConnection } = await ok(create('password', { ...pinned, hostKey: `${server.hostKey} of the server` }));
    const changed = { hostKey: other.hostKey, password: 'of root' };
    await expectRefused(update(appConnection.id, changed), 400, 'another host key');
    await expectRefused(update(appConnection.id, { hostKey: other.hostKey }), 400, 'Send password again');
  });

  it('stores the key of another server, with the password given again', async () => {
    const { appConnection } = await ok(create('password', { ...at(server), password: 'of root' }));
    const moved = { port: other.port };
    await expectRefused(update(appConnection.id, moved), 400, 'Send password again');
    await ok(update(appConnection.id, { ...moved, password: 'of root' }));
    expect((await ok(checkOf(appConnection.id))).appConnection.credentials).toEqual({
      ...at(other),
      hostKey: other.hostKey,
    });
  });

  it.each([
    ['ed25519', []],
    ['ecdsa', ['-b', '384']],
    ['rsa', ['-b', '2048']],
    ['rsa', ['-b', '2048', '-m', 'PEM']],
    ['ecdsa', ['-m', 'PKCS8']],
  ])('logs in with a key of %s %j', async (type, options) => {
    const { privateKey, publicKey } = await keyPair(type, ...options);
    server.accounts.set('deploy', { password: 'none', publicKey });
    const credentials = { ...at(server), username: 'deploy', privateKey };
    const { appConnection } = await ok(create('ssh-key', credentials));
    expect(JSON.stringify(appConnection)).not.toContain('PRIVATE KEY');
    server.accounts.set('deploy', { password: 'none' });
    const { status, body } = await create('ssh-key', credentials);
    expect([status, body.message]).toEqual([400, expect.stringContaining('the login is not accepted')]);
  });

  it('takes no key with a passphrase or on another curve, and nothing that is no key', async () => {
    const { privateKey } = await keyPair('ed25519', '-N', 'secret');
    const { privateKey: p521 } = await keyPair('ecdsa', '-b', '521', '-m', 'PEM');
    for (const key of [privateKey, p521, 'nothing', (await keyPair('ed25519')).publicKey])
      expect((await create('ssh-key', { ...at(server), privateKey: key })).status).toBe(422);
    const plain = { ...at(server), privateKey: (await keyPair('ed25519')).privateKey };
    expect((await create('ssh-key', { ...plain, passphrase: 'secret' })).status).toBe(422);
  });

  it('answers the question for a password of servers that only ask', async () => {
    server.isInteractive = true;
    await ok(create('password', { ...at(server), password: 'of root' }));
    await expectRefused(create('password', { ...at(server), password: 'another' }), 400, 'not accepted');
    server.isInteractive = false;
  });

  it.each(['', 'HTTP/1.1 400 Bad Request\r\n\r\n', `SSH-2.0-x\r\n${'\0'.repeat(64)}`, 'x'.repeat(100_000)])(
    'is not made to what does not speak SSH',
    async (greeting) => {
      const [port = 0] = await freePorts(1);
      const speaker = createServer((socket) => socket.on('error', () => undefined).end(greeting)).listen(
        port,
        '127.0.0.1',
      );
      const { status, body } = await create('password', { ...at({ port }), password: 'of root' });
      speaker.close();
      expect([status, body.message]).toEqual([400, expect.stringContaining('127.0.0.1')]);
    },
  );
});
