import { createOutbound, parseCidrs } from '@coffer/domain';
import {
  CassandraStandIn,
  freePorts,
  makeAuthority,
  openGate,
  type Gate,
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

const CREATE = `create role '{{username}}' with password = '{{password}}' and login = true`;

describe('roles of a Cassandra', () => {
  let target: CassandraStandIn;
  let secure: CassandraStandIn;
  let gate: Gate;
  let test: TestServer;
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
  beforeAll(async () => {
    [target, secure] = [await CassandraStandIn.start(), await CassandraStandIn.start({ isSecure: true })];
    for (const one of [target, secure]) one.add('keeper', 'keeps roles', { isSuperuser: true });
    target.add('nobody', 'keeps roles');
    gate = await openGate({ port: target.port });
    test = await testServer({ connect: outbound.connect });
  });
  afterAll(async () => {
    await test.close();
    await gate.close();
    await outbound.close();
    await target.stop();
    await secure.stop();
  });

  const inputs = () => ({
    ...{
      host: gate.host,
      port: gate.port,
      localDataCenter: 'datacenter1',
      username: 'keeper',
      password: 'keeps roles',
    },
    creationStatement: CREATE,
    revocationStatement: `drop role if exists '{{username}}'`,
  });
  const works = async (data: Record<string, string>) => target.logsIn(data['DB_USERNAME']!, data['DB_PASSWORD']!);
  const cassandra: TargetCase = {
    type: 'cassandra',
    inputs,
    wrong: () => ({ ...inputs(), password: 'not the password' }),
    elsewhere: () => ({ host: 'localhost', port: 1, ca: makeAuthority('Cassandra').cert }),
    weaker: ({ DB_USERNAME, DB_PASSWORD }) => ({ username: DB_USERNAME, password: DB_PASSWORD }),
    sealed: ['password'],
    works,
    outage: { begin: () => gate.shut(), end: () => gate.open() },
  };
  const { made, refused } = dynamicSecretsOf(() => test, 'cassandra', inputs);

  describeDynamicProvider(() => test, cassandra);
  describeTarget(() => test, cassandra);

  it('are leased as the guide has it', async () => {
    const [sent] = sentInGuide('Cassandra') as [{ provider: { inputs: object } }];
    const { host, port, username, password } = inputs();
    const one = await made({ ...sent.provider.inputs, host, port, username, password });
    const { data, lease } = (await one.lease()).body;
    expect([await works(data), target.roles.get(data.DB_USERNAME)!.grants]).toEqual([true, ['shop']]);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await works(data)).toBe(false);
  });

  it('are quoted in every place, and statements are divided only between them', async () => {
    for (const creationStatement of [
      `create role {{username}} with password = {{password}} and login = true;;`,
      `create role "{{username}}" with password = '{{password}}' and login = true; grant select on keyspace {{keyspace}} to {{username}}; -- end`,
    ]) {
      const one = await made({ creationStatement, keyspace: 'shop' });
      target.warns = true;
      const { data, lease } = (await one.lease()).body;
      target.warns = false;
      expect(await works(data)).toBe(true);
      expect((await one.revoke(lease.id)).status).toBe(200);
    }
  });

  it('are revoked where a later statement fails, and errors do not contain the password', async () => {
    const before = new Set(target.roles.keys());
    const one = await made({
      creationStatement: `${CREATE}; grant select on keyspace "{{password}}" to '{{username}}'`,
    });
    const { status, body } = await one.lease();
    expect([status, body.message]).toEqual([400, "127.0.0.1 reports: Resource <keyspace [hidden]> doesn't exist"]);
    await one.reapFailed();
    expect(new Set(target.roles.keys())).toEqual(before);
    const none = await made({ creationStatement: `drop role if exists 'none'` });
    expect((await none.lease()).body.message).toBe(
      'The creationStatement did not create a role with LOGIN named {{username}}',
    );
  });

  it('do not count as revoked while they can log in', async () => {
    const one = await made({ revocationStatement: `drop role if exists 'none'` });
    const { data, lease } = (await one.lease()).body;
    expect(await one.revoke(lease.id)).toMatchObject({
      status: 400,
      body: { message: 'The revocationStatement did not delete the role' },
    });
    const lock = 'alter role {{username}} with login = false';
    expect((await one.update({ inputs: { revocationStatement: lock } })).status).toBe(200);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await works(data)).toBe(false);
  });

  it('are made at the first node that answers, in the right data center', async () => {
    const [closed = 0] = await freePorts(1);
    expect(await refused({ host: '127.0.0.1,127.0.0.2', port: closed })).toMatch(/^127\.0\.0\.2 /);
    const one = await made({ host: `127.0.0.2,${gate.host}` });
    expect((await one.lease()).status).toBe(200);
    expect(await refused({ localDataCenter: 'eu' })).toBe(
      '127.0.0.1 reports: it is in the data center datacenter1, and localDataCenter is eu',
    );
    expect(await refused({ keyspace: 'nothing' })).toMatch(/Keyspace 'nothing' does not exist/);
  });

  it('are created with TLS if a root is configured, and then never in plaintext', async () => {
    const at = { port: secure.port, ca: secure.authority.cert };
    const one = await made(at);
    const { data, lease } = (await one.lease()).body;
    expect(secure.logsIn(data.DB_USERNAME, data.DB_PASSWORD)).toBe(true);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await refused({ ...at, ca: makeAuthority('Another').cert })).toBe(
      '127.0.0.1 presents a certificate that is not trusted',
    );
    expect(await refused({ ca: at.ca })).toMatch(/^127\.0\.0\.1 /);
  });

  it('need an account that may make them', async () => {
    const one = await made({ username: 'nobody' });
    expect((await one.lease()).body.message).toMatch(/User has no CREATE permission/);
  });

  it.each([
    { code: 0x1001, message: 'Server is overloaded' },
    { code: 0x1100, message: 'Operation timed out' },
    Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
    Buffer.of(0x84, 0, 0, 0, 8, 0x7f, 0xff, 0xff, 0xff),
    Buffer.of(0x84, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 2, 0, 0, 0, 0),
    Buffer.of(0x84, 8, 0, 0, 8, 0, 0, 0, 2, 0xff, 0xff),
    Buffer.of(0x84, 0, 0, 1, 8, 0, 0, 0, 4, 0, 0, 0, 1),
    Buffer.of(0x84, 0, 0, 0, 2, 0, 0, 0, 0),
    Buffer.of(0x84, 0, 0, 0, 8, 0, 0, 0, 4, 0, 0, 0, 1, 0),
  ])('are not made, or made again, where the node answers %j', async (accident) => {
    const one = await made();
    target.accident = (cql) => (cql.startsWith('create role') ? accident : undefined);
    const { status, body } = await one.lease();
    target.accident = undefined;
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^127\.0\.0\.1 /)]);
    await one.reapFailed().catch(() => undefined);
    expect((await one.lease()).status).toBe(200);
  });
});
