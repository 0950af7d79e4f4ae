import { checkConnection, createOutbound, parseCidrs } from '@coffer/domain';
import { mariadb, SqlServerStandIn, startMariaDb, type MariaDb } from '@coffer/domain/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefused, ok } from '../harness/groups.ts';
import { logsIn } from '../harness/rotated-postgres.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
/** How many connections are still made; others are refused. */
let left = Infinity;
let test: TestServer;
let owner: Client;
beforeAll(async () => {
  test = await testServer({
    connect: (target) => outbound.connect(left-- > 0 ? target : { ...target, port: 1 }),
  });
  owner = new Client({ connectionString: test.databaseUrl });
  await owner.connect();
});
afterAll(async () => {
  for (const name of roles) await owner.query(`drop role if exists "${name}"`);
  await owner.end();
  await test.close();
  await outbound.close();
});

interface Login {
  readonly username: string;
  readonly password: string;
}

/** A database with logins that may do nothing but log in. */
interface System {
  readonly app: string;
  at(): object;
  add(): Promise<Login>;
  works(login: Login): Promise<boolean>;
  /** By somebody else. */
  setPassword(login: Login): Promise<unknown>;
}

let number = 0;
// The PostgreSQL server is shared with other tests.
const roles: string[] = [];
const ofPostgres = () => {
  const { hostname: host, port, pathname } = new URL(test.databaseUrl);
  return { host, port: Number(port), database: pathname.slice(1) };
};
const postgres: System = {
  app: 'postgres',
  at: ofPostgres,
  async add() {
    const login = { username: `managed_${ofPostgres().database.slice(-8)}_${++number}`, password: 'given' };
    await owner.query(`create role "${login.username}" login password 'given'`);
    roles.push(login.username);
    return login;
  },
  works: ({ username, password }) => logsIn(ofPostgres(), { username, password }),
  setPassword: ({ username, password }) => owner.query(`alter role "${username}" password '${password}'`),
};

let maria: MariaDb;
const mysql: System = {
  app: 'mysql',
  at: () => ({ host: '127.0.0.1', port: maria.port, database: maria.database }),
  async add() {
    const login = { username: `managed_${++number}`, password: 'given' };
    await maria.query(`grant select on shop.* to '${login.username}'@'%' identified by 'given'`);
    return login;
  },
  works: (login) => maria.works(login),
  setPassword: ({ username, password }) => maria.query(`alter user '${username}'@'%' identified by '${password}'`),
};

let sqlServer: SqlServerStandIn;
const mssql: System = {
  app: 'mssql',
  at: () => ({ host: '127.0.0.1', port: sqlServer.port, database: 'shop' }),
  async add() {
    const login = { username: `managed ]'${++number}`, password: `it's [given]` };
    sqlServer.add(login.username, login.password);
    return login;
  },
  works: async ({ username, password }) => sqlServer.logsIn(username, password),
  setPassword: async ({ username, password }) => sqlServer.add(username, password),
};

const path = ({ app }: System, id = '') => `/api/v1/app-connections/${app}${id && `/${id}`}`;
const create = (system: System, login: Login, more: object = {}) =>
  test.admin('POST', path(system), {
    ...{ name: `managed-${++number}`, method: 'username-and-password', isPlatformManagedCredentials: true },
    credentials: { ...system.at(), ...login, sslEnabled: false },
    ...more,
  });
const read = async (system: System, id: string) => (await ok(test.admin('GET', path(system, id)))).appConnection;
const named = async (system: System, name: string): Promise<{ id: string } | undefined> => {
  const { appConnections } = await ok(test.admin('GET', path(system)));
  return appConnections.find((one: { name: string }) => one.name === name);
};
const runJob = (connectionId: string) => {
  const { organizationId } = test;
  const ctx = test.coffer.contextFor({ type: 'platform', organizationId });
  return checkConnection.run(ctx, { organizationId, connectionId }, {} as never);
};
const stored = async (id: string) =>
  (await test.coffer.pool.query('select next_credentials as next from app_connections where id = $1', [id])).rows[0];
const events = async (id: string): Promise<string[]> => {
  const { rows } = await test.coffer.pool.query(
    `select type from audit_events where data ->> 'connectionId' = $1 order by id`,
    [id],
  );
  return rows.map(({ type }: { type: string }) => type);
};

function describeSystem(system: System): void {
  it('has a password that nobody else knows, and works', async () => {
    const login = await system.add();
    expect(await system.works(login)).toBe(true);
    const { appConnection: one } = await ok(create(system, login));
    expect(one).toMatchObject({ isPlatformManagedCredentials: true, version: 2, lastCheckMessage: null });
    expect(one.credentials).not.toHaveProperty('password');
    expect([await system.works(login), await stored(one.id)]).toEqual([false, { next: null }]);
    expect(await events(one.id)).toEqual(['app_connection.created', 'app_connection.password_changed']);
    test.advance(2 * 86_400_000);
    await runJob(one.id);
    expect(await read(system, one.id)).toMatchObject({ version: 2, lastCheckMessage: null });
  });

  it.each([1, 2])('is continued where it was interrupted before connection %i of the change', async (at) => {
    const login = await system.add();
    const name = `interrupted-${++number}`;
    left = at;
    const answer = await create(system, login, { name });
    left = Infinity;
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('tries again')]);
    const { id } = (await named(system, name))!;
    expect((await stored(id)).next).not.toBeNull();
    await expectRefused(test.admin('PATCH', path(system, id), { credentials: login }), 400, 'is changing the password');
    await ok(test.admin('PATCH', path(system, id), { description: 'waits' }));
    test.advance(70_000);
    await runJob(id);
    expect([await system.works(login), await stored(id)]).toEqual([false, { next: null }]);
    const one = await read(system, id);
    expect(one).toMatchObject({ isPlatformManagedCredentials: true, version: 2, lastCheckMessage: null });
    test.advance(2 * 86_400_000);
    await runJob(id);
    expect(await read(system, id)).toMatchObject({ lastCheckMessage: null });
  });

  it('changes it again after others have, and leaves it to nobody where it is no longer to manage it', async () => {
    const login = await system.add();
    const { appConnection: one } = await ok(create(system, login, { isPlatformManagedCredentials: false }));
    expect([one.isPlatformManagedCredentials, await system.works(login)]).toEqual([false, true]);
    const managed = await ok(test.admin('PATCH', path(system, one.id), { isPlatformManagedCredentials: true }));
    expect([managed.appConnection.version, await system.works(login)]).toEqual([2, false]);
    const theirs = { ...login, password: 'set by hand' };
    await system.setPassword(theirs);
    await ok(test.admin('PATCH', path(system, one.id), { credentials: { password: theirs.password } }));
    expect([await system.works(theirs), (await read(system, one.id)).version]).toEqual([false, 4]);
    const ended = await ok(test.admin('PATCH', path(system, one.id), { isPlatformManagedCredentials: false }));
    expect(ended.appConnection).toMatchObject({ isPlatformManagedCredentials: false, version: 4 });
    test.advance(2 * 86_400_000);
    await runJob(one.id);
    expect(await read(system, one.id)).toMatchObject({ lastCheckMessage: null });
  });
}

describe('a managed connection to PostgreSQL', () => {
  describeSystem(postgres);

  it('is not created where the server does not let the password be changed', async () => {
    const login = await postgres.add();
    await owner.query(`alter role "${login.username}" set default_transaction_read_only = on`);
    const name = `refused-${++number}`;
    const { status, body } = await create(postgres, login, { name });
    expect([status, body.message]).toEqual([
      400,
      expect.stringMatching(/^Coffer could not change the password: .*read-only transaction/),
    ]);
    expect([await named(postgres, name), await postgres.works(login)]).toEqual([undefined, true]);
  });

  it('shows the right to manage as the app has it', async () => {
    const { appConnectionOptions } = await ok(test.admin('GET', '/api/v1/app-connections/options'));
    const manageable = appConnectionOptions.flatMap(
      ({ app, supportsPlatformManagement }: { app: string; supportsPlatformManagement: boolean }) =>
        supportsPlatformManagement ? [app] : [],
    );
    expect(manageable).toEqual(['mssql', 'mysql', 'postgres']);
    const credentials = { personalAccessToken: 'ghp_x' };
    const body = { name: 'github', method: 'pat', credentials, isPlatformManagedCredentials: true };
    expect((await test.admin('POST', '/api/v1/app-connections/github', body)).status).toBe(422);
  });
});

describe.skipIf(mariadb.isMissing)(`a managed connection to MariaDB${mariadb.orSkipped}`, () => {
  beforeAll(async () => {
    maria = await startMariaDb();
  });
  afterAll(() => maria.stop());
  describeSystem(mysql);
});

describe('a managed connection to SQL Server', () => {
  beforeAll(async () => {
    sqlServer = await SqlServerStandIn.start();
  });
  afterAll(() => sqlServer.stop());
  describeSystem(mssql);
});
