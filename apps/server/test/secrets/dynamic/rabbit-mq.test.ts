import { createOutbound, parseCidrs } from '@coffer/domain';
import {
  makeAuthority,
  openGate,
  rabbitmq,
  RABBITMQ_MANAGER,
  startRabbitMq,
  type Gate,
  type RabbitMq,
  type TargetCase,
} from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  describeDynamicProvider,
  describeTarget,
  dynamicSecretsOf,
  sentInGuide,
} from '../../harness/dynamic-secret.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

describe.skipIf(rabbitmq.isMissing)(`users of a RabbitMQ${rabbitmq.orSkipped}`, () => {
  let target: RabbitMq;
  let gate: Gate;
  let test: TestServer;
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
  beforeAll(async () => {
    target = await startRabbitMq();
    gate = await openGate({ port: target.port });
    test = await testServer({ fetch: outbound.fetch });
  });
  afterAll(async () => {
    await test.close();
    await gate.close();
    await outbound.close();
    await target.stop();
  });

  const permissions = { read: '^app-', write: '^app-', configure: '^app-' };
  const inputs = () => ({
    host: `http://${gate.host}`,
    port: gate.port,
    tags: ['management', 'policymaker'],
    ...RABBITMQ_MANAGER,
    virtualHost: { name: '/', permissions },
  });
  const login = (data: Record<string, string>) => ({ username: data['DB_USERNAME']!, password: data['DB_PASSWORD']! });
  async function works(data: Record<string, string>): Promise<boolean> {
    const session = await target.logIn(login(data));
    const isAllowed = (await session?.declares('app-queue')) ?? false;
    session?.close();
    return isAllowed;
  }
  const broker: TargetCase = {
    type: 'rabbit-mq',
    inputs,
    wrong: () => ({ ...inputs(), password: 'not the password' }),
    elsewhere: () => ({ host: 'http://localhost', port: 1, ca: makeAuthority('RabbitMQ').cert }),
    weaker: ({ DB_USERNAME, DB_PASSWORD }) => ({ username: DB_USERNAME, password: DB_PASSWORD }),
    sealed: ['password'],
    works,
    outage: { begin: () => gate.shut(), end: () => gate.open() },
  };

  const { made, refused, unmade } = dynamicSecretsOf(() => test, 'rabbit-mq', inputs);

  describeDynamicProvider(() => test, broker);
  describeTarget(() => test, broker);

  it('are leased as the guide has it', async () => {
    const [sent] = sentInGuide('RabbitMQ') as [{ provider: { inputs: object } }];
    const one = await made({
      ...sent.provider.inputs,
      host: `http://${gate.host}`,
      port: gate.port,
      ...RABBITMQ_MANAGER,
    });
    const { data, lease } = (await one.lease()).body;
    expect(await target.logIn(login(data)).then((session) => (session?.close(), session !== undefined))).toBe(true);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await target.logIn(login(data)).then((session) => (session?.close(), session !== undefined))).toBe(false);
  });

  it('end with their expiry or revocation, and so do their open sessions', async () => {
    const one = await made();
    const { data, lease } = (await one.lease({ ttl: '1m' })).body;
    const session = (await target.logIn(login(data)))!;
    test.advance(60_000);
    await one.reap(lease.id);
    await session.ended;
    const another = (await one.lease()).body;
    const other = (await target.logIn(login(another.data)))!;
    expect((await one.revoke(another.lease.id)).status).toBe(200);
    await other.ended;
    expect([await works(data), await works(another.data)]).toEqual([false, false]);
  });

  it('have their tags, and the configured permissions in one virtual host and nothing else', async () => {
    await target.manage('PUT', `vhosts/${encodeURIComponent('shop / 100%')}`);
    const one = await made({ virtualHost: { name: 'shop / 100%', permissions } });
    const { data, lease } = (await one.lease()).body;
    expect((await target.manage('GET', `users/${data.DB_USERNAME}`)).body).toMatchObject({
      tags: ['management', 'policymaker'],
    });
    expect(await target.logIn(login(data), '/')).toBeUndefined();
    const session = (await target.logIn(login(data), 'shop / 100%'))!;
    expect([await session.declares('app-one'), await session.declares('other')]).toEqual([true, false]);
    session.close();
    expect((await one.revoke(lease.id)).status).toBe(200);
  });

  it('are revoked if their permissions could not be granted', async () => {
    const before = (await target.manage('GET', 'users')).body as unknown[];
    const one = await made({ virtualHost: { name: '/', permissions: { ...permissions, read: '(' } } });
    const { status, body } = await one.lease();
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^127\.0\.0\.1:\d+ reports: 400 /)]);
    expect((await target.manage('GET', 'users')).body).toHaveLength(before.length);
    await one.reapFailed();
  });

  it('are revoked without an error if they were already removed', async () => {
    const one = await made();
    const { data, lease } = (await one.lease()).body;
    await target.manage('DELETE', `users/${data.DB_USERNAME}`);
    expect((await one.revoke(lease.id)).status).toBe(200);
  });

  it('are created with TLS if a root is configured, and then never in plaintext', async () => {
    const { ca, securePort: port } = target;
    for (const host of ['https://127.0.0.1/', '127.0.0.1']) {
      const one = await made({ host, port, ca });
      const { data, lease } = (await one.lease()).body;
      expect(await works(data)).toBe(true);
      expect((await one.revoke(lease.id)).status).toBe(200);
    }
    expect(await refused({ host: '127.0.0.1', ca })).toMatch(/fails the TLS handshake|closed the connection/);
    expect(await refused({ host: 'http://127.0.0.1', port, ca })).toBe(
      'ca requires https://, but host begins with http://',
    );
    const untrusted = '127.0.0.1 presents a certificate that is not trusted';
    expect(await refused({ host: '127.0.0.1', port, ca: makeAuthority('Broker root').cert })).toBe(untrusted);
    expect(await refused({ host: '127.0.0.1', port })).toBe(untrusted);
    expect(await refused({ host: 'localhost', port, ca })).toBe('localhost presents a certificate for another name');
  });

  it('use HTTPS unless the host has another scheme, and never fall back to plaintext', async () => {
    expect(await refused({ host: '127.0.0.1' })).toMatch(/fails the TLS handshake|closed the connection/);
  });

  it('need an account that may create them, and an existing virtual host', async () => {
    await target.manage('PUT', 'users/guest-of-all', { password: 'a password', tags: 'management' });
    expect(await refused({ username: 'guest-of-all', password: 'a password' })).toBe(
      'guest-of-all needs the tag administrator',
    );
    expect(await refused({ virtualHost: { name: 'nowhere', permissions } })).toBe(
      'The virtual host nowhere does not exist',
    );
  });

  it.each([
    [{ host: 'ftp://db' }, 422],
    [{ host: 'http://a/path' }, 422],
    [{ host: 'http://user@a' }, 422],
    [{ port: '15672' }, 422],
    [{ port: 1 }, 400],
    [{ tags: ['a,administrator'] }, 422],
    [{ tags: 'monitoring' }, 422],
    [{ ca: 'no certificate' }, 422],
    [{ virtualHost: { name: '..', permissions: { read: '', write: '', configure: '' } } }, 422],
    [{ virtualHost: { name: '/', permissions: { read: '', write: '' } } }, 422],
    [{ virtualHost: '/' }, 422],
    [{ username: 'nobody' }, 400],
  ])('are not created from inputs such as %j: %i', async (more, status) => {
    const one = await unmade();
    const answer = await one.create('rabbit-mq', { ...inputs(), ...more });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([
      status,
      expect.not.stringContaining(JSON.stringify(RABBITMQ_MANAGER.password).slice(1, -1)),
    ]);
  });
});
