import { createOutbound, parseCidrs } from '@coffer/domain';
import {
  makeAuthority,
  openGate,
  REDIS_BLIND_MANAGER,
  REDIS_MANAGER,
  redisServer,
  startRedis,
  type Gate,
  type RedisTarget,
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

describe.skipIf(redisServer.isMissing)(`users of a Redis${redisServer.orSkipped}`, () => {
  let target: RedisTarget;
  let gate: Gate;
  let test: TestServer;
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
  beforeAll(async () => {
    target = await startRedis();
    gate = await openGate({ port: target.port });
    test = await testServer({ connect: outbound.connect });
  });
  afterAll(async () => {
    await test.close();
    await gate.close();
    await outbound.close();
    await target.stop();
  });

  const inputs = () => ({
    host: gate.host,
    port: gate.port,
    ...REDIS_MANAGER,
    creationStatement: 'ACL SETUSER {{username}} on >{{password}} ~app:* resetchannels -@all +@write',
    revocationStatement: 'ACL DELUSER {{username}}',
    renewStatement: 'ACL SETUSER {{username}} on',
  });
  const login = (data: Record<string, string>) => ({ username: data['DB_USERNAME']!, password: data['DB_PASSWORD']! });
  const works = (data: Record<string, string>) => target.works(login(data));
  const redis: TargetCase = {
    type: 'redis',
    inputs,
    wrong: () => ({ ...inputs(), password: 'not the password' }),
    elsewhere: () => ({ host: 'localhost', port: 1, ca: makeAuthority('Redis').cert }),
    weaker: ({ DB_USERNAME, DB_PASSWORD }) => ({ username: DB_USERNAME, password: DB_PASSWORD }),
    sealed: ['password'],
    works,
    outage: { begin: () => gate.shut(), end: () => gate.open() },
  };

  const { made, refused, unmade } = dynamicSecretsOf(() => test, 'redis', inputs);
  const users = async () => (await target.ask('ACL', 'USERS')) as string[];

  describeDynamicProvider(() => test, redis);
  describeTarget(() => test, redis);

  it('are leased as the guide has it', async () => {
    const [sent] = sentInGuide('Redis') as [{ provider: { inputs: object } }];
    const one = await made({ ...sent.provider.inputs, host: gate.host, port: gate.port, ...REDIS_MANAGER });
    const { data, lease } = (await one.lease()).body;
    expect(await works(data)).toBe(true);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await works(data)).toBe(false);
  });

  it('end with their expiry or revocation, and so do their open sessions', async () => {
    for (const revocationStatement of ['ACL DELUSER {{username}}', 'ACL SETUSER {{username}} off']) {
      const one = await made({ revocationStatement });
      const { data, lease } = (await one.lease({ ttl: '1m' })).body;
      const session = await target.stay(login(data));
      test.advance(60_000);
      await one.reap(lease.id);
      await session.ended;
      const another = (await one.lease()).body;
      const other = await target.stay(login(another.data));
      expect((await one.revoke(another.lease.id)).status).toBe(200);
      await other.ended;
      expect([await works(data), await works(another.data)]).toEqual([false, false]);
    }
  });

  it('are created by several commands, in quotes and on several lines, with the configured name', async () => {
    const one = await made(
      {
        username: '',
        password: target.defaultPassword,
        creationStatement: `ACL SETUSER {{username}} on ">{{password}}"\n  ~app:* +@all;
          SET 'lease of {{username}}' "until {{expiration}}; not longer"; ACL SAVE;`,
        renewStatement: `SET 'lease of {{username}}' '{{expiration}}'`,
        revocationStatement: `ACL DELUSER {{username}}; DEL 'lease of {{username}}'; ACL SAVE`,
      },
      { usernameTemplate: 'app-{{random 10}}' },
    );
    const { data, lease } = (await one.lease()).body;
    expect(data.DB_USERNAME).toMatch(/^app-[a-z][a-z0-9]{9}$/);
    expect(await works(data)).toBe(true);
    const key = `lease of ${data.DB_USERNAME}`;
    expect(await target.ask('GET', key)).toBe(`until ${lease.expireAt}; not longer`);
    const renewed = (await one.renew(lease.id)).body.lease;
    expect(await target.ask('GET', key)).toBe(renewed.expireAt);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect([await works(data), await target.ask('GET', key)]).toEqual([false, null]);
  });

  it('are created by all commands or by none if one is unknown, and errors do not contain the password', async () => {
    const before = await users();
    const { creationStatement } = inputs();
    const one = await made({ creationStatement: `${creationStatement}; NONSENSE {{password}}` });
    const { status, body } = await one.lease();
    expect([status, body.message]).toEqual([400, expect.stringMatching(/unknown command.*'\[hidden\]'/)]);
    expect(await one.leases()).toEqual([]);
    const two = await made({
      creationStatement: `${creationStatement}; ACL SETUSER {{username}} ~{{password}} nonsense`,
    });
    expect((await two.lease()).body.message).toMatch(/Error in ACL SETUSER modifier 'nonsense'/);
    expect(await users()).toEqual(before);
    // An ambiguous outcome is checked once more.
    await two.reapFailed();
  });

  it('are identified by their names: a creationStatement that creates no enabled one is rejected', async () => {
    for (const creationStatement of ['ACL WHOAMI', 'ACL SETUSER {{username}} >{{password}}']) {
      const one = await made({ creationStatement });
      expect(await one.lease()).toMatchObject({
        status: 400,
        body: { message: 'The creationStatement did not create an enabled user named {{username}}' },
      });
    }
  });

  it('do not count as revoked while they can log in, and do if they are deleted', async () => {
    const one = await made({ revocationStatement: 'ACL WHOAMI' });
    const { data, lease } = (await one.lease()).body;
    expect(await one.revoke(lease.id)).toMatchObject({
      status: 400,
      body: { message: 'The revocationStatement did not delete the user' },
    });
    await target.ask('ACL', 'DELUSER', data.DB_USERNAME);
    expect((await one.revoke(lease.id)).status).toBe(200);
  });

  it('leave nothing behind in a pooled connection', async () => {
    const { creationStatement } = inputs();
    const one = await made({
      username: 'default',
      password: target.defaultPassword,
      // Logs in as a user without permissions.
      creationStatement: `${creationStatement}; SELECT 3; ACL SETUSER nobody on >nobody; AUTH nobody nobody`,
      revocationStatement: 'ACL DELUSER {{username}}; ACL DELUSER nobody',
    });
    expect((await one.lease()).body.message).toMatch(/^127\.0\.0\.1 reports: NOPERM/);
    expect((await one.update({ inputs: { creationStatement: `${creationStatement}; SELECT 3` } })).status).toBe(200);
    const before = gate.passed;
    for (let i = 0; i < 3; i++) {
      const { lease } = (await one.lease()).body;
      expect((await one.revoke(lease.id)).status).toBe(200);
    }
    expect(gate.passed - before).toBeLessThan(6);
  });

  it('are created with TLS if a root is configured, and then never in plaintext', async () => {
    const { ca, securePort: port } = target;
    const one = await made({ port, ca });
    const { data, lease } = (await one.lease()).body;
    expect(await works(data)).toBe(true);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await refused({ port, ca: makeAuthority('Redis root').cert })).toBe(
      '127.0.0.1 presents a certificate that is not trusted',
    );
    expect(await refused({ port, ca, host: 'localhost' })).toBe('localhost presents a certificate for another name');
    expect(await refused({ port })).toMatch(/closed the connection|as expected/);
  });

  it('need an account that may list them', async () => {
    expect(await refused({ ...REDIS_BLIND_MANAGER })).toMatch(/^127\.0\.0\.1 reports: NOPERM .*acl\|getuser/);
  });

  it.each([
    [{ host: 'redis://db' }, 422],
    [{ port: '6379' }, 422],
    [{ ca: 'no certificate' }, 422],
    [{ port: 1 }, 400],
    [{ username: 'nobody' }, 400],
    [{ password: null }, 400],
    [{ creationStatement: ' ; ' }, 400],
    [{ creationStatement: 'ACL SETUSER {{user}}' }, 400],
    [{ creationStatement: 'ACL SETUSER "{{username}}' }, 400],
    [{ creationStatement: '{{username}}' }, 400],
    [{ creationStatement: '' }, 422],
    [{ revocationStatement: 'ACL DELUSER {{username}} {{password}}' }, 400],
    [{ revocationStatement: 'a\0b' }, 422],
  ])('are not created from inputs such as %j: %i', async (more, status) => {
    const one = await unmade();
    const answer = await one.create('redis', { ...inputs(), ...more });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([
      status,
      expect.not.stringContaining(REDIS_MANAGER.password),
    ]);
  });
});
