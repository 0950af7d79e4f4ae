import { createOutbound, parseCidrs } from '@coffer/domain';
import {
  makeAuthority,
  mariadb,
  MARIADB_BLIND_MANAGER,
  MARIADB_MANAGER,
  MARIADB_SECURE_MANAGER,
  openGate,
  startMariaDb,
  type Gate,
  type MariaDb,
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

const CREATE = `create user '{{username}}'@'%' identified by '{{password}}';
  grant select on \`{{database}}\`.* to '{{username}}'@'%'`;
const DROP = `drop user '{{username}}'@'%'`;

describe.skipIf(mariadb.isMissing)(`logins of a MariaDB${mariadb.orSkipped}`, () => {
  let target: MariaDb;
  let gate: Gate;
  let test: TestServer;
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
  beforeAll(async () => {
    target = await startMariaDb();
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
    client: 'mysql2',
    host: gate.host,
    port: gate.port,
    database: target.database,
    ...MARIADB_MANAGER,
    creationStatement: CREATE,
    revocationStatement: DROP,
    renewStatement: `alter user '{{username}}'@'%' password expire interval 1 day`,
  });
  const login = (data: Record<string, string>) => ({ username: data['DB_USERNAME']!, password: data['DB_PASSWORD']! });
  const works = (data: Record<string, string>) => target.works(login(data));
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

  const { made, refused, unmade } = dynamicSecretsOf(() => test, 'sql-database', inputs);
  const logins = async () =>
    (await target.query(`select user from mysql.user where user not in ('root', 'mariadb.sys') order by 1`)).map(
      ({ user, User }) => String(user ?? User),
    );

  describeDynamicProvider(() => test, database);
  describeTarget(() => test, database);

  it('are leased as the guide has it', async () => {
    const [, , sent] = sentInGuide('SQL database') as [unknown, unknown, { provider: { inputs: object } }];
    const one = await made({
      ...sent.provider.inputs,
      host: gate.host,
      port: gate.port,
      database: target.database,
      ...MARIADB_MANAGER,
    });
    const { data, lease } = (await one.lease()).body;
    expect(await works(data)).toBe(true);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await works(data)).toBe(false);
  });

  it('end with their expiry or revocation, and so do their open sessions', async () => {
    const one = await made();
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
  });

  it('have the requested passwords, whatever quotes and backslashes mean to the server', async () => {
    const passwordRequirements = {
      length: 24,
      required: { lowercase: 1, uppercase: 1, digits: 1, symbols: 16 },
      allowedSymbols: `'"\\\`;#-/*{}%_`,
    };
    const ways = [
      CREATE,
      // As the guide has it.
      'create user `{{username}}`@`%` identified by "{{password}}"; grant select on `{{database}}`.* to `{{username}}`@`%`',
      'create user {{username}} identified by {{password}}; grant select on {{database}}.* to {{username}}',
      "create user `{{username}}`@`%` identified by '{{password}}'; grant select on shop.* to `{{username}}`@`%`",
    ];
    for (const creationStatement of ways) {
      const one = await made({ creationStatement, passwordRequirements }, { usernameTemplate: 'x_{{random 20}}' });
      for (let i = 0; i < 3; i++) {
        const { data, lease } = (await one.lease()).body;
        expect([creationStatement, data.DB_PASSWORD, await works(data)]).toEqual([
          creationStatement,
          data.DB_PASSWORD,
          true,
        ]);
        expect((await one.revoke(lease.id)).status).toBe(200);
        expect(await works(data)).toBe(false);
      }
    }
  });

  it('are rolled back if a statement fails, and errors do not contain the password', async () => {
    const before = await logins();
    const one = await made({ creationStatement: `${CREATE}; grant select on nowhere.x to '{{password}}'@'%'` });
    const { status, body } = await one.lease();
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^127\.0\.0\.1 reports: /)]);
    expect(await logins()).toEqual(before);
    // An ambiguous outcome is checked once more.
    await one.reapFailed();
    const garbled = await made({ creationStatement: `create user '{{username}}'@'%' identify by '{{password}}'` });
    const syntax = (await garbled.lease()).body.message;
    expect(syntax).toMatch(/syntax.*near 'identify by '\[hidden\]''/);
    expect(await garbled.leases()).toEqual([]);
  });

  it('are identified by their names: a creationStatement that creates none is rejected', async () => {
    const one = await made({ creationStatement: 'do 1' });
    expect(await one.lease()).toMatchObject({
      status: 400,
      body: { message: 'The creationStatement did not create a login named {{username}}' },
    });
  });

  it('do not count as revoked while they can log in, and do if they are locked or deleted', async () => {
    const one = await made({ revocationStatement: 'do 1' });
    const { data, lease } = (await one.lease()).body;
    expect(await one.revoke(lease.id)).toMatchObject({
      status: 400,
      body: { message: 'The revocationStatement did not delete the login' },
    });
    const lock = `alter user '{{username}}'@'%' account lock`;
    expect((await one.update({ inputs: { revocationStatement: lock } })).status).toBe(200);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await works(data)).toBe(false);
    const another = (await one.lease()).body;
    await target.query(`drop user '${another.data.DB_USERNAME}'@'%'`);
    await target.query(`drop user '${data.DB_USERNAME}'@'%'`);
    expect((await one.revoke(another.lease.id)).status).toBe(200);
  });

  it('leave nothing behind in a pooled connection', async () => {
    const one = await made({
      // Fails if an earlier one has left a variable or another database.
      creationStatement: `insert into until (name) values (if(@left is null, '{{username}}', null)); ${CREATE};
        use information_schema; set @left = 'x', sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'`,
    });
    const before = gate.passed;
    for (let i = 0; i < 3; i++) {
      const { status, body } = await one.lease();
      expect([status, body.message]).toEqual([200, undefined]);
      expect((await one.revoke(body.lease.id)).status).toBe(200);
    }
    expect(gate.passed - before).toBeLessThan(6);
  });

  it('get the expiry of their lease, in UTC', async () => {
    const one = await made({
      creationStatement: `${CREATE}; insert into until values ('{{username}}', {{expiration}})`,
      renewStatement: `update shop.until set at = '{{expiration}}' where name = '{{username}}'`,
    });
    const { lease, data } = (await one.lease({ ttl: '1d' })).body;
    const until = async () =>
      (
        await target.query(`select date_format(at, '%Y-%m-%dT%T') as at from shop.until where name = ?`, [
          data.DB_USERNAME,
        ])
      )[0];
    expect(await until()).toEqual({ at: lease.expireAt.slice(0, 19) });
    const renewed = (await one.renew(lease.id)).body.lease;
    expect(renewed.expireAt).not.toBe(lease.expireAt);
    expect(await until()).toEqual({ at: renewed.expireAt.slice(0, 19) });
    expect((await one.revoke(lease.id)).status).toBe(200);
  });

  it('are created with TLS if a root is configured, and then never in plaintext', async () => {
    const { ca } = target;
    const one = await made({ ...MARIADB_SECURE_MANAGER, ca });
    const { data, lease } = (await one.lease()).body;
    expect(await works(data)).toBe(true);
    expect((await one.revoke(lease.id)).status).toBe(200);
    expect(await refused({ ...MARIADB_SECURE_MANAGER })).toMatch(/^127\.0\.0\.1 reports: Access denied for user/);
    expect(await refused({ ca: makeAuthority('Database root').cert })).toBe(
      '127.0.0.1 presents a certificate that is not trusted',
    );
    expect(await refused({ ca, host: 'localhost' })).toBe('localhost presents a certificate for another name');
  });

  it('need an account that may list them', async () => {
    expect(await refused({ ...MARIADB_BLIND_MANAGER })).toMatch(/SELECT command denied to user 'coffer_blind'/);
  });

  it.each([
    [{ client: 'mysql' }, 422],
    [{ database: 'there is none' }, 400],
    [{ username: 'nobody' }, 400],
    [{ port: 1 }, 400],
    [{ creationStatement: 'create user "{{user}}"' }, 400],
    [{ creationStatement: `create user 'a` }, 400],
    [{ creationStatement: `create user 'a' -- {{username}}` }, 400],
    [{ creationStatement: `create user 'a' # {{username}}` }, 400],
    [{ creationStatement: `create user x{{username}}` }, 400],
    [{ creationStatement: `/*M! create user '{{username}}' */` }, 400],
    [{ revocationStatement: `drop user '{{username}}{{password}}'` }, 400],
  ])('are not created from inputs such as %j: %i', async (more, status) => {
    const one = await unmade();
    const answer = await one.create('sql-database', { ...inputs(), ...more });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([
      status,
      expect.not.stringContaining(JSON.stringify(MARIADB_MANAGER.password).slice(1, -1)),
    ]);
  });
});
