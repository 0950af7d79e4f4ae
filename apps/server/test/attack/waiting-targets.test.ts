import { createOutbound, parseCidrs } from '@coffer/domain';
import { CertifyingAuthority, DigiCert, GitHub, makeConnection, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ASKING_OPERATIONS } from '../harness/asking-operations.ts';
import { nameOf } from '../harness/certificates.ts';
import { dynamicPlace, DynamicSecretAtWork, type DynamicPlace } from '../harness/dynamic-secret.ts';
import { ok } from '../harness/groups.ts';
import { PkiSyncWorld } from '../harness/pki-syncs.ts';
import { rotatedPostgres, type RotatedPostgres } from '../harness/rotated-postgres.ts';
import { RotationAtWork } from '../harness/rotation.ts';
import { SyncWorld } from '../harness/secret-syncs.ts';
import type { Answer, Caller, TestServer } from '../harness/test-server.ts';

const standIns = new StandIns();
const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
const github = new GitHub('ghp_the_token');

/** Set while other systems answer late. */
let late: { readonly asked: () => void; readonly answered: Promise<void> } | undefined;
const answering = async <T>(work: () => Promise<T>): Promise<T> => {
  late?.asked();
  await late?.answered;
  return work();
};

let system: RotatedPostgres;
let test: TestServer;
let digicert: DigiCert;
/** Removes what cases have made in PostgreSQL, which other tests share. */
const leased: (() => Promise<unknown>)[] = [];
/** The users of a message broker. */
const users = new Set<string>();
beforeAll(async () => {
  system = await rotatedPostgres({
    fetch: (...request) => answering(() => standIns.fetch(...request)),
    connect: (target) => answering(() => outbound.connect(target)),
  });
  ({ test } = system);
  // Connections that are kept are used without connecting.
  const { targets } = test.coffer;
  const run = targets.run.bind(targets);
  vi.spyOn(targets, 'run').mockImplementation((...call) => answering(() => run(...call)));
  await standIns.serve('api.github.com', github.listener);
  github.lists.set('/user/repos', []);
  github.lists.set('/user/orgs', []);
  digicert = new DigiCert(await CertifyingAuthority.make('Elsewhere'));
  await standIns.serve('www.digicert.com', digicert.listener);
  await standIns.serve('hooks.example.com', (_req, res) => res.writeHead(200).end());
  await standIns.serve('mq.example.com', (req, res) => {
    const json = (body: object) => res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (req.url === '/api/whoami') return json({ name: 'coffer', tags: ['administrator'] });
    if (req.url!.startsWith('/api/vhosts')) return json({ name: 'shop' });
    const [, name] = /^\/api\/users\/([^/]+)$/.exec(req.url!) ?? [];
    if (name && req.method === 'PUT') users.add(name);
    if (name && req.method === 'DELETE') users.delete(name);
    return res.writeHead(req.method === 'GET' ? 404 : 201).end();
  });
});
beforeEach(() => users.clear());
afterAll(async () => {
  vi.restoreAllMocks();
  for (const revoke of leased) await revoke();
  await system.close();
  await standIns.close();
  await outbound.close();
});

/** An operation that is ready to be called in a project. */
interface Prepared {
  readonly projectId: string;
  readonly send: (call: Caller) => Promise<Answer>;
  /** What it must not change without a right. */
  readonly kept?: () => Promise<unknown>;
}

const broker = {
  ...{ host: 'https://mq.example.com', port: 443, username: 'coffer', password: 'a password', tags: [] },
  virtualHost: { name: 'shop', permissions: { read: '.*', write: '.*', configure: '.*' } },
};
const withBroker = async (
  make: (place: DynamicPlace, by: (call: Caller) => DynamicSecretAtWork) => Promise<Prepared>,
) => {
  const place = await dynamicPlace(test);
  return make(place, (call) => new DynamicSecretAtWork(test, place, 'broker', call));
};
/** The same with one that exists. */
const ofBroker = (make: (place: DynamicPlace, by: (call: Caller) => DynamicSecretAtWork) => Promise<Prepared>) =>
  withBroker(async (place, by) => {
    await ok(by(test.admin).create('rabbit-mq', broker));
    return make(place, by);
  });

/** A lease of a dynamic secret of a database, which is renewed there. */
async function leaseOfDatabase(more: object = {}) {
  const place = await dynamicPlace(test);
  const by = (call: Caller) => new DynamicSecretAtWork(test, place, 'database', call);
  const {
    method: _,
    sslEnabled: _no,
    sslRejectUnauthorized: _never,
    ...given
  } = system.credentials as Record<string, unknown>;
  const statements = {
    creationStatement: `create role "{{username}}" login password '{{password}}'`,
    revocationStatement: 'drop role "{{username}}"',
    renewStatement: `alter role "{{username}}" valid until '{{expiration}}'`,
  };
  await ok(by(test.admin).create('sql-database', { client: 'postgres', ...given, ...statements }, more));
  const { lease } = await ok(by(test.admin).lease());
  leased.push(() => ok(by(test.admin).revoke(lease.id)));
  return { projectId: place.projectId, by, lease };
}

const CONNECTIONS = '/api/v1/app-connections/github';
const ofConnection = async (send: (call: Caller, id: string) => Promise<Answer>): Promise<Prepared> => {
  const { id: projectId } = await test.project();
  const credentials = { personalAccessToken: github.token };
  const given = { name: nameOf('c'), projectId, method: 'pat', credentials };
  const { appConnection } = await ok(test.admin('POST', CONNECTIONS, given));
  return {
    projectId,
    send: (call) => send(call, appConnection.id),
    kept: async () => (await ok(test.admin('GET', `${CONNECTIONS}/${appConnection.id}`))).appConnection.name,
  };
};

const ofIntegrationAuth = async (list: string): Promise<Prepared> => {
  const { id: workspaceId } = await test.project();
  const given = { workspaceId, integration: 'github', accessToken: github.token };
  const { integrationAuth } = await ok(test.admin('POST', '/api/v1/integration-auth/access-token', given));
  return {
    projectId: workspaceId,
    send: (call) => call('GET', `/api/v1/integration-auth/${integrationAuth.id}/${list}`),
  };
};

const ofRotation = async (send: (one: RotationAtWork) => Promise<Answer>): Promise<Prepared> => {
  const one = await RotationAtWork.made(system, 'postgres-credentials', ['username', 'password']);
  return { projectId: one.projectId, send: (call) => send(one.as(call)) };
};

const CA = '/api/v1/cert-manager/ca/digicert';
const authorityOf = async (projectId: string) => {
  const { organizationId, coffer } = test;
  const credentials = { method: 'api-key', region: 'us', apiKey: digicert.apiKey };
  const given = { organizationId, projectId, app: 'digicert' as const, name: nameOf('c'), credentials };
  const { id: appConnectionId } = await makeConnection(coffer, given);
  const configuration = { appConnectionId, organizationId: digicert.organizationId, productNameId: 'ssl_basic' };
  return { projectId, name: nameOf('ca'), configuration };
};

/** Of each operation that is asked again. */
const CASES: Readonly<Record<string, () => Promise<Prepared>>> = {
  'POST /api/v1/dynamic-secrets': () =>
    withBroker(async ({ projectId }, by) => ({
      projectId,
      send: (call) => by(call).create('rabbit-mq', broker),
      kept: async () => (await by(test.admin).get()).status,
    })),
  'PATCH /api/v1/dynamic-secrets/*': () =>
    ofBroker(async ({ projectId }, by) => ({
      projectId,
      send: (call) => by(call).update({ inputs: { tags: ['monitoring'] } }),
      kept: async () => (await ok(by(test.admin).get())).dynamicSecret.version,
    })),
  'POST /api/v1/dynamic-secrets/leases': () =>
    ofBroker(async ({ projectId }, by) => ({
      projectId,
      send: (call) => by(call).lease(),
      kept: async () => [...users],
    })),
  'POST /api/v1/dynamic-secrets/leases/*/renew': async () => {
    const { projectId, by, lease } = await leaseOfDatabase();
    return {
      projectId,
      send: (call) => by(call).renew(lease.id),
      kept: async () => (await ok(by(test.admin).getLease(lease.id))).lease.expireAt,
    };
  },
  'POST /api/v1/app-connections/*': async () => {
    const { id: projectId } = await test.project();
    const name = nameOf('c');
    const credentials = { personalAccessToken: github.token };
    return {
      projectId,
      send: (call) => call('POST', CONNECTIONS, { name, projectId, method: 'pat', credentials }),
      kept: async () =>
        (await test.admin('GET', `${CONNECTIONS}/connection-name/${name}?projectId=${projectId}`)).status,
    };
  },
  'PATCH /api/v1/app-connections/*/*': () =>
    ofConnection((call, id) =>
      call('PATCH', `${CONNECTIONS}/${id}`, {
        name: nameOf('other'),
        credentials: { personalAccessToken: github.token, host: 'api.github.com' },
      }),
    ),
  'POST /api/v1/app-connections/*/*/check': () =>
    ofConnection((call, id) => call('POST', `${CONNECTIONS}/${id}/check`)),
  'GET /api/v1/app-connections/*/*/*': () =>
    ofConnection((call, id) => call('GET', `${CONNECTIONS}/${id}/repositories`)),
  'GET /api/v1/integration-auth/*/apps': () => ofIntegrationAuth('apps'),
  'GET /api/v1/integration-auth/*/*/*': () => ofIntegrationAuth('github/orgs'),
  'POST /api/v2/secret-rotations/*': async () => {
    const one = await RotationAtWork.unmade(system, 'postgres-credentials', ['username', 'password']);
    // Each creation has stored its rotation before it waits, so that the next one needs other accounts and secrets.
    const environments = ['dev', 'staging'];
    const send = async (call: Caller) => {
      const own = { name: nameOf('r'), environment: environments.shift() };
      return one.as(call).create({ ...own, ...(await system.accounts()) });
    };
    return { projectId: one.projectId, send };
  },
  'POST /api/v2/secret-rotations/*/*/rotate-secrets': () => ofRotation((one) => one.rotate()),
  'POST /api/v2/secret-rotations/*/*/reconcile': () => ofRotation((one) => one.reconcile()),
  'POST /api/v1/secret-syncs/*/*/plan': async () => {
    const world = await SyncWorld.make(test, standIns, 'aws-secrets-manager');
    await world.project.write({ KEY: 'value' });
    const path = world.pathOf(await world.create());
    return { projectId: world.project.id, send: (call) => call('POST', `${path}/plan`) };
  },
  'POST /api/v1/cert-manager/syncs/*/*/plan': async () => {
    const world = await PkiSyncWorld.make(test, standIns, 'aws-secrets-manager');
    const path = world.pathOf(await world.create({ certificateIds: [(await world.issue()).id] }));
    return { projectId: world.projectId, send: (call) => call('POST', `${path}/plan`) };
  },
  'POST /api/v1/cert-manager/ca/*': async () => {
    const { id: projectId } = await test.project();
    const given = await authorityOf(projectId);
    return {
      projectId,
      send: (call) => call('POST', CA, given),
      kept: () => ok(test.admin('GET', `${CA}?projectId=${projectId}`)),
    };
  },
  'PATCH /api/v1/cert-manager/ca/*/*': async () => {
    const { id: projectId } = await test.project();
    const given = await authorityOf(projectId);
    const { id } = await ok(test.admin('POST', CA, given));
    const { configuration } = await authorityOf(projectId);
    return {
      projectId,
      send: (call) => call('PATCH', `${CA}/${id}`, { configuration }),
      kept: () => ok(test.admin('GET', `${CA}/${id}`)),
    };
  },
  'POST /api/v1/webhooks/*/test': async () => {
    const { id: workspaceId } = await test.project();
    const given = { workspaceId, environment: 'dev', webhookUrl: 'https://hooks.example.com/' };
    const { webhook } = await ok(test.admin('POST', '/api/v1/webhooks', given));
    return { projectId: workspaceId, send: (call) => call('POST', `/api/v1/webhooks/${webhook.id}/test`) };
  },
};

/** The answer to a request whose other system answers after a change. */
async function answerAfter(send: () => Promise<Answer>, change: () => Promise<unknown>): Promise<Answer> {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  late = { asked: resolve, answered };
  const sent = send();
  // One that asks nobody is answered at once.
  await Promise.race([asked, sent]);
  late = undefined;
  await change();
  answer();
  return sent;
}

/** One that takes no right in a project, and one that does the same as another. */
const WITHOUT_CASE = ['POST /api/v1/dynamic-secrets/entra-id/users', 'POST /api/v1/dynamic-secrets/leases/kubernetes'];

/** Operations whose answers take a further right. */
const PLANS: [operation: string, rule: object][] = [
  ['POST /api/v1/secret-syncs/*/*/plan', { subject: 'secrets', action: ['describeSecret', 'readValue'] }],
  ['POST /api/v1/cert-manager/syncs/*/*/plan', { subject: 'certificates', action: ['read'] }],
];

describe('attack: requests that wait for another system', () => {
  it('are tried for each operation that asks one', () => {
    const asked = Object.entries(ASKING_OPERATIONS).flatMap(([operation, how]) =>
      how === 'asked again' ? operation : [],
    );
    expect([...Object.keys(CASES), ...WITHOUT_CASE].toSorted()).toEqual(asked.toSorted());
  });

  it.each(PLANS)('name nothing that was forbidden meanwhile: %s', async (operation, rule) => {
    const { projectId, send } = await CASES[operation]!();
    const { id: identityId, call } = await test.identity({ projectId, projectRole: 'admin' });
    const denial = { identityId, projectId, permissions: [{ ...rule, inverted: true }], type: { isTemporary: false } };
    const { status } = await answerAfter(
      () => send(call),
      () => ok(test.admin('POST', '/api/v2/identity-project-additional-privilege', denial)),
    );
    expect(status).toBe(403);
  });

  it.each(Object.entries(CASES))(
    'return nothing and store no result once the right has ended: %s',
    async (_operation, prepare) => {
      const { projectId, send, kept } = await prepare();
      const { id, call } = await test.identity({ projectId, projectRole: 'admin' });
      const before = await kept?.();
      const { status } = await answerAfter(
        () => send(call),
        () => ok(test.admin('DELETE', `/api/v1/projects/${projectId}/memberships/identities/${id}`)),
      );
      expect(status).toBe(404);
      expect(await kept?.()).toEqual(before);
      const unchanged = await answerAfter(
        () => send(test.admin),
        async () => undefined,
      );
      expect(unchanged.status).toBe(200);
    },
  );

  it('create no lease once the token is revoked, or once the metadata of the dynamic secret allow none', async () => {
    const place = await dynamicPlace(test);
    const by = (call: Caller) => new DynamicSecretAtWork(test, place, 'broker', call);
    const metadata = (value: string) => [{ key: 'open', value }];
    await ok(by(test.admin).create('rabbit-mq', broker, { metadata: metadata('yes') }));
    const conditions = { metadata: { $elemMatch: { key: { $eq: 'open' }, value: { $eq: 'yes' } } } };
    const rules = [{ subject: 'dynamic-secrets', action: ['lease'], conditions }];
    const { call, token } = await test.identity({ projectId: place.projectId, rules });
    await ok(by(call).lease());
    const [before] = users;
    const close = () => ok(by(test.admin).update({ metadata: metadata('no') }));
    expect((await answerAfter(() => by(call).lease(), close)).status).toBe(403);
    await ok(by(test.admin).update({ metadata: metadata('yes') }));
    const revoke = () => ok(test.as()('POST', '/api/v1/auth/token/revoke', { accessToken: token }));
    expect((await answerAfter(() => by(call).lease(), revoke)).status).toBe(401);
    expect([...users]).toEqual([before]);
  });

  it('renew no lease once the metadata of the dynamic secret allow none', async () => {
    const metadata = (value: string) => [{ key: 'open', value }];
    const { projectId, by, lease } = await leaseOfDatabase({ metadata: metadata('yes') });
    const conditions = { metadata: { $elemMatch: { key: { $eq: 'open' }, value: { $eq: 'yes' } } } };
    const rules = [{ subject: 'dynamic-secrets', action: ['edit-root-credential'], conditions }];
    const { call } = await test.identity({ projectId, rules });
    const close = () => ok(by(test.admin).update({ metadata: metadata('no') }));
    expect((await answerAfter(() => by(call).renew(lease.id), close)).status).toBe(403);
    expect((await ok(by(test.admin).getLease(lease.id))).lease.expireAt).toBe(lease.expireAt);
  });

  it('change no credential of a secret rotation that has another place once its system has answered', async () => {
    const one = await RotationAtWork.made(system, 'postgres-credentials', ['username', 'password']);
    const { projectId } = one;
    const { environments } = (await ok(test.admin('GET', `/api/v1/projects/${projectId}`))).project;
    const { id } = environments.find(({ slug }: { slug: string }) => slug === 'dev');
    const rename = () =>
      ok(test.admin('PATCH', `/api/v1/projects/${projectId}/environments/${id}`, { slug: 'renamed' }));
    const conditions = { environment: 'dev' };
    const rules = [{ subject: 'secret-rotation', action: ['read', 'rotate-secrets'], conditions }];
    const { call } = await test.identity({ projectId, rules });
    await system.invalidate(await one.active());
    const before = await one.generated();
    expect((await answerAfter(() => one.as(call).reconcile(), rename)).status).toBe(403);
    expect(await one.generated()).toEqual(before);
    expect((await ok(one.reconcile())).reconciled).toBe(true);
  });
});
