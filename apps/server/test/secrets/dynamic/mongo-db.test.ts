import { createOutbound, parseCidrs } from '@coffer/domain';
import { makeAuthority, MongoStandIn, openGate, type Gate, type TargetCase } from '@coffer/domain/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  describeDynamicProvider,
  describeTarget,
  dynamicSecretsOf,
  sentInGuide,
} from '../../harness/dynamic-secret.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let mongo: MongoStandIn;
let secure: MongoStandIn;
let gate: Gate;
const root = makeAuthority('Databases');
const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });

beforeAll(async () => {
  test = await testServer({ connect: outbound.connect });
  mongo = await MongoStandIn.start();
  secure = await MongoStandIn.start(root.issue('127.0.0.1'));
  gate = await openGate({ port: mongo.port });
});
afterAll(async () => {
  await test.close();
  await gate.close();
  await mongo.close();
  await secure.close();
  await outbound.close();
});
afterEach(() => {
  mongo.primary = undefined;
  mongo.fault = () => undefined;
  mongo.mechanisms = ['SCRAM-SHA-1', 'SCRAM-SHA-256'];
  mongo.serverFinal = (signature) => `v=${signature}`;
  mongo.iterations = (given) => given;
  mongo.nonce = (given) => given;
  mongo.skipsEmptyExchange = true;
  mongo.hasChecksums = false;
});

const PASSWORD = 'keeps users';
const inputs = () => ({
  host: gate.host,
  port: gate.port,
  username: 'keeper',
  password: PASSWORD,
  database: 'shop',
  roles: ['readWrite', 'dbAdmin'],
});
const loginOf = (data: Record<string, string>) => ({
  database: 'shop',
  username: data['DB_USERNAME']!,
  password: data['DB_PASSWORD']!,
});

const mongoDb: TargetCase = {
  type: 'mongo-db',
  inputs,
  wrong: () => ({ ...inputs(), password: 'not the password' }),
  elsewhere: () => ({ host: 'localhost', port: 1, ca: root.cert }),
  weaker: ({ DB_USERNAME, DB_PASSWORD }) => ({ username: DB_USERNAME, password: DB_PASSWORD }),
  sealed: ['password'],
  works: (data) => mongo.logsIn(loginOf(data)),
  outage: { begin: () => gate.shut(), end: () => gate.open() },
};

const { made, unmade } = dynamicSecretsOf(() => test, 'mongo-db', inputs);

describe('users of a MongoDB', () => {
  describeDynamicProvider(() => test, mongoDb);
  describeTarget(() => test, mongoDb);

  it('have the requested roles, and their expiry', async () => {
    const one = await made({}, { usernameTemplate: '{{identity.name}}.{{random 12}}' });
    const { lease, data } = (await one.lease()).body;
    expect(data.DB_USERNAME).toMatch(/^machine\.[a-z0-9]{12}$/);
    const user = mongo.users.get(`shop.${data.DB_USERNAME}`)!;
    expect(user).toMatchObject({
      roles: ['readWrite', 'dbAdmin'],
      customData: { madeBy: 'coffer', expireAt: new Date(lease.expireAt) },
    });
    const renewed = (await one.renew(lease.id)).body.lease;
    expect(user.customData!['expireAt']).toEqual(new Date(renewed.expireAt));
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(mongo.users.has(`shop.${data.DB_USERNAME}`)).toBe(false);
  });

  it('are created on connections in sequence, with one login per connection', async () => {
    const one = await made();
    const before = gate.passed;
    for (let i = 0; i < 3; i++) {
      const { lease } = (await one.lease()).body;
      expect((await one.revoke(lease.id)).status).toBe(200);
    }
    expect(gate.passed - before).toBeLessThan(4);
  });

  it('are revoked without an error if they were already dropped; a renewal reports that they no longer exist', async () => {
    const one = await made();
    const { lease, data } = (await one.lease()).body;
    mongo.users.delete(`shop.${data.DB_USERNAME}`);
    expect(await one.renew(lease.id)).toMatchObject({
      status: 400,
      body: { message: `127.0.0.1 reports: UserNotFound: User '${data.DB_USERNAME}@shop' not found` },
    });
    expect((await one.revoke(lease.id)).status).toBe(200);
  });

  it('are created over TLS if a root is configured, and only that root is trusted', async () => {
    const target = { port: secure.port, host: '127.0.0.1' };
    const one = await made({ ...target, ca: root.cert });
    const { lease, data } = (await one.lease()).body;
    expect(await secure.logsIn({ ...loginOf(data), ca: root.cert })).toBe(true);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await secure.logsIn({ ...loginOf(data), ca: root.cert })).toBe(false);
    const ca = makeAuthority('Databases').cert;
    expect(await (await unmade()).create('mongo-db', { ...inputs(), ...target, ca })).toMatchObject({
      status: 400,
      body: { message: '127.0.0.1 presents a certificate that is not trusted' },
    });
    for (const odd of [{ ...target, ca: undefined }, { ca: root.cert }])
      expect((await (await unmade()).create('mongo-db', { ...inputs(), ...odd })).status).toBe(400);
  });

  it.each([
    ['a role that is not there', { roles: ['nothing'] }, 'RoleNotFound: Could not find role: nothing@shop'],
    [
      'a role of other databases',
      { roles: ['readAnyDatabase'] },
      'RoleNotFound: Could not find role: readAnyDatabase@shop',
    ],
  ])('are not created with %s', async (_, more, words) => {
    const one = await made(more);
    expect(await one.lease()).toMatchObject({ status: 400, body: { message: `127.0.0.1 reports: ${words}` } });
    expect(await one.leases()).toEqual([]);
  });

  it('are not created without the permissions', async () => {
    mongo.add('admin', 'reader', 'reads', ['readAnyDatabase']);
    expect(
      await (await unmade()).create('mongo-db', { ...inputs(), username: 'reader', password: 'reads' }),
    ).toMatchObject({
      status: 400,
      body: { message: 'reader lacks the permission to createUser, changeCustomData, dropUser on shop of 127.0.0.1' },
    });
    mongo.add('admin', 'demoted', 'once kept users', ['userAdminAnyDatabase']);
    const one = await made({ username: 'demoted', password: 'once kept users' });
    const { roles } = mongo.users.get('admin.demoted')!;
    roles[0] = 'readAnyDatabase';
    expect((await one.lease()).body.message).toBe(
      '127.0.0.1 reports: Unauthorized: not authorized on shop to execute command { createUser: 1 }',
    );
    roles[0] = 'userAdminAnyDatabase';
    test.advance(120_000);
    for (const { id } of await one.leases()) await one.reap(id);
    expect(await one.leases()).toEqual([]);
  });

  it.each([
    ['after the command was done', 'after', 'lost', /^127\.0\.0\.1 closed the connection$/],
    ['before it was', 'before', 'lost', /^127\.0\.0\.1 closed the connection$/],
    [
      'before most members knew of it',
      'after',
      {
        ok: 1,
        writeConcernError: { code: 64, codeName: 'WriteConcernFailed', errmsg: 'waiting for replication timed out' },
      },
      /^127\.0\.0\.1 reports: WriteConcernFailed: waiting for replication timed out$/,
    ],
    [
      'while another became the primary',
      'after',
      { ok: 0, code: 11602, codeName: 'InterruptedDueToReplStateChange', errmsg: 'operation was interrupted' },
      /InterruptedDueToReplStateChange/,
    ],
  ] as const)('whose making was interrupted %s are taken back', async (_, when, reply, words) => {
    const one = await made();
    const users = mongo.users.size;
    mongo.fault = (name) => (name === 'createUser' ? { when, reply } : undefined);
    const { status, body } = await one.lease();
    expect([status, body.message]).toEqual([400, expect.stringMatching(words)]);
    expect(mongo.users.size).toBe(users);
    mongo.fault = () => undefined;
    await one.reapFailed();
  });

  it('do not count as revoked before the majority has confirmed it', async () => {
    const one = await made();
    const { lease, data } = (await one.lease()).body;
    const reply = { ok: 1, writeConcernError: { code: 64, codeName: 'WriteConcernFailed', errmsg: 'timed out' } };
    mongo.fault = (name) => (name === 'dropUser' ? { when: 'before', reply } : undefined);
    expect((await one.revoke(lease.id)).status).toBe(400);
    expect(await one.leases()).toMatchObject([{ status: 'Failed to delete' }]);
    mongo.fault = () => undefined;
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await mongo.logsIn(loginOf(data))).toBe(false);
  });
});

describe('a MongoDB', () => {
  const refused = async (more: object = {}) => {
    const { status, body } = await (await unmade()).create('mongo-db', { ...inputs(), ...more });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.not.stringContaining(PASSWORD)]);
    // So many refusals would have to wait.
    test.advance(2 * 3_600_000);
    return body.message as string;
  };

  it('is logged in to with whatever the password is', async () => {
    for (const password of ['a=b,c', 'Jürgen\u00a0😀', 'n,,n=x']) {
      const normalized = password.replace('\u00a0', ' ').normalize('NFKC');
      mongo.add('admin', 'odd=a,b', normalized, ['userAdminAnyDatabase']);
      const one = await made({ username: 'odd=a,b', password });
      const { lease } = (await one.lease()).body;
      expect((await one.revoke(lease.id)).status).toBe(200);
    }
  });

  it('may need one more exchange, and send checksums', async () => {
    mongo.skipsEmptyExchange = false;
    mongo.hasChecksums = true;
    const one = await made();
    const { lease } = (await one.lease()).body;
    expect((await one.revoke(lease.id)).status).toBe(200);
  });

  it('that does not know the password itself, or requires few iterations, is rejected', async () => {
    const protocol = '127.0.0.1 does not speak MongoDB as expected';
    mongo.serverFinal = () => `v=${Buffer.alloc(32).toString('base64')}`;
    expect(await refused()).toBe(protocol);
    mongo.serverFinal = (signature) => `v=${signature}`;
    for (const iterations of [1, 4095, 1_000_001, 2 ** 31]) {
      mongo.iterations = () => iterations;
      expect(await refused()).toBe(protocol);
    }
    mongo.iterations = (given) => given;
    mongo.nonce = (given) => given.slice(1);
    expect(await refused()).toBe(protocol);
  });

  it('that maps users differently is refused: anonymous, by another mechanism, on another member', async () => {
    expect(await refused({ username: 'nobody' })).toBe(
      '127.0.0.1 reports: AuthenticationFailed: Authentication failed.',
    );
    mongo.mechanisms = ['SCRAM-SHA-1'];
    expect(await refused()).toBe('keeper has no SCRAM-SHA-256 credentials on 127.0.0.1: set its password again');
    mongo.primary = 'mongo-2.example.com:27017';
    expect(await refused()).toBe('127.0.0.1 is not the primary of its replica set: mongo-2.example.com:27017 is');
    mongo.primary = 'x\n<script>';
    expect(await refused()).toBe('127.0.0.1 is not the primary of its replica set');
  });

  it('that echoes its input is reported without any password', async () => {
    const one = await made();
    let sent = '';
    mongo.fault = (name, command) => {
      if (name !== 'createUser') return undefined;
      sent = String(command['pwd']);
      return { when: 'before', reply: { ok: 0, code: 1, codeName: 'Other', errmsg: `no ${sent} by ${PASSWORD}` } };
    };
    const { body } = await one.lease();
    expect([body.message, sent.length]).toEqual(['127.0.0.1 reports: Other: no [hidden] by [hidden]', 48]);
  });

  it('that replies to another request, or with another message, is rejected', async () => {
    for (const reply of [{}, { ok: 'yes' }, { ok: 0 }, { isWritablePrimary: 1, ok: 1 }, { ok: 1 }]) {
      mongo.fault = (name) => (name === 'hello' ? { when: 'before', reply } : undefined);
      expect(await refused()).toMatch(/^127\.0\.0\.1 (?:reports|is not the primary)/);
    }
    mongo.fault = (name) => (name === 'saslStart' ? { when: 'before', reply: { ok: 1, payload: 'r=x' } } : undefined);
    expect(await refused()).toBe('127.0.0.1 does not speak MongoDB as expected');
    mongo.fault = (name) =>
      name === 'hello' ? { when: 'before', reply: { ok: 1, x: 'x'.repeat(2_000_000) } } : undefined;
    expect(await refused()).toBe('127.0.0.1 does not speak MongoDB as expected');
  });

  it.each([
    [{ host: 'mongodb://db' }, 422],
    [{ host: 'a,b' }, 400],
    [{ port: 0 }, 422],
    [{ username: '' }, 422],
    [{ password: '' }, 422],
    [{ password: 'a\u0007b' }, 400],
    [{ database: 'a.b' }, 422],
    [{ database: 'a b' }, 422],
    [{ database: '' }, 422],
    [{ roles: [] }, 422],
    [{ roles: 'read' }, 422],
    [{ roles: [''] }, 422],
    [{ roles: [{ role: 'root', db: 'admin' }] }, 422],
    [{ ca: 'no certificate' }, 422],
  ])('is not taken with inputs such as %j: %i', async (more, status) => {
    expect((await (await unmade()).create('mongo-db', { ...inputs(), ...more })).status).toBe(status);
  });

  it('is found on its usual port where none is named', async () => {
    const { port: _, ...rest } = inputs();
    const { body } = await (await unmade()).create('mongo-db', rest);
    expect(body.message).toBe('127.0.0.1 refuses connections');
  });

  it('is leased from as the guide has it', async () => {
    const [sent] = sentInGuide('MongoDB') as [{ provider: { inputs: object } }];
    const one = await made({ ...sent.provider.inputs, ...inputs() });
    const { lease, data } = (await one.lease()).body;
    expect(await mongo.logsIn(loginOf(data))).toBe(true);
    expect((await one.revoke(lease.id)).status).toBe(200);
  });
});
