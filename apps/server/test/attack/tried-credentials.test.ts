import { readFileSync, globSync } from 'node:fs';
import { createOutbound, parseCidrs } from '@coffer/domain';
import { GitHub, LDAP_ACCOUNT, LDAP_BASE, slapdServer, StandIns, startSlapd, type Slapd } from '@coffer/domain/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

const github = new GitHub('ghp_the_token');
const standIns = new StandIns();
const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
let test: TestServer;
let project: { id: string; slug: string };
let database: { host: string; port: number; database: string; username: string };
let password: string;
beforeAll(async () => {
  test = await testServer({ fetch: standIns.fetch, connect: outbound.connect, clock: 'standing' });
  const url = new URL(test.databaseUrl);
  const [username, known] = [url.username, url.password].map(decodeURIComponent);
  database = { host: url.hostname, port: Number(url.port), database: url.pathname.slice(1), username: username! };
  password = known!;
  await standIns.serve('api.github.com', github.listener);
  github.lists.set('/user/repos', []);
});
beforeEach(async () => {
  project = await test.project();
});
afterAll(async () => {
  await test.close();
  await standIns.close();
  await outbound.close();
});

const CONNECTIONS = '/api/v1/app-connections/postgres';
const connect = (call: Caller, given: string, name: string) =>
  call('POST', CONNECTIONS, {
    ...{ name, method: 'username-and-password', projectId: project.id },
    credentials: { ...database, sslEnabled: false, password: given },
  });

/** How a credential is shown to the database of the test, or to GitHub, and the right one. */
const WAYS: Record<string, { what: string; right: () => string; send: typeof connect }> = {
  'a new app connection': { what: 'postgres', right: () => password, send: connect },
  'a change of an app connection': {
    what: 'postgres',
    right: () => password,
    async send(call, given, name) {
      const { appConnection } = await ok(connect(test.admin, password, `${name}-to-change`));
      const credentials = { password: given, port: database.port };
      return call('PATCH', `${CONNECTIONS}/${appConnection.id}`, { name, credentials });
    },
  },
  'a dynamic secret': {
    what: 'sql-database',
    right: () => password,
    send: (call, given, name) =>
      call('POST', '/api/v1/dynamic-secrets', {
        ...{ name, projectSlug: project.slug, environmentSlug: 'dev', path: '/', defaultTTL: '1h' },
        provider: {
          type: 'sql-database',
          inputs: {
            ...{ client: 'postgres', ...database, password: given },
            ...{ creationStatement: 'select 1', revocationStatement: 'select 1', renewStatement: '' },
          },
        },
      }),
  },
  'a list by an integration authentication': {
    what: 'github',
    right: () => 'ghp_the_token',
    async send(call, accessToken) {
      const given = { workspaceId: project.id, integration: 'github', accessToken };
      const { integrationAuth } = await ok(call('POST', '/api/v1/integration-auth/access-token', given));
      return call('GET', `/api/v1/integration-auth/${integrationAuth.id}/apps`);
    },
  },
};

const inOrder = async (calls: readonly (() => Promise<Answer>)[]): Promise<number[]> => {
  const statuses: number[] = [];
  for (const call of calls) statuses.push((await call()).status);
  return statuses;
};
const TEN = Array.from({ length: 10 }, () => 400);

describe('attack: guessing credentials of another system', () => {
  it.each(Object.entries(WAYS))('by %s is throttled for its caller, and recorded', async (_, { send, right, what }) => {
    const administrator = { projectId: project.id, projectRole: 'admin', organizationRole: 'admin' };
    const [guesser, other] = [await test.identity(administrator), await test.identity(administrator)];
    const guesses = (count: number, from: string) =>
      inOrder(Array.from({ length: count }, (_none, at) => () => send(guesser.call, `guess_${at}`, `${from}-${at}`)));
    expect(await guesses(11, 'first')).toEqual([...TEN, 429]);
    const refused = await send(guesser.call, right(), 'right');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send(other.call, right(), 'other')).status).toBe(200);
    test.advance(3_000);
    expect((await send(guesser.call, right(), 'later')).status).toBe(200);
    // What is right resets nothing: a guesser may have an account there.
    expect(await guesses(2, 'second')).toEqual([400, 429]);

    const { rows } = await test.coffer.pool.query(
      `select data, actor_id as "actorId", project_id as "projectId" from audit_events
       where type = 'remote.credentials_refused' and actor_id = $1`,
      [guesser.id],
    );
    const data = expect.objectContaining({ what, count: 1, details: ['remote.rejected'] });
    expect(rows).toEqual([{ actorId: guesser.id, projectId: project.id, data }]);
    // Those that had to wait count, too.
    test.advance(61_000);
    await test.coffer.refusals.sweep();
    const { rows: sums } = await test.coffer.pool.query(
      `select sum((data ->> 'count')::int)::int as total from audit_events
       where type = 'remote.credentials_refused' and actor_id = $1`,
      [guesser.id],
    );
    expect(sums).toEqual([{ total: 14 }]);
  });

  it('at many targets is throttled for its caller', async () => {
    const { call, id } = await test.identity({ projectId: project.id, projectRole: 'admin' });
    await connect(call, 'guess', 'one');
    await test.coffer.pool.query(`update lockouts set failures = 49 where subject = $1`, [
      `spraying:remote|caller:${id}`,
    ]);
    expect((await connect(call, 'guess', 'two')).status).toBe(400);
    const elsewhere = WAYS['a dynamic secret']!;
    expect((await elsewhere.send(call, password, 'three')).status).toBe(429);
  });
});

describe('attack: guessing a password at one database server', () => {
  it('has no more tries by the names of other databases', async () => {
    const { call } = await test.identity({ projectId: project.id, projectRole: 'admin' });
    const guess = (at: number) => {
      const inputs = { client: 'postgres', ...database, database: `other_${at}`, password: `guess ${at}` };
      const statements = { creationStatement: 'select 1', revocationStatement: 'select 1', renewStatement: '' };
      return call('POST', '/api/v1/dynamic-secrets', {
        ...{ name: `guess-${at}`, projectSlug: project.slug, environmentSlug: 'dev', path: '/', defaultTTL: '1h' },
        provider: { type: 'sql-database', inputs: { ...inputs, ...statements } },
      });
    };
    expect(await inOrder(Array.from({ length: 11 }, (_, at) => () => guess(at)))).toEqual([...TEN, 429]);
  });
});

const ABSENT = slapdServer.orSkipped;
describe.skipIf(slapdServer.isMissing)(`attack: guessing the account of a directory${ABSENT}`, () => {
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await startSlapd();
  });
  afterAll(() => slapd.stop());
  beforeEach(async () => {
    await test.coffer.pool.query('delete from lockouts');
  });

  const identity = async () => {
    const given = { name: 'machine', organizationId: test.organizationId, role: 'no-access' };
    const { identity: made } = await ok(test.admin('POST', '/api/v1/identities', given));
    return made.id as string;
  };
  const pathOf = (id: string) => `/api/v1/auth/ldap-auth/identities/${id}`;
  const given = () => ({ url: slapd.url, ...LDAP_ACCOUNT, searchBase: `ou=people,${LDAP_BASE}` });
  const attached = async (fields: object = {}) => {
    const id = await identity();
    await ok(test.admin('POST', pathOf(id), { ...given(), ...fields }));
    return id;
  };
  const logIn = async (identityId: string, userPassword = 'password of alice') => {
    const credentials = { identityId, username: 'alice', password: userPassword };
    return (await test.as()('POST', '/api/v1/auth/ldap-auth/login', credentials)).status;
  };

  it('by login methods that are logged in with is throttled for the organization, and delays no method that has worked', async () => {
    const [working, first, second] = [await attached(), await attached(), await identity()];
    // The directory has accepted its account, though not the user.
    expect(await logIn(working, 'another')).toBe(401);
    const guess = async (bindPass: string) => {
      const { status } = await test.admin('PATCH', pathOf(first), { bindPass });
      return [status, await logIn(first)];
    };
    for (let at = 0; at < 10; at++) expect(await guess(`guess ${at}`)).toEqual([200, 400]);
    expect(await guess('another')).toEqual([429, 429]);
    expect((await test.admin('POST', pathOf(second), given())).status).toBe(429);
    expect(await logIn(working)).toBe(200);
    test.advance(3_000);
    expect(await guess(LDAP_ACCOUNT.bindPass)).toEqual([200, 200]);
    const { rows } = await test.coffer.pool.query(
      `select data->>'what' as what from audit_events where type = 'remote.credentials_refused'
       and data->>'target' = $1`,
      [slapd.url],
    );
    expect(rows).toContainEqual({ what: 'ldap-auth' });
  });

  it('has no more tries by methods that were made before the first login, with any spelling of the server', async () => {
    const { port } = new URL(slapd.url);
    const spellings = ['127.0.0.1', '127.1', '0x7f000001', '[::ffff:127.0.0.1]'].map(
      (host) => `ldap://${host}:${port}`,
    );
    const methods: string[] = [];
    for (let at = 0; at < 12; at++)
      methods.push(await attached({ url: spellings[at % spellings.length], bindPass: `guess ${at}` }));
    const statuses: number[] = [];
    for (const id of methods) statuses.push(await logIn(id));
    expect(statuses).toEqual([...TEN, 429, 429]);
  });

  it('counts a wrong password once, however often it is used', async () => {
    const wrong = await attached({ bindPass: 'guess' });
    for (let at = 0; at < 12; at++) expect(await logIn(wrong)).toBe(400);
    expect(await logIn(await attached())).toBe(200);
  });

  it('keeps nobody from restricting a method meanwhile, whose password stays the same', async () => {
    const [id, guesses] = [await attached(), await attached()];
    for (let at = 0; at < 10; at++) {
      await ok(test.admin('PATCH', pathOf(guesses), { bindPass: `guess ${at}` }));
      expect(await logIn(guesses)).toBe(400);
    }
    const restricted = { accessTokenTTL: 60, searchFilter: '(&(title=Engineer)(uid={{username}}))' };
    expect((await test.admin('PATCH', pathOf(id), restricted)).status).toBe(200);
    expect((await test.admin('PATCH', pathOf(id), LDAP_ACCOUNT)).status).toBe(200);
    expect((await test.admin('PATCH', pathOf(id), { bindPass: 'another' })).status).toBe(429);
  });
});

/** What works at another system with credentials that were accepted before, or with what its own limits bound. */
const NOT_TRIED = [
  'connections/app-connection/list.ts',
  'connections/app-connection/scheduled-check.ts',
  'connections/rotation/perform.ts',
  'connections/rotation/reconcile.ts',
  'connections/rotation/revoke.ts',
  'connections/sync/import-secrets.ts',
  'connections/sync/plan.ts',
  'connections/sync/remove-all.ts',
  'connections/sync/synchronize.ts',
  'identities/auth-method/log-in.ts',
  'pki/certificate-order/revoke.ts',
  'pki/certificate-order/run.ts',
  'pki/sync/plan-sync.ts',
  'pki/sync/synchronize.ts',
  'secrets/dynamic/lease/create.ts',
  'secrets/dynamic/lease/end.ts',
  'secrets/dynamic/lease/renew.ts',
];
/** The mechanisms themselves. */
const MECHANISMS = ['connections/connection/remote.ts', 'connections/connection/wait.ts'];

describe('work at another system', () => {
  it('tries credentials of callers with a limit, or is listed as using those that were accepted', () => {
    const cwd = new URL('../../../../packages/domain/src/', import.meta.url).pathname;
    const works = /\b(?:whileWaiting|beginWork|callProvider|new RemoteSession)(?:<\w+>)?\(/;
    const found = globSync('**/*.ts', { cwd, exclude: ['**/*.test.ts', '**/testing/**'] }).filter((file) => {
      const source = readFileSync(cwd + file, 'utf8');
      return works.test(source) && !source.includes('tryCredentials(');
    });
    expect(found.toSorted()).toEqual([...NOT_TRIED, ...MECHANISMS].toSorted());
  });
});
