import { createOutbound, parseCidrs } from '@coffer/domain';
import {
  freePorts,
  makeAuthority,
  openGate,
  SqlServerStandIn,
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

const CREATE = `create login [{{username}}] with password = N'{{password}}'; create user [{{username}}] for login [{{username}}]`;

describe('logins of an SQL Server', () => {
  let target: SqlServerStandIn;
  let gate: Gate;
  let test: TestServer;
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
  beforeAll(async () => {
    target = await SqlServerStandIn.start();
    target.add('keeper', 'keeps logins', { mayAlterAny: true });
    target.add('nobody', 'keeps logins');
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
    client: 'mssql',
    ...{ host: gate.host, port: gate.port, database: 'shop', username: 'keeper', password: 'keeps logins' },
    creationStatement: CREATE,
    revocationStatement: 'drop user [{{username}}]; drop login [{{username}}]',
  });
  const works = async (data: Record<string, string>) => target.logsIn(data['DB_USERNAME']!, data['DB_PASSWORD']!);
  const database: TargetCase = {
    type: 'sql-database',
    inputs,
    wrong: () => ({ ...inputs(), password: 'not the password' }),
    elsewhere: () => ({ host: 'localhost', port: 1, ca: makeAuthority('Database').cert }),
    weaker: ({ DB_USERNAME, DB_PASSWORD }) => ({ username: DB_USERNAME, password: DB_PASSWORD }),
    sealed: ['password'],
    works,
    outage: { begin: () => gate.shut(), end: () => gate.open() },
  };
  const { made, refused } = dynamicSecretsOf(() => test, 'sql-database', inputs);

  describeDynamicProvider(() => test, database);
  describeTarget(() => test, database);

  it('are leased as the guide has it', async () => {
    const sent = sentInGuide('SQL database') as { provider?: { inputs: { client: string } } }[];
    const { inputs: given } = sent.map(({ provider }) => provider).find((one) => one?.inputs.client === 'mssql')!;
    const { host, port, username, password } = inputs();
    const one = await made({ ...given, host, port, username, password });
    const { data, lease } = (await one.lease()).body;
    expect(await works(data)).toBe(true);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await works(data)).toBe(false);
  });

  it('have the requested passwords, whatever quotes and brackets mean to the server', async () => {
    const passwordRequirements = {
      length: 24,
      required: { lowercase: 1, uppercase: 1, digits: 1, symbols: 16 },
      allowedSymbols: `'"\\\`;#-/*{}%_[]`,
    };
    for (const creationStatement of [
      CREATE,
      'create login {{username}} with password = {{password}}; create user {{username}} for login {{username}}',
      `create login "{{username}}" with password = '{{password}}'; create user "{{username}}" for login "{{username}}"`,
    ]) {
      const one = await made({ creationStatement, passwordRequirements }, { usernameTemplate: 'x_{{random 20}}' });
      const { data, lease } = (await one.lease()).body;
      expect(await works(data)).toBe(true);
      expect((await one.revoke(lease.id)).status).toBe(200);
    }
  });

  it('are rolled back if a statement fails, and errors do not contain the password', async () => {
    const before = new Set(target.database.logins.keys());
    const one = await made({ creationStatement: `${CREATE}; grant select to [nobody {{password}}]` });
    const { status, body } = await one.lease();
    expect([status, body.message]).toEqual([
      400,
      "127.0.0.1 reports: Cannot find the user 'nobody [hidden]', because it does not exist or you do not have permission.",
    ]);
    expect(new Set(target.database.logins.keys())).toEqual(before);
    expect(await one.leases()).toEqual([]);
  });

  it('end with their sessions, and do not count as revoked while they can log in', async () => {
    const one = await made({ revocationStatement: 'select 1' });
    const { data, lease } = (await one.lease()).body;
    expect(await one.revoke(lease.id)).toMatchObject({
      status: 400,
      body: { message: 'The revocationStatement did not delete the login' },
    });
    expect((await one.update({ inputs: { revocationStatement: 'alter login {{username}} disable' } })).status).toBe(
      200,
    );
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await works(data)).toBe(false);
    const other = await made();
    const open = (await other.lease()).body;
    target.add(open.data.DB_USERNAME, open.data.DB_PASSWORD, { mayAlterAny: true });
    const theirs = await made({ username: open.data.DB_USERNAME, password: open.data.DB_PASSWORD });
    await theirs.lease();
    expect((await other.revoke(open.lease.id)).status).toBe(200);
  });

  it('stay where their account may no longer see them, until it may again', async () => {
    const one = await made();
    const { data, lease } = (await one.lease()).body;
    target.add('keeper', 'keeps logins');
    expect(await one.revoke(lease.id)).toMatchObject({
      status: 400,
      body: {
        message: expect.stringMatching(/cannot see them all, so it is unknown which exist: grant it ALTER ANY LOGIN/),
      },
    });
    expect(await one.leases()).toMatchObject([{ id: lease.id, status: 'Failed to delete' }]);
    expect(await works(data)).toBe(true);
    target.add('keeper', 'keeps logins', { mayAlterAny: true });
    target.database.logins.delete(data.DB_USERNAME);
    expect((await one.revoke(lease.id)).status).toBe(200);
  });

  it('are created with TLS if a root is configured, and then never in plaintext', async () => {
    const ca = target.authority.cert;
    expect(await refused({ ca })).toBe('127.0.0.1 does not support TLS, which its configuration requires');
    target.offersTls = true;
    const one = await made({ ca });
    const { data, lease } = (await one.lease()).body;
    expect(await works(data)).toBe(true);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await refused({ ca: makeAuthority('Another').cert })).toBe(
      '127.0.0.1 presents a certificate that is not trusted',
    );
    expect(await refused({ ca, host: 'localhost' })).toBe('localhost presents a certificate for another name');
    // Without a root, one that is not trusted is as good as none.
    expect((await (await made()).lease()).status).toBe(200);
    target.offersTls = false;
  });

  it('are made at no other server, whatever the server names', async () => {
    const [port = 0] = await freePorts(1);
    const elsewhere = await SqlServerStandIn.start();
    elsewhere.add('keeper', 'keeps logins', { mayAlterAny: true });
    target.route = { host: '127.0.0.1', port: elsewhere.port };
    expect(await refused({})).toMatch(/^127\.0\.0\.1 /);
    target.route = { host: '127.0.0.1', port };
    expect(await refused({})).toMatch(/^127\.0\.0\.1 /);
    target.route = undefined;
    expect(elsewhere.batches).toEqual([]);
    await elsewhere.stop();
  });

  it('need an account that may make them, and answers that SQL Server would give', async () => {
    expect(await refused({ username: 'nobody' })).toMatch(/cannot see them all/);
    for (const bytes of [Buffer.of(4, 1, 0, 12, 0, 0, 1, 0, 1, 2, 3, 4), Buffer.alloc(2 * 1024 * 1024, 4)]) {
      const garbled = await made();
      target.accident = (_sql, socket) => socket.write(bytes) || true;
      const { status, body } = await garbled.lease();
      target.accident = undefined;
      expect([status, body.message]).toEqual([400, expect.stringMatching(/^127\.0\.0\.1 /)]);
    }
  });
});
